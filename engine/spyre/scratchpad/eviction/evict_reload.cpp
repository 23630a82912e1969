// SPDX-License-Identifier: Apache-2.0
// Step evict_reload (spyre-scratchpad 14.1b): splits the life of a buffer at an inter-use gap where the re-solved plan
// moves fewer bytes, by descending size * length of the gap, until a full pass over all gaps brings nothing.
#include "engine/base/text.h"
#include "engine/spyre/program_edit.h"
#include "engine/spyre/scratchpad/eviction/eviction_passes.h"
#include "engine/spyre/scratchpad/eviction/idle_gaps.h"
#include "engine/spyre/scratchpad/hints.h"
#include "engine/spyre/scratchpad/placement/trial_plan.h"
#include "engine/spyre/state.h"
#include "engine/spyre/texts/decisions.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

constexpr std::string_view kPass = "scratchpad_planning.evict_reload";
constexpr std::size_t kMostTrials = 600;     ///< of one compile, on small programs
constexpr std::size_t kWork = 240'000;       ///< ops of all trials together on large ones
constexpr std::size_t kMostSlowTrials = 16;  ///< of a solver that searches
constexpr std::size_t kLeastTrials = 24;

/// Trials allowed: bounded by work, never by the clock, so that equal inputs give equal plans.
std::size_t trialsFor(const Program& program) {
    return std::clamp(kWork / (program.ops.size() + 1), kLeastTrials, kMostTrials);
}

/// With a time limit all trials of a searching solver together take about as long as the solver itself.
Settings trialSettings(const Settings& settings) {
    Settings trial = settings;
    const double limit = settings.number("engine.time_limit_seconds");
    if (limit > 0 && needsScreening(settings))
        (void)trial.set("engine.time_limit_seconds", text::number(limit / static_cast<double>(kMostSlowTrials)));
    return trial;
}

class Search {
public:
    Search(State& state, PassContext& context)
        : state_(state), context_(context), rules_(BufferRules::from(context.settings, context.machine)),
          screens_(needsScreening(context.settings)), quick_(screeningSettings(context.settings)),
          trial_(trialSettings(context.settings)), budget_(trialsFor(state.program)), traffic_(plannedTraffic(state)),
          start_(traffic_) {
        const ScratchpadHints hints(context, state);
        for (std::size_t b = 0; !hints.empty() && b < state.program.buffers.size(); ++b) {
            if (hints.find(state.program, BufferId::of(b)) != nullptr) kept_.insert(BufferId::of(b));
        }
    }

    Result<PassOutcome> run() {
        bool gained = true;
        while (gained && !isOver()) {
            auto again = passOverGaps();
            if (!again) return std::move(again).error();
            gained = again.value();
        }
        PassOutcome outcome{splits_ > 0, {}};
        outcome.counts["splits"] = splits_;
        outcome.counts["trials"] = trials_;
        countTraffic(outcome, start_, traffic_);
        return outcome;
    }

private:
    [[nodiscard]] bool isOver() const { return budget_ == 0 || context_.control.timedOut(); }

    /// True when a split was accepted; the rests are collected anew then.
    Result<bool> passOverGaps() {
        for (const IdleGap& gap : idleGaps(state_.program, state_.scratchpad.entries, kept_)) {
            if (isOver()) break;
            auto accepted = tryGap(gap);
            if (!accepted) return std::move(accepted).error();
            if (accepted.value()) return true;
        }
        return false;
    }

    struct Trial {
        State state;
        MoveResult moved;
        Bytes traffic = 0;
    };

    /// The best of the departures at this gap, when it beats the plan so far.
    Result<bool> tryGap(const IdleGap& gap) {
        std::optional<Trial> best;
        MovePlan chosen;
        for (const MovePlan& plan : departures(state_.program, gap)) {
            if (isOver()) break;
            auto trial = tryPlan(plan, best ? best->traffic : traffic_);
            if (!trial) return std::move(trial).error();
            if (!trial.value()) continue;
            best = std::move(trial).value();
            chosen = plan;
        }
        if (!best) return false;
        report(gap, chosen, *best);
        traffic_ = best->traffic;
        state_ = std::move(best->state);
        ++splits_;
        return true;
    }

    /// The placed state under the plan if its traffic is below `limit` and every copy is used.
    Result<std::optional<Trial>> tryPlan(const MovePlan& plan, Bytes limit) {
        if (context_.cancelled()) return cancelledError();
        --budget_;
        ++trials_;
        Trial trial;
        trial.state = state_;
        auto moved = applyMoves(trial.state.program, rules_, plan, kPass);
        if (!moved) return std::optional<Trial>();
        trial.moved = std::move(*moved);
        if (screens_) {
            State quick = trial.state;
            if (auto done = placeAgain(quick, context_, quick_); !done) return std::move(done).error();
            if (plannedTraffic(quick) >= limit || slowTrials_ >= kMostSlowTrials) return std::optional<Trial>();
            ++slowTrials_;
        }
        if (auto done = placeAgain(trial.state, context_, trial_); !done) return std::move(done).error();
        trial.traffic = plannedTraffic(trial.state);
        const bool better = trial.traffic < limit && isServed(trial, plan);
        return better ? std::optional<Trial>(std::move(trial)) : std::nullopt;
    }

    static bool isServed(const Trial& trial, const MovePlan& plan) {
        const auto& entries = trial.state.scratchpad.entries;
        const bool front = entries[plan.buffer.at()].address.has_value();
        const bool needsFront = plan.writeOut || !plan.later.front().reload;
        return (front || !needsFront) && allMovesServed(trial.state.program, entries);
    }

    void report(const IdleGap& gap, const MovePlan& plan, const Trial& trial) {
        std::vector<std::string> added;
        if (plan.writeOut) added.push_back(trial.state.program.buffers[trial.moved.home.at()].name);
        for (const BufferId reload : trial.moved.reloads) {
            if (reload.isValid()) added.push_back(trial.state.program.buffers[reload.at()].name);
        }
        Decision d;
        d.buffer = plan.buffer;
        d.kind = DecisionKind::Evicted;
        d.chosen = added.empty() ? Statement(say::kLeftAfterGap) : Statement(say::kNameList, std::move(added));
        d.why = {say::kIdle,      gap.come - gap.leave, state_.scratchpad.entries[plan.buffer.at()].sizePerCore,
                 gap.readsBefore, gap.readsAfter,       traffic_ - trial.traffic};
        context_.decide(std::move(d));
    }

    State& state_;
    PassContext& context_;
    BufferRules rules_;
    bool screens_;
    Settings quick_, trial_;
    std::set<BufferId> kept_;
    std::size_t budget_;
    std::size_t slowTrials_ = 0;
    Bytes traffic_, start_;
    std::int64_t splits_ = 0, trials_ = 0;
};

}  // namespace

Result<PassOutcome> evictAndReload(State& state, PassContext& context) {
    return Search(state, context).run();
}

}  // namespace memplan::spyre
