// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/search/co_optimize.h"

#include "engine/base/text.h"
#include "engine/solve/solver_settings.h"
#include "engine/spyre/cost/model_settings.h"
#include "engine/spyre/division/iteration_space.h"
#include "engine/spyre/scratchpad/clone_inputs.h"
#include "engine/spyre/scratchpad/op_order.h"
#include "engine/spyre/scratchpad/placement/candidate_problem.h"
#include "engine/spyre/scratchpad/placement/placement_wishes.h"
#include "engine/spyre/scratchpad/placement/trial_plan.h"
#include "engine/spyre/scratchpad/rings/ring_transfers.h"
#include "engine/spyre/scratchpad/search/division_options.h"
#include "engine/spyre/scratchpad/search/division_price.h"
#include "engine/spyre/scratchpad/search/division_search.h"
#include "engine/spyre/scratchpad/search/rich_search.h"
#include "engine/spyre/solver_keys.h"
#include "engine/spyre/state.h"
#include "engine/spyre/texts/decisions.h"

#include <algorithm>
#include <functional>

namespace memplan::spyre {
namespace {

constexpr std::size_t kKeptLeaves = 64;  ///< of the trace; the way to the winner of a large graph is longer

OptionRule optionRule(const PassContext& context) {
    const Settings& settings = context.settings;
    OptionRule rule;
    rule.cap = static_cast<std::size_t>(settings.integer("spyre.co_optimize_variants"));
    rule.spanLimit =
        settings.text("spyre.span_rule") == "late" ? context.machine.spanLimitLate : context.machine.spanLimitSeed;
    return rule;
}

/// The searches are bounded in work; a limit in seconds holds for them only where the user asked for one.
RunControl limited(const PassContext& context) {
    return solve::withCompileLimit(context.control, context.settings);
}

/// Options that a sweep looks at: every one of small graphs, the first of large ones.
std::size_t sweepOptions(std::size_t ops, const OptionRule& rule) {
    constexpr std::size_t kOptionsInAll = 3000, kMostOptions = 96;
    return std::clamp(kOptionsInAll / std::max<std::size_t>(1, ops), rule.cap, std::max(rule.cap, kMostOptions));
}

/// The solver of the trials: the chosen one where it is quick and certain, else best-fit in scored order.
SearchTools toolsFor(const Settings& settings) {
    SearchTools tools;
    const std::string& name = settings.text("spyre.layout_solver");
    const bool searches = name == "annealing" || name == "exact";
    tools.solver = solve::findSolver(searches ? "bestfit" : name);
    tools.params = solve::paramsFrom(settings, kSolverKeys);
    if (searches) tools.params.ordering = solve::Ordering::Scored;
    tools.rank = [](const std::vector<int>&, const TrialScore& s) {
        return std::vector<std::int64_t>{s.brokenWishes, s.unpinned, s.traffic};
    };
    return tools;
}

/// Main-memory bytes of the plan that the solver of `settings` makes of the state.
Result<Bytes> trafficBy(const Settings& settings, const State& state, const PassContext& context) {
    auto plan = planTrial(state, context, settings);
    if (!plan) return std::move(plan).error();
    return plan.value().traffic;
}

struct Part {
    Statement name, why;
};

void reportPart(PassContext& context, Part part, Bytes before, Bytes after) {
    if (before == after) return;
    Decision d;
    d.kind = DecisionKind::DivisionSearch;
    d.chosen = std::move(part.name);
    d.alternatives = {{say::kMainMemoryBytes, static_cast<double>(after)}};
    d.why = std::move(part.why);
    context.decide(std::move(d));
}

/// What the plan of the chosen solver moves now. The search places by a quick one, which is reported as a part of its
/// own: `quick` is what that one reached, nullopt where the search reported no parts.
Result<Bytes> reportPlaced(const State& state, PassContext& context, const CoOptimization& trace, Bytes before,
                           std::optional<Bytes> quick) {
    const Result<Bytes> now = trace.changes.empty() ? before : trafficBy(context.settings, state, context);
    if (now && quick) {
        reportPart(context, {{say::kChosenSolver}, {say::kSearchPlacesQuickly}}, *quick, now.value());
    }
    return now;
}

Result<Bytes> quickTraffic(const State& state, const PassContext& context) {
    return trafficBy(screeningSettings(context.settings), state, context);
}

/// Clones that the new divisions let be (pipeline.md 1: 16.1 again on the winner).
void cloneAgain(State& state, const PassContext& context, const BufferRules& rules, const CoOptimization& trace) {
    if (trace.changes.empty() || !context.settings.boolean("spyre.clone_inputs")) return;
    (void)cloneInputs(state.program, rules, clonePolicy(state, context, true));
}

void reportLimit(std::int64_t leaves, PassContext& context) {
    Diagnostic d;
    d.severity = Severity::Warning;
    d.code = "LX-022";
    d.where = "scratchpad_planning.co_optimize";
    const bool countable = leaves < INT64_MAX;
    d.message = "the search over all splits was not started: " +
                (countable ? text::grouped(leaves) : std::string("more than 9 223 372 036 854 775 806")) +
                " combinations, the limit is " + text::grouped(context.settings.integer("spyre.co_optimize_leaves")) +
                "; splits are changed one by one, and with their neighbours, instead";
    d.hint = "raise spyre.co_optimize_leaves, or fix splits by hints";
    context.report(std::move(d));
}

/// One decision for each part of the search: what it was worth.
void report(const RichTrace& rich, Objective objective, const DivisionSearch& search, PassContext& context) {
    for (const SearchPart& p : rich.parts) {
        Decision d;
        d.kind = DecisionKind::DivisionSearch;
        d.chosen = {say::kName, p.name};
        d.alternatives = {{say::kMainMemoryBytes, static_cast<double>(p.traffic)},
                          {say::kEstimatedMicroseconds, p.microseconds},
                          {say::kCombinationsScored, static_cast<double>(p.evaluated)}};
        d.why = p.improved ? Statement(p.exhausted ? say::kFoundBetterToLimit : say::kFoundBetter)
                           : Statement(p.exhausted ? say::kFoundNothingToLimit : say::kFoundNothing);
        context.decide(std::move(d));
    }
    Decision d;
    d.kind = DecisionKind::DivisionSearch;
    d.chosen = {objective == Objective::Time ? say::kLeastTime : say::kLeastBytes};
    const Bytes committed = search.committed.score.traffic;
    const Bytes found = search.winner.score.traffic;
    d.why = rich.trafficBound ? Statement(say::kProvedDivisions, committed, found, *rich.trafficBound)
                              : Statement(say::kFoundDivisions, committed, found);
    context.decide(std::move(d));
}

void fillOptions(const Program& program, const DivisionTrial& trial, CoOptimization& trace) {
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        if (trial.options()[i].size() < 2) continue;
        CoOptimization::Options& o = trace.options.emplace_back();
        o.op = program.ops[i].name;
        for (const Splits& s : trial.options()[i])
            o.labels.push_back(optionLabel(program.ops[i], s));
    }
}

void fillKept(const Program& program, const DivisionTrial& trial, const DivisionSearch& search, CoOptimization& trace) {
    const std::size_t from = search.kept.size() > kKeptLeaves ? search.kept.size() - kKeptLeaves : 0;
    for (std::size_t k = from; k < search.kept.size(); ++k) {
        const DivisionSearch::Leaf& leaf = search.kept[k];
        CoOptimization::Leaf& out = trace.kept.emplace_back();
        out.score = leaf.score.unpinned;
        for (std::size_t i = 0; i < leaf.chosen.size(); ++i) {
            if (leaf.chosen[i] == 0) continue;
            const Splits& s = trial.options()[i][static_cast<std::size_t>(leaf.chosen[i])];
            out.splits.emplace_back(program.ops[i].name, optionLabel(program.ops[i], s));
        }
        for (std::size_t b = 0; b < leaf.score.addresses.size(); ++b) {
            const bool written = program.buffers[b].kind == BufferKind::Computed && trial.isAccessed(b);
            if (written && !leaf.score.addresses[b]) out.notPinned.push_back(program.buffers[b].name);
        }
    }
}

void commit(Program& program, const DivisionTrial& trial, const std::vector<int>& chosen, CoOptimization& trace,
            PassContext& context) {
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (chosen[i] == 0) continue;
        const Op& op = program.ops[i];
        const auto& options = trial.options()[i];
        const Splits& to = options[static_cast<std::size_t>(chosen[i])];
        program.divisions[i].splits = to;
        program.divisions[i].written = coresOf(to) > 1;
        trace.changes.push_back({op.name, optionLabel(op, options.front()), optionLabel(op, to)});
        Decision d;
        d.op = OpId::of(i);
        d.kind = DecisionKind::Split;
        d.chosen = {say::kName, trace.changes.back().to};
        d.why = {say::kNeighboursCannotShare, trace.changes.back().from};
        context.decide(std::move(d));
    }
}

void finish(State& state, PassContext& context, const DivisionTrial& trial, DivisionSearch& search,
            CoOptimization& trace, const std::function<void(const DivisionSearch::Leaf&)>& report = {}) {
    trace.evaluated = search.evaluated;
    if (search.stopped) trace.note = "the time limit ended the search with the best combination so far";
    trace.committedScore = search.committed.score.unpinned;
    trace.committedTraffic = search.committed.score.traffic;
    fillOptions(state.program, trial, trace);
    fillKept(state.program, trial, search, trace);
    if (search.winner.score.traffic > search.committed.score.traffic) {
        trace.note = "the best combination by unpinned bytes would move more bytes to and from main memory, " +
                     text::grouped(search.winner.score.traffic) + " B in place of " +
                     text::grouped(search.committed.score.traffic) + " B; the committed splits stay";
        search.winner = search.committed;
    }
    trace.winnerScore = search.winner.score.unpinned;
    trace.winnerTraffic = search.winner.score.traffic;
    if (report) report(search.winner);
    commit(state.program, trial, search.winner.chosen, trace, context);
}

/// Strategy B, or single changes where its combinations are too many.
Result<void> searchFlips(State& state, PassContext& context, const BufferRules& rules, CoOptimization& trace) {
    const ScratchpadHints hints(context, state);
    const DivisionTrial trial(state.program, rules, context.machine, flipOptions(state, context, optionRule(context)),
                              &hints);
    trace.combinations = combinations(trial.options());
    const bool all = trace.combinations <= context.settings.integer("spyre.co_optimize_leaves");
    if (!all) reportLimit(trace.combinations, context);
    const SearchTools tools = toolsFor(context.settings);
    const RunControl control = limited(context);
    Result<DivisionSearch> search = all ? searchAll(trial, tools, control) : scoreCommitted(trial, tools, control);
    if (search && !all) {
        if (auto done = descend(trial, tools, {}, control, search.value()); !done) return done;
    }
    if (!search) return std::move(search).error();
    trace.method = all ? "exhaustive" : "coordinate_descent";
    finish(state, context, trial, search.value(), trace);
    cloneAgain(state, context, rules, trace);
    return {};
}

/// Main-memory bytes of the plan that placement and shuffles make of a choice.
Result<Bytes> trafficMade(const State& state, const PassContext& context, const DivisionTrial& trial,
                          const DivisionSearch::Leaf& winner) {
    State after = state;
    for (std::size_t i = 0; i < winner.chosen.size(); ++i) {
        if (winner.chosen[i] == 0) continue;
        after.program.divisions[i].splits = trial.options()[i][static_cast<std::size_t>(winner.chosen[i])];
    }
    const Settings settings = screeningSettings(context.settings);
    PassContext silent = context.silent(context.pass(), settings);
    auto plan = planTrial(std::move(after), silent);
    if (!plan) return std::move(plan).error();
    if (auto done = transferOverRing(plan.value().state, silent); !done) return std::move(done).error();
    return plannedTraffic(plan.value().state);
}

void reportShuffles(const DivisionTrial& trial, const TrialScore& score, PassContext& context) {
    if (score.shuffled.empty()) return;
    for (const BufferId source : score.shuffled) {
        Decision d;
        d.buffer = source;
        d.kind = DecisionKind::DivisionSearch;
        d.chosen = {say::kShuffleOf, trial.program().buffers[source.at()].name};
        d.why = {say::kRingCounted};
        context.decide(std::move(d));
    }
    Decision d;
    d.kind = DecisionKind::DivisionSearch;
    d.chosen = {say::kShuffles};
    d.alternatives = {{say::kSources, static_cast<double>(score.shuffled.size())},
                      {say::kEstimatedMicroseconds, score.ringNanoseconds / 1000}};
    d.why = {say::kRingTimeInEstimate};
    context.decide(std::move(d));
}

/// Richer menus with the performance model as judge; with `rings` a buffer may stay on chip by a shuffle at its
/// price (spyre-cost-and-co-optimisation 17.5).
Result<void> searchRichly(State& state, PassContext& context, const BufferRules& rules, bool rings,
                          CoOptimization& trace, std::optional<Bytes>& bound, std::optional<Bytes>& quick) {
    const OptionRule menu = optionRule(context);
    const ScratchpadHints hints(context, state);
    DivisionTrial trial(state.program, rules, context.machine, richOptions(state, context, menu), &hints);
    const cost::Calibration calibration = context.calibration();
    if (rings) trial.offerRings(calibration.model.constants);
    const DivisionPrice price(state.program, trial.options(), true, calibration.model);
    trace.combinations = combinations(trial.options());
    RichRule rule;
    rule.exact = context.settings.text("spyre.layout_solver") == "exact";
    if (context.settings.text("spyre.co_optimize_objective") == "traffic") rule.objective = Objective::Traffic;
    rule.sweepOptions = sweepOptions(trial.options().size(), menu);
    const RunControl control = limited(context);
    RichTrace rich;
    auto search = searchRichMenus(trial, price, toolsFor(context.settings), rule, control, rich);
    if (!search) return std::move(search).error();
    if (!search.value().winner.score.shuffled.empty()) {
        DivisionTrial plain(state.program, rules, context.machine, trial.options(), &hints);
        RichTrace plainTrace;
        auto without = searchRichMenus(plain, price, toolsFor(context.settings), rule, control, plainTrace);
        if (!without) return std::move(without).error();
        const auto kept = trafficMade(state, context, trial, search.value().winner);
        const auto other = trafficMade(state, context, plain, without.value().winner);
        if (!kept || !other) return kept ? other.error() : kept.error();
        if (other.value() < kept.value() || kept.value() > search.value().winner.score.traffic) {
            search = std::move(without);
            rich = std::move(plainTrace);
        }
        reportShuffles(trial, search.value().winner.score, context);
    }
    trace.method = rich.method();
    trace.committedMicroseconds = rich.committedMicroseconds;
    report(rich, rule.objective, search.value(), context);
    bound = rich.trafficBound;
    finish(state, context, trial, search.value(), trace, [&](const DivisionSearch::Leaf& winner) {
        const auto inLx = [&](BufferId b) { return winner.score.addresses[b.at()].has_value(); };
        trace.winnerMicroseconds =
            static_cast<double>(price.ticks(winner.chosen, inLx)) / 1e6 + winner.score.ringNanoseconds / 1000;
    });
    const auto divided = quickTraffic(state, context);
    if (!divided) return divided.error();
    cloneAgain(state, context, rules, trace);
    const auto cloned = trace.changes.empty() ? divided : quickTraffic(state, context);
    if (!cloned) return cloned.error();
    reportPart(context, {{say::kDivisionsAsPlanned}, {say::kShufflesLater}}, trace.winnerTraffic, divided.value());
    reportPart(context, {{say::kClonesAgain}, {say::kInputsCopied}}, divided.value(), cloned.value());
    quick = cloned.value();
    return {};
}

}  // namespace

Result<PassOutcome> coOptimize(State& state, PassContext& context) {
    const std::string& solver = context.settings.text("spyre.layout_solver");
    applyOpOrder(state, context);
    CoOptimization trace;
    const BufferRules rules = BufferRules::from(context.settings, context.machine);
    const bool rich = solver == "annealing" || solver == "exact";
    std::optional<Bytes> bound;
    std::optional<Bytes> quick;
    const bool rings = context.settings.boolean("spyre.ring_transfers");
    const Result<Bytes> before = trafficBy(context.settings, state, context);
    if (!before) return before.error();
    auto done = rich ? searchRichly(state, context, rules, rings, trace, bound, quick)
                     : searchFlips(state, context, rules, trace);
    if (!done) return std::move(done).error();
    PassOutcome outcome{!trace.changes.empty(), {}};
    outcome.counts["combinations_scored"] = trace.evaluated;
    outcome.counts["splits_changed"] = static_cast<std::int64_t>(trace.changes.size());
    auto after = reportPlaced(state, context, trace, before.value(), quick);
    if (!after) return std::move(after).error();
    countTraffic(outcome, before.value(), after.value());
    if (bound) outcome.counts["traffic_bound"] = *bound;
    state.scratchpad.coOptimization = std::move(trace);
    return outcome;
}

}  // namespace memplan::spyre
