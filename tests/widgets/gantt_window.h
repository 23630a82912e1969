// SPDX-License-Identifier: GPL-3.0-or-later
// The memory map with its bar and table on screen, as its tests start.
#pragma once

#include "tests/support/plan_fixture.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/views/gantt/gantt_pane.h"
#include "widgets/views/gantt/gantt_view.h"

#include <QApplication>
#include <QTest>

#include <memory>

namespace memplan::fixture {

class GanttWindow {
protected:
    /// The light theme; nothing moves by itself.
    static void prepareProgram() {
        QApplication::setStyle(new ui::StudioStyle(ui::Theme(ui::ThemeKind::Light)));
        qputenv("MEMPLAN_REDUCED_MOTION", "1");
    }

    /// The whole of softmaxStage4() on screen.
    [[nodiscard]] bool open() {
        hub_ = std::make_unique<ui::SelectionHub>();
        pane_.reset(ui::makeGanttPane(hub_.get()));
        view_ = qobject_cast<ui::GanttView*>(pane_->view());
        pane_->resize(734, 620);
        hub_->setPlan(softmaxStage4());
        pane_->show();
        if (!QTest::qWaitForWindowExposed(pane_.get())) return false;
        view_->fitAll();
        return true;
    }

    void close() {
        pane_.reset();
        hub_.reset();
    }

    std::unique_ptr<ui::SelectionHub> hub_;
    std::unique_ptr<ui::ViewPane> pane_;
    ui::GanttView* view_ = nullptr;
};

}  // namespace memplan::fixture
