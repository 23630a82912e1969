// SPDX-License-Identifier: GPL-3.0-or-later
// Counted loops are items of the one selection (user-experience 2.4): graph, memory map, passes, inspector, tables and
// palette show and set the same loop, and what runs in it is related to it.
#include "tests/support/hint_support.h"
#include "tests/support/layout_wait.h"
#include "tests/support/plan_fixture.h"
#include "tests/support/program.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/plan/item_json.h"
#include "widgets/plan/loop_groups.h"
#include "widgets/plan/models/plan_models.h"
#include "widgets/plan/models/table_setup.h"
#include "widgets/tools/palette/palette_items.h"
#include "widgets/views/gantt/gantt_view.h"
#include "widgets/views/graph/graph_pane.h"
#include "widgets/views/inspector/inspector_content.h"
#include "widgets/views/passes/passes_view.h"
#include "widgets/views/passes/snapshot/snapshot_edit.h"

#include <QApplication>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QModelIndexList>
#include <QPoint>
#include <QPointF>
#include <QRect>
#include <QRectF>
#include <QRegularExpression>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

using namespace memplan;
using namespace memplan::ui;

namespace {

/// The softmax plan with op 1 in an outer loop, 2 and 3 in an inner one of it, 5 in a loop of its own.
PlanPtr loopedPlan() {
    auto plan = std::make_shared<Plan>(*fixture::softmaxStage4());
    const auto put = [&](std::size_t op, std::vector<int> path, std::vector<std::int64_t> counts) {
        plan->ops[op].loopPath = std::move(path);
        plan->ops[op].loopCounts = std::move(counts);
    };
    put(1, {0}, {2});
    put(2, {0, 0}, {2, 4});
    put(3, {0, 0}, {2, 4});
    put(5, {1}, {8});
    PassRun run;
    run.name = "coarse_tile";
    run.changed = true;
    std::string text;
    for (const PlanOp& op : plan->ops)
        text += op.name + " = " + op.type + (op.loopPath.empty() ? "" : " | loop 2") + "\n";
    run.snapshot = std::make_shared<const Snapshot>(Snapshot{"coarse_tile", text});
    plan->passes.push_back(run);
    return plan;
}

constexpr ItemId kOuter{ItemKind::Loop, 0}, kInner{ItemKind::Loop, 1}, kOther{ItemKind::Loop, 2};

}  // namespace

class LoopsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void groups_areEveryLevelOfTheNest();
    void selected_relatesWhatRunsInIt();
    void operation_relatesItsLoops();
    void plan_withoutLoops_hasNone();
    void gantt_everyLevel_hasItsRow();
    void gantt_bandSelects_clickedAgainTheLoopAround();
    void graph_groupIsTheLoop();
    void graph_innerFrame_saysItsOwnName();
    void tables_markItsOperations();
    void inspector_saysTripsAndOperations();
    void inspector_namesTheHintThatMadeIt();
    void palette_findsIt();
    void passes_linesLeadToIt();
    void json_namesItsOperations();
};

void LoopsTest::initTestCase() {
    QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light)));
    qputenv("MEMPLAN_REDUCED_MOTION", "1");
}

void LoopsTest::groups_areEveryLevelOfTheNest() {
    const PlanPtr plan = loopedPlan();
    const LoopGroups loops = loopGroups(*plan);
    QCOMPARE(loops.groups.size(), std::size_t{3});
    QCOMPARE(loops.group(0).ops, (std::vector<OpId>{OpId{1}, OpId{2}, OpId{3}}));
    QCOMPARE(loops.group(1).ops, (std::vector<OpId>{OpId{2}, OpId{3}}));
    QCOMPARE(loops.group(1).parent, 0);
    QCOMPARE(loops.group(1).runs(), 8);
    QCOMPARE(loops.group(1).steps(), (StepRange{2, 4}));
    QCOMPARE(QString::fromStdString(loops.group(1).name), QStringLiteral("loop 0.0 ×4"));
    QCOMPARE(QString::fromStdString(loops.group(1).treePath), QStringLiteral("loop 0 ×2/loop 0.0 ×4"));
    QCOMPARE(loops.innermostOf(OpId{2}), 1);
    QCOMPARE(loops.innermostOf(OpId{0}), -1);
    QCOMPARE(loops.withTreePath("loop 1 ×8"), 2);
}

void LoopsTest::selected_relatesWhatRunsInIt() {
    SelectionHub hub;
    hub.setPlan(loopedPlan());
    hub.select(kOuter);
    QVERIFY(hub.isSelected(kOuter));
    for (const int op : {1, 2, 3}) {
        QVERIFY(hub.isRelated({ItemKind::Op, op}));
        QVERIFY(hub.isRelated(ItemId::of(hub.plan()->op(OpId{op}).outputs.front())));
    }
    QVERIFY(!hub.isRelated({ItemKind::Op, 5}));
    QVERIFY(hub.isRelated(kInner) && !hub.isRelated(kOther));
    QCOMPARE(hub.itemName(kInner), QStringLiteral("loop 0.0 ×4"));
    QVERIFY(hub.itemSentence(kInner).contains(QStringLiteral("2 operations, steps 2 to 3, runs 8 times")));
    hub.select({ItemKind::Loop, 3});  // there is none
    QVERIFY(hub.selection().empty());
}

void LoopsTest::operation_relatesItsLoops() {
    SelectionHub hub;
    hub.setPlan(loopedPlan());
    hub.select({ItemKind::Op, 2});
    QVERIFY(hub.isRelated(kInner) && hub.isRelated(kOuter) && !hub.isRelated(kOther));
    hub.select({ItemKind::Op, 0});
    QVERIFY(!hub.isRelated(kOuter));
    hub.select(kInner);
    hub.setPlan(fixture::softmaxStage4());  // the loop is gone with its plan
    QVERIFY(hub.selection().empty());
}

void LoopsTest::plan_withoutLoops_hasNone() {
    SelectionHub hub;
    hub.setPlan(fixture::softmaxStage4());
    QVERIFY(hub.loops().groups.empty());
    hub.select(kOuter);
    QVERIFY(hub.selection().empty());
}

void LoopsTest::gantt_everyLevel_hasItsRow() {
    const GanttDataPtr data = buildGanttData(loopedPlan());
    QStringList texts;
    for (const StepRun& run : data->loops)
        texts << QString::fromStdString(run.text + ' ' + run.count);
    QCOMPARE(texts,
             (QStringList{QStringLiteral("loop 0 ×2"), QStringLiteral("loop 1 ×8"), QStringLiteral("loop 0.0 ×4")}));
    GanttState state;
    const GanttLayout l = ganttLayout(*data, state, {800, 600});
    QCOMPARE(l.loopRows, 2);
    QVERIFY(l.loopRow(0).height() >= 16 && l.loopRow(1).height() >= 16);
    QVERIFY(l.loopRow(0).bottom() <= l.loopRow(1).top() && l.loopRow(1).bottom() <= l.plot.top());
    QVERIFY(l.loopRow(0).top() >= l.strip.bottom());
}

void LoopsTest::gantt_bandSelects_clickedAgainTheLoopAround() {
    SelectionHub hub;
    GanttView view(&hub);
    view.resize(900, 600);
    view.show();
    hub.setPlan(loopedPlan());
    // The band lies right above the plot: the first place there that holds the inner loop.
    std::optional<QPoint> spot;
    for (int y = 0; y < 200 && !spot; ++y)
        for (int x = 0; x < view.width() && !spot; x += 5)
            if (view.itemAt(view.toCanvas(QPointF(x, y))) == kInner) spot = QPoint(x + 2, y + 2);
    QVERIFY(spot);
    // The band itself is marked, not only what runs in the loop.
    const QRect bands(0, 0, view.width(), spot->y() + 2);
    const QImage plain = view.grab(bands).toImage();
    hub.select(kInner);
    QVERIFY(view.grab(bands).toImage() != plain);
    hub.clearSelection();
    QCOMPARE(view.grab(bands).toImage(), plain);
    QTest::mouseClick(&view, Qt::LeftButton, {}, *spot);
    QCOMPARE(hub.primary(), std::optional(kInner));
    QTest::mouseClick(&view, Qt::LeftButton, {}, *spot);
    QCOMPARE(hub.primary(), std::optional(kOuter));
    QTest::mouseClick(&view, Qt::LeftButton, {}, *spot);
    QCOMPARE(hub.primary(), std::optional(kInner));
    QTest::keyClick(&view, Qt::Key_Escape);
    QTest::keyClick(&view, Qt::Key_Escape);
    QVERIFY(hub.selection().empty());
}

void LoopsTest::graph_groupIsTheLoop() {
    SelectionHub hub;
    GraphPane pane(&hub);
    GraphView& view = *pane.view();
    pane.resize(800, 700);
    pane.show();
    hub.setPlan(loopedPlan());
    QVERIFY(fixture::waitForLayout(view, 10000));
    view.arranger().setGrouping(Grouping::Loop);
    QVERIFY(fixture::waitForLayout(view, 10000));
    view.arranger().closeAll();
    QVERIFY(fixture::waitForLayout(view, 10000));
    const int group = view.scene()->tree->find("loop 0 ×2");
    QVERIFY(group >= 0);
    int box = -1;
    for (std::size_t i = 0; i < view.scene()->nodes.size(); ++i)
        if (view.scene()->node(static_cast<int>(i)).group == group) box = static_cast<int>(i);
    QVERIFY(box >= 0);
    const QRectF onScreen = sceneTransform(view.viewport()).toScreen(view.scene()->rectOf(box));
    QTest::mouseClick(&view, Qt::LeftButton, {}, (onScreen.topLeft() + QPointF(60, 30)).toPoint());
    QCOMPARE(hub.primary(), std::optional(kOuter));
    // The other way round: Space opens the loop that was selected elsewhere.
    hub.select(kOther);
    QTest::keyClick(&view, Qt::Key_Space);
    QVERIFY(fixture::waitForLayout(view, 10000));
    QVERIFY(view.arranger().isOpen(view.scene()->tree->find("loop 1 ×8")));
    QVERIFY(!view.arranger().isOpen(group));
}

/// The frame around it has the name of the outer loop: where there is no room for both the inner one's stands whole.
void LoopsTest::graph_innerFrame_saysItsOwnName() {
    SelectionHub hub;
    GraphPane pane(&hub);
    GraphView& view = *pane.view();
    pane.resize(700, 900);
    pane.show();
    hub.setPlan(loopedPlan());
    QVERIFY(fixture::waitForLayout(view, 10000));
    view.arranger().setGrouping(Grouping::Loop);
    QVERIFY(fixture::waitForLayout(view, 10000));
    view.arranger().openAll();
    QVERIFY(fixture::waitForLayout(view, 10000));
    int alone = 0;
    for (int high = 300; high <= 900; high += 50) {
        pane.resize(700, high);
        view.fitAll();
        PictureRequest request;
        request.size = view.size();
        const QString svg = QString::fromUtf8(pictureSvg(view, request));
        QVERIFY2(!svg.contains(QRegularExpression(QStringLiteral(">loop 0[^<]*…"))), qPrintable(QString::number(high)));
        alone += svg.contains(QStringLiteral(">loop 0.0 ×4<")) ? 1 : 0;
    }
    QVERIFY(alone > 0);
}

void LoopsTest::tables_markItsOperations() {
    SelectionHub hub;
    OpModel model;
    QTableView table;
    table.setModel(&model);
    setUpTable(&table, OpModel::Name);
    bindSelection(&table, &hub);
    const PlanPtr plan = loopedPlan();
    hub.setPlan(plan);
    model.setPlan(plan);
    hub.select(kInner);
    QModelIndexList rows = table.selectionModel()->selectedRows();
    QCOMPARE(rows.size(), 2);
    QCOMPARE(hub.primary(), std::optional(kInner));  // showing it does not change it
}

void LoopsTest::inspector_saysTripsAndOperations() {
    SelectionHub hub;
    hub.setPlan(loopedPlan());
    hub.select(kInner);
    const InspectorContent c = inspectorContent({hub.plan(), hub.state(), {}, false});
    QCOMPARE(c.kind, QStringLiteral("loop"));
    QCOMPARE(c.title, QStringLiteral("loop 0.0 ×4"));
    QString all;
    for (const InspectorSection& s : c.sections) {
        for (const InspectorRow& r : s.rows)
            all += r.label + u'=' + r.html + u'\n';
        all += s.paragraphs.join(u'\n');
    }
    QVERIFY2(all.contains(QStringLiteral("Trip count=4")), qPrintable(all));
    QVERIFY(all.contains(QStringLiteral("Body runs=8 times")));
    QVERIFY(all.contains(QStringLiteral("href=\"loop:0\"")));
    QVERIFY(all.contains(QStringLiteral("href=\"op:2\"")) && all.contains(QStringLiteral("href=\"op:3\"")));
    hub.select({ItemKind::Op, 2});
    QString tiling;
    for (const InspectorSection& s : inspectorContent({hub.plan(), hub.state(), {}, false}).sections)
        for (const InspectorRow& r : s.rows)
            if (r.label == u"Tiling") tiling = r.html;
    QVERIFY(tiling.contains(QStringLiteral("href=\"loop:1\"")) && tiling.contains(QStringLiteral("href=\"loop:0\"")));
}

void LoopsTest::inspector_namesTheHintThatMadeIt() {
    auto plan = std::make_shared<Plan>(*loopedPlan());
    const auto slices = [&](const char* value) {
        Hint hint;
        hint.scopes = {"op:" + plan->ops[2].name};
        hint.key = "slices";
        hint.value = test::hintValue(value);
        plan->hints.push_back(hint);
    };
    slices(R"({"A": 2})");
    slices(R"({"B": 4})");
    SelectionHub hub;
    hub.setOffersHints(true);
    hub.setPlan(plan);
    hub.select(kInner);
    InspectorInput input{plan, hub.state(), {}, false};
    input.offersHints = true;
    QString made;
    int hints = 0;
    for (const InspectorSection& s : inspectorContent(input).sections) {
        if (s.key == u"hints") hints = static_cast<int>(s.rows.size());
        for (const InspectorRow& r : s.rows)
            if (r.label == u"Made by") made = r.html;
    }
    QCOMPARE(made, QStringLiteral("<a href=\"edit:1\">B, hint 2</a>"));
    QCOMPARE(hints, 2);
}

void LoopsTest::palette_findsIt() {
    PaletteItems items;
    items.setPlan(loopedPlan());
    const std::vector<PaletteRow> rows = items.find(QStringLiteral("loop:0.0"));
    QVERIFY(!rows.empty());
    QCOMPARE(rows.front().items, (std::vector<ItemId>{kInner}));
    QCOMPARE(rows.front().value, QStringLiteral("8 runs"));
}

void LoopsTest::passes_linesLeadToIt() {
    SelectionHub hub;
    PassesView view(&hub);
    view.resize(1400, 700);
    view.show();
    hub.setPlan(loopedPlan());
    view.showPass(static_cast<int>(hub.plan()->passes.size()) - 1);
    auto* text = view.findChild<SnapshotEdit*>(QStringLiteral("snapshotText"));
    QVERIFY(text != nullptr);
    const QStringList lines = text->toPlainText().split(u'\n');
    const auto first = [&](const QString& start) {
        for (int i = 0; i < lines.size(); ++i)
            if (lines[i].startsWith(start)) return i;
        return -1;
    };
    const QString name = QString::fromStdString(hub.plan()->op(OpId{2}).name);
    const int head = first(name + QStringLiteral(" = "));
    QVERIFY(head >= 0 && lines[head + 1].startsWith(QStringLiteral("  loop")));
    emit text->rowChosen(head + 1);
    QCOMPARE(hub.primary(), std::optional(kInner));
    QCOMPARE(text->selectedRows().size(), std::size_t{4});  // two operations, a head and a field each
    emit text->rowChosen(head);
    QCOMPARE(hub.primary(), std::optional(ItemId{ItemKind::Op, 2}));
    QCOMPARE(text->selectedRows(), (std::vector<int>{head, head + 1}));
    hub.clearSelection();
    QVERIFY(text->selectedRows().empty());
}

void LoopsTest::json_namesItsOperations() {
    const PlanPtr plan = loopedPlan();
    const QJsonObject o = QJsonDocument::fromJson(itemJson(plan.get(), kInner).toUtf8()).object();
    QCOMPARE(o.value(QStringLiteral("ops")).toArray().size(), 2);
    QCOMPARE(o.value(QStringLiteral("loop_counts")).toArray().at(1).toInt(), 4);
}

MEMPLAN_WINDOW_TEST(LoopsTest)
#include "tst_loops.moc"
