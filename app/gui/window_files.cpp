// SPDX-License-Identifier: GPL-3.0-or-later
// The window's actions that write files or show text: export, copy, save plan, keyboard map, About.
#include "actions.h"
#include "core/graphic_view.h"
#include "core/icons.h"
#include "export/picture_export.h"
#include "io/plan_json.h"
#include "main_window.h"
#include "workspace.h"

#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QMessageBox>
#include <QTableWidget>
#include <QVBoxLayout>

namespace memplan::app {

using ui::fromStd;

namespace {

/// Shows why a file could not be written; the caller's dialog offers another place.
void tellWriteError(QWidget* parent, const Error& error) {
    const Diagnostic& d = error.primary();
    QMessageBox::warning(parent, QObject::tr("Not written"),
                         QStringLiteral("%1\n%2").arg(fromStd(d.message), fromStd(d.hint)));
}

void showText(QWidget* parent, const QString& title, QWidget* content) {
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto* box = new QVBoxLayout(dialog);
    box->addWidget(content);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    box->addWidget(buttons);
    dialog->resize(560, 620);
    dialog->open();
}

}  // namespace

void MainWindow::exportView() {
    ui::GraphicView* view = workspace_->focusedView();
    if (view == nullptr || controller_.document() == nullptr) return;
    const QString base = controller_.document()->name() + QLatin1Char('-') + view->viewKey();
    QString filter;
    QString path = QFileDialog::getSaveFileName(
        this, tr("Export %1").arg(view->viewName()), base + QStringLiteral(".png"),
        tr("PNG picture, 2x (*.png);;SVG drawing (*.svg);;PDF page (*.pdf);;CSV table (*.csv)"), &filter);
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += filter.mid(filter.lastIndexOf(QLatin1Char('.'))).chopped(1);
    if (path.endsWith(u".csv", Qt::CaseInsensitive)) {
        const QByteArray csv = workspace_->tableCsv(view);
        const auto written = io::writeFileAtomically(
            path.toStdString(), std::string_view(csv.constData(), static_cast<std::size_t>(csv.size())));
        if (!written) tellWriteError(this, written.error());
        return;
    }
    ui::PictureRequest request;
    request.size = view->size();
    request.scale = 2;
    request.title = true;
    request.legend = true;
    const auto written = ui::exportPicture(*view, request, path);
    if (!written) tellWriteError(this, written.error());
}

void MainWindow::copyView() {
    if (ui::GraphicView* view = workspace_->focusedView()) view->copyToClipboard();
}

void MainWindow::exportPlan() {
    const Document* document = controller_.document();
    if (document == nullptr || document->current() == nullptr) return;
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Save plan"), document->name() + QStringLiteral(".plan.json"), tr("Plan files (*.json)"));
    if (path.isEmpty()) return;
    const auto written = io::writeFileAtomically(path.toStdString(), io::writePlanJson(*document->current()->plan));
    if (!written) tellWriteError(this, written.error());
}

void MainWindow::showKeyboardMap() {
    auto* table = new QTableWidget(0, 2);
    table->setHorizontalHeaderLabels({tr("Keys"), tr("Action")});
    table->verticalHeader()->hide();
    table->setShowGrid(false);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    const auto add = [table](const QString& keys, const QString& text) {
        const int row = table->rowCount();
        table->insertRow(row);
        table->setItem(row, 0, new QTableWidgetItem(keys));
        table->setItem(row, 1, new QTableWidgetItem(text));
    };
    for (const ActionRow& row : actions_.rows()) {
        if (!row.shortcut.isEmpty())
            add(QString(row.shortcut).replace(QStringLiteral("; "), QStringLiteral(", ")),
                QString(row.text).remove(QLatin1Char('&')));
    }
    const std::pair<QString, QString> viewKeys[] = {
        {tr("W S A D, arrows"), tr("zoom, pan; arrows move the selection")},
        {tr("F / Home"), tr("fit selection / fit all")},
        {tr("+ / - / 0"), tr("zoom in, out, 100 %")},
        {tr("PgDn / PgUp"), tr("next / previous item in schedule order")},
        {tr(", / ."), tr("time cursor one step back / on")},
        {tr("Ctrl+[ / Ctrl+]"), tr("zoom history")},
        {tr("Ctrl+T"), tr("table twin of the view")},
        {tr("O"), tr("off-chip lane (LX Gantt)")},
        {tr("N / K / M"), tr("neighbours, critical paths, map (graph)")},
        {tr("Space"), tr("expand or collapse a group (graph)")},
        {tr("Enter"), tr("inspect")},
        {tr("Esc"), tr("clear hover, range, selection")},
    };
    for (const auto& [keys, text] : viewKeys)
        add(keys, text);
    table->resizeColumnToContents(0);
    table->horizontalHeader()->setStretchLastSection(true);
    showText(this, tr("Keyboard map"), table);
}

void MainWindow::showAbout() {
    auto* label = new QLabel(tr("memplan-studio %1\n\nSee and tune where every buffer lives on chip.\n\n"
                                "The window is GPL-3.0-or-later; the planning engine, the command line and the layout "
                                "program are Apache-2.0.\n\n"
                                "Built with\n"
                                "Qt %2: LGPL-3.0 / GPL-3.0\n"
                                "Graphviz (only in the separate program memplan-layout): EPL-1.0\n"
                                "nlohmann/json: MIT\n"
                                "protozero: BSD-2-Clause\n"
                                "CLI11 (command line): BSD-3-Clause")
                                 .arg(QStringLiteral(MEMPLAN_VERSION), QString::fromLatin1(qVersion())));
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setAlignment(Qt::AlignTop);
    label->setMargin(16);
    showText(this, tr("About memplan-studio"), label);
}

}  // namespace memplan::app
