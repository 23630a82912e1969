// SPDX-License-Identifier: GPL-3.0-or-later
// Acceptance walk-throughs A1 and A2 of user-experience 24 from the start page to the last key, in the whole window.
// Pictures go to MEMPLAN_PICTURES.
#include "app/gui/pages/sample_card.h"
#include "app/gui/window/bars/plan_switcher.h"
#include "app/gui/window/status/status_facts.h"
#include "app/gui/workspace/workspace.h"
#include "tests/support/layout_wait.h"
#include "tests/support/message_watch.h"
#include "tests/support/program.h"
#include "tests/support/waiting.h"
#include "tests/support/window_support.h"
#include "widgets/tools/hints/hint_model.h"
#include "widgets/tools/hints/hints_view.h"
#include "widgets/views/coregrid/core_grid_view.h"
#include "widgets/views/gantt/gantt_view.h"
#include "widgets/views/graph/graph_view.h"
#include "widgets/views/inspector/inspector_view.h"

#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QTableView>

#include <algorithm>

using namespace memplan;
using namespace memplan::app;

class WalkSoftmaxTest : public QObject, private WindowSupport {
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { QVERIFY(showWindow()); }
    void cleanup() { window_.reset(); }
    void a1_oneItemInEveryView();
    void a2_pinInStageOne_andTakeItBack();
    void stageOne_offersToSwitchPlanningOn();
    void a2_pinThatIsApplied();
    void end_isOrderly();

private:
    void clickSample();
    [[nodiscard]] QPoint pointOf(ui::GraphicView& view, ui::ItemId item) const;
    [[nodiscard]] QStringList selectedNames(const char* table) const;
    [[nodiscard]] QString facts() const;
};

void WalkSoftmaxTest::initTestCase() {
    qputenv("MEMPLAN_REDUCED_MOTION", "1");
    samples_ = prepareProgram("walk-softmax");
}

/// The card of S1 on the start page, as a hand does it.
void WalkSoftmaxTest::clickSample() {
    SampleCard* card = nullptr;
    for (SampleCard* c : window_->findChildren<SampleCard*>())
        if (c->sample().id == "S1") card = c;
    QVERIFY(card != nullptr && card->isVisible());
    QTest::mouseClick(card, Qt::LeftButton);
    QVERIFY(waitForPlan(*window_));
    QCOMPARE(document().plans().size(), std::size_t{4});
}

/// Where an item is drawn is found by looking under the pointer.
QPoint WalkSoftmaxTest::pointOf(ui::GraphicView& view, ui::ItemId item) const {
    for (int y = 4; y < view.height(); y += 6)
        for (int x = 4; x < view.width(); x += 6)
            if (view.itemAt(QPointF(x, y)) == item) return {x + 4, y + 4};
    return {-1, -1};
}

/// Names of the selected rows of a table.
QStringList WalkSoftmaxTest::selectedNames(const char* name) const {
    const auto* table = window_->findChild<QTableView*>(QString::fromLatin1(name));
    if (table == nullptr) return {};
    QStringList names;
    for (const QModelIndex& row : table->selectionModel()->selectedRows())
        names << hub().itemName(row.data(ui::IdRole).value<ui::ItemId>());
    return names;
}

/// What the status bar says of the plan; work that still runs, such as a layout, comes and goes by its own time.
QString WalkSoftmaxTest::facts() const {
    QStringList words;
    for (const QLabel* label : window_->findChild<StatusFacts*>()->findChildren<QLabel*>())
        if (!label->isHidden() && label->objectName() != QStringLiteral("statusTask")) words << label->text();
    return words.join(u' ');
}

/// Start, click S1, select exp in the graph: Gantt, grid, inspector and tables show the same item; Escape clears.
void WalkSoftmaxTest::a1_oneItemInEveryView() {
    clickSample();
    auto* graph = qobject_cast<ui::GraphView*>(window_->workspace().view(QStringLiteral("graph")));
    window_->workspace().showView(QStringLiteral("graph"));
    QVERIFY(fixture::waitForLayout(*graph, 5000));
    const OpId exp = opNamed(*hub().plan(), "exp");
    const ui::ItemId item = ui::ItemId::of(exp);
    const QPoint at = pointOf(*graph, item);
    QVERIFY(at.x() >= 0);
    QTest::mouseClick(graph, Qt::LeftButton, {}, at);
    QCOMPARE(hub().primary(), std::optional(item));
    QCOMPARE(hub().selection(), std::vector<ui::ItemId>{item});
    // Inspector: title and the output's place.
    const ui::InspectorContent& content = window_->workspace().inspectorView()->content();
    QCOMPARE(content.title, QStringLiteral("exp"));
    QCOMPARE(content.kind, QStringLiteral("operation"));
    // Gantt: the op's buffer is marked as related, and is where the pointer finds it.
    QVERIFY(hub().isRelated(ui::ItemId::of(buffer("exp"))) || hub().isSelected(ui::ItemId::of(buffer("exp"))));
    auto* gantt = window_->workspace().view(QStringLiteral("gantt"));
    QVERIFY(pointOf(*gantt, ui::ItemId::of(buffer("exp"))).x() >= 0);
    // Core grid: it is about this op.
    auto* cores = window_->workspace().view(QStringLiteral("cores"));
    QVERIFY2(cores->scopeText().contains(QStringLiteral("exp")), qPrintable(cores->scopeText()));
    // Tables: the row of the op is the selected one.
    QCOMPARE(selectedNames("opTable"), QStringList{QStringLiteral("exp")});
    takePicture(*window_, QStringLiteral("a1"));
    QTest::keyClick(graph, Qt::Key_Escape);
    if (hub().primary()) QTest::keyClick(graph, Qt::Key_Escape);  // the first one clears the hover
    QVERIFY(hub().selection().empty());
    QVERIFY(selectedNames("opTable").isEmpty());
    QCOMPARE(window_->workspace().inspectorView()->content().title, QStringLiteral("Nothing selected"));
}

/// Stage 1 in the plan switcher, P on sub's output: the hint is there, a plan is made that has it on chip, the status
/// bar says so; undo shows a plan of the history, nothing is compiled.
void WalkSoftmaxTest::a2_pinInStageOne_andTakeItBack() {
    clickSample();
    auto* switcher = window_->findChild<PlanSwitcher*>();
    QVERIFY(switcher->itemText(0).contains(QStringLiteral("stage 1")));
    switcher->setCurrentIndex(0);
    emit switcher->activated(0);
    const PlanPtr stageOne = document().plans()[0].plan;
    QCOMPARE(hub().plan(), stageOne);
    QVERIFY(!isOnChip(stageOne->buffer(buffer("sub")).space));
    const PlanPtr stageFour = document().plans()[3].plan;
    const QString factsBefore = facts();
    QSignalSpy compiles(&window_->controller(), &DocumentController::aboutToCompile);
    auto* gantt = window_->workspace().view(QStringLiteral("gantt"));
    gantt->setFocus();
    hub().select(ui::ItemId::of(buffer("sub")));
    QTest::keyClick(gantt, Qt::Key_P);
    QCOMPARE(document().hints().size(), std::size_t{1});
    QCOMPARE(document().hints().front().key, std::string("pin"));
    QCOMPARE(document().hints().front().scopes, std::vector<std::string>{"tensor:sub"});
    QCOMPARE(window_->workspace().hints()->count(), 1);
    QVERIFY(waitForPlan(*window_));
    QCOMPARE(compiles.count(), 1);
    QCOMPARE(document().plans().size(), std::size_t{5});
    QVERIFY(isOnChip(hub().plan()->buffer(buffer("sub")).space));
    QVERIFY(facts() != factsBefore);
    QCOMPARE(hub().plan()->hintStates, std::vector<std::string>{"applied"});
    takePicture(*window_, QStringLiteral("a2-stage1"));
    QVERIFY(window_->trigger(QStringLiteral("edit.undo")));
    QVERIFY(document().hints().empty());
    QCOMPARE(window_->workspace().hints()->count(), 0);
    QCOMPARE(hub().plan(), stageFour);  // the plan of exactly these inputs
    QCOMPARE(document().state(), PlanState::Fresh);
    QVERIFY(test::staysTrue([&] { return compiles.count() == 1; }, 300));
    QVERIFY(window_->trigger(QStringLiteral("edit.redo")));
    QCOMPARE(hub().plan(), document().plans()[4].plan);
    QCOMPARE(compiles.count(), 1);
}

/// The plan without scratchpad planning says so in its memory map, and one click leads to a plan that has it (19.1).
void WalkSoftmaxTest::stageOne_offersToSwitchPlanningOn() {
    clickSample();
    document().changeSetting(QStringLiteral("spyre.lx_planning"), QStringLiteral("false"));
    QVERIFY(waitForPlan(*window_));
    QVERIFY(!isOnChip(hub().plan()->buffer(buffer("sub")).space));
    auto* gantt = window_->workspace().view(QStringLiteral("gantt"));
    takePicture(*window_, QStringLiteral("planning-off"));
    const auto buttons = gantt->findChildren<QPushButton*>();
    const auto button =
        std::ranges::find_if(buttons, [](const QPushButton* b) { return b->text() == u"Switch planning on"; });
    QVERIFY(button != buttons.end() && (*button)->isVisible());
    (*button)->click();
    QVERIFY(document().settings().boolean("spyre.lx_planning"));
    QVERIFY(QTest::qWaitFor([this] { return hub().plan()->metrics.buffersOnChip > 0; }, 10000));
}

/// The same where nothing but the pin brings the buffer on chip: stage 2 leaves it in main memory.
void WalkSoftmaxTest::a2_pinThatIsApplied() {
    window_->controller().open(sampleRequest(*io::findSample(samples_, "S1"), "stage 2"));
    QVERIFY(waitForPlan(*window_));
    const PlanPtr before = document().current()->plan;
    QVERIFY(!isOnChip(before->buffer(buffer("sub")).space));
    const QString factsBefore = facts();
    auto* gantt = window_->workspace().view(QStringLiteral("gantt"));
    gantt->setFocus();
    hub().select(ui::ItemId::of(buffer("sub")));
    QTest::keyClick(gantt, Qt::Key_P);
    QVERIFY(waitForPlan(*window_));
    QVERIFY(isOnChip(hub().plan()->buffer(buffer("sub")).space));
    const ui::HintModel& model = *window_->workspace().hints()->model();
    QCOMPARE(model.index(0, ui::HintModel::State).data().toString(), QStringLiteral("applied"));
    QVERIFY(facts() != factsBefore);
    takePicture(*window_, QStringLiteral("a2"));
    QSignalSpy compiles(&window_->controller(), &DocumentController::aboutToCompile);
    QVERIFY(window_->trigger(QStringLiteral("edit.undo")));
    QCOMPARE(document().current()->plan, before);
    QCOMPARE(facts(), factsBefore);
    QVERIFY(test::staysTrue([&] { return compiles.count() == 0; }, 300));
}

/// A window that goes while the graph is being laid out ends the layout program without a word.
void WalkSoftmaxTest::end_isOrderly() {
    const MessageWatch messages;
    for (int i = 0; i < 3; ++i) {
        MainWindow window(samples_);
        window.show();
        window.openSample(*io::findSample(samples_, i == 1 ? "S2" : "S1"));
        QVERIFY(waitForPlan(window));
    }
    QVERIFY2(messages.with("QProcess").isEmpty(), qPrintable(messages.all().join(u'\n')));
}

MEMPLAN_WINDOW_TEST(WalkSoftmaxTest)
#include "tst_walk_softmax.moc"
