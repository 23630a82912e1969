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
#include "widgets/views/graph/graph_pane.h"
#include "widgets/views/graph/graph_view.h"

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
    document.setCurrent(document.currentIndex() - 1);  // is compared anew
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
