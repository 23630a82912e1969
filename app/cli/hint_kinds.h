// SPDX-License-Identifier: Apache-2.0
// The kinds of hints (hints.md 4) as `memplan list hints` prints them.
#pragma once

#include <span>
#include <string_view>

namespace memplan::cli {

struct HintKind {
    std::string_view target;
    std::string_view key;
    std::string_view scope;
    std::string_view value;
    std::string_view pass;  ///< id of pipeline.md that reads it
    std::string_view meaning;
    bool isRead = false;  ///< this version's passes read it; others keep it in the plan as `ignored`
};

[[nodiscard]] std::span<const HintKind> allHintKinds();

}  // namespace memplan::cli
