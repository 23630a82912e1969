// SPDX-License-Identifier: GPL-3.0-or-later
// The residual stream: what the view takes from a plan and where it stands (user-experience 9).
#include "tests/support/program.h"
#include "tests/widgets/compiled_graphs.h"
#include "tests/widgets/residual_plans.h"
#include "widgets/views/residual/data/k_job.h"
#include "widgets/views/residual/geometry/residual_layout.h"
#include "widgets/views/residual/geometry/residual_raster.h"

#include <QImage>
#include <QTest>

using namespace memplan;
using namespace memplan::ui;
using torchwright::NodeId;

namespace {

const PlanPtr& basin() {
    return fixture::basin().plan;
}

ResidualViewState stateOf(const PlanPtr& plan, QSizeF size) {
    ResidualViewState s;
    s.plan = plan;
    s.data = residualDataOf(plan);
    s.plateaus = std::make_shared<const std::vector<ResidualPlateau>>(plateausOf(*s.data));
    s.path = std::make_shared<const std::vector<PathBar>>(pathBars(*s.data));
    s.viewport = wholeViewport(s, size);
    return s;
}

/// Each owner in a colour of its own, numbered from 1; free is 0.
ResidualInk plainInk(const ResidualData& data) {
    ResidualInk ink;
    for (std::size_t i = 0; i < data.holdings().size(); ++i) {
        ink.colours.push_back(qRgb(0, 0, static_cast<int>(i) + 1));
        ink.classes.push_back(data.holdings()[i].annotation);
    }
    ink.classCount = static_cast<int>(data.annotations().size());
    ink.free = qRgb(0, 0, 0);
    ink.mark = qRgb(200, 0, 0);
    ink.line = qRgb(0, 200, 0);
    return ink;
}

}  // namespace

class TestResidual : public QObject {
    Q_OBJECT
private slots:
    void halfRows_areAfterAttentionAndAfterMlp();
    void halfRows_agreeWithTheScheduleOfBasin24();
    void layers_haveWhatTheStripShows();
    void annotations_areOrderedByArea();
    void neighboursAlike_differInTone();
    void lifetime_ofTheInput();
    void path_waitsForItsLayers();
    void pixel_belongsToMostOfItsColumns();
    void raster_ofAWideColumn();
    void raster_marksMixedPixels();
    void layout_fitsEverySize_data();
    void layout_fitsEverySize();
    void hit_findsWhatIsPainted();
    void shares_addUp();
    void plateau_ofBasin24_hasItsFigures();
    void hint_isOfferedWhereAllThreeHold();
    void hint_isNotOfferedWhereOneFails();
    void hint_ofBasin24_makes23Layers();
};

void TestResidual::halfRows_areAfterAttentionAndAfterMlp() {
    const ResidualData data(fixture::twoLayers());
    const auto owner = [&data](int half, int column) {
        const int holding = data.ownerAt(half, column);
        return holding < 0 ? -1 : data.holding(holding).owner.index;
    };
    QCOMPARE(owner(0, 9), 3);
    QVERIFY2(owner(0, 12) == -1, "the MLP has not written it yet");
    QCOMPARE(owner(1, 12), 2);
    QCOMPARE(owner(0, 5), 1);
    QVERIFY2(owner(2, 5) == -1, "cleared by the attention of layer 1");
    QCOMPARE(owner(2, 12), 4);
    QCOMPARE(owner(3, 12), 4);
    QCOMPARE(owner(3, 14), -1);
    QCOMPARE(owner(4, 0), -1);
    QCOMPARE(data.layerOf(0), 0);
    QCOMPARE(data.layerOf(2), 0);
    QCOMPARE(data.layerOf(3), 1);
}

/// Every half row is disjoint, and the one after the MLP has as many columns as the schedule says.
void TestResidual::halfRows_agreeWithTheScheduleOfBasin24() {
    const ResidualData data(basin());
    QCOMPARE(data.layers(), 28);
    for (int half = 0; half < 2 * data.layers(); ++half) {
        int sum = 0, end = 0;
        for (const ResidualRun& run : data.runs(half)) {
            QVERIFY(run.first >= end);
            end = run.end;
            sum += run.end - run.first;
        }
        if (half % 2 == 1) QCOMPARE(sum, data.layer(half / 2).after);
        QVERIFY(sum <= 768);
    }
    QCOMPARE(data.layer(21).after, 768);
}

void TestResidual::layers_haveWhatTheStripShows() {
    const ResidualData data(fixture::twoLayers());
    QCOMPARE(data.headsPerLayer(), 4);
    QCOMPARE(data.slotsPerLayer(), 8);
    const ResidualLayer& first = data.layer(0);
    QCOMPARE(first.heads, 3);
    QCOMPARE(first.cancelHeads, 2);
    QCOMPARE(first.cancelled, 6);
    QCOMPARE(first.slotsUsed, 6);
    QCOMPARE(first.ops, 3);
    QCOMPARE(first.refused, 1);
    QCOMPARE(bindingWord(first.binding), QStringLiteral("heads"));
    QVERIFY(data.layer(1).isForced);
    QCOMPARE(data.layer(1).firstOp, 3);
    const ResidualData real(basin());
    QCOMPARE(bindingWord(real.layer(3).binding), QStringLiteral("columns"));
    QCOMPARE(bindingWord(real.layer(5).binding), QStringLiteral("slots"));
    QCOMPARE(real.layer(10).heads, 29);
    QCOMPARE(real.headsPerLayer(), 48);
}

void TestResidual::annotations_areOrderedByArea() {
    const ResidualData data(fixture::twoLayers());
    QCOMPARE(data.annotations().size(), std::size_t{3});
    QVERIFY(data.annotations()[0].isNone);
    QCOMPARE(data.annotations()[0].area, std::int64_t{12});
    QCOMPARE(data.annotations()[0].columns, (std::vector<int>{8, 4}));
    QVERIFY2(data.annotations()[1].name == u"a" && data.annotations()[2].name == u"a/b", "ties by name");
    QCOMPARE(data.annotations()[1].area, std::int64_t{6});
}

void TestResidual::neighboursAlike_differInTone() {
    const ResidualData data(fixture::twoLayers());
    QVERIFY(!data.holding(0).isPale);
    QVERIFY2(data.holding(1).isPale, "both have no annotation, and their columns touch");
    QVERIFY(!data.holding(3).isPale);
}

void TestResidual::lifetime_ofTheInput() {
    const ResidualData data(fixture::twoLayers());
    const ResidualLife input = lifeOf(data, NodeId{1});
    QCOMPARE(input.birth, -1);
    QCOMPARE(input.lastRead, 0);
    QCOMPARE(input.lastHeld, 0);
    QCOMPARE(input.columnLayers, std::int64_t{4});
    QCOMPARE(input.readers.size(), std::size_t{2});
    const ResidualLife three = lifeOf(data, NodeId{3});
    QCOMPARE(three.columnLayers, std::int64_t{6});
    QCOMPARE(three.readers.front().held, 1);
    QVERIFY(lifeOf(data, NodeId{4}).isOutput);
    const std::vector<ResidualOwner> owners = ownersAfter(data, 0);
    QCOMPARE(owners.size(), std::size_t{4});
    QCOMPARE(data.holding(owners[0].holding).owner, NodeId{0});
    QCOMPARE(data.holding(owners[2].holding).owner, NodeId{2});
}

void TestResidual::path_waitsForItsLayers() {
    const ResidualData data(fixture::twoLayers());
    const std::vector<PathBar> bars = pathBars(data);
    QCOMPARE(bars.size(), std::size_t{3});
    QCOMPARE(bars[0].layer, -1);
    QCOMPARE(bars[1].layer, 0);
    QCOMPARE(bars[1].next, 1);
    QCOMPARE(bars[2].next, 2);
    const ResidualData real(basin());
    QCOMPARE(pathBars(real).size(), std::size_t{18});
    QVERIFY2(pathBars(real)[8].latest - pathBars(real)[8].earliest > 10, "the 24 rows wait for each other");
}

void TestResidual::pixel_belongsToMostOfItsColumns() {
    const ResidualData data(fixture::twoLayers());
    const ResidualInk ink = plainInk(data);
    const auto at = [&](int first, int end) { return ownerOf(data.runs(1), first, end, ink); };
    QCOMPARE(at(0, 4), (PixelOwner{0, false}));
    QCOMPARE(at(0, 8), (PixelOwner{0, false}));  // one annotation, and the first of two owners that are as wide
    QCOMPARE(at(8, 14), (PixelOwner{3, true}));  // three columns each: "a" stands before "a/b"
    QCOMPARE(at(8, 13), (PixelOwner{2, true}));
    QCOMPARE(at(13, 16), (PixelOwner{-1, true}));
    QCOMPARE(at(14, 16), (PixelOwner{-1, false}));
    QCOMPARE(at(13, 15), (PixelOwner{3, true}));  // a free column is the last class
}

/// Four pixels a column, eight a half row: the last row of a layer is the line between layers.
void TestResidual::raster_ofAWideColumn() {
    const ResidualData data(fixture::twoLayers());
    const RasterQuestion question{{0, 4, 0, 16, 64, 64}, {0, 16, 0, 2, 32, 64}, QSize(64, 32), 1};
    const QImage image = residualRaster(data, question, plainInk(data));
    QCOMPARE(image.size(), QSize(64, 32));
    QCOMPARE(image.pixel(0, 0), qRgb(0, 0, 1));
    QCOMPARE(image.pixel(4 * 4, 0), qRgb(0, 0, 2));
    QCOMPARE(image.pixel(4 * 4 - 1, 0), qRgb(0, 0, 1));
    QCOMPARE(image.pixel(4 * 11, 7), qRgb(0, 0, 0));
    QCOMPARE(image.pixel(4 * 11, 8), qRgb(0, 0, 4));
    QCOMPARE(image.pixel(4 * 13 + 3, 8), qRgb(0, 0, 4));
    QCOMPARE(image.pixel(4 * 14, 8), qRgb(0, 0, 0));
    QCOMPARE(image.pixel(4, 15), qRgb(0, 200, 0));
    QCOMPARE(image.pixel(4 * 11, 16), qRgb(0, 0, 5));
}

/// Two columns a pixel: 10 and 11 have different owners, which the last row of pixels of the half row says.
void TestResidual::raster_marksMixedPixels() {
    const ResidualData data(fixture::twoLayers());
    const RasterQuestion question{{0, 0.5, 0, 16, 8, 64}, {0, 20, 0, 2, 40, 64}, QSize(8, 40), 1};
    const QImage image = residualRaster(data, question, plainInk(data));
    QCOMPARE(image.pixel(0, 10), qRgb(0, 0, 1));
    QCOMPARE(image.pixel(5, 10), qRgb(0, 0, 4));
    QCOMPARE(image.pixel(5, 9), qRgb(200, 0, 0));  // half row 0: node 3 beside a free column
    QCOMPARE(image.pixel(4, 9), qRgb(0, 0, 3));
    QCOMPARE(image.pixel(7, 10), qRgb(0, 0, 0));
}

void TestResidual::layout_fitsEverySize_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(200, 140), QSize(420, 300), QSize(700, 500), QSize(1055, 700), QSize(1900, 1000)})
        QTest::addRow("%d x %d", size.width(), size.height()) << size;
}

void TestResidual::layout_fitsEverySize() {
    QFETCH(const QSize, size);
    ResidualViewState s = stateOf(basin(), size);
    for (const bool showsPath : {false, true}) {
        s.showsPath = showsPath;
        const ResidualLayout l = residualLayout(s, size);
        const QRectF all(QPointF(), size);
        QVERIFY(all.contains(l.map));
        QVERIFY(l.strip.isEmpty() || all.contains(l.strip));
        QVERIFY(l.strip.isEmpty() || l.strip.left() > l.map.right());
        QVERIFY(l.stack.top() > l.map.bottom());
        QVERIFY(!l.map.intersects(l.stack) && !l.stack.intersects(l.path));
        QVERIFY(l.stack.left() == l.map.left() && l.stack.right() == l.map.right());
        for (const StripColumn& part : l.parts)
            QVERIFY(part.left + part.width <= l.strip.width() + 0.5);
    }
    const ResidualLayout wide = residualLayout(stateOf(basin(), {1055, 700}), {1055, 700});
    QCOMPARE(wide.parts.size(), std::size_t{6});
}

void TestResidual::hit_findsWhatIsPainted() {
    const QSizeF size(1000, 640);
    const ResidualViewState s = stateOf(fixture::twoLayers(), size);
    const ResidualLayout l = residualLayout(s, size);
    const ResidualHit node = residualHit(s, l, {l.xOf(12.5), l.yOf(0.75)});
    QCOMPARE(static_cast<int>(node.part), static_cast<int>(ResidualHit::Part::Map));
    QCOMPARE(s.data->holding(node.holding).owner, NodeId{2});
    QVERIFY(node.isAfterMlp);
    QCOMPARE(residualHit(s, l, {l.xOf(12.5), l.yOf(0.25)}).holding, -1);
    QCOMPARE(residualHit(s, l, {l.strip.center().x(), l.yOf(1.5)}).layer, 1);
    QCOMPARE(residualHit(s, l, {l.acrossOf(1.5), l.stack.center().y()}).layer, 1);
    const QRectF three = l.boundsOf(s.data->holding(2), s.data->columnsOf(2));
    QCOMPARE(three.height(), 2 * l.y.scale);
    QCOMPARE(three.left(), l.xOf(8));
}

void TestResidual::shares_addUp() {
    const ResidualData data(fixture::twoLayers());
    const std::vector<ShareRow> all = shareRows(data, 0, 2, 13);
    QCOMPARE(all.size(), std::size_t{3});
    QCOMPARE(all[0].columns, 6.0);
    QCOMPARE(all[0].share, 0.5);
    const std::vector<ShareRow> two = shareRows(data, 0, 2, 2);
    QCOMPARE(two.size(), std::size_t{2});
    QCOMPARE(two[1].others, 2);
    QCOMPARE(two[1].columns, 6.0);
    const std::vector<ShareRow> one = shareRows(data, 0, 2, 1);
    QCOMPARE(one.size(), std::size_t{1});
    QVERIFY2(one[0].annotation == all[0].annotation && one[0].others == 0, "the largest, not \"other\" for all");
    QCOMPARE(shareRows(data, 1, 2, 13)[0].columns, 4.0);
}

/// torchwright.md 14 and the design's picture h.
void TestResidual::plateau_ofBasin24_hasItsFigures() {
    const ResidualData data(basin());
    const std::vector<ResidualPlateau> list = plateausOf(data);
    QCOMPARE(list.size(), std::size_t{1});
    QCOMPARE(list[0].first, 3);
    QCOMPARE(list[0].last, 24);
    QCOMPARE(list[0].dominating, QStringLiteral("render/render/tex_row"));
    QCOMPARE(QString::number(list[0].share, 'f', 4), QStringLiteral("0.9689"));
    QCOMPARE(QString::number(list[0].opsInside, 'f', 3), QStringLiteral("3.409"));
    QCOMPARE(list[0].opsOutside, 8.5);
    const std::vector<ShareRow> shares = shareRows(data, 3, 25, 13);
    QCOMPARE(QString::number(shares[0].columns, 'f', 1), QStringLiteral("736.3"));
    QCOMPARE(QString::number(shares[1].columns, 'f', 1), QStringLiteral("23.6"));
}

void TestResidual::hint_isOfferedWhereAllThreeHold() {
    const ResidualData data(basin());
    const ResidualPlateau plateau = plateausOf(data).front();
    QVERIFY(plateau.isOffered());
    QCOMPARE(plateau.conditions->chains, 24);
    QCOMPARE(plateau.conditions->peakWidth, 64);
    for (const ConditionLine& line : conditionLines(plateau, data.d()))
        QVERIFY2(line.holds, qPrintable(line.text));
    const ScopeWords before = scopeWords(data, plateau, nullptr);
    QVERIFY(before.isOffered);
    QCOMPARE(before.k, 3);
    QVERIFY(before.text.contains(QStringLiteral("start value, not tried")));
    const torchwright::KSearch search = searchK(data, plateau.cluster);
    const ScopeWords after = scopeWords(data, plateau, &search);
    QCOMPARE(after.k, 8);
    QVERIFY(after.text.contains(QStringLiteral("K = 8 takes 23 instead of 28 layers")));
    QCOMPARE(scopeJson(data, plateau.cluster, 8), QStringLiteral("{\"k\":8}"));
}

void TestResidual::hint_isNotOfferedWhereOneFails() {
    const ResidualData data(basin());
    const ResidualPlateau whole = plateausOf(data).front();
    const auto offered = [&data](ResidualPlateau p) { return scopeWords(data, p, nullptr).isOffered || p.isOffered(); };
    ResidualPlateau few = whole, fits = whole, small = whole, none = whole;
    few.conditions->chains = 3;
    fits.conditions->freeColumns = 1537;  // 24 x 64 = 1536
    small.conditions->plateauShare = 0.49;
    none.conditions.reset();
    for (const ResidualPlateau& p : {few, fits, small, none})
        QVERIFY(!offered(p));
    QVERIFY(!conditionLines(few, 768)[0].holds);
    QVERIFY(!conditionLines(fits, 768)[1].holds);
    QVERIFY(!conditionLines(small, 768)[2].holds);
    QCOMPARE(scopeWords(data, fits, nullptr).title, QStringLiteral("Sweep K first"));
    torchwright::KSearch vain;
    vain.tried = {{3, torchwright::ScheduleResult::Ok, 30, 0, 0, 0}};
    QVERIFY2(!scopeWords(data, whole, &vain).isOffered, "nothing that was compiled is better");
}

void TestResidual::hint_ofBasin24_makes23Layers() {
    Hint hint;
    hint.target = "torchwright";
    hint.scopes = {"graph"};
    hint.key = "concurrency";
    hint.value = *HintValue::parse("{\"k\":8}");
    const PlanPtr plan = fixture::compiledBasin({hint}).plan;
    QVERIFY(plan);
    const ResidualData data(plan);
    QCOMPARE(data.layers(), 23);
    QCOMPARE(scopeInForce(*plan), std::optional<int>(8));
    const ResidualPlateau before = plateausOf(ResidualData(basin())).front();
    const ScopeWords words = scopeWords(data, before, nullptr);
    QVERIFY2(!words.isOffered, "beside a plateau that would be offered a hint");
    QVERIFY(words.text.contains(QStringLiteral("K = 8")));
}

MEMPLAN_WINDOW_TEST(TestResidual)
#include "tst_residual.moc"
