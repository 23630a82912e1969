// SPDX-License-Identifier: GPL-3.0-or-later
// The window's actions that write files or show text: export, copy, save plan, keyboard map, About.
#include "actions.h"
#include "core/graphic_view.h"
#include "core/icons.h"
#include "core/theme.h"
#include "export/picture_export.h"
#include "help/keyboard_map.h"
#include "io/plan_json.h"
#include "main_window.h"
#include "preferences/preferences.h"
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

#include <algorithm>

namespace memplan::app {

using ui::fromStd;

namespace {

/// Shows why a file could not be written; the caller's dialog offers another place.
void tellWriteError(QWidget* parent, const Error& error) {
    const Diagnostic& d = error.primary();
    QMessageBox::warning(parent, QObject::tr("Not written"),
                         QStringLiteral("%1\n%2").arg(fromStd(d.message), fromStd(d.hint)));
}

/// Preferred folder with its slash, or empty: where the dialog stands by itself.
QString saveFolder() {
    const QString folder = Preferences::instance().value(QStringLiteral("files/save_folder")).toString();
    return folder.isEmpty() ? QString() : folder + QLatin1Char('/');
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
    dialog->resize(ui::themeOf(parent).px(560), ui::themeOf(parent).px(620));
    dialog->open();
}

}  // namespace

void MainWindow::exportView() {
    ui::GraphicView* view = workspace_->focusedView();
    if (view == nullptr || controller_.document() == nullptr) return;
    const Preferences& preferences = Preferences::instance();
    const QString format = preferences.value(QStringLiteral("export/format")).toString();
    const int scale = preferences.value(QStringLiteral("export/scale")).toInt();
    const QString base = controller_.document()->name() + QLatin1Char('-') + view->viewKey();
    QStringList filters{tr("PNG picture, %1x (*.png)").arg(scale), tr("SVG drawing (*.svg)"), tr("PDF page (*.pdf)"),
                        tr("CSV table (*.csv)")};
    filters.move(format == u"svg" ? 1 : format == u"pdf" ? 2 : 0, 0);
    QString filter;
    QString path = QFileDialog::getSaveFileName(this, tr("Export %1").arg(view->viewName()),
                                                saveFolder() + base + QLatin1Char('.') + format,
                                                filters.join(QStringLiteral(";;")), &filter);
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
    request.scale = scale;
    request.title = preferences.value(QStringLiteral("export/title")).toBool();
    request.legend = preferences.value(QStringLiteral("export/legend")).toBool();
    if (preferences.value(QStringLiteral("export/theme")).toString() == u"screen") request.theme = &ui::themeOf(view);
    const auto written = ui::exportPicture(*view, request, path);
    if (!written) tellWriteError(this, written.error());
}

void MainWindow::copyView() {
    if (ui::GraphicView* view = workspace_->focusedView()) view->copyToClipboard();
}

void MainWindow::exportPlan() {
    const Document* document = controller_.document();
    if (document == nullptr || document->current() == nullptr) return;
    const QString path = QFileDialog::getSaveFileName(this, tr("Save plan"),
                                                      saveFolder() + document->name() + QStringLiteral(".plan.json"),
                                                      tr("Plan files (*.json)"));
    if (path.isEmpty()) return;
    const auto written = io::writeFileAtomically(path.toStdString(), io::writePlanJson(*document->current()->plan));
    if (!written) tellWriteError(this, written.error());
}

void MainWindow::showKeyboardMap() {
    const ui::GraphicView* view = controller_.document() == nullptr ? nullptr : workspace_->focusedView();
    auto* table = new QTableWidget(0, 3);
    table->setAccessibleName(tr("Keys"));
    table->setHorizontalHeaderLabels({tr("Keys"), tr("Action"), tr("Where")});
    table->verticalHeader()->hide();
    table->verticalHeader()->setMinimumSectionSize(ui::themeOf(this).px(24));
    table->verticalHeader()->setDefaultSectionSize(ui::themeOf(this).px(24));
    table->setShowGrid(false);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    const auto add = [table](const KeyRow& key) {
        const int row = table->rowCount();
        table->insertRow(row);
        table->setItem(row, 0, new QTableWidgetItem(key.keys));
        table->setItem(row, 1, new QTableWidgetItem(key.text));
        table->setItem(row, 2, new QTableWidgetItem(key.group));
    };
    // What the focused view does comes first, its own keys before those of every view.
    std::vector<KeyRow> rows = viewKeys(view == nullptr ? QString() : view->viewKey());
    std::stable_partition(
        rows.begin(), rows.end(),
        [every = viewKeys(QStringLiteral("none")).front().group](const KeyRow& r) { return r.group != every; });
    for (const KeyRow& row : rows)
        add(row);
    for (const KeyRow& row : actionKeys(actions_))
        add(row);
    table->resizeColumnsToContents();
    table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    showText(this, view == nullptr ? tr("Keyboard map") : tr("Keys: %1").arg(view->viewName()), table);
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
