// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/chains/op_kinds.h"
#include "engine/ttnn/policies/interleaved.h"

#include <algorithm>
#include <utility>

namespace memplan::ttnn {
namespace {

constexpr std::size_t kMostCandidates = 12;  ///< of which all subsets are tried; the smallest of more go to DRAM

/// Peak of computing these operands one after the other, in the best order, and then the base. The operand that gives
/// back most of what it takes comes first: exchanging two neighbours never helps.
L1Choice inBestOrder(const std::vector<L1Need>& operands, std::vector<std::size_t> kept, Bytes base) {
    std::stable_sort(kept.begin(), kept.end(), [&](std::size_t a, std::size_t b) {
        return operands[a].required - operands[a].output > operands[b].required - operands[b].output;
    });
    L1Choice choice;
    for (const std::size_t k : kept) {
        choice.peak = std::max(choice.peak, choice.kept + operands[k].required);
        choice.kept += operands[k].output;
    }
    choice.peak = std::max(choice.peak, choice.kept + base);
    choice.order = std::move(kept);
    return choice;
}

class GreedyPolicy {
public:
    explicit GreedyPolicy(const PolicyInput& input)
        : f_(input.function), ops_(input), limit_(input.model.options().limit), inL1_(f_.operations.size(), false),
          nodes_(f_.operations.size()) {
        solution_.configs.resize(f_.operations.size());
    }

    Solution run() {
        for (const OperationId id : f_.order)
            if (isSchedulable(f_.operation(id))) decide(id);
        for (const OperationId id : f_.order)
            if (isSchedulable(f_.operation(id)) && !inL1_[id.at()]) emit(id);
        return std::move(solution_);
    }

private:
    struct Node {
        L1Need need;
        std::vector<OperationId> kept;  ///< producers in L1, as they are computed
    };
    void decide(OperationId op);
    /// What the operation takes beside these operands and its output, if it may run so; else the operands leave L1.
    Bytes ownNeed(OperationId op, std::vector<OperationId>& candidates, bool isBaseEligible);
    void emit(OperationId root);

    const Function& f_;
    InterleavedOps ops_;
    Bytes limit_;
    std::vector<bool> inL1_;
    std::vector<Node> nodes_;
    Solution solution_;
};

void GreedyPolicy::decide(OperationId op) {
    std::vector<OperationId> candidates;
    for (const OperationId producer : ops_.producers(op))
        if (inL1_[producer.at()]) candidates.push_back(producer);
    std::stable_sort(candidates.begin(), candidates.end(), [this](OperationId a, OperationId b) {
        return nodes_[a.at()].need.output > nodes_[b.at()].need.output;
    });
    while (candidates.size() > kMostCandidates) {
        inL1_[candidates.back().at()] = false;
        candidates.pop_back();
    }
    const bool isEligible = ops_.mayStayInL1(op) && ops_.usesOf(op).size() == 1;
    const Bytes required = ownNeed(op, candidates, isEligible);
    std::vector<L1Need> needs;
    for (const OperationId candidate : candidates)
        needs.push_back(nodes_[candidate.at()].need);
    const std::optional<Bytes> output =
        isEligible ? std::optional(ops_.l1Config(op)->output->shardBytes()) : std::nullopt;
    const L1Choice choice = chooseL1(needs, output, required, limit_);
    for (const OperationId candidate : candidates)
        inL1_[candidate.at()] = false;
    Node& node = nodes_[op.at()];
    for (const std::size_t k : choice.order) {
        inL1_[candidates[k].at()] = true;
        node.kept.push_back(candidates[k]);
    }
    inL1_[op.at()] = choice.keepsBase;
    node.need = {output.value_or(0), choice.peak};
}

Bytes GreedyPolicy::ownNeed(OperationId op, std::vector<OperationId>& candidates, bool isBaseEligible) {
    const OpConfig* config = isBaseEligible ? ops_.l1Config(op) : ops_.dramConfig(op);
    if (!config) return 0;
    Bytes own = isBaseEligible ? config->output->shardBytes() : 0;
    for (const OperationId candidate : candidates)
        own += nodes_[candidate.at()].need.output;
    const Validation validation = ops_.validate(op, *config, inL1_, 0);
    if (validation.ok() || validation.status == ValidationStatus::OutOfMemoryError)
        return std::max<Bytes>(0, validation.need - own);
    for (const OperationId candidate : candidates)
        inL1_[candidate.at()] = false;
    candidates.clear();
    return 0;
}

/// The tree of values in L1 that ends in `root`, children in their order. All that it reads from DRAM has been
/// computed: it comes before in the program.
void GreedyPolicy::emit(OperationId root) {
    std::vector<std::pair<OperationId, std::size_t>> stack{{root, 0}};
    while (!stack.empty()) {
        auto& [op, next] = stack.back();
        const auto& kept = nodes_[op.at()].kept;
        if (next < kept.size()) {
            stack.emplace_back(kept[next++], 0);
            continue;
        }
        solution_.schedule.push_back(op);
        if (inL1_[op.at()]) solution_.configs[op.at()] = *ops_.l1Config(op);
        stack.pop_back();
    }
}

}  // namespace

L1Choice chooseL1(const std::vector<L1Need>& operands, std::optional<Bytes> baseOutput, Bytes baseRequired,
                  Bytes limit) {
    L1Choice best = inBestOrder(operands, {}, baseRequired);
    const std::size_t count = operands.size() + (baseOutput ? 1 : 0);
    for (std::size_t bits = 1; bits < (std::size_t{1} << count); ++bits) {
        std::vector<std::size_t> kept;
        for (std::size_t k = 0; k < operands.size(); ++k)
            if (bits >> k & 1U) kept.push_back(k);
        const bool keepsBase = baseOutput && (bits >> operands.size() & 1U);
        L1Choice choice = inBestOrder(operands, std::move(kept), baseRequired + (keepsBase ? *baseOutput : 0));
        choice.keepsBase = keepsBase;
        if (keepsBase) choice.kept += *baseOutput;
        if (choice.peak <= limit && choice.kept > best.kept) best = std::move(choice);
    }
    return best;
}

Solution greedyL1Interleaved(const PolicyInput& input) {
    return GreedyPolicy(input).run();
}

}  // namespace memplan::ttnn
