#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#lay = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#block = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x2x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>>
module {
  func.func @forward(%arg0: tensor<256x512xbf16, #lay>) -> tensor<256x512xbf16, #lay> {
    %0 = "ttnn.relu"(%arg0) : (tensor<256x512xbf16, #lay>) -> tensor<256x512xbf16, #block> loc("act_in")
    %1 = "ttnn.to_layout"(%0) : (tensor<256x512xbf16, #block>) -> tensor<256x512xbf16, #lay> loc("act_out")
    return %1 : tensor<256x512xbf16, #lay>
  }
}
