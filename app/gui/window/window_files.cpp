// SPDX-License-Identifier: GPL-3.0-or-later
// The window's actions that write files or show text: export, copy, save plan, keyboard map, About.
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/features/export/export_dialog.h"
#include "app/gui/help/keyboard_map.h"
#include "app/gui/preferences/action_table.h"
#include "app/gui/tasks/log.h"
#include "app/gui/window/docks.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/status_facts.h"
#include "app/gui/window/window_parts.h"
#include "app/gui/workspace/workspace.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/kit/controls/window_size.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/kit/theme/theme.h"

#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QSettings>
#include <QStatusBar>
#include <QTableWidget>
#include <QVBoxLayout>

namespace memplan::app {

void MainWindow::showExport(ExportWhat what) {
    if (controller_.document() == nullptr) return;
    delete parts_->exporting;
    auto* dialog = new ExportDialog(controller_, *workspace_, workspace_->focusedView(), this);
    parts_->exporting = dialog;
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setView(workspace_->keyInFront());
    dialog->setWhat(what);
    connect(dialog, &ExportDialog::written, this, [this](const QString& text) {
        statusBar()->showMessage(text, 8000);
        Log::instance().add(text);
    });
    // What it shows belongs to this document and plan.
    connect(&controller_, &DocumentController::documentClosed, dialog, &QDialog::close);
    connect(&controller_, &DocumentController::documentOpened, dialog, &QDialog::close);
    connect(&controller_.hub(), &ui::SelectionHub::planChanged, dialog, &ExportDialog::planChanged);
    connect(controller_.document(), &Document::stateChanged, dialog, &ExportDialog::planChanged);
    connect(parts_->compare, &CompareController::onChanged, dialog, &ExportDialog::planChanged);
    connect(parts_->compare, &CompareController::comparisonChanged, dialog, &ExportDialog::planChanged);
    facts_->showTask(dialog->task());
    dialog->show();  // not modal: the status bar's Cancel stays within reach
}

/// A folder that a compile or this window wrote: bundle.mlir with its files, or output_code.py (CTB 17.1).
void MainWindow::askOpenBundle() {
    QString folder = QSettings().value(QStringLiteral("lastFolder")).toString();
    folder = QFileDialog::getExistingDirectory(this, tr("Open bundle folder"), folder);
    if (folder.isEmpty()) return;
    QSettings().setValue(QStringLiteral("lastFolder"), QFileInfo(folder).absolutePath());
    openFile(folder);
}

}  // namespace memplan::app
