// StableHLO in its pretty forms, a device, an empty tensor and a call: own example.
module @m attributes {stablehlo.x = 1 : i32} {
  ttcore.device @default_device = <workerGrid = #ttcore.grid<8x8, (d0, d1) -> (0, d0, d1)>, dramGrid = #ttcore.grid<1x12>, l1Map = (d0, d1)[s0] -> (0, d0, d1, s0), meshShape = , chipIds = [0]>
  func.func public @main(%arg0: tensor<4x8xf32>, %arg1: tensor<8x16xf32>) -> (tensor<4xf32>, tensor<4x16xf32>) {
    %c = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32> loc("dot")
    %1 = stablehlo.add %0, %0 : tensor<4x16xf32>
    %2 = stablehlo.reduce(%1 init: %c) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
    %3 = stablehlo.reduce(%1 init: %c) across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
      reducer(%a: tensor<f32>, %b: tensor<f32>) {
      %9 = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }
    %4 = stablehlo.transpose %1, dims = [1, 0] : (tensor<4x16xf32>) -> tensor<16x4xf32>
    %5 = stablehlo.slice %4 [0:4, 1:4:2] : (tensor<16x4xf32>) -> tensor<4x2xf32>
    %6 = stablehlo.compare LT, %1, %1, FLOAT : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xi1>
    %7 = stablehlo.select %6, %1, %0 : tensor<4x16xi1>, tensor<4x16xf32>
    %8 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<4xf32>) -> tensor<4x16xf32>
    %10 = stablehlo.concatenate %8, %1, dim = 0 : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
    %11 = stablehlo.convert %10 : (tensor<8x16xf32>) -> tensor<8x16xbf16>
    %12 = stablehlo.custom_call @foo(%10) {backend_config = ""} : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %13 = call @sub(%7) : (tensor<4x16xf32>) -> tensor<4x16xf32>
    %14 = ttir.empty() : tensor<4x16xf32>
    %15 = "ttir.add"(%13, %7, %14) : (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    return %3, %13 : tensor<4xf32>, tensor<4x16xf32>
  }
  func.func private @sub(%arg0: tensor<4x16xf32>) -> tensor<4x16xf32> {
    %0 = stablehlo.exponential %arg0 : tensor<4x16xf32>
    return %0 : tensor<4x16xf32>
  }
}
