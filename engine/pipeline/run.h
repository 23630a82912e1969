// SPDX-License-Identifier: Apache-2.0
// The runner: order, needs and provides, switches, rows above steps, outcomes of hints, snapshots, observers, timing,
// cancellation, the validator (architecture 5.4, 5.9). It names no pass and no machine.
#pragma once

#include "engine/hints/validate.h"
#include "engine/pipeline/compilation.h"
#include "engine/pipeline/request.h"

#include <memory>
#include <optional>
#include <vector>

namespace memplan {

/// What the runner asks of a machine.
class Machinery {
public:
    virtual ~Machinery() = default;
    /// The state of a compile at its start. Errors: what is wrong with the request for this machine.
    [[nodiscard]] virtual Result<std::unique_ptr<Compilation>> begin(const CompileRequest& request) const = 0;
    /// Violations of a plan that was just made; empty = clean.
    [[nodiscard]] virtual std::vector<Diagnostic> verify(const Plan& plan) const = 0;
};

/// One compile, repeated while the compilation knows a way to end well. An observer sees the passes of every round.
[[nodiscard]] CompileOutcome runPipeline(const Machinery& machinery, const CompileRequest& request,
                                         const RunControl& control, PipelineObserver* observer);

/// INT-003 with what the validator found; none for a clean plan.
[[nodiscard]] std::optional<Error> firstViolation(std::vector<Diagnostic> violations);

/// What hints are held against before there is a plan.
[[nodiscard]] hints::World worldOf(const CompileRequest& request);

}  // namespace memplan
