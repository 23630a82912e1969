// SPDX-License-Identifier: GPL-3.0-or-later
// The Solver dock (user-experience 12): choices and parameters from the engine's table, a race over all solvers whose
// rows are the plans that each solver makes alone, "Make current" without a compile, cancel keeps what is done.
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/features/solver/solver_controller.h"
#include "tests/support/program.h"
#include "tests/support/waiting.h"
#include "tests/support/window_support.h"
#include "widgets/canvas/chart/chart.h"
#include "widgets/plan/units.h"
#include "widgets/tools/solver/gain_view.h"
#include "widgets/tools/solver/parameter_list.h"
#include "widgets/tools/solver/solver_panel.h"

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QFont>
#include <QLabel>
#include <QPoint>
#include <QPointF>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QSpontaneKeyEvent>
#include <QStyleOptionViewItem>
#include <QTableView>
#include <QTest>
#include <QWheelEvent>
#include <QWidget>
#include <qtestspontaneevent.h>

using namespace memplan;
using namespace memplan::app;

class SolverDockTest : public QObject, private WindowSupport {
    Q_OBJECT

private slots:
    void initTestCase() { samples_ = prepareProgram(); }
    void init();
    void cleanup() { window_.reset(); }
    void choices_areThoseOfTheEngine();
    void parameter_changeAndBack_areUndoableSettings();
    void result_namesStatusBoundAndHash();
    void race_rowsAreThePlansOfTheSolversAlone();
    void race_inANarrowDock_showsAllItsRows();
    void makeCurrent_compilesNothing();
    void compare_planOnScreenIsTheBaseline();
    void cancel_keepsFinishedRows();
    void onePass_saysWhyThereIsNoCurve();
    void presetBest_showsWhatEachPartGained();
    void pictures_nameThePlanOfTheirFigures();
    void wheel_overTheRace_movesTheDock();
    void layers_raceOverEveryEffort();

private:
    ui::SolverPanel* panel_ = nullptr;
};

void SolverDockTest::init() {
    window_ = std::make_unique<MainWindow>(samples_);
    const io::SampleInfo* sample = io::findSample(samples_, "S2");
    QVERIFY(sample != nullptr);
    window_->openSample(*sample);
    QVERIFY(settled());
    panel_ = window_->findChild<ui::SolverPanel*>();
    QVERIFY(panel_ != nullptr);
}

void SolverDockTest::choices_areThoseOfTheEngine() {
    auto* combo = panel_->findChild<QComboBox*>(QStringLiteral("solverChoice"));
    QStringList names;
    for (int i = 0; i < combo->count(); ++i)
        names << combo->itemText(i);
    QCOMPARE(names, (QStringList{"greedy", "firstfit", "bestfit", "annealing", "exact"}));
    QCOMPARE(combo->currentText(), QStringLiteral("greedy"));
    // The list says what each of them is, the box only its name.
    for (int i = 0; i < combo->count(); ++i) {
        const QString help = combo->itemData(i, Qt::ToolTipRole).toString();
        QVERIFY(!help.isEmpty());
        QStyleOptionViewItem option;
        option.initFrom(combo->view());
        const int wide = combo->itemDelegate()->sizeHint(option, combo->model()->index(i, 0)).width();
        QVERIFY(wide > combo->view()->fontMetrics().horizontalAdvance(help));
    }
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
    const auto label = std::find_if(labels.begin(), labels.end(), [&](QLabel* l) { return l->buddy() == seed; });
    QVERIFY(label != labels.end() && (*label)->font().weight() >= QFont::DemiBold);
    // Named by the words of the table of settings, not by the key.
    QCOMPARE((*label)->text().toLower(), QString::fromUtf8(findSetting("engine.seed")->help.data()).toLower());
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
    QVERIFY(text.contains(QStringLiteral("per core")));
    // A machine whose plans have figures of their own: no buffers, no cores.
    const QString own =
        ui::SolverPanel::resultText(plan, {{QStringLiteral("Layers"), [](const Plan&) { return 21.0; }}});
    QVERIFY(own.contains(QStringLiteral("Layers\u202f21")) && !own.contains(QStringLiteral("per core")));
}

void SolverDockTest::race_rowsAreThePlansOfTheSolversAlone() {
    auto* controller = window_->findChild<SolverController*>();
    QVERIFY(controller != nullptr);
    const std::size_t plans = document().plans().size();
    panel_->findChild<QPushButton*>(QStringLiteral("raceStart"))->click();
    QVERIFY(QTest::qWaitFor([&] { return !controller->race().isRunning(); }, 60000));
    QCOMPARE(panel_->race()->rowCount(), 5);
    QCOMPARE(panel_->race()->doneCount(), 5);
    QCOMPARE(document().plans().size(), plans);  // a race changes nothing by itself
    const auto* chart = panel_->findChild<ui::Chart*>(QStringLiteral("raceChart"));
    QVERIFY(chart != nullptr && !chart->isHidden());
    for (int row = 0; row < 5; ++row) {
        const ui::RaceRow& r = panel_->race()->row(row);
        QCOMPARE(chart->data().series.front().points[static_cast<std::size_t>(row)].y,
                 static_cast<double>(r.plan->metrics.pinnedBytes));
        CompileRequest request = document().request();
        QVERIFY(request.settings.set("spyre.layout_solver", r.solver.toStdString()));
        const CompileOutcome alone = compile(request, RunControl{});
        QVERIFY(alone.plan != nullptr);
        QCOMPARE(r.plan->planHash, alone.plan->planHash);
    }
}

/// Where the columns are wider than the dock, the bar to scroll them stands below the rows, not over the last one.
void SolverDockTest::race_inANarrowDock_showsAllItsRows() {
    auto* controller = window_->findChild<SolverController*>();
    panel_->setParent(nullptr);
    panel_->resize(300, 700);
    panel_->show();
    panel_->findChild<QPushButton*>(QStringLiteral("raceStart"))->click();
    QVERIFY(QTest::qWaitFor([&] { return !controller->race().isRunning(); }, 60000));
    QTableView* table = panel_->raceTable();
    const auto lastIsSeen = [table] {
        const int last = table->model()->rowCount() - 1;
        return table->rowViewportPosition(last) + table->rowHeight(last) <= table->viewport()->height();
    };
    QTRY_VERIFY(table->horizontalScrollBar()->maximum() > 0);
    QTRY_VERIFY(lastIsSeen());
    panel_->resize(900, 700);
    QTRY_COMPARE(table->horizontalScrollBar()->maximum(), 0);
    QTRY_VERIFY(lastIsSeen());
    // Heads are not cut.
    for (int c = 0; c < table->model()->columnCount(); ++c)
        QVERIFY(table->columnWidth(c) >=
                table->fontMetrics().horizontalAdvance(
                    table->model()->headerData(c, Qt::Horizontal).toString().section('\n', 0, 0)));
    window_->findChild<QDockWidget*>(QStringLiteral("solverDock"))->setWidget(panel_);
}

void SolverDockTest::makeCurrent_compilesNothing() {
    auto* controller = window_->findChild<SolverController*>();
    panel_->findChild<QPushButton*>(QStringLiteral("raceStart"))->click();
    QVERIFY(QTest::qWaitFor([&] { return !controller->race().isRunning(); }, 60000));
    panel_->raceTable()->selectRow(1);
    panel_->findChild<QPushButton*>(QStringLiteral("raceMakeCurrent"))->click();
    QCOMPARE(document().settings().textOf("spyre.layout_solver"), std::string("firstfit"));
    QCOMPARE(document().current()->plan, panel_->race()->row(1).plan);
    QVERIFY(!window_->controller().task().isRunning());
    QCOMPARE(document().state(), PlanState::Fresh);
    document().undoStack().undo();
    QCOMPARE(document().current()->plan->solver, std::string("greedy"));
}

/// "Compare with current": A is the plan on screen, B the one of the race; afterwards all is as before.
void SolverDockTest::compare_planOnScreenIsTheBaseline() {
    auto* controller = window_->findChild<SolverController*>();
    const PlanPtr own = document().current()->plan;
    panel_->findChild<QPushButton*>(QStringLiteral("raceStart"))->click();
    QVERIFY(QTest::qWaitFor([&] { return !controller->race().isRunning(); }, 60000));
    for (const int row : {1, 2}) {
        panel_->raceTable()->selectRow(row);
        panel_->findChild<QPushButton*>(QStringLiteral("raceCompare"))->click();
        const auto* compare = window_->findChild<CompareController*>();
        QVERIFY(compare->isOn() && compare->comparison());
        QCOMPARE(compare->comparison()->a, own);
        QCOMPARE(compare->comparison()->b->planHash, panel_->race()->row(row).plan->planHash);
    }
    QVERIFY(window_->trigger(QStringLiteral("plan.compare")));
    QCOMPARE(document().current()->plan, own);
    QCOMPARE(document().state(), PlanState::Fresh);
}

void SolverDockTest::cancel_keepsFinishedRows() {
    auto* controller = window_->findChild<SolverController*>();
    auto* start = panel_->findChild<QPushButton*>(QStringLiteral("raceStart"));
    start->click();
    QCOMPARE(start->text(), QStringLiteral("Cancel race"));
    QVERIFY(QTest::qWaitFor([&] { return panel_->race()->doneCount() > 0; }, 60000));
    if (controller->race().isRunning()) start->click();
    QVERIFY(!controller->race().isRunning());
    const int done = panel_->race()->doneCount();
    QVERIFY(done > 0);
    QVERIFY(test::staysTrue([&] { return panel_->race()->doneCount() == done; }, 100));
    QCOMPARE(start->text(), QStringLiteral("Start race"));
}

/// Of a machine whose solvers are values of a number: they have names, the race compares layers, the longer search is
/// offered.
void SolverDockTest::layers_raceOverEveryEffort() {
    window_->openFile(QStringLiteral(MEMPLAN_TEST_DATA "/torchwright/unit_add_wide.graph.json"));
    QVERIFY(settled());
    const auto* combo = panel_->findChild<QComboBox*>(QStringLiteral("solverChoice"));
    QStringList names;
    for (int i = 0; i < combo->count(); ++i)
        names << combo->itemText(i);
    QCOMPARE(names, (QStringList{QStringLiteral("heuristic"), QStringLiteral("exact 1"), QStringLiteral("exact 2"),
                                 QStringLiteral("exact 3")}));
    QCOMPARE(combo->currentIndex(), 0);
    auto* controller = window_->findChild<SolverController*>();
    panel_->findChild<QPushButton*>(QStringLiteral("raceStart"))->click();
    QVERIFY(QTest::qWaitFor([&] { return !controller->race().isRunning(); }, 60000));
    QCOMPARE(panel_->race()->doneCount(), 4);
    QCOMPARE(panel_->race()->row(1).solver, QStringLiteral("exact 1"));
    QCOMPARE(panel_->race()->headerData(ui::RaceModel::OnChip, Qt::Horizontal, Qt::DisplayRole).toString(),
             QStringLiteral("Layers"));
    QVERIFY(panel_->race()->index(0, ui::RaceModel::OnChip).data().toString().toInt() >=
            panel_->race()->index(1, ui::RaceModel::OnChip).data().toString().toInt());
    panel_->raceTable()->selectRow(1);
    panel_->findChild<QPushButton*>(QStringLiteral("raceMakeCurrent"))->click();
    QCOMPARE(document().settings().textOf("torchwright.optimize"), std::string("1"));
    QCOMPARE(document().current()->plan, panel_->race()->row(1).plan);
    QCOMPARE(combo->currentText(), QStringLiteral("exact 1"));
}

void SolverDockTest::onePass_saysWhyThereIsNoCurve() {
    const auto* why = panel_->findChild<QLabel*>(QStringLiteral("solverOnePass"));
    QVERIFY(why != nullptr && !why->isHidden());
    QVERIFY2(why->text().startsWith(QStringLiteral("greedy places every buffer once")), qPrintable(why->text()));
    QVERIFY(!panel_->findChild<QWidget*>(QStringLiteral("outcomeBar"))->isHidden());
    QVERIFY(panel_->findChild<QWidget*>(QStringLiteral("searchChart"))->isHidden());
    document().changeSetting(QStringLiteral("spyre.layout_solver"), QStringLiteral("annealing"));
    QVERIFY(settled());
    const bool hasCurve = !panel_->findChild<QWidget*>(QStringLiteral("searchChart"))->isHidden();
    QCOMPARE(why->isHidden(), hasCurve);
}

void SolverDockTest::presetBest_showsWhatEachPartGained() {
    window_->openSample(*io::findSample(samples_, "S3"));
    QVERIFY(settled());
    auto* preset = panel_->findChild<QComboBox*>(QStringLiteral("preset"));
    QVERIFY(preset != nullptr);
    preset->setCurrentText(QStringLiteral("best"));
    QVERIFY(waitForPlan(*window_, 120000));
    const PlanPtr plan = document().current()->plan;
    QCOMPARE(plan->settings.text("preset"), std::string("best"));
    const std::vector<Gain> gains = gainsOf(*plan);
    const std::vector<ComparedVariant> variants = comparedVariants(*plan);
    QVERIFY(variants.size() >= 2);
    QCOMPARE(std::count_if(variants.begin(), variants.end(), [](const auto& v) { return v.isKept; }), 1);
    const ui::GainModel& model = *panel_->gains()->model();
    QCOMPARE(model.rowCount(), static_cast<int>(gains.size() + variants.size()));
    for (std::size_t i = 0; i < gains.size(); ++i) {
        const int row = static_cast<int>(i);
        const auto cell = [&](int column) { return model.index(row, column).data().toString(); };
        if (gains[i].before) {
            QCOMPARE(cell(ui::GainModel::Before), ui::groupedText(*gains[i].before));
            QCOMPARE(*gains[i].before - *gains[i].after, gains[i].saved);
        }
        if (!gains[i].isPart || gains[i].before) QCOMPARE(cell(ui::GainModel::Saved), ui::groupedText(gains[i].saved));
        QCOMPARE(cell(ui::GainModel::Seconds).isEmpty(), !gains[i].seconds.has_value());
    }
    // The waterfall ends where the plan does, and draws no part that saved nothing.
    const auto* chart = panel_->findChild<ui::Chart*>(QStringLiteral("gainChart"));
    QVERIFY(chart != nullptr && !chart->isHidden());
    const PlanMetrics& m = plan->metrics;
    QCOMPARE(chart->data().labels.front(), QStringLiteral("before"));
    QVERIFY(chart->data()
                .textAt(static_cast<double>(chart->data().labels.size() - 1))
                .contains(ui::exactBytes(m.mainMemoryReadBytes + m.mainMemoryWriteBytes)));
    for (const ui::ChartSeries& series : chart->data().series)
        for (const ui::ChartPoint& point : series.points)
            QVERIFY(series.isHidden || point.y > 0);
    const QAbstractItemModelTester tester(const_cast<ui::GainModel*>(&model),
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    QVERIFY(
        panel_->findChild<QLabel*>(QStringLiteral("gainSummary"))->text().contains(QStringLiteral("Off-chip bytes")));
}

void SolverDockTest::pictures_nameThePlanOfTheirFigures() {
    const Workspace& views = window_->workspace();
    QVERIFY(!views.planName().isEmpty());
    const auto scope = [&](const char* key) {
        return views.pictured(QString::fromLatin1(key))->picture({})->scopeText();
    };
    for (const char* key : {"search", "gains", "sizes", "problems"})
        QVERIFY2(scope(key).startsWith(views.planName()), qPrintable(QLatin1String(key) + u' ' + scope(key)));
    // Those that the chart's own menu saves, too.
    QVERIFY(panel_->chartOfSearch()->scopeText().startsWith(views.planName()));
    // A race has a plan of each solver.
    QVERIFY(!scope("race").contains(views.planName()));
}

void SolverDockTest::wheel_overTheRace_movesTheDock() {
    auto* controller = window_->findChild<SolverController*>();
    panel_->findChild<QPushButton*>(QStringLiteral("raceStart"))->click();
    QVERIFY(QTest::qWaitFor([&] { return !controller->race().isRunning(); }, 60000));
    panel_->setParent(nullptr);
    panel_->resize(700, 200);
    panel_->show();
    QVERIFY(QTest::qWaitForWindowExposed(panel_));
    auto* area = panel_->findChild<QScrollArea*>();
    const auto wheelOver = [](QWidget* widget) {
        const QPointF at(widget->rect().center());
        QWheelEvent event(at, widget->mapToGlobal(at), {}, QPoint(0, -120), Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QSpontaneKeyEvent::setSpontaneous(&event);  // others do not go on to the parents
        qApp->notify(widget, &event);
    };
    const Settings before = document().settings();
    int place = area->verticalScrollBar()->value();
    for (QWidget* under : {panel_->raceTable()->viewport(), panel_->findChild<QWidget*>(QStringLiteral("solverChoice")),
                           panel_->findChild<QWidget*>(QStringLiteral("engine.seed"))}) {
        wheelOver(under);
        QVERIFY2(area->verticalScrollBar()->value() > place, qPrintable(under->objectName()));
        area->verticalScrollBar()->setValue(place);
    }
    QCOMPARE(document().settings(), before);
    window_->findChild<QDockWidget*>(QStringLiteral("solverDock"))->setWidget(panel_);
}

MEMPLAN_WINDOW_TEST(SolverDockTest)
#include "tst_solver_dock.moc"
