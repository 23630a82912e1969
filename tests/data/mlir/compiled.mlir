// What a compiler for TTNN prints: a function evaluated beforehand, its result kept, a part that runs on the host: own example.
#dram = #ttnn.buffer_type<dram>
#system_memory = #ttnn.buffer_type<system_memory>
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x96xbf16, #system_memory>>
#tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>, exactGrid = true>
module @whole {
  ttcore.device_module {
    builtin.module @whole {
      ttcore.device @default_device = <workerGrid = #ttcore.grid<7x8, virt_to_physical_map = (d0, d1) -> (0, d0, d1)>, dramGrid = #ttcore.grid<1x12>, meshShape = 1x1, chipIds = [0]>
      func.func private @main_const_eval_0(%arg0: tensor<64x96xbf16, #host>) -> (tensor<64x96xbf16, #tiles>, tensor<64x96xbf16, #tiles>) attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = call @on_host(%arg0) {ttir.cpu_hoist_call} : (tensor<64x96xbf16, #host>) -> tensor<64x96xbf16, #host>
        %2 = "ttnn.to_device"(%1, %0) : (tensor<64x96xbf16, #host>, !ttnn.device) -> tensor<64x96xbf16, #tiles>
        return %2, %2 : tensor<64x96xbf16, #tiles>, tensor<64x96xbf16, #tiles>
      }
      func.func @main(%arg0: tensor<64x96xbf16, #tiles>, %arg1: tensor<64x96xbf16, #host> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<64x96xbf16, #tiles> attributes {tt.function_type = "forward_device"} {
        %0:2 = ttcore.load_cached(@main_const_eval_0, [%arg1]) : (tensor<64x96xbf16, #host>) -> (tensor<64x96xbf16, #tiles>, tensor<64x96xbf16, #tiles>) loc("weights")
        %1 = "ttnn.add"(%arg0, %0#0) : (tensor<64x96xbf16, #tiles>, tensor<64x96xbf16, #tiles>) -> tensor<64x96xbf16, #tiles> loc("sum")
        %2 = "ttnn.multiply"(%1, %0#1) : (tensor<64x96xbf16, #tiles>, tensor<64x96xbf16, #tiles>) -> tensor<64x96xbf16, #tiles>
        return %2 : tensor<64x96xbf16, #tiles>
      }
      func.func private @on_host(tensor<64x96xbf16, #host>) -> tensor<64x96xbf16, #host> attributes {tt.function_type = "forward_cpu_declaration"}
    }
  }
  ttcore.cpu_module {
    builtin.module {
      func.func @on_host(%arg0: tensor<64x96xbf16>) -> tensor<64x96xbf16> attributes {tt.function_type = "forward_cpu"} {
        return %arg0 : tensor<64x96xbf16>
      }
    }
  }
}
