// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/compile/reasons.h"

#include "engine/ttnn/texts/reasons.h"

#include <algorithm>

namespace memplan::ttnn {
namespace {

Reason reason(ReasonCode code, Statement stated) {
    Reason r;
    r.code = code;
    r.stated = std::move(stated);
    return r;
}

class Reasons {
public:
    Reasons(const State& state, const std::vector<std::string>& names)
        : state_(state), record_(state.solution.record), names_(names), function_(state.current()) {}

    Reason of(ValueId id) const {
        const Value& value = function_.value(id);
        if (!value.producer.isValid()) return ofArgument(value);
        if (std::ranges::find(function_.returned, id) != function_.returned.end())
            return reason(ReasonCode::GraphOutput, {say::kReturned});
        if (!state_.options.enableOptimizer || !state_.options.memoryLayoutAnalysis)
            return reason(ReasonCode::PlanningOff, {say::kPlanningOff});
        return ofOperation(origin(value.producer));
    }

private:
    const State& state_;
    const ChainRecord& record_;
    const std::vector<std::string>& names_;
    const Function& function_;

    [[nodiscard]] const std::string& name(OperationId op) const { return names_[op.at()]; }

    static Reason ofArgument(const Value& value) {
        const std::string* type = findAttribute(value.attributes, "ttcore.argument_type");
        const bool isInput = type == nullptr || type->find("input") != std::string::npos;
        return reason(ReasonCode::GraphInput, isInput ? Statement(say::kArgument) : Statement(say::kParameter));
    }

    /// The operation whose value an inserted conversion carries.
    [[nodiscard]] OperationId origin(OperationId op) const {
        const std::size_t known = state_.input().operations.size();
        while (op.at() >= known) {
            const OperationId before = function_.value(function_.operation(op).operands.front()).producer;
            if (!before.isValid()) return op;
            op = before;
        }
        return op;
    }

    [[nodiscard]] Reason ofOperation(OperationId op) const {
        const std::string kind(function_.operation(op).kind());
        if (isUnmodelled(op)) return reason(ReasonCode::OpNotModelled, {say::kNotModelled, kind});
        if (isSentByHint(op)) return reason(ReasonCode::OffByHint, {say::kOffByHint, name(op)});
        if (!state_.hasChains)
            return reason(ReasonCode::ChainEndSpilled, {say::kPolicy, wordOf(state_.options.policy)});
        const OpRecord* record = op.at() < record_.ops.size() ? &record_.ops[op.at()] : nullptr;
        if (record == nullptr || record->chain < 0) return outsideChains(op, record, kind);
        const auto c = static_cast<std::size_t>(record->chain);
        const ChainInfo& chain = record_.chains[c];
        if (chain.state == ChainState::Failed) return failed(chain);
        return ofChainEnd(op, static_cast<int>(c), chain);
    }

    [[nodiscard]] bool isUnmodelled(OperationId op) const {
        if (!state_.measures) return false;
        const auto it = std::ranges::find(state_.measures->ops, op, &OpMeasure::op);
        return it != state_.measures->ops.end() && it->status == ValidationStatus::NotImplemented;
    }

    [[nodiscard]] bool isSentByHint(OperationId op) const {
        return std::ranges::any_of(state_.options.chainHints.spill, [&](const auto& wish) {
            return wish.second == SpillWish::Dram && wish.first == function_.operation(op).location.name;
        });
    }

    [[nodiscard]] Reason outsideChains(OperationId op, const OpRecord* record, const std::string& kind) const {
        const bool hasNoConfig = record != nullptr && record->whyNone == EndedBy::NoLegalConfig;
        if (!hasNoConfig) return reason(ReasonCode::NotShardable, {say::kKindNotShardable, kind});
        if (op.at() < state_.space.ops.size() && !state_.space.ops[op.at()].refused.empty())
            return reason(ReasonCode::NoLegalLayout,
                          {say::kNoSharded, state_.space.ops[op.at()].refused.front().second});
        return reason(ReasonCode::NoLegalLayout, {say::kNoShardedPlain});
    }

    [[nodiscard]] Reason failed(const ChainInfo& chain) const {
        if (!chain.failure) return reason(ReasonCode::ChainFailed, {say::kFailedPlain});
        const ChainFailure& f = *chain.failure;
        // What the checks did not keep by itself says nothing.
        const auto weight = [](const auto& r) { return r.first == kOtherMessages ? 0 : r.second; };
        const auto most = std::ranges::max_element(f.reasons, {}, weight);
        const std::string why = most == f.reasons.end() ? f.stage : most->first;
        Reason r = f.producer.isValid()
                       ? reason(ReasonCode::ChainFailed,
                                {say::kFailedEdge, name(f.producer), name(f.consumer), std::int64_t{f.operand}, why})
                       : reason(ReasonCode::ChainFailed,
                                {say::kFailedEntry, name(f.consumer.isValid() ? f.consumer : chain.ops.front()), why});
        return r;
    }

    [[nodiscard]] Reason ofChainEnd(OperationId op, int c, const ChainInfo& chain) const {
        const auto isSource = [&](const MergeInfo& m) { return std::ranges::find(m.sources, c) != m.sources.end(); };
        for (const MergeInfo& m : record_.merges) {
            if (!m.isAccepted && isSource(m) && m.rejectedBy != "larger_candidate") return refusedMerge(m);
        }
        for (auto t = record_.trials.rbegin(); t != record_.trials.rend(); ++t) {
            if (t->source == op && !t->isAccepted) return refusedFork(op, *t);
        }
        return reason(ReasonCode::ChainEndSpilled, {say::kChainEnd, wordOf(chain.endedBy)});
    }

    [[nodiscard]] Reason refusedMerge(const MergeInfo& m) const {
        const std::string join = m.joinOp.isValid() ? name(m.joinOp) : std::string("its reader");
        if (m.needed <= 0)
            return reason(ReasonCode::MergeRejected, {say::kMerge, join, m.message.empty() ? m.rejectedBy : m.message});
        const std::string at = m.rejectedAt.isValid() ? name(m.rejectedAt) : join;
        return reason(ReasonCode::MergeRejected, {say::kMergeRoom, join, at, m.needed, m.available});
    }

    [[nodiscard]] Reason refusedFork(OperationId op, const ResidencyTrial& t) const {
        const auto readers = static_cast<std::int64_t>(usesOf(state_.input())[state_.input().resultOf(op).at()].size());
        const std::string& why = t.message.empty() ? t.rejectedBy : t.message;
        if (t.needed <= 0)
            return readers == 1 ? reason(ReasonCode::ForkRejected, {say::kOneReader, why})
                                : reason(ReasonCode::ForkRejected, {say::kFork, readers, why});
        const std::string at = t.rejectedAt.isValid() ? name(t.rejectedAt) : std::string("an operation meanwhile");
        if (readers == 1) return reason(ReasonCode::ForkRejected, {say::kOneReaderRoom, at, t.needed, t.available});
        return reason(ReasonCode::ForkRejected, {say::kForkRoom, readers, at, t.needed, t.available});
    }
};

}  // namespace

Reason reasonOf(const State& state, ValueId value, const std::vector<std::string>& names) {
    return Reasons(state, names).of(value);
}

}  // namespace memplan::ttnn
