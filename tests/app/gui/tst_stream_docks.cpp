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
    void sweepOfK_atOneClickBesideThePlateau();
    void jobs_ofTwoPanels_runBesideEachOther();
    void sweep_hasFiguresOfTheMachineAndK();
    void sweep_isThatOfTheCommandLine_data();
    void sweep_isThatOfTheCommandLine();
    void cellOfASweep_becomesThePlan();
    void stub_isOneStepThatCanBeUndone();
    void comparison_showsThePlanWithout();
    void advice_isTriedInTheBackground();

private:
    std::vector<io::SampleInfo> samples_;

    [[nodiscard]] bool open(MainWindow& window, const char* id) const {
        return openSample(window, io::findSample(samples_, id));
    }
    [[nodiscard]] static Document& document(MainWindow& window) { return *window.controller().document(); }
    /// This parameter alone, over the columns.
    static void chooseAxis(ui::SweepPanel& panel, const QString& parameter, const QString& values) {
        for (QComboBox* box : panel.findChildren<QComboBox*>()) {
            const bool isColumns = box->accessibleName() == u"Setting of the columns";
            if (!isColumns && box->accessibleName() != u"Setting of the rows") continue;
            box->setCurrentIndex(box->findData(isColumns ? parameter : QString()));
            emit box->activated(box->currentIndex());
        }
        for (QLineEdit* field : panel.findChildren<QLineEdit*>())
            if (field->accessibleName() == u"Values of the columns") field->setText(values);
    }
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

void StreamDocksTest::sweepOfK_atOneClickBesideThePlateau() {
    MainWindow window(samples_);
    QVERIFY(showInFront(window));
    QVERIFY(open(window, "T2"));
    document(window).setHints(QStringLiteral("none"), {});
    QVERIFY(waitForPlan(window));
    window.workspace().showView(QStringLiteral("residual"));
    auto* button = window.findChild<QPushButton*>(QStringLiteral("sweepConcurrency"));
    QTRY_VERIFY(button != nullptr && button->isVisible());
    auto* view = window.findChild<ui::ConcurrencyView*>();
    button->click();
    QVERIFY(view->isVisible());
    QVERIFY(QTest::qWaitFor([&] { return view->study().has_value(); }, 60000));
    QCOMPARE(view->study()->best->k, 8);
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

void StreamDocksTest::sweep_isThatOfTheCommandLine_data() {
    QTest::addColumn<QString>("parameter");
    QTest::addColumn<QString>("values");
    QTest::addColumn<QStringList>("layers");
    QTest::addRow("K") << QStringLiteral("hint:0.k") << QStringLiteral("2,6,8,12")
                       << QStringList{QStringLiteral("50"), QStringLiteral("26"), QStringLiteral("23"),
                                      QStringLiteral("31")};
    // 100 is no multiple of d_head: a cell that fails stands in both files.
    QTest::addRow("d") << QStringLiteral("torchwright.d") << QStringLiteral("100,640,768,1024") << QStringList();
    QTest::addRow("d_head") << QStringLiteral("torchwright.d_head") << QStringLiteral("16,32,64") << QStringList();
    QTest::addRow("d_hidden") << QStringLiteral("torchwright.d_hidden") << QStringLiteral("128,256,512")
                              << QStringList();
}

/// The file of the window is that of the command line, to the byte.
void StreamDocksTest::sweep_isThatOfTheCommandLine() {
    QFETCH(const QString, parameter);
    QFETCH(const QString, values);
    QFETCH(const QStringList, layers);
    MainWindow window(samples_);
    QVERIFY(showInFront(window));
    QVERIFY(open(window, "T2"));
    auto& controller = *window.findChild<SweepController*>();
    chooseAxis(*controller.panel(), parameter, values);
    QCOMPARE(controller.panel()->axes(), QStringList{parameter + u'=' + values});
    controller.run();
    const auto& picture = controller.panel()->matrix()->picture();
    const auto count = static_cast<std::size_t>(values.count(u',') + 1);
    QVERIFY(QTest::qWaitFor(
        [&] {
            return picture.cells.size() == count && std::ranges::all_of(picture.cells, &ui::SweepPicture::Cell::isDone);
        },
        60000));
    QVERIFY(waitForPlan(window));
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("sweep.csv"));
    const QString hints = QFileInfo(QString::fromStdString(io::findSample(samples_, "T2")->path))
                              .absoluteDir()
                              .filePath(QStringLiteral("hints.json"));
    std::ostringstream out, err;
    const std::string vary = (parameter + u'=' + values).toStdString();
    const int status =
        cli::sweepCommand({"T2", "--hints", hints.toStdString(), "--vary", vary, "--out", file.toStdString()},
                          {out, err, false, false, {}, "memplan"});
    QVERIFY2(QFile::exists(file), qPrintable(QStringLiteral("%1: ").arg(status) + QString::fromStdString(err.str())));
    const QByteArray wanted = contents(file);
    QCOMPARE(wanted.count('\n'), static_cast<qsizetype>(count + 1));
    QCOMPARE(controller.csv(), wanted);
    for (qsizetype i = 0; i < layers.size(); ++i)
        QCOMPARE(picture.cells[static_cast<std::size_t>(i)].text, layers[i]);
}

void StreamDocksTest::cellOfASweep_becomesThePlan() {
    MainWindow window(samples_);
    QVERIFY(showInFront(window));
    QVERIFY(open(window, "T2"));
    auto& controller = *window.findChild<SweepController*>();
    chooseAxis(*controller.panel(), QStringLiteral("hint:0.k"), QStringLiteral("6,8"));
    controller.run();
    const auto& cells = controller.panel()->matrix()->picture().cells;
    QVERIFY(QTest::qWaitFor([&] { return cells.size() == 2 && cells[0].isDone && cells[1].isDone; }, 60000));
    QVERIFY(waitForPlan(window));
    controller.makeCurrent(0);
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
