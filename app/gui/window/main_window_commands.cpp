// SPDX-License-Identifier: GPL-3.0-or-later
// The window's commands around the views: perspectives, palette, find, panes, settings, help, log.
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/features/export/copy_command.h"
#include "app/gui/features/export/export_source.h"
#include "app/gui/features/notes/notes_controller.h"
#include "app/gui/features/notes/session_log.h"
#include "app/gui/pages/error_page.h"
#include "app/gui/pages/fault_page.h"
#include "app/gui/pages/start_page.h"
#include "app/gui/preferences/appearance.h"
#include "app/gui/preferences/preferences.h"
#include "app/gui/session/document_keeper.h"
#include "app/gui/window/actions.h"
#include "app/gui/window/docks.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/palette_button.h"
#include "app/gui/window/pane_focus.h"
#include "app/gui/window/search.h"
#include "app/gui/window/status_facts.h"
#include "app/gui/window/tool_bar.h"
#include "app/gui/window/window_parts.h"
#include "app/gui/workspace/workspace.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/kit/controls/strip.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/views/graph/graph_view.h"
#include "widgets/views/inspector/inspector_view.h"
#include "widgets/views/problems/problems_view.h"

#include <QApplication>
#include <QDockWidget>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QStackedWidget>
#include <QStatusBar>

#include <algorithm>

namespace memplan::app {

using ui::fromStd;

void MainWindow::buildCommands() {
    parts_->perspectives->setShippedState(saveState());
    parts_->search = new Search(this, {controller_, actions_->table(), *docks_, *toolBar_, *menuBar()});
    parts_->find->setViews(workspace_->views());
    connect(parts_->perspectives, &Perspectives::namesChanged, actions_, &Actions::showPerspectives);
    connect(parts_->perspectives, &Perspectives::currentChanged, actions_, &Actions::showPerspectives);
    connect(parts_->perspectives, &Perspectives::currentChanged, this, &MainWindow::fitToKind);
    for (ui::GraphicView* v : workspace_->views()) {
        actions_->table().addLetterWidget(v);
        const auto zoom = [this, v] {
            if (workspace_->focusedView() == v) facts_->showZoom(v->plan() ? v->zoomText() : QString());
        };
        connect(v, &ui::GraphicView::viewportChanged, this, zoom);
        connect(v, &ui::GraphicView::scopeChanged, this, zoom);
        connect(v, &ui::GraphicView::cheatSheetRequested, parts_->guide, &Guide::showKeyboardMap);
    }
    connect(parts_->perspectives, &Perspectives::currentChanged, this, [this] {
        const ui::GraphicView* v = workspace_->focusedView();
        facts_->showZoom(v->isVisible() && v->plan() ? v->zoomText() : QString());
    });
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        if (auto* v = qobject_cast<ui::GraphicView*>(now); v != nullptr && isAncestorOf(v))
            facts_->showZoom(v->plan() ? v->zoomText() : QString());
    });
    Preferences& preferences = Preferences::instance();
    connect(&preferences, &Preferences::changed, this, &MainWindow::applyPreference);
    connect(&preferences, &Preferences::shortcutsChanged, actions_, &Actions::applyShortcuts);
    for (const PreferenceRow& row : preferences.rows()) {
        if (!row.key.startsWith(u"appearance/")) applyPreference(row.key);
    }
    connect(actions_, &Actions::searchKeysChanged, toolBar_->find(), &PaletteButton::setKeys);
    actions_->applyShortcuts();
    actions_->showTheme();
    actions_->showPerspectives();
    logTasks(controller_, this);
    connectFaultPage();
    connect(start_, &StartPage::templateRequested, this, &MainWindow::newFromTemplate);
    connect(start_, &StartPage::tourRequested, this, &MainWindow::showTour);
    connect(error_, &ErrorPage::raiseLimitRequested, this, [this](const QString& key, const QString& value) {
        OpenRequest request = controller_.lastRequest();
        request.settings.emplace_back(key.toStdString(), value.toStdString());
        controller_.open(request);
    });
    connect(error_, &ErrorPage::helpRequested, parts_->guide, &Guide::showTopic);
    connect(start_, &StartPage::helpRequested, parts_->guide, &Guide::showTopic);
    connect(workspace_->problems(), &ui::ProblemsView::helpRequested, this,
            [this](const QString& code) { parts_->guide->showTopic(QStringLiteral("code:") + code); });
    connect(this, &MainWindow::firstPicture, this, [this] {
        const auto& sample = controller_.lastRequest().sample;
        if (offersTour_ && !Tour::wasSeen() && sample && sample->id == "S1") startTour();
    });
}

void MainWindow::connectFaultPage() {
    FaultPage* fault = parts_->fault = new FaultPage(pages_);
    pages_->addWidget(fault);
    const auto goOn = [this] {
        showPage(controller_.document() == nullptr ? static_cast<QWidget*>(start_) : documentPage_);
    };
    connect(fault, &FaultPage::goOn, this, goOn);
    // Hints, settings and notes: what the user made and nobody else has.
    connect(fault, &FaultPage::saveRequested, this, [this, goOn] {
        const Saving saved = keeper_->saveAs();
        if (saved == Saving::Done) statusBar()->showMessage(tr("Saved as %1").arg(tabPath()), 6000);
        if (saved == Saving::Failed) goOn();  // the strip says why
    });
}

void MainWindow::showFault(const QString& text) {
    const Document* document = controller_.document();
    const bool isKept = keeper_->saveCopy();
    parts_->fault->setDocument(document == nullptr       ? FaultPage::Work::None
                               : isKept                  ? FaultPage::Work::Copied
                               : !document->isModified() ? FaultPage::Work::Saved
                                                         : FaultPage::Work::AtRisk);
    parts_->fault->show(text);
    showPage(parts_->fault);
}

void MainWindow::run(WindowCommand command) {
    switch (command) {
    case WindowCommand::Open:
        return askOpen();
    case WindowCommand::OpenBundle:
        return askOpenBundle();
    case WindowCommand::CloseDocument:
        return closeDocument();
    case WindowCommand::NewFromTemplate:
        return newFromTemplate();
    case WindowCommand::ExportPlan:
        return showExport(ExportWhat::Plan);
    case WindowCommand::ExportView:
        return showExport(ExportWhat::CurrentView);
    case WindowCommand::ExportBundle:
        return showExport(ExportWhat::Bundle);
    case WindowCommand::CopyView:
        if (ui::GraphicView* view = workspace_->focusedView()) view->copyToClipboard();
        return;
    case WindowCommand::ShowSettings:
        return showSettings();
    case WindowCommand::ShowTour:
        return showTour();
    case WindowCommand::ResetLayout:
        return resetLayout();
    }
}

bool MainWindow::trigger(const QString& id) {
    QAction* action = actions_->table().action(id);
    if (action == nullptr || !action->isEnabled()) return false;
    action->trigger();
    return true;
}

void MainWindow::inspect(ui::ItemId item) {
    ui::SelectionHub& hub = controller_.hub();
    // Of several selected items the inspector shows what they have in common; that stays.
    if (!hub.isSelected(item)) hub.select(item);
    docks_->show(DockId::Inspector);
    workspace_->inspectorView()->setFocus(Qt::ShortcutFocusReason);
}

// ---- settings ------------------------------------------------------------------------------------------------

void MainWindow::showSettings(const QString& page) {
    if (parts_->settings == nullptr) {
        parts_->settings = new SettingsDialog(actions_->table(), this);
        parts_->settings->setAttribute(Qt::WA_DeleteOnClose);
    }
    if (!page.isEmpty()) parts_->settings->showPage(page);
    parts_->settings->show();
    parts_->settings->raise();
}

void MainWindow::applyPreference(const QString& key) {
    const Preferences& p = Preferences::instance();
    const QVariant value = p.value(key);
    if (key == u"general/unit" || key == u"general/hex") {
        setUnits(preferredUnits());
    } else if (key == u"general/wheel") {
        for (ui::GraphicView* v : workspace_->views())
            v->setWheelScrolls(value.toString() == u"scroll");
    } else if (key == u"graph/direction") {
        if (auto* graph = qobject_cast<ui::GraphView*>(workspace_->view(QStringLiteral("graph"))))
            graph->arranger().setDirection(preferredDirection());
    } else if (key == u"graph/visible_nodes" || key == u"graph/deadline_ms") {
        if (auto* graph = qobject_cast<ui::GraphView*>(workspace_->view(QStringLiteral("graph"))))
            graph->arranger().setLimits(p.value(QStringLiteral("graph/visible_nodes")).toInt(),
                                        p.value(QStringLiteral("graph/deadline_ms")).toInt());
    } else if (key.startsWith(u"appearance/")) {
        applyPreferredTheme();
        facts_->update();
        actions_->showTheme();
    }
}

}  // namespace memplan::app
