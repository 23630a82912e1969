// SPDX-License-Identifier: Apache-2.0
// Compiler records as the original compiler writes it, for the example of spyre-coarse-tiling-and-bundle 15.
#pragma once

#include <string>

namespace memplan::test {

inline std::string passLogText() {
    return R"([INFO] [torch_spyre._inductor.passes] BEFORE PRE-SCHEDULING
buf0: ComputedBuffer
  layout=FixedTiledLayout('spyre:0', torch.float16, size=[1024, 4096], stride=[4096, 1])

[INFO] [torch_spyre._inductor.coarse_tile] coarse_tile_groups: 1 group(s) formed
  group 0 scopes=[1, 2]:
    buf0
    buf1
  ungrouped: []
[DEBUG] [torch_spyre._inductor.coarse_tile] coarse_tile: stamped buf0 loop_group_id=(0, 0) loop_count=[2, 4]
[DEBUG] [torch_spyre._inductor.coarse_tile] coarse_tile: propagated buf1 -> buf2 (case 2 (mutation))
[INFO] [torch_spyre._inductor.passes] AFTER PRE-SCHEDULING

buf2: EmptyBuffer
  layout=FixedTiledLayout('spyre:0', torch.float16, size=[1024, 4096], stride=[4096, 1])

buf0: ComputedBuffer
  layout=FixedTiledLayout('spyre:0', torch.float16, size=[512, 1024], stride=[1024, 1],
      device_layout=SpyreTensorLayout(device_size=[16, 512, 64], stride_map=[64, 1024, 1]))
  allocation={'lx': 0}
  op_it_space_splits={1024: 32}
  dim_hints=[DimHint(dim_names=['A'], split_count=2, loop_var=c0, is_reduction=False, hint_id=1)]
  loop_info=CoarseTileInfo(loop_group_id=(0, 0), loop_count=[2, 4], loop_tiled_dims=[[0], [1]])
  Pointwise(device, def inner_fn(index):
      return tmp0 + tmp1)

buf1: ComputedBuffer
  layout=MutationLayout(buf2)
[INFO] [torch_spyre._inductor.memory] memory_planning: buf9  live=[0,3]  size=128  offset=256
)";
}

inline std::string costDumpText() {
    const std::string rule(78, '=');
    return rule + "\n==== Cost model features + prediction (after pre-scheduling)\n" + rule +
           R"(
  buf0         read=16777216B write=0B lx=8388608B loop_trip=8 [pointwise]
      read   a                      torch [1024, 4096] -> device [64, 1024, 64] in HBM  | 4194304 elems x 2B = 8388608 B (hbm counted: 8388608 B) xL=8
      read   b                      device [64, 1024, 64] in HBM  | 4,194,304 elems x 2B = 8,388,608 B (hbm counted: 8,388,608 B)
      write  buf0                   device [16, 512, 64] in LX  | 524288 elems x 2B = 1048576 B (hbm counted: 0 B) broadcast (loaded once)
  buf1         read=8388608B write=8388608B lx=8388608B
      read   c                      device [64, 1024, 64] in HBM  | 4194304 elems x 2B = 8388608 B (hbm counted: 8388608 B)
  -- prediction (turnaround): T = 210.5 us --
      R=25165824B (read)   W=8388608B (write)
      base = 100.1 us
)" + rule + "\npredicted total: 210.5 us over 1 kernel(s), 2 op(s)\nkernel  predicted us  ops\n" +
           "sdsc_fused_add_mul_0  210.5  2\n";
}

inline std::string provenanceText() {
    const std::string key = "abcdefghijklmnop";
    const std::string sha(64, 'a');
    return R"({"diagnostics": {}, "eventKey": {"algorithm": "sha256-prefix-80-base32-lower", "stepAttribution": "bundle",
 "version": 1, "width": 16},
 "handles": {
  "1": {"aten_op": "aten.add.Tensor", "fused_from": [], "id": 1, "ir_chain": ["add", "buf0"],
        "source": {"end_col": null, "end_line": null, "file": "model.py", "start_col": 4, "start_line": 12},
        "transform_history": [{"kind": "fusion", "pass_name": "fuse_nodes", "reason": null}]},
  "2": {"aten_op": null, "fused_from": [1], "id": 2, "ir_chain": ["mul"], "source": null, "transform_history": []}},
 "kernelIdentities": {")" +
           key + R"(": {"atenOps": ["aten.add.Tensor", "aten.mul.Tensor"], "directHandleIds": [1],
   "eventNameBase": "spyre_kernel_v1_add_mul_)" +
           key + R"(",
   "specHandleBindings": [{"handleId": 1, "specPath": [0, 0, 0]}, {"handleId": 2, "specPath": [0, 0, 1]}]}},
 "kernelOccurrences": {")" +
           sha + R"(": {"compileId": "0/0", "compilerKernelName": "sdsc_fused_add_mul_0", "identityKey": ")" + key +
           R"(", "registrations": [{"alias": "sdsc_fused_add_mul_0:1", "ordinal": 1}]}},
 "mergeGeneration": 1, "schemaVersion": 1, "status": "complete",
 "upstreamProjections": {")" +
           sha +
           R"(": {"cppCodeToPost": {}, "kernelStackTraces": {"sdsc_fused_add_mul_0:1": {"postGradNodes": ["add", "mul"],
   "preGradNodes": [], "stackTraces": []}},
   "kernels": [{"compilerKernelName": "sdsc_fused_add_mul_0", "identityKey": ")" +
           key + R"("}], "postToCppCode": {}, "postToPre": {}, "preToPost": {"add": ["add"]},
   "producer": {"torchSpyreVersion": "0.1", "torchVersion": "2.9"},
   "settings": {"provenanceTrackingLevel": 1, "structuredTracing": false},
   "source": "inductor_provenance_tracking_node_mappings", "uncollectedKernels": [], "upstreamJoin": "ok",
   "upstreamProjectionFailed": false, "version": 2.0}}}
)";
}

}  // namespace memplan::test
