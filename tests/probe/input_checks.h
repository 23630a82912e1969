// SPDX-License-Identifier: Apache-2.0
// What the numbers of a question may be. The engine takes values that its own readers have checked; the probe reads
// lines from anywhere, so everything that an engine function takes for granted is asked here, and a line that breaks it
// is answered with `bad_input`.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace memplan::probe {

/// Largest size, stride or number of elements of a question: products with an element's bytes stay exact.
inline constexpr std::int64_t kMostElements = std::int64_t{1} << 52;

/// Throws `bad_input` with `what` unless `ok`.
void require(bool ok, const std::string& what);
/// A whole number in [least, most].
[[nodiscard]] std::int64_t wholeNumber(const nlohmann::json& value, std::int64_t least, std::int64_t most,
                                       const std::string& what);
/// A list of whole numbers in [least, kMostElements].
[[nodiscard]] std::vector<std::int64_t> wholeNumbers(const nlohmann::json& list, std::int64_t least,
                                                     const std::string& what);
/// Sizes of a tensor: none negative, their product (zeros left out) within kMostElements.
[[nodiscard]] std::vector<std::int64_t> sizesOf(const nlohmann::json& list, const std::string& what);
/// Number of cores: 1 to 65536.
[[nodiscard]] std::int64_t coresOfQuestion(const nlohmann::json& value);

}  // namespace memplan::probe
