// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/compile/plan_loops.h"

#include "engine/plan/spyre_data.h"
#include "engine/spyre/tiling/form_groups.h"

#include <algorithm>
#include <array>

namespace memplan::spyre {
namespace {

DimCut cutOf(const spyre::Program& program, std::size_t op, const spyre::DimHint& h) {
    DimCut cut{h.dimNames, h.rangeSize, h.splitCount, -1, {}, h.isReduction, h.hintId};
    if (!h.dimIndex) return cut;
    cut.index = *h.dimIndex;
    const auto ranges = spyre::outputLoops(program, program.ops[op]);
    const auto d = static_cast<std::size_t>(*h.dimIndex);
    if (d < ranges.size() && ranges[d] >= 0) cut.loop = program.ops[op].loops[static_cast<std::size_t>(ranges[d])].name;
    return cut;
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
    if (op < program.dimHints.size()) {
        for (const spyre::DimHint& h : program.dimHints[op])
            data.dimHints.push_back(cutOf(program, op, h));
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
