// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the window that its classes use together; the window fills it while it is built.
#pragma once

#include "app/gui/help/tour.h"
#include "app/gui/preferences/settings_dialog.h"
#include "app/gui/window/guide.h"
#include "app/gui/window/perspectives.h"
#include "widgets/tools/palette/find_bar.h"

#include <QPointer>

namespace memplan::app {

class CompareController;
class Docks;
class DocumentController;
class DocumentKeeper;
class ExportDialog;
class FaultPage;
class HintController;
class NotesController;
class ProofController;
class RecordsController;
class Search;
class SolverController;
class WhatIfController;

struct WindowParts {
    DocumentController* controller = nullptr;
    Workspace* workspace = nullptr;
    DocumentKeeper* keeper = nullptr;
    Docks* docks = nullptr;
    Perspectives* perspectives = nullptr;
    Search* search = nullptr;
    ui::FindBar* find = nullptr;
    NotesController* notes = nullptr;
    FaultPage* fault = nullptr;
    CompareController* compare = nullptr;
    RecordsController* side = nullptr;
    ProofController* proof = nullptr;
    HintController* hints = nullptr;
    SolverController* solver = nullptr;
    WhatIfController* whatIf = nullptr;
    QPointer<ExportDialog> exporting;
    QPointer<Tour> tour;
    Guide* guide = nullptr;
    QPointer<SettingsDialog> settings;
};

}  // namespace memplan::app
