// SPDX-License-Identifier: GPL-3.0-or-later
// The panels on the residual stream in the window (user-experience 9.7 to 9.11, 13.3): for whom they are there, the
// search for K with its hint, the sweep over K beside `memplan sweep`, advice.
#include "app/cli/program/commands.h"
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/features/compare/sweep_controller.h"
#include "app/gui/features/stream/stream_controller.h"
#include "engine/plan/torchwright_data.h"
#include "tests/support/program.h"
#include "tests/support/window_support.h"
#include "widgets/tools/sweep/sweep_panel.h"
#include "widgets/views/stream/advice_view.h"
#include "widgets/views/stream/annotation_view.h"
#include "widgets/views/stream/concurrency_view.h"

#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>

#include <algorithm>
#include <sstream>

using namespace memplan;
using namespace memplan::app;

namespace {

class StreamDocksTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { samples_ = prepareProgram("stream_docks"); }
    void docks_areOfPlansThatHaveAStream();
    void sample_opensWithBothPlans();
    void searchForK_endsInAPlanWithTheHint();
    void jobs_ofTwoPanels_runBesideEachOther();
    void sweep_hasFiguresOfTheMachineAndK();
    void sweep_isThatOfTheCommandLine();
    void stub_isOneStepThatCanBeUndone();
    void comparison_showsThePlanWithout();
    void advice_isTriedInTheBackground();

private:
    std::vector<io::SampleInfo> samples_;

    [[nodiscard]] bool open(MainWindow& window, const char* id) const {
        return openSample(window, io::findSample(samples_, id));
    }
    [[nodiscard]] static Document& document(MainWindow& window) { return *window.controller().document(); }
    [[nodiscard]] static int layers(MainWindow& window) {
        return torchwrightData(*document(window).current()->plan).schedule.layerCount();
    }
};

constexpr const char* kDocks[]{"annotationsDock", "pathsDock", "parametersDock",
                               "concurrencyDock", "stepsDock", "adviceDock"};

void StreamDocksTest::docks_areOfPlansThatHaveAStream() {
    MainWindow window(samples_);
    QVERIFY(showInFront(window));
    QVERIFY(open(window, "S1"));
    for (const char* name : kDocks) {
        const auto* dock = window.findChild<QDockWidget*>(QString::fromLatin1(name));
        QVERIFY2(dock != nullptr && dock->isHidden() && !dock->toggleViewAction()->isVisible(), name);
    }
    QVERIFY(open(window, "S7"));
    for (const char* name : kDocks)
        QVERIFY2(window.findChild<QDockWidget*>(QString::fromLatin1(name))->toggleViewAction()->isVisible(), name);
    for (const char* name : {"annotationsDock", "pathsDock", "parametersDock", "adviceDock"})
        QVERIFY2(!window.findChild<QDockWidget*>(QString::fromLatin1(name))->isHidden(), name);
    QVERIFY(window.trigger(QStringLiteral("view.perspective2")));
    for (const char* name : kDocks)
        QVERIFY2(!window.findChild<QDockWidget*>(QString::fromLatin1(name))->isHidden(), name);
}

void StreamDocksTest::sample_opensWithBothPlans() {
    MainWindow window(samples_);
    QVERIFY(showInFront(window));
    QVERIFY(open(window, "S7"));
    QCOMPARE(document(window).plans().size(), std::size_t{2});
    QCOMPARE(layers(window), 21);
    QCOMPARE(document(window).hints().size(), std::size_t{1});
    QVERIFY(!document(window).isStale());
    QVERIFY(!document(window).isModified());
    QVERIFY(torchwrightData(*document(window).plans().back().plan).plateaus.empty());
    QCOMPARE(torchwrightData(*document(window).plans().front().plan).plateaus.size(), std::size_t{1});
}

void StreamDocksTest::searchForK_endsInAPlanWithTheHint() {
    MainWindow window(samples_);
    QVERIFY(showInFront(window));
    QVERIFY(open(window, "T2"));
    auto* view = window.findChild<ui::ConcurrencyView*>();
    // Where the search begins does not matter: the hints that there are do not count.
    view->search();
    QVERIFY(QTest::qWaitFor([&] { return view->study().has_value(); }, 60000));
    QCOMPARE(view->study()->best->k, 8);
    QCOMPARE(view->study()->baseLayers, 28);
    document(window).setHints(QStringLiteral("none"), {});
    QVERIFY(waitForPlan(window));
    QCOMPARE(layers(window), 28);
    view->findChild<QPushButton*>(QStringLiteral("addK"))->click();
    QVERIFY(waitForPlan(window));
    QCOMPARE(layers(window), 23);
    QCOMPARE(document(window).hints().size(), std::size_t{1});
    document(window).undoStack().undo();
    QVERIFY(document(window).hints().empty());
}

void StreamDocksTest::jobs_ofTwoPanels_runBesideEachOther() {
    MainWindow window(samples_);
    QVERIFY(showInFront(window));
    QVERIFY(open(window, "T2"));
    auto* annotations = window.findChild<ui::AnnotationView*>();
    auto* concurrency = window.findChild<ui::ConcurrencyView*>();
    const auto without = [&] {
        const auto lines = annotations->table()->csv().split('\n');
        const auto setup = std::ranges::find_if(lines, [](const QByteArray& l) { return l.startsWith("setup,"); });
        return setup == lines.end() ? -2 : setup->mid(setup->lastIndexOf(',') + 1).toInt();
    };
    QCOMPARE(without(), -1);
    annotations->stubOut({QStringLiteral("setup")});
    concurrency->search();
    QVERIFY2(!concurrency->findChild<QPushButton*>(QStringLiteral("findK"))->isEnabled(), "it is being searched for");
    QVERIFY(QTest::qWaitFor([&] { return concurrency->study().has_value() && without() > 0; }, 60000));
}

void StreamDocksTest::sweep_hasFiguresOfTheMachineAndK() {
    MainWindow window(samples_);
    QVERIFY(showInFront(window));
    QVERIFY(open(window, "T2"));
    auto* panel = window.findChild<SweepController*>()->panel();
    QStringList keys;
    for (const QComboBox* box : panel->findChildren<QComboBox*>())
        for (int i = 0; i < box->count(); ++i)
            keys << box->itemData(i).toString() << box->itemText(i);
    for (const char* key : {"torchwright.d", "torchwright.d_head", "torchwright.d_hidden", "hint:0.k", "Layers"})
        QVERIFY2(keys.contains(QString::fromLatin1(key)), key);
    QVERIFY(!keys.contains(QStringLiteral("Off-chip traffic")));
    // Without the hint there is no K to vary.
    document(window).setHints(QStringLiteral("none"), {});
    for (const QComboBox* box : panel->findChildren<QComboBox*>())
        QCOMPARE(box->findData(QStringLiteral("hint:0.k")), -1);
}

void StreamDocksTest::sweep_isThatOfTheCommandLine() {
    MainWindow window(samples_);
    QVERIFY(showInFront(window));
    QVERIFY(open(window, "T2"));
    auto& controller = *window.findChild<SweepController*>();
    for (QComboBox* box : controller.panel()->findChildren<QComboBox*>()) {
        const int k = box->findData(QStringLiteral("hint:0.k")), none = box->findData(QString());
        if (k < 0) continue;
        box->setCurrentIndex(none >= 0 ? none : k);
        emit box->activated(box->currentIndex());
    }
    for (QLineEdit* field : controller.panel()->findChildren<QLineEdit*>())
        if (field->accessibleName() == u"Values of the columns") field->setText(QStringLiteral("2,6,8,12"));
    QCOMPARE(controller.panel()->axes(), QStringList{QStringLiteral("hint:0.k=2,6,8,12")});
    controller.run();
    const auto& picture = controller.panel()->matrix()->picture();
    QVERIFY(QTest::qWaitFor(
        [&] {
            return picture.cells.size() == 4 && std::ranges::all_of(picture.cells, &ui::SweepPicture::Cell::isDone);
        },
        60000));
    QVERIFY(waitForPlan(window));
    // The file of the window is that of the command line, to the byte.
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("sweep.csv"));
    const QString hints = QFileInfo(QString::fromStdString(io::findSample(samples_, "T2")->path))
                              .absoluteDir()
                              .filePath(QStringLiteral("hints.json"));
    std::ostringstream out, err;
    const int status = cli::sweepCommand(
        {"T2", "--hints", hints.toStdString(), "--vary", "hint:0.k=2,6,8,12", "--out", file.toStdString()},
        {out, err, false, false, {}, "memplan"});
    QVERIFY2(status == 0, err.str().c_str());
    QCOMPARE(controller.csv(), contents(file));
    QCOMPARE(picture.cells[0].text, QStringLiteral("50"));
    QCOMPARE(picture.cells[1].text, QStringLiteral("26"));
    QCOMPARE(picture.cells[2].text, QStringLiteral("23"));
    QCOMPARE(picture.cells[3].text, QStringLiteral("31"));
    // A cell becomes the document's plan: its hint has that K.
    controller.makeCurrent(1);
    QVERIFY(waitForPlan(window));
    QCOMPARE(layers(window), 26);
}

void StreamDocksTest::stub_isOneStepThatCanBeUndone() {
    MainWindow window(samples_);
    QVERIFY(showInFront(window));
    QVERIFY(open(window, "S7"));
    auto* view = window.findChild<ui::AnnotationView*>();
    QMenu menu;
    view->fillMenu(menu, QStringLiteral("filters"));
    for (QAction* action : menu.actions())
        if (action->text() == u"Stub out") action->trigger();
    QVERIFY(waitForPlan(window));
    QVERIFY(layers(window) <= 3);
    QVERIFY2(document(window).current()->name.contains(QStringLiteral("with stubs")),
             qPrintable(document(window).current()->name));
    document(window).undoStack().undo();
    QVERIFY(waitForPlan(window));
    QCOMPARE(layers(window), 21);
}

void StreamDocksTest::comparison_showsThePlanWithout() {
    MainWindow window(samples_);
    QVERIFY(showInFront(window));
    QVERIFY(open(window, "S7"));
    const PlanPtr own = document(window).current()->plan;
    auto* view = window.findChild<ui::AnnotationView*>();
    QMenu menu;
    view->fillMenu(menu, QStringLiteral("filters"));
    for (QAction* action : menu.actions())
        if (action->text() == u"Compare with and without") action->trigger();
    const auto* compare = window.findChild<CompareController*>();
    QVERIFY(QTest::qWaitFor([&] { return compare->isOn() && compare->comparison(); }, 60000));
    QCOMPARE(document(window).current()->plan, own);
    QCOMPARE(document(window).plans().size(), std::size_t{3});
}

void StreamDocksTest::advice_isTriedInTheBackground() {
    MainWindow window(samples_);
    QVERIFY(showInFront(window));
    QVERIFY(open(window, "T1"));
    auto* view = window.findChild<ui::AdviceView*>();
    QVERIFY(view->count() > 0);
    const auto tried = [&] { return view->isSettled() && view->advice()->compiles > 0; };
    window.findChild<QDockWidget*>(QStringLiteral("adviceDock"))->raise();
    QVERIFY(QTest::qWaitFor(tried, 60000));
    QVERIFY(!document(window).isStale());
    QVERIFY(!document(window).isModified());
}

}  // namespace

MEMPLAN_WINDOW_TEST(StreamDocksTest)
#include "tst_stream_docks.moc"
