// SPDX-License-Identifier: Apache-2.0
// Chains that end early, use few cores, or take long to solve.
#include "engine/base/text.h"
#include "engine/ttnn/advice/finders/finders.h"
#include "engine/ttnn/layout/arithmetic.h"

#include <algorithm>
#include <map>

namespace memplan::ttnn::finders {
namespace {

using text::grouped;

// ---- TT-059, TT-060 ----------------------------------------------------------------------------------------------

std::string nameOfEdge(const Facts& facts, int edge) {
    if (edge < 0 || static_cast<std::size_t>(edge) >= facts.record.edges.size()) return "an edge";
    const EdgeInfo& e = facts.record.edges[static_cast<std::size_t>(edge)];
    return e.producer.isValid() ? facts.name(e.producer) + " to " + facts.name(e.consumer)
                                : "the entry of " + facts.name(e.consumer);
}

/// The two edges that crossed out most configurations of the chain.
std::string conflict(const Facts& facts, const ChainInfo& chain) {
    std::map<int, int> cleared;
    for (const OperationId op : chain.ops)
        for (const std::int32_t edge : facts.record.ops[op.at()].clearedEdge)
            if (edge >= 0) ++cleared[edge];
    std::vector<std::pair<int, int>> edges(cleared.begin(), cleared.end());
    std::ranges::stable_sort(edges, [](const auto& a, const auto& b) { return a.second > b.second; });
    std::string words;
    for (std::size_t i = 0; i < edges.size() && i < 2; ++i)
        words += (i > 0 ? " and " : "") + nameOfEdge(facts, edges[i].first) + " (" + std::to_string(edges[i].second) +
                 " configurations)";
    return words;
}

/// The configuration with most cores of at least twice the chosen that was legal at first; -1 for none.
int largerConfig(const OpRecord& record) {
    if (record.selected < 0) return -1;
    const std::int64_t chosen = record.sharded[static_cast<std::size_t>(record.selected)].grid.volume();
    int best = -1;
    std::int64_t most = 2 * chosen - 1;
    for (std::size_t i = 0; i < record.sharded.size(); ++i) {
        const bool wasLegal = i < record.clearedEdge.size() && record.clearedEdge[i] != -2;
        if (!wasLegal || record.sharded[i].grid.volume() <= most) continue;
        most = record.sharded[i].grid.volume();
        best = static_cast<int>(i);
    }
    return best;
}

/// Why a configuration that no edge has crossed out was not chosen: the last result of a chain is given the layout that
/// a concatenation behind it wants before anything else is chosen (5.6), and others follow it.
std::string leftToTheEnd(const Facts& facts, OperationId op, const OpRecord& record, std::size_t larger) {
    const ChainInfo& chain = facts.record.chains[static_cast<std::size_t>(record.chain)];
    const OpRecord& last = facts.record.ops[chain.ops.back().at()];
    const bool isPreferred = chain.preferred && last.selected >= 0 &&
                             last.sharded[static_cast<std::size_t>(last.selected)].mem == chain.preferred;
    const std::string wish(isPreferred ? wordOf(*chain.preferred) : std::string_view());
    if (isPreferred && op == chain.ops.back() && record.sharded[larger].mem != chain.preferred)
        return "a concatenation prefers the chain's result " + wish + ", and that was chosen first";
    if (isPreferred && op != chain.ops.back())
        return "it was left to the end, and the chain's result, " + wish +
               " as a concatenation prefers it, was chosen first";
    return "it was left to the end, and the chain as a whole had more cores without it";
}

Finding fewCoresAt(const Facts& facts, OperationId op, const OpRecord& record, std::size_t larger) {
    const Layout& chosen = record.sharded[static_cast<std::size_t>(record.selected)];
    Finding f;
    f.code = "TT-060";
    f.word = "few_cores";
    f.ops = {facts.inPlan(op)};
    f.chain = record.chain;
    f.message = facts.name(op) + " runs on " + std::to_string(chosen.grid.volume()) + " of " +
                std::to_string(facts.workers()) + " cores (" + shortWords(chosen) + ") although " +
                shortWords(record.sharded[larger]) + " was legal: ";
    const std::int32_t edge = record.clearedEdge[larger];
    f.message += edge >= 0 ? "crossed out by " + nameOfEdge(facts, edge) + " in round " +
                                 std::to_string(record.clearedRound[larger])
                           : leftToTheEnd(facts, op, record, larger);
    f.fix = "force the layout with more cores";
    if (facts.canHint(op))
        f.proposals.push_back(hintProposal(shortWords(record.sharded[larger]) + " for " + facts.name(op),
                                           {facts.layoutHint(op, record.sharded[larger])}));
    return f;
}

// ---- TT-056 ------------------------------------------------------------------------------------------------------

/// First operation of a completed chain that reads this result, as it does now.
OperationId chainReader(const Facts& facts, OperationId op) {
    for (const OperationId reader : facts.flow.readers(op)) {
        const ChainInfo* chain = facts.chainOf(reader);
        if (chain != nullptr && chain->state == ChainState::Completed) return reader;
    }
    return {};
}

/// The operation takes a value of `from` in L1, and `reader` takes its result there.
bool couldPassThrough(const Facts& facts, OperationId from, OperationId op, OperationId reader) {
    const Device& device = facts.s.input.model.device();
    const auto inL1 = [&](OperationId producer) {
        return l1Interleaved(facts.function.typeOf(facts.function.resultOf(producer)).shape, *facts.layout(producer),
                             device);
    };
    const auto withL1 = [&](OperationId at, OperationId producer) {
        std::optional<std::vector<Layout>> inputs = facts.inputs(at);
        const auto& operands = facts.flow.operands(at);
        for (std::size_t k = 0; inputs && k < operands.size(); ++k)
            if (operands[k].producer == producer) (*inputs)[k] = inL1(producer);
        return inputs;
    };
    if (facts.layout(from) == nullptr || facts.layout(op) == nullptr) return false;
    const auto own = withL1(op, from), others = withL1(reader, op);
    OpConfig config = facts.config(op);
    config.output = inL1(op);
    return own && others && facts.runs(op, *own, config) && facts.runs(reader, *others, facts.config(reader));
}

}  // namespace

void operandOrder(const Facts& facts, RawFindings& found) {
    constexpr std::string_view kKinds[]{"add", "multiply", "minimum", "maximum"};
    for (std::size_t c = 0; c < facts.record.chains.size(); ++c) {
        const ChainInfo& chain = facts.record.chains[c];
        if (chain.endedBy != EndedBy::NotFirstOperand || !chain.endedAt.isValid()) continue;
        const Operation& op = facts.operation(chain.endedAt);
        if (std::ranges::find(kKinds, op.kind()) == std::end(kKinds)) continue;
        const OperationId last = chain.ops.back();
        Finding f;
        f.code = "TT-055";
        f.word = "operand_order";
        f.chain = static_cast<int>(c);
        f.ops = {facts.inPlan(chain.endedAt), facts.inPlan(last)};
        f.bytes = facts.wholeBytes(facts.function.resultOf(last));
        f.message = "chain " + std::to_string(c) + " ends because " + facts.name(chain.endedAt) + " reads " +
                    facts.name(last) + " as operand " + std::to_string(chain.endedOperand) +
                    "; a chain goes on through operand 0, and " + std::string(op.kind()) +
                    " may have its operands in either order";
        if (chain.state == ChainState::Completed && chain.spill == SpillLocation::None) {
            f.message += "; its value stays in L1 by a merge all the same";
            f.bytes = 0;
        }
        f.fix = "exchange the operands of " + facts.name(chain.endedAt) + " in the source model";
        if (facts.canHint(chain.endedAt) && chain.endedOperand == 1) {
            Proposal proposal;
            proposal.change.text = "operands of " + facts.name(chain.endedAt) + " exchanged in the source";
            proposal.exchange = {facts.s.hintIds[chain.endedAt.at()]};
            f.proposals.push_back(std::move(proposal));
        }
        const OperationId pair[]{chain.endedAt, last};
        found.push_back({std::move(f), facts.likeness(pair)});
    }
}

void kindsOutside(const Facts& facts, RawFindings& found) {
    for (std::size_t c = 0; c < facts.record.chains.size(); ++c) {
        const ChainInfo& chain = facts.record.chains[c];
        if (chain.state != ChainState::Completed || chain.endedBy != EndedBy::NotShardable || !chain.endedAt.isValid())
            continue;
        const OperationId op = chain.endedAt, reader = chainReader(facts, op);
        const Layout* layout = facts.layout(op);
        if (!reader.isValid() || layout == nullptr || layout->isInL1()) continue;
        if (!couldPassThrough(facts, chain.ops.back(), op, reader)) continue;
        Finding f;
        f.code = "TT-056";
        f.word = "kind_outside_set";
        f.chain = static_cast<int>(c);
        f.ops = {facts.inPlan(op), facts.inPlan(chain.ops.back()), facts.inPlan(reader)};
        f.bytes = facts.wholeBytes(facts.function.resultOf(op));
        f.message = facts.name(op) + " (" + std::string(facts.operation(op).kind()) +
                    ") never enters a chain and parts " + facts.name(chain.ops.back()) + " from " + facts.name(reader) +
                    ", which would both take its value in interleaved L1 (" + grouped(f.bytes) + " B go through DRAM)";
        f.fix = "the L1 interleaved fallback keeps values that the very next operation reads";
        if (!facts.s.input.options.l1InterleavedFallback)
            f.proposals.push_back(settingProposal("L1 interleaved fallback", "ttnn.l1_interleaved_fallback", "true"));
        const OperationId three[]{op, chain.ops.back(), reader};
        found.push_back({std::move(f), facts.likeness(three)});
    }
}

void longPropagation(const Facts& facts, RawFindings& found) {
    constexpr std::int64_t kMostVisits = 8;
    for (std::size_t c = 0; c < facts.record.chains.size(); ++c) {
        const ChainInfo& chain = facts.record.chains[c];
        const auto most = std::ranges::max_element(chain.counters.visits);
        const std::int64_t visits = most == chain.counters.visits.end() ? 0 : *most;
        const auto ops = static_cast<std::int64_t>(chain.ops.size());
        if (chain.counters.rounds <= 2 * ops && visits <= kMostVisits) continue;
        Finding f;
        f.code = "TT-059";
        f.word = "long_propagation";
        f.chain = static_cast<int>(c);
        const std::size_t at =
            most == chain.counters.visits.end() ? 0 : static_cast<std::size_t>(most - chain.counters.visits.begin());
        f.ops = {facts.inPlan(chain.ops[std::min(at, chain.ops.size() - 1)])};
        f.message = "layouts of chain " + std::to_string(c) + " were crossed out in " +
                    std::to_string(chain.counters.rounds) + " rounds over " + std::to_string(ops) +
                    " operations, one visited " + std::to_string(visits) + " times";
        if (const std::string edges = conflict(facts, chain); !edges.empty())
            f.message += "; most was crossed out by " + edges;
        f.fix = "step through the trace of the chain to see the two edges narrow each other";
        found.push_back({std::move(f), facts.likeness(chain.ops)});
    }
}

void fewCores(const Facts& facts, RawFindings& found) {
    for (const ChainInfo& chain : facts.record.chains) {
        if (chain.state != ChainState::Completed) continue;
        for (const OperationId op : chain.ops) {
            const OpRecord& record = facts.record.ops[op.at()];
            const int larger = largerConfig(record);
            if (larger < 0) continue;
            const auto chosen = static_cast<std::size_t>(record.selected);
            if (2 * record.sharded[chosen].grid.volume() >= facts.workers()) continue;
            const OperationId one[]{op};
            found.push_back({fewCoresAt(facts, op, record, static_cast<std::size_t>(larger)), facts.likeness(one)});
        }
    }
}

}  // namespace memplan::ttnn::finders
