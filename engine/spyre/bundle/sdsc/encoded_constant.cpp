// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/bundle/sdsc/encoded_constant.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace memplan::bundle {
namespace {

/// Sign, 6 exponent bits with bias 31, 9 fraction bits; the largest pattern is infinity and NaN.
std::int64_t dlFloat16(double value) {
    const std::int64_t sign = std::signbit(value) ? 0x8000 : 0;
    constexpr std::int64_t kInfinity = 0x7FFF;
    if (std::isnan(value) || std::isinf(value)) return sign | kInfinity;
    if (value == 0) return sign;
    int exponent = 0;
    const double fraction = std::frexp(std::fabs(value), &exponent);           // in [0.5, 1)
    auto bits = static_cast<std::int64_t>(std::nearbyint(fraction * 1024.0));  // 9 bits behind the leading one
    if (bits == 1024) {
        bits = 512;
        ++exponent;
    }
    const std::int64_t biased = exponent - 1 + 31;
    if (biased < 0) return sign;
    const std::int64_t pattern = biased * 512 + (bits - 512);
    return sign | (biased > 63 || pattern >= kInfinity ? kInfinity : pattern);
}

}  // namespace

std::int64_t encodedConstant(double value, std::string_view deviceFormat) {
    if (deviceFormat == "SEN169_FP16") return dlFloat16(value);
    if (deviceFormat == "IEEE_FP32") return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    if (std::isnan(value)) return 0;  // an infinity is the number at the end of the range
    return static_cast<std::int64_t>(std::clamp(value, -2147483648.0, 2147483647.0));
}

double decodedConstant(std::int64_t bits, std::string_view deviceFormat) {
    if (deviceFormat == "IEEE_FP32") return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (deviceFormat != "SEN169_FP16") return static_cast<double>(bits);
    const double sign = (bits & 0x8000) != 0 ? -1 : 1;
    const auto pattern = static_cast<int>(bits & 0x7fff);
    if (pattern == 0x7fff) return sign * std::numeric_limits<double>::infinity();
    if (pattern == 0) return sign * 0.0;
    return sign * std::ldexp(512 + pattern % 512, pattern / 512 - 31 - 9);
}

}  // namespace memplan::bundle
