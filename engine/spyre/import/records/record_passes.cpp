// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/import/records/record_passes.h"

#include <algorithm>
#include <array>

namespace memplan::spyre {

namespace {

struct Belongs {
    SideKind kind;
    std::string_view key, pass;
};

constexpr auto kPasses = std::to_array<Belongs>({
    {SideKind::PassLog, "class", "lower_to_spyre"},
    {SideKind::PassLog, "node", "lower_to_spyre"},
    {SideKind::PassLog, "layout", "finalize_layouts"},
    {SideKind::PassLog, "dim_hints", "assign_dim_hints"},
    {SideKind::PassLog, "loop_info", "coarse_tile"},
    {SideKind::PassLog, "loop_group_id", "coarse_tile"},
    {SideKind::PassLog, "loop_count", "coarse_tile"},
    {SideKind::PassLog, "loop_tiled_dims", "coarse_tile"},
    {SideKind::PassLog, "stamped", "coarse_tile"},
    {SideKind::PassLog, "propagated", "coarse_tile"},
    {SideKind::PassLog, "op_it_space_splits", "work_distribution"},
    {SideKind::PassLog, "allocation", "scratchpad_planning"},
    {SideKind::PassLog, "memory_planning", "memory_planning"},
    {SideKind::CostDump, "loop_trip", "coarse_tile"},
    {SideKind::CostDump, "loop_factor", "coarse_tile"},
    {SideKind::CostDump, "read_bytes", "scratchpad_planning"},
    {SideKind::CostDump, "write_bytes", "scratchpad_planning"},
    {SideKind::CostDump, "lx_bytes", "scratchpad_planning"},
    {SideKind::CostDump, "residency", "scratchpad_planning"},
    {SideKind::CostDump, "device_size", "finalize_layouts"},
    {SideKind::CostDump, "predicted_us", "spyre_fuse_nodes"},
    {SideKind::CostDump, "ops", "spyre_fuse_nodes"},
    {SideKind::Provenance, "source", "lower_to_spyre"},
    {SideKind::Provenance, "aten_op", "lower_to_spyre"},
    {SideKind::Provenance, "ir_chain", "lower_to_spyre"},
    {SideKind::Provenance, "history", "lower_to_spyre"},
    {SideKind::Provenance, "event_name", "spyre_fuse_nodes"},
    {SideKind::Provenance, "aten_ops", "spyre_fuse_nodes"},
    {SideKind::Provenance, "registered_as", "spyre_fuse_nodes"},
    {SideKind::Provenance, "graph_nodes", "spyre_fuse_nodes"},
});

/// Further values of a key are numbered: layout_2.
std::string_view withoutNumber(std::string_view key) {
    const std::size_t end = key.find_last_not_of("0123456789");
    const bool isNumbered = end != std::string_view::npos && end + 1 < key.size() && key[end] == '_' && end > 0;
    return isNumbered ? key.substr(0, end) : key;
}

}  // namespace

std::string_view passOfRecord(SideKind kind, std::string_view key) {
    const std::string_view plain = withoutNumber(key);
    const auto found = std::find_if(kPasses.begin(), kPasses.end(),
                                    [&](const Belongs& b) { return b.kind == kind && b.key == plain; });
    return found == kPasses.end() ? std::string_view() : found->pass;
}

}  // namespace memplan::spyre
