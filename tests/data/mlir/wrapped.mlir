#loc = loc("Wrapped":0:0)
#dram = #ttnn.buffer_type<dram>
module @wrapped attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x1>]>} {
  ttcore.device_module {
    builtin.module @wrapped attributes {ttnn.tensor_l1_usage_cap = 9.000000e-01 : f32} {
      ttcore.device @default_device = <workerGrid = #ttcore.grid<7x8, (d0, d1) -> (0, d0, d1)>, dramGrid = #ttcore.grid<1x12>, meshShape = , chipIds = [0]>
      func.func @main(%image: tensor<2x8x8x64xbf16> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "image"} loc("image"), %weights: tensor<32x64x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %bias: tensor<1x1x1x32xbf16>) -> (tensor<2x4x4x32xbf16> {ttir.name = "out"}) {
        %0 = ttir.empty() : tensor<2x4x4x32xbf16>
        %1 = "ttir.conv2d"(%image, %weights, %0) <{stride = 2 : i32, padding = array<i32: 1, 1, 1, 1>, dilation = 1 : i32, groups = 1 : i32}> : (tensor<2x8x8x64xbf16>, tensor<32x64x3x3xbf16>, tensor<2x4x4x32xbf16>) -> tensor<2x4x4x32xbf16> loc("conv"(#loc))
        %2 = "ttir.add"(%1, %bias) : (tensor<2x4x4x32xbf16>, tensor<1x1x1x32xbf16>) -> tensor<2x4x4x32xbf16> loc("sum")
        %3 = "ttir.relu"(%2) : (tensor<2x4x4x32xbf16>) -> tensor<2x4x4x32xbf16> loc("relu")
        %4:2 = "ttir.argsort"(%3) <{dim = -1 : si32}> {note = #other.kept<"a > b", [1, 2]>} : (tensor<2x4x4x32xbf16>) -> (tensor<2x4x4x32xbf16>, tensor<2x4x4x32xi32>) loc("sorted")
        return %4#0 : tensor<2x4x4x32xbf16> loc(#loc)
      } loc(#loc)
    } loc(#loc)
  } loc(#loc)
} loc(#loc)
