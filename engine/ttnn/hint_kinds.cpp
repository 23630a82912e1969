// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/hint_kinds.h"

#include <array>

namespace memplan::ttnn {
namespace {

using hints::KindInfo;
using S = hints::ScopeKind;
using T = hints::ValueType;

constexpr std::string_view kTt = "ttnn";
constexpr std::array kOp{S::Op};
constexpr std::array<std::string_view, 2> kBeforeAfter{"before", "after"};
constexpr std::array<std::string_view, 3> kSpill{"dram", "l1_interleaved", "none"};
constexpr std::array<std::string_view, 5> kLayoutKeys{"grid", "buffer", "mem", "page", "dtype"};
constexpr std::array<std::string_view, 13> kConv2dKeys{"weights_dtype",
                                                       "activation",
                                                       "deallocate_activation",
                                                       "reallocate_halo_output",
                                                       "reshard_if_not_optimal",
                                                       "override_sharding_config",
                                                       "transpose_shards",
                                                       "enable_act_double_buffer",
                                                       "enable_weights_double_buffer",
                                                       "act_block_h_override",
                                                       "act_block_w_div",
                                                       "shard_layout",
                                                       "output_layout"};
constexpr std::array<std::string_view, 6> kConv3dKeys{"weights_dtype", "t_out_block", "w_out_block",
                                                      "h_out_block",   "c_out_block", "c_in_block"};

// clang-format off
const std::array<KindInfo, 7> kKinds{{
    {kTt, "output_layout", "Force output layout", kOp, false, T::OutputLayout,
     "object with any of grid, buffer, mem, page, dtype", "legal_op_layout_analysis",
     "the result takes this layout", kLayoutKeys, "override-output-layout", true},
    {kTt, "input_reshard", "Force input reshard", kOp, false, T::OperandIndices, "array of operand positions",
     "collect_override_reshards", "a reshard stands before these operands", {}, "insert-memreconfig", true},
    {kTt, "conv2d_config", "Convolution fields (2-D)", kOp, false, T::ConvConfig, "object field -> value",
     "legal_op_config_analysis", "fields of the convolution's configuration", kConv2dKeys, "override-conv2d-config",
     true},
    {kTt, "conv3d_config", "Convolution fields (3-D)", kOp, false, T::ConvConfig, "object field -> value",
     "legal_op_config_analysis", "fields of the convolution's configuration", kConv3dKeys, "override-conv3d-config",
     true},
    {kTt, "break_chain", "Break chain", kOp, false, T::Choice, "before or after", "memory_layout_analysis.build_chains",
     "the chain ends before or after the operation", kBeforeAfter, "", true},
    {kTt, "forbid_merge", "Forbid merge", kOp, false, T::True, "true", "memory_layout_analysis.merge_chains",
     "no chain is merged into this join operation", {}, "", true},
    {kTt, "spill", "Spill location", kOp, false, T::Choice, "dram, l1_interleaved or none", "memory_layout_analysis",
     "where the result of the chain's last operation goes", kSpill, "", true},
}};
// clang-format on

}  // namespace

const hints::MachineHints& hintKinds() {
    static const hints::MachineHints kHints{kTt, kKinds, {}, {}, nullptr, nullptr};
    return kHints;
}

}  // namespace memplan::ttnn
