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

class WindowServices;

class SolverController final : public QObject {
    Q_OBJECT
public:
    SolverController(DocumentController& controller, WindowServices& services, QWidget* window);
    [[nodiscard]] ui::SolverPanel* panel() const { return panel_; }
    [[nodiscard]] Race& race() { return race_; }

signals:
    /// The plan of a row beside the current one.
    void compareRequested(int planIndex);

private:
    void documentOpened();
    void fitToTarget();
    void connectRace();
    void addPictures();
    void showDivision(const QString& opName, const QString& committed);
    void startRace(const QStringList& solvers);
    void makeCurrent(int row);
    void compare(int row);

    DocumentController& controller_;
    WindowServices& services_;
    ui::SolverPanel* panel_;
    Race race_{this};
    QString key_;
};

}  // namespace memplan::app
