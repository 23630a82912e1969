// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/op_order.h"

#include "engine/base/text.h"
#include "engine/spyre/hint_values.h"
#include "engine/spyre/joint/operation_order.h"
#include "engine/spyre/program_edit.h"

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
        for (const GraphOpId source : program.ops[i].sourceOps) {
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
                                      : text::quoted(program.ops[second].name) + " would come before " +
                                            text::quoted(program.ops[first].name);
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
            return "the loop around " + text::quoted(op.name) + " would be torn apart";
        }
        it->second = k;
    }
    return {};
}

/// Chapter 19: operations of one outer loop become neighbours. A circle through an outside operation keeps the order.
void joinLoopGroups(Program& program, PassContext& context) {
    const bool hasLoops =
        std::any_of(program.ops.begin(), program.ops.end(), [](const Op& op) { return op.loop.isTiled(); });
    if (!hasLoops) return;
    std::vector<joint::OrderedOp> ops;
    for (const Op& op : program.ops) {
        joint::OrderedOp& o = ops.emplace_back();
        o.name = op.write.buffer.isValid() ? program.buffers[op.write.buffer.at()].name : op.name;
        for (const Access& read : op.reads)
            o.reads.push_back(program.buffers[read.buffer.at()].name);
        for (const BufferId extra : op.extraWrites)
            o.mutates.push_back(program.buffers[extra.at()].name);
        o.loopPath = op.loop.groupId;
    }
    const joint::OperationOrder found = joint::orderOperations(ops);
    if (!found.groupsMadeAtomic) {
        Diagnostic d;
        d.severity = Severity::Warning;
        d.code = "CT-008";
        d.where = "scratchpad_planning";
        d.message = "a loop and an operation outside of it need each other's results, so the loop's operations cannot "
                    "stand together; the order stays";
        d.hint = "leave the operation in between out of the loop's hints, or take it into the loop";
        context.report(std::move(d));
        return;
    }
    permuteOps(program, found.order);
}

constexpr std::size_t kAbsent = std::numeric_limits<std::size_t>::max();

/// First position of every graph operation in an order of the program, kAbsent where it has none.
std::vector<std::size_t> firstPositions(const State& state, const std::vector<std::size_t>& order) {
    std::vector<std::size_t> first(state.graph->ops.size(), kAbsent);
    for (std::size_t k = order.size(); k-- > 0;) {
        for (const GraphOpId source : state.program.ops[order[k]].sourceOps)
            first[source.at()] = k;
    }
    return first;
}

}  // namespace

void permuteOps(Program& program, const std::vector<std::size_t>& order) {
    ProgramEdit edit(program);
    for (const std::size_t old : order)
        edit.keep(old);
    edit.finish();
}

HintedOrder orderByHint(const State& state, const std::vector<std::string>& graphOps) {
    const std::vector<std::size_t> rank = ranksOf(state, graphOps);
    HintedOrder result;
    result.order.resize(rank.size());
    std::iota(result.order.begin(), result.order.end(), std::size_t{0});
    // What nobody reads keeps its place behind everything; constants, read first, stand in front.
    std::stable_sort(result.order.begin(), result.order.end(),
                     [&](std::size_t a, std::size_t b) { return rank[a] < rank[b]; });
    result.problem = problemOf(state.program, result.order);
    if (result.problem.empty()) result.problem = tornGroup(state.program, result.order);
    return result;
}

std::vector<int> hintUnits(const State& state) {
    std::vector<std::string> names;
    for (const memplan::Op& op : state.graph->ops)
        names.push_back(op.id);
    const std::vector<std::size_t> rank = ranksOf(state, names);
    std::vector<int> units(rank.size());
    int next = static_cast<int>(names.size());
    for (std::size_t i = 0; i < rank.size(); ++i)
        units[i] = rank[i] == kUnranked ? next++ : static_cast<int>(rank[i]);
    return units;
}

std::vector<std::string> graphOrderOf(const State& state, const std::vector<std::size_t>& order) {
    const Graph& graph = *state.graph;
    std::vector<std::size_t> key = firstPositions(state, order);
    const std::vector<std::size_t> present = key;
    // What has become no operation of its own (a view) stands right before the first operation that accesses its
    // result.
    for (std::size_t g = graph.ops.size(); g-- > 0;) {
        if (key[g] != kAbsent) continue;
        for (std::size_t user = g + 1; user < graph.ops.size(); ++user) {
            const auto& reads = graph.ops[user].inputs;
            const bool uses = std::any_of(graph.ops[g].outputs.begin(), graph.ops[g].outputs.end(), [&](TensorId out) {
                return std::find(reads.begin(), reads.end(), out) != reads.end();
            });
            if (uses) key[g] = std::min(key[g], key[user]);
        }
    }
    std::vector<std::size_t> sequence(graph.ops.size());
    std::iota(sequence.begin(), sequence.end(), std::size_t{0});
    std::stable_sort(sequence.begin(), sequence.end(), [&](std::size_t a, std::size_t b) {
        return std::make_pair(key[a], present[a] != kAbsent) < std::make_pair(key[b], present[b] != kAbsent);
    });
    std::vector<std::string> names;
    for (const std::size_t g : sequence)
        names.push_back(graph.ops[g].id);
    return names;
}

void applyOpOrder(State& state, PassContext& context) {
    if (state.scratchpad.orderApplied) return;
    state.scratchpad.orderApplied = true;
    joinLoopGroups(state.program, context);
    if (context.hints.empty() || !state.graph) return;
    const ProgramHints hints(context.hints, state.graph.get(), state.program);
    for (const ProgramHints::Entry& e : hints.entries()) {
        if (e.hint->key != "op_order") continue;
        const NameList* order = e.hint->value.names();
        if (order == nullptr) continue;
        const HintedOrder wanted = orderByHint(state, *order);
        for (const std::string& subject : e.hint->scopes) {
            if (!wanted.problem.empty()) {
                context.reportHint(
                    *e.hint, subject, memplan::hints::Outcome::Impossible, wanted.problem,
                    "keep operations behind what they read, outside kernels in order and loops in one piece");
            } else {
                context.reportHint(*e.hint, subject, memplan::hints::Outcome::Applied);
            }
        }
        if (!wanted.problem.empty()) continue;
        permuteOps(state.program, wanted.order);
        state.scratchpad.orderByHint = true;
    }
}

}  // namespace memplan::spyre
