// SPDX-License-Identifier: GPL-3.0-or-later
// The layout of the graph as a long task of the status bar (user-experience 2.15, 5.4): "anyway" may take a minute.
#pragma once

#include "app/gui/tasks/long_task.h"

#include <QElapsedTimer>

namespace memplan::ui {
class GraphArranger;
}

namespace memplan::app {

class LayoutTask final : public LongTask {
    Q_OBJECT
public:
    LayoutTask(ui::GraphArranger& arranger, QObject* parent);

    void cancel() override;  ///< the picture before stays
    [[nodiscard]] bool isRunning() const override { return isRunning_; }
    [[nodiscard]] double elapsedSeconds() const override { return static_cast<double>(clock_.elapsed()) / 1000.0; }

private:
    void follow();

    ui::GraphArranger& arranger_;
    bool isRunning_ = false;
    QElapsedTimer clock_;
};

}  // namespace memplan::app
