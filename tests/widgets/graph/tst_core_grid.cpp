// SPDX-License-Identifier: GPL-3.0-or-later
// The core grid with its bar, edges and matrix (user-experience 6): what it shows for which selection.
#include "tests/support/program.h"
#include "tests/widgets/graph/core_window.h"
#include "tests/widgets/graph/graph_plans.h"
#include "tests/widgets/graph/graph_window.h"
#include "widgets/canvas/pane/view_pane.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/views/coregrid/core_grid_state.h"
#include "widgets/views/coregrid/edge_table.h"
#include "widgets/views/coregrid/ops_matrix.h"
#include "widgets/views/coregrid/share_bars.h"
#include "widgets/views/graph/scene/graph_scene.h"

#include <QApplication>
#include <QColor>
#include <QComboBox>
#include <QImage>
#include <QPointF>
#include <QRegularExpression>
#include <QSize>
#include <QTableView>
#include <QTest>

using namespace memplan;
using namespace memplan::ui;

using fixture::CoreWindow;
using fixture::GraphWindow;
using test::bufferNamed;

class TestCoreGrid : public QObject {
    Q_OBJECT
private slots:
    void readers_canBeChosen();
    void edgeOfTheGraph_choosesItsReader();
    void shareBars_leaveTheirFiguresRoom();
    void graphInput_showsItsReader();
    void picture_hasNoRoomForButtons();
    void lowPicture_showsAllCores();
    void axes_nameTheirDimension();
    void matrix_dimsRowsOutsideTheRange();
    void title_namesTheMetric();
};

/// exp is read by sum, along columns, and by div, along rows: both cuts can be looked at, in the bar and by their rows.
void TestCoreGrid::readers_canBeChosen() {
    CoreWindow w;
    const BufferId exp = bufferNamed(*w.plan, "exp");
    w.hub.select(ItemId::of(exp));
    const std::vector<OpId> readers = readersOf(*w.plan, exp);
    QCOMPARE(readers.size(), std::size_t{2});
    auto* combo = w.pane.findChild<QComboBox*>(QStringLiteral("coreReader"));
    QVERIFY(combo && combo->isVisible());
    QCOMPARE(combo->count(), 2);
    QCOMPARE(combo->itemText(1), QStringLiteral("Reader: div"));
    QCOMPARE(w.view.state().pair->reader, readers[0]);
    combo->setCurrentIndex(1);
    emit combo->activated(1);
    QCOMPARE(w.view.state().pair->reader, readers[1]);
    QVERIFY(w.view.scopeText().contains(QStringLiteral("exp to div")));
    QCOMPARE(combo->currentIndex(), 1);
    // Another buffer in between does not lose the choice; one with a single reader offers none.
    w.select("max");
    QVERIFY(!combo->isVisible());
    w.hub.select(ItemId::of(exp));
    QCOMPARE(w.view.state().pair->reader, readers[1]);
    w.pane.view()->setPage(CorePage::Edges);
    QTableView* table = w.pane.pane()->table();
    int rowsOfExp = 0;
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        const auto text = [&](int column) { return table->model()->index(row, column).data().toString(); };
        if (text(EdgeTableModel::Buffer) != QStringLiteral("exp")) continue;
        ++rowsOfExp;
        table->setCurrentIndex(table->model()->index(row, 0));
        QCOMPARE(w.hub.primary(), std::optional(ItemId::of(exp)));
        QCOMPARE(QString::fromStdString(w.plan->op(w.view.state().pair->reader).name), text(EdgeTableModel::Reader));
    }
    QCOMPARE(rowsOfExp, 2);
}

/// 6.4: the core grid holds the writer against the reader at whose edge was clicked, not against the first one.
void TestCoreGrid::edgeOfTheGraph_choosesItsReader() {
    GraphWindow w(fixture::splitMismatch(), {1200, 900});
    QVERIFY(w.isReady);
    CoreGridView cores(&w.hub);
    cores.resize(900, 600);
    const GraphScene& scene = *w.view.scene();
    int clicked = 0;
    for (std::size_t i = 0; i < scene.edges.size(); ++i) {
        const GraphEdge& edge = scene.model->edges[static_cast<std::size_t>(scene.visible.edges[i].sources.front())];
        const GraphNode& reader = scene.model->nodes[static_cast<std::size_t>(edge.to)];
        if (reader.kind != GraphNodeKind::Op || readersOf(*w.hub.plan(), edge.buffer).size() < 2) continue;
        const QPointF middle = sceneTransform(w.view.viewport()).toScreen(scene.edges[i].path.pointAtPercent(0.5));
        QTest::mouseClick(&w.view, Qt::LeftButton, Qt::NoModifier, middle.toPoint());
        QCOMPARE(w.hub.primary(), std::optional(ItemId::of(edge.buffer)));
        QCOMPARE(cores.shownBuffer(), edge.buffer);
        QCOMPARE(cores.shownReader(), reader.op);
        ++clicked;
    }
    QVERIFY(clicked >= 2);
}

/// Figures stand beside their bars, within the area; the longest bar is shorter for it.
void TestCoreGrid::shareBars_leaveTheirFiguresRoom() {
    for (const double width : {160.0, 230.0, 400.0, 900.0}) {
        for (const Bytes same : {Bytes{0}, Bytes{16384}, Bytes{131072}}) {
            const std::array<ShareFigure, 3> figures{{{131072, 62}, {131072, 62}, {same, 118}}};
            const QRectF area(132, 40, width, 78);
            const auto bars = shareBars(area, 26, figures);
            for (std::size_t i = 0; i < bars.size(); ++i) {
                QVERIFY(bars[i].figure >= bars[i].bar.right() + 6);
                QVERIFY2(bars[i].figure + figures[i].width <= area.right() + 2, qPrintable(QString::number(width)));
                QVERIFY(bars[i].bar.bottom() <= area.bottom());
            }
            QCOMPARE(bars[0].bar.width(), bars[1].bar.width());
            QVERIFY(bars[2].bar.width() <= bars[0].bar.width());
        }
    }
}

/// A picture has no bar whose field would say what the figures in the cores are.
void TestCoreGrid::title_namesTheMetric() {
    CoreWindow w;
    QVERIFY(w.view.scopeText().endsWith(QStringLiteral(" \u2014 share of the work")));
    w.view.setMetric(CoreMetric::PeakBytes);
    QVERIFY(w.view.scopeText().endsWith(QStringLiteral(" \u2014 peak bytes")));
    w.hub.select(ItemId{ItemKind::Op, 2});
    QVERIFY(w.view.scopeText().contains(QString::fromStdString(w.plan->op(OpId{2}).name)));
    QVERIFY(w.view.scopeText().endsWith(QStringLiteral(" \u2014 peak bytes")));
}

/// Nothing writes a graph input: the grid shows how it is read, and says so.
void TestCoreGrid::graphInput_showsItsReader() {
    CoreWindow w;
    const BufferId x = bufferNamed(*w.plan, "x");
    w.hub.select(ItemId::of(x));
    const CoreGridState s = w.view.state();
    const std::vector<OpId> readers = readersOf(*w.plan, x);
    QCOMPARE(s.op, readers.front());
    QCOMPARE(s.input, x);
    QCOMPARE(s.card.title, QStringLiteral("x is a graph input: nothing on chip writes it; read by max in 8 pieces "
                                          "along columns, by sub in 8 pieces along rows."));
    const CoreGridLayout l = coreGridLayout(s, w.view.size());
    QVERIFY(l.card.height() > 20 && l.card.bottom() <= w.view.height() && l.card.top() > l.first.bottom());
    QVERIFY(w.view.stateSentence().contains(QStringLiteral("nothing on chip writes it")));
    w.view.setReader(x, readers.back());
    QCOMPARE(w.view.state().op, readers.back());
    QVERIFY(w.view.scopeText().endsWith(QStringLiteral("buffer x, read by sub")));
}

/// Large text leaves a dock few lines: the cells shrink and the split stands beside them.
void TestCoreGrid::lowPicture_showsAllCores() {
    const CoreGridState state;
    for (const QSizeF size : {QSizeF(670, 100), QSizeF(670, 167), QSizeF(460, 100), QSizeF(1200, 110)}) {
        const CoreGridLayout l = coreGridLayout(state, size);
        QVERIFY(l.cellRect(l.rows * l.columns - 1).bottom() <= size.height());
        QCOMPARE(l.isNarrow, size.width() < 500);
    }
    QVERIFY2(coreGridLayout(state, {670, 600}).isNarrow, "where there is room the split is below");
}

/// The card of a mismatch ends below its words in a picture: the buttons of the window are not there.
void TestCoreGrid::picture_hasNoRoomForButtons() {
    const PlanPtr plan = fixture::splitMismatch();
    const auto pictureOf = [&](bool hasButtons) {
        SelectionHub hub;
        hub.setOffersHints(hasButtons);
        CoreGridView view(&hub);
        view.resize(1200, 700);
        hub.setPlan(plan);
        hub.select(ItemId::of(bufferNamed(*plan, "exp")));
        if (hasButtons && view.state().cardButtonRows == 0) return QImage();
        PictureRequest request;
        request.size = QSize(1200, 700);
        return pictureImage(view, request);
    };
    const QImage plain = pictureOf(false);
    QVERIFY(!plain.isNull());
    QCOMPARE(pictureOf(true), plain);
}

/// "1024 B" would be bytes where a dimension is called B.
void TestCoreGrid::axes_nameTheirDimension() {
    CoreWindow w;
    w.select("exp");
    PictureRequest request;
    request.size = QSize(1200, 700);
    const QString svg = QString::fromUtf8(pictureSvg(w.view, request));
    QVERIFY(svg.contains(QStringLiteral(">rows: ")));
    QVERIFY(svg.contains(QRegularExpression(QStringLiteral(">columns: \\S+ \\(\\d+ sticks\\)<"))));
}

/// All tables speak of the chosen steps; the matrix has them at full strength (7.11).
void TestCoreGrid::matrix_dimsRowsOutsideTheRange() {
    SelectionHub hub;
    OpsMatrix matrix(&hub);
    matrix.resize(800, 300);
    matrix.show();
    hub.setPlan(fixture::splitMismatch());
    const auto cellOf = [&](int row) {
        const QImage image = matrix.viewport()->grab().toImage();
        for (int x = 100; x < image.width(); ++x)
            if (matrix.coreAt(QPointF(x, 50)) == 3)
                return image.pixelColor(x + 8, OpsMatrix::kHead + row * OpsMatrix::kRow + OpsMatrix::kRow / 2);
        return QColor();
    };
    const QColor full = cellOf(1);
    QCOMPARE(cellOf(3), full);
    hub.setRange(StepRange{1, 3});
    QCOMPARE(cellOf(1), full);
    QCOMPARE(cellOf(2), full);
    QVERIFY(cellOf(0) != full && cellOf(3) != full);
    hub.setRange(std::nullopt);
    QCOMPARE(cellOf(3), full);
}

MEMPLAN_WINDOW_TEST(TestCoreGrid)
#include "tst_core_grid.moc"
