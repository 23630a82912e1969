// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/text.h"

namespace memplan::ttnn {

/// An estimate in nanoseconds as the texts of a plan give it: "413.1 \u00b5s".
[[nodiscard]] inline std::string microseconds(double ns) {
    return text::fixed(ns / 1000, 1) + " \u00b5s";
}

}  // namespace memplan::ttnn
