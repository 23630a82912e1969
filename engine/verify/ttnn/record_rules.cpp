// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/record_rules.h"

#include "engine/verify/ttnn/legal_layouts.h"
#include "engine/verify/ttnn/op_facts.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>

namespace memplan::verify::ttnn {
namespace {

using memplan::ttnn::ChainFailure;
using memplan::ttnn::ChainInfo;
using memplan::ttnn::ChainState;
using memplan::ttnn::EdgeInfo;
using memplan::ttnn::MergeInfo;
using memplan::ttnn::MergeKind;
using memplan::ttnn::Reservation;
using memplan::ttnn::ReshardOrigin;
using text::grouped;

/// Configurations that a solver looks at (5.1), and those of one layout of a convolution (3.4).
constexpr std::int64_t kMostConfigs = 512;

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

class RecordRules {
public:
    RecordRules(const Plan& plan, const Values& values, Report& report)
        : plan_(plan), data_(ttnnData(plan)), values_(values), report_(report) {}

    void run() {
        checkSwitches();
        for (std::size_t c = 0; c < data_.record.chains.size(); ++c)
            checkChain(c);
        for (const EdgeInfo& edge : data_.record.edges)
            checkEdge(edge);
        for (const Reservation& r : data_.record.reservations)
            checkPurpose(r);
        for (const MergeInfo& m : data_.record.merges)
            if (m.joinOp.isValid() && (m.kind == MergeKind::Concat || m.kind == MergeKind::ThreeWay) && m.operand != 0)
                report_.add("VER-008", "merge into " + plan_.op(m.joinOp).name,
                            "it is of all operands, but names operand " + std::to_string(m.operand), {m.joinOp});
    }

private:
    const Plan& plan_;
    const TtnnData& data_;
    const Values& values_;
    Report& report_;

    [[nodiscard]] const TtnnOp& facts(OpId op) const { return data_.ops[op.at()]; }

    // ---- switches ----------------------------------------------------------------------------------------------

    /// What is switched off has left nothing in the plan.
    void checkSwitches() {
        const auto& record = data_.record;
        const auto isOff = [&](std::string_view key, bool isThere, const char* what) {
            if (!plan_.settings.boolean(key) && isThere)
                report_.add("VER-013", "settings " + std::string(key),
                            std::string("it is off, but the plan has ") + what);
        };
        const auto hasPurpose = [&](std::string_view purpose) {
            return std::ranges::any_of(record.reservations, [&](const Reservation& r) { return r.purpose == purpose; });
        };
        const bool hasMerge = std::ranges::any_of(
            record.merges, [](const MergeInfo& m) { return m.isAccepted && m.kind != MergeKind::Concat; });
        const bool hasReshard = std::ranges::any_of(data_.ops, [](const TtnnOp& op) {
            return op.conversion == TtnnConversion::Forced || op.conversion == TtnnConversion::Override ||
                   op.conversion == TtnnConversion::Proactive;
        });
        isOff("ttnn.enable_optimizer", !record.chains.empty(), "chains");
        isOff("ttnn.memory_layout_analysis", !record.chains.empty(), "chains");
        isOff("ttnn.concat_chains", std::ranges::count(record.chains, true, &ChainInfo::isConcat) > 0, "concat chains");
        isOff("ttnn.reshape_reservations", hasPurpose("reshape"), "reservations of reshapes");
        isOff("ttnn.fork_reservations", hasPurpose("fork"), "reservations of forks");
        isOff("ttnn.chain_merging", hasMerge, "merges");
        isOff("ttnn.memreconfig", hasReshard, "reshards");
    }

    // ---- chains ------------------------------------------------------------------------------------------------

    void chain(std::size_t c, std::string message) {
        report_.add("VER-008", "chain " + std::to_string(c), std::move(message), data_.record.chains[c].ops);
    }

    void checkChain(std::size_t c) {
        const ChainInfo& info = data_.record.chains[c];
        if (info.ops.empty()) return;
        if (!info.isReshape && info.isConcat != (kindOf(facts(info.ops.front())) == "concat"))
            chain(c, info.isConcat ? "it is said to be of a concatenation, and is not"
                                   : "it is of a concatenation, and is not said to be");
        if (info.failure) checkFailure(c, info, *info.failure);
        if (!info.isConcat && !info.isReshape) checkCounters(c, info);
    }

    /// A solver checks each edge at most once, visits an operation at most once in a round and one at least (5.5).
    void checkCounters(std::size_t c, const ChainInfo& info) {
        const auto& n = info.counters;
        std::int64_t edges = 0;
        for (const EdgeInfo& edge : data_.record.edges)
            edges += edge.chain == static_cast<int>(c) && isChecked(edge) ? 1 : 0;
        const bool isSolved = info.state == ChainState::Completed;
        if (n.edgesChecked > edges || (isSolved && n.edgesChecked != edges))
            chain(c, "its counters have " + grouped(n.edgesChecked) + " edges checked, the record has " +
                         grouped(edges) + " of it");
        if (n.visits.size() != info.ops.size()) return;  // said by the rules of chains
        const auto [least, most] = std::ranges::minmax(n.visits);
        const std::int64_t sum = std::accumulate(n.visits.begin(), n.visits.end(), std::int64_t{0});
        if (most > n.rounds || n.rounds > sum)
            chain(c, "its counters have " + grouped(n.rounds) + " rounds, in which an operation was visited " +
                         grouped(most) + " times and all together " + grouped(sum));
        if (isSolved && least < 1) chain(c, "its counters have an operation that propagation never came to");
        if (isSolved && n.modelCalls < 1) chain(c, "its counters have no question to the model");
    }

    /// Edges that are resharded by hand, and the entry of a convolution, are not checked.
    [[nodiscard]] bool isChecked(const EdgeInfo& edge) const {
        if (!edge.consumer.isValid() || edge.origin == ReshardOrigin::Override) return false;
        return edge.producer.isValid() || !isConvolution(facts(edge.consumer));
    }

    void checkFailure(std::size_t c, const ChainInfo& info, const ChainFailure& f) {
        const bool isStage = isOneOf(f.stage, {"entry", "edge", "propagation", "selection", "position"}) ||
                             (info.isConcat && f.stage.starts_with("concat_"));
        if (!isStage) chain(c, "it failed at the stage " + f.stage + ", which is none");
        if (std::ranges::any_of(f.reasons, [](const auto& reason) { return reason.second < 1; }))
            chain(c, "it failed for a reason that was given no time");
        if (f.stage == "position" || info.isConcat) return;
        const auto at = std::ranges::find(info.ops, f.consumer);
        if (at == info.ops.end()) return chain(c, "it failed at an operation that is none of its own");
        const bool isEntry = at == info.ops.begin();
        if (isEntry == f.producer.isValid() || (!isEntry && *(at - 1) != f.producer))
            chain(c, "it failed at an edge that is none of its own");
        if ((f.stage == "entry") != isEntry) chain(c, "it failed at the stage " + f.stage + ", but not there");
        if (f.operand != 0) chain(c, "it failed at operand " + std::to_string(f.operand) + ", but follows operand 0");
    }

    // ---- edges -------------------------------------------------------------------------------------------------

    /// Configurations that the search space can have for an operation (3.3, 3.4).
    [[nodiscard]] std::int64_t mostConfigs(OpId op) const {
        const auto choices = shardedChoices(plan_, op);
        const std::int64_t layouts = choices
                                         ? std::ssize(*choices)
                                         : std::max<std::int64_t>(1, plan_.settings.integer("ttnn.max_legal_layouts"));
        return std::min(kMostConfigs, layouts * (isConvolution(facts(op)) ? kConvolutionConfigs : 1));
    }

    /// The layout of a configuration is that of the result; configurations of a convolution have all layouts each.
    void checkChoice(OpId op, int selected) {
        const auto choices = shardedChoices(plan_, op);
        if (!choices || choices->empty() || selected < 0) return;
        const Layout& chosen = (*choices)[static_cast<std::size_t>(selected) % choices->size()];
        const Layout& real = facts(op).results.front().layout;
        if (chosen.mem == real.mem && chosen.grid == real.grid && chosen.page == real.page) return;
        report_.add("VER-008", "edge to " + plan_.op(op).name,
                    "it chose configuration " + grouped(selected) + ", which is " + layoutWords(chosen) +
                        ", the result is " + layoutWords(real),
                    {op});
    }

    void checkEdge(const EdgeInfo& edge) {
        if (edge.chain < 0 || !edge.consumer.isValid()) return;  // said by the rules of chains
        const auto report = [&](std::string message) {
            report_.add("VER-008", "edge to " + plan_.op(edge.consumer).name, std::move(message), {edge.consumer});
        };
        const ChainInfo& info = data_.record.chains[static_cast<std::size_t>(edge.chain)];
        const auto checkCount = [&](int stated, OpId op, int selected) {
            const std::int64_t most = op.isValid() ? mostConfigs(op) : 0;
            if (stated > most)
                report("it says " + grouped(stated) + " configurations, there are at most " + grouped(most));
            if (op.isValid() && selected >= most)
                report("it chose configuration " + grouped(selected) + ", there are at most " + grouped(most));
        };
        checkCount(edge.producerConfigs, edge.producer, edge.selected.first);
        checkCount(edge.producer.isValid() ? edge.consumerConfigs : 0, edge.consumer, edge.selected.second);
        if (!edge.producer.isValid() && edge.consumerConfigs != 0)
            report("it is an entry, and says how many configurations met");
        const bool isSolved = info.state == ChainState::Completed && data_.hasChains;
        if (!isSolved || edge.origin != ReshardOrigin::Forced) return;
        if (edge.selected.second < 0 || (edge.producer.isValid() && edge.selected.first < 0))
            report("its chain is completed, but no pair was chosen");
        if (edge.producer.isValid() && edge.producerConfigs < 1)
            report("its chain is completed, but its producer has no configuration");
        checkChoice(edge.consumer, edge.selected.second);
        for (const EdgeInfo& before : data_.record.edges)
            if (edge.producer.isValid() && before.chain == edge.chain && before.consumer == edge.producer)
                checkBehind(before, edge);
    }

    /// An operation has one choice, and what it had on the way in only becomes less.
    void checkBehind(const EdgeInfo& before, const EdgeInfo& edge) {
        const std::string where = "edge to " + plan_.op(edge.consumer).name;
        if (before.selected.second != edge.selected.first)
            report_.add("VER-008", where,
                        "it chose configuration " + std::to_string(edge.selected.first) + " of " +
                            plan_.op(edge.producer).name + ", the edge into that chose " +
                            std::to_string(before.selected.second),
                        {edge.consumer});
        const bool isKnown = before.producer.isValid() && before.origin == ReshardOrigin::Forced;
        if (isKnown && edge.producerConfigs > before.consumerConfigs)
            report_.add("VER-008", where,
                        plan_.op(edge.producer).name + " has " + std::to_string(edge.producerConfigs) +
                            " configurations there, and had " + std::to_string(before.consumerConfigs),
                        {edge.consumer});
    }

    void checkPurpose(const Reservation& r) {
        if (!r.source.isValid()) return;
        const auto report = [&](std::string message) {
            report_.add("VER-008", "reservation of " + plan_.op(r.source).name, std::move(message), {r.source});
        };
        if (!isOneOf(r.purpose, {"fork", "reshape", "merge", "concat", "hint"}))
            return report("its purpose is " + r.purpose + ", which is none");
        if (facts(r.source).results.empty()) return;
        const BufferId result = facts(r.source).results.front().buffer;
        if (r.purpose == "fork" && usesOf(result) < 2) report("its purpose is fork, but its value has one use");
        const bool isAtReshape = kindOf(facts(r.source)) == "reshape" || isReadByReshape(result);
        if (r.purpose == "reshape" && !isAtReshape) report("its purpose is reshape, but none reads or writes it");
    }

    /// Operand slots that read the value, and the caller, through conversions.
    [[nodiscard]] std::size_t usesOf(BufferId buffer) const {
        std::size_t uses = values_.of(buffer).isReturned ? 1 : 0;
        for (const OpId reader : values_.of(buffer).readers) {
            const TtnnOp& op = facts(reader);
            uses += op.conversion != TtnnConversion::None && !op.results.empty()
                        ? usesOf(op.results.front().buffer)
                        : static_cast<std::size_t>(std::ranges::count(op.operands, buffer, &TtnnTensor::buffer));
        }
        return uses;
    }
    [[nodiscard]] bool isReadByReshape(BufferId buffer) const {
        return std::ranges::any_of(values_.of(buffer).readers, [&](OpId reader) {
            const TtnnOp& op = facts(reader);
            const bool isPassedOn = op.conversion != TtnnConversion::None && !op.results.empty();
            return isPassedOn ? isReadByReshape(op.results.front().buffer) : kindOf(facts(reader)) == "reshape";
        });
    }
};

}  // namespace

void checkRecord(const Plan& plan, const Values& values, Report& report) {
    RecordRules(plan, values, report).run();
}

}  // namespace memplan::verify::ttnn
