// SPDX-License-Identifier: GPL-3.0-or-later
// The Solver dock (user-experience 12): choices and parameters from the engine's table, a race over all solvers whose
// rows are the plans that each solver makes alone, "Make current" without a compile, cancel keeps what is done.
#include "core/studio_style.h"
#include "io/samples.h"
#include "main_window.h"
#include "solver/parameter_list.h"
#include "solver/solver_panel.h"
#include "solver_bridge.h"

#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QtTest>

using namespace memplan;
using namespace memplan::app;

class SolverDockTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void choices_areThoseOfTheEngine();
    void parameter_changeAndBack_areUndoableSettings();
    void result_namesStatusBoundAndHash();
    void race_rowsAreThePlansOfTheSolversAlone();
    void makeCurrent_compilesNothing();
    void cancel_keepsFinishedRows();

private:
    [[nodiscard]] bool settled() const;
    [[nodiscard]] Document& document() const { return *window_->controller().document(); }
    std::vector<io::SampleInfo> samples_;
    std::unique_ptr<MainWindow> window_;
    ui::SolverPanel* panel_ = nullptr;
};

void SolverDockTest::initTestCase() {
    QCoreApplication::setOrganizationName(QStringLiteral("memplan-studio-tests"));
    QStandardPaths::setTestModeEnabled(true);
    QApplication::setStyle(new ui::StudioStyle(ui::Theme(ui::ThemeKind::Light)));
    samples_ = io::listSamples();
}

bool SolverDockTest::settled() const {
    return QTest::qWaitFor(
        [this] {
            const Document* d = window_->controller().document();
            return d != nullptr && d->current() != nullptr && !window_->controller().task().isRunning() &&
                   d->state() == PlanState::Fresh;
        },
        30000);
}

void SolverDockTest::init() {
    window_ = std::make_unique<MainWindow>(samples_);
    const io::SampleInfo* sample = io::findSample(samples_, "S2");
    QVERIFY(sample != nullptr);
    window_->openSample(*sample);
    QVERIFY(settled());
    panel_ = window_->findChild<ui::SolverPanel*>();
    QVERIFY(panel_ != nullptr);
}

void SolverDockTest::cleanup() {
    window_.reset();
}

void SolverDockTest::choices_areThoseOfTheEngine() {
    auto* combo = panel_->findChild<QComboBox*>(QStringLiteral("solverChoice"));
    QStringList names;
    for (int i = 0; i < combo->count(); ++i)
        names << combo->itemText(i);
    QCOMPARE(names, (QStringList{"greedy", "firstfit", "bestfit", "annealing", "exact"}));
    QCOMPARE(combo->currentText(), QStringLiteral("greedy"));
    combo->setCurrentText(QStringLiteral("bestfit"));
    QCOMPARE(document().settings().textOf("spyre.layout_solver"), std::string("bestfit"));
    QVERIFY(panel_->findChild<QComboBox*>(QStringLiteral("spyre.solver_ordering")) != nullptr);
    document().undoStack().undo();
    QCOMPARE(combo->currentText(), QStringLiteral("greedy"));
}

void SolverDockTest::parameter_changeAndBack_areUndoableSettings() {
    auto* seed = panel_->findChild<QSpinBox*>(QStringLiteral("engine.seed"));
    QVERIFY(seed != nullptr);
    seed->setValue(7);
    QCOMPARE(document().settings().integer("engine.seed"), std::int64_t{7});
    const auto labels = panel_->findChildren<QLabel*>();
    const auto label = std::find_if(labels.begin(), labels.end(), [](QLabel* l) { return l->text() == u"Seed"; });
    QVERIFY(label != labels.end() && (*label)->font().weight() >= QFont::DemiBold);
    document().undoStack().undo();
    QCOMPARE(seed->value(), 0);
    QVERIFY((*label)->font().weight() < QFont::DemiBold);
}

void SolverDockTest::result_namesStatusBoundAndHash() {
    const Plan& plan = *document().current()->plan;
    const QString text = ui::SolverPanel::resultText(plan);
    QVERIFY(text.startsWith(QStringLiteral("greedy: ")));
    QVERIFY(text.contains(QString::fromStdString(plan.planHash)));
    QVERIFY(text.contains(QStringLiteral("seed 0")));
    QCOMPARE(panel_->findChild<QLabel*>(QStringLiteral("solverResult"))->text(), text);
}

void SolverDockTest::race_rowsAreThePlansOfTheSolversAlone() {
    auto* bridge = window_->findChild<SolverBridge*>();
    QVERIFY(bridge != nullptr);
    const std::size_t plans = document().plans().size();
    panel_->findChild<QPushButton*>(QStringLiteral("raceStart"))->click();
    QVERIFY(QTest::qWaitFor([&] { return !bridge->race().isRunning(); }, 60000));
    QCOMPARE(panel_->race()->rowCount(), 5);
    QCOMPARE(panel_->race()->doneCount(), 5);
    QCOMPARE(document().plans().size(), plans);  // a race changes nothing by itself
    const QString folder = qEnvironmentVariable("MEMPLAN_PICTURES");
    if (!folder.isEmpty()) {
        window_->resize(1600, 1000);
        window_->show();
        window_->findChild<QDockWidget*>(QStringLiteral("solverDock"))->raise();
        QTest::qWait(500);
        QVERIFY(window_->grab().save(folder + QStringLiteral("/solver-race.png")));
    }
    for (int row = 0; row < 5; ++row) {
        const ui::RaceRow& r = panel_->race()->row(row);
        CompileRequest request = document().request();
        QVERIFY(request.settings.set("spyre.layout_solver", r.solver.toStdString()));
        const CompileOutcome alone = compile(request, RunControl{});
        QVERIFY(alone.plan != nullptr);
        QCOMPARE(r.plan->planHash, alone.plan->planHash);
    }
}

void SolverDockTest::makeCurrent_compilesNothing() {
    auto* bridge = window_->findChild<SolverBridge*>();
    panel_->findChild<QPushButton*>(QStringLiteral("raceStart"))->click();
    QVERIFY(QTest::qWaitFor([&] { return !bridge->race().isRunning(); }, 60000));
    panel_->raceTable()->selectRow(1);
    panel_->findChild<QPushButton*>(QStringLiteral("raceMakeCurrent"))->click();
    QCOMPARE(document().settings().textOf("spyre.layout_solver"), std::string("firstfit"));
    QCOMPARE(document().current()->plan, panel_->race()->row(1).plan);
    QVERIFY(!window_->controller().task().isRunning());
    QCOMPARE(document().state(), PlanState::Fresh);
    document().undoStack().undo();
    QCOMPARE(document().current()->plan->solver, std::string("greedy"));
}

void SolverDockTest::cancel_keepsFinishedRows() {
    auto* bridge = window_->findChild<SolverBridge*>();
    auto* start = panel_->findChild<QPushButton*>(QStringLiteral("raceStart"));
    start->click();
    QCOMPARE(start->text(), QStringLiteral("Cancel race"));
    QVERIFY(QTest::qWaitFor([&] { return panel_->race()->doneCount() > 0; }, 60000));
    if (bridge->race().isRunning()) start->click();
    QVERIFY(!bridge->race().isRunning());
    const int done = panel_->race()->doneCount();
    QVERIFY(done > 0);
    QTest::qWait(100);
    QCOMPARE(panel_->race()->doneCount(), done);
    QCOMPARE(start->text(), QStringLiteral("Start race"));
}

QTEST_MAIN(SolverDockTest)
#include "tst_solver_dock.moc"
