// SPDX-License-Identifier: Apache-2.0
// Figures with a point, as text for people; independent of the locale (text.h has the others).
#pragma once

#include <string>

namespace memplan::text {

/// Fixed decimals, the digits before the point in groups as by grouped(): groupedFixed(13796.42, 1) = "13 796.4".
[[nodiscard]] std::string groupedFixed(double value, int decimals);
/// No more than so many significant digits: significant(4.2486e-67, 3) = "4.25e-67", significant(0.5, 3) = "0.5".
[[nodiscard]] std::string significant(double value, int digits);

}  // namespace memplan::text
