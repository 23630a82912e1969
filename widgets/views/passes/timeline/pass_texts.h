// SPDX-License-Identifier: GPL-3.0-or-later
// The program before and after a pass (user-experience 14.3), from the snapshots that the passes left.
#pragma once

#include "engine/plan/plan.h"

#include <QString>

#include <vector>

namespace memplan::ui {

struct PassTexts {
    QString beforeName, before;  ///< "after pass 3, padding"; "as read" where no earlier text is known
    QString afterName, after;    ///< without a snapshot of its own a pass left the text as it was
};

[[nodiscard]] inline const PassRun& runOf(const std::vector<PassRun>& passes, int pass) {
    return passes[static_cast<std::size_t>(pass)];
}
/// "1.25 ms"
[[nodiscard]] QString passTimeText(double seconds);
/// `pass` is an index in `passes`.
[[nodiscard]] PassTexts passTexts(const std::vector<PassRun>& passes, int pass);
/// The last pass that changed the program's text, else the last one; -1 without passes.
[[nodiscard]] int passToOpenWith(const std::vector<PassRun>& passes);

}  // namespace memplan::ui
