// SPDX-License-Identifier: Apache-2.0
// A pass: one step of a compile without mutable state (architecture 5). Pass ids, order, needs and
// provides are those of pipeline.md.
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/hints/verdict.h"
#include "engine/machine/spyre_machine.h"
#include "engine/plan/plan.h"
#include "engine/settings/settings.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace memplan {

struct State;  // pipeline/state.h

struct PassInfo {
    std::string_view id;  ///< pipeline.md
    std::string_view title;
    std::string_view purpose;  ///< one sentence
    bool mandatory = true;
    std::string_view switchKey;  ///< setting that switches it, empty for mandatory passes
    std::vector<std::string_view> needs, provides;
    std::string_view parent;         ///< for steps a.b: the pass they are part of
    std::string_view replaces = {};  ///< where switched on: the pass in whose place it stands, with that one's number
};

struct PassOutcome {
    bool changed = false;
    std::map<std::string, std::int64_t> counts;
};

/// What a pass may see and say. One per pass run.
class PassContext {
public:
    PassContext(std::string_view pass, const Settings& values, const SpyreMachine& spyreMachine,
                std::span<const Hint> given, const RunControl& run)
        : settings(values), machine(spyreMachine), hints(given), control(run), pass_(pass) {}

    const Settings& settings;
    const SpyreMachine& machine;
    std::span<const Hint> hints;
    const RunControl& control;

    void report(Diagnostic d);  ///< stamps the pass id
    void decide(Decision d);    ///< stamps the pass id
    /// What became of one subject of a hint of `hints` (by reference into it). A subject that gets no verdict from any
    /// pass ends as ignored, "had nothing to decide".
    void tellHint(const Hint& hint, std::string subject, hints::Outcome outcome, std::string why = {},
                  std::string cure = {});
    [[nodiscard]] bool cancelled() const { return control.cancelled(); }
    std::vector<Diagnostic> diagnostics;
    std::vector<Decision> decisions;
    std::vector<hints::Verdict> verdicts;  ///< Verdict::hint = position in `hints`

private:
    std::string pass_;
};

class Pass {
public:
    virtual ~Pass() = default;
    [[nodiscard]] virtual const PassInfo& info() const = 0;
    /// Changes `state`, or returns an error and leaves it in any condition: the runner keeps the
    /// state before the pass.
    [[nodiscard]] virtual Result<PassOutcome> run(State& state, PassContext& context) const = 0;
};

}  // namespace memplan
