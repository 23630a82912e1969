// SPDX-License-Identifier: GPL-3.0-or-later
// Sections of the inspector over sessions.
#pragma once

namespace memplan::ui {
class InspectorView;
}

namespace memplan::app {

/// Which sections are open is kept as "inspector/KEY" of the settings (user-experience 10.1), read now and written with
/// every change.
void rememberSections(ui::InspectorView* inspector);

}  // namespace memplan::app
