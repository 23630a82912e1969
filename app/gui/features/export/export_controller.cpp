// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/export/export_controller.h"

#include "app/gui/features/export/export_dialog.h"
#include "app/gui/features/export/export_source.h"
#include "app/gui/tasks/log.h"
#include "app/gui/workspace/window_services.h"
#include "app/gui/workspace/workspace.h"

namespace memplan::app {

ExportController::ExportController(DocumentController& controller, WindowServices& services, QWidget* window)
    : QObject(window), controller_(controller), services_(services), window_(window) {}

void ExportController::show(ExportWhat what) {
    if (controller_.document() == nullptr) return;
    delete dialog_;
    const Workspace& views = services_.views();
    auto* dialog = new ExportDialog(controller_, views, views.focusedView(), window_);
    dialog_ = dialog;
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setView(views.keyInFront());
    dialog->setWhat(what);
    connect(dialog, &ExportDialog::written, this, [this](const QString& text) {
        services_.message(text);
        Log::instance().add(text);
    });
    // What it shows belongs to this document and plan.
    connect(&controller_, &DocumentController::documentClosed, dialog, &QDialog::close);
    connect(&controller_, &DocumentController::documentOpened, dialog, &QDialog::close);
    connect(&controller_.hub(), &ui::SelectionHub::planChanged, dialog, &ExportDialog::planChanged);
    connect(controller_.document(), &Document::stateChanged, dialog, &ExportDialog::planChanged);
    services_.showTask(dialog->task());
    dialog->show();  // not modal: the status bar's Cancel stays within reach
}

void ExportController::shownChanged() {
    if (dialog_ != nullptr) dialog_->planChanged();
}

}  // namespace memplan::app
