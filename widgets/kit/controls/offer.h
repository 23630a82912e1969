// SPDX-License-Identifier: GPL-3.0-or-later
// A control that the document has no use for is disabled and says why (user-experience 19.1).
#pragma once

#include <QString>

class QWidget;

namespace memplan::ui {

/// Enables a control, or (`whyNot` not empty) disables it with the reason as its tooltip and accessible description.
/// Its own tooltip comes back with it.
void offer(QWidget* control, const QString& whyNot);

}  // namespace memplan::ui
