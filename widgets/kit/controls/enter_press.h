// SPDX-License-Identifier: GPL-3.0-or-later
// A page of buttons outside a dialog: Return and Enter press the one with the focus, as Space does.
#pragma once

class QWidget;

namespace memplan::ui {

/// For all buttons on the page, now and later. Fields and tables keep their own use of these keys.
void pressWithEnter(QWidget* page);

}  // namespace memplan::ui
