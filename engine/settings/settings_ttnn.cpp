// SPDX-License-Identifier: Apache-2.0
// The table of settings.md 3.
#include "engine/settings/settings_rows.h"

#include <utility>

namespace memplan::detail {

namespace {

std::vector<SettingInfo> ttnnOptions() {
    return {
        // `quasar` is recognised by name and refused by the target (TT-040): its figures are not known.
        choice("ttnn.arch", "wormhole_b0", {"wormhole_b0", "blackhole", "quasar"},
               "architecture whose built-in description is used; quasar is known by name only")
            .original("mock-system-desc-arch"),
        file("ttnn.system_desc", "system description file in place of the built-in one").original("system-desc-path"),
        whole("ttnn.optimization_level", "2",
              "0 optimizer off, 1 on without sharding, 2 with sharding; fills only what is not set explicitly")
            .range(0, 2)
            .original("optimization-level"),
        flag("ttnn.enable_optimizer", "true", "run the optimizer; by level when not set: on from level 1")
            .original("enable-optimizer"),
        flag("ttnn.memory_layout_analysis", "true", "chains and sharding; by level when not set: on at level 2")
            .original("memory-layout-analysis-enabled"),
        choice("ttnn.policy", "DFSharding",
               {"DFSharding", "GreedyL1Interleaved", "BFInterleaved", "GreedyBeam", "Global"},
               "policy of the memory layout analysis")
            .best("Global")
            .original("memory-layout-analysis-policy"),
        flag("ttnn.l1_interleaved_fallback", "false", "upgrade single-use values to interleaved L1")
            .best("true")
            .original("l1-interleaved-fallback-analysis-enabled"),
        flag("ttnn.memreconfig", "true", "insert layout changes between operations").original("memreconfig-enabled"),
        whole("ttnn.max_legal_layouts", "64", "sharded layouts kept for one operation")
            .range(0, 512)
            .unit("sharded layouts")
            .seed("8")
            .original("max-legal-layouts"),
        flag("ttnn.row_major", "false", "consider row-major layouts too").original("row-major-enabled"),
        real("ttnn.l1_usage_cap", "0.95", "share of usable L1 that tensors may take")
            .range(0, 1)
            .unit("share")
            .original("tensor-l1-usage-cap"),
        whole("ttnn.l1_reserved_bytes", "0", "L1 held by constants that are evaluated beforehand")
            .range(0, 1572864)
            .unit("bytes per core"),
        words("ttnn.insert_memreconfig", "", "forced layout changes (grammar of the option)")
            .original("insert-memreconfig"),
        words("ttnn.override_output_layout", "", "forced output layouts (grammar of the option)")
            .original("override-output-layout"),
        words("ttnn.override_conv2d_config", "", "forced conv2d configurations (grammar of the option)")
            .original("override-conv2d-config"),
        words("ttnn.override_conv3d_config", "", "forced conv3d configurations (grammar of the option)")
            .original("override-conv3d-config"),
        words("ttnn.mesh_shape", "", "shape of the device mesh (comma list)").original("mesh-shape"),
        flag("ttnn.check_unique_locs", "false", "refuse two operations with one location name")
            .original("check-unique-locs"),
        flag("ttnn.fusing", "true", "fuse linear, bias and activations").original("enable-fusing-pass"),
    };
}

std::vector<SettingInfo> ttnnOwn() {
    return {
        flag("ttnn.strict_l1_accounting", "true", "count every resident value; off = the original's accounting")
            .seed("false"),
        flag("ttnn.conservative_matmul_cb", "false", "larger estimate of a multiply's circular buffers"),
        choice("ttnn.conversion_op", "to_layout", {"to_layout", "auto"}, "operation that stands for a layout change"),
        flag("ttnn.concat_chains", "true", "chains that end in a concatenation"),
        flag("ttnn.reshape_reservations", "true", "keep results of reshapes in L1"),
        flag("ttnn.fork_reservations", "true", "keep values with several readers in L1"),
        flag("ttnn.chain_merging", "true", "keep chain ends in L1 for the chain that reads them"),
        flag("ttnn.merge_any_operand", "false", "merge chains at any operand, not at the first only"),
        flag("ttnn.validate_op_layouts", "false", "check every operation layout with the operation model"),
        flag("ttnn.advice", "true", "notes on what stands in the way of a better plan"),
        whole("ttnn.advice_trials", "0", "compiles that may be spent on proving advice").range(0, 100).unit("compiles"),
        flag("ttnn.keep_names", "false", "print the names of values as read"),
        flag("ttnn.debug_info", "false", "print locations"),
    };
}

}  // namespace

std::vector<SettingInfo> ttnnSettings() {
    std::vector<SettingInfo> all = ttnnOptions();
    for (SettingInfo& info : ttnnOwn())
        all.push_back(std::move(info));
    return withoutUse(std::move(all));
}

}  // namespace memplan::detail
