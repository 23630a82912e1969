// SPDX-License-Identifier: GPL-3.0-or-later
// Charts (architecture 8.5): what is drawn stands where the figures say, the table has all of them, nothing is drawn
// where there is none; keyboard, spoken text, files.
#include "tests/support/plan_fixture.h"
#include "tests/support/program.h"
#include "tests/widgets/chart_samples.h"
#include "widgets/canvas/chart/chart.h"
#include "widgets/canvas/chart/chart_picture.h"
#include "widgets/canvas/chart/chart_plot.h"
#include "widgets/canvas/chart/chart_table.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/plan/units.h"
#include "widgets/tools/solver/charts/race_chart.h"
#include "widgets/tools/solver/charts/race_model.h"
#include "widgets/tools/solver/charts/search_chart.h"
#include "widgets/tools/sweep/sweep_chart.h"
#include "widgets/views/gantt/metrics_panel.h"

#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QAccessibleInterface>
#include <QApplication>
#include <QColor>
#include <QImage>
#include <QPoint>
#include <QPointF>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSize>
#include <QTableView>
#include <QTest>

#include <algorithm>

using namespace memplan;
using namespace memplan::ui;
using namespace memplan::fixture;

namespace {

/// Pixels of nearly this colour around a place.
int inked(const QImage& image, QPointF at, const QColor& color, int around = 2) {
    int count = 0;
    for (int dx = -around; dx <= around; ++dx)
        for (int dy = -around; dy <= around; ++dy) {
            const QColor c = image.pixelColor(at.toPoint() + QPoint(dx, dy));
            const int away = std::abs(c.red() - color.red()) + std::abs(c.green() - color.green()) +
                             std::abs(c.blue() - color.blue());
            count += away < 200 ? 1 : 0;
        }
    return count;
}

/// Baselines of the texts of a picture at the left edge, from the top.
std::vector<double> baselinesAtLeft(const QString& svg, double most) {
    const QRegularExpression text(QStringLiteral("<text x=\"([\\d.]+)\" y=\"([\\d.]+)\""));
    std::vector<double> found;
    for (auto it = text.globalMatch(svg); it.hasNext();) {
        const auto match = it.next();
        if (match.captured(1).toDouble() < most) found.push_back(match.captured(2).toDouble());
    }
    std::ranges::sort(found);
    return found;
}

}  // namespace

class TestChart : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light))); }

    void ticksOfBytes_areShort();
    void steps_holdTheirValueUntilTheNextOne();
    void bound_isDashedAtItsValue();
    void bars_areAsLongAsTheirFigures();
    void missingFigure_breaksTheLine();
    void noFigures_drawTheSentenceAlone();
    void longLine_isThinned_theTableHasAll();
    void waterfall_partsHangBetweenBeforeAndAfter();
    void sweep_ringsTheOptimumOfTheChosenMetric();
    void sweep_ofManyMetrics_drawsTheFirstAndTheChosen();
    void race_unfinishedSolverHasNoBar();
    void keyboard_walksThePlacesAndChooses();
    void click_choosesTheNearestPlace();
    void table_isShownInPlaceOfTheChart();
    void accessible_saysTheFigures();
    void largerText_makesALargerChart();
    void lowRows_haveNoNamesOverEachOther();
    void largeText_hasItsTitleInWhole();
    void search_withoutOne_saysWhatToSet();
    void files_areTheSameTwiceAndHoldTheTexts_data();
    void files_areTheSameTwiceAndHoldTheTexts();
};

void TestChart::ticksOfBytes_areShort() {
    const auto is = [](double bytes, const char* text) {
        QCOMPARE(byteTick(bytes), QString::fromUtf8(text).replace(u' ', QChar(0x202F)));
    };
    is(0, "0");
    is(512, "512 B");
    is(2048, "2 KiB");
    is(1.5 * 1024 * 1024, "1 536 KiB");
    is(32.0 * 1024 * 1024, "32 MiB");
    is(116431.0 * 1024, "113.7 MiB");  // the end of an axis need not be round
}

void TestChart::steps_holdTheirValueUntilTheNextOne() {
    const ChartData data = searchChart(trace());
    const ChartPlot plot(data, paperTheme(), kChartSize);
    const QImage image = imageOf(data);
    const QColor accent = paperTheme().color(Token::Accent);
    QVERIFY(inked(image, plot.position(60, 1204224), accent) > 0);
    QVERIFY(inked(image, plot.position(300, 1404224), accent) > 0);
    QVERIFY(inked(image, plot.position(1400, 1677056), accent) > 0);
    QCOMPARE(inked(image, plot.position(300, 1204224), accent), 0);
    QVERIFY(data.textAt(200).contains(exactBytes(1404224)));
}

void TestChart::bound_isDashedAtItsValue() {
    ChartData data = searchChart(trace());
    const ChartPlot plot(data, paperTheme(), kChartSize);
    const QImage with = imageOf(data);
    data.bound->value = 1500000;  // the range stays that of the figures
    const double y = ChartPlot(data, paperTheme(), kChartSize).position(0, 1500000).y();
    const QImage moved = imageOf(data);
    int changed = 0;
    for (int x = 0; x < kChartSize.width(); ++x)
        changed += with.pixel(x, qRound(y)) != moved.pixel(x, qRound(y)) ? 1 : 0;
    QVERIFY2(changed > kChartSize.width() / 4 && changed < kChartSize.width(), qPrintable(QString::number(changed)));
}

void TestChart::bars_areAsLongAsTheirFigures() {
    const ChartData data = bars();
    const ChartPlot plot(data, paperTheme(), kChartSize);
    const double zero = plot.position(0, 0).x();
    QVERIFY(std::abs((plot.position(0, 6).x() - zero) - 2 * (plot.position(0, 3).x() - zero)) < 0.5);
    const QColor onChip = paperTheme().residency(Residency::OnChip, Tone::Edge);
    const QImage image = imageOf(data);
    QVERIFY(inked(image, plot.position(0, 4), onChip) > 0);      // where the first part ends
    QCOMPARE(inked(image, plot.position(1, 2), onChip), 0);      // no buffer of that size
    QVERIFY(plot.position(0, 0).y() < plot.position(2, 0).y());  // the first row is on top
    QCOMPARE(data.rowTexts, (QStringList{QStringLiteral("6"), QString(), QStringLiteral("3")}));
}

void TestChart::missingFigure_breaksTheLine() {
    const ChartData data = sweepOfTwo();
    const ChartPlot plot(data, paperTheme(), kChartSize);
    const QImage image = imageOf(data);
    const QColor line = paperTheme().category(0);
    QVERIFY(inked(image, (plot.position(0, 100) + plot.position(1, 25)) / 2, line) > 0);
    QCOMPARE(inked(image, (plot.position(1, 25) + plot.position(3, 50)) / 2, line), 0);
    QVERIFY(data.textAt(2).contains(QStringLiteral("SET-004")));
}

void TestChart::sweep_ofManyMetrics_drawsTheFirstAndTheChosen() {
    std::vector<SweepPicture> metrics;
    for (int i = 0; i < 13; ++i)
        metrics.push_back(metric(QString::number(i), true, {50, 26, 23, 31}));
    const auto namesOf = [&](std::size_t chosen) {
        QStringList names;
        for (const ChartSeries& line : sweepChart(metrics, chosen).series)
            names << line.name + (line.ringed.empty() ? QString() : QStringLiteral("*"));
        return names.join(u' ');
    };
    QCOMPARE(namesOf(11), QStringLiteral("0 1 2 3 4 5 11*"));
    QCOMPARE(namesOf(2), QStringLiteral("0 1 2* 3 4 5"));
    metrics.resize(7);
    QCOMPARE(namesOf(6), QStringLiteral("0 1 2 3 4 5 6*"));
}

void TestChart::noFigures_drawTheSentenceAlone() {
    ChartData data = sweepChart({metric(QStringLiteral("Traffic"), true, {std::nullopt, std::nullopt})}, 0);
    QVERIFY(!data.hasFigures());
    const QImage image = imageOf(data);
    QCOMPARE(image.pixelColor(kChartSize.width() / 2, 4), paperTheme().color(Token::BgCanvas));
    data.empty.clear();
    const QImage blank = imageOf(data);
    QVERIFY(blank != image);
    for (int x = 0; x < kChartSize.width(); x += 7)
        QCOMPARE(blank.pixelColor(x, kChartSize.height() / 2), paperTheme().color(Token::BgCanvas));
}

void TestChart::longLine_isThinned_theTableHasAll() {
    ChartData data;
    ChartSeries line;
    for (int i = 0; i < 7001; ++i)
        line.points.push_back({static_cast<double>(i), static_cast<double>(i), QString::number(i)});
    data.series.push_back(line);
    const std::vector<ChartPoint> drawn = thinned(line.points, kMostLinePoints);
    QCOMPARE(drawn.size(), kMostLinePoints);
    QCOMPARE(drawn.front().x, 0.0);
    QCOMPARE(drawn.back().x, 7000.0);
    ChartTable table;
    table.setData(data);
    QCOMPARE(table.rowCount(), 7001);
    QVERIFY(!imageOf(data).isNull());
}

void TestChart::waterfall_partsHangBetweenBeforeAndAfter() {
    ChartData data;
    data.form = ChartData::Form::Bars;
    data.labels = {QStringLiteral("before"), QStringLiteral("part")};
    data.series = {
        {.points = {{1, 600, {}}}, .isHidden = true},
        {.name = QStringLiteral("Bytes"), .points = {{0, 1000, QStringLiteral("1000")}}},
        {.name = QStringLiteral("Saved"), .ink = {.token = Token::Good}, .points = {{1, 400, QStringLiteral("400")}}}};
    const ChartPlot plot(data, paperTheme(), kChartSize);
    const QImage image = imageOf(data);
    const QColor good = paperTheme().color(Token::Good);
    QVERIFY(inked(image, plot.position(1, 800), good) > 20);
    QCOMPARE(inked(image, plot.position(1, 300), good), 0);
    ChartTable table;
    table.setData(data);
    QCOMPARE(table.columnCount(), 3);  // what only carries is no figure
}

void TestChart::sweep_ringsTheOptimumOfTheChosenMetric() {
    const ChartData data = sweepOfTwo();
    QCOMPARE(data.series[0].ringed, std::vector<int>{1});
    QVERIFY(data.series[1].ringed.empty());
    QCOMPARE(data.series[0].points[0].y, 100.0);
    QCOMPARE(data.series[1].points[0].y, 20.0);
    QVERIFY(data.textAt(1).contains(QStringLiteral("Traffic: 100 B")));
}

void TestChart::race_unfinishedSolverHasNoBar() {
    const ChartData data = race();
    QCOMPARE(data.labels.size(), 3);
    QCOMPARE(data.series[0].points[2].y, 0.0);
    QCOMPARE(data.rowTexts[2], QStringLiteral("waiting"));
    QVERIFY(data.bound.has_value());
    QCOMPARE(data.bound->value, 1677721.0);
    QCOMPARE(data.selected, 1);
}

void TestChart::keyboard_walksThePlacesAndChooses() {
    Chart chart;
    chart.resize(kChartSize);
    chart.setData(searchChart(trace()));
    chart.show();
    QSignalSpy chosen(&chart, &Chart::activated);
    QTest::keyClick(&chart, Qt::Key_Return);
    QCOMPARE(chosen.count(), 0);
    QTest::keyClick(&chart, Qt::Key_Right);
    QCOMPARE(chart.current(), 0);
    QTest::keyClick(&chart, Qt::Key_End);
    QCOMPARE(chart.current(), 2);
    QTest::keyClick(&chart, Qt::Key_Left);
    QTest::keyClick(&chart, Qt::Key_Return);
    QCOMPARE(chosen.value(0).value(0).toInt(), 1);
    QTest::keyClick(&chart, Qt::Key_Escape);
    QCOMPARE(chart.current(), -1);
}

void TestChart::click_choosesTheNearestPlace() {
    Chart chart;
    chart.resize(kChartSize);
    chart.setData(bars());
    chart.show();
    QSignalSpy chosen(&chart, &Chart::activated);
    QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.placeRect(2).center().toPoint());
    QCOMPARE(chosen.value(0).value(0).toInt(), 2);
}

void TestChart::table_isShownInPlaceOfTheChart() {
    Chart chart;
    chart.resize(kChartSize);
    chart.setData(bars());
    chart.show();
    const QAbstractItemModelTester tester(chart.table(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    QTest::keyClick(&chart, Qt::Key_T, Qt::ControlModifier);
    QVERIFY(chart.isTableShown());
    auto* view = chart.findChild<QTableView*>();
    QCOMPARE(view->model()->rowCount(), 3);
    QCOMPARE(view->model()->index(0, 1).data().toString(), QStringLiteral("4"));
    chart.setTableShown(false);
    QVERIFY(!chart.isTableShown());
}

void TestChart::accessible_saysTheFigures() {
    Chart chart;
    chart.resize(kChartSize);
    chart.setData(searchChart(trace()));
    chart.show();
    const QAccessibleInterface* a = QAccessible::queryAccessibleInterface(&chart);
    QVERIFY(a != nullptr);
    QCOMPARE(a->role(), QAccessible::Graphic);
    QCOMPARE(a->text(QAccessible::Name), QStringLiteral("Best value over the search"));
    QVERIFY(a->text(QAccessible::Description).contains(searchSentence(trace())));
    QTest::keyClick(&chart, Qt::Key_End);
    QVERIFY(a->text(QAccessible::Description).contains(exactBytes(1677056)));
}

void TestChart::largerText_makesALargerChart() {
    auto* style = qobject_cast<StudioStyle*>(QApplication::style());
    Chart chart;
    chart.setData(bars());
    const QSize before = chart.sizeHint();
    style->setTheme(Theme(ThemeKind::Light, 2));
    QCOMPARE(chart.sizeHint().height(), 2 * before.height());
    style->setTheme(Theme(ThemeKind::Light));
}

void TestChart::files_areTheSameTwiceAndHoldTheTexts_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("text");
    QTest::newRow("search") << 0 << QStringLiteral("bound ");
    QTest::newRow("sizes") << 1 << humanBytes(4096);
    QTest::newRow("sweep") << 2 << QStringLiteral("Traffic");
    QTest::newRow("race") << 3 << QStringLiteral("firstfit");
}

void TestChart::files_areTheSameTwiceAndHoldTheTexts() {
    QFETCH(int, which);
    QFETCH(QString, text);
    const std::vector<ChartData> all{searchChart(trace()), bars(), sweepOfTwo(), race()};
    Chart chart;
    chart.resize(kChartSize);
    chart.setData(all[static_cast<std::size_t>(which)]);
    PictureRequest request;
    request.size = kChartSize;
    request.title = true;
    const QByteArray svg = pictureSvg(chart, request);
    QCOMPARE(pictureSvg(chart, request), svg);
    QVERIFY2(QString::fromUtf8(svg).replace(u'\u202f', u' ').contains(text.replace(u'\u202f', u' ')), svg.constData());
    QCOMPARE(picturePng(chart, request), picturePng(chart, request));
    QCOMPARE(picturePdf(chart, request), picturePdf(chart, request));
}

/// Many rows in a low picture with large text: names are smaller, or some are left out.
void TestChart::lowRows_haveNoNamesOverEachOther() {
    std::vector<SizeBucket> buckets(24);
    for (int i = 0; i < 24; ++i) {
        buckets[static_cast<std::size_t>(i)].log2 = 2 + i;
        buckets[static_cast<std::size_t>(i)].counts = {i % 3, 1, 0, 0, 0, 0};
    }
    const ChartPicture picture(sizeChart(buckets, -1));
    const Theme large(ThemeKind::Light, 2.0);
    for (const int height : {700, 420, 240}) {
        PictureRequest request;
        request.size = QSize(700, height);
        request.theme = &large;
        const std::vector<double> names = baselinesAtLeft(QString::fromUtf8(pictureSvg(picture, request)), 90);
        QVERIFY(names.size() >= 8);
        for (std::size_t i = 1; i < names.size(); ++i)
            QVERIFY2(names[i] - names[i - 1] >= 7, qPrintable(QString::number(names[i] - names[i - 1])));
    }
}

/// The title grows with the text and ends with an ellipsis where it has no room.
void TestChart::largeText_hasItsTitleInWhole() {
    const ChartPicture picture(searchChart(trace()));
    const Theme large(ThemeKind::Light, 2.0);
    PictureRequest request;
    request.size = QSize(420, 300);
    request.title = true;
    request.theme = &large;
    QCOMPARE(fullPictureSize(picture, request), QSize(420, 300 + 56));
    const QString svg = QString::fromUtf8(pictureSvg(picture, request));
    QVERIFY2(svg.contains(u'\u2026'), qPrintable(svg.left(2000)));
    request.theme = nullptr;
    request.size = QSize(720, 300);
    QCOMPARE(fullPictureSize(picture, request), QSize(720, 300 + 28));
    QVERIFY(!pictureSvg(picture, request).contains("\u2026"));
}

/// A plan without a search: the chart is not there, and says which setting makes one.
void TestChart::search_withoutOne_saysWhatToSet() {
    Plan plan;
    plan.target = "spyre";
    plan.solver = "greedy";
    const ChartData none = searchChartOf(plan);
    QVERIFY(!none.hasFigures());
    QVERIFY2(none.empty.contains(QStringLiteral("spyre.layout_solver")), qPrintable(none.empty));
    SearchTrace ended = trace();
    ended.steps = 0;
    ended.points.resize(1);
    QVERIFY(!searchChart(ended).hasFigures());
    QVERIFY(!searchChart(ended).empty.isEmpty());
}

MEMPLAN_WINDOW_TEST(TestChart)
#include "tst_chart.moc"
