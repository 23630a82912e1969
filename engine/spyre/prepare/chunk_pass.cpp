// SPDX-License-Identifier: Apache-2.0
// Pass 9: chunks of very large pointwise operations (spyre-layouts-and-work-division 6.4).
#include "engine/base/text.h"
#include "engine/spyre/layout/coordinates.h"
#include "engine/spyre/passes.h"
#include "engine/spyre/prepare/chunking.h"
#include "engine/spyre/program_edit.h"
#include "engine/spyre/state.h"
#include "engine/spyre/texts/decisions.h"

#include <optional>

namespace memplan::spyre {
namespace {

struct Cut {
    int loop = -1;
    ChunkPlan plan;
};

Cut cutOf(const Program& program, const Op& op, const ChunkRule& rule) {
    if (op.kind != OpClass::Pointwise) return {};
    const Buffer& out = program.buffers[op.write.buffer.at()];
    if (!out.layout) return {};
    ChunkPlan plan = planChunks(out, rule);
    if (!plan.needed || plan.extents.size() < 2) return {};
    const Coordinates host = hostCoordinates(out, op.loops, op.write.index);
    const std::optional<int> loop = host[static_cast<std::size_t>(plan.splitDim)].bareLoop();
    if (!loop) return {};
    return {*loop, std::move(plan)};
}

/// Chunk 0 stays in `op`; the others are in-place writes behind it.
std::vector<Op> partsOf(Op& op, OpId id, const Cut& cut, NameMaker& names) {
    std::vector<Op> parts;
    const auto v = static_cast<std::size_t>(cut.loop);
    for (std::size_t c = 1; c < cut.plan.extents.size(); ++c) {
        Op part = op;
        const std::int64_t start = static_cast<std::int64_t>(c) * cut.plan.chunk;
        part.name = names.make(op.name + "_chunk" + std::to_string(c));
        part.kind = OpClass::Mutation;
        part.loops[v].extent = cut.plan.extents[c];
        part.write.index.offset += start * part.write.index.coefficients[v];
        for (Access& a : part.reads)
            a.index.offset += start * a.index.coefficients[v];
        part.addedBy = "chunk_large_tensors";
        part.cloneOfOp = id;
        parts.push_back(std::move(part));
    }
    op.loops[v].extent = cut.plan.extents.front();
    return parts;
}

Decision decision(const Program& program, OpId id, const Cut& cut, Bytes reach) {
    Decision d;
    d.op = id;
    d.buffer = program.ops[id.at()].write.buffer;
    d.kind = DecisionKind::Chunk;
    d.chosen = {say::kChunks, cut.plan.extents.size(), cut.plan.splitDim};
    for (std::size_t c = 0; c < cut.plan.extents.size() && c < 32; ++c)
        d.alternatives.push_back({{say::kChunk, c}, static_cast<double>(cut.plan.extents[c])});
    d.why = {say::kBeyondReach, cut.plan.totalBytes, cut.plan.perCoreSpan, reach};
    return d;
}

}  // namespace

Result<PassOutcome> chunkLargeTensors(State& state, PassContext& context) {
    Program& program = state.program;
    const ChunkRule rule{static_cast<int>(context.settings.integer("spyre.cores")), context.machine.spanLimitSeed};
    std::vector<Cut> cuts(program.ops.size());
    std::int64_t count = 0;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        if (context.cancelled()) return cancelledError();
        cuts[i] = cutOf(program, program.ops[i], rule);
        count += cuts[i].loop >= 0 ? 1 : 0;
    }
    if (count == 0) return PassOutcome{};
    NameMaker names(program);
    ProgramEdit edit(program);
    std::int64_t added = 0;
    std::vector<std::pair<std::size_t, std::size_t>> positions;  // new, old
    std::size_t at = 0;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
        if (cuts[i].loop < 0) {
            edit.keep(i);
            ++at;
            continue;
        }
        std::vector<Op> parts = partsOf(program.ops[i], OpId::of(i), cuts[i], names);
        positions.emplace_back(at, i);
        edit.keep(i);
        at += parts.size() + 1;
        added += static_cast<std::int64_t>(parts.size());
        for (Op& part : parts)
            edit.add(std::move(part));
    }
    edit.finish();
    for (const auto& [now, old] : positions)
        context.decide(decision(program, OpId::of(now), cuts[old], rule.spanLimit));
    return PassOutcome{true, {{"ops_cut", count}, {"ops_added", added}}};
}

}  // namespace memplan::spyre
