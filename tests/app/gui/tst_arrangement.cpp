// SPDX-License-Identifier: GPL-3.0-or-later
// How the window stands, from one run to the next and while two plans are compared (user-experience 3.3, 3.11, 16.3),
// and what of a graph's groups a document keeps (3.11, 5.3).
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/features/export/shipped_view.h"
#include "app/gui/session/view_state.h"
#include "app/gui/window/docks/perspectives.h"
#include "app/gui/window/studio_window.h"
#include "app/gui/workspace/workspace.h"
#include "tests/support/layout_wait.h"
#include "tests/support/program.h"
#include "tests/support/session_support.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/views/graph/graph_pane.h"
#include "widgets/views/graph/graph_view.h"

#include <QApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace memplan;
using namespace memplan::app;

class ArrangementTest : public QObject, private SessionSupport {
    Q_OBJECT

private slots:
    void initTestCase() { samples_ = prepareProgram("arrangement"); }
    void init() { QSettings().clear(); }
    void closedWhileComparing_keepsTheUsersCentre();
    void splitChosenWhileComparing_stays();
    void review_comesBackAsItWas();
    void laterDocument_comesUpAsShipped();
    void closedInPasses_showsTheStartPage();
    void quitOverABufferList_keepsTheDocksOfGraphs();
    void comparedList_hasBothMaps();
    void groups_comeBackInOneLayout();
    void grouping_thatNobodyChose_isNotKept();

private:
    using Split = Workspace::Split;
    [[nodiscard]] static bool compares(MainWindow& window);
    static int perspectiveOf(const MainWindow& window) { return window.findChild<Perspectives*>()->current(); }
    static bool quit(StudioWindow& studio) { return static_cast<QWidget&>(studio).close(); }
    /// A run that shows S1, does this, and ends.
    void run(const std::function<void(MainWindow&)>& act);
    QTemporaryDir root_;
};

bool ArrangementTest::compares(MainWindow& window) {
    const auto* compare = window.findChild<CompareController*>();
    return window.trigger(QStringLiteral("plan.compare")) &&
           QTest::qWaitFor([compare] { return compare->comparison() != nullptr; });
}

void ArrangementTest::run(const std::function<void(MainWindow&)>& act) {
    StudioWindow studio(samples_, false, root_.path());
    studio.show();
    studio.openGiven({"S1"});
    QVERIFY(ready(studio.current()));
    act(studio.current());
    QVERIFY(quit(studio));
}

void ArrangementTest::closedWhileComparing_keepsTheUsersCentre() {
    run([](MainWindow& window) {
        QVERIFY(window.trigger(QStringLiteral("view.splitStacked")));
        QVERIFY(compares(window));
        QCOMPARE(window.workspace().split(), Split::SideBySide);
        QVERIFY(window.trigger(QStringLiteral("view.maximise")));
    });
    run([](MainWindow& window) {
        QCOMPARE(window.workspace().arrangement(), Workspace::Arrangement::Both);
        QCOMPARE(window.workspace().split(), Split::Stacked);
    });
}

void ArrangementTest::splitChosenWhileComparing_stays() {
    MainWindow window(samples_);
    window.resize(1600, 1000);
    window.show();
    QVERIFY(openSample(window, "S1"));
    Document& document = *window.controller().document();
    QVERIFY(compares(window));
    QVERIFY(window.trigger(QStringLiteral("view.splitStacked")));
    QCOMPARE(window.workspace().split(), Split::Stacked);
    document.setCurrent(document.currentIndex() - 2);  // is compared anew
    QCOMPARE(window.workspace().split(), Split::Stacked);
    QVERIFY(window.trigger(QStringLiteral("plan.compare")));
    QVERIFY(!window.findChild<CompareController*>()->isOn());
    QCOMPARE(window.workspace().split(), Split::Stacked);
}

void ArrangementTest::review_comesBackAsItWas() {
    run([](MainWindow& window) {
        QVERIFY(!window.workspace().showsMetrics());
        QVERIFY(window.trigger(QStringLiteral("view.perspective4")));
        QVERIFY(window.workspace().showsMetrics());
    });
    run([](MainWindow& window) {
        QCOMPARE(perspectiveOf(window), Perspectives::kReview);
        QVERIFY(window.workspace().showsMetrics());
        window.workspace().setMetricsShown(false);
    });
    run([](MainWindow& window) { QVERIFY(!window.workspace().showsMetrics()); });
}

/// What the last run left is for what is open when the program starts.
void ArrangementTest::laterDocument_comesUpAsShipped() {
    run([](MainWindow& window) { QVERIFY(window.trigger(QStringLiteral("view.perspective3"))); });
    StudioWindow studio(samples_, false, root_.path());
    studio.show();
    studio.openGiven({"S1", "S2"});
    for (MainWindow* window : studio.documents()) {
        QVERIFY(ready(*window));
        QCOMPARE(perspectiveOf(*window), 2);
    }
    OpenRequest later;
    later.sample = *io::findSample(samples_, "S3");
    later.path = QString::fromStdString(later.sample->path);
    studio.open(later);
    QVERIFY(ready(studio.current()));
    QCOMPARE(studio.documents().size(), std::size_t{3});
    QCOMPARE(perspectiveOf(studio.current()), 0);
}

/// Passes has no picture: the room of the centre comes back with the page that needs it.
void ArrangementTest::closedInPasses_showsTheStartPage() {
    MainWindow window(samples_);
    window.resize(1600, 1000);
    window.show();
    QVERIFY(openSample(window, "S1"));
    QVERIFY(window.trigger(QStringLiteral("view.perspective3")));
    QVERIFY(QTest::qWaitFor([&] { return window.centralWidget()->height() < 200; }));
    QVERIFY(window.trigger(QStringLiteral("file.close")));
    const auto* start = window.findChild<QWidget*>(QStringLiteral("startPage"));
    QVERIFY(start->isVisible());
    QVERIFY(QTest::qWaitFor([&] { return start->height() > window.height() / 2; }));
    takePicture(window, QStringLiteral("closed-in-passes"));
    QVERIFY(openSample(window, "S1"));  // in the perspective that the window has
    QVERIFY(!window.workspace().isVisible());
    QVERIFY(QTest::qWaitFor([&] { return window.centralWidget()->height() < 200; }));
    QVERIFY(window.trigger(QStringLiteral("view.perspective1")));
    QVERIFY(window.workspace().isVisible());
    QVERIFY(QTest::qWaitFor([&] { return window.workspace().height() > window.height() / 3; }));
}

/// What a list hides for want of operations is shown again by the documents that have them.
void ArrangementTest::quitOverABufferList_keepsTheDocksOfGraphs() {
    const QTemporaryDir folder;
    const std::string list = folder.filePath(QStringLiteral("three.csv")).toStdString();
    QVERIFY(io::writeFileAtomically(list, "id,lower,upper,size\na,0,2,64\nb,1,3,32\nc,3,5,64\n"));
    QStringList docks;
    {
        StudioWindow studio(samples_, false, root_.path());
        studio.show();
        studio.openGiven({"S2", list});
        for (MainWindow* window : studio.documents())
            QVERIFY(ready(*window));
        docks = shownDocks(*studio.documents()[0]);
        QVERIFY(docks.contains(QStringLiteral("outlineDock")) && docks.contains(QStringLiteral("passesDock")));
        QCOMPARE(&studio.current(), studio.documents()[1]);
        QVERIFY(!shownDocks(studio.current()).contains(QStringLiteral("passesDock")));
        QVERIFY(quit(studio));
    }
    StudioWindow studio(samples_, false, root_.path());
    studio.show();
    studio.openGiven({});
    QCOMPARE(studio.documents().size(), std::size_t{2});
    for (MainWindow* window : studio.documents())
        QVERIFY(ready(*window));
    QCOMPARE(shownDocks(*studio.documents()[0]), docks);
    QVERIFY(!shownDocks(*studio.documents()[1]).contains(QStringLiteral("passesDock")));
}

/// A list has no graph to stand beside the memory map, but a second map it has.
void ArrangementTest::comparedList_hasBothMaps() {
    const QTemporaryDir folder;
    const QString list = folder.filePath(QStringLiteral("placed.csv"));
    QVERIFY(io::writeFileAtomically(list.toStdString(),
                                    "id,lower,upper,size,offset\na,0,2,64,0\nb,1,3,32,64\nc,2,4,64,128\n"));
    MainWindow window(samples_);
    window.resize(1600, 1000);
    window.show();
    window.openFile(list);
    QVERIFY(ready(window));
    QVERIFY(compares(window));
    const QWidget* mapOfA = window.findChild<QWidget*>(QStringLiteral("ganttPaneOfA"));
    QVERIFY(mapOfA != nullptr);
    QTRY_VERIFY(mapOfA->isVisible() && mapOfA->width() > window.width() / 4);
    QVERIFY(window.workspace().view(QStringLiteral("gantt"))->isVisible());
    QVERIFY(!window.workspace().view(QStringLiteral("graph"))->isVisible());
    takePicture(window, QStringLiteral("compared-list"));
    QVERIFY(window.trigger(QStringLiteral("view.splitStacked")));
    QCOMPARE(window.workspace().split(), Split::Stacked);
    QVERIFY(window.trigger(QStringLiteral("plan.compare")));
    QVERIFY(!mapOfA->isVisible());
    QVERIFY(window.workspace().view(QStringLiteral("gantt"))->isVisible());
}

// ---- groups of the graph -------------------------------------------------------------------------------------

void ArrangementTest::groups_comeBackInOneLayout() {
    MainWindow window(samples_);
    window.show();
    QVERIFY(openSample(window, "N1"));
    ui::GraphView& graph = *window.workspace().graphPane()->view();
    ui::GraphArranger& arranger = graph.arranger();
    ui::SelectionHub& hub = window.controller().hub();
    arranger.closeAll();
    const int groups = static_cast<int>(arranger.source().tree->groups().size());
    QVERIFY(groups > 3);
    for (int g = 0; g < 3; ++g)
        arranger.setOpen(g, true, false);
    const QByteArray kept = viewStateJson(window.workspace(), hub, {});
    arranger.closeAll();
    QSignalSpy layouts(&arranger, &ui::GraphArranger::busyChanged);
    applyViewState(window.workspace(), hub, kept);
    for (int g = 0; g < groups; ++g)
        QCOMPARE(arranger.isOpen(g), g < 3);
    QCOMPARE(layouts.count(), 1);
    QVERIFY(fixture::waitForLayout(graph, 10000));
}

void ArrangementTest::grouping_thatNobodyChose_isNotKept() {
    const auto graphOf = [](const QByteArray& json) {
        return QJsonDocument::fromJson(json).object().value(QStringLiteral("graph")).toObject();
    };
    MainWindow window(samples_);
    window.show();
    QVERIFY(openSample(window, "N1"));
    ui::GraphView& graph = *window.workspace().graphPane()->view();
    const QByteArray kept = viewStateJson(window.workspace(), window.controller().hub(), {});
    QVERIFY(!graphOf(kept).contains(QStringLiteral("grouping")));
    applyViewState(window.workspace(), window.controller().hub(), kept);
    QVERIFY(!graph.arranger().hasChosenGrouping());
    QVERIFY(looksAsOpened(graph));
    graph.arranger().setGrouping(graph.arranger().grouping());  // the one it has, now by choice
    QVERIFY(graphOf(viewStateJson(window.workspace(), window.controller().hub(), {})).contains(u"grouping"));
}

MEMPLAN_WINDOW_TEST(ArrangementTest)
#include "tst_arrangement.moc"
