// SPDX-License-Identifier: Apache-2.0
// Chains that failed, and layouts that the limit has cut.
#include "engine/base/text.h"
#include "engine/ttnn/advice/finders/finders.h"
#include "engine/ttnn/chains/op_kinds.h"
#include "engine/ttnn/solver/chain_solution.h"

#include <algorithm>

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

/// All edges but the dead one have paths: both parts have a solution by themselves, or no edge. Behind a dead entry
/// that is the rest of the chain.
bool isLostToOneEdge(const Facts& facts, const ChainInfo& chain, std::size_t at) {
    const Ops ops(chain.ops);
    if (at == 0) return isSolved(facts, ops.subspan(1));
    const auto hasPaths = [&](Ops part) { return part.size() == 1 || isSolved(facts, part); };
    return hasPaths(ops.first(at)) && hasPaths(ops.subspan(at));
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
        if (message != kOtherMessages) return message;
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

FailureProposals failureProposals(const Facts& facts, const ChainInfo& chain) {
    FailureProposals found;
    std::vector<Proposal>& proposals = found.all;
    const int at = deadAt(chain);
    if (at >= 0 && chain.ops.size() > 1) {
        const OperationId behind = chain.ops[std::max<std::size_t>(1, static_cast<std::size_t>(at))];
        if (facts.canHint(behind))
            proposals.push_back(hintProposal("break the chain before " + facts.name(behind),
                                             {facts.hint(behind, "break_chain", wordValue("before"))}));
    }
    if (std::optional<Proposal> solving = solvingProposal(facts, chain)) {
        found.solving = static_cast<int>(proposals.size());
        proposals.push_back(std::move(*solving));
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
    return found;
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
        f.proposals = failureProposals(facts, chain).all;
        if (limitThatKeepsAll(facts, chain.ops) == 0)
            std::erase_if(f.proposals, [](const Proposal& p) {
                return !p.change.settings.empty() && p.change.settings.front().first == "ttnn.row_major";
            });
        found.push_back({std::move(f), facts.likeness(chain.ops) + std::to_string(at)});
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
        if (std::optional<Proposal> solving = solvingProposal(facts, chain)) {
            f.fix += ", or force a layout that it has cut";
            f.proposals.push_back(std::move(*solving));
        }
        found.push_back({std::move(f), facts.likeness(chain.ops)});
    }
}

}  // namespace memplan::ttnn::finders
