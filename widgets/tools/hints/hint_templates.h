// SPDX-License-Identifier: GPL-3.0-or-later
// Hints that are made in one go from the selection (user-experience 11.6). Pure: a plan and items in, hints out.
#pragma once

#include "engine/plan/plan.h"
#include "widgets/plan/selection_hub.h"

#include <QString>

#include <vector>

namespace memplan::ui {

struct HintTemplate {
    QString title;            ///< "Pin everything in this group"
    QString why;              ///< what it would do here, or why it cannot: for the tooltip
    std::vector<Hint> hints;  ///< empty: not possible here
    QString draftKey;         ///< opens the editor on this kind instead, may be empty
    [[nodiscard]] bool isPossible() const { return !hints.empty() || !draftKey.isEmpty(); }
};

/// The templates of the plan's target for these items, in a fixed order; those that are not possible come with the
/// reason.
[[nodiscard]] std::vector<HintTemplate> hintTemplates(const Plan& plan, const std::vector<ItemId>& items);

/// One `split` hint for each op that the fix of a mismatch names (6.4, 11.6).
struct SplitFix;
[[nodiscard]] std::vector<Hint> splitHints(const Plan& plan, const SplitFix& fix);

}  // namespace memplan::ui
