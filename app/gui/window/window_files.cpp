// SPDX-License-Identifier: GPL-3.0-or-later
// The window's actions that write files or show text: export, copy, save plan, keyboard map, About.
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/features/export/export_dialog.h"
#include "app/gui/help/keyboard_map.h"
#include "app/gui/preferences/actions.h"
#include "app/gui/tasks/log.h"
#include "app/gui/window/command_parts.h"
#include "app/gui/window/docks.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/status_facts.h"
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

namespace {

void showText(QWidget* parent, const QString& title, QWidget* content, QSize size) {
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto* box = new QVBoxLayout(dialog);
    box->addWidget(content);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    box->addWidget(buttons);
    ui::setScaledWindowSize(dialog, size.width(), size.height());
    dialog->open();
}

}  // namespace

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

void MainWindow::exportView() {
    showExport(ExportWhat::CurrentView);
}

void MainWindow::copyView() {
    if (ui::GraphicView* view = workspace_->focusedView()) view->copyToClipboard();
}

void MainWindow::exportPlan() {
    showExport(ExportWhat::Plan);
}

/// A folder that a compile or this window wrote: bundle.mlir with its files, or output_code.py (CTB 17.1).
void MainWindow::askOpenBundle() {
    QString folder = QSettings().value(QStringLiteral("lastFolder")).toString();
    folder = QFileDialog::getExistingDirectory(this, tr("Open bundle folder"), folder);
    if (folder.isEmpty()) return;
    QSettings().setValue(QStringLiteral("lastFolder"), QFileInfo(folder).absolutePath());
    openFile(folder);
}

/// What has the focus: a dock with keys of its own, else the picture that had it last.
QString MainWindow::keysInFocus() const {
    if (const auto dock = docks_->focused()) {
        const QString keys = QString::fromLatin1(dockInfo(*dock).keys);
        if (!keys.isEmpty()) return keys;
    }
    return workspace_->focusedView()->viewKey();
}

void MainWindow::showKeyboardMap() {
    const QString view = controller_.document() == nullptr ? QString() : keysInFocus();
    auto* table = new QTableWidget(0, 3);
    table->setAccessibleName(tr("Keys"));
    table->setHorizontalHeaderLabels({tr("Keys"), tr("Action"), tr("Where")});
    table->verticalHeader()->hide();
    table->verticalHeader()->setMinimumSectionSize(ui::themeOf(this).px(24));
    table->verticalHeader()->setDefaultSectionSize(ui::themeOf(this).px(24));
    table->setShowGrid(false);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionMode(QAbstractItemView::NoSelection);
    table->setFocusPolicy(Qt::NoFocus);  // a list to read: no cell of it is chosen
    const auto add = [table](const KeyRow& key) {
        const int row = table->rowCount();
        table->insertRow(row);
        table->setItem(row, 0, new QTableWidgetItem(key.keys));
        table->setItem(row, 1, new QTableWidgetItem(key.text));
        table->setItem(row, 2, new QTableWidgetItem(key.group));
    };
    for (const KeyRow& row : viewKeys(*workspace_, view))
        add(row);
    for (const KeyRow& row : actionKeys(actions_))
        add(row);
    table->resizeColumnsToContents();
    table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    showText(this, view.isEmpty() ? tr("Keyboard map") : tr("Keys: %1").arg(keyGroup(view)), table, {560, 620});
}

void MainWindow::showAbout() {
    auto* about = new QWidget;
    auto* name = new QLabel(tr("memplan-studio %1").arg(QStringLiteral(MEMPLAN_VERSION)), about);
    name->setFont(ui::themeOf(this).font(ui::TextStyle::ObjectTitle));
    name->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* label = new QLabel(tr("See and tune where every buffer lives on chip.\n\n"
                                "The window is GPL-3.0-or-later; the planning engine, the command line and the layout "
                                "program are Apache-2.0.\n\n"
                                "Built with\n"
                                "Qt %1: LGPL-3.0 / GPL-3.0\n"
                                "Qt Charts: GPL-3.0\n"
                                "Graphviz (only in the separate program memplan-layout): EPL-1.0\n"
                                "nlohmann/json: MIT\n"
                                "protozero: BSD-2-Clause\n"
                                "CLI11 (command line): BSD-3-Clause\n"
                                "GLPK (exact solver): GPL-3.0-or-later\n"
                                "libzip: BSD-3-Clause")
                                 .arg(QString::fromLatin1(qVersion())),
                             about);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setAlignment(Qt::AlignTop);
    auto* column = new QVBoxLayout(about);
    ui::setScaledMargins(column, {10, 10, 10, 10}, 10);
    column->addWidget(name);
    column->addWidget(label, 1);
    showText(this, tr("About memplan-studio"), about, {460, 350});
}

}  // namespace memplan::app
