// SPDX-License-Identifier: GPL-3.0-or-later
// Where things stand in the graph view: labels of edges clear of boxes and frames.
#include "core/studio_style.h"
#include "graph/graph_pane.h"
#include "graph/place/edge_labels.h"
#include "graph_plans.h"
#include "plan_fixture.h"

#include <QApplication>
#include <QtTest>

#include <algorithm>

using namespace memplan;
using namespace memplan::ui;

namespace {

struct Window {
    explicit Window(const PlanPtr& plan, QSize size) : pane(&hub), view(*pane.view()) {
        pane.resize(size);
        pane.show();
        hub.setPlan(plan);
        isReady = view.waitForLayout(10000);
    }
    [[nodiscard]] const GraphScene& scene() const { return *view.scene(); }
    SelectionHub hub;
    GraphPane pane;
    GraphView& view;
    bool isReady = false;
};

/// One label of this size for each edge of a scene.
std::vector<EdgeLabel> labelsOf(const GraphScene& scene, QSizeF size, bool isKept) {
    std::vector<EdgeLabel> labels;
    for (std::size_t i = 0; i < scene.edges.size(); ++i)
        if (!scene.edges[i].path.isEmpty()) labels.push_back({static_cast<int>(i), QString::number(i), size, isKept});
    return labels;
}

}  // namespace

class TestGraphPlace : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void labels_areClear_data();
    void labels_areClear();
    void labels_withoutRoom_areLeftOut();
    void labels_stayInTheView();
    void labels_kept_areAlwaysThere();
    void labels_onPicture_followTheZoom();
};

void TestGraphPlace::initTestCase() {
    auto* style = new StudioStyle(Theme(ThemeKind::Light));
    QApplication::setStyle(style);
    style->setTheme(Theme(ThemeKind::Light));
}

void TestGraphPlace::labels_areClear_data() {
    QTest::addColumn<bool>("isOpen");
    QTest::addColumn<bool>("isSideways");
    QTest::newRow("closed groups") << false << false;
    QTest::newRow("frames") << true << false;
    QTest::newRow("left to right") << true << true;
}

void TestGraphPlace::labels_areClear() {
    QFETCH(bool, isOpen);
    QFETCH(bool, isSideways);
    Window w(fixture::layeredPlan(64), {900, 700});
    QVERIFY(w.isReady);
    if (isSideways) w.view.arranger().setDirection(graphlayout::Direction::LeftToRight);
    if (isOpen)
        w.view.arranger().openAll();
    else
        w.view.arranger().openToDepth(0);
    QTRY_VERIFY_WITH_TIMEOUT(w.view.isSettled(), 10000);
    const GraphScene& s = *w.view.arranger().scene();
    QCOMPARE(isOpen, !s.frames.empty());
    const std::vector<EdgeLabel> labels = labelsOf(s, {90, 15}, false);
    QVERIFY(!labels.empty());
    const std::vector<PlacedLabel> placed =
        placeLabels(s, labels, s.bounds.adjusted(-200, -50, 200, 50), labelObstacles(s, s.bounds, {}));
    QVERIFY(placed.size() * 3 > labels.size());
    for (std::size_t i = 0; i < placed.size(); ++i) {
        const QRectF& plate = placed[i].plate;
        for (const QRectF& node : s.nodes)
            QVERIFY(!plate.intersects(node));
        for (const SceneFrame& f : s.frames)  // inside or outside, never on the line
            QVERIFY(f.rect.isEmpty() || !plate.intersects(f.rect) || f.rect.adjusted(1, 1, -1, -1).contains(plate));
        for (std::size_t k = 0; k < i; ++k)
            QVERIFY(!plate.intersects(placed[k].plate));
        const SceneEdge& e = s.edges[placed[i].text.toUInt()];
        QVERIFY(e.bounds.adjusted(-110, -30, 110, 30).contains(plate));
    }
}

void TestGraphPlace::labels_withoutRoom_areLeftOut() {
    Window w(fixture::layeredPlan(64), {900, 700});
    QVERIFY(w.isReady);
    const GraphScene& s = w.scene();
    const LabelObstacles wall{{s.bounds.adjusted(-500, -500, 500, 500)}, {}};
    QVERIFY(placeLabels(s, labelsOf(s, {90, 15}, false), s.bounds.adjusted(-500, -500, 500, 500), wall).empty());
}

void TestGraphPlace::labels_stayInTheView() {
    Window w(fixture::layeredPlan(64), {900, 700});
    QVERIFY(w.isReady);
    const GraphScene& s = w.scene();
    const QRectF view(s.bounds.center() - QPointF(200, 150), QSizeF(400, 300));
    const std::vector<EdgeLabel> labels = labelsOf(s, {90, 15}, false);
    const std::vector<PlacedLabel> placed = placeLabels(s, labels, view, labelObstacles(s, view, {}));
    QVERIFY(!placed.empty());
    for (const PlacedLabel& label : placed)
        QVERIFY(view.contains(label.plate));
}

void TestGraphPlace::labels_kept_areAlwaysThere() {
    Window w(fixture::layeredPlan(64), {900, 700});
    QVERIFY(w.isReady);
    const GraphScene& s = w.scene();
    const std::vector<EdgeLabel> labels = labelsOf(s, {90, 15}, true);
    const LabelObstacles wall{{s.bounds.adjusted(-500, -500, 500, 500)}, {}};
    QCOMPARE(placeLabels(s, labels, s.bounds.adjusted(-500, -500, 500, 500), wall).size(), labels.size());
}

void TestGraphPlace::labels_onPicture_followTheZoom() {
    Window w(fixture::encoderWithEdges(), {900, 700});
    QVERIFY(w.isReady);
    TextCache texts;
    GraphViewState state;
    state.plan = w.scene().model->plan;
    state.scene = w.view.scene();
    const auto labelsAt = [&](double scale) {
        state.viewport = w.view.viewport();
        state.viewport.x.scale = state.viewport.y.scale = scale;
        state.viewport.x.origin = w.scene().bounds.left();
        state.viewport.y.origin = w.scene().bounds.top();
        QImage image(1200, 2400, QImage::Format_ARGB32_Premultiplied);
        QPainter painter(&image);
        return paintGraph(painter, state, image.size(), Theme(ThemeKind::Light), texts).edgeLabels;
    };
    QVERIFY(labelsAt(1.2) > 10);
    QVERIFY(labelsAt(1.0) < 4);  // outputs
    QCOMPARE(labelsAt(0.6), 0);
}

QTEST_MAIN(TestGraphPlace)
#include "tst_graph_place.moc"
