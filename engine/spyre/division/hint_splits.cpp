// SPDX-License-Identifier: Apache-2.0
#include "spyre/division/hint_splits.h"

#include "pipeline/state.h"
#include "spyre/layout/coordinates.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

/// Names of the output's dimensions, as propagated, by loop.
std::vector<std::vector<std::string>> namesOfLoops(const Program& program, const Op& op) {
    std::vector<std::vector<std::string>> out(op.loops.size());
    const BufferId b = op.write.buffer;
    if (b.at() >= program.namedDims.size()) return out;
    const std::vector<std::string>& names = program.namedDims[b.at()];
    const Coordinates host = hostCoordinates(program.buffers[b.at()], op.loops, op.write.index);
    std::size_t next = 0;
    for (std::size_t d = 0; d < host.size() && next < names.size(); ++d) {
        const auto loop = host[d].onlyLoop();
        if (loop) out[static_cast<std::size_t>(*loop)].push_back(names[next++]);
    }
    return out;
}

Error impossible(const Op& op, const std::string& why) {
    return makeError("HNT-008", op.name, "split of " + op.name + " is impossible: " + why,
                     "the op is divided as without the hint");
}

}  // namespace

DivisionHints::DivisionHints(const PassContext& context, const State& state) {
    if (context.hints.empty() || context.settings.boolean("spyre.ignore_hints")) return;
    const ProgramHints hints(context.hints, state.graph.get(), state.program);
    for (const ProgramHints::Entry& e : hints.entries()) {
        if (e.hint->key == "max_cores") {
            const auto count = parseCount(e.hint->valueJson);
            for (const OpId op : e.ops) {
                if (count && *count >= 1) cores_[op] = static_cast<int>(std::min<std::int64_t>(*count, 1 << 20));
            }
        } else if (e.hint->key == "split") {
            const auto counts = parseCounts(e.hint->valueJson);
            for (const OpId op : e.ops) {
                const Op& target = state.program.ops[op.at()];
                if (!counts || !target.addedBy.empty() || !target.isComputed()) continue;
                splits_[op] = {*counts, namesOfLoops(state.program, target)};
            }
        }
    }
}

int DivisionHints::coresFor(OpId op, int cores) const {
    const auto it = cores_.find(op);
    return it == cores_.end() ? cores : std::min(cores, it->second);
}

const SplitHint* DivisionHints::splitFor(OpId op) const {
    const auto it = splits_.find(op);
    return it == splits_.end() ? nullptr : &it->second;
}

Result<Splits> splitsOf(const SplitHint& hint, const Op& op, const IterationSpace& space, int cores) {
    Splits out(space.loops.size(), 1);
    for (const auto& [name, count] : hint.counts) {
        std::size_t v = 0;
        const auto means = [&](std::size_t i) {
            const auto& names = hint.loopNames[i];
            return space.loops[i].name == name || std::find(names.begin(), names.end(), name) != names.end();
        };
        while (v < out.size() && !means(v))
            ++v;
        if (v == out.size()) return impossible(op, "it has no loop or dimension " + name);
        if (count < 1 || space.adjusted[v] % count != 0) {
            return impossible(op, std::to_string(count) + " does not divide the " + std::to_string(space.adjusted[v]) +
                                      (space.stickEps[v] > 0 ? " sticks of " : " positions of ") + name);
        }
        out[v] = count;
    }
    if (coresOf(out) > cores) {
        return impossible(op, "it needs " + std::to_string(coresOf(out)) + " cores of " + std::to_string(cores));
    }
    int reductions = 0;
    for (std::size_t v = 0; v < out.size(); ++v)
        reductions += out[v] > 1 && space.loops[v].isReduction ? 1 : 0;
    if (reductions > 1) return impossible(op, "at most one reduction loop can be cut");
    return out;
}

}  // namespace memplan::spyre
