// SPDX-License-Identifier: Apache-2.0
// Polls cancellation and the wall time of an import.
#pragma once

#include "engine/base/run_control.h"
#include "engine/json/limits.h"

#include <chrono>
#include <cstdint>

namespace memplan::io::onnx {

/// Polls cancellation and the wall time of an import; throws CANCELLED or IN-906.
class ImportClock {
public:
    ImportClock(const RunControl& control, const Limits& limits)
        : control_(control), seconds_(limits.importSeconds), start_(std::chrono::steady_clock::now()) {}
    /// Call once per small unit of work; looks at the clock every 256 calls.
    void tick() {
        if ((++calls_ & 255U) == 0) check();
    }
    /// The same, reporting how far reading has come, in bytes.
    void tick(std::uint64_t done, std::size_t total) {
        tick();
        if ((calls_ & 4095U) == 0)
            control_.progress("reading the model", static_cast<double>(done), static_cast<double>(total));
    }
    void check() const;

private:
    const RunControl& control_;
    double seconds_;
    std::chrono::steady_clock::time_point start_;
    std::uint64_t calls_ = 0;
};

}  // namespace memplan::io::onnx
