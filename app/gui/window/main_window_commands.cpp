// SPDX-License-Identifier: GPL-3.0-or-later
// The window's commands around the views: perspectives, palette, find, panes, settings, help, log.
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/features/export/copy_command.h"
#include "app/gui/features/notes/notes_controller.h"
#include "app/gui/features/notes/session_log.h"
#include "app/gui/pages/error_page.h"
#include "app/gui/pages/fault_page.h"
#include "app/gui/pages/start_page.h"
#include "app/gui/preferences/appearance.h"
#include "app/gui/preferences/preferences.h"
#include "app/gui/session/document_keeper.h"
#include "app/gui/window/command_parts.h"
#include "app/gui/window/docks.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/palette_button.h"
#include "app/gui/window/pane_focus.h"
#include "app/gui/window/search.h"
#include "app/gui/window/status_facts.h"
#include "app/gui/window/tool_bar.h"
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

void MainWindow::addCommandActions() {
    const QString edit = tr("&Edit");
    const QString view = tr("&View");
    const QString tools = tr("&Tools");
    const QString help = tr("&Help");
    actions_.add({
        {"file.template", tr("&File"), tr("&New from template..."), "template", "Ctrl+N", false, true,
         [this] { newFromTemplate(); }},
        {"find.palette", edit, tr("&Find anything..."), "search", "Ctrl+K", false, true,
         [this] { parts_->search->open({}); }},
        {"find.commands", edit, tr("Command &palette..."), "", "Ctrl+Shift+P", false, false,
         [this] { parts_->search->open(QStringLiteral(">")); }},
        {"find.view", edit, tr("Find in &view..."), "", "Ctrl+F", false, false,
         [this] { parts_->find->open(workspace_->focusedView()); }},
        {"find.next", edit, tr("Find &next"), "", "F3", false, false, [this] { parts_->find->step(1); }},
        {"find.previous", edit, tr("Find pre&vious"), "", "Shift+F3", false, false, [this] { parts_->find->step(-1); }},
        {"note.add", edit, tr("Add n&ote..."), "notes-flag", "Ctrl+Shift+N", false, true,
         [this] { parts_->notes->addNote(); }},
        {"app.settings", edit, tr("&Settings..."), "settings", "Ctrl+,", false, false, [this] { showSettings(); }},
    });
    const QStringList names = parts_->perspectives->names();
    for (int i = 0; i < Perspectives::kMost; ++i) {
        const QString name = i < names.size() ? names[i] : tr("saved %1").arg(i + 1);
        actions_.add(
            {{QStringLiteral("view.perspective%1").arg(i + 1), view, tr("Perspective &%1 %2").arg(i + 1).arg(name), "",
              QStringLiteral("Ctrl+%1").arg(i + 1), false, false, [this, i] { parts_->perspectives->show(i); }}});
    }
    actions_.add({
        {"view.savePerspective", view, tr("&Save perspective..."), "save", "", false, false,
         [this] { savePerspective(); }},
        {"view.renamePerspective", view, tr("Re&name perspective..."), "", "", false, false,
         [this] {
             const int at = parts_->perspectives->current();
             const QString name = QInputDialog::getText(this, tr("Rename perspective"), tr("Name"), QLineEdit::Normal,
                                                        parts_->perspectives->names().value(at));
             parts_->perspectives->rename(at, name);
         }},
        {"view.deletePerspective", view, tr("&Delete perspective"), "", "", false, false,
         [this] { parts_->perspectives->remove(parts_->perspectives->current()); }},
        {"view.splitSideBySide", view + tr("/&Split"), tr("&Side by side"), "", "", true, false,
         [this] { setSplit(Workspace::Split::SideBySide); }},
        {"view.splitStacked", view + tr("/&Split"), tr("&One above the other"), "", "", true, false,
         [this] { setSplit(Workspace::Split::Stacked); }},
        {"view.splitTabs", view + tr("/&Split"), tr("&Tabs"), "", "", true, false,
         [this] { setSplit(Workspace::Split::Tabs); }},
        {"view.maximise", view, tr("&Maximise view"), "", "Ctrl+Shift+F11", false, true,
         [this] { parts_->perspectives->toggleMaximised(); }},
        {"view.floatDock", view, tr("F&loat or dock the focused pane"), "dock-float", "", false, false,
         [this] { docks_->floatFocused(); }},
        {"view.closeDock", view, tr("&Close the focused pane"), "dock-close", "", false, false,
         [this] { docks_->closeFocused(); }},
        {"view.nextPane", view, tr("Ne&xt pane"), "", "F6", false, false, [this] { focusPane(1); }},
        {"view.previousPane", view, tr("Pre&vious pane"), "", "Shift+F6", false, false, [this] { focusPane(-1); }},
        {"view.zoomBack", view, tr("Previous &zoom"), "", "Ctrl+[", false, false,
         [this] {
             if (ui::GraphicView* v = workspace_->focusedView()) v->zoomBack();
         }},
        {"view.zoomForward", view, tr("Next z&oom"), "", "Ctrl+]", false, false,
         [this] {
             if (ui::GraphicView* v = workspace_->focusedView()) v->zoomForward();
         }},
        {"tools.copyCompile", tools, tr("Copy &command line of this plan"), "copy-command", "", false, false,
         [this] { copyCommandLine(controller_, *this, false); }},
        {"tools.copyPicture", tools, tr("Copy command line of this &picture"), "", "", false, false,
         [this] { copyCommandLine(controller_, *this, true); }},
        {"help.focused", help, tr("&Help for the focused item"), "help", "F1", false, false,
         [this] { parts_->guide->showHelp(); }},
        {"help.contents", help, tr("Help &contents"), "", "", false, false,
         [this] { parts_->guide->showTopic(QStringLiteral("index.md")); }},
        {"help.tour", help, tr("Show &tour"), "", "", false, false, [this] { showTour(); }},
        {"help.cheatSheet", help, tr("Keys of the focused &view"), "", "?", false, false,
         [this] { parts_->guide->showKeyboardMap(); }},
    });
}

void MainWindow::buildCommands() {
    parts_->perspectives->setShippedState(saveState());
    parts_->search = new Search(this, {controller_, actions_, *docks_, *toolBar_, *menuBar()});
    parts_->find->setViews(workspace_->views());
    connect(parts_->perspectives, &Perspectives::namesChanged, this, &MainWindow::namePerspectives);
    connect(parts_->perspectives, &Perspectives::currentChanged, this, &MainWindow::namePerspectives);
    connect(parts_->perspectives, &Perspectives::currentChanged, this, &MainWindow::fitToKind);
    connect(actions_.menu(tr("&View")), &QMenu::aboutToShow, this, &MainWindow::showSplit);
    for (ui::GraphicView* v : workspace_->views()) {
        actions_.addLetterWidget(v);
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
    connect(&preferences, &Preferences::shortcutsChanged, this, &MainWindow::applyShortcuts);
    for (const PreferenceRow& row : preferences.rows()) {
        if (!row.key.startsWith(u"appearance/")) applyPreference(row.key);
    }
    applyShortcuts();
    showTheme();
    namePerspectives();
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

bool MainWindow::trigger(const QString& id) {
    QAction* action = actions_.action(id);
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

// ---- perspectives and panes --------------------------------------------------------------------------------

void MainWindow::savePerspective() {
    Perspectives& all = *parts_->perspectives;
    if (all.isFull()) {
        statusBar()->showMessage(tr("Nine perspectives are kept. Delete one first."), 6000);
        return;
    }
    const QString name = QInputDialog::getText(this, tr("Save perspective"), tr("Name"), QLineEdit::Normal,
                                               tr("Mine %1").arg(all.names().size() - Perspectives::kShipped + 1));
    all.save(name);
}

/// Saved perspectives have their names in the menu; keys without one are not offered.
void MainWindow::namePerspectives() {
    const QStringList names = parts_->perspectives->names();
    const bool working = pages_->currentWidget() == documentPage_;
    for (int i = 0; i < Perspectives::kMost; ++i) {
        QAction* action = actions_.action(QStringLiteral("view.perspective%1").arg(i + 1));
        action->setVisible(i < names.size());
        action->setEnabled(working && i < names.size());
        if (i < names.size()) action->setText(tr("Perspective &%1 %2").arg(i + 1).arg(names[i]));
    }
    showSplit();
    const bool own = parts_->perspectives->current() >= Perspectives::kShipped;
    for (const char* id : {"view.renamePerspective", "view.deletePerspective"})
        actions_.action(QString::fromLatin1(id))->setEnabled(working && own);
    for (const char* id : {"find.view", "find.next", "find.previous", "view.savePerspective", "view.maximise",
                           "note.add", "view.nextPane", "view.previousPane", "view.zoomBack", "view.zoomForward",
                           "tools.copyCompile", "tools.copyPicture"})
        actions_.action(QString::fromLatin1(id))->setEnabled(working);
}

void MainWindow::setSplit(Workspace::Split split) {
    workspace_->setSplit(split);
    parts_->compare->keepSplit(split);
    showSplit();
}

/// The menu shows how graph and memory map stand, where there are two of them.
void MainWindow::showSplit() {
    using Split = Workspace::Split;
    const bool hasTwo = workspace_->arrangement() != Workspace::Arrangement::MemoryOnly;
    for (const auto& [id, split] : {std::pair{"view.splitSideBySide", Split::SideBySide},
                                    {"view.splitStacked", Split::Stacked},
                                    {"view.splitTabs", Split::Tabs}}) {
        QAction* action = actions_.action(QString::fromLatin1(id));
        action->setEnabled(pages_->currentWidget() == documentPage_ && workspace_->canSplit(split));
        action->setChecked(action->isEnabled() && hasTwo && workspace_->split() == split);
    }
}

void MainWindow::focusPane(int direction) {
    std::vector<QWidget*> panes = workspace_->visiblePanes();
    const std::vector<QWidget*> docked = docks_->contentsOnScreen();
    panes.insert(panes.end(), docked.begin(), docked.end());
    focusNextPane(std::move(panes), direction);
}

// ---- settings ------------------------------------------------------------------------------------------------

void MainWindow::showSettings(const QString& page) {
    if (parts_->settings == nullptr) {
        parts_->settings = new SettingsDialog(actions_, this);
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
        showTheme();
    }
}

void MainWindow::chooseTheme(const char* theme) {
    Preferences::instance().set(QStringLiteral("appearance/theme"), QString::fromLatin1(theme));
    showTheme();  // also where it was that one already
}

void MainWindow::showTheme() {
    const QString chosen = Preferences::instance().value(QStringLiteral("appearance/theme")).toString();
    for (const char* theme : {"system", "light", "dark", "highContrast"})
        actions_.action(QStringLiteral("view.") + QString::fromLatin1(theme))
            ->setChecked(chosen == QLatin1String(theme));
}

void MainWindow::applyShortcuts() {
    for (const ActionRow& row : actions_.rows())
        actions_.setShortcut(row.id, Preferences::instance().shortcut(row.id, row.shortcut));
    const QList<QKeySequence> keys = actions_.action(QStringLiteral("find.palette"))->shortcuts();
    toolBar_->find()->setKeys(keys.isEmpty() ? QString() : keys.front().toString(QKeySequence::NativeText));
}

}  // namespace memplan::app
