// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/figures.h"
#include "engine/base/text.h"

namespace memplan::ttnn {

/// An estimate in nanoseconds as texts in plans give it: "44596.3 \u00b5s".
[[nodiscard]] inline std::string microseconds(double ns) {
    return text::fixed(ns / 1000, 1) + " \u00b5s";
}

/// The same in groups, as all figures on a screen: "44 596.3 \u00b5s".
[[nodiscard]] inline std::string groupedMicroseconds(double ns) {
    return text::groupedFixed(ns / 1000, 1) + " \u00b5s";
}

}  // namespace memplan::ttnn
