// SPDX-License-Identifier: GPL-3.0-or-later
// What keys and menus reach (user-experience 2.13, 3.3, 3.8, 3.9, 15.4, 21): the inspector of an item, the help page of
// what has the focus, keys that are listed where they act.
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/help/help_pages.h"
#include "app/gui/help/help_window.h"
#include "app/gui/help/keyboard_map.h"
#include "app/gui/preferences/preferences.h"
#include "app/gui/session/recent_files.h"
#include "app/gui/workspace/workspace.h"
#include "tests/support/program.h"
#include "tests/support/waiting.h"
#include "tests/support/window_support.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/canvas/pane/dock_title_bar.h"
#include "widgets/plan/models/plan_models.h"
#include "widgets/plan/models/row_scope.h"
#include "widgets/tools/compare/changes_view.h"
#include "widgets/tools/hints/hints_view.h"
#include "widgets/tools/palette/command_palette.h"
#include "widgets/views/gantt/metrics_panel.h"
#include "widgets/views/inspector/inspector_view.h"
#include "widgets/views/passes/passes_view.h"
#include "widgets/views/problems/problems_view.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QSettings>
#include <QStatusBar>
#include <QTabBar>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QToolButton>

#include <algorithm>
#include <memory>

using namespace memplan;
using namespace memplan::app;

class ReachTest : public QObject, private WindowSupport {
    Q_OBJECT

private slots:
    void initTestCase() { samples_ = prepareProgram("tst_reach"); }
    void init();
    void cleanup() { window_.reset(); }
    void inspect_selectsRaisesAndFocuses();
    void enterOnAProblem_showsItInTheInspector();
    void f1_explainsWhatHasTheFocus();
    void palette_findsNotes();
    void cheatSheet_isThatOfTheFocus();
    void letters_actInPicturesOnly();
    void perspective_givesTheKeyboardToTheViewInFront();
    void review_showsTheMetrics();
    void range_narrowsProblemsAndEdges();
    void docks_floatWithATitle_andCloseByTab();
    void recentFiles_areInTheFileMenu();
    void split_isChosenInTheViewMenu();
    void themes_areInTheViewMenu();

private:
    [[nodiscard]] QDockWidget* dock(const char* name) const {
        return window_->findChild<QDockWidget*>(QString::fromLatin1(name));
    }
};

void ReachTest::init() {
    QSettings().clear();
    window_ = std::make_unique<MainWindow>(samples_);
    QVERIFY(showInFront(*window_));
    window_->openSample(*io::findSample(samples_, "S3"));
    QVERIFY(settled());
}

// ---- inspect -------------------------------------------------------------------------------------------------

void ReachTest::inspect_selectsRaisesAndFocuses() {
    dock("inspectorDock")->hide();
    hub().clearSelection();
    const ui::ItemId item = ui::ItemId::of(BufferId::of(0));
    hub().requestInspect(item);
    QCOMPARE(hub().primary(), std::optional(item));
    QVERIFY(dock("inspectorDock")->isVisible());
    QVERIFY(window_->workspace().inspectorView()->hasFocus());
    // Of several items it shows what they have in common.
    hub().setSelection({item, ui::ItemId::of(BufferId::of(1))}, item);
    hub().requestInspect(item);
    QCOMPARE(hub().selection().size(), std::size_t{2});
}

void ReachTest::enterOnAProblem_showsItInTheInspector() {
    ui::ProblemsView& problems = *window_->workspace().problems();
    dock("problemsDock")->raise();
    problems.table()->setFocus();
    problems.table()->setCurrentIndex(problems.table()->model()->index(0, 0));
    QTest::keyClick(problems.table(), Qt::Key_Return);
    QVERIFY(hub().primary().has_value());
    QCOMPARE(hub().primary()->kind, ui::ItemKind::Problem);
    const ui::InspectorView& inspector = *window_->workspace().inspectorView();
    QVERIFY(inspector.hasFocus());
    const auto at = static_cast<std::size_t>(hub().primary()->index);
    const std::string& code = hub().plan()->problems[at].code;
    QCOMPARE(inspector.content().kind, QStringLiteral("problem"));
    QCOMPARE(inspector.content().title, QString::fromStdString(code));
}

// ---- help ----------------------------------------------------------------------------------------------------

void ReachTest::f1_explainsWhatHasTheFocus() {
    ui::ProblemsView& problems = *window_->workspace().problems();
    dock("problemsDock")->raise();
    problems.table()->setFocus();
    problems.table()->setCurrentIndex(problems.table()->model()->index(0, 0));
    QTest::keyClick(problems.table(), Qt::Key_F1);
    const auto* help = window_->findChild<HelpWindow*>();
    QVERIFY(help != nullptr);
    QVERIFY(!problems.currentCode().isEmpty());
    QCOMPARE(help->topic(), QStringLiteral("code:") + problems.currentCode());
    hub().clearSelection();
    for (const QDockWidget* d : window_->findChildren<QDockWidget*>()) {
        const QString page = helpIdOf(d->objectName());
        QVERIFY2(page != u"index.md", qPrintable(d->objectName()));
        QVERIFY2(!helpPage(page).isEmpty(), qPrintable(page));
    }
}

// ---- palette -------------------------------------------------------------------------------------------------

void ReachTest::palette_findsNotes() {
    const ui::ItemId item = ui::ItemId::of(BufferId::of(1));
    document().setNote({QStringLiteral("buffer"), hub().itemName(item)}, QStringLiteral("quarrelsome neighbour"));
    document().setNote({QStringLiteral("steps"), QStringLiteral("1-1")}, QStringLiteral("rush hour"));
    hub().clearSelection();
    auto* palette = window_->findChild<ui::CommandPalette*>();
    const auto choose = [&](const QString& text) {
        if (!window_->trigger(QStringLiteral("find.palette"))) return;
        palette->field()->setText(text);
        QTest::keyClick(palette->field(), Qt::Key_Return);
    };
    choose(QStringLiteral("note:quarrel"));
    QCOMPARE(hub().primary(), std::optional(item));
    choose(QStringLiteral("note:rush"));
    QCOMPARE(hub().primary(), std::optional(ui::ItemId{ui::ItemKind::Step, 1}));
}

// ---- keys ----------------------------------------------------------------------------------------------------

void ReachTest::cheatSheet_isThatOfTheFocus() {
    const auto firstGroup = [this] {
        if (!window_->trigger(QStringLiteral("help.cheatSheet"))) return QString();
        QTableWidget* table = nullptr;
        for (auto* t : window_->findChildren<QTableWidget*>())
            if (t->accessibleName() == u"Keys") table = t;
        const QString group = table == nullptr ? QString() : table->item(0, 2)->text();
        if (table != nullptr) delete table->window();
        return group;
    };
    window_->activateWindow();
    for (const auto& [name, group] : {std::pair{"problemsDock", "Problems"},
                                      {"hintsDock", "Hints"},
                                      {"passesDock", "Passes"},
                                      {"buffersDock", "Tables"}}) {
        dock(name)->raise();
        auto* table = dock(name)->findChild<QAbstractItemView*>();
        QVERIFY2(table != nullptr, name);
        QTRY_VERIFY2(table->isVisible(), name);
        table->setFocus();
        QCOMPARE(firstGroup(), QString::fromLatin1(group));
    }
    window_->workspace().showView(QStringLiteral("cores"));
    window_->workspace().view(QStringLiteral("cores"))->setFocus();
    QCOMPARE(firstGroup(), QStringLiteral("Core grid"));
    const std::vector<KeyRow> gantt = viewKeys(window_->workspace(), QStringLiteral("gantt"));
    const auto peaks = std::ranges::find(gantt, QStringLiteral("[ / ]"), &KeyRow::keys);
    QVERIFY(peaks != gantt.end());
    QVERIFY(peaks->text.startsWith(QStringLiteral("previous")));
    for (const KeyRow& row : viewKeys(window_->workspace(), QStringLiteral("hints")))
        QVERIFY2(row.group == u"Hints", qPrintable(row.text));  // letters of pictures do nothing there
}

/// X swaps the compared plans where pictures or the changes have the focus; in a table it is a letter to search for.
void ReachTest::letters_actInPicturesOnly() {
    document().changeSetting(QStringLiteral("spyre.cores"), QStringLiteral("3"));
    QVERIFY(settled());
    QVERIFY(window_->trigger(QStringLiteral("plan.compare")));
    const auto* compare = window_->findChild<CompareController*>();
    QTRY_VERIFY(compare->comparison() != nullptr);
    const auto a = [compare] { return compare->comparison() ? compare->comparison()->a : nullptr; };
    const PlanPtr first = a();
    dock("buffersDock")->raise();
    auto* table = dock("buffersDock")->findChild<QTableView*>();
    QTRY_VERIFY(table->isVisible());
    table->setFocus();
    QTest::keyClick(table, Qt::Key_X);
    QVERIFY(test::staysTrue([&] { return a() == first; }, 50));
    QWidget* gantt = window_->workspace().view(QStringLiteral("gantt"));
    gantt->setFocus();
    QTest::keyClick(gantt, Qt::Key_X);
    QTRY_VERIFY(a() != nullptr && a() != first);
    dock("compareDock")->raise();
    compare->changes()->table()->setFocus();
    QTest::keyClick(compare->changes()->table(), Qt::Key_X);
    QTRY_COMPARE(a(), first);
}

// ---- perspectives --------------------------------------------------------------------------------------------

/// The keyboard never lands on what comes next in the order of the Tab key, such as the units in the status bar.
void ReachTest::perspective_givesTheKeyboardToTheViewInFront() {
    const auto isInStatusBar = [this] { return window_->statusBar()->isAncestorOf(QApplication::focusWidget()); };
    ui::GraphicView* graph = window_->workspace().view(QStringLiteral("graph"));
    graph->setFocus();
    QTRY_VERIFY(graph->hasFocus());
    for (const int perspective : {2, 3, 4, 1}) {
        QVERIFY(window_->trigger(QStringLiteral("view.perspective%1").arg(perspective)));
        QCoreApplication::processEvents();
        QWidget* now = QApplication::focusWidget();
        QVERIFY2(now != nullptr && now->isVisible() && !isInStatusBar(),
                 qPrintable(QStringLiteral("perspective %1").arg(perspective)));
        if (perspective == 3)
            QVERIFY(window_->workspace().passes()->isAncestorOf(now));
        else
            QCOMPARE(now, static_cast<QWidget*>(window_->workspace().focusedView()));
    }
    // From a dock that goes away, too; what stays on screen keeps the keyboard.
    window_->workspace().hints()->findChild<QTableView*>()->setFocus();
    QVERIFY(window_->trigger(QStringLiteral("view.perspective4")));
    QCoreApplication::processEvents();
    QVERIFY(QApplication::focusWidget() != nullptr && !isInStatusBar());
}

void ReachTest::review_showsTheMetrics() {
    const auto* panel = window_->findChild<ui::MetricsPanel*>();
    QVERIFY(panel != nullptr && !panel->isVisible());
    QVERIFY(window_->trigger(QStringLiteral("view.perspective4")));
    window_->workspace().showView(QStringLiteral("gantt"));
    QVERIFY(panel->isVisible());
    QVERIFY(window_->trigger(QStringLiteral("view.perspective1")));
    QVERIFY(!panel->isVisible());
}

/// Steps that are marked in the memory map narrow every table (7.11), also those of the docks.
void ReachTest::range_narrowsProblemsAndEdges() {
    QVERIFY(window_->trigger(QStringLiteral("view.perspective4")));
    const auto* edges = window_->findChild<QTableView*>(QStringLiteral("edgeTable"));
    const QTableView* problems = window_->workspace().problems()->table();
    const int allEdges = edges->model()->rowCount(), allProblems = problems->model()->rowCount();
    QVERIFY(allEdges > 0 && allProblems > 0);
    const Plan& plan = *hub().plan();
    bool hasNarrowed[2] = {false, false};
    for (Step step = 0; step < static_cast<Step>(plan.ops.size()); ++step) {
        const StepRange range{step, step + 1};
        hub().setRange(std::nullopt);
        QTRY_COMPARE(edges->model()->rowCount(), allEdges);
        int wantedEdges = 0;
        for (int row = 0; row < allEdges; ++row)
            wantedEdges +=
                ui::isInSteps(plan, edges->model()->index(row, 0).data(ui::IdRole).value<ui::ItemId>(), range);
        const auto wantedProblems = std::ranges::count_if(plan.problems, [&](const Diagnostic& d) {
            const auto isInside = [&](auto id) { return ui::isInSteps(plan, ui::ItemId::of(id), range); };
            return (d.buffers.empty() && d.ops.empty()) || std::ranges::any_of(d.buffers, isInside) ||
                   std::ranges::any_of(d.ops, isInside);
        });
        hub().setRange(range);
        QTRY_COMPARE(edges->model()->rowCount(), wantedEdges);
        QTRY_COMPARE(problems->model()->rowCount(), static_cast<int>(wantedProblems));
        hasNarrowed[0] = hasNarrowed[0] || wantedEdges < allEdges;
        hasNarrowed[1] = hasNarrowed[1] || wantedProblems < allProblems;
    }
    QVERIFY(hasNarrowed[0] && hasNarrowed[1]);
    hub().setRange(std::nullopt);
    QTRY_COMPARE(edges->model()->rowCount(), allEdges);
    QTRY_COMPARE(problems->model()->rowCount(), allProblems);
}

// ---- docks ---------------------------------------------------------------------------------------------------

/// In tabs the tab is the title; a window of its own needs one to be moved, docked and closed by.
void ReachTest::docks_floatWithATitle_andCloseByTab() {
    QDockWidget* problems = dock("problemsDock");
    problems->raise();
    QVERIFY(qobject_cast<ui::DockTitleBar*>(problems->titleBarWidget()) == nullptr);
    window_->workspace().problems()->table()->setFocus();
    QVERIFY(window_->trigger(QStringLiteral("view.floatDock")));
    QVERIFY(problems->isFloating());
    const auto* bar = qobject_cast<ui::DockTitleBar*>(problems->titleBarWidget());
    QVERIFY(bar != nullptr && bar->isVisible());
    bar->findChild<QToolButton*>()->click();  // back into the tabs
    QVERIFY(!problems->isFloating());
    QVERIFY(qobject_cast<ui::DockTitleBar*>(problems->titleBarWidget()) == nullptr);
    window_->addDockWidget(Qt::RightDockWidgetArea, problems);
    QVERIFY(qobject_cast<ui::DockTitleBar*>(problems->titleBarWidget()) != nullptr);

    QTabBar* tabs = nullptr;
    for (QTabBar* candidate : window_->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
        if (candidate->isVisible() && candidate->count() > 2) tabs = candidate;
    QVERIFY(tabs != nullptr);
    int notes = 0;
    while (notes < tabs->count() && tabs->tabText(notes) != dock("notesDock")->windowTitle())
        ++notes;
    QVERIFY(notes < tabs->count());
    const QPoint at = tabs->tabRect(notes).center();
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, tabs->mapToGlobal(at));
    QCoreApplication::sendEvent(tabs, &event);
    auto* menu = window_->findChild<QMenu*>(QStringLiteral("dockMenu"));
    QVERIFY(menu != nullptr);
    for (QAction* action : menu->actions())
        if (action->text() == u"Close") action->trigger();
    menu->close();
    QVERIFY(dock("notesDock")->isHidden());
}

// ---- menus ---------------------------------------------------------------------------------------------------

void ReachTest::recentFiles_areInTheFileMenu() {
    QTemporaryDir folder;
    const QString here = folder.filePath(QStringLiteral("here.json"));
    const QString gone = folder.filePath(QStringLiteral("gone.json"));
    QVERIFY(QFile::copy(QString::fromStdString(io::findSample(samples_, "S2")->path), here));
    RecentFiles::add(gone);
    RecentFiles::add(here);
    auto* menu = window_->findChild<QMenu*>(QStringLiteral("menuRecent"));
    QVERIFY(menu != nullptr);
    QVERIFY(window_->findChild<QMenu*>(QStringLiteral("menuFile"))->actions().contains(menu->menuAction()));
    emit menu->aboutToShow();
    const auto find = [menu](const QString& text) -> QAction* {
        for (QAction* action : menu->actions())
            if (action->text().contains(text)) return action;
        return nullptr;
    };
    QVERIFY(find(QStringLiteral("here.json"))->isEnabled());
    QVERIFY(!find(QStringLiteral("gone.json"))->isEnabled());
    find(QStringLiteral("missing files"))->trigger();
    QVERIFY(!RecentFiles::paths().contains(gone));
    emit menu->aboutToShow();
    QVERIFY(find(QStringLiteral("gone.json")) == nullptr);
    QVERIFY(!find(QStringLiteral("missing files"))->isEnabled());
    find(QStringLiteral("here.json"))->trigger();
    QTRY_COMPARE(window_->tabPath(), here);
}

/// Graph and memory map side by side, one above the other, or as tabs; a perspective brings its own along.
void ReachTest::split_isChosenInTheViewMenu() {
    const auto* menu = window_->findChild<QMenu*>(QStringLiteral("menuSplit"));
    QVERIFY(menu != nullptr);
    const auto action = [this](const char* id) { return window_->findChild<QAction*>(QString::fromLatin1(id)); };
    QVERIFY(menu->actions().contains(action("view.splitStacked")));
    const auto place = [this](const char* key) {
        const QWidget* view = window_->workspace().view(QString::fromLatin1(key));
        return QRect(view->mapTo(window_.get(), QPoint(0, 0)), view->size());
    };
    QVERIFY(action("view.splitSideBySide")->isChecked());
    QVERIFY(place("graph").right() < place("gantt").left());
    QVERIFY(window_->trigger(QStringLiteral("view.splitStacked")));
    QTRY_VERIFY(place("graph").bottom() < place("gantt").top());
    QVERIFY(action("view.splitStacked")->isChecked() && !action("view.splitSideBySide")->isChecked());
    QVERIFY(window_->trigger(QStringLiteral("view.splitTabs")));
    QVERIFY(window_->workspace().isFolded());
    QVERIFY(window_->trigger(QStringLiteral("view.maximise")));
    QVERIFY(window_->trigger(QStringLiteral("view.maximise")));
    QVERIFY(window_->workspace().isFolded());
    QVERIFY(window_->trigger(QStringLiteral("view.perspective2")));  // Tune: the memory map alone
    QVERIFY(!window_->workspace().view(QStringLiteral("graph"))->isVisible());
    QVERIFY(window_->trigger(QStringLiteral("view.splitStacked")));
    QVERIFY(window_->workspace().view(QStringLiteral("graph"))->isVisible());
    QVERIFY(window_->trigger(QStringLiteral("view.perspective3")));  // Passes: no pictures
    QVERIFY(!action("view.splitTabs")->isEnabled());
    QVERIFY(window_->trigger(QStringLiteral("view.perspective1")));
    QVERIFY(action("view.splitSideBySide")->isChecked());
}

void ReachTest::themes_areInTheViewMenu() {
    auto& preferences = Preferences::instance();
    const QString key = QStringLiteral("appearance/theme");
    QVERIFY(window_->trigger(QStringLiteral("view.dark")));
    QCOMPARE(preferences.value(key).toString(), QStringLiteral("dark"));
    QVERIFY(window_->trigger(QStringLiteral("view.system")));
    QCOMPARE(preferences.value(key).toString(), QStringLiteral("system"));
    QVERIFY(window_->findChild<QAction*>(QStringLiteral("view.system"))->isChecked());
    QVERIFY(!window_->findChild<QAction*>(QStringLiteral("view.dark"))->isChecked());
}

MEMPLAN_WINDOW_TEST(ReachTest)
#include "tst_reach.moc"
