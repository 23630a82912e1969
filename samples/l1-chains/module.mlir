// Every part of a plan of L1 chains: fork, concat of three, three-way and simple merge, reservations, a failed chain.
module {
  func.func @main(
      %image: tensor<1x32x32x64xbf16>,
      %wa: tensor<64x64x3x3xbf16>,
      %wb: tensor<64x64x3x3xbf16>,
      %bias: tensor<1x32x32x64xbf16>,
      %rows: tensor<2048x2048xbf16>,
      %other: tensor<2048x2048xbf16>,
      %more: tensor<2048x2048xbf16>,
      %batched: tensor<8x128x256xbf16>,
      %wk: tensor<8x256x128xbf16>)
      -> (tensor<1x32x32x192xbf16>, tensor<2048x2048xbf16>, tensor<2048x2048xbf16>, tensor<8x128x128xbf16>) {
    %a0 = "ttir.conv2d"(%image, %wa) <{dilation = array<i32: 1, 1>, groups = 1 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x32x32x64xbf16>, tensor<64x64x3x3xbf16>) -> tensor<1x32x32x64xbf16> loc("conv_a")
    %a1 = "ttir.relu"(%a0) : (tensor<1x32x32x64xbf16>) -> tensor<1x32x32x64xbf16> loc("relu_a")
    %a2 = "ttir.add"(%a1, %bias) : (tensor<1x32x32x64xbf16>, tensor<1x32x32x64xbf16>) -> tensor<1x32x32x64xbf16> loc("add_a")
    %b0 = "ttir.conv2d"(%a2, %wb) <{dilation = array<i32: 1, 1>, groups = 1 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x32x32x64xbf16>, tensor<64x64x3x3xbf16>) -> tensor<1x32x32x64xbf16> loc("conv_b")
    %b2 = "ttir.relu"(%b0) : (tensor<1x32x32x64xbf16>) -> tensor<1x32x32x64xbf16> loc("relu_b")
    %b1 = "ttir.silu"(%b2) : (tensor<1x32x32x64xbf16>) -> tensor<1x32x32x64xbf16> loc("silu_b")
    %c0 = "ttir.gelu"(%a2) : (tensor<1x32x32x64xbf16>) -> tensor<1x32x32x64xbf16> loc("gelu_c")
    %d0 = "ttir.neg"(%a2) : (tensor<1x32x32x64xbf16>) -> tensor<1x32x32x64xbf16> loc("neg_d")
    %cat = "ttir.concat"(%b1, %c0, %d0) <{dim = 3 : si32}> : (tensor<1x32x32x64xbf16>, tensor<1x32x32x64xbf16>, tensor<1x32x32x64xbf16>) -> tensor<1x32x32x192xbf16> loc("concat_bcd")
    %m0 = "ttir.silu"(%rows) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> loc("silu_gate")
    %m1 = "ttir.gelu"(%other) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> loc("gelu_up")
    %m2 = "ttir.multiply"(%m0, %m1) : (tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> loc("multiply_gate")
    %m3 = "ttir.relu"(%m2) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> loc("relu_gate")
    %n0 = "ttir.neg"(%more) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> loc("neg_right")
    %n1 = "ttir.relu"(%rows) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> loc("relu_left")
    %n2 = "ttir.add"(%n1, %n0) : (tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> loc("add_both")
    %k0 = "ttir.silu"(%batched) : (tensor<8x128x256xbf16>) -> tensor<8x128x256xbf16> loc("silu_k")
    %k1 = "ttir.matmul"(%k0, %wk) <{transpose_a = false, transpose_b = false}> : (tensor<8x128x256xbf16>, tensor<8x256x128xbf16>) -> tensor<8x128x128xbf16> loc("matmul_k")
    return %cat, %m3, %n2, %k1 : tensor<1x32x32x192xbf16>, tensor<2048x2048xbf16>, tensor<2048x2048xbf16>, tensor<8x128x128xbf16>
  }
}
