// SPDX-License-Identifier: Apache-2.0
// What the parts of a compile gained in main-memory traffic, as the passes counted it (settings.md 1, preset `best`;
// `memplan explain --stats`). Reads the plan only.
#pragma once

#include "engine/plan/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace memplan {

/// One pass or step that says what it moved. Steps of a search stand below it with `isPart`.
struct Gain {
    std::string name;             ///< pass id, or the words of the part
    std::optional<Bytes> before;  ///< main-memory bytes per run; empty where only the difference was counted
    std::optional<Bytes> after;
    std::optional<Bytes> bound;  ///< no choice of this part moves fewer
    Bytes saved = 0;             ///< negative where it costs bytes
    std::optional<double> seconds;
    std::string why;      ///< sentence, may be empty
    bool isPart = false;  ///< of the entry above it: already counted there
    friend bool operator==(const Gain&, const Gain&) = default;
};

/// In pass order, those that saved nothing too; passes that count no bytes are left out. What its machine knows beyond
/// that: gainsOf() (target/target.h).
[[nodiscard]] std::vector<Gain> passGains(const Plan& plan);

/// Whole plans that the preset `best` compared.
struct ComparedVariant {
    std::string name;
    Bytes traffic = 0;  ///< main-memory bytes per run
    std::optional<double> microseconds;
    bool isKept = false;
    friend bool operator==(const ComparedVariant&, const ComparedVariant&) = default;
};
[[nodiscard]] std::vector<ComparedVariant> comparedVariants(const Plan& plan);

}  // namespace memplan
