// SPDX-License-Identifier: GPL-3.0-or-later
// The Gantt without a window: flat data, visible range, layout, hit test, ghosts.
#include "tests/support/plan_fixture.h"
#include "tests/support/program.h"
#include "widgets/views/gantt/data/gantt_drag.h"
#include "widgets/views/gantt/geometry/address_ticks.h"
#include "widgets/views/gantt/geometry/gantt_hit.h"
#include "widgets/views/gantt/look/gantt_look.h"
#include "widgets/views/gantt/paint/gantt_raster.h"

#include <QApplication>
#include <QColor>
#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QTest>

#include <map>
#include <random>
#include <set>

using namespace memplan;
using namespace memplan::ui;

namespace {

GanttLayout layoutOf(const GanttData& data, QSizeF size = {734, 586}) {
    GanttState state;
    state.viewport = ganttFit(data, state, size);
    return ganttLayout(data, state, size);
}

}  // namespace

class TestGanttGeometry : public QObject {
    Q_OBJECT
private slots:
    void visibleItems_randomWindows_matchBruteForce();
    void longItems_areKeptApart();
    void layout_parts_doNotOverlap();
    void layout_lowView_givesThePlotTheRoom();
    void layout_stepAndAddress_invert();
    void fold_longEmptyRange_isShortAndStaysInvertible();
    void layout_folded_ticksAreRoundAndEndAtTheCapacity();
    void addressTicks_areRoundInTheirUnit();
    void layout_downward_turnsTheAxis();
    void layout_keepsTheVisibleRangeForOtherSizes();
    void detail_bySize_data();
    void detail_bySize();
    void labels_fitOnlyWhereTheyFit();
    void drag_proposal_snapsAndStaysInside();
    void drag_conflicts_matchBruteForce();
    void drag_slotOfItsOwn_isNoConflict();
    void hit_everyItem_isFoundAtItsCentre();
    void hit_handOver_givesTheChild();
    void hit_tolerance_isTwoPixels();
    void hit_hundredThousand_liesUnderThePointer();
    void ghost_masked_isThatOfThePicture();
    void ghost_graphOutput_hasNone();
    void lane_isSortedByTraffic_rowsDoNotOverlap();
    void look_everyMode_coversEveryBuffer();
    void raster_pixels_matchTheItems();
    void stacked_reservations_doNotOverlap();
};

void TestGanttGeometry::visibleItems_randomWindows_matchBruteForce() {
    const GanttDataPtr data = buildGanttData(fixture::synthetic(5000));
    std::mt19937 random(3);
    for (int i = 0; i < 200; ++i) {
        const double t0 = static_cast<double>(random() % 1300) - 20, t1 = t0 + 1 + static_cast<double>(random() % 200);
        const auto [first, last] = visibleItems(*data, t0, t1);
        std::set<std::size_t> found, wanted;
        for (std::size_t k = first; k < last; ++k)
            if (data->items[k].end > t0) found.insert(k);
        for (std::size_t k = 0; k < data->items.size(); ++k)
            if (data->items[k].end > t0 && data->items[k].start < t1) wanted.insert(k);
        QCOMPARE(found, wanted);
        QVERIFY(last - first <= wanted.size() + 80);  // lifetimes of at most 17 steps, 4 starts a step
    }
}

void TestGanttGeometry::longItems_areKeptApart() {
    auto plan = std::make_shared<Plan>(*fixture::synthetic(2000));
    plan->buffers[0].life = {0, static_cast<Step>(plan->ops.size())};
    const GanttDataPtr data = buildGanttData(plan);
    QCOMPARE(data->longItems.size(), std::size_t{1});
    QCOMPARE(data->longItems[0].buffer, BufferId{0});
    for (std::size_t i = 1; i < data->items.size(); ++i)
        QVERIFY(data->maxEnd[i] >= data->maxEnd[i - 1]);
}

void TestGanttGeometry::layout_parts_doNotOverlap() {
    const GanttDataPtr data = buildGanttData(fixture::encoderLayer());
    for (const QSizeF size : {QSizeF(300, 200), QSizeF(734, 586), QSizeF(1900, 1000)}) {
        const GanttLayout l = layoutOf(*data, size);
        QVERIFY(l.strip.bottom() < l.plot.top());
        QVERIFY(l.hist.right() < l.plot.left());
        QVERIFY(l.lane.isEmpty() || l.lane.top() > l.plot.bottom());
        QVERIFY(l.plot.right() < size.width());
        QVERIFY(l.lane.height() <= size.height() * 0.45);
    }
}

/// In a low view (large text) the strip of live bytes gives way before the plot does.
void TestGanttGeometry::layout_lowView_givesThePlotTheRoom() {
    const GanttDataPtr data = buildGanttData(fixture::softmaxStage4());
    const GanttLayout high = layoutOf(*data, {400, 600}), low = layoutOf(*data, {400, 200});
    QVERIFY(low.strip.height() < high.strip.height() / 2 + 1);
    QVERIFY(low.plot.height() >= 70);
    QVERIFY(low.loops.height() >= 12);
    const GanttLayout least = layoutOf(*data, {400, 110});
    QCOMPARE(least.strip.height(), 0.0);
    QVERIFY(least.plot.height() >= 48 && least.loops.height() >= 12 && least.loops.bottom() < least.plot.top());
    QVERIFY(low.strip.bottom() < low.plot.top());
    QVERIFY(low.lane.isEmpty() || low.plot.bottom() < low.lane.top());
}

void TestGanttGeometry::layout_stepAndAddress_invert() {
    const GanttDataPtr data = buildGanttData(fixture::encoderLayer());
    const GanttLayout l = layoutOf(*data);
    for (int s = 0; s <= 36; ++s)
        QVERIFY(std::abs(l.stepAt(l.xOf(s)) - s) < 1e-9);
    for (Bytes a = 0; a <= 2097152; a += 65536)
        QVERIFY(std::abs(l.addressAt(l.yOf(static_cast<double>(a))) - static_cast<double>(a)) < 1e-6);
    QCOMPARE(l.yOf(0), l.plot.bottom());
    QCOMPARE(l.yOf(2097152), l.plot.top());
}

void TestGanttGeometry::fold_longEmptyRange_isShortAndStaysInvertible() {
    const Bytes usable = 1677721, physical = 2097152;
    QVERIFY(!foldAbove(0, usable, physical).isFolded());
    QVERIFY(!foldAbove(usable / 4 + 1, usable, physical).isFolded());
    for (const Bytes top : {Bytes{1}, Bytes{128}, Bytes{86528}, usable / 4}) {
        const AddressFold fold = foldAbove(top, usable, physical);
        QVERIFY(fold.isFolded());
        QVERIFY(fold.begin > static_cast<double>(top) && fold.begin <= 1.25 * static_cast<double>(top) + 1);
        QCOMPARE(fold.end, static_cast<double>(usable));
        double before = -1;
        for (Bytes a = 0; a <= physical; a += 8192) {
            const double at = fold.toScale(static_cast<double>(a));
            QVERIFY(at > before);  // the order of addresses is kept
            QVERIFY(std::abs(fold.toAddress(at) - static_cast<double>(a)) < 1e-3);
            before = at;
        }
        // What is in use takes three quarters of the height, and the limits stay apart.
        const double all = fold.toScale(static_cast<double>(physical));
        QVERIFY(fold.begin / all > 0.75);
        QVERIFY((all - fold.toScale(static_cast<double>(usable))) / all > 0.1);
    }
    QCOMPARE(foldAbove(86528, usable, usable).toScale(static_cast<double>(usable)), 1.1 * 90112);
}

void TestGanttGeometry::layout_folded_ticksAreRoundAndEndAtTheCapacity() {
    const GanttDataPtr data = buildGanttData(fixture::encoderLayer());
    GanttState state;
    state.fold = foldAbove(86528, data->usable, data->physical);
    state.viewport = ganttFit(*data, state, {734, 586});
    const GanttLayout l = ganttLayout(*data, state, {734, 586});
    QCOMPARE(l.yOf(0), l.plot.bottom());
    QCOMPARE(l.yOf(static_cast<double>(data->physical)), l.plot.top());
    for (Bytes a = 0; a <= data->physical; a += 65536)
        QVERIFY(std::abs(l.addressAt(l.yOf(static_cast<double>(a))) - static_cast<double>(a)) < 1e-3);
    const std::vector<double> ticks = addressTicks(l, {ByteUnit::KiB, false}, 40);
    QCOMPARE(ticks.front(), 0.0);
    QCOMPARE(ticks.back(), static_cast<double>(data->physical));
    QVERIFY(ticks.size() >= 6);
    for (std::size_t i = 1; i + 1 < ticks.size(); ++i) {
        QVERIFY(ticks[i] <= state.fold.begin);
        QCOMPARE(std::fmod(ticks[i], 1024.0), 0.0);
    }
    for (std::size_t i = 1; i < ticks.size(); ++i)
        QVERIFY(l.yOf(ticks[i - 1]) - l.yOf(ticks[i]) >= 20);
}

/// 1, 2, 5 x 10^n in bytes and sticks, powers of two in KiB, MiB and hexadecimal; labels in the unit (A.9).
void TestGanttGeometry::addressTicks_areRoundInTheirUnit() {
    const GanttDataPtr data = buildGanttData(fixture::softmaxStage4());
    GanttState state;
    state.viewport = ganttFit(*data, state, {734, 586});
    const GanttLayout l = ganttLayout(*data, state, {734, 586});
    const auto second = [&](const Units& units) { return addressTicks(l, units, 40)[1]; };
    const auto label = [&](const Units& units) { return addressLabel(second(units), units); };
    QCOMPARE(label({ByteUnit::Bytes, false}), exactBytes(500'000));
    QCOMPARE(second({ByteUnit::Sticks, false}), 2000.0 * 128);
    QCOMPARE(label({ByteUnit::Sticks, false}), groupedText(2000));
    QCOMPARE(label({ByteUnit::KiB, false}), QStringLiteral("256\u202FKiB"));
    QCOMPARE(label({ByteUnit::MiB, false}), QStringLiteral("0.25\u202FMiB"));
    QCOMPARE(label({ByteUnit::Bytes, true}), QStringLiteral("0x40000"));
    QCOMPARE(addressTicks(l, {}, 40).back(), static_cast<double>(data->physical));
}

void TestGanttGeometry::layout_downward_turnsTheAxis() {
    const GanttDataPtr data = buildGanttData(fixture::encoderLayer());
    GanttState state;
    state.addressDown = true;
    state.viewport = ganttFit(*data, state, {734, 586});
    const GanttLayout l = ganttLayout(*data, state, {734, 586});
    QCOMPARE(l.yOf(0), l.plot.top());
    QVERIFY(l.itemRect(data->items[0]).height() > 0);
}

void TestGanttGeometry::layout_keepsTheVisibleRangeForOtherSizes() {
    const GanttDataPtr data = buildGanttData(fixture::encoderLayer());
    GanttState state;
    state.viewport = ganttFit(*data, state, {734, 586});
    state.viewport.x = state.viewport.x.zoomedAt(100, 3);
    const GanttLayout small = ganttLayout(*data, state, {734, 586}), large = ganttLayout(*data, state, {1468, 1172});
    QVERIFY(std::abs(small.x.visibleEnd() - large.x.visibleEnd()) < 1e-9);
}

void TestGanttGeometry::detail_bySize_data() {
    QTest::addColumn<double>("w");
    QTest::addColumn<double>("h");
    QTest::addColumn<int>("detail");
    QTest::newRow("thin") << 1.5 << 30.0 << static_cast<int>(Detail::Dot);
    QTest::newRow("flat") << 300.0 << 1.0 << static_cast<int>(Detail::Dot);
    QTest::newRow("block") << 300.0 << 2.0 << static_cast<int>(Detail::Block);
    QTest::newRow("nearly outlined") << 3.9 << 30.0 << static_cast<int>(Detail::Block);
    QTest::newRow("outlined") << 4.0 << 30.0 << static_cast<int>(Detail::Outlined);
    QTest::newRow("nearly with its pattern") << 300.0 << 7.9 << static_cast<int>(Detail::Outlined);
    QTest::newRow("with its pattern") << 8.0 << 8.0 << static_cast<int>(Detail::Full);
    QTest::newRow("tall") << 18.0 << 200.0 << static_cast<int>(Detail::Full);
}

void TestGanttGeometry::detail_bySize() {
    QFETCH(double, w);
    QFETCH(double, h);
    QFETCH(int, detail);
    QCOMPARE(static_cast<int>(detailOf(w, h)), detail);
}

void TestGanttGeometry::labels_fitOnlyWhereTheyFit() {
    QCOMPARE(labelFit({23, 40}, 10, 10), LabelFit::None);
    QCOMPARE(labelFit({30, 12}, 15, 30), LabelFit::Name);
    QCOMPARE(labelFit({30, 12}, 29, 30), LabelFit::None);
    QCOMPARE(labelFit({90, 20}, 30, 40), LabelFit::NameAndSize);
    QCOMPARE(labelFit({90, 46}, 30, 40), LabelFit::TwoLines);
}

void TestGanttGeometry::drag_proposal_snapsAndStaysInside() {
    const GanttDataPtr data = buildGanttData(fixture::softmaxStage4());
    const Bytes size = data->plan->buffer(BufferId{4}).sizePerCore;
    for (const Address wanted :
         {Address{-500}, Address{0}, Address{63}, Address{64}, Address{100001}, Address{9999999}}) {
        const GanttDrag drag = dragProposal(*data, BufferId{4}, wanted, false);
        QCOMPARE(drag.address % 128, Address{0});
        QVERIFY(drag.address >= 0 && drag.address + size <= data->usable);
        if (wanted >= 0 && wanted + size <= data->usable) QVERIFY(std::abs(drag.address - wanted) <= 64);
    }
    QCOMPARE(dragProposal(*data, BufferId{4}, 63, false).address, Address{0});
    QCOMPARE(dragProposal(*data, BufferId{4}, 64, false).address, Address{128});
    // A neighbour's edge pulls within the magnet and not beyond it.
    QCOMPARE(dragProposal(*data, BufferId{4}, 3000, true, 4000).address, Address{0});
    QVERIFY(dragProposal(*data, BufferId{4}, 300000, true, 4000).address > 290000);
}

void TestGanttGeometry::drag_conflicts_matchBruteForce() {
    const GanttDataPtr data = buildGanttData(fixture::synthetic(300, 7));
    const Plan& plan = *data->plan;
    std::mt19937 random(11);
    for (int round = 0; round < 400; ++round) {
        const BufferId id{static_cast<int>(random() % plan.buffers.size())};
        const PlanBuffer& b = plan.buffer(id);
        const auto wanted = static_cast<Address>(random() % static_cast<std::uint32_t>(data->usable));
        const GanttDrag drag = dragProposal(*data, id, wanted, false);
        std::set<BufferId> expected;
        for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
            const PlanBuffer& other = plan.buffers[i];
            if (BufferId::of(i) == id || !other.address || !other.life.overlaps(b.life)) continue;
            const bool overlaps =
                *other.address < drag.address + b.sizePerCore && drag.address < *other.address + other.sizePerCore;
            if (overlaps) expected.insert(BufferId::of(i));
        }
        QCOMPARE(std::set<BufferId>(drag.conflicts.begin(), drag.conflicts.end()), expected);
    }
}

void TestGanttGeometry::drag_slotOfItsOwn_isNoConflict() {
    const GanttDataPtr data = buildGanttData(fixture::softmaxStage4());
    const std::set<BufferId> slot{BufferId{1}, BufferId{3}, BufferId{4}};  // the clone, sub and exp
    for (const BufferId id : slot)
        for (const Address wanted : {0, 128, 32768})
            for (const BufferId other : dragProposal(*data, id, wanted, false).conflicts)
                QVERIFY(!slot.contains(other));
}

void TestGanttGeometry::hit_everyItem_isFoundAtItsCentre() {
    const GanttDataPtr data = buildGanttData(fixture::encoderLayer());
    const GanttHitGrid grid(data);
    const GanttLayout l = layoutOf(*data, {1400, 900});
    for (const auto* list : {&data->items, &data->longItems})
        for (const GanttItem& item : *list)
            QCOMPARE(grid.at(l, l.itemRect(item).center()), std::optional(item.buffer));
    QVERIFY(!grid.at(l, QPointF(5, 5)));
    QVERIFY(!grid.at(l, QPointF(l.xOf(30), l.yOf(2000000))));
}

void TestGanttGeometry::hit_handOver_givesTheChild() {
    const GanttDataPtr data = buildGanttData(fixture::softmaxStage4());
    const GanttHitGrid grid(data);
    const GanttLayout l = layoutOf(*data);
    // Step 2: clone lives to step 2 inclusive, sub has taken over its slot.
    QCOMPARE(grid.at(l, QPointF(l.xOf(2.5), l.yOf(500000))), std::optional(BufferId{3}));
    QCOMPARE(grid.at(l, QPointF(l.xOf(1.5), l.yOf(500000))), std::optional(BufferId{1}));
}

void TestGanttGeometry::hit_tolerance_isTwoPixels() {
    const GanttDataPtr data = buildGanttData(fixture::softmaxStage4());
    const GanttHitGrid grid(data);
    const GanttLayout l = layoutOf(*data);
    const double top = l.yOf(1050624), x = l.xOf(1.2);
    QCOMPARE(grid.at(l, QPointF(x, top - 1.5)), std::optional(BufferId{2}));
    QVERIFY(!grid.at(l, QPointF(x, top - 4)));
}

/// What is found among many is what lies under the pointer, up to the tolerance.
void TestGanttGeometry::hit_hundredThousand_liesUnderThePointer() {
    const GanttDataPtr data = buildGanttData(fixture::synthetic(100000));
    const GanttHitGrid grid(data);
    const GanttLayout l = layoutOf(*data, {1920, 1000});
    std::map<BufferId, QRectF> rects;
    for (const auto* list : {&data->items, &data->longItems})
        for (const GanttItem& item : *list)
            rects[item.buffer] = rects[item.buffer].united(l.itemRect(item));
    std::mt19937 random(11);
    int found = 0;
    for (int i = 0; i < 2000; ++i) {
        const QPointF at(l.plot.left() + static_cast<double>(random() % 1700),
                         l.plot.top() + static_cast<double>(random() % 700));
        const auto hit = grid.at(l, at);
        if (!hit) continue;
        ++found;
        QVERIFY(rects.at(*hit).adjusted(-2.5, -2.5, 2.5, 2.5).contains(at));
    }
    QVERIFY(found > 100);
}

void TestGanttGeometry::ghost_masked_isThatOfThePicture() {
    // design README, picture c: v sits at [344 064, 516 096), the largest gap is 1 161 625.
    const GanttDataPtr data = buildGanttData(fixture::encoderLayer());
    const auto ghost = ghostOf(*data, BufferId{5});
    QVERIFY(ghost);
    QCOMPARE(ghost->address, Address{516096});
    QCOMPARE(ghost->gap, Bytes{1161625});
    QCOMPARE(ghost->shortBy, Bytes{42599});
    QVERIFY(ghost->overLimit);
    QCOMPARE(ghost->blockers, (std::vector<BufferId>{BufferId{3}}));
    QCOMPARE(data->useAt(5).free, Bytes{1505689});
}

void TestGanttGeometry::ghost_graphOutput_hasNone() {
    const GanttDataPtr data = buildGanttData(fixture::encoderLayer());
    QVERIFY(!ghostOf(*data, BufferId{35}));
    QVERIFY(!ghostOf(*data, BufferId{0}));
}

void TestGanttGeometry::lane_isSortedByTraffic_rowsDoNotOverlap() {
    const GanttDataPtr data = buildGanttData(fixture::encoderLayer());
    QCOMPARE(data->offChip.size(), std::size_t{7});
    for (std::size_t i = 1; i < data->offChip.size(); ++i)
        QVERIFY(data->offChip[i - 1].traffic >= data->offChip[i].traffic);
    for (const OffChipItem& a : data->offChip)
        for (const OffChipItem& b : data->offChip)
            QVERIFY(a.buffer == b.buffer || a.row != b.row || !a.life.overlaps(b.life));
}

void TestGanttGeometry::look_everyMode_coversEveryBuffer() {
    const GanttDataPtr data = buildGanttData(fixture::encoderLayer());
    for (const GanttColour colour : allGanttColours()) {
        const GanttLook look = ganttLook(*data, colour, Theme(ThemeKind::Dark));
        QCOMPARE(look.groupOf.size(), data->plan->buffers.size());
        for (const std::uint8_t g : look.groupOf)
            QVERIFY(g < look.groups.size());
        QVERIFY(!look.legend.empty());
        QVERIFY(!colourName(colour).isEmpty());
    }
}

void TestGanttGeometry::raster_pixels_matchTheItems() {
    const GanttDataPtr data = buildGanttData(fixture::encoderLayer());
    const GanttLook look = ganttLook(*data, GanttColour::Residency, Theme());
    RasterRequest request{data, layoutOf(*data, {1200, 800}), {}, look.groupOf, 0, 1.0, 0.0};
    for (const GroupLook& g : look.groups)
        request.groupColors.push_back(g.edge.rgb());
    const GanttRasterImage raster = renderRaster(request);
    const GanttLayout& l = request.layout;
    QVERIFY(!data->items.empty());
    for (const GanttItem& item : data->items) {
        const QPointF c = l.itemRect(item).center() - l.plot.topLeft();
        const auto x = static_cast<int>(c.x()), y = static_cast<int>(c.y());
        QCOMPARE(QColor(raster.image.pixel(x, y)), look.of(item.buffer).edge);
    }
    const GanttRasterImage wide = renderRaster([&] {
        RasterRequest r = request;
        r.margin = 0.5;
        return r;
    }());
    QVERIFY(wide.image.width() >= 2 * raster.image.width() - 2);
}

void TestGanttGeometry::stacked_reservations_doNotOverlap() {
    auto plan = std::make_shared<Plan>(*fixture::synthetic(300, 9));
    plan->target = "ttnn";
    for (PlanBuffer& b : plan->buffers) {
        if (!b.address) continue;
        b.space = MemorySpace::L1;
        b.address.reset();
    }
    const GanttDataPtr data = buildGanttData(plan);
    QVERIFY(data->stacked);
    std::vector<GanttItem> all = data->items;
    all.insert(all.end(), data->longItems.begin(), data->longItems.end());
    QVERIFY(all.size() > 100);
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t k = i + 1; k < all.size(); ++k) {
            const bool together = all[i].start < all[k].end && all[k].start < all[i].end;
            QVERIFY(!together || all[i].address + all[i].size <= all[k].address ||
                    all[k].address + all[k].size <= all[i].address);
        }
}

MEMPLAN_WINDOW_TEST(TestGanttGeometry)
#include "tst_gantt_geometry.moc"
