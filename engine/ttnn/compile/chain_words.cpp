// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/compile/chain_words.h"

#include "engine/base/text.h"
#include "engine/ttnn/advice/changes.h"
#include "engine/ttnn/compile/snapshot_text.h"

#include <algorithm>
#include <utility>

namespace memplan::ttnn {
namespace {

using text::grouped;

constexpr std::size_t kShown = 8;  ///< operations and refusals of one chain

std::string nameOf(const Plan& plan, OpId op) {
    return op.isValid() && op.at() < plan.ops.size() ? plan.op(op).name : std::string("an operation");
}

std::string counted(std::int64_t n, const std::string& noun) {
    return grouped(n) + " " + noun + (n == 1 ? "" : "s");
}

class ChainFacts {
public:
    ChainFacts(const Plan& plan, std::size_t chain)
        : plan_(plan), record_(ttnnData(plan).record), at_(static_cast<int>(chain)), chain_(record_.chains[chain]) {}

    Explanation run() {
        e_ = {"chain", chainName(static_cast<std::size_t>(at_)), {}, why(), {}};
        fact("state", std::string(wordOf(chain_.state)));
        operations();
        fact("last value", goesTo(chain_));
        fact("ends", endWords(plan_, chain_));
        if (chain_.failure) failure(*chain_.failure);
        if (!chain_.suggestions.empty()) fact("to try", toTry(chain_));
        merges();
        reservations();
        fact("solver", counted(chain_.counters.edgesChecked, "edge") + " checked, " +
                           counted(chain_.counters.modelCalls, "call") + " of the model, " +
                           counted(chain_.counters.rounds, "round") + " of propagation");
        for (const OpId op : chain_.ops) {
            for (std::string& words : adviceFor(plan_, op))
                fact("advice", std::move(words));
        }
        return std::move(e_);
    }

private:
    void fact(std::string label, std::string words) { e_.facts.emplace_back(std::move(label), std::move(words)); }

    [[nodiscard]] std::string why() const {
        if (chain_.failure)
            return "no layouts fit at " + edgeWords(plan_, *chain_.failure) + ", so its operations work in DRAM";
        return "its operations hand their results on in sharded L1 until " + endWords(plan_, chain_);
    }

    void operations() {
        std::string words = counted(static_cast<std::int64_t>(chain_.ops.size()), "operation") + ": ";
        for (std::size_t i = 0; i < std::min(chain_.ops.size(), kShown); ++i)
            words +=
                (i > 0 ? ", " : "") + nameOf(plan_, chain_.ops[i]) + " (" + resultWords(plan_, chain_.ops[i]) + ")";
        if (chain_.ops.size() > kShown) words += ", and " + std::to_string(chain_.ops.size() - kShown) + " more";
        fact("operations", std::move(words));
        fact("steps", std::to_string(chain_.ops.front().index) + " to " + std::to_string(chain_.ops.back().index));
        if (chain_.coreUsage > 0) fact("cores", grouped(chain_.coreUsage) + " over all its operations");
    }

    void failure(const ChainFailure& f) {
        fact("failed", "at " + edgeWords(plan_, f) + ", operand " + std::to_string(f.operand) + ", in step " + f.stage);
        auto reasons = f.reasons;
        std::ranges::stable_sort(reasons, std::greater<>(), [](const auto& reason) { return reason.second; });
        for (std::size_t i = 0; i < std::min(reasons.size(), kShown); ++i)
            fact("the model said", counted(reasons[i].second, "time") + ": " + reasons[i].first);
    }

    [[nodiscard]] static std::string refusal(const Plan& plan, const MergeInfo& m) {
        std::string words = "refused in step " + m.rejectedBy;
        if (m.rejectedAt.isValid()) words += " at " + nameOf(plan, m.rejectedAt);
        if (m.needed > 0) words += ", " + grouped(m.needed) + " of " + grouped(m.available) + " B of a core";
        return words + (m.message.empty() ? "" : ": " + m.message);
    }

    void merges() {
        for (const MergeInfo& m : record_.merges) {
            const bool isSource = std::ranges::find(m.sources, at_) != m.sources.end();
            if (!isSource && m.target != at_) continue;
            std::vector<std::string> sources;
            for (const int source : m.sources)
                sources.push_back(chainName(static_cast<std::size_t>(source)));
            const std::string from = isSource ? "into " + chainName(static_cast<std::size_t>(std::max(m.target, 0)))
                                              : "of " + text::join(sources, ", ");
            fact("merge", from + " at operand " + std::to_string(m.operand) + " of " + nameOf(plan_, m.joinOp) + ", " +
                              grouped(m.bytes) + " B of a core: " + (m.isAccepted ? "done" : refusal(plan_, m)));
        }
    }

    void reservations() {
        for (const Reservation& r : record_.reservations) {
            if (std::ranges::find(chain_.ops, r.source) == chain_.ops.end()) continue;
            fact("reservation", nameOf(plan_, r.source) + ", " + r.purpose + ": " + grouped(r.bytes) +
                                    " B of a core, steps " + std::to_string(r.positions.begin) + " to " +
                                    std::to_string(r.positions.end) + " (end excluded)");
        }
    }

    const Plan& plan_;
    const ChainRecord& record_;
    int at_;
    const ChainInfo& chain_;
    Explanation e_;
};

}  // namespace

std::string chainName(std::size_t chain) {
    return "chain " + std::to_string(chain);
}

std::string endWords(const Plan& plan, const ChainInfo& chain) {
    const std::string next = nameOf(plan, chain.endedAt), last = nameOf(plan, chain.ops.back());
    switch (chain.endedBy) {
    case EndedBy::Hint:
        return "a hint breaks it here";
    case EndedBy::Concat:
        return chain.isConcat ? "a concat is a chain of its own" : next + " is a concat";
    case EndedBy::Returned:
        return last + " is returned";
    case EndedBy::Fork:
        return last + " is used several times";
    case EndedBy::NoNext:
        return "no operation that is ready reads " + last;
    case EndedBy::NotFirstOperand:
        return next + " reads it as operand " + std::to_string(chain.endedOperand);
    case EndedBy::NotShardable:
        return next + " cannot be sharded";
    case EndedBy::NoLegalConfig:
        return next + " has no sharded configuration";
    case EndedBy::ScheduledElsewhere:
        return next + " was scheduled before";
    }
    return {};
}

std::string goesTo(const ChainInfo& chain) {
    if (chain.state != ChainState::Completed || chain.spill == SpillLocation::Dram) return "DRAM";
    return chain.spill == SpillLocation::None ? "stays in L1" : "L1 interleaved";
}

std::string edgeWords(const Plan& plan, const ChainFailure& failure) {
    return (failure.producer.isValid() ? nameOf(plan, failure.producer) + " to " : std::string("the entry of ")) +
           nameOf(plan, failure.consumer);
}

std::string toTry(const ChainInfo& chain) {
    return text::escaped(text::join(chain.suggestions, "; "));
}

std::string resultWords(const Plan& plan, OpId op) {
    const TtnnData& data = ttnnData(plan);
    if (op.at() >= data.ops.size() || data.ops[op.at()].results.empty()) return {};
    return layoutWords(data.ops[op.at()].results.front().layout);
}

std::vector<std::string> adviceFor(const Plan& plan, OpId op) {
    std::vector<std::string> found;
    const std::string subject = "op " + nameOf(plan, op);
    for (const PassRun& run : plan.passes) {
        for (const Diagnostic& d : run.diagnostics) {
            if (d.where != subject || !isAdvice(d)) continue;
            found.push_back(d.code + " " + d.message + (d.hint.empty() ? "" : ": " + d.hint));
        }
    }
    return found;
}

std::vector<Explanation> explainChain(const Plan& plan, std::string_view name) {
    const std::vector<ChainInfo>& chains = ttnnData(plan).record.chains;
    for (std::size_t c = 0; c < chains.size(); ++c)
        if (!chains[c].ops.empty() && chainName(c) == name) return {ChainFacts(plan, c).run()};
    return {};
}

}  // namespace memplan::ttnn
