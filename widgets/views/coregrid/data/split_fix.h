// SPDX-License-Identifier: GPL-3.0-or-later
// What would make a writer and a reader cut a buffer alike (user-experience 6.4, hints.md `split`).
#pragma once

#include "widgets/views/coregrid/data/core_map.h"

namespace memplan::ui {

struct SplitProposal {
    OpId op;
    std::string dim;  ///< loop variable
    std::int64_t slices = 1;
    [[nodiscard]] HintValue value() const;  ///< of the hint: {"c1": 8}
    friend bool operator==(const SplitProposal&, const SplitProposal&) = default;
};

struct SplitFix {
    std::vector<SplitProposal> proposals;  ///< in schedule order
    std::string label;                     ///< "Split sub, exp and div by columns, 8"
    std::string sentence;                  ///< who cuts what, and what the fix changes
};

/// The writer, and every op that now cuts like it along an unbroken row of matching buffers, take
/// over the reader's cut. nullopt when the reader reads whole, cuts more than one dimension, or a loop
/// does not divide into that many slices.
[[nodiscard]] std::optional<SplitFix> splitFix(const Plan& plan, const SplitPair& pair);

}  // namespace memplan::ui
