// SPDX-License-Identifier: Apache-2.0
// Scalars in the number formats of the device.
#pragma once

#include <cstdint>
#include <string_view>

namespace memplan::bundle {

/// Bit pattern of a value in a device format: DLFloat16 (1 sign, 6 exponent, 9 fraction bits, bias 31,
/// one symbol for infinity and NaN), IEEE single, or the integer itself.
[[nodiscard]] std::int64_t encodedConstant(double value, std::string_view deviceFormat);

/// The number that a bit pattern stands for; its own encoding is that pattern again.
[[nodiscard]] double decodedConstant(std::int64_t bits, std::string_view deviceFormat);

}  // namespace memplan::bundle
