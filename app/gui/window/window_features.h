// SPDX-License-Identifier: GPL-3.0-or-later
// The features of the window, one controller each, with their docks; how they give way to each other (architecture
// 9.8; UX 13, 16).
#pragma once

#include "app/gui/document/document_controller.h"

#include <QObject>

class QDockWidget;
class QMainWindow;

namespace memplan::app {

class ChainController;
class CompareController;
class Docks;
class ExportController;
class HintController;
class NotesController;
class Perspectives;
class ProofController;
class RecordsController;
class SolverController;
class StreamController;
class SweepController;
class WhatIfController;
class WindowServices;
class Workspace;

class WindowFeatures final : public QObject {
    Q_OBJECT
public:
    struct Parts {
        DocumentController& controller;
        WindowServices& services;
        Docks& docks;
        Perspectives& perspectives;
        QWidget* page = nullptr;  ///< holds the workspace in a column
    };
    WindowFeatures(const Parts& parts, QMainWindow* window);

    [[nodiscard]] NotesController* notes() const { return notes_; }
    [[nodiscard]] CompareController* compare() const { return compare_; }
    [[nodiscard]] WhatIfController* whatIf() const { return whatIf_; }
    [[nodiscard]] RecordsController* records() const { return records_; }
    [[nodiscard]] ProofController* proof() const { return proof_; }
    [[nodiscard]] HintController* hints() const { return hints_; }
    [[nodiscard]] ChainController* chains() const { return chains_; }
    [[nodiscard]] ExportController* exports() const { return exports_; }

private:
    void buildDocks(QMainWindow* window);
    void buildReview(QMainWindow* window);
    void buildStream();
    void connectCompare();
    void showChanges(bool on);
    void connectRecords();
    void offerRecords();

    Parts parts_;
    Workspace& views_;
    NotesController* notes_;
    SolverController* solver_;
    CompareController* compare_;
    WhatIfController* whatIf_;
    SweepController* sweep_;
    StreamController* stream_;
    RecordsController* records_;
    ProofController* proof_;
    HintController* hints_;
    ExportController* exports_;
    ChainController* chains_ = nullptr;
    int sources_ = 0;  ///< of records, when their dock was last offered
};

}  // namespace memplan::app
