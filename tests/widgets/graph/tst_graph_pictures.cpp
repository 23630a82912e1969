// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the graph view and the core grid. With MEMPLAN_PICTURES set to a folder they are kept
// there for a look beside the design.
#include "tests/support/layout_wait.h"
#include "tests/support/plan_fixture.h"
#include "tests/support/program.h"
#include "tests/support/waiting.h"
#include "tests/widgets/graph/core_window.h"
#include "tests/widgets/graph/graph_plans.h"
#include "tests/widgets/graph/graph_window.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/plan/selection_hub.h"

#include <QApplication>
#include <QColor>
#include <QImage>
#include <QLatin1Char>
#include <QPointF>
#include <QRectF>
#include <QSize>
#include <QTest>

#include <algorithm>

using namespace memplan;
using namespace memplan::ui;

using fixture::CoreWindow;
using fixture::GraphWindow;

namespace {

void keep(const QImage& image, const QString& name) {
    const QString folder = qEnvironmentVariable("MEMPLAN_PICTURES");
    if (!folder.isEmpty()) QVERIFY(image.save(folder + QLatin1Char('/') + name + QStringLiteral(".png")));
}

void setTheme(ThemeKind kind) {
    auto* style = new StudioStyle(Theme(kind));
    QApplication::setStyle(style);
    style->setTheme(Theme(kind));
}

int pixelsOf(const QImage& image, const QColor& color) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            count += image.pixelColor(x, y) == color ? 1 : 0;
    return count;
}

}  // namespace

Q_DECLARE_METATYPE(memplan::ui::ThemeKind)

class TestGraphPictures : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { qputenv("MEMPLAN_REDUCED_MOTION", "1"); }  // no way to a place is pictured
    void softmax_light_looksLikeTheDesign();
    void encoder_dark_selectionAndGroups();
    void encoder_closedGroups_andOverlays();
    void encoder_contrast_neighbours();
    void coreGrid_mismatch_data();
    void coreGrid_mismatch();
    void coreGrid_pages();
    void coreGrid_idleCores_keepTheirNumbers();
    void coreGrid_split_keepsTheLegendTrue();
    void coreGrid_span_isMarkedAboveItsLimit();
};

void TestGraphPictures::softmax_light_looksLikeTheDesign() {
    setTheme(ThemeKind::Light);
    GraphWindow w(fixture::softmaxStage4(), {404, 610});
    w.hub.select(ItemId::of(OpId{3}));
    test::finishLayouts();
    const QImage image = w.pane.grab().toImage();
    keep(image, QStringLiteral("graph-softmax-light"));
    const Theme theme(ThemeKind::Light);
    QVERIFY(pixelsOf(image, theme.color(Token::SelectOutline)) > 200);
    QVERIFY(pixelsOf(image, theme.residency(Residency::InPlace, Tone::Edge)) > 150);
    QVERIFY(pixelsOf(image, theme.residency(Residency::OffChip, Tone::Edge)) > 150);
}

void TestGraphPictures::encoder_dark_selectionAndGroups() {
    setTheme(ThemeKind::Dark);
    GraphWindow w(fixture::encoderWithEdges(), {560, 760});
    w.hub.select(ItemId::of(BufferId{5}));
    test::finishLayouts();
    keep(w.pane.grab().toImage(), QStringLiteral("graph-encoder-dark"));
    QVERIFY(w.view.scene()->frames.size() >= 7);
}

void TestGraphPictures::encoder_closedGroups_andOverlays() {
    setTheme(ThemeKind::Light);
    GraphWindow w(fixture::encoderWithEdges(), {900, 700});
    w.view.arranger().openToDepth(1);
    QVERIFY(fixture::waitForLayout(w.view, 5000));
    w.view.setOverlay(Overlay::Bytes);
    test::finishLayouts();
    w.view.fitAll();
    keep(w.pane.grab().toImage(), QStringLiteral("graph-encoder-groups"));
    QVERIFY(w.view.scene()->groupCount() >= 4);
    w.view.arranger().setDirection(graphlayout::Direction::LeftToRight);
    QVERIFY(fixture::waitForLayout(w.view, 5000));
    QVERIFY(w.scene().direction == graphlayout::Direction::LeftToRight);
    test::finishLayouts();
    w.view.traceFrom(ItemId::of(OpId{16}));
    QVERIFY(!w.view.trace().isEmpty());
    w.view.fitAll();
    test::finishLayouts();
    keep(w.pane.grab().toImage(), QStringLiteral("graph-encoder-lr"));
}

void TestGraphPictures::encoder_contrast_neighbours() {
    setTheme(ThemeKind::HighContrast);
    GraphWindow w(fixture::encoderWithEdges(), {700, 600});
    w.hub.select(ItemId::of(OpId{5}));
    w.view.toggleNeighbours();
    QVERIFY(fixture::waitForLayout(w.view, 5000));
    w.view.fitAll();
    test::finishLayouts();
    keep(w.pane.grab().toImage(), QStringLiteral("graph-neighbours-contrast"));
    QCOMPARE(w.view.scene()->stubs.size(), std::size_t{4});
}

void TestGraphPictures::coreGrid_mismatch_data() {
    QTest::addColumn<ThemeKind>("kind");
    QTest::addColumn<QSize>("size");
    QTest::newRow("light") << ThemeKind::Light << QSize(1404, 640);
    QTest::newRow("dark") << ThemeKind::Dark << QSize(1404, 640);
    QTest::newRow("contrast") << ThemeKind::HighContrast << QSize(1000, 560);
    QTest::newRow("narrow") << ThemeKind::Light << QSize(404, 640);
}

void TestGraphPictures::coreGrid_mismatch() {
    QFETCH(ThemeKind, kind);
    QFETCH(QSize, size);
    setTheme(kind);
    CoreWindow w(fixture::splitMismatch(), size);
    w.select("exp");
    w.hub.setHover(ItemId{ItemKind::Core, 2});
    test::finishLayouts();
    const QImage image = w.pane.grab().toImage();
    keep(image, QStringLiteral("cores-mismatch-") + QString::fromLatin1(QTest::currentDataTag()));
    const Theme theme(kind);
    for (int core = 0; core < 8; ++core)
        QVERIFY(pixelsOf(image, theme.category(core)) > 100);
}

void TestGraphPictures::coreGrid_pages() {
    setTheme(ThemeKind::Light);
    CoreWindow w(fixture::splitMismatch(), {1200, 560});
    w.hub.select(ItemId{ItemKind::Op, 2});
    test::finishLayouts();
    keep(w.pane.grab().toImage(), QStringLiteral("cores-split"));
    w.pane.view()->setPage(CorePage::AllOps);
    test::finishLayouts();
    keep(w.pane.grab().toImage(), QStringLiteral("cores-allops"));
    w.pane.view()->setPage(CorePage::Edges);
    test::finishLayouts();
    keep(w.pane.grab().toImage(), QStringLiteral("cores-edges"));
    w.hub.setPlan(fixture::softmaxStage4());
    w.hub.setTimeCursor(3);
    w.pane.view()->setPage(CorePage::Detail);
    test::finishLayouts();
    keep(w.pane.grab().toImage(), QStringLiteral("cores-detail"));
    QVERIFY(pixelsOf(w.pane.grab().toImage(), Theme(ThemeKind::Light).color(Token::Error)) > 50);
}

void TestGraphPictures::coreGrid_idleCores_keepTheirNumbers() {
    setTheme(ThemeKind::Light);
    // 512 rows and 16 sticks go to 16 cores; 16 to 19 stay idle, 20 to 31 must not be used.
    const PlanPtr twenty = fixture::splitMismatch(20);
    QVERIFY(std::ranges::all_of(twenty->ops, [](const PlanOp& op) { return op.cores <= 16; }));
    Plan sixteen = *twenty;
    QVERIFY(sixteen.settings.set("spyre.cores", "16").ok());
    const auto pictureOf = [](const PlanPtr& plan) {
        CoreWindow w(plan, {1200, 560});
        w.hub.select(ItemId{ItemKind::Op, 2});
        test::finishLayouts();
        return w.pane.grab().toImage();
    };
    const QImage a = pictureOf(twenty), b = pictureOf(std::make_shared<const Plan>(sixteen));
    keep(a, QStringLiteral("cores-idle"));
    const QColor words = Theme(ThemeKind::Light).color(Token::Text3);
    QVERIFY(pixelsOf(a, words) > pixelsOf(b, words));
}

/// Cells in the colours of their cores carry the metric's colour at their foot, as the legend's ramp says.
void TestGraphPictures::coreGrid_split_keepsTheLegendTrue() {
    setTheme(ThemeKind::Light);
    SelectionHub hub;
    CoreGridView view(&hub);
    view.resize(1200, 560);
    const PlanPtr plan = fixture::splitMismatch();
    hub.setPlan(plan);
    const auto footOf = [&](int core) {
        view.show();
        const QImage image = view.grab().toImage();
        const QRectF cell = coreGridLayout(view.state(), view.size()).cellRect(core);
        return image.pixelColor(QPointF(cell.center().x(), cell.bottom() - 3).toPoint());
    };
    const Theme theme(ThemeKind::Light);
    hub.select(ItemId{ItemKind::Op, 2});
    view.setMetric(CoreMetric::WorkShare);
    QCOMPARE(footOf(3), theme.heat(0.125));
    view.setAutoRange(true);
    QCOMPARE(footOf(3), theme.heat(1));
    view.setAutoRange(false);
    hub.select(ItemId::of(plan->op(OpId{2}).outputs.front()));
    view.setShowsBufferBytes(true);
    keep(view.grab().toImage(), QStringLiteral("cores-foot"));
    const CoreShare share = shareOf(*plan, *view.state().pair, 3);
    const auto bytes = static_cast<double>(std::max(share.written, share.read));
    QCOMPARE(footOf(3), theme.heat(view.metrics()->limits(CoreMetric::BytesOnChip).share(bytes)));
}

/// A span of more than 256 MiB is outlined whatever the range of the colours is (6.2).
void TestGraphPictures::coreGrid_span_isMarkedAboveItsLimit() {
    setTheme(ThemeKind::Light);
    const auto pictureOf = [](Bytes span, bool isAuto) {
        auto plan = std::make_shared<Plan>(*fixture::splitMismatch());
        plan->ops[2].maxSpan = span;
        CoreWindow w(plan, {1200, 560});
        w.view.setMetric(CoreMetric::Span);
        w.view.setAutoRange(isAuto);
        w.hub.select(ItemId{ItemKind::Op, 2});
        test::finishLayouts();
        return w.view.grab().toImage();
    };
    const QColor error = Theme(ThemeKind::Light).color(Token::Error);
    constexpr Bytes kLimit = 268435456;
    QCOMPARE(pixelsOf(pictureOf(kLimit, false), error), 0);
    for (const bool isAuto : {false, true})
        QVERIFY(pixelsOf(pictureOf(kLimit + 128, isAuto), error) > 8 * 100);
    keep(pictureOf(2 * kLimit, true), QStringLiteral("cores-span"));
    SelectionHub hub;
    CoreGridView view(&hub);
    hub.setPlan(fixture::splitMismatch());
    view.setMetric(CoreMetric::Span);
    QVERIFY(view.legend().front().text.endsWith(QStringLiteral("outlined above 268\u202F435\u202F456\u202FB")));
}

MEMPLAN_WINDOW_TEST(TestGraphPictures)
#include "tst_graph_pictures.moc"
