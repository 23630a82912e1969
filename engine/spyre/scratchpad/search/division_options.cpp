// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/search/division_options.h"

#include "engine/spyre/division/core_view.h"
#include "engine/spyre/division/hint_splits.h"
#include "engine/spyre/joint/menus.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

Splits committedOf(const Program& program, std::size_t op) {
    const bool divided = op < program.divisions.size() && !program.divisions[op].splits.empty();
    return divided ? program.divisions[op].splits : Splits(program.ops[op].loops.size(), 1);
}

bool inWrite(const Op& op, std::size_t loop) {
    return loop < op.write.index.coefficients.size() && op.write.index.coefficients[loop] != 0;
}

/// The only split loop, an output loop; -1 when it is not that simple.
int onlySplitOutputLoop(const Op& op, const Splits& splits) {
    int only = -1;
    for (std::size_t v = 0; v < splits.size(); ++v) {
        if (splits[v] <= 1) continue;
        if (only >= 0 || !inWrite(op, v)) return -1;
        only = static_cast<int>(v);
    }
    return only;
}

Bytes worstSpan(const IterationSpace& space, const Splits& splits) {
    Bytes most = 0;
    for (const DividedTensor& t : space.tensors)
        most = std::max(most, perCoreSpan(t, space.loops, splits));
    return most;
}

/// Legal as a division: whole sticks, and no span above the limit that was not above it before (11.1).
bool isLegal(const IterationSpace& space, const Splits& splits, const Splits& committed, Bytes limit) {
    for (std::size_t v = 0; v < splits.size(); ++v) {
        if (splits[v] > 1 && space.adjusted[v] % splits[v] != 0) return false;
    }
    for (const DividedTensor& t : space.tensors) {
        const Bytes span = perCoreSpan(t, space.loops, splits);
        if (span > limit && perCoreSpan(t, space.loops, committed) <= limit) return false;
    }
    return true;
}

/// What a reader of the written attribute sees: two divisions are the same when it is.
bool sameEncoding(const Op& op, const Splits& a, const Splits& b) {
    const SplitEncoding x = encodeSplits(a, splitIndices(op));
    const SplitEncoding y = encodeSplits(b, splitIndices(op));
    return x.output == y.output && x.reduction == y.reduction;
}

void addOnce(const Op& op, std::vector<Splits>& options, Splits division) {
    const bool known =
        std::any_of(options.begin(), options.end(), [&](const Splits& s) { return sameEncoding(op, s, division); });
    if (!known) options.push_back(std::move(division));
}

void addFlips(const Op& op, const IterationSpace& space, const OptionRule& rule, std::vector<Splits>& options) {
    const Splits committed = options.front();
    const int at = onlySplitOutputLoop(op, committed);
    if (at < 0) return;
    const std::int64_t f = committed[static_cast<std::size_t>(at)];
    for (std::size_t v = 0; v < op.loops.size() && options.size() < rule.cap; ++v) {
        if (static_cast<int>(v) == at || !inWrite(op, v) || op.loops[v].extent % f != 0) continue;
        Splits flipped(op.loops.size(), 1);
        flipped[v] = f;
        if (isLegal(space, flipped, committed, rule.spanLimit)) addOnce(op, options, std::move(flipped));
    }
}

bool isChoosable(const Op& op, std::size_t i, const DivisionHints& hints) {
    return op.isComputed() && op.kind != OpClass::Mutation && hints.splitFor(OpId::of(i)) == nullptr;
}

}  // namespace

std::string optionLabel(const Op& op, const Splits& splits) {
    return joint::divisionLabel(op, splits);
}

DivisionOptions flipOptions(const State& state, const PassContext& context, const OptionRule& rule) {
    const Program& program = state.program;
    const DivisionHints hints(context, state);
    DivisionOptions options(program.ops.size());
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const Op& op = program.ops[i];
        options[i].push_back(committedOf(program, i));
        if (!isChoosable(op, i, hints) || op.kind == OpClass::Reduction) continue;
        if (const auto space = iterationSpace(program, op)) addFlips(op, space.value(), rule, options[i]);
    }
    return options;
}

DivisionOptions richOptions(const State& state, const PassContext& context, const OptionRule& rule) {
    const Program& program = state.program;
    const DivisionHints hints(context, state);
    DivisionOptions options(program.ops.size());
    std::vector<IterationSpace> spaces(program.ops.size());
    std::vector<joint::PrunedOp> pruned;
    std::vector<std::size_t> position;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const Op& op = program.ops[i];
        options[i].push_back(committedOf(program, i));
        if (!isChoosable(op, i, hints) || (rule.choosable != nullptr && !(*rule.choosable)[i])) continue;
        auto space = iterationSpace(program, op);
        if (!space) continue;
        spaces[i] = std::move(space).value();
        pruned.push_back({&op, &spaces[i], options[i].front()});
        position.push_back(i);
    }
    // The menus of large graphs end after the divisions on most cores.
    constexpr std::size_t kOptionsInAll = 16'000;
    const std::size_t most =
        std::clamp(kOptionsInAll / std::max<std::size_t>(1, pruned.size()), rule.cap, std::max(rule.cap, rule.most));
    const std::int64_t cores = context.settings.integer("spyre.cores");
    const joint::PrunedMenus menus = joint::prunedMenus(pruned, cores, rule.cap);
    for (std::size_t p = 0; p < pruned.size(); ++p) {
        const std::size_t i = position[p];
        const Op& op = program.ops[i];
        const Splits committed = options[i].front();
        const auto take = [&](Splits s) {
            if (isLegal(spaces[i], s, committed, rule.spanLimit)) addOnce(op, options[i], std::move(s));
        };
        for (const SplitEncoding& e : menus.menus[p]) {
            Splits recovered = recoverSplits(e, splitIndices(op), op.loops);
            const SplitEncoding again = encodeSplits(recovered, splitIndices(op));
            const bool whole = again.output == e.output && again.reduction == e.reduction;
            if (whole && coresOf(recovered) <= hints.coresFor(OpId::of(i), static_cast<int>(cores)))
                take(std::move(recovered));
        }
        joint::MenuRule full;
        full.spanLimit = context.machine.spanLimitLate;
        full.cores = hints.coresFor(OpId::of(i), static_cast<int>(cores));
        if (worstSpan(spaces[i], committed) > full.spanLimit) continue;
        std::vector<Splits> menu = joint::fullMenu(op, spaces[i], full);
        std::stable_sort(menu.begin(), menu.end(),
                         [](const Splits& a, const Splits& b) { return coresOf(a) > coresOf(b); });
        for (Splits& s : menu) {
            if (options[i].size() >= most) break;
            // Multiplies never leave two dimensions for one on their own (defect 7 of the specification's list).
            const bool flattened = op.isMatmul() && onlySplitOutputLoop(op, committed) < 0 && coresOf(committed) > 1 &&
                                   onlySplitOutputLoop(op, s) >= 0;
            if (!flattened) take(std::move(s));
        }
    }
    return options;
}

}  // namespace memplan::spyre
