// SPDX-License-Identifier: GPL-3.0-or-later
// The sign on what a hint names (user-experience 5.11): a pin where the hint fixes the place, a bulb for any other.
#pragma once

#include "widgets/canvas/state/view_state.h"

#include <QCoreApplication>

namespace memplan::ui {

/// LegendEntry::category of the two signs: neither a residency nor a colour.
inline constexpr int kHintSign = -2, kPinSign = -3;

[[nodiscard]] inline QString hintSignName(bool isPin) {
    return isPin ? QStringLiteral("pin") : QStringLiteral("hint-add");
}

/// What the signs in sight mean.
inline void addHintLegend(std::vector<LegendEntry>& entries, bool hasPin, bool hasOther) {
    if (hasPin) entries.push_back({QCoreApplication::translate("Legend", "pinned"), Residency::OnChip, kPinSign, -1});
    if (hasOther) entries.push_back({QCoreApplication::translate("Legend", "hint"), Residency::OnChip, kHintSign, -1});
}

}  // namespace memplan::ui
