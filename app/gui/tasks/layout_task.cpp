// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/tasks/layout_task.h"

#include "widgets/views/graph/scene/graph_arranger.h"

namespace memplan::app {

LayoutTask::LayoutTask(ui::GraphArranger& arranger, QObject* parent) : LongTask(parent), arranger_(arranger) {
    connect(&arranger_, &ui::GraphArranger::busyChanged, this, &LayoutTask::follow);
}

void LayoutTask::follow() {
    const bool now = arranger_.isBusy();
    if (now) {
        clock_.start();
        isRunning_ = true;
        emit started(tr("laying out the graph"));
    } else if (isRunning_) {
        isRunning_ = false;
        emit finished();
    }
}

void LayoutTask::cancel() {
    if (!isRunning_) return;
    isRunning_ = false;
    arranger_.cancelLayout();
    emit cancelled(elapsedSeconds(), tr("laying out the graph"));
}

}  // namespace memplan::app
