// SPDX-License-Identifier: Apache-2.0
// Searches of divisions and addresses together: exhaustive, annealing, exact, and the flood that recolours a
// connected region (spyre-cost-and-co-optimisation 13, 14, 15).
#pragma once

#include "engine/base/run_control.h"
#include "engine/spyre/joint/joint_problem.h"

#include <functional>

namespace memplan::spyre::joint {

struct JointResult {
    std::vector<int> chosen;  ///< division per buffer
    solve::Addresses addresses;
    Bytes unpinnedBytes = 0;  ///< total bytes of the buffers without address
    Bytes traffic = 0;        ///< sum of their spill costs
    std::int64_t totalCores = 0, sumSquares = 0;
    std::int64_t leaves = 0;  ///< combinations looked at
    solve::Status status = solve::Status::Complete;
    Bytes trafficBound = 0;  ///< no assignment spills less
};

/// Fills the figures of a choice from its divisions and addresses.
void measure(const JointProblem& problem, JointResult& result);

struct ExhaustiveOptions {
    const solve::Solver* inner = nullptr;
    MismatchBars mismatchBars = MismatchBars::Producer;
};

/// All combinations, depth first, options in order; the first of equal scores stays (13).
[[nodiscard]] Result<JointResult> searchExhaustively(const JointProblem& problem, const ExhaustiveOptions& options,
                                                     const RunControl& control);

struct ExactJointOptions {
    std::int64_t maxLeaves = 200'000;   ///< placements solved before the search stops with the best so far
    std::int64_t maxNodes = 5'000'000;  ///< partial choices before it does
};

/// Least spill traffic, then most cores, then squarest divisions, each proved before the next (15.4).
[[nodiscard]] Result<JointResult> searchExactly(const JointProblem& problem, const ExactJointOptions& options,
                                                const RunControl& control);

/// Price of a choice: divisions and which buffers are resident; smaller is better. Integers, so that the sum of
/// prices does not depend on its order (10).
using JointScore = std::function<std::int64_t(const std::vector<int>& chosen, const std::vector<bool>& resident)>;

struct AnnealingJointOptions {
    std::uint64_t seed = 0;
    int steps = 0;     ///< 0 = clamp(40n, 200, 15000)
    JointScore score;  ///< empty = traffic
};

/// Never worse than the committed divisions with scored first-fit under the score (14).
[[nodiscard]] Result<JointResult> searchByAnnealing(const JointProblem& problem, const AnnealingJointOptions& options,
                                                    const RunControl& control);

struct Recolouring {
    std::vector<int> division;  ///< per buffer, -1 = not reached
    std::vector<int> joined;    ///< buffers in the order in which they joined
};

/// Spreads a division over the match tables: from the smallest open buffer to each consumer, then each producer,
/// with the lowest matching pair; the first assignment wins, an edge without a match is a seam (14).
[[nodiscard]] Recolouring recolour(const JointProblem& problem, int anchor, int division);

}  // namespace memplan::spyre::joint
