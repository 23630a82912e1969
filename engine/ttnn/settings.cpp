// SPDX-License-Identifier: Apache-2.0
// The table of settings.md 3.
#include "engine/ttnn/settings.h"

#include "engine/settings/settings_rows.h"

#include <utility>

namespace memplan::ttnn {

namespace {

std::vector<SettingInfo> ttnnOptions() {
    return {
        // `quasar` is recognised by name and refused by the target (TT-040): its figures are not known.
        detail::choice("ttnn.arch", "wormhole_b0", {"wormhole_b0", "blackhole", "quasar"},
                       "architecture whose built-in description is used; quasar is known by name only")
            .original("mock-system-desc-arch"),
        detail::file("ttnn.system_desc", "system description file in place of the built-in one")
            .original("system-desc-path"),
        detail::whole("ttnn.optimization_level", "2",
                      "0 optimizer off, 1 on without sharding, 2 with sharding; fills only what is not set explicitly")
            .range(0, 2)
            .original("optimization-level"),
        detail::flag("ttnn.enable_optimizer", "true", "run the optimizer; by level when not set: on from level 1")
            .original("enable-optimizer"),
        detail::flag("ttnn.memory_layout_analysis", "true", "chains and sharding; by level when not set: on at level 2")
            .original("memory-layout-analysis-enabled"),
        detail::choice("ttnn.policy", "DFSharding",
                       {"DFSharding", "GreedyL1Interleaved", "BFInterleaved", "GreedyBeam", "Global"},
                       "policy of the memory layout analysis")
            .best("Global")
            .original("memory-layout-analysis-policy"),
        detail::flag("ttnn.l1_interleaved_fallback", "false", "upgrade single-use values to interleaved L1")
            .best("true")
            .original("l1-interleaved-fallback-analysis-enabled"),
        detail::flag("ttnn.memreconfig", "true", "insert layout changes between operations")
            .original("memreconfig-enabled"),
        detail::whole("ttnn.max_legal_layouts", "64", "sharded layouts kept for one operation")
            .range(0, 512)
            .unit("sharded layouts")
            .seed("8")
            .original("max-legal-layouts"),
        detail::flag("ttnn.row_major", "false", "consider row-major layouts too").original("row-major-enabled"),
        detail::real("ttnn.l1_usage_cap", "0.95", "share of usable L1 that tensors may take")
            .range(0, 1)
            .unit("share")
            .original("tensor-l1-usage-cap"),
        detail::whole("ttnn.l1_reserved_bytes", "0", "L1 held by constants that are evaluated beforehand")
            .range(0, 1572864)
            .unit("bytes per core"),
        detail::words("ttnn.insert_memreconfig", "", "forced layout changes (grammar of the option)")
            .original("insert-memreconfig"),
        detail::words("ttnn.override_output_layout", "", "forced output layouts (grammar of the option)")
            .original("override-output-layout"),
        detail::words("ttnn.override_conv2d_config", "", "forced conv2d configurations (grammar of the option)")
            .original("override-conv2d-config"),
        detail::words("ttnn.override_conv3d_config", "", "forced conv3d configurations (grammar of the option)")
            .original("override-conv3d-config"),
        detail::words("ttnn.function", "", "function of the module to plan; empty: the only public one"),
        detail::words("ttnn.mesh_shape", "", "shape of the device mesh (comma list)").original("mesh-shape"),
        detail::flag("ttnn.check_unique_locs", "false", "refuse two operations with one location name")
            .original("check-unique-locs"),
        detail::flag("ttnn.fusing", "true", "fuse linear, bias and activations").original("enable-fusing-pass"),
    };
}

std::vector<SettingInfo> ttnnOwn() {
    return {
        detail::flag("ttnn.strict_l1_accounting", "true", "count every resident value; off = the original's accounting")
            .seed("false"),
        detail::flag("ttnn.conservative_matmul_cb", "false", "larger estimate of a multiply's circular buffers"),
        detail::choice("ttnn.conversion_op", "to_layout", {"to_layout", "auto"},
                       "operation that stands for a layout change"),
        detail::flag("ttnn.concat_chains", "true", "chains that end in a concatenation"),
        detail::flag("ttnn.reshape_reservations", "true", "keep results of reshapes in L1"),
        detail::flag("ttnn.fork_reservations", "true", "keep values with several readers in L1"),
        detail::flag("ttnn.chain_merging", "true", "keep chain ends in L1 for the chain that reads them"),
        detail::flag("ttnn.merge_any_operand", "false", "merge chains at any operand, not at the first only"),
        detail::flag("ttnn.validate_op_layouts", "false", "check every operation layout with the operation model"),
        detail::flag("ttnn.address_simulation", "false",
                     "place every value in L1 at an address, so that gaps between values count"),
        detail::flag("ttnn.advice", "true", "notes on what stands in the way of a better plan"),
        detail::whole("ttnn.advice_trials", "0", "compiles that may be spent on proving advice")
            .range(0, 100)
            .unit("compiles"),
        detail::flag("ttnn.keep_names", "false",
                     "print the names of values as read (MLIR library of version 20 or later)"),
        detail::flag("ttnn.debug_info", "false", "print locations"),
    };
}

std::vector<SettingInfo> rows() {
    std::vector<SettingInfo> all = ttnnOptions();
    for (SettingInfo& info : ttnnOwn())
        all.push_back(std::move(info));
    return all;
}

/// What the level means for the two switches that the user left alone (ttnn-optimizer 8.1).
std::vector<std::pair<std::string_view, std::string_view>> implied(const Settings& settings) {
    const std::int64_t level = settings.integer("ttnn.optimization_level");
    return {{"ttnn.enable_optimizer", level >= 1 ? "true" : "false"},
            {"ttnn.memory_layout_analysis", level >= 2 ? "true" : "false"}};
}

}  // namespace

const MachineSettings& settings() {
    static const MachineSettings kSettings{rows, implied, nullptr};
    return kSettings;
}

}  // namespace memplan::ttnn
