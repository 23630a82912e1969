// SPDX-License-Identifier: GPL-3.0-or-later
// The window's helpers around the views: palette, find bar, perspectives, help, settings, log.
#pragma once

#include "help/help_window.h"
#include "help/tour.h"
#include "palette/command_palette.h"
#include "palette/find_bar.h"
#include "preferences/settings_dialog.h"
#include "shell/notes_view.h"
#include "shell/perspectives.h"

#include <QPointer>

namespace memplan::app {

class CompareBridge;
class FaultPage;
class ProofBridge;
class SideBridge;

struct CommandParts {
    Perspectives* perspectives = nullptr;
    PerspectiveBar* bar = nullptr;
    ui::CommandPalette* palette = nullptr;
    ui::FindBar* find = nullptr;
    NotesView* notes = nullptr;
    FaultPage* fault = nullptr;
    CompareBridge* compare = nullptr;
    SideBridge* side = nullptr;
    ProofBridge* proof = nullptr;
    QPointer<Tour> tour;
    QPointer<HelpWindow> help;
    QPointer<SettingsDialog> settings;
};

}  // namespace memplan::app
