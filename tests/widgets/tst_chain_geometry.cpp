// SPDX-License-Identifier: GPL-3.0-or-later
// L1 chains: where rows, cells and the timeline stand (user-experience 8).
#include "tests/support/program.h"
#include "tests/widgets/chain_plans.h"
#include "widgets/views/chains/geometry/chain_layout.h"

#include <QRectF>
#include <QSizeF>
#include <QTest>

#include <map>

using namespace memplan;
using namespace memplan::ui;

class TestChainGeometry : public QObject {
    Q_OBJECT
private slots:
    void geometry_manyOperations_data();
    void geometry_manyOperations();
    void highPicture_leavesNoGap_data() { geometry_manyOperations_data(); }
    void highPicture_leavesNoGap();
    void hit_findsWhatIsPainted();
    void lowPicture_keepsARowOfChains();
    void rows_areSharedByChainsThatDoNotMeet();
    void start_showsTheFirstChain();
    void end_hasRoomOrIsElided();
};

void TestChainGeometry::geometry_manyOperations_data() {
    QTest::addColumn<int>("operations");
    for (const int n : {12, 100, 1000})
        QTest::addRow("%d", n) << n;
}

void TestChainGeometry::geometry_manyOperations() {
    QFETCH(const int, operations);
    const auto data = std::make_shared<const ChainData>(fixture::manyChains(operations));
    const QSizeF size(1000, 640);
    ChainViewState s;
    s.data = data;
    s.rows = usualRows(*data);
    s.viewport = readableViewport(*data, s.rows, size);
    const ChainLayout read = chainLayout(s, size);
    QVERIFY2(read.hasWords(), "words can be read at first");
    QVERIFY(read.cellRect(0, OpId{0}).left() >= read.lanes.left());
    s.viewport = wholeViewport(*data, s.rows, size);
    const ChainLayout whole = chainLayout(s, size);
    const OpId last{operations - 1};
    const QRectF cell = whole.cellRect(data->laneOf(last), last);
    QVERIFY2(whole.lanes.adjusted(0, -1, 1, 1).contains(cell.center()), "everything is in sight");
    QVERIFY(cell.width() >= 1);
    QVERIFY(whole.timeline.top() > whole.lanes.bottom());
    const std::vector<int> ticks = positionTicks(whole);
    QVERIFY2(ticks.front() == 0 && ticks.back() == operations - 1, "first and last position have their number");
    for (std::size_t i = 1; i < ticks.size(); ++i)
        QVERIFY((ticks[i] - ticks[i - 1]) * whole.x.scale >= 40);
    QCOMPARE(whole.timeline.left(), whole.lanes.left());
}

/// A high window: rows grow to the height that is of use to them, the timeline has the rest, nothing lies between.
void TestChainGeometry::highPicture_leavesNoGap() {
    QFETCH(const int, operations);
    ChainViewState s;
    s.data = std::make_shared<const ChainData>(fixture::manyChains(operations));
    s.rows = usualRows(*s.data);
    const QSizeF size(1060, 1400);
    s.viewport = readableViewport(*s.data, s.rows, size);
    const ChainLayout l = chainLayout(s, size);
    const double rows = l.isPacked() ? s.data->packedRows() : static_cast<double>(s.data->lanes().size());
    const double readable = l.isPacked() ? ChainLayout::kPackedRow : ChainLayout::kLane;
    QVERIFY2(rows * readable * 2 < l.lanes.height() + l.timeline.height(), "there is room to share");
    QCOMPARE(l.lanes.height(), rows * l.y.scale);
    QVERIFY(l.y.scale > readable && l.y.scale <= readable + ChainLayout::kGrowth);
    QVERIFY2(l.channelY(0) < l.yOf(l.rowOf(0) + 1) - 6, "links stay in their row");
    QCOMPARE(l.timeline.height(), size.height() - 20 - l.timeline.top());
}

void TestChainGeometry::hit_findsWhatIsPainted() {
    ChainViewState s;
    s.data = std::make_shared<const ChainData>(fixture::fourChains());
    const QSizeF size(1000, 640);
    s.viewport = readableViewport(*s.data, s.rows, size);
    const ChainLayout l = chainLayout(s, size);
    QCOMPARE(chainHit(s, l, l.cellRect(1, OpId{2}).center()).op, OpId{2});
    QCOMPARE(static_cast<int>(chainHit(s, l, l.badgeRect(2).center()).part), static_cast<int>(ChainHit::Part::Badge));
    const ChainHit edge = chainHit(s, l, l.edgeRect(0, s.data->lanes()[0].edges[0]).center());
    QCOMPARE(static_cast<int>(edge.part), static_cast<int>(ChainHit::Part::Edge));
    const ChainHit column = chainHit(s, l, {l.xOf(4.5), l.timeline.center().y()});
    QCOMPARE(static_cast<int>(column.part), static_cast<int>(ChainHit::Part::Column));
    QCOMPARE(column.op, OpId{4});
    QCOMPARE(chainHit(s, l, l.outsideRect(OpId{4}).center()).op, OpId{4});
}

/// Text at 200 % leaves a window half of its room: a row of chains stays readable, the rest gives way in an order.
void TestChainGeometry::lowPicture_keepsARowOfChains() {
    for (const auto& plan : {fixture::fourChains(), fixture::manyChains(100)}) {
        ChainViewState s;
        s.data = std::make_shared<const ChainData>(plan);
        s.rows = usualRows(*s.data);
        for (double high = 112; high < 400; high += 12) {
            const QSizeF size(460, high);
            s.viewport = readableViewport(*s.data, s.rows, size);
            const ChainLayout l = chainLayout(s, size);
            QVERIFY2(l.lanes.height() >= l.y.scale - 1 && l.hasWords(), qPrintable(QString::number(high)));
            QVERIFY2(l.timeline.isEmpty() || l.timeline.height() >= 60, "what is shown can be read");
            QVERIFY2(l.timeline.isEmpty() || !l.goals.isEmpty(), "the timeline gives way before the goals");
            QVERIFY2(l.goals.isEmpty() || !l.outside.isEmpty(), "the goals before what is in no chain");
            QVERIFY(l.lanes.bottom() <= high && l.timeline.bottom() <= high);
        }
        QVERIFY(chainLayout(s, {460, 120}).timeline.isEmpty());
        QVERIFY(!chainLayout(s, {460, 390}).timeline.isEmpty());
    }
}

void TestChainGeometry::rows_areSharedByChainsThatDoNotMeet() {
    const ChainData data(fixture::manyChains(1000));
    QVERIFY(usualRows(data) == ChainRows::Packed);
    QVERIFY2(data.packedRows() <= 3, "a diagonal of 250 rows says nothing");
    std::map<int, double> ends;
    for (const ChainLane& lane : data.lanes()) {
        QVERIFY(lane.first() >= ends[lane.row]);
        ends[lane.row] = lane.last() + 1 + lane.tail;
    }
    const ChainData few(fixture::fourChains());
    QVERIFY(usualRows(few) == ChainRows::PerChain);
    ChainViewState s;
    s.data = std::make_shared<const ChainData>(fixture::manyChains(1000));
    s.rows = ChainRows::Packed;
    s.viewport = wholeViewport(*s.data, s.rows, {1000, 640});
    const ChainLayout whole = chainLayout(s, {1000, 640});
    QVERIFY2(whole.y.scale > 40, "all rows fill the picture");
}

/// Operations in no chain come first: some, or more than the picture holds.
void TestChainGeometry::start_showsTheFirstChain() {
    const ttnn::Layout dram = fixture::tiles(ttnn::BufferType::Dram, ttnn::MemLayout::Interleaved, {1, 1});
    const ttnn::Layout rows = fixture::tiles(ttnn::BufferType::L1, ttnn::MemLayout::HeightSharded, {64, 1});
    for (const int before : {2, 5, 8, 11, 40}) {
        fixture::ChainPlan p;
        for (int i = 0; i < before; ++i)
            p.op("in_" + std::to_string(i), dram);
        const OpId first = p.op("relu_a", rows), second = p.op("relu_b", rows, {first});
        p.chain({first, second}, ttnn::ChainState::Completed, ttnn::EndedBy::NoNext, ttnn::SpillLocation::Dram);
        for (int i = 0; i < 30; ++i)
            p.op("out_" + std::to_string(i), dram);
        ChainViewState s;
        s.data = std::make_shared<const ChainData>(p.made());
        for (const QSizeF size : {QSizeF(500, 640), QSizeF(1000, 640)}) {
            s.viewport = readableViewport(*s.data, s.rows, size);
            const ChainLayout l = chainLayout(s, size);
            QVERIFY(l.hasWords());
            QVERIFY(l.lanes.contains(l.cellRect(0, first)) && l.lanes.contains(l.cellRect(0, second)));
            QVERIFY2(l.cellRect(0, first).left() < l.lanes.center().x(), "half of the picture is for chains");
        }
    }
}

void TestChainGeometry::end_hasRoomOrIsElided() {
    ChainViewState s;
    s.data = std::make_shared<const ChainData>(fixture::fourChains());
    const QSizeF size(700, 640);
    s.viewport = readableViewport(*s.data, s.rows, size);
    s.viewport.x.origin = 2.2;  // the last operation at the right edge
    const ChainLayout l = chainLayout(s, size);
    for (int lane = 0; lane < 3; ++lane) {
        const QRectF room = l.endRoom(lane);
        QVERIFY(room.left() >= l.lanes.left() && room.right() <= l.lanes.right() + 0.5);
        for (const ChainCell& cell : s.data->lanes()[static_cast<std::size_t>(lane)].cells)
            QVERIFY(room.isEmpty() || !room.intersects(l.cellRect(lane, cell.op)));
    }
    s.rows = ChainRows::Packed;
    const ChainLayout packed = chainLayout(s, size);
    for (const ChainLink& link : s.data->links())
        QVERIFY2(packed.channelY(link.fromLane) > packed.cellRect(link.fromLane, link.from).bottom(),
                 "links leave below the cells");
}

MEMPLAN_WINDOW_TEST(TestChainGeometry)
#include "tst_chain_geometry.moc"
