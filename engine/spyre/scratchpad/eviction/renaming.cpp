// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/eviction/renaming.h"

#include "engine/spyre/program_edit.h"
#include "engine/spyre/scratchpad/buffers.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

constexpr std::string_view kPass = "scratchpad_planning.free_renaming";

std::int64_t elementsOf(const Buffer& buffer) {
    std::int64_t elements = 1;
    for (const std::int64_t extent : buffer.size)
        elements *= extent;
    return elements;
}

/// The index runs through 0 .. elements - 1, each once: its coefficients are those of a mixed-radix number.
bool coversDensely(const Op& op, const Index& index, std::int64_t elements) {
    if (index.offset != 0 || index.coefficients.size() != op.loops.size()) return false;
    std::vector<std::pair<std::int64_t, std::int64_t>> steps;  // coefficient, extent
    for (std::size_t v = 0; v < op.loops.size(); ++v) {
        if (index.coefficients[v] != 0 && op.loops[v].extent > 1)
            steps.emplace_back(index.coefficients[v], op.loops[v].extent);
    }
    std::sort(steps.begin(), steps.end());
    std::int64_t covered = 1;
    for (const auto& [coefficient, extent] : steps) {
        if (coefficient != covered) return false;
        covered *= extent;
    }
    return covered == elements;
}

/// Storage that only computed ops fill and that nothing outside the op list knows.
bool mayRename(const Program& program, BufferId id) {
    const Buffer& b = program.buffers[id.at()];
    if (b.kind != BufferKind::Computed || b.holdsOneTile() || b.cloneOf.isValid()) return false;
    return std::none_of(program.propagation.begin(), program.propagation.end(),
                        [id](const TilePropagation& p) { return p.buffer == id || p.fullBuffer == id; });
}

void moveAccesses(Op& op, BufferId from, BufferId to) {
    for (Access& read : op.reads)
        read.buffer = read.buffer == from ? to : read.buffer;
    if (op.write.buffer == from) op.write.buffer = to;
}

/// The tensor of the input graph that the op's result is.
TensorId resultTensor(const Op& op, const Graph* graph) {
    if (graph == nullptr || op.sourceOps.size() != 1 || op.sourceOps.front().at() >= graph->ops.size()) return {};
    const auto& outputs = graph->ops[op.sourceOps.front().at()].outputs;
    return outputs.size() == 1 ? outputs.front() : TensorId{};
}

}  // namespace

bool overwritesWhole(const Program& program, const Op& op) {
    if (op.kind == OpClass::Extern || op.loop.isTiled() || op.tileOfWrite.isValid()) return false;
    if (!op.write.buffer.isValid() || op.write.indirect) return false;
    const bool reads =
        std::any_of(op.reads.begin(), op.reads.end(), [&](const Access& a) { return a.buffer == op.write.buffer; });
    return !reads && coversDensely(op, op.write.index, elementsOf(program.buffers[op.write.buffer.at()]));
}

std::vector<Renaming> findRenamings(const Program& program, const std::set<BufferId>& kept) {
    std::vector<Renaming> found;
    const AccessLists accesses(program);
    for (std::size_t b = 0; b < accesses.size(); ++b) {
        Renaming r{BufferId::of(b), {}};
        if (kept.contains(r.buffer) || !mayRename(program, r.buffer)) continue;
        bool ineligible = false;
        for (std::size_t i = 0; i < accesses[b].size(); ++i) {
            const BufferAccess& t = accesses[b][i];
            const Op& op = program.ops[t.op.at()];
            ineligible = ineligible || op.isAllocation() || op.kind == OpClass::Extern;
            if (i > 0 && t.isWrite && t.access == &op.write && overwritesWhole(program, op)) r.starts.push_back(t.op);
        }
        if (!ineligible && !r.starts.empty()) found.push_back(std::move(r));
    }
    return found;
}

std::vector<BufferId> applyRenaming(Program& program, const Renaming& renaming, const Graph* graph) {
    const BufferId first = renaming.buffer;
    const Buffer original = program.buffers[first.at()];
    NameMaker names(program);
    std::vector<BufferId> parts{first};
    program.buffers[first.at()].name = names.make(original.name + ".0");
    for (std::size_t k = 0; k < renaming.starts.size(); ++k) {
        const BufferId part =
            addBuffer(program, original, names.make(original.name + "." + std::to_string(k + 1)), kPass);
        if (first.at() < program.namedDims.size()) program.namedDims[part.at()] = program.namedDims[first.at()];
        Op& start = program.ops[renaming.starts[k].at()];
        program.buffers[part.at()].graphTensor = resultTensor(start, graph);
        if (start.kind == OpClass::Mutation) start.kind = OpClass::Pointwise;
        parts.push_back(part);
    }
    std::size_t current = 0;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        if (current < renaming.starts.size() && renaming.starts[current].at() == i) ++current;
        moveAccesses(program.ops[i], first, parts[current]);
    }
    if (!original.isOutput) return parts;
    program.buffers[first.at()].isOutput = program.buffers[first.at()].outputIsView = false;
    program.buffers[parts.back().at()].isOutput = true;
    program.buffers[parts.back().at()].outputIsView = original.outputIsView;
    replaceOutput(program, first, parts.back());
    return parts;
}

}  // namespace memplan::spyre
