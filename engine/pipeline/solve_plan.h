// SPDX-License-Identifier: Apache-2.0
// Buffers with lifetimes as a plan (inputs-and-interchange 1.2): one solver run on an address problem, checked by the
// independent validator, in the form that views, tables and plan files understand. A plan of this kind has buffers, a
// memory and metrics; it has no operations and no passes, and the steps are those of the list.
#pragma once

#include "engine/base/run_control.h"
#include "engine/pipeline/request.h"
#include "engine/solve/problem/address_problem.h"
#include "engine/solve/solver_settings.h"

#include <memory>
#include <optional>
#include <string>

namespace memplan {

struct SolveRequest {
    std::shared_ptr<const solve::Problem> problem;
    PlanInput input;
    Settings settings;    ///< solver and its parameters, by the keys of `target`
    Bytes capacity = 0;   ///< bytes to place into; 0 = the problem's
    Bytes alignment = 0;  ///< of every address; 0 = as the problem says
    TargetId target;      ///< whose plan it is shown as
    solve::SolverKeys keys;

    /// The problem with capacity and alignment applied.
    [[nodiscard]] solve::Problem applied() const;
};

/// Errors: what the solver reports (LXI-...), INT-003 when its placement breaks a rule, CANCELLED.
[[nodiscard]] CompileOutcome solveToPlan(const SolveRequest& request, const RunControl& control);
/// The addresses that the list itself gives (column offset), verified: what breaks a rule is among the problems. Null
/// when the list gives none.
[[nodiscard]] PlanPtr givenPlan(const SolveRequest& request);
/// Key of the plan history.
[[nodiscard]] std::string inputHash(const SolveRequest& request);
/// Least capacity worth trying: nothing smaller holds all buffers that are live at once; 1 for no buffers.
[[nodiscard]] Bytes leastCapacity(const solve::Problem& problem);

}  // namespace memplan
