// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/compile/plan_loops.h"

#include "engine/base/text.h"
#include "engine/plan/spyre_data.h"
#include "engine/spyre/tiling/form_groups.h"

#include <algorithm>
#include <array>

namespace memplan::spyre {
namespace {

std::string quoted(const std::string& s) {
    std::string out = "\"";
    for (const char c : s) {
        if (c == '"' || c == '\\') out.push_back('\\');
        out.push_back(c);
    }
    return out + "\"";
}

std::string hintJson(const spyre::Program& program, std::size_t op, const spyre::DimHint& h) {
    std::vector<std::string> names;
    for (const std::string& n : h.dimNames)
        names.push_back(quoted(n));
    std::string loop = "null";
    if (h.dimIndex) {
        const auto ranges = spyre::outputLoops(program, program.ops[op]);
        const auto d = static_cast<std::size_t>(*h.dimIndex);
        const bool known = d < ranges.size() && ranges[d] >= 0;
        if (known) loop = quoted(program.ops[op].loops[static_cast<std::size_t>(ranges[d])].name);
    }
    return "{\"dim_names\": [" + text::join(names, ", ") + "], \"range_size\": " + std::to_string(h.rangeSize) +
           ", \"split_count\": " + std::to_string(h.splitCount) +
           ", \"dim_index\": " + (h.dimIndex ? std::to_string(*h.dimIndex) : "null") + ", \"loop_var\": " + loop +
           ", \"is_reduction\": " + (h.isReduction ? "true" : "false") + ", \"hint_id\": " + std::to_string(h.hintId) +
           "}";
}

bool hasRun(const std::vector<PassRun>& passes, std::string_view name) {
    return std::any_of(passes.begin(), passes.end(), [&](const PassRun& r) { return r.ran && r.name == name; });
}

std::vector<PlanPropagation> propagation(const spyre::Program& program) {
    static constexpr std::array<const char*, 3> kNames{"loop_internal", "copy", "rewire"};
    std::vector<PlanPropagation> list;
    for (const spyre::TilePropagation& p : program.propagation) {
        list.push_back({program.buffers[p.buffer.at()].name, kNames[static_cast<std::size_t>(p.kind)],
                        p.fullBuffer.isValid() ? program.buffers[p.fullBuffer.at()].name : std::string(), p.copyOp});
    }
    return list;
}

}  // namespace

void addTilingData(const spyre::Program& program, std::size_t op, SpyreOpData& data) {
    const spyre::Op& o = program.ops[op];
    if (op < program.dimHints.size() && !program.dimHints[op].empty()) {
        std::vector<std::string> hints;
        for (const spyre::DimHint& h : program.dimHints[op])
            hints.push_back(hintJson(program, op, h));
        data.dimHintsJson = "[" + text::join(hints, ", ") + "]";
    }
    if (!o.loop.isTiled()) return;
    // Positions of tiled dimensions count ranges of 1, which have no loop.
    const BufferId tile = o.tileOfWrite.isValid() ? o.tileOfWrite : o.write.buffer;
    data.ranges = program.buffers[tile.at()].size;
    data.loopTiledDims = o.loop.tiledDims;
    data.tiledLoops = o.loop.tiledLoops;
    for (const std::vector<int>& level : o.loop.tiledLoops) {
        for (const int v : level)
            data.tiledSymbols.push_back(o.loops[static_cast<std::size_t>(v)].name);
    }
}

SpyreData bundleData(const State& state, const std::vector<BufferId>& planId, const std::vector<PassRun>& passes) {
    const spyre::Program& program = state.program;
    SpyreData data;
    if (hasRun(passes, "coarse_tile.propagate")) data.propagation = propagation(program);
    if (hasRun(passes, "build_loop_scheduler_nodes")) data.loops = program.loopTree;
    if (hasRun(passes, "memory_planning")) data.pool = {program.pool.size, program.pool.peak};
    if (!hasRun(passes, "spyre_fuse_nodes")) return data;
    data.kernels.emplace();
    for (const spyre::Kernel& k : program.kernels) {
        PlanKernel kernel{k.name, k.ops, {}, k.externalTensors, k.tensorLimit, k.nonTerminal, {}};
        for (const BufferId b : k.arguments)
            kernel.arguments.push_back(planId[b.at()]);
        for (const BufferId b : k.liveAcross)
            kernel.liveAcross.push_back(planId[b.at()]);
        data.kernels->push_back(std::move(kernel));
    }
    return data;
}

}  // namespace memplan::spyre
