// SPDX-License-Identifier: GPL-3.0-or-later
// What the window offers to read and to begin with: help, command lines, templates, notes, tour.
#include "app/gui/features/export/command_line.h"
#include "app/gui/features/export/export_source.h"
#include "app/gui/features/export/shipped_view.h"
#include "app/gui/help/help_pages.h"
#include "app/gui/help/keyboard_map.h"
#include "app/gui/help/template_dialog.h"
#include "app/gui/pages/error_page.h"
#include "app/gui/window/docks.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/tool_bar.h"
#include "app/gui/window/window_parts.h"
#include "app/gui/workspace/workspace.h"
#include "engine/io/samples.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/views/inspector/inspector_view.h"
#include "widgets/views/problems/problems_view.h"

#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QStatusBar>

namespace memplan::app {

using ui::fromStd;

// ---- help ----------------------------------------------------------------------------------------------------

// ---- templates, notes, tour ------------------------------------------------------------------------------------

void MainWindow::newFromTemplate() {
    auto* dialog = new TemplateDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &TemplateDialog::created, this, &MainWindow::openFile);
    dialog->open();
}

void MainWindow::showTour() {
    const auto& sample = controller_.lastRequest().sample;
    if (controller_.document() != nullptr && sample && sample->id == "S1") return startTour();
    const io::SampleInfo* first = io::findSample(samples_, "S1");
    if (first == nullptr) return;
    // Once, for this opening only.
    connect(
        this, &MainWindow::firstPicture, this, [this] { startTour(); },
        static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
    openSample(*first);
}

void MainWindow::startTour() {
    if (parts_->tour != nullptr) return;
    parts_->perspectives->show(0);
    QString hintText = tr("Press H on a selected item, or the pencil in the inspector, to say where it should live. "
                          "P pins it on chip. Every change can be undone.");
    const std::vector<TourStep> steps{
        {tr("Graph"),
         tr("Five operations of a softmax. The badge says where each result lives: L on chip, H main memory. Click a "
            "box: it is selected in every view."),
         workspace_->view(QStringLiteral("graph"))},
        {tr("LX Gantt"),
         tr("Time runs to the right, addresses upward. A rectangle is a buffer on chip; the red line is the limit. The "
            "wheel zooms, dragging pans."),
         workspace_->view(QStringLiteral("gantt"))},
        {tr("Inspector"),
         tr("Where the selected buffer lives, from when to when, who reads it, and which pass decided that, with the "
            "alternatives."),
         workspace_->inspector()},
        {tr("Hints"), hintText, docks_->dock(DockId::Hints)},
        {tr("Recompile"),
         tr("Change solver, cores or reserve: a new plan appears at once, or with F5. The list holds all plans; the "
            "four stages of this sample are there to compare."),
         toolBar_},
    };
    parts_->tour = new Tour(steps, this);
}

}  // namespace memplan::app
