// SPDX-License-Identifier: Apache-2.0
// Searches over trial divisions: all combinations (spyre-scratchpad 11, Strategy B), or sweeps of single changes
// and of changes that spread to neighbours where there are too many.
#pragma once

#include "engine/spyre/joint/joint_search.h"
#include "engine/spyre/scratchpad/search/division_trial.h"

#include <cstdint>
#include <functional>

namespace memplan::spyre {

struct DivisionSearch {
    struct Leaf {
        std::vector<int> chosen;
        TrialScore score;
    };
    Leaf committed, winner;
    std::vector<std::int64_t> winnerRank;
    std::vector<Leaf> kept;  ///< each better than the one before
    std::int64_t evaluated = 0;
    bool stopped = false;    ///< a deadline passed: best so far
    bool exhausted = false;  ///< the bound on evaluations ended a part of the search
};

struct SearchTools {
    const solve::Solver* solver = nullptr;
    solve::SolverParams params;
    /// Rank of a combination, smaller is better; compared as a list.
    std::function<std::vector<std::int64_t>(const std::vector<int>& chosen, const TrialScore& score)> rank;
};

/// Product of the numbers of options, the largest 64-bit value where it does not fit.
[[nodiscard]] std::int64_t combinations(const DivisionOptions& options);

/// Depth first, ops and options in order; a combination is kept when it breaks fewer hints, or as many and its
/// unpinned bytes are strictly smaller.
[[nodiscard]] Result<DivisionSearch> searchAll(const DivisionTrial& trial, const SearchTools& tools,
                                               const RunControl& control);

/// How far a descent goes; a bound in evaluations, so that the result does not depend on the machine.
struct DescentLimits {
    std::size_t optionsPerOp = SIZE_MAX;  ///< looked at by a sweep, from the front of each menu
    std::int64_t evaluations = 20'000;
};

/// Scores the committed divisions: the start of every search over richer menus.
[[nodiscard]] Result<DivisionSearch> scoreCommitted(const DivisionTrial& trial, const SearchTools& tools,
                                                    const RunControl& control);

/// From the best combination so far: sweep over the ops, give each the option that lowers the rank most, alone or
/// spread over its neighbours; stop after a sweep without gain.
[[nodiscard]] Result<void> descend(const DivisionTrial& trial, const SearchTools& tools, const DescentLimits& limits,
                                   const RunControl& control, DivisionSearch& search);

/// Scores one combination and keeps it where it ranks better than the best so far; true when it does.
[[nodiscard]] Result<bool> consider(const DivisionTrial& trial, const SearchTools& tools, std::vector<int> chosen,
                                    const RunControl& control, DivisionSearch& search);

/// A joint search over buffers (spyre-cost-and-co-optimisation 14, 15) whose result is scored like the others;
/// `search` gets it where it ranks better.
enum class JointMethod { Annealing, Exact };
[[nodiscard]] Result<void> improveJointly(const DivisionTrial& trial, const SearchTools& tools, JointMethod method,
                                          const joint::JointScore& score, const RunControl& control,
                                          DivisionSearch& search);

}  // namespace memplan::spyre
