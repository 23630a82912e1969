// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the memory map without a window: live bytes and gaps of each step, fragmentation, metrics of a range,
// sizes (user-experience 7.9, A.6).
#include "tests/support/plan_fixture.h"
#include "tests/support/program.h"
#include "widgets/views/gantt/data/gantt_data.h"
#include "widgets/views/gantt/gantt_metrics.h"

#include <QApplication>
#include <QTest>

#include <algorithm>

using namespace memplan;
using namespace memplan::ui;

namespace {

/// Occupancy by brute force: bytes covered by any live buffer, and the largest uncovered run.
std::pair<Bytes, Bytes> bruteForce(const Plan& plan, Step step, Bytes usable) {
    std::vector<std::pair<Address, Address>> blocks;
    for (const PlanBuffer& b : plan.buffers)
        if (b.address && b.life.contains(step)) blocks.emplace_back(*b.address, *b.address + b.sizePerCore);
    std::sort(blocks.begin(), blocks.end());
    Bytes live = 0, gap = 0;
    Address top = 0;
    for (const auto& [from, to] : blocks) {
        gap = std::max(gap, from - top);
        live += std::max<Bytes>(0, to - std::max(from, top));
        top = std::max(top, to);
    }
    return {live, std::max(gap, usable - top)};
}

}  // namespace

class TestGanttMetrics : public QObject {
    Q_OBJECT
private slots:
    void sweep_matchesBruteForce_data();
    void sweep_matchesBruteForce();
    void sweep_blocksInBlocks_countOnce();
    void sweep_softmax_isThatOfTheSpecification();
    void fragmentation_exampleOfTheSpecification();
    void metrics_softmax();
    void metrics_range_countsOnlyWhatLives();
    void histogram_countsEveryBuffer();
};

void TestGanttMetrics::sweep_matchesBruteForce_data() {
    QTest::addColumn<int>("which");
    QTest::newRow("softmax") << 0;
    QTest::newRow("encoder") << 1;
    QTest::newRow("synthetic") << 2;
}

void TestGanttMetrics::sweep_matchesBruteForce() {
    QFETCH(int, which);
    const PlanPtr plan = which == 0   ? fixture::softmaxStage4()
                         : which == 1 ? fixture::encoderLayer()
                                      : fixture::synthetic(800, 5);
    const GanttDataPtr data = buildGanttData(plan);
    for (Step s = 0; s < data->steps; ++s) {
        const auto [live, gap] = bruteForce(*plan, s, data->usable);
        QCOMPARE(data->useAt(s).live, live);
        QCOMPARE(data->useAt(s).largestFree, gap);
        QCOMPARE(data->useAt(s).free, data->usable - live);
        if (s % 7 == 0) QCOMPARE(useAt(*plan, s).largestFree, gap);
    }
}

/// In-place children stand in the slot of their parent, not always at its begin.
void TestGanttMetrics::sweep_blocksInBlocks_countOnce() {
    const std::vector<UsedBlock> blocks{{{0, 4}, 128, 512}, {{1, 3}, 256, 128}, {{2, 6}, 640, 128}, {{3, 5}, 0, 64}};
    const std::vector<MemoryUse> use = usePerStep(blocks, 7, 1024);
    const auto at = [&use](Step s) {
        const MemoryUse& u = use[static_cast<std::size_t>(s)];
        return std::vector<Bytes>{u.live, u.top, u.free, u.largestFree};
    };
    QCOMPARE(at(0), (std::vector<Bytes>{512, 640, 512, 384}));
    QCOMPARE(at(1), at(0));
    QCOMPARE(at(2), (std::vector<Bytes>{640, 768, 384, 256}));
    QCOMPARE(at(3), (std::vector<Bytes>{704, 768, 320, 256}));
    QCOMPARE(at(4), (std::vector<Bytes>{192, 768, 832, 576}));
    QCOMPARE(at(5), (std::vector<Bytes>{128, 768, 896, 640}));
    QCOMPARE(at(6), (std::vector<Bytes>{0, 0, 1024, 1024}));
    PeakUse peak;
    for (Step s = 0; s < 7; ++s)
        peak.add(s, use[static_cast<std::size_t>(s)]);
    QCOMPARE(peak.top, Address{768});
    QCOMPARE(peak.topStep, 3);  // the fullest of steps 2 to 5
    QCOMPARE(peak.live, Bytes{704});
    QCOMPARE(peak.liveStep, 3);
    QCOMPARE(peak.fragmentationStep, 2);
}

void TestGanttMetrics::sweep_softmax_isThatOfTheSpecification() {
    const GanttDataPtr data = buildGanttData(fixture::softmaxStage4());
    std::vector<Bytes> live;
    for (const MemoryUse& use : data->use)
        live.push_back(use.live);
    QCOMPARE(live, (std::vector<Bytes>{1048576, 1050624, 1050624, 1048576, 1050624, 1050624}));
    QCOMPARE(data->peak.live, Bytes{1050624});
    QCOMPARE(data->peak.liveStep, 1);
    QCOMPARE(data->peak.top, Bytes{1050624});
    QCOMPARE(data->peak.topStep, 1);
}

void TestGanttMetrics::fragmentation_exampleOfTheSpecification() {
    // user-experience A.6: gaps 4 096 and 190 464.
    QVERIFY(std::abs(MemoryUse{0, 0, 194560, 190464}.fragmentation() - 0.0211) < 0.00005);
    QCOMPARE(MemoryUse{}.fragmentation(), 0.0);
}

void TestGanttMetrics::metrics_softmax() {
    const GanttDataPtr data = buildGanttData(fixture::softmaxStage4());
    const GanttMetrics m = ganttMetrics(*data, std::nullopt, Step{3});
    QCOMPARE(m.onChip, 5);
    QCOMPARE(m.total, 7);
    QCOMPARE(m.traffic, Bytes{2097152});
    QCOMPARE(m.peak.top, Bytes{1050624});
    QCOMPARE(m.peak.live, Bytes{1050624});
    QCOMPARE(m.lowerBound, Bytes{1050624});
    QCOMPARE(m.gap(), 0.0);
    QCOMPARE(m.fragmentationNow, 0.0);
}

void TestGanttMetrics::metrics_range_countsOnlyWhatLives() {
    const GanttDataPtr data = buildGanttData(fixture::softmaxStage4());
    const GanttMetrics m = ganttMetrics(*data, StepRange{5, 6}, std::nullopt);
    QCOMPARE(m.total, 3);  // exp, sum, out
    QCOMPARE(m.traffic, Bytes{1048576});
    QCOMPARE(m.fragmentationNow, -1.0);
}

void TestGanttMetrics::histogram_countsEveryBuffer() {
    const GanttDataPtr data = buildGanttData(fixture::softmaxStage4());
    const std::vector<SizeBucket> buckets = sizeHistogram(*data, std::nullopt);
    QCOMPARE(buckets.front().log2, 11);
    QCOMPARE(buckets.back().log2, 20);
    QCOMPARE(buckets.size(), std::size_t{10});
    int sum = 0;
    for (const SizeBucket& b : buckets)
        sum += b.total();
    QCOMPARE(sum, 7);
}

MEMPLAN_WINDOW_TEST(TestGanttMetrics)
#include "tst_gantt_metrics.moc"
