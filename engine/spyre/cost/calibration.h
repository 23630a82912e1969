// SPDX-License-Identifier: Apache-2.0
// Calibration file of the performance model, *.spyre-cal.json (spyre-cost-and-co-optimisation 9.1).
#pragma once

#include "engine/base/result.h"
#include "engine/spyre/cost/price.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan::spyre::cost {

struct Calibration {
    Model model;
    std::string name;
    /// Where the figures come from.
    struct Provenance {
        std::string source, date, hardware, build, method;
        friend bool operator==(const Provenance&, const Provenance&) = default;
    } provenance;
    std::vector<std::pair<std::string, double>> errors;  ///< category -> RMS percent
    std::string sha256;                                  ///< of the file it was read from, else empty
};

/// The compiled-in constants with their published origin and stated errors.
[[nodiscard]] Calibration builtInCalibration();

/// CAL-001 with a JSON pointer: not JSON, other format or version, unknown key, a value that is not finite or that is
/// not positive where a rate or cap is required. Missing keys keep their defaults.
[[nodiscard]] Result<Calibration> readCalibration(std::string_view bytes);
[[nodiscard]] std::string writeCalibration(const Calibration& calibration);

}  // namespace memplan::spyre::cost
