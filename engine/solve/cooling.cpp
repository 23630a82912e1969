// SPDX-License-Identifier: Apache-2.0
#include "solve/cooling.h"

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

Shape shape() {
    const double warm = -std::log(kWarmAcceptance);
    const double cold = -std::log(kColdAcceptance);
    return {std::sqrt(cold / warm), std::sqrt(warm * cold)};
}

}  // namespace

CoolingSchedule::CoolingSchedule(int steps, Bytes peakLoad)
    : cycle_(std::max(1, steps / kCycles)), warmUp_(std::max(1, std::min(cycle_ / 4, 20))),
      centre_(static_cast<double>(peakLoad) / 300.0 / shape().spread) {}

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
    const Shape s = shape();
    const int cycleIndex = std::min(step / cycle_, kCycles - 1);  // the last cycle takes the remainder
    const int inCycle = step - cycleIndex * cycle_;
    const double factor = std::pow(s.spread, -2.0 / cycle_);
    return centre_ * s.spread * std::pow(factor, inCycle);
}

int defaultAnnealingSteps(std::size_t count) {
    const std::size_t bounded = std::min<std::size_t>(count, 1000);
    return std::clamp(30 * static_cast<int>(bounded), 500, 5000);
}

}  // namespace memplan::solve
