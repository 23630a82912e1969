// SPDX-License-Identifier: Apache-2.0
// Chains that failed, ended early, or use few cores.
#include "engine/base/text.h"
#include "engine/ttnn/advice/finders.h"
#include "engine/ttnn/chains/op_kinds.h"
#include "engine/ttnn/layout/arithmetic.h"
#include "engine/ttnn/solver/chain_solution.h"

#include <algorithm>
#include <map>

namespace memplan::ttnn::finders {
namespace {

constexpr int kMostLayouts = 512;

using text::grouped;
using Ops = std::span<const OperationId>;

/// Where the dead edge of a failed chain stands: position of its consumer; -1 for a chain that died elsewhere.
int deadAt(const ChainInfo& chain) {
    if (!chain.failure || chain.isConcat) return -1;
    const auto it = std::ranges::find(chain.ops, chain.failure->consumer);
    return it == chain.ops.end() ? -1 : static_cast<int>(it - chain.ops.begin());
}

bool isSolved(const Facts& facts, Ops ops) {
    const PolicyInput& in = facts.s.input;
    const SolverContext context{facts.flow, in.space, in.layouts, in.model, in.options};
    return !ops.empty() && solveChain(context, {ops, in.overrides, std::nullopt, -1}).result.isSolved;
}

/// All edges but the dead one have paths: both parts have a solution by themselves. Behind a dead entry that is the
/// rest of the chain.
bool isLostToOneEdge(const Facts& facts, const ChainInfo& chain, std::size_t at) {
    const Ops ops(chain.ops);
    if (at == 0) return isSolved(facts, ops.subspan(1));
    return isSolved(facts, ops.first(at)) && isSolved(facts, ops.subspan(at));
}

/// Layouts on both sides of an edge with most cores together that fit each other, whatever the limit has kept.
std::optional<std::pair<Layout, Layout>> bestPair(const Facts& facts, const ChainFailure& failure) {
    const PolicyInput& in = facts.s.input;
    const ValueId from = facts.function.resultOf(failure.producer), to = facts.function.resultOf(failure.consumer);
    const auto& operands = facts.flow.operands(failure.consumer);
    const auto slot = std::ranges::find(operands, failure.operand, &TensorOperand::position);
    std::optional<std::vector<Layout>> inputs = facts.inputs(failure.consumer);
    if (!inputs || slot == operands.end() || !to.isValid()) return std::nullopt;
    const auto all = [&](ValueId value) -> const LayoutList& {
        const Type& type = facts.function.typeOf(value);
        return in.layouts.of(type.shape, type.dtype, PageLayout::Tile);
    };
    const OpSpace* space = facts.space(failure.consumer);
    OpConfig config;
    if (space != nullptr && !space->sharded.empty()) config.attrs = space->sharded.front().attrs;
    if (isMatmul(facts.operation(failure.consumer))) config.attrs = {};  // its program depends on the layout
    std::optional<std::pair<Layout, Layout>> best;
    std::int64_t most = 0;
    for (const Layout& producer : all(from).sharded) {
        (*inputs)[static_cast<std::size_t>(slot - operands.begin())] = producer;
        const Validation answer =
            in.model.validate({facts.function, facts.operation(failure.consumer), *inputs, config, 0, 0});
        if (!answer.ok() || answer.constraints.outputs.empty()) continue;
        const Layout& consumer = answer.constraints.outputs.front();
        const std::int64_t cores = producer.grid.volume() + consumer.grid.volume();
        if (!consumer.isL1Sharded() || cores <= most) continue;
        most = cores;
        best.emplace(producer, consumer);
    }
    return best;
}

std::string mostSaid(const ChainFailure& failure) {
    for (const auto& [message, count] : failure.reasons)
        if (message != "other messages") return message;
    return failure.stage;
}

std::string edgeName(const Facts& facts, const ChainFailure& failure) {
    if (!failure.producer.isValid()) return "the entry of " + facts.name(failure.consumer);
    return facts.name(failure.producer) + " to " + facts.name(failure.consumer);
}

Bytes resultBytes(const Facts& facts, Ops ops) {
    Bytes bytes = 0;
    for (const OperationId op : ops)
        if (const ValueId result = facts.function.resultOf(op); result.isValid()) bytes += facts.wholeBytes(result);
    return bytes;
}

Proposal limitProposal(int limit) {
    return settingProposal("legal layouts " + std::to_string(limit), "ttnn.max_legal_layouts", std::to_string(limit));
}

std::string cutWords(const Facts& facts, Ops ops) {
    std::string words;
    for (const OperationId op : ops) {
        const OpSpace* space = facts.space(op);
        if (space == nullptr || space->keptLayouts >= space->shardedLayouts) continue;
        words += (words.empty() ? "" : ", ") + facts.name(op) + " " + std::to_string(space->keptLayouts) + " of " +
                 std::to_string(space->shardedLayouts);
    }
    return words;
}

double meanCores(const ChainInfo& chain, const Facts& facts) {
    std::int64_t cores = 0;
    for (const OperationId op : chain.ops)
        if (const Layout* layout = facts.layout(op); layout != nullptr && layout->isSharded())
            cores += layout->grid.volume();
    return static_cast<double>(cores) / static_cast<double>(chain.ops.size());
}

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
                           : "it was left to the end, and the chain as a whole had more cores without it";
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

int limitThatKeepsAll(const Facts& facts, const std::vector<OperationId>& ops) {
    const Options& options = facts.s.input.options;
    int limit = 0;
    for (const OperationId op : ops) {
        const OpSpace* space = facts.space(op);
        const ValueId result = facts.function.resultOf(op);
        if (space == nullptr || space->keptLayouts >= space->shardedLayouts || !result.isValid()) continue;
        const Type& type = facts.function.typeOf(result);
        const auto count = [&](PageLayout page) {
            return static_cast<int>(facts.s.input.layouts.of(type.shape, type.dtype, page).sharded.size());
        };
        const int tiles = count(PageLayout::Tile);
        limit = std::max(limit, options.rowMajor ? 2 * std::max(tiles, count(PageLayout::RowMajor)) : tiles);
    }
    limit = std::min(limit, kMostLayouts);
    return limit > options.maxLegalLayouts ? limit : 0;
}

std::vector<Proposal> failureProposals(const Facts& facts, const ChainInfo& chain) {
    std::vector<Proposal> proposals;
    const int at = deadAt(chain);
    if (at >= 0 && chain.ops.size() > 1) {
        const OperationId behind = chain.ops[std::max<std::size_t>(1, static_cast<std::size_t>(at))];
        if (facts.canHint(behind))
            proposals.push_back(hintProposal("break the chain before " + facts.name(behind),
                                             {facts.hint(behind, "break_chain", wordValue("before"))}));
    }
    if (at > 0 && chain.failure->producer.isValid()) {
        const ChainFailure& failure = *chain.failure;
        const auto pair = bestPair(facts, failure);
        if (pair && facts.canHint(failure.producer) && facts.canHint(failure.consumer))
            proposals.push_back(hintProposal(
                shortWords(pair->first) + " for " + facts.name(failure.producer) + ", " + shortWords(pair->second) +
                    " for " + facts.name(failure.consumer),
                {facts.layoutHint(failure.producer, pair->first), facts.layoutHint(failure.consumer, pair->second)}));
    }
    if (const int limit = limitThatKeepsAll(facts, chain.ops); limit > 0) proposals.push_back(limitProposal(limit));
    if (!facts.s.input.options.rowMajor && !chain.isConcat)
        proposals.push_back(settingProposal("row major layouts", "ttnn.row_major", "true"));
    return proposals;
}

void deadEdges(const Facts& facts, RawFindings& found) {
    for (std::size_t c = 0; c < facts.record.chains.size() && !facts.s.input.control.shouldStop(); ++c) {
        const ChainInfo& chain = facts.record.chains[c];
        const int at = chain.state == ChainState::Failed && chain.ops.size() > 1 ? deadAt(chain) : -1;
        if (at < 0 || !isLostToOneEdge(facts, chain, static_cast<std::size_t>(at))) continue;
        Finding f;
        f.code = "TT-051";
        f.word = "one_dead_edge";
        f.chain = static_cast<int>(c);
        f.ops = {facts.inPlan(chain.failure->consumer)};
        if (chain.failure->producer.isValid()) f.ops.push_back(facts.inPlan(chain.failure->producer));
        f.bytes = resultBytes(facts, chain.ops);
        f.message = "one edge without a pair of layouts sends all " + std::to_string(chain.ops.size()) +
                    " operations of chain " + std::to_string(c) + " to DRAM (" + grouped(f.bytes) +
                    " B of results): " + edgeName(facts, *chain.failure) + ", " + mostSaid(*chain.failure);
        f.fix = "break the chain there, or force layouts that fit on both sides";
        f.proposals = failureProposals(facts, chain);
        if (limitThatKeepsAll(facts, chain.ops) == 0)
            std::erase_if(f.proposals, [](const Proposal& p) {
                return !p.change.settings.empty() && p.change.settings.front().first == "ttnn.row_major";
            });
        found.push_back({std::move(f), facts.likeness(chain.ops) + std::to_string(at)});
    }
}

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

void cutLayouts(const Facts& facts, RawFindings& found) {
    for (std::size_t c = 0; c < facts.record.chains.size(); ++c) {
        const ChainInfo& chain = facts.record.chains[c];
        const bool isFailed = chain.state == ChainState::Failed;
        const double cores = isFailed ? 0 : meanCores(chain, facts);
        const bool isSmall = chain.state == ChainState::Completed && !chain.isReshape &&
                             2 * cores < static_cast<double>(facts.workers());
        const std::string cut = isFailed || isSmall ? cutWords(facts, chain.ops) : std::string();
        if (cut.empty()) continue;
        Finding f;
        f.code = "TT-058";
        f.word = "layouts_cut";
        f.chain = static_cast<int>(c);
        for (const OperationId op : chain.ops)
            f.ops.push_back(facts.inPlan(op));
        f.message = "chain " + std::to_string(c) +
                    (isFailed ? std::string(" failed") : " uses " + text::fixed(cores, 1) + " cores on average") +
                    ", and the limit of " + std::to_string(facts.s.input.options.maxLegalLayouts) +
                    " has cut sharded layouts: " + cut;
        f.fix = "raise the limit";
        if (const int limit = limitThatKeepsAll(facts, chain.ops); limit > 0)
            f.proposals.push_back(limitProposal(limit));
        found.push_back({std::move(f), facts.likeness(chain.ops)});
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
