// SPDX-License-Identifier: Apache-2.0
// Compiles one input for every combination of some values (user-experience 13.3, command-line "sweep").
// Cells are independent; their order and content do not depend on the number of threads.
#pragma once

#include "engine/sweep/sweep_axis.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace memplan::sweep {

struct SweepRequest {
    CompileRequest base;  ///< what is not varied
    HintSpan hints;       ///< entries of the hint file in base.hints
    std::vector<Axis> axes;
    int threads = 0;        ///< 0 = all hardware threads
    bool keepPlans = true;  ///< false: figures only, for many cells of a large graph
};

struct SweepCell {
    std::vector<std::string> values;                           ///< one per axis
    std::string status;                                        ///< "ok" or the diagnostic code; empty = not run yet
    std::string message;                                       ///< why there is no plan
    PlanPtr plan;                                              ///< with keepPlans
    std::vector<std::pair<std::string, std::string>> metrics;  ///< JSON texts as in a plan file
    std::string inputHash, planHash;
    double traffic = 0, onChipBytes = 0, peak = 0;  ///< bytes; traffic of main memory in both directions
    [[nodiscard]] bool isOk() const { return status == "ok"; }
};

/// Product of the axes; 0 without axes. Never overflows: stops counting above kMostCells.
[[nodiscard]] std::size_t cellCount(const std::vector<Axis>& axes);
/// The values of cell `index`; the last axis changes fastest.
[[nodiscard]] std::vector<std::string> valuesAt(const std::vector<Axis>& axes, std::size_t index);
/// Everything that can be wrong before anything is compiled: no axis, a key twice, too many cells, values that
/// no setting takes. CLI-001 or SET-...
[[nodiscard]] Result<void> checkSweep(const SweepRequest& request);

/// Called when a cell is done, from the thread that ran it, one call at a time.
using OnCell = std::function<void(std::size_t index, const SweepCell& cell)>;

/// All cells in order. A cell without a plan is a cell with another status, not an error; cancelling is one.
[[nodiscard]] Result<std::vector<SweepCell>> runSweep(const SweepRequest& request, const RunControl& control,
                                                      const OnCell& onCell = {});

/// The varied keys, `status`, then every metric in alphabetical order; lines end with LF.
[[nodiscard]] std::string sweepCsv(const std::vector<Axis>& axes, const std::vector<SweepCell>& cells);

}  // namespace memplan::sweep
