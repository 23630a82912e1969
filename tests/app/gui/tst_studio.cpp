// SPDX-License-Identifier: GPL-3.0-or-later
// Several documents, the last session, and what a run that died left (user-experience 3.10-3.12, A11).
#include "app/gui/pages/start_page.h"
#include "app/gui/preferences/preferences.h"
#include "app/gui/session/document_keeper.h"
#include "app/gui/window/docks/perspectives.h"
#include "app/gui/window/studio_window.h"
#include "app/gui/workspace/workspace.h"
#include "engine/io/input.h"
#include "tests/support/program.h"
#include "tests/support/session_support.h"
#include "tests/support/waiting.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/canvas/pane/view_pane.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/views/coregrid/core_pane.h"
#include "widgets/views/graph/graph_pane.h"
#include "widgets/views/graph/graph_view.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QPushButton>
#include <QSettings>
#include <QTabBar>
#include <QTemporaryDir>

#include <algorithm>
#include <memory>

using namespace memplan;
using namespace memplan::app;

class StudioTest : public QObject, private SessionSupport {
    Q_OBJECT

private slots:
    void initTestCase() { samples_ = prepareProgram("studio"); }
    void init() { QSettings().clear(); }
    void crash_isRecovered_withEmptyHistoryAndAsterisk();
    void crash_canBeDiscarded();
    void orderlyEnd_leavesNothingToRecover();
    void autosave_followsItsInterval();
    void severalFiles_areTabsWithTheirOwnSelection();
    void tabs_haveRoomForTheirNames();
    void openedTwice_isShownOnce();
    void session_comesBack();
    void session_doesNotBringBackWhatWasDiscarded();
    void session_bringsBackThePerspective();
    void session_bringsBackTheTogglesOfTheViews();

private:
    enum class Session { Restored, Clean };
    [[nodiscard]] std::unique_ptr<StudioWindow> start(const QTemporaryDir& root,
                                                      const std::vector<std::string>& given = {},
                                                      Session session = Session::Restored) const;
};

/// The program with what it is given, or with the documents of its last run. Null where one of them does not come up.
std::unique_ptr<StudioWindow> StudioTest::start(const QTemporaryDir& root, const std::vector<std::string>& given,
                                                Session session) const {
    auto studio = std::make_unique<StudioWindow>(samples_, session == Session::Clean, root.path());
    studio->show();
    studio->openGiven(given);
    const std::vector<MainWindow*> documents = studio->documents();
    if (!std::ranges::all_of(documents, [](MainWindow* window) { return ready(*window); })) return nullptr;
    return studio;
}

namespace {

[[nodiscard]] bool closeProgram(StudioWindow& studio) {
    return static_cast<QWidget&>(studio).close();
}

/// Presses a button of the row that offers what a run that died left; false where it is not to be seen.
[[nodiscard]] bool answerRecovery(MainWindow& window, QStringView text) {
    const auto* row = window.findChild<QWidget*>(QStringLiteral("recoverRow"));
    if (row == nullptr || !row->isVisible()) return false;
    const QList<QPushButton*> buttons = row->findChildren<QPushButton*>();
    const auto button = std::ranges::find(buttons, text, &QPushButton::text);
    if (button == buttons.end()) return false;
    QTest::mouseClick(*button, Qt::LeftButton);
    return true;
}

}  // namespace

// ---- recovery ------------------------------------------------------------------------------------------------

void StudioTest::crash_isRecovered_withEmptyHistoryAndAsterisk() {
    QTemporaryDir running;
    QTemporaryDir left;
    {
        const auto studio = start(running, {"S1"}, Session::Clean);
        QVERIFY(studio);
        Document& document = *studio->current().controller().document();
        std::vector<Hint> hints;
        for (const char* name : {"sub", "exp", "max"}) {
            const std::size_t plans = document.plans().size();
            hints.push_back(pin(name));
            document.setHints(QStringLiteral("Pin %1").arg(QString::fromLatin1(name)), hints);
            QVERIFY(QTest::qWaitFor([&] { return document.plans().size() > plans; }));  // each compile saves a copy
        }
        // What would be on disk if the program died now.
        const QFileInfoList runs = QDir(running.path()).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot);
        QCOMPARE(runs.size(), 1);
        QVERIFY(QDir(left.path()).mkdir(QStringLiteral("died")));
        QVERIFY(QFile::copy(runs.front().absoluteFilePath() + QStringLiteral("/1.memplan"),
                            left.filePath(QStringLiteral("died/1.memplan"))));
    }
    StudioWindow studio(samples_, true, left.path());
    studio.show();
    QVERIFY(answerRecovery(studio.current(), u"Recover"));
    QVERIFY(ready(studio.current()));
    Document& document = *studio.current().controller().document();
    QCOMPARE(document.hints(), (std::vector<Hint>{pin("sub"), pin("exp"), pin("max")}));
    QCOMPARE(document.undoStack().count(), 0);
    QVERIFY(document.isModified());
    QVERIFY(studio.isWindowModified());
    QCOMPARE(document.unsavedChanges().size(), 3);
    QVERIFY(waitForPlan(studio.current(), 10000));  // of the three hints: compiling is automatic
    QCOMPARE(document.current()->plan->hints.size(), std::size_t{3});
    QVERIFY(!QFile::exists(left.filePath(QStringLiteral("died/1.memplan"))));  // it is in the new run's folder now
    QTemporaryDir folder;
    QVERIFY(studio.current().keeper().saveTo(folder.filePath(QStringLiteral("saved.memplan"))));
    QVERIFY(!studio.isWindowModified());
}

void StudioTest::crash_canBeDiscarded() {
    QTemporaryDir left;
    QVERIFY(QDir(left.path()).mkdir(QStringLiteral("died")));
    QFile copy(left.filePath(QStringLiteral("died/1.memplan")));
    QVERIFY(copy.open(QIODevice::WriteOnly));
    copy.write(R"({"format": "memplan-workspace", "version": 1,
                   "input": {"path": "x.json", "sha256": "00", "name": "x.json"}})");
    copy.close();
    StudioWindow studio(samples_, true, left.path());
    studio.show();
    QVERIFY(answerRecovery(studio.current(), u"Discard"));
    QVERIFY(!copy.exists());
    QVERIFY(!QDir(left.filePath(QStringLiteral("died"))).exists());
    QVERIFY(!studio.current().findChild<QWidget*>(QStringLiteral("recoverRow"))->isVisible());
}

void StudioTest::orderlyEnd_leavesNothingToRecover() {
    QTemporaryDir root;
    {
        const auto studio = start(root, {"S1"}, Session::Clean);
        QVERIFY(studio);
        studio->current().controller().document()->setNote(kExp, QStringLiteral("text"));
        studio->current().controller().document()->setHints(QStringLiteral("Pin"), {pin("sub")});
        // A second program sees that the first one is running.
        QVERIFY(AutosaveFolder(root.path()).recoverable().isEmpty());
        answer(QStringLiteral("Discard"));
        QVERIFY(closeProgram(*studio));
    }
    QVERIFY(AutosaveFolder(root.path()).recoverable().isEmpty());
    QVERIFY(QDir(root.path()).entryList(QDir::Dirs | QDir::NoDotAndDotDot).isEmpty());
}

void StudioTest::autosave_followsItsInterval() {
    QTemporaryDir root;
    const QString key = QStringLiteral("files/autosave_seconds");
    Preferences::instance().set(key, 0);  // only before a compile
    const auto studio = start(root, {"S1"}, Session::Clean);
    QVERIFY(studio);
    const auto copies = [&root] {
        int count = 0;
        for (const QFileInfo& run : QDir(root.path()).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot))
            count += static_cast<int>(QDir(run.absoluteFilePath()).entryList({QStringLiteral("*.memplan")}).size());
        return count;
    };
    studio->current().controller().document()->setNote(kExp, QStringLiteral("text"));
    QVERIFY(test::staysTrue([&] { return copies() == 0; }, 1300));
    Preferences::instance().set(key, 1);  // at once, for the open document
    QTRY_COMPARE_WITH_TIMEOUT(copies(), 1, 20000);
}

// ---- several documents ---------------------------------------------------------------------------------------

void StudioTest::severalFiles_areTabsWithTheirOwnSelection() {
    QTemporaryDir root;
    StudioWindow studio(samples_, true, root.path());
    studio.show();
    QVERIFY(!studio.bar()->isVisible());
    studio.openGiven({"S1", "S2"});
    QCOMPARE(studio.bar()->count(), 2);
    QVERIFY(studio.bar()->isVisible());
    MainWindow& first = *studio.documents()[0];
    MainWindow& second = *studio.documents()[1];
    QVERIFY(ready(first) && ready(second));
    first.controller().hub().select(ui::ItemId::of(OpId::of(1)));
    QVERIFY(second.controller().hub().selection().empty());
    studio.bar()->setCurrentIndex(0);
    QCOMPARE(&studio.current(), &first);
    QVERIFY(first.isVisible() && !second.isVisible());
    QCOMPARE(studio.windowTitle(), first.windowTitle());
    QCOMPARE(first.controller().hub().selection().size(), std::size_t{1});
    studio.close(first);
    QCOMPARE(studio.bar()->count(), 1);
    QCOMPARE(&studio.current(), &second);
    studio.close(second);  // the last one leaves the start page
    QCOMPARE(studio.bar()->count(), 1);
    QVERIFY(studio.current().controller().document() == nullptr);
    QVERIFY(studio.current().findChild<StartPage*>()->isVisible());
}

/// However short or long: the name stands beside the button that closes it.
void StudioTest::tabs_haveRoomForTheirNames() {
    QTemporaryDir root, folder;
    std::vector<std::string> files;
    for (const char* name : {"a", "b1", "list", "a longer name of a list"}) {
        const QString path = folder.filePath(QString::fromLatin1(name) + QStringLiteral(".csv"));
        QVERIFY(io::writeFileAtomically(path.toStdString(), "id,lower,upper,size\na,0,2,64\nb,1,3,32\n"));
        files.push_back(path.toStdString());
    }
    const auto studio = start(root, files);
    QVERIFY(studio);
    studio->resize(1600, 1000);
    QCoreApplication::processEvents();
    const auto* bar = studio->findChild<QTabBar*>(QStringLiteral("documentBar"));
    QCOMPARE(bar->count(), 4);
    const ui::Theme& theme = ui::themeOf(bar);
    const QFontMetrics strong(theme.font(ui::TextStyle::BodyStrong));
    for (int i = 0; i < bar->count(); ++i) {
        const QWidget* close = bar->tabButton(i, QTabBar::RightSide);
        QVERIFY(close != nullptr);
        const int room = close->x() - (bar->tabRect(i).left() + theme.px(11));
        QVERIFY2(room >= strong.horizontalAdvance(bar->tabText(i)), qPrintable(bar->tabText(i)));
        QVERIFY2(bar->tabRect(i).width() >= theme.px(80), qPrintable(bar->tabText(i)));
    }
}

void StudioTest::openedTwice_isShownOnce() {
    QTemporaryDir root;
    QTemporaryDir folder;
    const std::string path = copyOfSample(folder, "S2").toStdString();
    const auto studio = start(root, {path, "S1"}, Session::Clean);
    QVERIFY(studio);
    QCOMPARE(studio->bar()->currentIndex(), 1);
    studio->openGiven({path});
    QCOMPARE(studio->bar()->count(), 2);
    QCOMPARE(studio->bar()->currentIndex(), 0);
}

void StudioTest::session_comesBack() {
    QTemporaryDir root;
    std::string shown;
    ui::Viewport zoom;
    {
        const auto studio = start(root, {"S1", "S2"});
        QVERIFY(studio);
        MainWindow& first = *studio->documents()[0];
        studio->bar()->setCurrentIndex(0);
        first.controller().document()->setCurrent(1);
        shown = first.controller().document()->current()->plan->inputHash;
        first.controller().hub().select(ui::ItemId::of(OpId::of(2)));
        ui::GraphicView* gantt = first.workspace().view(QStringLiteral("gantt"));
        gantt->zoomBy(3, QRectF(gantt->rect()).center());
        zoom = gantt->viewport();
        QVERIFY(!zoom.y.isFitted());
        QVERIFY(closeProgram(*studio));
    }
    const auto studio = start(root);
    QVERIFY(studio);
    QCOMPARE(studio->bar()->count(), 2);
    MainWindow& first = *studio->documents()[0];
    QCOMPARE(&studio->current(), &first);
    const Document& document = *first.controller().document();
    QCOMPARE(document.current()->plan->inputHash, shown);
    QCOMPARE(document.plans().size(), std::size_t{4});
    QVERIFY(!document.isModified());
    QVERIFY(first.controller().hub().isSelected(ui::ItemId::of(OpId::of(2))));
    ui::GraphicView* gantt = first.workspace().view(QStringLiteral("gantt"));
    // Five steps are as wide as they get in any case; the addresses are what was zoomed.
    const double span = zoom.y.visibleEnd() - zoom.y.visibleBegin();
    const auto isBack = [&] {
        const ui::Axis& now = gantt->viewport().y;
        return qAbs(now.visibleBegin() - zoom.y.visibleBegin()) < 0.02 * span &&
               qAbs(now.visibleEnd() - zoom.y.visibleEnd()) < 0.02 * span;
    };
    if (!QTest::qWaitFor(isBack, 10000)) {
        const ui::Axis& now = gantt->viewport().y;
        QFAIL(qPrintable(QStringLiteral("%1 to %2 over %5 px, wanted %3 to %4 over %6 px")
                             .arg(now.visibleBegin())
                             .arg(now.visibleEnd())
                             .arg(zoom.y.visibleBegin())
                             .arg(zoom.y.visibleEnd())
                             .arg(now.length)
                             .arg(zoom.y.length)));
    }
    QCOMPARE(QSettings().contains(QStringLiteral("session/documents")), false);  // used up
}

void StudioTest::session_doesNotBringBackWhatWasDiscarded() {
    QTemporaryDir root;
    {
        const auto studio = start(root, {"S1"});
        QVERIFY(studio);
        studio->current().controller().document()->setNote(kExp, QStringLiteral("text"));
        answer(QStringLiteral("Discard"));
        QVERIFY(closeProgram(*studio));
    }
    const auto studio = start(root);
    QVERIFY(studio);
    QVERIFY(studio->current().controller().document()->notes().empty());
}

void StudioTest::session_bringsBackThePerspective() {
    QTemporaryDir root;
    // Tune shows the memory map alone, Passes no picture at all, Review cores and memory map as tabs.
    for (const char* perspective : {"view.perspective2", "view.perspective3", "view.perspective4"}) {
        QStringList docks;
        Workspace::Arrangement centre{};
        QString tab;
        {
            const auto studio = start(root, {"S1"});
            QVERIFY(studio);
            MainWindow& window = studio->current();
            QVERIFY(window.trigger(QString::fromLatin1(perspective)));
            // The solver stands with the other tools of tuning, in one column.
            auto* solver = window.findChild<QDockWidget*>(QStringLiteral("solverDock"));
            const bool isTune = window.findChild<Perspectives*>()->current() == 1;
            QCOMPARE(window.dockWidgetArea(solver), isTune ? Qt::RightDockWidgetArea : Qt::BottomDockWidgetArea);
            docks = shownDocks(window);
            centre = window.workspace().arrangement();
            tab = window.workspace().shownTab();
            QVERIFY(closeProgram(*studio));
        }
        const auto studio = start(root);
        QVERIFY(studio);
        MainWindow& window = studio->current();
        QCOMPARE(shownDocks(window), docks);
        QCOMPARE(window.workspace().arrangement(), centre);
        QCOMPARE(window.workspace().isVisible(), centre != Workspace::Arrangement::Hidden);
        QCOMPARE(window.workspace().shownTab(), tab);
        QCOMPARE(QStringLiteral("view.perspective%1").arg(window.findChild<Perspectives*>()->current() + 1),
                 QString::fromLatin1(perspective));
        QVERIFY(closeProgram(*studio));
    }
}

void StudioTest::session_bringsBackTheTogglesOfTheViews() {
    QTemporaryDir root;
    const auto graphOf = [](MainWindow& window) { return window.workspace().graphPane()->view(); };
    const auto tableOf = [](MainWindow& window) {
        return window.findChild<ui::ViewPane*>(QStringLiteral("ganttPane"));
    };
    bool wasOpen = false;
    {
        const auto studio = start(root, {"S1"});
        QVERIFY(studio);
        MainWindow& window = studio->current();
        ui::GraphView* graph = graphOf(window);
        graph->setOverlay(ui::Overlay::Bytes);
        graph->setMapVisible(false);
        graph->arranger().setDirection(graphlayout::Direction::LeftToRight);
        graph->arranger().setGrouping(ui::Grouping::Annotation);
        QVERIFY(!graph->arranger().source().tree->groups().empty());
        wasOpen = !graph->arranger().isOpen(0);
        graph->arranger().setOpen(0, wasOpen, false);
        auto* cores = window.findChild<ui::CorePane*>();
        cores->view()->setMetric(ui::CoreMetric::PeakBytes);
        cores->findChild<QAbstractButton*>(QStringLiteral("coreAutoRange"))->setChecked(true);
        cores->view()->setPage(ui::CorePage::AllOps);
        window.workspace().setMetricsShown(true);
        tableOf(window)->setTableVisible(true);
        QVERIFY(closeProgram(*studio));
    }
    const auto studio = start(root);
    QVERIFY(studio);
    MainWindow& window = studio->current();
    ui::GraphView* graph = graphOf(window);
    QCOMPARE(graph->overlay(), ui::Overlay::Bytes);
    QVERIFY(!graph->isMapVisible());
    QCOMPARE(graph->arranger().direction(), graphlayout::Direction::LeftToRight);
    QCOMPARE(graph->arranger().grouping(), ui::Grouping::Annotation);
    QCOMPARE(graph->arranger().isOpen(0), wasOpen);
    const auto* cores = window.findChild<ui::CorePane*>();
    QCOMPARE(cores->view()->page(), ui::CorePage::AllOps);
    QCOMPARE(cores->view()->metric(), ui::CoreMetric::PeakBytes);
    QVERIFY(cores->view()->isAutoRange());
    QVERIFY(window.workspace().showsMetrics());
    QVERIFY(tableOf(window)->showsTable());
}

MEMPLAN_WINDOW_TEST(StudioTest)
#include "tst_studio.moc"
