// SPDX-License-Identifier: GPL-3.0-or-later
// Which core works on what: worked examples of spyre-layouts-and-work-division 14 and 18, cuts of a
// buffer by writer and reader, metrics and memory of a core.
#include "tests/support/plan_fixture.h"
#include "tests/support/program.h"
#include "tests/widgets/graph/core_window.h"
#include "widgets/canvas/pane/view_pane.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/views/coregrid/core_grid_state.h"
#include "widgets/views/coregrid/data/core_metrics.h"
#include "widgets/views/coregrid/data/split_fix.h"
#include "widgets/views/coregrid/edge_table.h"
#include "widgets/views/coregrid/ops_matrix.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QCoreApplication>
#include <QImage>
#include <QPoint>
#include <QPointF>
#include <QPushButton>
#include <QRectF>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSize>
#include <QTest>

#include <cmath>
#include <set>

using namespace memplan;
using namespace memplan::ui;

using fixture::CoreWindow;
using test::bufferNamed;

namespace {

PlanOp opWith(std::vector<IterationDim> dims, bool kAdjacent = false) {
    PlanOp op;
    op.kAdjacent = kAdjacent;
    op.cores = 1;
    for (const IterationDim& d : dims)
        op.cores *= d.slices;
    op.iterationSpace = std::move(dims);
    return op;
}

IterationDim dim(const char* name, std::int64_t extent, std::int64_t slices, std::int64_t eps = 0) {
    return {name, extent, eps > 0 ? (extent + eps - 1) / eps : extent, eps, false, slices};
}

}  // namespace

class TestCoreMap : public QObject {
    Q_OBJECT
private slots:
    void slices_firstVariesFastest();
    void slices_kAdjacent_corePairsShareM();
    void slices_coverTheSpaceOnce_data();
    void slices_coverTheSpaceOnce();
    void range_pointwise1024_ownsRows();
    void range_sticks_areCutAtTheExtent();
    void plane_takesMostSplit();
    void text_namesUnits();
    void pieces_ofOp_labelEveryCoreOnce();
    void pieces_thirdDimension_isChosenBySlice();
    void mismatch_sentenceAndShares();
    void mismatch_edges_threeOfFive();
    void mismatch_fix_namesThreeOps();
    void samePair_hasNoForeignBytes();
    void metrics_ofMismatch();
    void metrics_memoryOfCore_countsHandOverOnce();
    void edgeModel_isAModel();
    void notes_showTheirFlags();
    void matrix_rowClick_selectsTheOp();
    void matrix_narrow_hasNarrowCells();
    void reservedMemory_isNoWork();
    void view_hoverAndKeys();
    void view_fixButtons_askForSplits();
};

void TestCoreMap::slices_firstVariesFastest() {
    const PlanOp op = opWith({dim("c0", 512, 4), dim("c1", 1024, 2, 64)});  // LWD 14
    QCOMPARE(slicesOfCore(op, 5), std::optional(std::vector<std::int64_t>{1, 1}));
    QCOMPARE(slicesOfCore(op, 3), std::optional(std::vector<std::int64_t>{3, 0}));
    QVERIFY(!slicesOfCore(op, 8));
    QCOMPARE(sliceOf(op, 8, 0), std::int64_t{-1});
}

void TestCoreMap::slices_kAdjacent_corePairsShareM() {
    // LWD 18.6: final {16, 1, 2}; core 2i and 2i + 1 share M slice i and hold K slice 0 and 1.
    const PlanOp op = opWith({dim("M", 8192, 16), dim("N", 4096, 1, 64), dim("K", 32768, 2, 64)}, true);
    QCOMPARE(op.cores, std::int64_t{32});
    for (int i = 0; i < 16; ++i) {
        QCOMPARE(slicesOfCore(op, 2 * i), std::optional(std::vector<std::int64_t>{i, 0, 0}));
        QCOMPARE(slicesOfCore(op, 2 * i + 1), std::optional(std::vector<std::int64_t>{i, 0, 1}));
    }
}

void TestCoreMap::slices_coverTheSpaceOnce_data() {
    QTest::addColumn<int>("m");
    QTest::addColumn<int>("n");
    QTest::addColumn<int>("k");
    QTest::addColumn<bool>("kAdjacent");
    QTest::newRow("18.5: M 32") << 32 << 1 << 1 << false;
    QTest::newRow("18.7 k-fast: N 16, K 2") << 1 << 16 << 2 << true;
    QTest::newRow("18.8: 5, 3, 2") << 5 << 3 << 2 << false;
    QTest::newRow("18.8 k-adjacent") << 5 << 3 << 2 << true;
}

void TestCoreMap::slices_coverTheSpaceOnce() {
    QFETCH(int, m);
    QFETCH(int, n);
    QFETCH(int, k);
    QFETCH(bool, kAdjacent);
    const PlanOp op = opWith({dim("M", 480, m), dim("N", 15360, n, 64), dim("K", 4096, k, 64)}, kAdjacent);
    std::set<std::vector<std::int64_t>> seen;
    double work = 0;
    for (int core = 0; core < op.cores; ++core) {
        seen.insert(slicesOfCore(op, core).value());
        work += workOfCore(op, core);
    }
    QCOMPARE(static_cast<int>(seen.size()), m * n * k);
    QCOMPARE(work, workOf(op));
}

void TestCoreMap::range_pointwise1024_ownsRows() {
    const IterationDim rows = dim("c0", 1024, 32);  // LWD 18.1: core k owns rows 32k..32k+31
    for (int core = 0; core < 32; ++core)
        QCOMPARE(sliceRange(rows, core), (ElementRange{32 * core, 32 * core + 32}));
}

void TestCoreMap::range_sticks_areCutAtTheExtent() {
    const IterationDim columns = dim("c1", 8191, 32, 64);  // LWD 18.2: 128 sticks in 32 slices, last stick partial
    QCOMPARE(columns.adjusted, std::int64_t{128});
    QCOMPARE(sliceRange(columns, 0), (ElementRange{0, 256}));
    QCOMPARE(sliceRange(columns, 31), (ElementRange{7936, 8191}));
}

void TestCoreMap::plane_takesMostSplit() {
    QCOMPARE(mostSplitPlane(opWith({dim("B", 8, 1), dim("M", 512, 32), dim("N", 512, 1, 64)})), (PicturePlane{1, 2}));
    QCOMPARE(mostSplitPlane(opWith({dim("M", 8192, 16), dim("N", 4096, 1), dim("K", 32768, 2)})), (PicturePlane{0, 2}));
    QCOMPARE(mostSplitPlane(opWith({dim("c0", 512, 8)})), (PicturePlane{0, -1}));
    QCOMPARE(mostSplitPlane(opWith({})), (PicturePlane{}));
}

void TestCoreMap::text_namesUnits() {
    PlanOp op = opWith({dim("c0", 512, 8), dim("c1", 2048, 2, 64), dim("c2", 64, 1)});
    op.iterationSpace[2].isReduction = true;
    QCOMPARE(QString::fromStdString(loopSplitText(op)),
             QStringLiteral("c0: 512 / 8 = 64 each; c1: 32 / 2 = 16 sticks each; c2: reduction, not split"));
    QCOMPARE(QString::fromStdString(shortSplitText(op)), QStringLiteral("c0 8, c1 2"));
}

void TestCoreMap::pieces_ofOp_labelEveryCoreOnce() {
    const PlanOp op = opWith({dim("c0", 512, 4), dim("c1", 1024, 2, 64)});
    const std::vector<SplitPiece> pieces = opPieces(op, {0, 1}, 0, QRectF(0, 0, 200, 100));
    QCOMPARE(pieces.size(), std::size_t{8});
    for (const SplitPiece& p : pieces)
        QCOMPARE(p.cores.size(), std::size_t{1});
    QCOMPARE(coreAtPieces(pieces, {150, 30}), 5);  // second row of four, right half
    QCOMPARE(coreAtPieces(pieces, {250, 30}), -1);
}

void TestCoreMap::pieces_thirdDimension_isChosenBySlice() {
    const PlanOp op = opWith({dim("M", 480, 5), dim("N", 15360, 3, 64), dim("K", 4096, 2, 64)});
    QCOMPARE(otherCombinations(op, {0, 1}), std::int64_t{2});
    const auto first = opPieces(op, {0, 1}, 0, QRectF(0, 0, 50, 30)),
               second = opPieces(op, {0, 1}, 1, QRectF(0, 0, 50, 30));
    QCOMPARE(first.size(), std::size_t{15});
    QCOMPARE(first[0].cores, std::vector<int>{0});
    QCOMPARE(second[0].cores, std::vector<int>{15});
    QCOMPARE(coresText({0, 1, 2, 3, 4}), QStringLiteral("0\u20134"));
    QCOMPARE(coresText({0, 8, 16, 24, 31}), QStringLiteral("0, 8, 16, 24, \u2026"));
}

void TestCoreMap::mismatch_sentenceAndShares() {
    const PlanPtr plan = fixture::splitMismatch();
    QVERIFY(plan);
    const auto pair = splitPairOf(*plan, bufferNamed(*plan, "exp"));
    QVERIFY(pair && !pair->isSame);
    QCOMPARE(QString::fromStdString(mismatchSentence(*plan, *pair)),
             QStringLiteral(
                 "Buffer exp cannot be on chip: produced in 8 pieces along rows, read in 8 pieces along columns."));
    QCOMPARE(QString::fromStdString(cutSentence(pair->dims, *pair->write)),
             QStringLiteral("rows: 512 / 8 = 64 each; columns: not split"));
    QCOMPARE(QString::fromStdString(cutSentence(pair->dims, *pair->read)),
             QStringLiteral("rows: not split; columns: 16 / 8 = 2 sticks each"));
    QCOMPARE(reducedDims(*plan, pair->reader, *pair->read), std::vector<std::string>{"rows"});
    // Picture d: a core holds 131 072 B of e and needs another 131 072 B, of which 16 384 are the same.
    for (int core = 0; core < 8; ++core)
        QCOMPARE(shareOf(*plan, *pair, core), (CoreShare{131072, 131072, 16384}));
    QCOMPARE(commonPart(*plan, *pair, 2, QRectF(0, 0, 80, 80)), QRectF(20, 20, 10, 10));
}

void TestCoreMap::mismatch_edges_threeOfFive() {
    EdgeTableModel model;
    model.setPlan(fixture::splitMismatch());
    QCOMPARE(model.rowCount(), 5);
    QCOMPARE(model.mismatchCount(), 3);
    QCOMPARE(model.index(0, EdgeTableModel::WriterSplit).data().toString(), QStringLiteral("columns 8"));
    QCOMPARE(model.index(0, EdgeTableModel::ReaderSplit).data().toString(), QStringLiteral("whole"));
}

void TestCoreMap::mismatch_fix_namesThreeOps() {
    const PlanPtr plan = fixture::splitMismatch();
    const auto fix = splitFix(*plan, *splitPairOf(*plan, bufferNamed(*plan, "exp")));
    QVERIFY(fix);
    QCOMPARE(QString::fromStdString(fix->label), QStringLiteral("Split sub, exp and div by columns, 8"));
    QCOMPARE(fix->proposals.size(), std::size_t{3});
    for (const SplitProposal& p : fix->proposals)
        QCOMPARE(p.slices, std::int64_t{8});
    QCOMPARE(fix->proposals[0].value().counts()->front().second, std::int64_t{8});
    QVERIFY(!splitFix(*plan, *splitPairOf(*plan, bufferNamed(*plan, "max"))));  // the reader wants it whole
}

void TestCoreMap::samePair_hasNoForeignBytes() {
    const PlanPtr plan = fixture::splitMismatch();
    const auto pair = splitPairOf(*plan, bufferNamed(*plan, "sub"));
    QVERIFY(pair && pair->isSame);
    for (int core = 0; core < 8; ++core)
        QCOMPARE(shareOf(*plan, *pair, core), (CoreShare{131072, 131072, 131072}));
    QVERIFY(mismatchSentence(*plan, *pair).empty());
    QVERIFY(!splitPairOf(*plan, bufferNamed(*plan, "x")));  // a graph input has no writer
}

void TestCoreMap::metrics_ofMismatch() {
    const CoreMetrics metrics(fixture::splitMismatch());
    QCOMPARE(metrics.configuredCores(), 8);
    QCOMPARE(metrics.value(CoreMetric::WorkShare, OpId{2}, 3), 0.125);
    QVERIFY(std::isnan(metrics.value(CoreMetric::WorkShare, OpId{2}, 8)));
    QCOMPARE(metrics.value(CoreMetric::Idle, OpId{2}, 3), 0.0);
    QCOMPARE(metrics.limits(CoreMetric::PeakBytes).high, static_cast<double>(metrics.plan()->memory.capacity));
    QCOMPARE(metrics.limits(CoreMetric::Span).high, 268435456.0);
    QCOMPARE(metrics.planValue(CoreMetric::WorkShare, 0), 0.125);
    QCOMPARE(metrics.limits(CoreMetric::WorkShare).share(0.25), 0.25);
}

void TestCoreMap::metrics_memoryOfCore_countsHandOverOnce() {
    const CoreMetrics metrics(fixture::softmaxStage4());
    QCOMPARE(metrics.bytesAt(1, 0), Bytes{1050624});  // clone and max
    QCOMPARE(metrics.bytesAt(3, 0), Bytes{1048576});  // sub hands its slot over to exp
    QCOMPARE(metrics.bytesAt(1, 5), Bytes{0});
    const std::vector<CoreBlock> blocks = metrics.blocksAt(3, 0);
    QCOMPARE(blocks.size(), std::size_t{2});
    QCOMPARE(blocks[0], (CoreBlock{BufferId{4}, 0, 1048576}));
    QCOMPARE(blocks[1], (CoreBlock{BufferId{}, 1048576, 1677721}));
    QCOMPARE(metrics.planValue(CoreMetric::PeakBytes, 0), 1050624.0);
}

void TestCoreMap::edgeModel_isAModel() {
    EdgeTableModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setPlan(fixture::splitMismatch());
    model.setPlan(nullptr);
    QCOMPARE(model.rowCount(), 0);
}

/// Writer, buffer and a block of the memory strip carry the flag of their note; without notes there is none (2.16).
void TestCoreMap::notes_showTheirFlags() {
    SelectionHub hub;
    CoreGridView view(&hub);
    view.resize(1200, 700);
    const PlanPtr plan = fixture::splitMismatch();
    hub.setPlan(plan);
    const BufferId exp = bufferNamed(*plan, "exp");
    const auto flags = [&] {
        PictureRequest request;
        request.size = QSize(1200, 700);
        return QString::fromUtf8(pictureSvg(view, request)).count(QStringLiteral("id=\"note-"));
    };
    hub.select(ItemId::of(exp));
    QCOMPARE(flags(), 0);
    NoteFlags notes;
    notes.items.emplace(ItemId::of(exp), QStringLiteral("read by two"));
    hub.setNotes(notes);
    QCOMPARE(flags(), 2);  // at its writer, which is one with it, and at the sentence on the buffer
    const auto placed = std::find_if(plan->buffers.begin(), plan->buffers.end(),
                                     [](const PlanBuffer& b) { return b.address.has_value(); });
    QVERIFY(placed != plan->buffers.end());
    const BufferId onChip = BufferId::of(static_cast<std::size_t>(placed - plan->buffers.begin()));
    notes = {};
    notes.items.emplace(ItemId::of(onChip), QStringLiteral("stays"));
    hub.setNotes(notes);
    view.setMode(CoreGridMode::Detail);
    hub.setTimeCursor(placed->life.begin);
    QCOMPARE(flags(), 1);
    // A row of the matrix has its flag too.
    OpsMatrix matrix(&hub);
    matrix.resize(800, 300);
    matrix.show();
    hub.setNotes({});
    const QImage without = matrix.grab().toImage();
    notes = {};
    notes.items.emplace(ItemId::of(plan->buffer(exp).producer), QStringLiteral("the writer"));
    hub.setNotes(notes);
    QCoreApplication::processEvents();
    QVERIFY(matrix.grab().toImage() != without);
}

/// Memory that is only reserved runs on no core: nothing of it is work.
void TestCoreMap::reservedMemory_isNoWork() {
    const auto plan = std::make_shared<Plan>(*fixture::splitMismatch());
    PlanOp empty;
    empty.name = "room";
    empty.kind = "extern";
    empty.type = "empty";
    plan->ops.push_back(empty);
    const OpId room = OpId::of(plan->ops.size() - 1);
    QCOMPARE(wholeText(plan->op(room)), std::string());
    const CoreMetrics with(plan), without(fixture::splitMismatch());
    QVERIFY(std::isnan(with.value(CoreMetric::WorkShare, room, 0)));
    QCOMPARE(with.value(CoreMetric::Idle, room, 0), 1.0);
    QCOMPARE(with.planValue(CoreMetric::WorkShare, 0), without.planValue(CoreMetric::WorkShare, 0));
    // An operation of one element and no loops is done by its core.
    PlanOp one = empty;
    one.kind = "pointwise";
    QCOMPARE(workOf(one), 1.0);
    QCOMPARE(wholeText(one), std::string("whole"));
}

/// All cores are in sight while their cells can be that narrow.
void TestCoreMap::matrix_narrow_hasNarrowCells() {
    SelectionHub hub;
    OpsMatrix matrix(&hub);
    matrix.resize(OpsMatrix::kNames + 32 * 12 + 40, 300);
    matrix.show();
    hub.setPlan(fixture::splitMismatch());
    QCOMPARE(matrix.horizontalScrollBar()->maximum(), 0);
    const QRectF last = matrix.cellRect(32);  // of the first row
    QVERIFY(last.right() <= matrix.viewport()->width() && last.width() >= OpsMatrix::kLeastCell);
    QCOMPARE(matrix.coreAt(last.center()), 31);
    matrix.resize(300, 300);
    QCoreApplication::processEvents();
    QVERIFY(matrix.horizontalScrollBar()->maximum() > 0);
    QCOMPARE(matrix.cellRect(32).width(), double(OpsMatrix::kLeastCell));
}

void TestCoreMap::matrix_rowClick_selectsTheOp() {
    SelectionHub hub;
    OpsMatrix matrix(&hub);
    matrix.resize(800, 300);
    matrix.show();
    hub.setPlan(fixture::splitMismatch());
    QTest::mouseClick(matrix.viewport(), Qt::LeftButton, Qt::NoModifier,
                      QPoint(300, OpsMatrix::kHead + 2 * OpsMatrix::kRow + 5));
    QCOMPARE(hub.primary(), std::optional(ItemId{ItemKind::Op, 2}));
    QTest::keyClick(&matrix, Qt::Key_Down);
    QCOMPARE(hub.primary(), std::optional(ItemId{ItemKind::Op, 3}));
    QCOMPARE(matrix.coreAt(QPointF(OpsMatrix::kNames + 31 * OpsMatrix::kCell, 50)), 31);
    QCOMPARE(matrix.rowAt(QPointF(300, 290)), -1);
    QCOMPARE(matrix.footSentence(),
             QStringLiteral("cores 0 to 7 are used; cores 8 to 31 are beyond the configured count"));
}

void TestCoreMap::view_hoverAndKeys() {
    CoreWindow w;
    w.select("exp");
    const CoreGridLayout l = coreGridLayout(w.view.state(), w.view.size());
    // The same core under its cell, its produced piece and its consumed piece.
    const ItemId core{ItemKind::Core, 5};
    QCOMPARE(w.view.itemAt(l.cellRect(5).center()), std::optional(core));
    QCOMPARE(w.view.itemAt({l.first.left() + 5, l.first.top() + l.first.height() * 5.5 / 8}), std::optional(core));
    QCOMPARE(w.view.itemAt({l.second.left() + l.second.width() * 5.5 / 8, l.second.top() + 5}), std::optional(core));
    QVERIFY(!w.view.itemAt(l.cellRect(20).center()));  // beyond the configured count
    QTest::keyClick(&w.view, Qt::Key_Right);
    QTest::keyClick(&w.view, Qt::Key_Right);
    QCOMPARE(w.view.state().core, 1);
    QTest::mouseDClick(&w.view, Qt::LeftButton, Qt::NoModifier, l.cellRect(3).center().toPoint());
    QCOMPARE(w.pane.view()->page(), CorePage::Detail);
    QCOMPARE(w.view.state().core, 3);
    w.pane.view()->setPage(CorePage::Edges);
    QVERIFY(w.pane.pane()->showsTable());
}

void TestCoreMap::view_fixButtons_askForSplits() {
    SelectionHub hub;
    CoreGridView view(&hub);
    view.resize(1200, 700);
    view.show();
    const PlanPtr plan = fixture::splitMismatch();
    hub.setPlan(plan);
    hub.select(ItemId::of(bufferNamed(*plan, "exp")));
    std::vector<SplitProposal> asked;
    connect(&view, &CoreGridView::splitsRequested, this, [&asked](const std::vector<SplitProposal>& p) { asked = p; });
    const QSignalSpy settings(&view, &CoreGridView::jointSearchRequested);
    // Where the window has no hint editor the buttons would do nothing: they are not there.
    for (const QPushButton* button : view.findChildren<QPushButton*>())
        QVERIFY(!button->isVisible());
    hub.setOffersHints(true);
    hub.clearSelection();
    hub.select(ItemId::of(bufferNamed(*plan, "exp")));
    for (QPushButton* button : view.findChildren<QPushButton*>())
        if (button->isVisible()) button->click();
    QCOMPARE(asked.size(), std::size_t{3});
    QCOMPARE(settings.count(), 1);
    hub.select(ItemId::of(bufferNamed(*plan, "sub")));
    for (const QPushButton* button : view.findChildren<QPushButton*>())
        QVERIFY(!button->isVisible());
}

MEMPLAN_WINDOW_TEST(TestCoreMap)
#include "tst_core_map.moc"
