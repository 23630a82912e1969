// SPDX-License-Identifier: Apache-2.0
#include "engine/base/text.h"
#include "engine/spyre/program_edit.h"
#include "engine/spyre/texts/decisions.h"
#include "engine/spyre/tiling/joint/choose_tilings.h"
#include "engine/spyre/tiling/passes.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

PassOutcome outcomeOf(const TilingChoice& choice) {
    PassOutcome outcome{!choice.chosen.empty(), {}};
    outcome.counts["nests"] = static_cast<std::int64_t>(choice.chosen.size());
    outcome.counts["options_bounded"] = choice.looked;
    outcome.counts["options_valued"] = choice.valued;
    if (choice.chosen.empty() || choice.byRuns) return outcome;
    outcome.counts["traffic_before"] = choice.chosen.front().before.traffic;
    outcome.counts["traffic_after"] = choice.chosen.back().after.traffic;
    return outcome;
}

void reportSearch(const TilingChoice& choice, PassContext& context) {
    Decision d;
    d.kind = DecisionKind::TilingSearch;
    d.chosen = choice.chosen.empty() ? Statement(say::kNoLoops) : Statement(say::kNests, choice.chosen.size());
    d.alternatives = {{say::kOptionsBounded, static_cast<double>(choice.looked)},
                      {say::kRefused, static_cast<double>(choice.refused)},
                      {say::kPassedOver, static_cast<double>(choice.passedOver)},
                      {say::kValued, static_cast<double>(choice.valued)},
                      {say::kLeastBound, static_cast<double>(choice.leastBound)}};
    std::vector<Statement> why;
    why.push_back(choice.looked == 0 ? Statement(say::kNoLoopsNeeded)
                                     : Statement(say::kLeastTraffic, choice.leastBound));
    if (choice.byRuns) why.emplace_back(say::kInParts);
    if (choice.stopped) why.emplace_back(say::kTimeLimitEnded);
    if (choice.exhausted) why.emplace_back(say::kOptionLimitEnded);
    d.why = {say::kParts, std::move(why)};
    context.decide(std::move(d));
}

void reportNest(const Program& program, const ChosenNest& c, PassContext& context) {
    std::vector<std::string> names;
    for (std::size_t i = c.nest.first; i <= c.nest.last; ++i)
        names.push_back(program.ops[i].name);
    Decision d;
    d.kind = DecisionKind::Tiling;
    const std::string levels = levelsText(c.levels);
    d.chosen = names.size() > 1 ? Statement(say::kNestOf, levels, program.ops[leaderOf(program, c.nest)].name)
                                : Statement(say::kNest, levels);
    d.alternatives = {{say::kBytesWithout, static_cast<double>(c.before.traffic)},
                      {say::kBytesWith, static_cast<double>(c.after.traffic)},
                      {say::kCuts, static_cast<double>(c.after.cuts)},
                      {say::kIterationCount, static_cast<double>(c.after.tiles)}};
    d.why = {say::kIterationFits, std::move(names)};
    context.decide(std::move(d));
}

}  // namespace

Result<PassOutcome> tileJointly(State& state, PassContext& context) {
    const bool asked = context.settings.boolean("spyre.co_optimize") && context.settings.boolean("spyre.lx_planning");
    // Loops that a hint makes are the user's.
    const bool hinted = std::any_of(context.hints.begin(), context.hints.end(), [](const Hint& h) {
        return h.enabled && (h.key == "slices" || h.key == "manual_groups");
    });
    if (!asked || hinted || !state.program.tileGroups.empty()) return PassOutcome{};
    auto choice = chooseTilings(state, context);
    if (!choice) return std::move(choice).error();
    state.program.tileGroups = choice.value().groups(state.program);
    reportSearch(choice.value(), context);
    for (const ChosenNest& c : choice.value().chosen)
        reportNest(state.program, c, context);
    return outcomeOf(choice.value());
}

}  // namespace memplan::spyre
