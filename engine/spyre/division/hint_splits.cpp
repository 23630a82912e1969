// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/division/hint_splits.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/spyre/layout/coordinates.h"
#include "engine/spyre/state.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

using LoopNames = std::vector<std::vector<std::string>>;

/// Names of the output's dimensions, as propagated.
void nameOutput(const Program& program, const Op& op, LoopNames& out) {
    const BufferId b = op.write.buffer;
    const std::vector<std::string>& names = program.namedDims[b.at()];
    const Coordinates host = hostCoordinates(program.buffers[b.at()], op.loops, op.write.index);
    std::size_t next = 0;
    for (std::size_t d = 0; d < host.size() && next < names.size(); ++d) {
        const auto loop = host[d].onlyLoop();
        if (loop) out[static_cast<std::size_t>(*loop)].push_back(names[next++]);
    }
}

/// A reduced loop has no dimension in the output; the first named operand that it walks says what it is.
void nameReduced(const Program& program, const Op& op, const Access& read, LoopNames& out) {
    if (read.buffer.at() >= program.namedDims.size()) return;
    const Buffer& operand = program.buffers[read.buffer.at()];
    const std::vector<std::string>& names = program.namedDims[read.buffer.at()];
    if (names.size() != operand.size.size()) return;
    const Coordinates host = hostCoordinates(operand, op.loops, read.index);
    for (std::size_t d = 0; d < host.size(); ++d) {
        const auto loop = host[d].onlyLoop();
        if (!loop || !op.loops[static_cast<std::size_t>(*loop)].isReduction) continue;
        std::vector<std::string>& known = out[static_cast<std::size_t>(*loop)];
        if (known.empty() && !names[d].starts_with("_untracked_")) known.push_back(names[d]);
    }
}

LoopNames namesOfLoops(const Program& program, const Op& op) {
    LoopNames out(op.loops.size());
    if (op.write.buffer.at() >= program.namedDims.size()) return out;
    nameOutput(program, op, out);
    for (const Access& read : op.reads)
        nameReduced(program, op, read, out);
    return out;
}

/// "d0" or "d0 = M"
std::string loopText(const LoopVar& loop, const std::vector<std::string>& names) {
    std::vector<std::string> words{loop.name};
    for (const std::string& name : names) {
        if (!name.starts_with("_untracked_") && name != loop.name) words.push_back(name);
    }
    return text::join(words, " = ");
}

/// "d0 = M (512): 1, 2, 4; d1 (16 sticks): 1, 2"
std::string allowedCounts(const IterationSpace& space, const LoopNames& names, int cores) {
    std::vector<std::string> loops;
    for (std::size_t v = 0; v < space.loops.size(); ++v) {
        std::vector<std::string> counts;
        for (const std::int64_t n : divisors(std::max<std::int64_t>(1, space.adjusted[v]))) {
            if (n <= cores) counts.push_back(std::to_string(n));
        }
        loops.push_back(loopText(space.loops[v], names[v]) + " (" + text::grouped(space.adjusted[v]) +
                        (space.stickEps[v] > 0 ? " sticks" : "") + (space.loops[v].isReduction ? ", reduced" : "") +
                        "): " + text::join(counts, ", "));
    }
    return loops.empty() ? std::string("none: the operation has no loop to cut") : text::join(loops, "; ");
}

Error impossible(const Op& op, const std::string& why, const IterationSpace& space, const LoopNames& names, int cores) {
    return makeError("HNT-008", op.name, why,
                     "allowed: " + allowedCounts(space, names, cores) + "; a product of at most " +
                         std::to_string(cores));
}

}  // namespace

DivisionHints::DivisionHints(const PassContext& context, const State& state) {
    if (context.hints.empty() || context.settings.boolean("spyre.ignore_hints")) return;
    const ProgramHints hints(context.hints, state.graph.get(), state.program);
    for (const ProgramHints::Entry& e : hints.entries()) {
        const bool isCores = e.hint->key == "max_cores";
        if (!isCores && e.hint->key != "split") continue;
        const std::int64_t* count = isCores ? e.hint->value.integer() : nullptr;
        const NamedCounts* counts = isCores ? nullptr : e.hint->value.counts();
        for (const ProgramHints::Part& part : e.parts) {
            for (const OpId op : part.ops) {
                const Op& target = state.program.ops[op.at()];
                if (count != nullptr && *count >= 1) {
                    cores_[op] = {e.hint, part.subject, static_cast<int>(std::min<std::int64_t>(*count, 1 << 20))};
                }
                if (counts != nullptr && target.addedBy.empty() && target.isComputed()) {
                    splits_[op] = {e.hint, part.subject, *counts, namesOfLoops(state.program, target)};
                }
            }
        }
    }
}

int DivisionHints::coresFor(OpId op, int cores) const {
    const auto it = cores_.find(op);
    return it == cores_.end() ? cores : std::min(cores, it->second.cores);
}

void DivisionHints::reportCores(OpId op, std::int64_t used, PassContext& context) const {
    const auto it = cores_.find(op);
    if (it == cores_.end()) return;
    const CoresHint& h = it->second;
    if (used <= h.cores) return context.reportHint(*h.hint, h.subject, memplan::hints::Outcome::Applied);
    context.reportHint(*h.hint, h.subject, memplan::hints::Outcome::Impossible,
                       "the span limit asks for " + std::to_string(used) + " cores, the hint allows " +
                           std::to_string(h.cores),
                       "allowed: " + std::to_string(used) + " cores or more");
}

const SplitHint* DivisionHints::splitFor(OpId op) const {
    const auto it = splits_.find(op);
    return it == splits_.end() ? nullptr : &it->second;
}

Result<Splits> splitsOf(const SplitHint& hint, const Op& op, const IterationSpace& space, int cores) {
    const auto refuse = [&](const std::string& why) { return impossible(op, why, space, hint.loopNames, cores); };
    Splits out(space.loops.size(), 1);
    for (const auto& [name, count] : hint.counts) {
        std::size_t v = 0;
        const auto means = [&, &name = name](std::size_t i) {
            const auto& names = hint.loopNames[i];
            return space.loops[i].name == name || std::find(names.begin(), names.end(), name) != names.end();
        };
        while (v < out.size() && !means(v))
            ++v;
        if (v == out.size()) return refuse("it has no loop or dimension " + name);
        if (count < 1 || space.adjusted[v] % count != 0) {
            return refuse(std::to_string(count) + " does not divide the " + std::to_string(space.adjusted[v]) +
                          (space.stickEps[v] > 0 ? " sticks of " : " positions of ") + name);
        }
        out[v] = count;
    }
    if (coresOf(out) > cores) {
        return refuse("it needs " + std::to_string(coresOf(out)) + " cores of " + std::to_string(cores));
    }
    int reductions = 0;
    for (std::size_t v = 0; v < out.size(); ++v)
        reductions += out[v] > 1 && space.loops[v].isReduction ? 1 : 0;
    if (reductions > 1) return refuse("at most one reduction loop can be cut");
    return out;
}

}  // namespace memplan::spyre
