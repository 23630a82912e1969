// SPDX-License-Identifier: GPL-3.0-or-later
// What-if and sweep in the window (user-experience 13).
#include "app/gui/features/compare/sweep_controller.h"
#include "app/gui/features/compare/whatif_controller.h"
#include "app/gui/window/bars/plan_switcher.h"
#include "app/gui/workspace/workspace.h"
#include "tests/support/hint_support.h"
#include "tests/support/program.h"
#include "tests/support/window_support.h"
#include "widgets/tools/compare/change_model.h"
#include "widgets/tools/sweep/sweep_panel.h"
#include "widgets/tools/whatif/whatif_panel.h"
#include "widgets/views/gantt/gantt_view.h"
#include "widgets/views/gantt/look/gantt_overlay.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QTableView>
#include <QTest>

using namespace memplan;
using namespace memplan::app;

class PlansTest : public QObject, private WindowSupport {
    Q_OBJECT

private slots:
    void initTestCase() { samples_ = prepareProgram(); }
    void init();
    void cleanup() { window_.reset(); }
    void whatIf_escape_leavesNothingBehind();
    void whatIf_apply_isOneStep_andCompilesNothing();
    void whatIf_keep_isInTheHistory();
    void whatIf_narrowPanel_namesMetricsWhole();
    void whatIf_solver_isOneOfTheChoices();
    void whatIf_preset_movesWhatNobodyChose();
    void whatIf_withoutAHint_leavesTheListAlone();
    void switcher_showsWhatTellsPlansApart();
    void sweep_matrix_fillsAndAClickIsCurrent();
    void sweep_badValues_areNamed();
    void sweep_ranges_areTyped();
    void sharpOptima_betterThanNeighboursByATenth();

private:
    [[nodiscard]] ui::GanttView& gantt() const {
        return *qobject_cast<ui::GanttView*>(window_->workspace().view(QStringLiteral("gantt")));
    }
    template <class T> [[nodiscard]] T& part() const { return *window_->findChild<T*>(); }
};

void PlansTest::init() {
    window_ = std::make_unique<MainWindow>(samples_);
    window_->openSample(*io::findSample(samples_, "S1"));
    QVERIFY(settled());
    QCOMPARE(document().plans().size(), std::size_t{4});
    QCOMPARE(document().currentIndex(), 3);
}

void PlansTest::whatIf_escape_leavesNothingBehind() {
    auto& controller = part<WhatIfController>();
    const PlanPtr own = document().current()->plan;
    controller.panel()->findChild<QSlider*>(QStringLiteral("whatIfCores"))->setValue(4);
    QVERIFY(QTest::qWaitFor([&] { return controller.isOn(); }, 20000));
    QVERIFY(gantt().plan() != own);
    QCOMPARE(gantt().plan()->settings.integer("spyre.cores"), std::int64_t{4});
    QVERIFY(gantt().toggles().overlay != nullptr);
    // Status bar and plan switcher speak of what is on screen.
    const auto* state = window_->findChild<QLabel*>(QStringLiteral("statusState"));
    const auto* traffic = window_->findChild<QLabel*>(QStringLiteral("statusTraffic"));
    const auto* switcher = window_->findChild<QComboBox*>(QStringLiteral("planSwitcher"));
    const QString trialTraffic = traffic->text();
    QCOMPARE(state->text(), QStringLiteral("what-if"));
    QVERIFY2(switcher->toolTip().startsWith(QStringLiteral("What-if on Plan 4")), qPrintable(switcher->toolTip()));
    QCOMPARE(document().current()->plan, own);
    QVERIFY(!document().isModified());
    QTest::keyClick(window_.get(), Qt::Key_Escape);
    QVERIFY(!controller.isOn());
    QCOMPARE(state->text(), QStringLiteral("fresh"));
    QVERIFY(traffic->text() != trialTraffic);
    QVERIFY(switcher->toolTip().startsWith(QStringLiteral("Plan 4")));
    QCOMPARE(gantt().plan(), own);
    QVERIFY(gantt().toggles().overlay == nullptr);
    QCOMPARE(controller.panel()->values().cores, 1);
    QCOMPARE(document().plans().size(), std::size_t{4});
}

void PlansTest::whatIf_apply_isOneStep_andCompilesNothing() {
    auto& controller = part<WhatIfController>();
    controller.panel()->findChild<QSlider*>(QStringLiteral("whatIfCores"))->setValue(8);
    controller.panel()->findChild<QSlider*>(QStringLiteral("whatIfReserve"))->setValue(5);
    QVERIFY(QTest::qWaitFor([&] { return controller.isOn() && gantt().plan()->settings.integer("spyre.cores") == 8; },
                            20000));
    const PlanPtr trial = gantt().plan();
    const int steps = document().undoStack().count();
    controller.apply();
    QCOMPARE(document().undoStack().count(), steps + 1);
    QCOMPARE(document().settings().integer("spyre.cores"), std::int64_t{8});
    QCOMPARE(document().settings().number("spyre.lx_reserved_fraction"), 0.05);
    QCOMPARE(document().current()->plan, trial);
    QVERIFY(!document().isStale());
    QVERIFY(!controller.isOn());
    document().undoStack().undo();
    QCOMPARE(document().settings().integer("spyre.cores"), std::int64_t{1});
}

void PlansTest::whatIf_keep_isInTheHistory() {
    auto& controller = part<WhatIfController>();
    const PlanPtr own = document().current()->plan;
    controller.panel()->findChild<QSlider*>(QStringLiteral("whatIfCores"))->setValue(2);
    QVERIFY(QTest::qWaitFor([&] { return controller.isOn(); }, 20000));
    controller.keep();
    QCOMPARE(document().plans().size(), std::size_t{5});
    QVERIFY(document().plans().back().name.contains(QStringLiteral("what-if")));
    QCOMPARE(document().current()->plan, own);
    QVERIFY(!document().isModified());
}

void PlansTest::whatIf_narrowPanel_namesMetricsWhole() {
    auto compared = std::make_shared<ui::Compared>();
    compared->a = document().plans().front().plan;
    compared->b = document().plans().back().plan;
    compared->result = compare::comparePlans(*compared->a, *compared->b);
    ui::WhatIfPanel panel;
    panel.setComparison(compared);
    panel.resize(470, 700);
    panel.show();
    auto* table = panel.findChild<QTableView*>(QStringLiteral("whatIfTable"));
    const int name = static_cast<const QAbstractItemView*>(table)->sizeHintForColumn(ui::MetricRowModel::Metric);
    QVERIFY(table->columnWidth(ui::MetricRowModel::Metric) >= name);
    QVERIFY(table->isColumnHidden(ui::MetricRowModel::Delta));
    panel.resize(1200, 700);
    QTRY_VERIFY(!table->isColumnHidden(ui::MetricRowModel::Delta));
    QVERIFY(table->columnWidth(ui::MetricRowModel::Metric) >= name);
}

void PlansTest::whatIf_solver_isOneOfTheChoices() {
    auto& controller = part<WhatIfController>();
    auto* solver = controller.panel()->findChild<QComboBox*>(QStringLiteral("whatIf:spyre.layout_solver"));
    QVERIFY(solver != nullptr);
    QCOMPARE(solver->currentText(), QStringLiteral("greedy"));
    solver->setCurrentText(QStringLiteral("bestfit"));
    QVERIFY(QTest::qWaitFor([&] { return controller.isOn(); }, 20000));
    QCOMPARE(gantt().plan()->solver, std::string("bestfit"));
    const PlanPtr trial = gantt().plan();
    QCOMPARE(document().settings().text("spyre.layout_solver"), std::string("greedy"));
    const int steps = document().undoStack().count();
    controller.apply();
    QCOMPARE(document().undoStack().count(), steps + 1);
    QVERIFY(document().undoStack().undoText().contains(QStringLiteral("solver bestfit")));
    QCOMPARE(document().settings().text("spyre.layout_solver"), std::string("bestfit"));
    QCOMPARE(document().current()->plan, trial);
    QVERIFY(!document().isStale());
    document().undoStack().undo();
    QCOMPARE(document().settings().text("spyre.layout_solver"), std::string("greedy"));
}

/// A preset chooses solver and co-optimisation too: the panel shows what it chose, and says what it is.
void PlansTest::whatIf_preset_movesWhatNobodyChose() {
    auto& controller = part<WhatIfController>();
    const auto combo = [&](const char* key) {
        return controller.panel()->findChild<QComboBox*>(QStringLiteral("whatIf:") + QString::fromLatin1(key));
    };
    const auto* note = controller.panel()->findChild<QLabel*>(QStringLiteral("whatIfNote:preset"));
    QVERIFY(note != nullptr);
    const QString before = note->text();
    combo("preset")->setCurrentText(QStringLiteral("best"));
    QCOMPARE(combo("spyre.layout_solver")->currentText(), QStringLiteral("exact"));
    QCOMPARE(combo("spyre.co_optimize")->currentText(), QStringLiteral("on"));
    QVERIFY(!note->text().isEmpty() && note->text() != before);
    QVERIFY(QTest::qWaitFor([&] { return controller.isOn(); }, 60000));
    QCOMPARE(gantt().plan()->solver, std::string("exact"));
    // What the user chooses besides stays when the preset goes back.
    combo("spyre.layout_solver")->setCurrentText(QStringLiteral("bestfit"));
    combo("preset")->setCurrentText(QStringLiteral("product"));
    QCOMPARE(combo("spyre.layout_solver")->currentText(), QStringLiteral("bestfit"));
    QCOMPARE(combo("spyre.co_optimize")->currentText(), QStringLiteral("off"));
    controller.leave();
    QCOMPARE(combo("spyre.layout_solver")->currentText(), QStringLiteral("greedy"));
}

/// The parts that all plans share give way first: they are what nobody chooses by.
void PlansTest::switcher_showsWhatTellsPlansApart() {
    const QStringList names{QStringLiteral("Plan 1: greedy, reduction outputs, 1 core"),
                            QStringLiteral("Plan 2: greedy, input clone, 1 core"),
                            QStringLiteral("Plan 3: greedy, input clone, 1 core, 2 hints")};
    QCOMPARE(distinctPlanName(names[1], names), QStringLiteral("Plan 2: input clone"));
    QCOMPARE(distinctPlanName(names[2], names), QStringLiteral("Plan 3: input clone, 2 hints"));
    QCOMPARE(distinctPlanName(names[0], {names[0]}), names[0]);
    QCOMPARE(distinctPlanName(names[0], {names[0], names[0]}), names[0]);
}

void PlansTest::whatIf_withoutAHint_leavesTheListAlone() {
    Hint hint;
    hint.target = "spyre";
    hint.scopes = {"tensor:sub"};
    hint.key = "keep_off_chip";
    hint.value = test::hintValue("true");
    document().setHints(QStringLiteral("Keep sub off chip"), {hint});
    QVERIFY(settled());
    const PlanPtr own = document().current()->plan;
    const auto isOn = [&](const Plan& plan) { return isOnChip(plan.buffer(bufferNamed(plan, "sub")).space); };
    QVERIFY(!isOn(*own));
    auto& controller = part<WhatIfController>();
    auto* hints = controller.panel()->findChild<QComboBox*>(QStringLiteral("whatIf:hints"));
    QVERIFY(hints != nullptr);
    QCOMPARE(hints->count(), 3);
    QVERIFY2(hints->itemText(2).startsWith(QStringLiteral("without ")), qPrintable(hints->itemText(2)));
    hints->setCurrentIndex(2);
    QVERIFY(QTest::qWaitFor([&] { return controller.isOn(); }, 20000));
    QVERIFY(isOn(*gantt().plan()));
    QCOMPARE(document().hints(), std::vector<Hint>{hint});
    const int steps = document().undoStack().count();
    controller.apply();
    QCOMPARE(document().undoStack().count(), steps + 1);
    QVERIFY(!document().hints().front().enabled);
    QVERIFY(!document().isStale());
    document().undoStack().undo();
    QCOMPARE(document().hints(), std::vector<Hint>{hint});
    QCOMPARE(document().current()->plan, own);
}

void PlansTest::sweep_matrix_fillsAndAClickIsCurrent() {
    auto& controller = part<SweepController>();
    const auto fields = controller.panel()->findChildren<QLineEdit*>();
    QVERIFY(fields.size() >= 2);
    for (QLineEdit* field : fields) {
        if (field->accessibleName() == u"Values of the rows") field->setText(QStringLiteral("1, 4"));
        if (field->accessibleName() == u"Values of the columns") field->setText(QStringLiteral("0.00,0.20,0.90"));
    }
    QCOMPARE(controller.panel()->axes(), (QStringList{"spyre.cores=1,4", "spyre.lx_reserved_fraction=0.00,0.20,0.90"}));
    controller.run();
    const auto& picture = controller.panel()->matrix()->picture();
    const auto isFull = [&] {
        return picture.cells.size() == 6 && std::all_of(picture.cells.begin(), picture.cells.end(),
                                                        [](const ui::SweepPicture::Cell& c) { return c.isDone; });
    };
    QVERIFY(QTest::qWaitFor(isFull, 30000));
    for (const ui::SweepPicture::Cell& c : picture.cells)
        QVERIFY2(c.value.has_value(), qPrintable(c.status + c.message));
    controller.panel()->matrix()->resize(500, 200);
    QCOMPARE(controller.panel()->matrix()->cellAt(controller.panel()->matrix()->cellRect(4).center()), 4);
    controller.makeCurrent(3);
    QCOMPARE(document().settings().integer("spyre.cores"), std::int64_t{4});
    QCOMPARE(document().settings().number("spyre.lx_reserved_fraction"), 0.0);
    QVERIFY(!document().isStale());
    QCOMPARE(controller.panel()->matrix()->picture().current, 3);
}

void PlansTest::sweep_badValues_areNamed() {
    auto& controller = part<SweepController>();
    for (QLineEdit* field : controller.panel()->findChildren<QLineEdit*>())
        if (field->accessibleName() == u"Values of the rows") field->setText(QStringLiteral("1,99"));
    controller.run();
    const auto labels = controller.panel()->findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(),
                        [](QLabel* l) { return l->text().contains(QStringLiteral("1..32")); }));
    QVERIFY(controller.panel()->matrix()->picture().cells.empty());
}

void PlansTest::sweep_ranges_areTyped() {
    auto& panel = part<ui::SweepPanel>();
    for (QLineEdit* field : panel.findChildren<QLineEdit*>())
        field->setText(QStringLiteral("1 .. 3, 8"));
    QCOMPARE(panel.axes().back(), panel.columnKey() + QStringLiteral("=1..3,8"));
}

void PlansTest::sharpOptima_betterThanNeighboursByATenth() {
    ui::SweepPicture p;
    p.columns = {"a", "b", "c", "d"};
    const auto set = [&](std::initializer_list<double> values) {
        p.cells.clear();
        for (const double v : values)
            p.cells.push_back({true, v, {}, QStringLiteral("ok"), {}});
    };
    set({100, 89, 100, 100});
    QCOMPARE(ui::sharpOptima(p), std::vector<int>{1});
    set({100, 91, 100, 100});  // 9 % only
    QVERIFY(ui::sharpOptima(p).empty());
    set({50, 100, 100, 50});  // both ends are optima: their one neighbour is worse
    QCOMPARE(ui::sharpOptima(p), (std::vector<int>{0, 3}));
    set({50, 50, 100, 100});  // a plateau is not sharp
    QVERIFY(ui::sharpOptima(p).empty());
    p.isLowGood = false;
    set({100, 111, 100, 100});
    QCOMPARE(ui::sharpOptima(p), std::vector<int>{1});
    p.cells[0].value.reset();  // no plan beside it
    QCOMPARE(ui::sharpOptima(p), std::vector<int>{1});
    QCOMPARE(ui::goodness(p, 1), std::optional(1.0));
    QCOMPARE(ui::goodness(p, 0), std::nullopt);
}

MEMPLAN_WINDOW_TEST(PlansTest)
#include "tst_plans.moc"
