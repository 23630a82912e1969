// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/beam/beam_search.h"

#include "engine/ttnn/beam/score.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace memplan::ttnn {
namespace {

/// A layout in which an operand may be read.
struct Candidate {
    LayoutId layout = -1;
    int entry = -1;  ///< of the producer's beam that it comes from; -1: of the module
    bool isReshard = false;
};

struct Entry {
    Option option;
    LayoutScore score;
    std::int64_t actBlockH = 0;
    std::vector<Candidate> inputs;
};

bool isBetter(const Entry& a, const Entry& b) {
    if (const auto order = a.score <=> b.score; order != 0) return order > 0;
    return a.actBlockH < b.actBlockH;
}

class Search {
public:
    Search(Evaluator& evaluator, const BeamWidths& widths)
        : evaluator_(evaluator), flow_(evaluator.flow()), widths_(widths), beams_(flow_.size()) {}

    Assignment run() {
        for (const OperationId op : evaluator_.function().order) {
            if (evaluator_.input().control.shouldStop()) break;
            expand(op);
        }
        return chooseBackward();
    }

private:
    void expand(OperationId op);
    void expandTuple(OperationId op, const std::vector<Candidate>& tuple);
    void keepBest(OperationId op);
    [[nodiscard]] std::vector<Candidate> candidates(OperationId op, std::size_t operand);
    [[nodiscard]] std::vector<Candidate> interleavedOnly(const std::vector<Candidate>& list,
                                                         const TensorOperand& operand);
    [[nodiscard]] bool isShardedAlike(const std::vector<Candidate>& tuple) const;
    void addInterleaved(std::vector<Candidate>& list, const TensorOperand& operand, Candidate first);
    void addTargets(std::vector<Candidate>& list, const TensorOperand& operand, LayoutId like);
    [[nodiscard]] bool explores(OperationId op) const {
        const Operation& operation = flow_.operation(op);
        return !operation.is("reshape") && !operation.is("permute");
    }
    [[nodiscard]] Entry fallback(OperationId op);
    [[nodiscard]] std::int64_t actBlockH(AttrsId attrs) const;

    [[nodiscard]] Assignment chooseBackward();
    [[nodiscard]] int chooseEntry(OperationId op, const std::vector<int>& chosen) const;
    [[nodiscard]] int reshardsWith(OperationId op, LayoutId output, const std::vector<int>& chosen) const;
    void setEdges(Assignment& assignment, OperationId op, const Entry& entry);

    Evaluator& evaluator_;
    const Flow& flow_;
    BeamWidths widths_;
    std::vector<std::vector<Entry>> beams_;  ///< by operation, the best first; empty where nothing runs
};

std::int64_t Search::actBlockH(AttrsId attrs) const {
    const auto* conv = std::get_if<Conv2dAttrs>(&evaluator_.attrs(attrs));
    return conv && conv->config ? conv->config->actBlockHOverride.value_or(0) : 0;
}

void Search::addTargets(std::vector<Candidate>& list, const TensorOperand& operand, LayoutId like) {
    for (const LayoutId target : evaluator_.targets(operand.value, like)) {
        const bool isThere =
            std::ranges::any_of(list, [&](const Candidate& candidate) { return candidate.layout == target; });
        if (!isThere && list.size() < widths_.candidates) list.push_back({target, list.front().entry, true});
    }
}

std::vector<Candidate> Search::candidates(OperationId op, std::size_t operandAt) {
    const TensorOperand& operand = flow_.operands(op)[operandAt];
    std::vector<Candidate> list;
    if (!operand.producer.isValid() || beams_[operand.producer.at()].empty()) {
        list.push_back({evaluator_.given(operand.value), -1, false});
    } else {
        const auto& beam = beams_[operand.producer.at()];
        for (std::size_t i = 0; i < beam.size(); ++i)
            list.push_back({beam[i].option.answer.output, static_cast<int>(i), false});
    }
    const LayoutId first = list.front().layout;
    if (first < 0) return list;
    if (!evaluator_.takesSharded(op, operandAt)) return interleavedOnly(list, operand);
    const auto isSharded = [&](const Candidate& c) { return evaluator_.isSharded(c.layout); };
    const bool allSharded = std::ranges::all_of(list, isSharded);
    const bool anySharded = std::ranges::any_of(list, isSharded);
    if (allSharded) addInterleaved(list, operand, list.front());
    const bool mayAim = explores(op) && evaluator_.mayConvert(op, operandAt);
    if (mayAim && (anySharded || operandAt == 0)) addTargets(list, operand, first);
    return list;
}

/// Conversions of `first`, which comes from no beam where the operand is an argument.
void Search::addInterleaved(std::vector<Candidate>& list, const TensorOperand& operand, Candidate first) {
    list.push_back({evaluator_.interleavedL1Of(operand.value, first.layout), first.entry, true});
    list.push_back({evaluator_.dramOf(operand.value, first.layout), first.entry, true});
}

/// Sharded layouts of an operand that must not be sharded are converted.
std::vector<Candidate> Search::interleavedOnly(const std::vector<Candidate>& list, const TensorOperand& operand) {
    std::vector<Candidate> kept;
    for (const Candidate& candidate : list)
        if (!evaluator_.isSharded(candidate.layout)) kept.push_back(candidate);
    if (kept.size() == list.size()) return kept;
    addInterleaved(kept, operand, list.front());
    return kept;
}

/// Two sharded operands lie on the same cores in every kind of operation that takes two.
bool Search::isShardedAlike(const std::vector<Candidate>& tuple) const {
    const Layout* sharded = nullptr;
    for (const Candidate& candidate : tuple) {
        if (candidate.layout < 0 || !evaluator_.isSharded(candidate.layout)) continue;
        const Layout& layout = evaluator_.layout(candidate.layout);
        if (sharded && (layout.mem != sharded->mem || layout.grid != sharded->grid)) return false;
        sharded = &layout;
    }
    return true;
}

void Search::expandTuple(OperationId op, const std::vector<Candidate>& tuple) {
    std::vector<LayoutId> inputs;
    LayoutScore score;
    const auto& operands = flow_.operands(op);
    for (std::size_t k = 0; k < tuple.size(); ++k) {
        inputs.push_back(tuple[k].layout);
        if (!tuple[k].isReshard) continue;
        score.needsReshard = true;
        const LayoutId from =
            tuple[k].entry >= 0
                ? beams_[operands[k].producer.at()][static_cast<std::size_t>(tuple[k].entry)].option.answer.output
                : evaluator_.given(operands[k].value);
        const Answer conversion = evaluator_.convert(operands[k].value, from, tuple[k].layout);
        if (!conversion.isLegal) return;
        score.inputDramBytes += conversion.dramRead;
    }
    auto& beam = beams_[op.at()];
    for (const Option& option : evaluator_.options(op, inputs)) {
        Entry entry;
        entry.option = option;
        entry.score = score;
        entry.score.isInL1 = evaluator_.isInL1(option.answer.output);
        entry.score.isSharded = evaluator_.isSharded(option.answer.output);
        entry.score.inputDramBytes += option.answer.dramRead;
        entry.score.cores = option.answer.cores;
        entry.score.outputL1 = evaluator_.l1Bytes(option.answer.output);
        entry.actBlockH = actBlockH(option.attrs);
        const auto same = std::ranges::find_if(
            beam, [&](const Entry& other) { return other.option.answer.output == option.answer.output; });
        if (same != beam.end() && !isBetter(entry, *same)) continue;
        entry.inputs = tuple;
        if (same != beam.end())
            *same = std::move(entry);
        else
            beam.push_back(std::move(entry));
    }
}

/// All tuples of operand layouts, the last operand fastest; one value read twice is read alike.
void Search::expand(OperationId op) {
    const ValueId result = flow_.function().resultOf(op);
    if (!result.isValid() || evaluator_.given(result) < 0) return;
    if (evaluator_.isUndecided(op)) {
        beams_[op.at()].push_back(fallback(op));
        return;
    }
    const auto& operands = flow_.operands(op);
    std::vector<std::vector<Candidate>> lists;
    for (std::size_t k = 0; k < operands.size(); ++k)
        lists.push_back(candidates(op, k));
    std::vector<std::size_t> at(lists.size(), 0);
    std::vector<Candidate> tuple(lists.size());
    for (std::size_t count = 0; count < widths_.tuples;) {
        bool isAlike = true;
        for (std::size_t k = 0; k < lists.size(); ++k) {
            tuple[k] = lists[k][at[k]];
            for (std::size_t j = 0; j < k; ++j)
                if (operands[j].value == operands[k].value && at[j] != at[k]) isAlike = false;
        }
        if (isAlike && isShardedAlike(tuple)) {
            expandTuple(op, tuple);
            ++count;
        }
        std::size_t k = lists.size();
        while (k > 0 && ++at[k - 1] == lists[k - 1].size())
            at[--k] = 0;
        if (k == 0) break;
    }
    keepBest(op);
}

void Search::keepBest(OperationId op) {
    auto& beam = beams_[op.at()];
    if (beam.empty()) beam.push_back(fallback(op));
    std::stable_sort(beam.begin(), beam.end(), isBetter);
    if (beam.size() > widths_.entries) beam.resize(widths_.entries);
}

/// Everything from DRAM, the configuration without a policy.
Entry Search::fallback(OperationId op) {
    Entry entry;
    std::vector<LayoutId> inputs;
    for (const TensorOperand& operand : flow_.operands(op)) {
        Candidate candidate{evaluator_.given(operand.value), -1, false};
        const bool hasBeam = operand.producer.isValid() && !beams_[operand.producer.at()].empty();
        if (hasBeam) candidate = {beams_[operand.producer.at()].front().option.answer.output, 0, false};
        if (candidate.layout >= 0 && evaluator_.isInL1(candidate.layout))
            candidate = {evaluator_.dramOf(operand.value, candidate.layout), candidate.entry, true};
        inputs.push_back(candidate.layout);
        entry.inputs.push_back(candidate);
    }
    entry.option = evaluator_.defaultOption(op, inputs);
    return entry;
}

int Search::reshardsWith(OperationId op, LayoutId output, const std::vector<int>& chosen) const {
    int count = 0;
    for (const OperationId reader : flow_.readers(op)) {
        if (chosen[reader.at()] < 0) continue;
        const Entry& entry = beams_[reader.at()][static_cast<std::size_t>(chosen[reader.at()])];
        const auto& operands = flow_.operands(reader);
        for (std::size_t k = 0; k < operands.size(); ++k)
            count += operands[k].producer == op && entry.inputs[k].layout != output;
    }
    return count;
}

int Search::chooseEntry(OperationId op, const std::vector<int>& chosen) const {
    const auto& beam = beams_[op.at()];
    int best = 0, fewest = std::numeric_limits<int>::max();
    for (std::size_t i = 0; i < beam.size(); ++i) {
        const int count = reshardsWith(op, beam[i].option.answer.output, chosen);
        if (count >= fewest) continue;
        fewest = count;
        best = static_cast<int>(i);
    }
    return best;
}

Assignment Search::chooseBackward() {
    Assignment assignment;
    assignment.order = evaluator_.function().order;
    assignment.ops.resize(flow_.size());
    std::vector<int> chosen(flow_.size(), -1);
    for (auto it = assignment.order.rbegin(); it != assignment.order.rend(); ++it)
        if (!beams_[it->at()].empty()) chosen[it->at()] = chooseEntry(*it, chosen);
    for (const OperationId op : assignment.order) {
        OpChoice& choice = assignment.ops[op.at()];
        choice.edges.resize(flow_.operands(op).size());
        if (chosen[op.at()] < 0) {
            const ValueId result = flow_.function().resultOf(op);
            if (result.isValid()) choice.output = evaluator_.given(result);
            continue;
        }
        const Entry& entry = beams_[op.at()][static_cast<std::size_t>(chosen[op.at()])];
        choice.output = entry.option.answer.output;
        choice.attrs = entry.option.attrs;
        setEdges(assignment, op, entry);
    }
    return assignment;
}

/// What the operation was asked with and its operand does not have comes from a copy in DRAM or by a conversion.
void Search::setEdges(Assignment& assignment, OperationId op, const Entry& entry) {
    const auto& operands = flow_.operands(op);
    for (std::size_t k = 0; k < operands.size(); ++k) {
        EdgeChoice& edge = assignment.ops[op.at()].edges[k];
        const LayoutId wanted = entry.inputs[k].layout;
        const OperationId producer = operands[k].producer;
        const LayoutId own =
            producer.isValid() ? assignment.ops[producer.at()].output : evaluator_.given(operands[k].value);
        if (wanted == own || wanted < 0 || own < 0) continue;
        const bool isCopy =
            producer.isValid() && evaluator_.isInL1(own) && wanted == evaluator_.dramOf(operands[k].value, own);
        if (isCopy) {
            assignment.ops[producer.at()].copy = wanted;
            edge.fromCopy = true;
        } else {
            edge.reshard = wanted;
        }
    }
}

}  // namespace

Assignment beamSearch(Evaluator& evaluator, const BeamWidths& widths) {
    return Search(evaluator, widths).run();
}

}  // namespace memplan::ttnn
