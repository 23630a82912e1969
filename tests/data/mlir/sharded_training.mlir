// StableHLO as frameworks print it: sharded over a mesh, with loops, calls and dialects beside it: own example.
module @step attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: tensor<1x8x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}, {}]>}, %arg1: tensor<32x8x3x3xf32>, %arg2: tensor<32x64xf32>) -> (tensor<1x32x16x16xf32>, tensor<32x64xf32>, tensor<32xi32>) {
    %c = sdy.constant dense<0> : tensor<i32>
    %cst = stablehlo.constant {note = "a : b"} dense<0.000000e+00> : tensor<f32>
    %six = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %0 = stablehlo.custom_call @tt.mark_argument(%arg0) {api_version = 0 : i32, mhlo.frontend_attributes = {ttir.name = "x : y"}} : (tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
    %1 = stablehlo.convolution(%0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x16x16xf32>, tensor<32x8x3x3xf32>) -> tensor<1x32x16x16xf32> loc("conv")
    %2 = stablehlo.clamp %cst, %1, %six : (tensor<f32>, tensor<1x32x16x16xf32>, tensor<f32>) -> tensor<1x32x16x16xf32>
    %3 = chlo.erf %2 : tensor<1x32x16x16xf32> -> tensor<1x32x16x16xf32>
    %4:2 = stablehlo.while(%i = %c, %state = %arg2) : tensor<i32>, tensor<32x64xf32> attributes {note}
     cond {
      %ten = stablehlo.constant dense<10> : tensor<i32>
      %5 = stablehlo.compare  LT, %i, %ten,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    } do {
      %5 = func.call @half(%state) : (tensor<32x64xf32>) -> tensor<32x64xf32>
      stablehlo.return %i, %5 : tensor<i32>, tensor<32x64xf32>
    } loc("loop")
    %6 = stablehlo.iota dim = 1 : tensor<32x64xi32>
    %7:2 = stablehlo.reduce(%4#1 init: %cst), (%6 init: %c) across dimensions = [1] : (tensor<32x64xf32>, tensor<32x64xi32>, tensor<f32>, tensor<i32>) -> (tensor<32xf32>, tensor<32xi32>)
     reducer(%a: tensor<f32>, %b: tensor<f32>) (%m: tensor<i32>, %n: tensor<i32>)  {
      %8 = stablehlo.compare  GT, %a, %b,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %9 = stablehlo.select %8, %a, %b : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %m, %n : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    %11:2 = stablehlo.optimization_barrier %3, %4#1 : tensor<1x32x16x16xf32>, tensor<32x64xf32>
    %12 = stablehlo.complex %11#1, %4#1 : tensor<32x64xcomplex<f32>>
    %13 = stablehlo.real %12 : (tensor<32x64xcomplex<f32>>) -> tensor<32x64xf32>
    %14 = stablehlo.tuple %13, %7#1 : tuple<tensor<32x64xf32>, tensor<32xi32>>
    %15 = sdy.manual_computation(%13) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg3: tensor<16x64xf32>) {
      %16 = stablehlo.add %arg3, %arg3 {mhlo.sharding = "{replicated}"} : tensor<16x64xf32>
      sdy.return %16 : tensor<16x64xf32>
    } : (tensor<32x64xf32>) -> tensor<32x64xf32>
    return %11#0, %15, %7#1 : tensor<1x32x16x16xf32>, tensor<32x64xf32>, tensor<32xi32>
  }
  func.func private @half(%arg0: tensor<32x64xf32>) -> tensor<32x64xf32> {
    %0 = stablehlo.tanh %arg0 : tensor<32x64xf32>
    return %0 : tensor<32x64xf32>
  }
}
