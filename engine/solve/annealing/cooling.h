// SPDX-License-Identifier: Apache-2.0
// Temperatures of the annealer: self-calibrating, reheating at each of four cycles (scratchpad 7.2).
#pragma once

#include "engine/base/ids.h"

#include <cstddef>

namespace memplan::solve {

class CoolingSchedule {
public:
    CoolingSchedule(int steps, Bytes peakLoad);

    /// Temperature of step `step` (from 0), whose probes changed the quality by `moveScale` on average (0 = none did).
    [[nodiscard]] double temperature(int step, double moveScale);

private:
    void learn(double moveScale);

    int cycle_ = 1;
    int warmUp_ = 1;  ///< move scales to see before the centre is their mean
    int seen_ = 0;
    double sum_ = 0.0;
    double mean_ = 0.0;
    double centre_ = 0.0;
    double factor_ = 1.0;  ///< per step
};

/// Default number of steps for `count` candidates.
[[nodiscard]] int defaultAnnealingSteps(std::size_t count);

}  // namespace memplan::solve
