// SPDX-License-Identifier: Apache-2.0
#include "tests/probe/input_checks.h"

#include "tests/probe/registry.h"

#include <cmath>

namespace memplan::probe {

using nlohmann::json;

void require(bool ok, const std::string& what) {
    if (!ok) throw ProbeError{"bad_input", what};
}

std::int64_t wholeNumber(const json& value, std::int64_t least, std::int64_t most, const std::string& what) {
    require(value.is_number(), what + ": no number");
    if (value.is_number_float()) {
        const double d = value.get<double>();
        require(std::abs(d) <= static_cast<double>(kMostElements) && d == std::floor(d), what + ": no whole number");
    }
    require(!value.is_number_unsigned() || value.get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX),
            what + ": too large");
    const auto number = value.get<std::int64_t>();
    require(number >= least && number <= most, what + ": " + std::to_string(number) + " is not within " +
                                                   std::to_string(least) + " to " + std::to_string(most));
    return number;
}

std::vector<std::int64_t> wholeNumbers(const json& list, std::int64_t least, const std::string& what) {
    require(list.is_array(), what + ": no list");
    std::vector<std::int64_t> out;
    for (const json& value : list)
        out.push_back(wholeNumber(value, least, kMostElements, what));
    return out;
}

std::vector<std::int64_t> sizesOf(const json& list, const std::string& what) {
    const std::vector<std::int64_t> out = wholeNumbers(list, 0, what);
    std::int64_t elements = 1;
    for (const std::int64_t size : out) {
        if (size == 0) continue;
        require(elements <= kMostElements / size, what + ": too many elements");
        elements *= size;
    }
    return out;
}

std::int64_t coresOfQuestion(const json& value) {
    return wholeNumber(value, 1, 65536, "cores");
}

}  // namespace memplan::probe
