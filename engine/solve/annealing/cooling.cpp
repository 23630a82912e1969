// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/annealing/cooling.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace memplan::solve {

namespace {

constexpr int kCycles = 4;
constexpr double kWarmAcceptance = 0.8;   // of an average move at the start of a cycle
constexpr double kColdAcceptance = 0.01;  // at its end

struct Shape {
    double spread;  ///< start over centre temperature
    double centre;  ///< mean move scale over centre temperature
};

const Shape& shape() {
    static const double kWarm = -std::log(kWarmAcceptance);
    static const double kCold = -std::log(kColdAcceptance);
    static const Shape kShape{std::sqrt(kCold / kWarm), std::sqrt(kWarm * kCold)};
    return kShape;
}

}  // namespace

CoolingSchedule::CoolingSchedule(int steps, Bytes peakLoad)
    : cycle_(std::max(1, steps / kCycles)), warmUp_(std::max(1, std::min(cycle_ / 4, 20))),
      centre_(static_cast<double>(peakLoad) / 300.0 / shape().spread),
      factor_(std::pow(shape().spread, -2.0 / cycle_)) {}

void CoolingSchedule::learn(double moveScale) {
    if (moveScale <= 0.0) return;
    ++seen_;
    if (seen_ <= warmUp_) {
        sum_ += moveScale;
        if (seen_ < warmUp_) return;
        mean_ = sum_ / seen_;
    } else {
        const double rate = std::min(1.0, 2.0 / cycle_);
        mean_ += rate * (moveScale - mean_);
    }
    centre_ = mean_ / shape().centre;
}

double CoolingSchedule::temperature(int step, double moveScale) {
    learn(moveScale);
    const int cycleIndex = std::min(step / cycle_, kCycles - 1);  // the last cycle takes the remainder
    const int inCycle = step - cycleIndex * cycle_;
    return centre_ * shape().spread * std::pow(factor_, inCycle);
}

int defaultAnnealingSteps(std::size_t count) {
    const std::size_t bounded = std::min<std::size_t>(count, 1000);
    return std::clamp(30 * static_cast<int>(bounded), 500, 5000);
}

}  // namespace memplan::solve
