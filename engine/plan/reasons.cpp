// SPDX-License-Identifier: Apache-2.0
// The reason table of codes.md 1: one for all machines, because a code is never used twice and the order is that of
// precedence over all of them. Which machine gives a reason is a column.
#include "engine/plan/reasons.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace memplan {

namespace {

constexpr std::size_t kReasonCount = 28;

// clang-format off
constexpr std::array<ReasonInfo, kReasonCount> kReasons{{
    {ReasonCode::PlanningOff, "planning_off", "LX-001", "all",
     "planning is switched off (spyre.lx_planning, ttnn.memory_layout_analysis)", "planning switched off"},
    {ReasonCode::OffByHint, "off_by_hint", "LX-002", "all",
     "a hint keeps it off chip (keep_off_chip, lx_eligible false, spill)", "off by hint"},
    {ReasonCode::OpNotAllowed, "op_not_allowed", "LX-003", "spyre",
     "its producer is no ordinary computed operation, or the operation's name is not allowed", "op kind not allowed"},
    {ReasonCode::Unsized, "unsized", "LX-004", "spyre", "it has no device layout", "op kind not allowed"},
    {ReasonCode::MutationTarget, "mutation_target", "LX-005", "spyre",
     "another operation writes into it in place", "tiled or partial access"},
    {ReasonCode::TiledAdvancing, "tiled_advancing", "LX-006", "spyre",
     "its address advances with a loop", "tiled or partial access"},
    {ReasonCode::ReadByRestickify, "read_by_restickify", "LX-007", "spyre",
     "a restickify reads it", "tiled or partial access"},
    {ReasonCode::ExternUser, "extern_user", "LX-008", "spyre",
     "an extern or fallback kernel uses it", "outside kernel"},
    {ReasonCode::IndirectAccess, "indirect_access", "LX-009", "spyre",
     "it is an index tensor or is accessed through one", "tiled or partial access"},
    {ReasonCode::GraphOutput, "graph_output", "LX-010", "all",
     "it is a graph output without a clone", "graph input or output"},
    {ReasonCode::GraphInput, "graph_input", "LX-011", "all",
     "it is a graph input without a clone", "graph input or output"},
    {ReasonCode::OutputIsView, "output_is_view", "LX-012", "spyre",
     "a graph output is a view of something else", "graph input or output"},
    {ReasonCode::PartialRead, "partial_read", "LX-013", "spyre",
     "it is read with an offset or in part", "tiled or partial access"},
    {ReasonCode::CoreDivMismatch, "core_div_mismatch", "LX-014", "spyre",
     "its producer and its readers divide it differently over the cores, or it holds partial sums", "split mismatch"},
    {ReasonCode::NeverRead, "never_read", "LX-015", "spyre",
     "nobody reads it from the scratchpad", "op kind not allowed"},
    {ReasonCode::BackGap, "back_gap", "LX-016", "spyre",
     "its layout has a gap that the scratchpad cannot hold", "tiled or partial access"},
    {ReasonCode::LargerThanMemory, "larger_than_memory", "LX-017", "spyre,ttnn",
     "its smallest footprint exceeds the capacity", "larger than the memory"},
    {ReasonCode::NoRoom, "no_room", "LX-018", "spyre",
     "it lost the packing: no gap was large enough over its lifetime", "lost the packing"},
    {ReasonCode::PartnerUnplaced, "partner_unplaced", "LX-019", "spyre",
     "its all-or-nothing partner was not placed", "lost the packing"},
    {ReasonCode::SolverStopped, "solver_stopped", "LX-020", "spyre,ttnn",
     "the solver reached its time or node limit before it was decided", "solver stopped"},
    {ReasonCode::NotShardable, "not_shardable", "RES-001", "ttnn",
     "its operation kind never enters a chain", "op kind not allowed"},
    {ReasonCode::NoLegalLayout, "no_legal_layout", "RES-002", "ttnn",
     "no sharded configuration is left", "op kind not allowed"},
    {ReasonCode::ChainFailed, "chain_failed", "RES-003", "ttnn",
     "its chain failed at a dead edge", "split mismatch"},
    {ReasonCode::ChainEndSpilled, "chain_end_spilled", "RES-004", "ttnn",
     "it is the last of its chain and no merge, fork or reshape kept it", "lost the packing"},
    {ReasonCode::ForkRejected, "fork_rejected", "RES-005", "ttnn",
     "it has several users and no reservation was possible", "lost the packing"},
    {ReasonCode::MergeRejected, "merge_rejected", "RES-006", "ttnn",
     "a merge was tried and there was not enough room", "lost the packing"},
    {ReasonCode::OpNotModelled, "op_not_modelled", "RES-007", "ttnn",
     "the operation model does not know the operation", "outside kernel"},
    {ReasonCode::HasNoColumns, "has_no_columns", "TW-020", "torchwright",
     "exclusive L1 or ReLU of a chain, or a Concatenate: it never owns columns", "op kind not allowed"},
}};
// clang-format on

/// reasonInfo() indexes by code, so the rows must stand in the order of the enumeration.
constexpr bool isInOrder() {
    for (std::size_t i = 0; i < kReasons.size(); ++i) {
        if (static_cast<std::size_t>(kReasons[i].code) != i) return false;
    }
    return true;
}
static_assert(isInOrder());

}  // namespace

std::span<const ReasonInfo> allReasons() {
    return kReasons;
}

const ReasonInfo& reasonInfo(ReasonCode code) {
    return kReasons.at(static_cast<std::size_t>(code));
}

std::optional<ReasonCode> reasonFromName(std::string_view name) {
    const auto* it =
        std::find_if(kReasons.begin(), kReasons.end(), [&](const ReasonInfo& r) { return r.name == name; });
    if (it == kReasons.end()) return std::nullopt;
    return it->code;
}

}  // namespace memplan
