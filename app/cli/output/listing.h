// SPDX-License-Identifier: Apache-2.0
// A table that prints as aligned text and as JSON; the rows of every `memplan list`.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace memplan::cli {

struct Listing {
    /// Key of a row's value and the heading over it, in print order. Rows may hold further keys,
    /// which only the JSON form shows.
    std::vector<std::pair<std::string, std::string>> columns;
    std::vector<nlohmann::ordered_json> rows;
};

[[nodiscard]] std::string asText(const Listing& listing);
[[nodiscard]] std::string asJson(const Listing& listing);

[[nodiscard]] Listing listTargets();
[[nodiscard]] Listing listMachines();
[[nodiscard]] Listing listPasses();
[[nodiscard]] Listing listSolvers();
[[nodiscard]] Listing listSettings();
[[nodiscard]] Listing listHints();
[[nodiscard]] Listing listFormats();
[[nodiscard]] Listing listSamples();
[[nodiscard]] Listing listReasons();
[[nodiscard]] Listing listDiagnostics();

}  // namespace memplan::cli
