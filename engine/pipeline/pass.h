// SPDX-License-Identifier: Apache-2.0
// A pass: one step of a compile without mutable state (architecture 5). Pass ids, order, needs and
// provides are those of pipeline.md. Nothing here knows a machine.
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/hints/outcome.h"
#include "engine/plan/plan.h"
#include "engine/settings/settings.h"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace memplan {

struct PassInfo {
    std::string_view id = {};  ///< pipeline.md
    std::string_view title = {};
    std::string_view purpose = {};                    ///< one sentence
    std::string_view switchKey = {};                  ///< setting that switches it, empty for mandatory passes
    std::vector<std::string_view> needs = {};         ///< tags
    std::vector<std::string_view> provides = {};      ///< tags
    std::vector<std::string_view> emptyWhenOff = {};  ///< of `provides`: there, and empty, where it is switched off
    std::string_view parent = {};                     ///< for steps a.b: the pass they are part of
    std::string_view replaces = {};  ///< where switched on: the pass in whose place it stands, with that one's number
    bool hasSteps = false;           ///< stands above the steps `a.b` and runs nothing itself
    bool isSearch = false;           ///< only looks for a better plan: left out when the time of the compile is over
    bool onlyForExport = false;      ///< makes files: runs when an export follows

    [[nodiscard]] bool isMandatory() const { return switchKey.empty() && !onlyForExport; }
};

struct PassOutcome {
    bool changed = false;
    std::map<std::string, std::int64_t> counts;
};

/// What a pass may see and say. One per pass run; a machine may derive its own with what only its passes need.
class PassContext {
public:
    PassContext(std::string_view pass, const Settings& values, std::span<const Hint> given, const RunControl& run)
        : settings(values), hints(given), control(run), pass_(pass) {}

    const Settings& settings;
    std::span<const Hint> hints;
    const RunControl& control;

    void report(Diagnostic d);  ///< stamps the pass id
    void decide(Decision d);    ///< stamps the pass id
    /// What became of one subject of a hint of `hints` (by reference into it). A subject that gets no outcome from any
    /// pass ends as ignored, "had nothing to decide".
    void reportHint(const Hint& hint, std::string subject, hints::Outcome outcome, std::string why = {},
                    std::string fix = {});
    [[nodiscard]] bool cancelled() const { return control.cancelled(); }
    [[nodiscard]] std::string_view pass() const { return pass_; }
    std::vector<Diagnostic> diagnostics;
    std::vector<Decision> decisions;
    std::vector<hints::SubjectOutcome> outcomes;  ///< SubjectOutcome::hint = position in `hints`

private:
    std::string pass_;
};

/// A pass over the working value of one machine: what it is called, and the function that it is.
template <class State, class Context = PassContext> struct PassOver {
    PassInfo info;
    /// Changes `state`, or returns an error and leaves it in any condition: what was decided so far is shown from it.
    /// Null for a row above steps.
    Result<PassOutcome> (*run)(State& state, Context& context) = nullptr;
};

}  // namespace memplan
