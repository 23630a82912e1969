// SPDX-License-Identifier: Apache-2.0
// Trials of findings (torchwright.md 19.1): the rewrite in a copy of the graph, compiled with the same settings and
// hints, its values compared with those of the graph as it is.
#pragma once

#include "engine/torchwright/advice/question.h"
#include "engine/torchwright/eval/rows.h"
#include "engine/torchwright/trial/k_search.h"

#include <optional>

namespace memplan::torchwright {

/// The figures that trials compare.
[[nodiscard]] PlanFigures figuresOf(const NodeGraph& graph, const Schedule& schedule);

class Trials {
public:
    Trials(const AdviceQuestion& question, int budget, const RunControl& control);

    [[nodiscard]] int spent() const { return spent_; }
    [[nodiscard]] bool isOver() const { return spent_ >= budget_ || control_.shouldStop(); }
    [[nodiscard]] const PlanFigures& before() const { return before_; }

    /// The schedule without concurrency scopes, compiled when it is first asked for; null where the budget is over.
    const Schedule* withoutScopes();
    /// Tries the proposal. False where the rewritten graph gives other values: the finding does not hold.
    [[nodiscard]] bool run(Finding& finding);

private:
    [[nodiscard]] Schedule compile(const NodeGraph& graph, const ScheduleOptions& options);
    [[nodiscard]] bool runRewrite(Finding& finding);
    void runSetting(Finding& finding);
    void searchK(Finding& finding);
    [[nodiscard]] PlanFigures figuresOf(const KOutcome& outcome) const;
    void conclude(Finding& finding, const PlanFigures& after) const;
    /// True where values were compared and are equal, false where they differ; nothing where they cannot be.
    [[nodiscard]] std::optional<bool> givesSameValues(const NodeGraph& rewritten);

    const AdviceQuestion& question_;
    int budget_ = 0;
    const RunControl& control_;
    PlanFigures before_;
    int spent_ = 0;
    std::optional<Schedule> withoutScopes_;
    bool isEvaluated_ = false;
    std::vector<Rows> expected_;  ///< of the outputs; empty where they cannot be evaluated
};

}  // namespace memplan::torchwright
