// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/commands/guide.h"

#include "app/gui/document/document_controller.h"
#include "app/gui/help/help_pages.h"
#include "app/gui/help/keyboard_map.h"
#include "app/gui/pages/error_page.h"
#include "app/gui/preferences/action_table.h"
#include "app/gui/window/docks/docks.h"
#include "app/gui/window/docks/perspectives.h"
#include "app/gui/workspace/workspace.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/kit/controls/window_size.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/units.h"
#include "widgets/views/problems/problems_view.h"

#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QMainWindow>
#include <QTableWidget>
#include <QToolBar>
#include <QVBoxLayout>

namespace memplan::app {

using ui::fromStd;

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

Guide::Guide(QMainWindow* window, const Parts& parts) : QObject(window), window_(window), parts_(parts) {}

void Guide::showTopic(const QString& id) {
    if (help_ == nullptr) {
        help_ = new HelpWindow([this] { return parts_.controller.hub().plan(); }, window_);
        help_->setKeysPage([this] { return keysPage(parts_.actions, parts_.workspace); });
    }
    help_->showTopic(id);
    help_->show();
    help_->raise();
}

void Guide::showHelp() {
    const QWidget* focus = QApplication::focusWidget();
    const auto dock = parts_.docks.focused();
    const PlanPtr& plan = parts_.controller.hub().plan();
    const auto primary = parts_.controller.hub().primary();
    const bool isInProblems = focus != nullptr && parts_.workspace.problems()->isAncestorOf(focus);
    if (const QString code = isInProblems ? parts_.workspace.problems()->currentCode() : QString(); !code.isEmpty())
        return showTopic(QStringLiteral("code:") + code);
    if (plan && primary && primary->kind == ui::ItemKind::Problem)
        return showTopic(QStringLiteral("code:") +
                         fromStd(plan->problems[static_cast<std::size_t>(primary->index)].code));
    if (parts_.error.isVisible() && !parts_.error.code().isEmpty())
        return showTopic(QStringLiteral("code:") + parts_.error.code());
    if (const auto* view = qobject_cast<const ui::GraphicView*>(focus)) return showTopic(helpIdOf(view->viewKey()));
    showTopic(dock ? QString::fromLatin1(dockInfo(*dock).help) : helpIdOf({}));
}

/// What has the focus: a dock with keys of its own, else the picture that had it last.
QString Guide::keysInFocus() const {
    if (const auto dock = parts_.docks.focused()) {
        const QString keys = QString::fromLatin1(dockInfo(*dock).keys);
        if (!keys.isEmpty()) return keys;
    }
    return parts_.workspace.focusedView()->viewKey();
}

void Guide::showKeyboardMap() {
    const QString view = parts_.controller.document() == nullptr ? QString() : keysInFocus();
    auto* table = new QTableWidget(0, 3);
    table->setAccessibleName(tr("Keys"));
    table->setHorizontalHeaderLabels({tr("Keys"), tr("Action"), tr("Where")});
    table->verticalHeader()->hide();
    table->verticalHeader()->setMinimumSectionSize(ui::themeOf(window_).px(24));
    table->verticalHeader()->setDefaultSectionSize(ui::themeOf(window_).px(24));
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
    for (const KeyRow& row : viewKeys(parts_.workspace, view))
        add(row);
    for (const KeyRow& row : actionKeys(parts_.actions))
        add(row);
    table->resizeColumnsToContents();
    table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    showText(window_, view.isEmpty() ? tr("Keyboard map") : tr("Keys: %1").arg(keyGroup(view)), table, {560, 620});
}

void Guide::showAbout() {
    auto* about = new QWidget;
    auto* name = new QLabel(tr("memplan-studio %1").arg(QStringLiteral(MEMPLAN_VERSION)), about);
    name->setFont(ui::themeOf(window_).font(ui::TextStyle::ObjectTitle));
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
    showText(window_, tr("About memplan-studio"), about, {460, 350});
}

// ---- tour ----------------------------------------------------------------------------------------------------

bool Guide::isFirstSample() const {
    const auto& sample = parts_.controller.lastRequest().sample;
    return parts_.controller.document() != nullptr && sample && sample->id == "S1";
}

void Guide::showTour() {
    if (isFirstSample()) return startTour();
    wantsTour_ = parts_.openFirstSample();
}

void Guide::pictureShown() {
    if (!isFirstSample()) return;
    if (offersTour_ && !Tour::wasSeen()) startTour();
    if (wantsTour_) QMetaObject::invokeMethod(this, &Guide::startTour, Qt::QueuedConnection);
    wantsTour_ = false;
}

void Guide::startTour() {
    if (tour_ != nullptr || parts_.controller.document() == nullptr) return;
    parts_.perspectives.show(0);
    const std::vector<TourStep> steps{
        {tr("Graph"),
         tr("Five operations of a softmax. The badge says where each result lives: L on chip, H main memory. Click a "
            "box: it is selected in every view."),
         parts_.workspace.view(QStringLiteral("graph"))},
        {tr("LX Gantt"),
         tr("Time runs to the right, addresses upward. A rectangle is a buffer on chip; the red line is the limit. The "
            "wheel zooms, dragging pans."),
         parts_.workspace.view(QStringLiteral("gantt"))},
        {tr("Inspector"),
         tr("Where the selected buffer lives, from when to when, who reads it, and which pass decided that, with the "
            "alternatives."),
         parts_.workspace.inspector()},
        {tr("Hints"),
         tr("Press H on a selected item, or the pencil in the inspector, to say where it should live. P pins it on "
            "chip. Every change can be undone."),
         parts_.docks.dock(DockId::Hints)},
        {tr("Recompile"),
         tr("Change solver, cores or reserve: a new plan appears at once, or with F5. The list holds all plans; the "
            "four stages of this sample are there to compare."),
         parts_.toolBar},
    };
    tour_ = new Tour(steps, window_);
    connect(&parts_.controller, &DocumentController::documentClosed, tour_, &QWidget::close);
}

}  // namespace memplan::app
