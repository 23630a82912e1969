// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the window that its actions use; the window fills it while it is built.
#pragma once

namespace memplan::ui {
class FindBar;
}

namespace memplan::app {

class CompareController;
class Docks;
class DocumentController;
class DocumentKeeper;
class DocumentOpener;
class ExportController;
class Guide;
class HintController;
class NotesController;
class Perspectives;
class ProofController;
class RecordsController;
class Search;
class Workspace;

struct WindowParts {
    DocumentController* controller = nullptr;
    DocumentKeeper* keeper = nullptr;
    DocumentOpener* opener = nullptr;
    Workspace* workspace = nullptr;
    Docks* docks = nullptr;
    Perspectives* perspectives = nullptr;
    Search* search = nullptr;
    ui::FindBar* find = nullptr;
    Guide* guide = nullptr;
    CompareController* compare = nullptr;
    RecordsController* records = nullptr;
    ExportController* exports = nullptr;
    HintController* hints = nullptr;
    NotesController* notes = nullptr;
    ProofController* proof = nullptr;
};

}  // namespace memplan::app
