// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/passes/recorded_facts.h"

#include <algorithm>
#include <array>

namespace memplan::ui {

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

std::string_view passOfFact(SideKind kind, std::string_view key) {
    const std::string_view plain = withoutNumber(key);
    const auto found = std::find_if(kPasses.begin(), kPasses.end(),
                                    [&](const Belongs& b) { return b.kind == kind && b.key == plain; });
    return found == kPasses.end() ? std::string_view() : found->pass;
}

std::vector<RecordedFact> recordedFacts(const SideInformation& side, std::string_view pass, std::size_t most) {
    std::vector<RecordedFact> facts;
    const auto add = [&](const SideRecords& records, const SideRecords* before) {
        for (const auto& [name, list] : records) {
            for (const SideRecord& record : list) {
                const auto& source = side.sources[static_cast<std::size_t>(record.source)];
                for (const SideFact& fact : record.facts) {
                    if (facts.size() >= most || passOfFact(source.kind, fact.key) != pass) continue;
                    // An op and its buffer of the same name have the same facts.
                    const auto twin = before == nullptr ? SideRecords::const_iterator() : before->find(name);
                    const bool isTold = before != nullptr && twin != before->end() &&
                                        std::any_of(twin->second.begin(), twin->second.end(), [&](const SideRecord& r) {
                                            return r.source == record.source &&
                                                   std::find(r.facts.begin(), r.facts.end(), fact) != r.facts.end();
                                        });
                    if (!isTold) facts.push_back({name, record.source, fact});
                }
            }
        }
    };
    add(side.ops, nullptr);
    add(side.buffers, &side.ops);
    add(side.kernels, nullptr);
    return facts;
}

}  // namespace memplan::ui
