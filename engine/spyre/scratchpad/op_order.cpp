// SPDX-License-Identifier: Apache-2.0
#include "spyre/scratchpad/op_order.h"

#include "base/text.h"
#include "spyre/layout/hint_values.h"
#include "spyre/layout/program_edit.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace memplan::spyre {
namespace {

constexpr std::size_t kUnranked = std::numeric_limits<std::size_t>::max();

/// Wanted position of every op of the program: that of its graph operation; of an added op that of its reader.
std::vector<std::size_t> ranksOf(const State& state, const std::vector<std::string>& order) {
    std::map<std::string, std::size_t, std::less<>> wanted;
    for (std::size_t k = 0; k < order.size(); ++k)
        wanted.emplace(order[k], k);
    const Program& program = state.program;
    std::vector<std::size_t> rank(program.ops.size(), kUnranked);
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        for (const OpId source : program.ops[i].sourceOps) {
            const auto it = wanted.find(state.graph->ops[source.at()].id);
            if (it != wanted.end()) rank[i] = std::min(rank[i], it->second);
        }
    }
    std::vector<std::size_t> firstReader(program.buffers.size(), kUnranked);
    for (std::size_t i = program.ops.size(); i-- > 0;) {
        const Op& op = program.ops[i];
        if (rank[i] == kUnranked && op.write.buffer.isValid()) rank[i] = firstReader[op.write.buffer.at()];
        for (const Access& read : op.reads)
            firstReader[read.buffer.at()] = std::min(firstReader[read.buffer.at()], rank[i]);
    }
    return rank;
}

/// The reason why `next` (old positions in new order) is no order of the program; empty when it is one.
std::string problemOf(const Program& program, const std::vector<std::size_t>& next) {
    std::vector<std::size_t> at(next.size());
    for (std::size_t k = 0; k < next.size(); ++k)
        at[next[k]] = k;
    std::vector<std::size_t> lastWrite(program.buffers.size(), kUnranked);
    std::vector<std::vector<std::size_t>> reads(program.buffers.size());
    std::size_t lastExtern = kUnranked;
    const auto turned = [&](std::size_t first, std::size_t second) {
        return at[first] < at[second] ? std::string()
                                      : "\"" + text::escaped(program.ops[second].name) + "\" would come before \"" +
                                            text::escaped(program.ops[first].name) + "\"";
    };
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const Op& op = program.ops[i];
        std::string wrong;
        const auto after = [&](std::size_t first) {
            if (wrong.empty() && first != kUnranked && first != i) wrong = turned(first, i);
        };
        for (const Access& read : op.reads)
            after(lastWrite[read.buffer.at()]);
        std::vector<BufferId> writes = op.extraWrites;
        if (op.write.buffer.isValid()) writes.push_back(op.write.buffer);
        for (const BufferId w : writes) {
            after(lastWrite[w.at()]);
            for (const std::size_t r : reads[w.at()])
                after(r);
            lastWrite[w.at()] = i;
            reads[w.at()].clear();
        }
        for (const Access& read : op.reads)
            reads[read.buffer.at()].push_back(i);
        if (op.kind == OpClass::Extern) {
            after(lastExtern);
            lastExtern = i;
        }
        if (!wrong.empty()) return wrong;
    }
    return {};
}

/// A loop group whose operations would no longer stand together; empty when there is none.
std::string tornGroup(const Program& program, const std::vector<std::size_t>& next) {
    std::map<int, std::size_t> lastOf;
    for (std::size_t k = 0; k < next.size(); ++k) {
        const Op& op = program.ops[next[k]];
        if (!op.loop.isTiled()) continue;
        const auto [it, isNew] = lastOf.emplace(op.loop.groupId.front(), k);
        if (!isNew && it->second + 1 != k) {
            return "the loop around \"" + text::escaped(op.name) + "\" would be torn apart";
        }
        it->second = k;
    }
    return {};
}

void permute(Program& program, const std::vector<std::size_t>& next) {
    ProgramEdit edit(program);
    for (const std::size_t old : next)
        edit.keep(old);
    edit.finish();
}

}  // namespace

void applyOpOrder(State& state, PassContext& context) {
    if (state.scratchpad.orderApplied || context.hints.empty() || !state.graph) return;
    state.scratchpad.orderApplied = true;
    const ProgramHints hints(context.hints, state.graph.get(), state.program);
    for (const ProgramHints::Entry& e : hints.entries()) {
        if (e.hint->key != "op_order") continue;
        const auto order = parseNames(e.hint->valueJson);
        if (!order) continue;
        const std::vector<std::size_t> rank = ranksOf(state, *order);
        std::vector<std::size_t> next(rank.size());
        std::iota(next.begin(), next.end(), std::size_t{0});
        // What nobody reads keeps its place behind everything; constants, read first, stand in front.
        std::stable_sort(next.begin(), next.end(), [&](std::size_t a, std::size_t b) { return rank[a] < rank[b]; });
        std::string problem = problemOf(state.program, next);
        if (problem.empty()) problem = tornGroup(state.program, next);
        for (const std::string& subject : e.hint->scopes) {
            if (!problem.empty()) {
                context.tellHint(
                    *e.hint, subject, memplan::hints::Outcome::Impossible, problem,
                    "keep operations behind what they read, outside kernels in order and loops in one piece");
            } else {
                context.tellHint(*e.hint, subject, memplan::hints::Outcome::Applied);
            }
        }
        if (problem.empty()) permute(state.program, next);
    }
}

}  // namespace memplan::spyre
