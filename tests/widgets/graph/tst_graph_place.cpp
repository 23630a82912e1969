// SPDX-License-Identifier: GPL-3.0-or-later
// Where things stand in the graph view: labels of edges clear of boxes and frames, and a first picture that
// cuts no box at its sides.
#include "tests/support/plan_fixture.h"
#include "tests/support/program.h"
#include "tests/widgets/graph/graph_plans.h"
#include "tests/widgets/graph/graph_window.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/views/graph/scene/edge_labels.h"
#include "widgets/views/graph/scene/opening_place.h"

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QPointF>
#include <QRect>
#include <QRectF>
#include <QSizeF>
#include <QTest>

#include <algorithm>

using namespace memplan;
using namespace memplan::ui;

using fixture::GraphWindow;

namespace {

/// Boxes that the left or right side of the view cuts.
int cutAtTheSides(const GraphWindow& window) {
    const QRectF all = window.view.rect();
    return static_cast<int>(
        std::count_if(window.scene().nodes.begin(), window.scene().nodes.end(), [&](const QRectF& r) {
            const QRectF on = window.onScreen(r);
            return on.intersects(all) && (on.left() < all.left() || on.right() > all.right());
        }));
}

/// One label of this size for each edge of a scene.
std::vector<EdgeLabel> labelsOf(const GraphScene& scene, QSizeF size, bool isKept) {
    std::vector<EdgeLabel> labels;
    for (std::size_t i = 0; i < scene.edges.size(); ++i)
        if (!scene.edges[i].path.isEmpty()) labels.push_back({static_cast<int>(i), QString::number(i), size, isKept});
    return labels;
}

/// Boxes in rows of the given left edges, 160 x 40 every 82 px.
GraphScene sceneOf(const std::vector<std::vector<double>>& rows) {
    GraphScene scene;
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (const double x : rows[row])
            scene.nodes.emplace_back(x, static_cast<double>(row) * 82, 160, 40);
    for (const QRectF& r : scene.nodes)
        scene.bounds |= r;
    return scene;
}

int cutBy(const GraphScene& scene, const OpeningPlace& place, QSizeF view) {
    const QRectF shown(place.origin, view / place.scale);
    return static_cast<int>(std::count_if(scene.nodes.begin(), scene.nodes.end(), [&](const QRectF& r) {
        return r.intersects(shown) && (r.left() < shown.left() || r.right() > shown.right());
    }));
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
    void oneLine_staysReadable_data();
    void oneLine_staysReadable();
    void opening_fits_showsTheRow();
    void opening_wideRow_cutsNoBox();
    void opening_isAtTheFirstBox();
    void opening_narrow_goesSmallerThanUsual();
    void opening_noWay_cutsTheFewest();
    void opening_fewBoxes_givesWayToTheWhole();
    void opening_sideways_looksAtTopAndBottom();
    void opening_window_data();
    void opening_window();
    void opening_resize_opensAgainUntilMoved();
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
    GraphWindow w(fixture::layeredPlan(64), {900, 700});
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
    GraphWindow w(fixture::layeredPlan(64), {900, 700});
    QVERIFY(w.isReady);
    const GraphScene& s = w.scene();
    const LabelObstacles wall{{s.bounds.adjusted(-500, -500, 500, 500)}, {}};
    QVERIFY(placeLabels(s, labelsOf(s, {90, 15}, false), s.bounds.adjusted(-500, -500, 500, 500), wall).empty());
}

void TestGraphPlace::labels_stayInTheView() {
    GraphWindow w(fixture::layeredPlan(64), {900, 700});
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
    GraphWindow w(fixture::layeredPlan(64), {900, 700});
    QVERIFY(w.isReady);
    const GraphScene& s = w.scene();
    const std::vector<EdgeLabel> labels = labelsOf(s, {90, 15}, true);
    const LabelObstacles wall{{s.bounds.adjusted(-500, -500, 500, 500)}, {}};
    QCOMPARE(placeLabels(s, labels, s.bounds.adjusted(-500, -500, 500, 500), wall).size(), labels.size());
}

void TestGraphPlace::labels_onPicture_followTheZoom() {
    GraphWindow w(fixture::encoderWithEdges(), {900, 700});
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

void TestGraphPlace::oneLine_staysReadable_data() {
    QTest::addColumn<double>("scale");
    QTest::newRow("just one line") << 0.54;
    QTest::newRow("hardly one line") << 0.36;
}

/// The words of a box reach over at least 7 pixels of height at each zoom that shows words.
void TestGraphPlace::oneLine_staysReadable() {
    QFETCH(double, scale);
    GraphWindow w(fixture::softmaxStage4(), {900, 700});
    QVERIFY(w.isReady);
    GraphViewState state;
    state.plan = w.scene().model->plan;
    state.scene = w.view.scene();
    state.showMap = false;
    state.viewport = w.view.viewport();
    state.viewport.x.scale = state.viewport.y.scale = scale;
    state.viewport.x.origin = w.scene().bounds.left();
    state.viewport.y.origin = w.scene().bounds.top();
    QImage image(600, 600, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    TextCache texts;
    QVERIFY(paintGraph(painter, state, image.size(), Theme(ThemeKind::Light), texts).texts > 0);
    painter.end();
    const int box = w.scene().visible.visibleOfNode[static_cast<std::size_t>(w.scene().model->nodeFor(OpId{3}))];
    const QRect r = sceneTransform(state.viewport).toScreen(w.scene().rectOf(box)).toRect().adjusted(6, 2, -2, -2);
    int top = r.bottom(), bottom = r.top();
    for (int y = r.top(); y <= r.bottom(); ++y)
        for (int x = r.left(); x <= r.right(); ++x)
            if (qGray(image.pixel(x, y)) < 150) {
                top = std::min(top, y);
                bottom = std::max(bottom, y);
            }
    QVERIFY2(bottom - top + 1 >= 7, qPrintable(QString::number(bottom - top + 1)));
}

void TestGraphPlace::opening_fits_showsTheRow() {
    const GraphScene s = sceneOf({{0}, {0, 184}, {0, 184}, {0}});
    const OpeningPlace place = openingPlace(s, {430, 300}, 20);
    QCOMPARE(place.cut, 0);
    QCOMPARE(place.scale, 1.0);
    QCOMPARE(place.origin.x(), (344 - 430) / 2.0);
    QCOMPARE(place.origin.y(), -20.0);
}

void TestGraphPlace::opening_wideRow_cutsNoBox() {
    // Three boxes need 528 px, the view has 500 at 80 %.
    const GraphScene s = sceneOf({{184}, {184}, {0, 184, 368}, {0, 368}});
    const OpeningPlace place = openingPlace(s, {400, 600}, 20);
    QCOMPARE(place.cut, 0);
    QVERIFY2(place.scale >= 0.7 && place.scale < 0.8, qPrintable(QString::number(place.scale)));
    QCOMPARE(cutBy(s, place, {400, 600}), 0);
}

void TestGraphPlace::opening_isAtTheFirstBox() {
    GraphScene s = sceneOf({{5000}, {4816, 5000, 5184}, {0, 184, 368, 4816, 5000}});
    const OpeningPlace place = openingPlace(s, {430, 600}, 20);
    const QRectF shown(place.origin, QSizeF(430, 600) / place.scale);
    QVERIFY(shown.contains(QRectF(5000, 0, 160, 40)));
    QCOMPARE(cutBy(s, place, {430, 600}), 0);
}

void TestGraphPlace::opening_narrow_goesSmallerThanUsual() {
    // Two boxes need 344 px, the view has 329 at 70 %.
    const GraphScene s = sceneOf({{0, 184}, {0, 184}, {92}, {92}, {80}});
    const OpeningPlace place = openingPlace(s, {230, 300}, 20);
    QCOMPARE(place.cut, 0);
    QVERIFY2(place.scale >= 0.6 && place.scale < 0.7, qPrintable(QString::number(place.scale)));
    QCOMPARE(cutBy(s, place, {230, 300}), 0);
}

void TestGraphPlace::opening_noWay_cutsTheFewest() {
    // Each row stands a little beside the last: every place cuts something.
    std::vector<std::vector<double>> rows;
    for (int row = 0; row < 8; ++row) {
        rows.emplace_back();
        for (int i = 0; i < 12; ++i)
            rows.back().push_back(i * 184.0 + row * 23);
    }
    const GraphScene s = sceneOf(rows);
    const OpeningPlace place = openingPlace(s, {430, 800}, 20);
    QVERIFY(place.cut > 0);
    QCOMPARE(cutBy(s, place, {430, 800}), place.cut);
    QVERIFY(place.scale >= 0.55 && place.scale <= 1.0);
}

/// Rows so far apart that a place without a cut box shows a single input; two of three fit at once at half size.
void TestGraphPlace::opening_fewBoxes_givesWayToTheWhole() {
    const GraphScene s = sceneOf({{80}, {0, 500}, {100, 440}, {60, 470}, {20, 520}});
    const QSizeF view(400, 300);
    const OpeningPlace place = openingPlace(s, view, 20);
    QVERIFY(place.isWhole);
    QVERIFY2(place.scale >= 0.5 && place.scale < 0.7, qPrintable(QString::number(place.scale)));
    QVERIFY(QRectF(place.origin, view / place.scale).contains(s.bounds));
    // Where the whole would be too small to be read, the first ranks it is.
    QVERIFY(!openingPlace(s, {300, 300}, 20).isWhole);
}

void TestGraphPlace::opening_sideways_looksAtTopAndBottom() {
    GraphScene s;
    s.direction = graphlayout::Direction::LeftToRight;
    for (int rank = 0; rank < 10; ++rank)
        for (int i = 0; i < 9; ++i)
            s.nodes.emplace_back(rank * 202.0, i * 64.0, 160, 40);
    for (const QRectF& r : s.nodes)
        s.bounds |= r;
    const QSizeF view(800, 330);
    const OpeningPlace place = openingPlace(s, view, 20);
    QCOMPARE(place.cut, 0);
    QCOMPARE(place.origin.x(), -20.0);
    const QRectF shown(place.origin, view / place.scale);
    for (const QRectF& r : s.nodes)
        QVERIFY(!r.intersects(shown) || (r.top() >= shown.top() && r.bottom() <= shown.bottom()));
}

void TestGraphPlace::opening_window_data() {
    QTest::addColumn<int>("width");
    for (const int width : {430, 520, 640, 800})
        QTest::addRow("%d", width) << width;
}

void TestGraphPlace::opening_window() {
    QFETCH(int, width);
    const GraphWindow w(fixture::layeredPlan(200), {width, 560});
    QVERIFY(w.isReady);
    QVERIFY(w.view.viewport().x.scale >= 0.55);
    QCOMPARE(cutAtTheSides(w), openingPlace(w.scene(), w.view.size(), 20).cut);
    QVERIFY(cutAtTheSides(w) <= 1);
}

void TestGraphPlace::opening_resize_opensAgainUntilMoved() {
    GraphWindow w(fixture::layeredPlan(200), {430, 560});
    QVERIFY(w.isReady);
    w.pane.resize(610, 560);
    QCOMPARE(cutAtTheSides(w), openingPlace(w.scene(), w.view.size(), 20).cut);
    w.view.panBy({37, 0});
    const double origin = w.view.viewport().x.origin;
    w.pane.resize(530, 560);
    QCOMPARE(w.view.viewport().x.origin, origin);
}

MEMPLAN_WINDOW_TEST(TestGraphPlace)
#include "tst_graph_place.moc"
