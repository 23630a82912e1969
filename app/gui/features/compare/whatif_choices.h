// SPDX-License-Identifier: GPL-3.0-or-later
// What a trial may change besides the sliders (UX 13.1): preset, solver, capacity rule, co-optimisation, and the user's
// hints, all of them or one at a time.
#pragma once

#include "app/gui/document/document.h"
#include "widgets/tools/whatif/whatif_panel.h"

#include <utility>
#include <vector>

namespace memplan::app {

/// The choices of a document, with its own values first in the list of hints.
[[nodiscard]] std::vector<ui::WhatIfChoice> whatIfChoices(const Document& document);
/// What the document has chosen itself.
[[nodiscard]] std::map<QString, QString> ownChoices(const Document& document);
/// The same as it would be with another preset: what nobody chose follows it.
[[nodiscard]] std::map<QString, QString> choicesUnder(const Document& document, const QString& preset);
/// Settings that differ from those of the document, or for what follows the preset, from those of the wanted one; the
/// preset first.
[[nodiscard]] std::vector<std::pair<QString, QString>>
changedSettings(const Document& document, const ui::WhatIfValues& own, const ui::WhatIfValues& wanted);
/// The user's hints as the trial has them.
[[nodiscard]] std::vector<Hint> hintsFor(const Document& document, const ui::WhatIfValues& wanted);
/// What differs from the document: "8 cores, solver exact, without pin on sub".
[[nodiscard]] QString trialText(const Document& document, const ui::WhatIfValues& own, const ui::WhatIfValues& wanted);

}  // namespace memplan::app
