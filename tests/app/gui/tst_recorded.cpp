// SPDX-License-Identifier: GPL-3.0-or-later
// Documents that are not planned from a graph: a bundle and a wrapper source record a plan, where solver, cores, memory
// and hints have nothing to choose any more and say so (spyre-coarse-tiling-and-bundle 17.6); a list of buffers has the
// solvers and their race (user-experience 12.3).
#include "app/cli/program/commands.h"
#include "app/gui/features/compare/whatif_controller.h"
#include "app/gui/features/solver/solver_controller.h"
#include "app/gui/window/bars/instance_bar.h"
#include "app/gui/workspace/workspace.h"
#include "engine/io/samples.h"
#include "engine/pipeline/solve_plan.h"
#include "tests/support/program.h"
#include "tests/support/waiting.h"
#include "tests/support/window_support.h"
#include "widgets/kit/controls/offer.h"
#include "widgets/tools/hints/hints_view.h"
#include "widgets/tools/solver/parameter_list.h"
#include "widgets/tools/solver/solver_panel.h"
#include "widgets/tools/sweep/sweep_panel.h"
#include "widgets/tools/whatif/whatif_panel.h"

#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QFile>
#include <QIODevice>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

#include <sstream>

using namespace memplan;
using namespace memplan::app;

class RecordedTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanup() { window_.reset(); }
    void offer_reasonAndBack();
    void recorded_controlsAreOff_andSayWhy_data();
    void recorded_controlsAreOff_andSayWhy();
    void recorded_hintsAreRefused();
    void graph_afterwards_hasThemAgain();
    void list_race_rowsAreThePlansOfTheSolversAlone();
    void list_race_endsWithItsCapacity();

private:
    [[nodiscard]] bool openPath(const QString& path);
    [[nodiscard]] Document& document() const { return *window_->controller().document(); }
    [[nodiscard]] QWidget& control(const char* name) const {
        return *window_->findChild<QWidget*>(QString::fromLatin1(name));
    }
    /// What shows a plan's choices and would make another one.
    [[nodiscard]] std::vector<QWidget*> choices() const;
    [[nodiscard]] QString writeList(const char* name) const;

    QTemporaryDir folder_;
    std::vector<io::SampleInfo> samples_;
    std::unique_ptr<MainWindow> window_;
};

void RecordedTest::initTestCase() {
    samples_ = prepareProgram("recorded");
    std::ostringstream out, err;
    const std::string target = folder_.filePath(QStringLiteral("out")).toStdString();
    const int status = cli::compileCommand({"S5", "--export", target, "--out", target + ".json"},
                                           {out, err, false, false, {}, "memplan"});
    QVERIFY2(status == 0, err.str().c_str());
}

bool RecordedTest::openPath(const QString& path) {
    if (!window_) window_ = std::make_unique<MainWindow>(samples_);
    window_->openFile(path);
    return QTest::qWaitFor([&] { return window_->controller().document() != nullptr; }, 20000) && waitForPlan(*window_);
}

std::vector<QWidget*> RecordedTest::choices() const {
    std::vector<QWidget*> all;
    for (const char* name : {"solverCombo", "coresSpin", "reserveSpin", "solverChoice", "raceStart", "whatIfCores",
                             "whatIfReserve", "sweepRun", "hintAdd", "hintTemplates"})
        all.push_back(&control(name));
    all.push_back(window_->findChild<ui::ParameterList*>());
    return all;
}

void RecordedTest::offer_reasonAndBack() {
    QPushButton button;
    button.setToolTip(QStringLiteral("own"));
    ui::offer(&button, QStringLiteral("why"));
    ui::offer(&button, QStringLiteral("why else"));
    QVERIFY(!button.isEnabled());
    QCOMPARE(button.toolTip(), QStringLiteral("why else"));
    ui::offer(&button, {});
    QVERIFY(button.isEnabled());
    QCOMPARE(button.toolTip(), QStringLiteral("own"));
    button.setToolTip(QStringLiteral("new"));
    ui::offer(&button, {});
    QCOMPARE(button.toolTip(), QStringLiteral("new"));
}

void RecordedTest::recorded_controlsAreOff_andSayWhy_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("folder") << QStringLiteral("out");
    QTest::newRow("wrapper") << QStringLiteral("out/output_code.py");
}

void RecordedTest::recorded_controlsAreOff_andSayWhy() {
    QFETCH(QString, name);
    QVERIFY(openPath(folder_.filePath(name)));
    QVERIFY(document().input().program && !document().isPlanned());
    const QString why = document().whyFixed();
    QVERIFY2(why.contains(QStringLiteral("records what an earlier compile decided")), qPrintable(why));
    for (const QWidget* choice : choices()) {
        QVERIFY2(!choice->isEnabled(), qPrintable(choice->objectName()));
        QCOMPARE(choice->toolTip(), why);
    }
    const auto says = [&why](QWidget* panel) {
        const auto labels = panel->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [&why](const QLabel* l) { return l->text() == why; });
    };
    QVERIFY(says(window_->findChild<ui::WhatIfPanel*>()));
    QVERIFY(says(window_->findChild<ui::SweepPanel*>()));
    QVERIFY(says(window_->findChild<ui::SolverPanel*>()));
    // Not by another way either: what-if and sweep start nothing.
    const std::size_t plans = document().plans().size();
    emit window_->findChild<ui::SweepPanel*>()->runRequested();
    emit window_->findChild<ui::WhatIfPanel*>()->valuesChanged(true);
    emit window_->findChild<ui::SolverPanel*>()->raceRequested({QStringLiteral("greedy")});
    QVERIFY(test::staysTrue([&] { return document().plans().size() == plans; }, 300));
    QVERIFY(!window_->findChild<WhatIfController*>()->isOn());
    QCOMPARE(window_->findChild<ui::SolverPanel*>()->race()->rowCount(), 0);
    // What is left of a compile, from unroll_loops on, runs.
    QVERIFY(window_->trigger(QStringLiteral("plan.compile")));
    QVERIFY(waitForPlan(*window_));
}

void RecordedTest::recorded_hintsAreRefused() {
    QVERIFY(openPath(folder_.filePath(QStringLiteral("out"))));
    ui::SelectionHub& hub = window_->controller().hub();
    QVERIFY(!hub.offersHints());
    hub.requestHint(ui::ItemId::of(BufferId{0}), QStringLiteral("pin"));
    QVERIFY(document().hints().empty());
    Hint hint;
    hint.target = "spyre";
    hint.scopes = {"graph"};
    hint.key = "pin";
    QVERIFY(!window_->workspace().hints()->putHints({hint}, QStringLiteral("Pin")));
    QCOMPARE(document().state(), PlanState::Fresh);
}

void RecordedTest::graph_afterwards_hasThemAgain() {
    QVERIFY(openPath(folder_.filePath(QStringLiteral("out"))));
    const QString why = document().whyFixed();
    window_->openSample(*io::findSample(samples_, "S2"));
    QVERIFY(QTest::qWaitFor([&] { return document().isPlanned(); }, 20000));
    QVERIFY(waitForPlan(*window_));
    for (const QWidget* choice : choices()) {
        QVERIFY2(choice->isEnabled(), qPrintable(choice->objectName()));
        QVERIFY(choice->toolTip() != why);
    }
    QVERIFY(window_->controller().hub().offersHints());
}

QString RecordedTest::writeList(const char* name) const {
    const QString path = folder_.filePath(QString::fromLatin1(name));
    QFile file(path);
    // Where greedy takes the first that comes, a better order holds more.
    const bool ok = file.open(QIODevice::WriteOnly) &&
                    file.write("id,lower,upper,size\na,0,4,64\nb,1,6,48\nc,3,9,64\nd,5,9,96\ne,0,9,32\n") > 0;
    return ok ? path : QString();
}

void RecordedTest::list_race_rowsAreThePlansOfTheSolversAlone() {
    QVERIFY(openPath(writeList("five.csv")));
    QCOMPARE(document().kind(), DocumentKind::BufferList);
    document().changeInstance({0, 160});
    QVERIFY(waitForPlan(*window_));
    auto* panel = window_->findChild<ui::SolverPanel*>();
    auto* start = window_->findChild<QPushButton*>(QStringLiteral("raceStart"));
    QVERIFY(start->isEnabled());
    QVERIFY(panel->raceTable()->isColumnHidden(ui::RaceModel::Traffic));
    // Nor is there a parameter that a list has no use for.
    QVERIFY(panel->findChild<QWidget*>(QStringLiteral("engine.seed")) != nullptr);
    QVERIFY(panel->findChild<QWidget*>(QStringLiteral("spyre.co_optimize")) == nullptr);
    start->click();
    QVERIFY(QTest::qWaitFor([&] { return !window_->findChild<SolverController*>()->race().isRunning(); }, 60000));
    QCOMPARE(panel->race()->rowCount(), 5);
    QCOMPARE(panel->race()->doneCount(), 5);
    for (int row = 0; row < 5; ++row) {
        const ui::RaceRow& r = panel->race()->row(row);
        SolveRequest request = document().solveRequest();
        QVERIFY(request.settings.set("spyre.layout_solver", r.solver.toStdString()));
        const CompileOutcome alone = solveToPlan(request, RunControl{});
        QVERIFY(alone.plan != nullptr);
        QCOMPARE(r.plan->planHash, alone.plan->planHash);
        QCOMPARE(r.plan->memory.capacity, Bytes{160});
    }
    panel->raceTable()->selectRow(2);
    const std::string before = document().current()->plan->solver;
    window_->findChild<QPushButton*>(QStringLiteral("raceMakeCurrent"))->click();
    QCOMPARE(document().current()->plan, panel->race()->row(2).plan);
    QCOMPARE(document().settings().textOf("spyre.layout_solver"), std::string("bestfit"));
    QVERIFY(!window_->controller().task().isRunning());
    QCOMPARE(document().state(), PlanState::Fresh);
    document().undoStack().undo();
    QCOMPARE(document().current()->plan->solver, before);
}

void RecordedTest::list_race_endsWithItsCapacity() {
    QVERIFY(openPath(writeList("five.csv")));
    auto* panel = window_->findChild<ui::SolverPanel*>();
    window_->findChild<QPushButton*>(QStringLiteral("raceStart"))->click();
    QVERIFY(QTest::qWaitFor([&] { return panel->race()->doneCount() == 5; }, 60000));
    document().changeInstance({0, 128});
    QCOMPARE(panel->race()->rowCount(), 0);
    QVERIFY(waitForPlan(*window_));
    // A graph has the column of its traffic again.
    window_->openSample(*io::findSample(samples_, "S2"));
    QVERIFY(QTest::qWaitFor([&] { return document().isPlanned(); }, 20000));
    QVERIFY(!panel->raceTable()->isColumnHidden(ui::RaceModel::Traffic));
    QVERIFY(waitForPlan(*window_));
}

MEMPLAN_WINDOW_TEST(RecordedTest)
#include "tst_recorded.moc"
