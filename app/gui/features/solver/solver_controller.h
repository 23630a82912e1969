// SPDX-License-Identifier: GPL-3.0-or-later
// Ties the Solver dock to the open document: choices of the target, settings, results and races (UX 12).
#pragma once

#include "app/gui/document/document_controller.h"
#include "app/gui/tasks/race.h"

#include <QObject>

namespace memplan::ui {
class SolverPanel;
}

namespace memplan::app {

class SolverController final : public QObject {
    Q_OBJECT
public:
    SolverController(DocumentController& controller, ui::SolverPanel* panel, QObject* parent);
    [[nodiscard]] Race& race() { return race_; }

signals:
    /// The plan of a row beside the current one.
    void compareRequested(int planIndex);
    /// Show an operation's division as it was committed beside the present one.
    void divisionRequested(memplan::OpId op, const memplan::PlanOp& before);

private:
    void documentOpened();
    void connectRace();
    void startRace(const QStringList& solvers);
    void makeCurrent(int row);
    void compare(int row);

    DocumentController& controller_;
    ui::SolverPanel* panel_;
    Race race_{this};
    QString key_;
};

}  // namespace memplan::app
