// SPDX-License-Identifier: GPL-3.0-or-later
// The graph view: model, geometry, level of detail, groups, neighbour mode, traces, keys and mouse,
// overlays, table twin, equality of screen and file.
#include "engine/compare/plan_match.h"
#include "engine/plan/spyre_data.h"
#include "tests/support/layout_wait.h"
#include "tests/support/plan_fixture.h"
#include "tests/support/program.h"
#include "tests/support/waiting.h"
#include "tests/widgets/graph/graph_plans.h"
#include "tests/widgets/graph/graph_window.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/views/graph/graph_node_painter.h"
#include "widgets/views/graph/graph_painter.h"
#include "widgets/views/graph/op_table.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QColor>
#include <QComboBox>
#include <QImage>
#include <QLatin1Char>
#include <QPainter>
#include <QPoint>
#include <QPointF>
#include <QRectF>
#include <QSignalSpy>
#include <QSizeF>
#include <QTest>

#include <algorithm>
#include <numeric>

using namespace memplan;
using namespace memplan::ui;

using fixture::GraphWindow;
using fixture::markedIn;

namespace {

QPoint nodeCentre(const GraphWindow& window, OpId op) {
    return window.nodeOnScreen(op).center().toPoint();
}

}  // namespace

class TestGraphView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void model_softmax_hasInputOpsOutput();
    void model_edges_bytesAndResidency();
    void model_grouping_followsThePlan();
    void model_grouping_kernelAlone_givesWayToLoops();
    void model_grouping_byBundle();
    void geometry_edgeWidth_byBytes();
    void geometry_detail_byHeight();
    void geometry_hits();
    void geometry_map_fleesContent();
    void geometry_map_leavesNamesOfFrames();
    void open_encoder_allVisible();
    void open_large_isPagedOrClosed();
    void group_collapse_keepsItsCorner();
    void group_openAll_overTheLimit_isRefused();
    void neighbours_hopsAndStubs();
    void trace_and_criticalPaths();
    void click_selects_shiftTraces();
    void keys_stepAlongEdges();
    void unknownKind_isGrey();
    void direction_leftToRight();
    void zoom_keepsBothAxesEqual();
    void overlay_numbers_haveLimits();
    void search_dims();
    void stale_newPlan_keepsOldPictureUntilReady();
    void twin_listsOps();
    void export_equalsScreen();
    void accessible_sentences();
};

void TestGraphView::initTestCase() {
    qputenv("MEMPLAN_REDUCED_MOTION", "1");  // places are compared, not ways
    auto* style = new StudioStyle(Theme(ThemeKind::Light));
    QApplication::setStyle(style);
    style->setTheme(Theme(ThemeKind::Light));
}

/// 19.6: an operation of an unknown kind stands out as a grey box, and its tooltip says what that means.
void TestGraphView::unknownKind_isGrey() {
    auto plan = std::make_shared<Plan>(*fixture::softmaxStage4());
    plan->ops[2].kind = "extern";
    const GraphModel m = buildGraphModel(plan, {});
    int opaque = 0;
    for (const GraphNode& n : m.nodes)
        opaque += n.isOpaque ? 1 : 0;
    QCOMPARE(opaque, 1);
    QVERIFY(m.nodes[static_cast<std::size_t>(m.nodeFor(OpId{2}))].isOpaque);
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast}) {
        const Theme theme(kind);
        const QColor grey = opaqueGround(theme);
        QVERIFY(grey != theme.color(Token::BgRaised));
        QVERIFY(contrastRatio(theme.color(Token::Text1), grey) >= 4.5);
        QVERIFY(contrastRatio(theme.color(Token::Text2), grey) >= 4.5);
        QVERIFY(contrastRatio(theme.color(Token::LineControl), grey) >= 1.2);
    }
}

void TestGraphView::model_softmax_hasInputOpsOutput() {
    const GraphModel m = buildGraphModel(fixture::softmaxStage4(), {});
    QCOMPARE(m.nodes.size(), std::size_t{8});
    QCOMPARE(m.nodes[0].verb, QStringLiteral("input"));
    QCOMPARE(m.nodes[1].verb + QLatin1Char(' ') + m.nodes[1].name, QStringLiteral("clone of x"));
    QVERIFY(m.nodes[1].isAdded);
    QCOMPARE(m.nodes[1].residency, Residency::Clone);
    QCOMPARE(m.nodes[2].detail, QStringLiteral("1 \u00d7 1024 \u00b7 fp16"));
    QVERIFY(m.nodes[7].kind == GraphNodeKind::Output);
    QCOMPARE(m.nodeFor(OpId{3}), 4);
    QCOMPARE(m.nodeFor(BufferId{0}), 0);
    QCOMPARE(m.nodeFor(BufferId{4}), 4);
}

void TestGraphView::model_edges_bytesAndResidency() {
    const GraphModel m = buildGraphModel(fixture::softmaxStage4(), {});
    QCOMPARE(m.edges.size(), std::size_t{9});  // 1 input, 7 between ops, 1 output
    QVERIFY(m.edges.front().isOffChip);
    QCOMPARE(m.sourceEdges.front().bytes, 1048576LL);
    const auto offChip = std::count_if(m.edges.begin(), m.edges.end(), [](const GraphEdge& e) { return e.isOffChip; });
    QCOMPARE(static_cast<int>(offChip), 2);
}

void TestGraphView::model_grouping_followsThePlan() {
    const GraphModel m = buildGraphModel(fixture::encoderWithEdges(), {});
    QCOMPARE(usefulGroupings(m), (std::vector{Grouping::None, Grouping::Annotation}));
    const auto tree = graphlayout::GroupTree::fromPaths(groupPaths(m, Grouping::Annotation));
    QCOMPARE(tree.group(tree.find("attn/softmax")).memberCount, 7);
    QCOMPARE(tree.group(tree.find("attn")).memberCount, 13);
    QCOMPARE(tree.levels(), 2);
}

void TestGraphView::model_grouping_kernelAlone_givesWayToLoops() {
    auto plan = std::make_shared<Plan>(*fixture::softmaxStage4());
    for (PlanOp& op : plan->ops)
        op.groupPath = "kernel_0";
    QCOMPARE(openingGrouping(buildGraphModel(plan, {})), Grouping::Annotation);
    plan->ops.back().loopPath = {0};
    plan->ops.back().loopCounts = {4};
    QCOMPARE(openingGrouping(buildGraphModel(plan, {})), Grouping::Loop);
    plan->ops.front().groupPath = "attn";  // the input's own groups say more
    QCOMPARE(openingGrouping(buildGraphModel(plan, {})), Grouping::Annotation);
}

void TestGraphView::model_grouping_byBundle() {
    auto plan = std::make_shared<Plan>(*fixture::softmaxStage4());
    PlanKernel first, second;
    first.name = "sdsc_0";
    first.ops = {OpId{0}, OpId{1}};
    second.name = "sdsc_1";
    second.ops = {OpId{2}};
    editSpyreData(*plan).kernels = {first};
    const auto offers = [](const PlanPtr& p) {
        const std::vector<Grouping> useful = usefulGroupings(buildGraphModel(p, {}));
        return std::ranges::find(useful, Grouping::Bundle) != useful.end();
    };
    QVERIFY(!offers(std::make_shared<Plan>(*plan)));  // one bundle parts nothing
    editSpyreData(*plan).kernels = {first, second};
    QVERIFY(offers(plan));
    const GraphModel m = buildGraphModel(plan, {});
    const std::vector<std::string> paths = groupPaths(m, Grouping::Bundle);
    const auto pathOf = [&](int op) { return paths[static_cast<std::size_t>(m.nodeFor(OpId{op}))]; };
    QCOMPARE(pathOf(0), std::string("sdsc_0"));
    QCOMPARE(pathOf(1), std::string("sdsc_0"));
    QCOMPARE(pathOf(2), std::string("sdsc_1"));
    QCOMPARE(pathOf(3), std::string());
    QCOMPARE(groupingName(Grouping::Bundle), QStringLiteral("bundle"));
}

void TestGraphView::geometry_edgeWidth_byBytes() {
    QCOMPARE(edgeWidth(65535), 1.0);
    QCOMPARE(edgeWidth(65536), 2.0);
    QCOMPARE(edgeWidth(1048575), 2.0);
    QCOMPARE(edgeWidth(1048576), 3.0);
}

void TestGraphView::geometry_detail_byHeight() {
    QVERIFY(nodeDetail(5.9) == NodeDetail::Fill);
    QVERIFY(nodeDetail(6) == NodeDetail::Box);
    QVERIFY(nodeDetail(14) == NodeDetail::OneLine);
    QVERIFY(nodeDetail(22) == NodeDetail::Full);
    QVERIFY(edgesAreStraight(0.29) && !edgesAreStraight(0.3));
}

void TestGraphView::geometry_hits() {
    const GraphWindow w(fixture::softmaxStage4());
    QVERIFY(w.isReady);
    const GraphScene& s = *w.view.scene();
    for (int i = 0; i < static_cast<int>(s.nodes.size()); ++i)
        QCOMPARE(nodeAt(s, s.rectOf(i).center()), i);
    QCOMPARE(nodeAt(s, s.bounds.topLeft() - QPointF(50, 50)), -1);
    for (int i = 0; i < static_cast<int>(s.edges.size()); ++i)
        QCOMPARE(edgeAt(s, s.edges[static_cast<std::size_t>(i)].path.pointAtPercent(0.3), 3), i);
    QCOMPARE(w.view.itemAt(nodeCentre(w, OpId{3})), std::optional(ItemId::of(OpId{3})));
}

void TestGraphView::geometry_map_fleesContent() {
    const QRectF view(0, 0, 800, 600);
    const QRectF map = mapRect(view, {QRectF(0, 0, 400, 600)});
    QCOMPARE(map.size(), QSizeF(200, 150));
    QVERIFY(map.left() > 400);
    const MapFrame frame = mapFrame(map, QRectF(-100, -50, 1000, 400));
    const QPointF p(123, 45);
    const QPointF there = frame.toMap(QRectF(p, QSizeF(1, 1))).topLeft();
    QVERIFY((frame.toScene(there) - p).manhattanLength() < 1e-6);
}

/// The name of a frame stands at its top: the map goes below it.
void TestGraphView::geometry_map_leavesNamesOfFrames() {
    auto scene = std::make_shared<GraphScene>();
    scene->frames.push_back({QRectF(0, 0, 800, 600), 0});
    GraphViewState state;
    state.scene = scene;
    const QRectF map = mapPlace(state, QSizeF(800, 600));
    QVERIFY(!map.isEmpty() && map.top() > kFrameHead);
    scene->frames.front().rect = {};  // nothing is drawn of it
    QVERIFY(mapPlace(state, QSizeF(800, 600)).top() < kFrameHead);
}

void TestGraphView::open_encoder_allVisible() {
    const GraphWindow w(fixture::encoderWithEdges());
    QVERIFY(w.isReady);
    QCOMPARE(w.view.scene()->opCount(), 36);
    QCOMPARE(w.view.scene()->groupCount(), 0);
    QVERIFY(w.view.arranger().grouping() == Grouping::Annotation);
}

void TestGraphView::open_large_isPagedOrClosed() {
    const GraphWindow w(fixture::layeredPlan(4000));
    QVERIFY(w.isReady);
    QVERIFY(static_cast<int>(w.view.scene()->nodes.size()) <= GraphArranger::kOpeningNodes);
    QCOMPARE(w.view.scene()->groupCount(), 125);  // 4000 ops in layers of 32
    auto flat = std::make_shared<Plan>(*fixture::layeredPlan(3000));
    for (PlanOp& op : flat->ops)
        op.groupPath.clear();
    const GraphWindow paged(flat);
    QVERIFY(paged.isReady && paged.view.arranger().isPaged());
    QVERIFY(static_cast<int>(paged.view.scene()->nodes.size()) <= GraphArranger::kOpeningNodes);
}

void TestGraphView::group_collapse_keepsItsCorner() {
    GraphWindow w(fixture::encoderWithEdges());
    const int group = w.view.scene()->tree->find("attn/softmax");
    w.hub.select(ItemId::of(OpId{5}));
    const auto corner = [&w, group] {
        const GraphScene& s = *w.view.arranger().scene();
        for (std::size_t i = 0; i < s.frames.size(); ++i)
            if (s.frames[i].group == group)
                return sceneTransform(w.view.viewport()).toScreen(s.frames[i].rect.topLeft());
        for (std::size_t i = 0; i < s.nodes.size(); ++i)
            if (s.visible.nodes[i].group == group)
                return sceneTransform(w.view.viewport()).toScreen(s.nodes[i].topLeft());
        return QPointF(-1e6, 0);
    };
    const QPointF before = corner();
    QTest::keyClick(&w.view, Qt::Key_Space);
    QTRY_COMPARE_WITH_TIMEOUT(w.view.arranger().scene()->groupCount(), 1, 10000);
    QVERIFY((corner() - before).manhattanLength() < 2.5);
    QCOMPARE(w.view.arranger().scene()->opCount(), 29);
    const GroupFacts& facts = w.view.arranger().scene()->groups[static_cast<std::size_t>(group)];
    QCOMPARE(facts.ops, 7);
    QCOMPARE(facts.bytesOut, Bytes{1204224 * 32});  // probs
    QTest::keyClick(&w.view, Qt::Key_Space);
    QTRY_COMPARE_WITH_TIMEOUT(w.view.arranger().scene()->groupCount(), 0, 10000);
    QVERIFY((corner() - before).manhattanLength() < 2.5);
}

void TestGraphView::group_openAll_overTheLimit_isRefused() {
    GraphWindow w(fixture::layeredPlan(1840));
    const auto shown = w.view.arranger().scene();
    w.view.arranger().openAll();
    QVERIFY(w.view.arranger().refusal().has_value());
    QCOMPARE(w.view.arranger().refusal()->nodes, 1840);
    QCOMPARE(w.view.arranger().scene(), shown);
    w.view.arranger().openToDepth(w.view.arranger().refusal()->depth);
    QVERIFY(!w.view.arranger().refusal());
    QVERIFY(fixture::waitForLayout(w.view, 10000));
    QVERIFY(static_cast<int>(w.view.arranger().scene()->nodes.size()) <= GraphArranger::kMostNodes);
}

void TestGraphView::neighbours_hopsAndStubs() {
    GraphWindow w(fixture::encoderWithEdges());
    w.hub.select(ItemId::of(OpId{5}));  // masked: read by row_max and centred, made from scores
    QTest::keyClick(&w.view, Qt::Key_N);
    QTRY_COMPARE_WITH_TIMEOUT(static_cast<int>(w.view.arranger().scene()->nodes.size()), 4, 10000);
    QCOMPARE(w.view.arranger().scene()->stubs[0].before, 2);  // scores reads q_scaled and k
    w.view.arranger().setHops(2);
    QTRY_COMPARE_WITH_TIMEOUT(static_cast<int>(w.view.arranger().scene()->nodes.size()), 7, 10000);
    QTest::keyClick(&w.view, Qt::Key_N);
    QTRY_COMPARE_WITH_TIMEOUT(w.view.arranger().scene()->opCount(), 36, 10000);
}

void TestGraphView::trace_and_criticalPaths() {
    GraphWindow w(fixture::softmaxStage4());
    w.view.traceFrom(ItemId::of(OpId{3}));
    QCOMPARE(markedIn(w.view.trace().before), 4);  // x, clone, max, sub
    QCOMPARE(markedIn(w.view.trace().after), 3);   // sum, div, out
    w.view.traceBetween(ItemId::of(OpId{0}), ItemId::of(OpId{2}));
    QCOMPARE(markedIn(w.view.trace().on), 3);  // clone, max, sub
    w.view.showCriticalPaths();
    QCOMPARE(markedIn(w.view.trace().on), 8);
    QVERIFY(w.view.traceSentence().startsWith(QStringLiteral("One critical path")));
    QTest::keyClick(&w.view, Qt::Key_Escape);
    QVERIFY(w.view.trace().isEmpty());
}

void TestGraphView::click_selects_shiftTraces() {
    GraphWindow w(fixture::softmaxStage4());
    QTest::mouseClick(&w.view, Qt::LeftButton, Qt::NoModifier, nodeCentre(w, OpId{3}));
    QCOMPARE(w.hub.primary(), std::optional(ItemId::of(OpId{3})));
    QTest::mouseClick(&w.view, Qt::LeftButton, Qt::ShiftModifier, nodeCentre(w, OpId{2}));
    QCOMPARE(markedIn(w.view.trace().after), 4);
    QTest::mouseClick(&w.view, Qt::LeftButton, Qt::ShiftModifier | Qt::ControlModifier, nodeCentre(w, OpId{5}));
    QCOMPARE(markedIn(w.view.trace().on), 4);  // sub, exp, sum, div
    QCOMPARE(w.hub.primary(), std::optional(ItemId::of(OpId{3})));
}

void TestGraphView::keys_stepAlongEdges() {
    GraphWindow w(fixture::softmaxStage4());
    w.hub.select(ItemId::of(OpId{3}));
    QTest::keyClick(&w.view, Qt::Key_Down);
    QCOMPARE(w.hub.primary(), std::optional(ItemId::of(OpId{4})));
    QTest::keyClick(&w.view, Qt::Key_Up);
    QTest::keyClick(&w.view, Qt::Key_Up);
    QCOMPARE(w.hub.primary(), std::optional(ItemId::of(OpId{2})));
    QTest::keyClick(&w.view, Qt::Key_PageDown);
    QCOMPARE(w.hub.primary(), std::optional(ItemId::of(OpId{3})));
    const QSignalSpy map(&w.view, &GraphView::mapToggled);
    QTest::keyClick(&w.view, Qt::Key_M);
    QCOMPARE(map.count(), 1);
}

void TestGraphView::direction_leftToRight() {
    GraphWindow w(fixture::softmaxStage4());
    QTest::keyClick(&w.view, Qt::Key_L, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(w.view.arranger().scene()->direction == graphlayout::Direction::LeftToRight, 10000);
    const GraphScene& s = *w.view.arranger().scene();
    QVERIFY(s.rectOf(s.visible.visibleOfNode[7]).left() > s.rectOf(s.visible.visibleOfNode[0]).right());
}

void TestGraphView::zoom_keepsBothAxesEqual() {
    GraphWindow w(fixture::encoderWithEdges());
    w.view.zoomBy(1.7, {100, 100});
    w.view.panBy({-40, 25});
    w.pane.resize(500, 900);
    test::finishLayouts();
    QCOMPARE(w.view.viewport().x.scale, w.view.viewport().y.scale);
    Viewport crooked = w.view.viewport();
    crooked.x.scale *= 1.5;
    w.view.setViewport(crooked);
    QCOMPARE(w.view.viewport().x.scale, w.view.viewport().y.scale);
    QTest::keyClick(&w.view, Qt::Key_Home);
    const QRectF all = sceneTransform(w.view.viewport()).toScreen(w.view.scene()->bounds);
    QVERIFY(QRectF(w.view.rect()).contains(all));
}

void TestGraphView::overlay_numbers_haveLimits() {
    GraphWindow w(fixture::softmaxStage4());
    w.view.setOverlay(Overlay::Bytes);
    const OverlayData& d = *w.view.overlayData();
    QCOMPARE(d.lowest, 2048.0);
    QCOMPARE(d.highest, 1048576.0);
    QCOMPARE(d.share(2), 0.0);
    QCOMPARE(overlayValueText(d, 2), QStringLiteral("2\u202f048\u202fB"));
    QVERIFY(!isInRange(d, {0.5, 1}, 2) && isInRange(d, {0.5, 1}, 4));
    QCOMPARE(std::accumulate(d.histogram.begin(), d.histogram.end(), 0), 8);
    w.view.setOverlay(Overlay::Traffic);
    QCOMPARE(w.view.overlayData()->values[1], 1048576.0);
    w.view.setOverlay(Overlay::Kind);
    QCOMPARE(w.view.legend().size(), std::size_t{5});  // input, clone, reduction, pointwise, output
    OverlaySources sources;
    sources.other = fixture::softmaxStage4();
    sources.match = std::make_shared<const compare::PlanMatch>(compare::matchPlans(*sources.other, *sources.other));
    w.view.setOverlaySources(sources);
    w.view.setOverlay(Overlay::Difference);
    QCOMPARE(w.view.legend().size(), std::size_t{1});
    QCOMPARE(w.view.legend()[0].text, QStringLiteral("same"));
}

void TestGraphView::search_dims() {
    GraphWindow w(fixture::softmaxStage4());
    const QImage before = w.view.grab().toImage();
    w.view.setMatches(std::vector{ItemId::of(OpId{3})});
    const QImage dimmed = w.view.grab().toImage();
    const QPoint on = nodeCentre(w, OpId{3}) - QPoint(76, 0), off = nodeCentre(w, OpId{4}) - QPoint(76, 0);
    QCOMPARE(dimmed.pixelColor(on), before.pixelColor(on));
    QVERIFY(dimmed.pixelColor(off) != before.pixelColor(off));
    w.view.setMatches(std::nullopt);
    QCOMPARE(w.view.grab().toImage().pixelColor(off), before.pixelColor(off));
}

void TestGraphView::stale_newPlan_keepsOldPictureUntilReady() {
    GraphWindow w(fixture::encoderWithEdges());
    const GraphScenePtr before = w.view.scene();
    w.hub.setPlan(fixture::softmaxStage4());
    QCOMPARE(w.view.scene(), before);
    static_cast<void>(w.view.grab());  // paints the old scene although the plan is a smaller one
    QVERIFY(fixture::waitForLayout(w.view, 10000));
    QCOMPARE(w.view.scene()->opCount(), 6);
    w.hub.setPlan(nullptr);
    QVERIFY(!w.view.scene());
    static_cast<void>(w.view.grab());
}

void TestGraphView::twin_listsOps() {
    OpTableModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setPlan(fixture::softmaxStage4());
    QCOMPARE(model.rowCount(), 6);
    QCOMPARE(model.index(2, OpTableModel::Inputs).data().toString(), QStringLiteral("clone, max"));
    QCOMPARE(model.index(0, OpTableModel::AddedBy).data().toString(), QStringLiteral("scratchpad_planning"));
    QCOMPARE(model.index(1, OpTableModel::Bytes).data().toString(), QStringLiteral("2\u202f048"));
}

void TestGraphView::export_equalsScreen() {
    GraphWindow w(fixture::softmaxStage4());
    w.view.clearFocus();
    PictureRequest request;
    request.size = w.view.size();
    const QImage file = pictureImage(w.view, request).convertToFormat(QImage::Format_RGB32);
    QImage screen(w.view.size(), QImage::Format_RGB32);
    screen.fill(themeOf().color(Token::BgCanvas));
    QPainter painter(&screen);
    w.view.paintPicture(painter, w.view.size(), themeOf());
    painter.end();
    QCOMPARE(file, screen);
    const QByteArray svg = pictureSvg(w.view, request);
    QCOMPARE(svg, pictureSvg(w.view, request));
    for (const char* part : {"op-exp", "buffer-x", ">exp<", "512 \u00d7 1024"})
        QVERIFY2(svg.contains(part), part);
}

void TestGraphView::accessible_sentences() {
    GraphWindow w(fixture::softmaxStage4());
    QCOMPARE(w.view.accessibleName(), QStringLiteral("Graph"));
    QCOMPARE(w.view.stateSentence(), QStringLiteral("Graph, 6 operations shown, 0 closed groups, overlay residency"));
    w.hub.select(ItemId::of(BufferId{4}));
    QVERIFY(w.view.accessibleDescription().contains(QStringLiteral("exp")));
}

MEMPLAN_WINDOW_TEST(TestGraphView)
#include "tst_graph_view.moc"
