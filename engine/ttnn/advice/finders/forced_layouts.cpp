// SPDX-License-Identifier: Apache-2.0
// Layouts that bring a failed chain through, found with the solver before anything is compiled (ttnn-optimizer 5, 8.2).
// An edge is dead when no layout of its value at all fits any configuration of its reader (5.4), so what helps is
// another configuration of the reader: one that the limit has cut, one in row-major, or any where one is forced.
#include "engine/ttnn/advice/finders/finders.h"
#include "engine/ttnn/solver/chain_solution.h"

#include <algorithm>
#include <utility>

namespace memplan::ttnn::finders {
namespace {

/// A half for each page layout is more than an operation can use.
constexpr int kEveryLayout = 1024;

LayoutOverride wholeOverride(const Layout& layout) {
    LayoutOverride wanted;
    wanted.grid = layout.grid;
    wanted.buffer = layout.buffer;
    wanted.mem = layout.mem;
    wanted.page = layout.page;
    return wanted;
}

using Forced = std::vector<std::pair<OperationId, Layout>>;

/// The chain again, with other configurations for some of its operations.
class Rehearsal {
public:
    Rehearsal(const Facts& facts, const ChainInfo& chain)
        : facts_(facts), chain_(chain), options_(facts.s.input.options) {
        space_.ops.resize(facts.s.input.space.ops.size());
        for (const OperationId op : chain.ops)
            space_.ops[op.at()] = facts.s.input.space.ops[op.at()];
    }

    /// One change for each edge that is dead, in the order in which the solver meets them; nothing where one remains
    /// dead.
    Forced run() {
        std::optional<ChainFailure> dead = chain_.failure;
        Forced forced;
        while (dead) {
            const std::optional<Layout> layout = layoutFor(dead->consumer);
            if (!layout) return {};
            forced.emplace_back(dead->consumer, *layout);
            dead = solution().failure();
        }
        return forced;
    }

    /// Whether it has a solution when nothing is forced on that operation.
    bool isSolvedWithout(OperationId op) {
        std::erase_if(options_.outputLayouts, [&](const auto& entry) { return entry.first == nameOf(op); });
        return replaceSpace(op, options_) && solution().result.isSolved;
    }

private:
    [[nodiscard]] const std::string& nameOf(OperationId op) const { return facts_.operation(op).location.name; }
    [[nodiscard]] bool isForced(OperationId op) const {
        return findOverride(options_.outputLayouts, nameOf(op)) != nullptr;
    }

    ChainSolution solution() {
        const PolicyInput& in = facts_.s.input;
        const SolverContext context{facts_.flow, space_, in.layouts, in.model, options_};
        return solveChain(context, {chain_.ops, in.overrides, chain_.preferred, -1});
    }

    bool replaceSpace(OperationId op, const Options& options) {
        const PolicyInput& in = facts_.s.input;
        auto space = operationSpace(in.function, facts_.operation(op), options, in.layouts, in.model);
        if (!space) return false;
        space_.ops[op.at()] = std::move(space).value();
        return true;
    }

    /// The layout that the solver chooses for it when it may have any, forced in this rehearsal from now on.
    std::optional<Layout> layoutFor(OperationId op) {
        const auto at = std::ranges::find(chain_.ops, op);
        if (at == chain_.ops.end() || !facts_.canHint(op) || nameOf(op).empty() || isForced(op)) return std::nullopt;
        for (const bool isRowMajor : {false, true}) {
            const auto layout = chosenFromAll(static_cast<std::size_t>(at - chain_.ops.begin()), isRowMajor);
            if (!layout) continue;
            options_.outputLayouts.emplace_back(nameOf(op), wholeOverride(*layout));
            if (replaceSpace(op, options_)) return layout;
        }
        return std::nullopt;
    }

    /// Of the part of the chain that ends with that operation: what comes behind may have a dead edge of its own.
    std::optional<Layout> chosenFromAll(std::size_t at, bool isRowMajor) {
        Options all = options_;
        all.maxLegalLayouts = kEveryLayout;
        all.rowMajor = all.rowMajor || isRowMajor;
        all.validateOpLayouts = false;
        if (!replaceSpace(chain_.ops[at], all)) return std::nullopt;
        ChainSolution whole = solution();
        if (whole.result.isSolved) return whole.configs[at].output;
        const PolicyInput& in = facts_.s.input;
        const SolverContext context{facts_.flow, space_, in.layouts, in.model, options_};
        const std::span<const OperationId> part = std::span(chain_.ops).first(at + 1);
        ChainSolution upToIt = solveChain(context, {part, in.overrides, std::nullopt, -1});
        return upToIt.result.isSolved ? upToIt.configs[at].output : std::nullopt;
    }

    const Facts& facts_;
    const ChainInfo& chain_;
    SearchSpace space_;  ///< of its operations
    Options options_;
};

}  // namespace

std::optional<Proposal> solvingProposal(const Facts& facts, const ChainInfo& chain) {
    const bool isAtAnEdge = chain.failure && !chain.isConcat && chain.failure->stage != "position";
    if (!isAtAnEdge || facts.s.input.control.shouldStop()) return std::nullopt;
    const OperationId reader = chain.failure->consumer;
    const bool isForced =
        findOverride(facts.s.input.options.outputLayouts, facts.operation(reader).location.name) != nullptr;
    if (isForced) {
        if (!facts.canHint(reader) || !Rehearsal(facts, chain).isSolvedWithout(reader)) return std::nullopt;
        return withoutOverride(facts, reader);
    }
    std::vector<Hint> hints;
    std::string text;
    for (const auto& [op, layout] : Rehearsal(facts, chain).run()) {
        hints.push_back(facts.layoutHint(op, layout));
        text += (text.empty() ? "" : ", ") + shortWords(layout) + " for " + facts.name(op);
    }
    if (hints.empty()) return std::nullopt;
    return hintProposal(std::move(text), std::move(hints));
}

}  // namespace memplan::ttnn::finders
