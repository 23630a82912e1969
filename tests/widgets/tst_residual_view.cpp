// SPDX-License-Identifier: GPL-3.0-or-later
// The residual stream on screen: the real widget, its tables, mouse and keys, pictures (user-experience 9).
#include "tests/support/program.h"
#include "tests/widgets/compiled_graphs.h"
#include "tests/widgets/residual_plans.h"
#include "tests/widgets/shown_pane.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/views/residual/residual_ink.h"
#include "widgets/views/residual/residual_pane.h"
#include "widgets/views/residual/residual_tables.h"
#include "widgets/views/stream/data/concurrency_report.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QDir>
#include <QHeaderView>
#include <QImage>
#include <QPainter>
#include <QPushButton>
#include <QSet>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>

using namespace memplan;
using namespace memplan::ui;
using torchwright::NodeId;

namespace {

const PlanPtr& basin() {
    return fixture::basin().plan;
}

/// Of eight chains at a time: 23 layers.
const PlanPtr& limitedBasin() {
    static const PlanPtr kPlan = [] {
        Hint hint;
        hint.target = "torchwright";
        hint.scopes = {"graph"};
        hint.key = "concurrency";
        hint.value = *HintValue::parse(R"({"k": 8})");
        return fixture::compiledBasin({hint}).plan;
    }();
    return kPlan;
}

/// Two views of one size, as they stand beside each other in a comparison.
struct ComparedBasins {
    SelectionHub hubA, hubB;
    ResidualView a{&hubA}, b{&hubB};

    ComparedBasins() {
        for (ResidualView* view : {&a, &b})
            view->resize(900, 700);
        hubA.setPlan(basin());
        hubB.setPlan(limitedBasin());
        b.setPeer(a.residualData(), ResidualView::Peer::Line);
        a.setPeer(b.residualData(), ResidualView::Peer::Scale);
    }
};

}  // namespace

class TestResidualView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light)));
        qputenv("MEMPLAN_REDUCED_MOTION", "1");
    }
    void planOfAnotherMachine_hasNone();
    void twin_equalsThePicture();
    void tables_followTheirRules();
    void mouse_selectsNodesAndLayers();
    void keys_goThroughLayersAndNodes();
    void toggles_areKept();
    void peers_haveOneScale();
    void lineOfThePeer_isNotHidden();
    void button_proposesTheScope();
    void legend_hasTheColoursOfTheMap();
    void pictures_inAllThemes();
    void svg_hasEveryOwnerAsAShape();
};

void TestResidualView::planOfAnotherMachine_hasNone() {
    const auto plan = std::make_shared<Plan>();
    QVERIFY(residualDataOf(plan) == nullptr);
    SelectionHub hub;
    ResidualPane pane(&hub);
    hub.setPlan(plan);
    QVERIFY(pane.view()->emptyText().has_value());
    QVERIFY(pane.view()->isSettled());
}

/// Each row of the table says where its node is found in the map.
void TestResidualView::twin_equalsThePicture() {
    ShownPane<ResidualPane> shown(basin(), {1500, 800});
    QVERIFY(shown.isExposed);
    ResidualPane& pane = shown.pane;
    ResidualView* view = pane.view();
    const QAbstractItemModel& twin = *view->tableModel();
    const ResidualData& data = *view->residualData();
    QCOMPARE(twin.rowCount(), static_cast<int>(data.holdings().size()));
    const ResidualLayout l = residualLayout(view->state(), view->canvasSize());
    for (int row = 0; row < twin.rowCount(); row += 7) {
        const auto text = [&](int column) { return twin.index(row, column).data().toString(); };
        const auto item = twin.index(row, 0).data(IdRole).value<ItemId>();
        const ResidualHolding& h = data.holding(data.holdingOf(NodeId{item.index}));
        const int last = twin.index(row, OwnerTableModel::Last).data(ui::RawRole).toInt();
        QCOMPARE(text(OwnerTableModel::Width).toInt(), h.width);
        const torchwright::Columns first = data.columnsOf(row).runs().front().first;
        QVERIFY(text(OwnerTableModel::Columns).startsWith(QString::number(first)));
        const ResidualHit hit = residualHit(view->state(), l, {l.xOf(first + 0.5), l.yOf(last + 0.75)});
        QCOMPARE(hit.holding, row);
    }
}

void TestResidualView::tables_followTheirRules() {
    OwnerTableModel owners;
    LayerTableModel layers;
    QAbstractItemModelTester a(&owners), b(&layers);
    owners.setData(residualDataOf(fixture::twoLayers()));
    layers.setData(residualDataOf(fixture::twoLayers()));
    QCOMPARE(owners.rowCount(), 5);
    QCOMPARE(owners.index(2, OwnerTableModel::Columns).data().toString(), QStringLiteral("8 to 10"));
    QCOMPARE(owners.index(1, OwnerTableModel::LastReader).data().toString(), QStringLiteral("2"));
    QCOMPARE(layers.rowCount(), 2);
    QCOMPARE(layers.index(0, LayerTableModel::Cancelled).data().toString(), QStringLiteral("6"));
    QCOMPARE(layers.index(1, LayerTableModel::Bound).data().toString(), QStringLiteral("order, forced"));
}

void TestResidualView::mouse_selectsNodesAndLayers() {
    ShownPane<ResidualPane> shown(fixture::twoLayers(), {1400, 700});
    QVERIFY(shown.isExposed);
    ResidualPane& pane = shown.pane;
    SelectionHub& hub = shown.hub;
    ResidualView* view = pane.view();
    const ResidualLayout l = residualLayout(view->state(), view->canvasSize());
    const auto click = [view](QPointF at) {
        QTest::mouseClick(view, Qt::LeftButton, {}, view->toWidget(at).toPoint());
    };
    click({l.xOf(12.5), l.yOf(0.75)});
    QCOMPARE(hub.primary(), std::optional(ItemId{ItemKind::Buffer, 2}));
    pane.side()->showPage(ResidualSide::Node);
    QCOMPARE(pane.side()->readerRows()->rowCount(), 1);
    click({l.strip.center().x(), l.yOf(1.5)});
    QCOMPARE(view->layer(), 1);
    QCOMPARE(hub.timeCursor(), std::optional<Step>(3));
    QCOMPARE(pane.side()->ownerRows()->rowCount(), 3);
    const QString widest = pane.side()->ownerRows()->item(0, 0)->text();
    pane.side()->showPage(ResidualSide::Layers);
    const QHeaderView* head = pane.side()->findChild<QTableView*>(QStringLiteral("ownerTable"))->horizontalHeader();
    for (int i = 0; i < 2; ++i) {
        QTest::mouseClick(head->viewport(), Qt::LeftButton, {}, {head->sectionViewportPosition(1) + 8, 8});
        QVERIFY2(pane.side()->ownerRows()->item(0, 0)->text() == widest, "a head sorts no texts of figures");
    }
    click({l.acrossOf(0.5), l.stack.bottom() - 3});
    QCOMPARE(view->layer(), 0);
    click({l.shares.left() + 20, l.shares.top() + ResidualLayout::kShareHead + 1.5 * ResidualLayout::kShareRow});
    QCOMPARE(hub.selection().size(), std::size_t{2});  // the two nodes of "a", third by columns after layer 0 or second
    hub.setTimeCursor(4);
    QVERIFY2(view->layer() == 1, "the cursor of the other views chooses the layer");
}

void TestResidualView::keys_goThroughLayersAndNodes() {
    ShownPane<ResidualPane> shown(fixture::twoLayers(), {1400, 700});
    QVERIFY(shown.isExposed);
    ResidualPane& pane = shown.pane;
    SelectionHub& hub = shown.hub;
    ResidualView* view = pane.view();
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Down);
    QCOMPARE(view->layer(), 0);
    QTest::keyClick(view, Qt::Key_Down);
    QTest::keyClick(view, Qt::Key_Down);
    QCOMPARE(view->layer(), 1);
    QVERIFY(view->stateSentence().contains(QStringLiteral("Layer 1: 2 of 4 heads")));
    hub.select({ItemKind::Buffer, 3});
    QTest::keyClick(view, Qt::Key_PageDown);
    QCOMPARE(hub.primary(), std::optional(ItemId{ItemKind::Buffer, 2}));
    QTest::keyClick(view, Qt::Key_PageDown);
    QCOMPARE(hub.primary(), std::optional(ItemId{ItemKind::Buffer, 4}));
    QTest::keyClick(view, Qt::Key_C);
    QCOMPARE(static_cast<int>(view->state().colour), static_cast<int>(ResidualColour::Width));
    QTest::keyClick(view, Qt::Key_K);
    QVERIFY(view->state().showsPath);
    QTest::keyClick(view, Qt::Key_T);
    QVERIFY(!view->state().showsStack);
    QTest::keyClick(view, Qt::Key_Escape);
    QTest::keyClick(view, Qt::Key_Escape);
    QCOMPARE(view->layer(), -1);
}

void TestResidualView::toggles_areKept() {
    SelectionHub hub;
    ResidualView first(&hub), second(&hub);
    hub.setPlan(fixture::twoLayers());
    first.setColour(ResidualColour::Node);
    first.setShown(true, false, true);
    second.restoreState(first.saveState());
    QCOMPARE(second.saveState(), first.saveState());
    second.setShown(false, false, false);
    QVERIFY2(second.state().showsMap, "something is always shown");
}

/// 28 layers beside 23: what is level is the same layer, what is as wide the same number, in map, strip and stack.
void TestResidualView::peers_haveOneScale() {
    ComparedBasins two;
    const QSize size(900, 700);
    const ResidualLayout a = residualLayout(two.a.state(), size), b = residualLayout(two.b.state(), size);
    QCOMPARE(two.b.residualData()->layers(), 23);
    QCOMPARE(two.b.viewport(), two.a.viewport());
    QCOMPARE(two.b.viewport().y.contentEnd, 28.0);
    for (const int layer : {0, 3, 22, 28}) {
        QCOMPARE(b.yOf(layer), a.yOf(layer));
        QCOMPARE(b.acrossOf(layer), a.acrossOf(layer));
    }
    QCOMPARE(b.stackY(768), a.stackY(768));
    const ResidualScale scale = residualScale(two.b.state());
    QCOMPARE(scale.ops, std::max(two.a.residualData()->mostOps(), two.b.residualData()->mostOps()));
    QCOMPARE(scale.ops, residualScale(two.a.state()).ops);
    QCOMPARE(scale.cancelled, residualScale(two.a.state()).cancelled);
    QCOMPARE(shareRange(two.a.state(), a), std::pair(3, 25));
    two.b.selectPlateau(-1);
    QCOMPARE(shareRange(two.b.state(), b), std::pair(3, 23));
    const auto partAt = [&](const ResidualView& view, QPointF at) {
        const ResidualViewState state = view.state();
        return residualHit(state, residualLayout(state, size), at).part;
    };
    const QPointF row(b.map.left() + 5, b.yOf(25.5)), column(b.acrossOf(25.5), b.stack.center().y());
    QCOMPARE(partAt(two.a, row), ResidualHit::Part::Map);
    QCOMPARE(partAt(two.b, row), ResidualHit::Part::None);
    QCOMPARE(partAt(two.a, column), ResidualHit::Part::Stack);
    QCOMPARE(partAt(two.b, column), ResidualHit::Part::None);
}

/// No label lies on it: each layer of A shows its line in the middle.
void TestResidualView::lineOfThePeer_isNotHidden() {
    const ComparedBasins two;
    const QSize size(620, 700);
    const Theme theme(ThemeKind::Light);
    QImage image(size, QImage::Format_RGB32);
    QPainter painter(&image);
    two.b.paintPicture(painter, size, theme);
    painter.end();
    ResidualViewState state = two.b.state();
    state.viewport = wholeViewport(state, size);
    const ResidualLayout l = residualLayout(state, size);
    for (int layer = 0; layer < 28; ++layer) {
        const double y = std::round(l.stackY(two.a.residualData()->layer(layer).after));
        const QPoint at(static_cast<int>(l.acrossOf(layer + 0.5)), static_cast<int>(y));
        QVERIFY2(image.pixelColor(at) == theme.color(Token::Text1) || image.pixelColor(at) == theme.color(Token::Error),
                 qPrintable(QStringLiteral("layer %1").arg(layer)));
    }
}

void TestResidualView::button_proposesTheScope() {
    ShownPane<ResidualPane> shown(basin(), {1500, 800});
    QVERIFY(shown.isExposed);
    ResidualPane& pane = shown.pane;
    SelectionHub& hub = shown.hub;
    pane.view()->settle();
    QVERIFY(pane.view()->isSettled());
    auto* k = pane.side()->findChild<QSpinBox*>(QStringLiteral("concurrencyK"));
    auto* add = pane.side()->findChild<QPushButton*>(QStringLiteral("addConcurrency"));
    QVERIFY(add->isVisible());
    QCOMPARE(k->value(), 8);
    QSignalSpy asked(pane.side(), &ResidualSide::scopeProposed);
    add->click();
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked[0][0].toString(), QStringLiteral("{\"k\":8}"));
    auto* sweep = pane.side()->findChild<QPushButton*>(QStringLiteral("sweepConcurrency"));
    QVERIFY(sweep->isVisible());
    QSignalSpy swept(pane.side(), &ResidualSide::sweepRequested);
    sweep->click();
    QCOMPARE(swept.size(), 1);
    QCOMPARE(swept[0][0].toLongLong(), chainClusters(pane.view()->plan()).front().join);
    hub.setPlan(fixture::twoLayers());
    QVERIFY(!add->isVisible() && !sweep->isVisible());
}

/// Each swatch, as the bar above the view paints it, has a colour that the map has too.
void TestResidualView::legend_hasTheColoursOfTheMap() {
    const auto data = residualDataOf(basin());
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast})
        for (const ResidualColour by : {ResidualColour::Annotation, ResidualColour::Width}) {
            const Theme theme(kind);
            const ResidualInk ink = residualInk(theme, *data, by);
            const std::vector<LegendEntry> legend = residualLegend(*data, by);
            QVERIFY(legend.size() > 1);
            for (const LegendEntry& entry : legend) {
                QImage image(40, 24, QImage::Format_RGB32);
                image.fill(theme.color(Token::BgCanvas));
                QPainter painter(&image);
                drawLegend(painter, {0, 0}, {entry}, theme);
                painter.end();
                QVERIFY2(std::ranges::find(ink.colours, image.pixel(7, 12)) != ink.colours.end(),
                         qPrintable(entry.text));
            }
        }
}

/// Map, strip, stack and path in each theme: nothing but ground would be a picture of nothing.
void TestResidualView::pictures_inAllThemes() {
    const QString folder = qEnvironmentVariable("MEMPLAN_PICTURES");
    const std::vector<std::pair<QString, PlanPtr>> plans{{QStringLiteral("two"), fixture::twoLayers()},
                                                         {QStringLiteral("basin24"), basin()},
                                                         {QStringLiteral("large"), fixture::largeStream(120, 2048)}};
    for (const auto& [name, plan] : plans)
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast}) {
            SelectionHub hub;
            ResidualPane pane(&hub);
            hub.setPlan(plan);
            pane.ensurePolished();
            pane.view()->setShown(true, true, true);
            QCoreApplication::processEvents();
            QImage picture(QSize(1055, 760), QImage::Format_RGB32);
            const Theme theme(kind);
            picture.fill(theme.color(Token::BgCanvas));
            QPainter painter(&picture);
            pane.view()->paintPicture(painter, picture.size(), theme);
            painter.end();
            QSet<QRgb> colours;
            for (int y = 30; y < 750; y += 2)
                for (int x = 45; x < 1000; x += 2)
                    colours.insert(picture.pixel(x, y));
            QVERIFY(colours.size() > 8);
            const QString file = QStringLiteral("residual-%1-%2.png").arg(name).arg(static_cast<int>(kind));
            if (!folder.isEmpty()) picture.save(QDir(folder).filePath(file));
        }
}

void TestResidualView::svg_hasEveryOwnerAsAShape() {
    SelectionHub hub;
    ResidualView view(&hub);
    hub.setPlan(fixture::twoLayers());
    QCoreApplication::processEvents();
    PictureRequest request;
    request.size = QSize(900, 600);
    const QByteArray svg = pictureSvg(view, request);
    QVERIFY2(!svg.contains("<image"), "a small map is shapes");
    QVERIFY(svg.contains("heads of 4"));
    const ResidualInk ink = residualInk(Theme(ThemeKind::Light), *view.residualData(), view.state().colour);
    for (const QRgb colour : ink.colours)
        QVERIFY2(svg.contains(QColor(colour).name().toLatin1()), qPrintable(QColor(colour).name()));
    QCOMPARE(pictureSvg(view, request), svg);
}

MEMPLAN_WINDOW_TEST(TestResidualView)
#include "tst_residual_view.moc"
