// SPDX-License-Identifier: GPL-3.0-or-later
// Ties the Sweep dock to the open document (UX 13.3): compiles every combination in workers, fills the matrix as they
// finish, makes the plan of a clicked cell current.
#pragma once

#include "app/gui/document/document_controller.h"
#include "app/gui/tasks/background_task.h"
#include "engine/sweep/sweep.h"
#include "widgets/tools/sweep/sweep_panel.h"

#include <QObject>

#include <memory>

namespace memplan::app {

class WindowServices;

class SweepController final : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t kKeptOps = 500;  ///< plans of larger graphs are compiled again on click

    SweepController(DocumentController& controller, WindowServices& services, QWidget* window);
    [[nodiscard]] ui::SweepPanel* panel() const { return panel_; }
    void run();
    void makeCurrent(int cell);
    /// The file of `memplan sweep` for what the matrix shows.
    [[nodiscard]] QByteArray csv() const;

private:
    void documentOpened();
    void fitToTarget();
    void showKeys();
    void showHintKeys();
    void cellDone(quint64 generation, std::size_t index, const sweep::SweepCell& cell);
    void showMatrix();
    [[nodiscard]] ui::SweepPicture pictureOf(std::size_t metric) const;
    void ended(const Result<std::vector<sweep::SweepCell>>& cells);
    void saveCsv();
    void savePicture();
    void copyCommand();
    [[nodiscard]] QString summary() const;

    DocumentController& controller_;
    WindowServices& services_;
    ui::SweepPanel* panel_;
    BackgroundTask task_{this};
    quint64 generation_ = 0;
    sweep::SweepRequest request_;  ///< of what the matrix shows
    std::vector<sweep::SweepCell> cells_;
    QString inputPath_, hintWords_;  ///< of the same
    std::vector<ui::SweepKey> hintKeys_;
};

}  // namespace memplan::app
