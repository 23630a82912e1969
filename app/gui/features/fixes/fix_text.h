// SPDX-License-Identifier: GPL-3.0-or-later
// Words of the window for evidence and fixes that the engine found (user-experience 7.5, 15.2, 15.3).
#pragma once

#include "engine/advice/fix_all.h"
#include "widgets/kit/controls/notices/fix_card.h"
#include "widgets/views/inspector/inspector_content.h"

#include <QString>

#include <vector>

namespace memplan::app {

/// What a change is called in a card and in the undo history: "Pin v on chip", "Solver bestfit".
[[nodiscard]] QString changeTitle(const advice::Change& change, const TargetId& target);
/// Rows with the numbers behind a reason: need, largest gap and when, who blocks, how each user divides it.
[[nodiscard]] std::vector<ui::InspectorRow> evidenceRows(const Plan& plan, const advice::Evidence& evidence);
/// The card of a fix: what it leads to in numbers against `before`.
[[nodiscard]] ui::FixOffer fixCard(const advice::Fix& fix, const Plan& before);
/// "7 changes tried by compiling, 2 help", with what was left out.
[[nodiscard]] QString searchResult(const advice::FixReport& report);
/// The button for all buffers refused alike; empty for one alone. Where every change failed for the selected one, it
/// promises the others a try and no fix.
[[nodiscard]] QString fixAllOffer(std::size_t refused, bool noneHelped);
[[nodiscard]] QString fixAllResult(const advice::FixAllReport& report, const QString& code);

}  // namespace memplan::app
