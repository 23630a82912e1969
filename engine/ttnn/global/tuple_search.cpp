// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/global/tuple_search.h"

#include "engine/ttnn/chains/op_kinds.h"

#include <algorithm>
#include <utility>

namespace memplan::ttnn {
namespace {

constexpr std::size_t kMostTuples = 64;  ///< of operand layouts, for one operation

/// One way to run an operation: values of its linked producers, by their positions there, and its own.
struct Tuple {
    std::vector<std::size_t> operands;  ///< parallel to the links of the operation
    LayoutId reshard = -1;              ///< to which a first operand from outside is converted
    std::size_t value = 0;              ///< of its result
    AttrsId attrs = 0;
    double ns = 0;
};

struct Value {
    LayoutId layout = -1;
    std::int64_t cores = 0;
    double acc = 0;  ///< cores of it and of all that follows, as in 5.6
    bool isAlive = true;
};

/// An operation of a group; without values it is none.
struct Member {
    std::vector<std::size_t> links;  ///< operands whose producers are of the group
    OperationId reader;              ///< of the group
    std::vector<Value> values;
    std::vector<Tuple> tuples;
    int chosen = -1;  ///< tuple
};

class TupleSearch {
public:
    explicit TupleSearch(Evaluator& evaluator)
        : evaluator_(evaluator), flow_(evaluator.flow()), members_(flow_.size()) {}

    Assignment run() {
        const auto& order = evaluator_.function().order;
        for (const OperationId op : order)
            if (!evaluator_.input().control.shouldStop()) enter(op);
        for (auto it = order.rbegin(); it != order.rend(); ++it)
            accumulate(*it);
        for (const OperationId op : order)
            choose(op);
        return assignment();
    }

private:
    [[nodiscard]] Member& at(OperationId op) { return members_[op.at()]; }
    [[nodiscard]] const Member& at(OperationId op) const { return members_[op.at()]; }
    [[nodiscard]] OperationId producer(OperationId op, std::size_t operand) const {
        return flow_.operands(op)[operand].producer;
    }

    [[nodiscard]] bool mayJoin(OperationId op) const {
        return isShardable(flow_.operation(op)) && !evaluator_.isUndecided(op) && flow_.hasTensorResult(op);
    }
    /// Its producer is of a group, and nothing else reads it.
    [[nodiscard]] bool isLinked(OperationId op, std::size_t operand) const {
        const OperationId from = producer(op, operand);
        return from.isValid() && !at(from).values.empty() && flow_.useCount(from) == 1 && mayJoin(op);
    }
    /// Where an operand from outside is read.
    [[nodiscard]] LayoutId outside(const TensorOperand& operand) {
        const LayoutId given = evaluator_.given(operand.value);
        return given >= 0 && evaluator_.isInL1(given) ? evaluator_.dramOf(operand.value, given) : given;
    }

    void enter(OperationId op);
    void addTuples(OperationId op);
    void addTuple(OperationId op, Tuple tuple);
    void addConverted(OperationId op);
    [[nodiscard]] std::vector<std::vector<std::size_t>> products(OperationId op) const;
    [[nodiscard]] bool propagate(std::vector<OperationId> queue);
    /// Before it changes.
    void save(OperationId op) {
        if (std::ranges::find(undo_, op, &std::pair<OperationId, Member>::first) == undo_.end())
            undo_.emplace_back(op, at(op));
    }
    [[nodiscard]] bool isLive(OperationId op, const Tuple& tuple) const;
    void cut(OperationId op);
    void accumulate(OperationId op);
    void choose(OperationId op);
    [[nodiscard]] Assignment assignment();
    void setDefault(Assignment& a, OperationId op);

    Evaluator& evaluator_;
    const Flow& flow_;
    std::vector<Member> members_;                       ///< by operation
    std::vector<std::pair<OperationId, Member>> undo_;  ///< as they were before the last operation joined
};

/// Alive values of the linked producers in all combinations, those with most cores first.
std::vector<std::vector<std::size_t>> TupleSearch::products(OperationId op) const {
    const std::vector<std::size_t>& links = at(op).links;
    std::vector<std::vector<std::size_t>> all{{}};
    const auto coresOf = [&](const std::vector<std::size_t>& chosen) {
        std::int64_t cores = 0;
        for (std::size_t i = 0; i < chosen.size(); ++i)
            cores += at(producer(op, links[i])).values[chosen[i]].cores;
        return cores;
    };
    for (const std::size_t link : links) {
        const std::vector<Value>& values = at(producer(op, link)).values;
        std::vector<std::vector<std::size_t>> longer;
        for (const auto& chosen : all)
            for (std::size_t v = 0; v < values.size(); ++v) {
                if (!values[v].isAlive) continue;
                longer.push_back(chosen);
                longer.back().push_back(v);
            }
        std::stable_sort(longer.begin(), longer.end(),
                         [&](const auto& a, const auto& b) { return coresOf(a) > coresOf(b); });
        // Of pairs that need not fit each other all are looked at; the limit is on those that do.
        if (longer.size() > kMostTuples * kMostTuples) longer.resize(kMostTuples * kMostTuples);
        all = std::move(longer);
    }
    return all;
}

void TupleSearch::addTuple(OperationId op, Tuple tuple) {
    Member& member = at(op);
    const auto& operands = flow_.operands(op);
    std::vector<LayoutId> inputs;
    for (const TensorOperand& operand : operands)
        inputs.push_back(outside(operand));
    if (tuple.reshard >= 0) inputs.front() = tuple.reshard;
    for (std::size_t i = 0; i < member.links.size(); ++i)
        inputs[member.links[i]] = at(producer(op, member.links[i])).values[tuple.operands[i]].layout;
    for (const Option& option : evaluator_.options(op, inputs)) {
        if (!evaluator_.isSharded(option.answer.output)) continue;
        const auto same = std::ranges::find(member.values, option.answer.output, &Value::layout);
        tuple.value = static_cast<std::size_t>(same - member.values.begin());
        if (same == member.values.end())
            member.values.push_back({option.answer.output, evaluator_.layout(option.answer.output).grid.volume()});
        tuple.attrs = option.attrs;
        tuple.ns = option.answer.ns;
        member.tuples.push_back(tuple);
    }
}

void TupleSearch::addTuples(OperationId op) {
    for (auto& chosen : products(op)) {
        if (at(op).tuples.size() >= kMostTuples) return;
        Tuple tuple;
        tuple.operands = std::move(chosen);
        addTuple(op, std::move(tuple));
    }
}

/// The first operand from outside, sharded on the way in (5.4).
void TupleSearch::addConverted(OperationId op) {
    const auto& operands = flow_.operands(op);
    if (operands.empty() || !at(op).links.empty()) return;
    const LayoutId from = outside(operands.front());
    if (from < 0) return;
    const std::vector<LayoutId> targets = evaluator_.targets(operands.front().value, from);
    for (const LayoutId target : targets) {
        const Answer conversion = evaluator_.convert(operands.front().value, from, target);
        if (!conversion.isLegal) continue;
        Tuple tuple;
        tuple.reshard = target;
        addTuple(op, std::move(tuple));
    }
}

/// Leaves its group: its producers end there.
void TupleSearch::cut(OperationId op) {
    for (const std::size_t link : at(op).links)
        at(producer(op, link)).reader = {};
    at(op) = {};
}

void TupleSearch::enter(OperationId op) {
    if (!mayJoin(op)) return;
    Member& member = at(op);
    for (std::size_t k = 0; k < flow_.operands(op).size(); ++k)
        if (isLinked(op, k)) member.links.push_back(k);
    if (!member.links.empty()) {
        addTuples(op);
        for (const std::size_t link : member.links)
            at(producer(op, link)).reader = op;
        undo_.clear();
        if (!member.tuples.empty() && propagate({op})) return;
        for (auto& [changed, before] : undo_)
            if (changed != op) at(changed) = std::move(before);
        cut(op);
    }
    addTuples(op);
    if (member.tuples.empty()) addConverted(op);
}

bool TupleSearch::isLive(OperationId op, const Tuple& tuple) const {
    const Member& member = at(op);
    if (!member.values[tuple.value].isAlive) return false;
    for (std::size_t i = 0; i < member.links.size(); ++i)
        if (!at(producer(op, member.links[i])).values[tuple.operands[i]].isAlive) return false;
    return true;
}

/// Drops tuples with a dead value, and values without a tuple in one of their constraints, to a fixed point. False
/// where nothing is left of an operation.
bool TupleSearch::propagate(std::vector<OperationId> queue) {
    while (!queue.empty()) {
        const OperationId op = queue.back();
        queue.pop_back();
        save(op);
        Member& member = at(op);
        std::erase_if(member.tuples, [&](const Tuple& tuple) { return !isLive(op, tuple); });
        if (member.tuples.empty()) return false;
        const auto narrow = [&](OperationId of, const auto& valueIn) {
            bool isNarrowed = false;
            save(of);
            std::vector<Value>& values = at(of).values;
            for (std::size_t v = 0; v < values.size(); ++v) {
                const bool isKept =
                    std::ranges::any_of(member.tuples, [&](const Tuple& tuple) { return valueIn(tuple) == v; });
                isNarrowed = isNarrowed || (values[v].isAlive && !isKept);
                values[v].isAlive = values[v].isAlive && isKept;
            }
            return isNarrowed;
        };
        if (narrow(op, [](const Tuple& tuple) { return tuple.value; }) && member.reader.isValid())
            queue.push_back(member.reader);
        for (std::size_t i = 0; i < member.links.size(); ++i) {
            const OperationId from = producer(op, member.links[i]);
            if (narrow(from, [i](const Tuple& tuple) { return tuple.operands[i]; })) queue.push_back(from);
        }
    }
    return true;
}

/// From the last operation backward; a value that is read counts its reader's part.
void TupleSearch::accumulate(OperationId op) {
    Member& member = at(op);
    for (std::size_t v = 0; v < member.values.size(); ++v) {
        Value& value = member.values[v];
        value.acc = static_cast<double>(value.cores);
        if (!member.reader.isValid()) continue;
        const Member& reader = at(member.reader);
        double most = 0;
        for (const Tuple& tuple : reader.tuples)
            for (std::size_t i = 0; i < reader.links.size(); ++i)
                if (producer(member.reader, reader.links[i]) == op && tuple.operands[i] == v)
                    most = std::max(most, reader.values[tuple.value].acc);
        value.acc += most / static_cast<double>(reader.links.size());
    }
}

/// The living value with most cores behind it, and of its tuples the fastest.
void TupleSearch::choose(OperationId op) {
    Member& member = at(op);
    if (member.values.empty()) return;
    undo_.clear();
    std::vector<Value>& values = member.values;
    std::size_t best = values.size();
    for (std::size_t v = 0; v < values.size(); ++v)
        if (values[v].isAlive && (best == values.size() || values[v].acc > values[best].acc)) best = v;
    for (std::size_t v = 0; v < values.size(); ++v)
        values[v].isAlive = values[v].isAlive && v == best;
    if (best == values.size() || !propagate({op})) return;
    if (member.reader.isValid() && !propagate({member.reader})) return;
    const auto fastest = std::ranges::min_element(member.tuples, {}, &Tuple::ns);
    member.chosen = static_cast<int>(fastest - member.tuples.begin());
}

/// Everything from DRAM.
void TupleSearch::setDefault(Assignment& a, OperationId op) {
    OpChoice& choice = a.ops[op.at()];
    std::vector<LayoutId> inputs;
    for (const TensorOperand& operand : flow_.operands(op))
        inputs.push_back(outside(operand));
    const ValueId result = evaluator_.function().resultOf(op);
    if (!result.isValid() || evaluator_.given(result) < 0) return;
    if (evaluator_.isUndecided(op)) {
        choice.output = evaluator_.given(result);
        return;
    }
    const Option option = evaluator_.defaultOption(op, inputs);
    choice.output = option.answer.output;
    choice.attrs = option.attrs;
}

Assignment TupleSearch::assignment() {
    Assignment a;
    a.order = evaluator_.function().order;
    a.ops.resize(flow_.size());
    for (const OperationId op : a.order) {
        const Member& member = at(op);
        OpChoice& choice = a.ops[op.at()];
        const auto& operands = flow_.operands(op);
        choice.edges.resize(operands.size());
        if (member.chosen >= 0) {
            const Tuple& tuple = member.tuples[static_cast<std::size_t>(member.chosen)];
            choice.output = member.values[tuple.value].layout;
            choice.attrs = tuple.attrs;
            if (tuple.reshard >= 0) choice.edges.front().reshard = tuple.reshard;
        } else {
            setDefault(a, op);
        }
        for (std::size_t k = 0; k < operands.size(); ++k) {
            const OperationId from = operands[k].producer;
            const bool isDirect = member.chosen >= 0 && std::ranges::find(member.links, k) != member.links.end();
            if (!from.isValid() || isDirect) continue;
            OpChoice& producerChoice = a.ops[from.at()];
            if (producerChoice.output < 0 || !evaluator_.isInL1(producerChoice.output)) continue;
            producerChoice.copy = evaluator_.dramOf(operands[k].value, producerChoice.output);
            choice.edges[k].fromCopy = true;
        }
    }
    return a;
}

}  // namespace

Assignment tupleSearch(Evaluator& evaluator) {
    return TupleSearch(evaluator).run();
}

}  // namespace memplan::ttnn
