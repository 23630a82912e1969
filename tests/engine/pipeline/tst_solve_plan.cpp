// SPDX-License-Identifier: Apache-2.0
// Buffer lists as plans: what the solver placed, why the rest is not, and what keys the history.
#include "engine/pipeline/solve_plan.h"
#include "engine/plan/memory_use.h"
#include "engine/spyre/solver_keys.h"
#include "tests/support/program.h"
#include "tests/support/solve_items.h"

#include <QTest>

using namespace memplan;

class SolvePlanTest : public QObject {
    Q_OBJECT

private slots:
    void everythingFits_isAPlanWithItsPeak();
    void holes_areCountedInTheFragmentation();
    void tooSmall_saysWhy();
    void givenOffsets_areCheckedNotTrusted();
    void hash_followsWhatDecidesThePlan();
    void leastCapacity_isTheLargestSumOfLiveBuffers();
};

namespace {

using testing::makeItem;

/// a and b overlap in time, c follows: 96 bytes hold all three.
SolveRequest request(Bytes capacity) {
    solve::Problem p;
    p.name = "three";
    p.alignment = 1;
    p.items = {makeItem("a", 64, 0, 2), makeItem("b", 32, 1, 3), makeItem("c", 64, 3, 5)};
    SolveRequest r;
    r.problem = std::make_shared<const solve::Problem>(std::move(p));
    r.capacity = capacity;
    r.keys = spyre::kSolverKeys;
    return r;
}

}  // namespace

void SolvePlanTest::everythingFits_isAPlanWithItsPeak() {
    const CompileOutcome made = solveToPlan(request(96), RunControl{});
    QVERIFY(made.plan);
    const Plan& plan = *made.plan;
    QCOMPARE(plan.metrics.buffersOnChip, 3);
    QCOMPARE(plan.metrics.pinnedBytes, Bytes{160});
    QVERIFY(plan.metrics.provedOptimal);
    QCOMPARE(plan.memory.capacity, Bytes{96});
    QCOMPARE(plan.memory.peak, Bytes{96});
    QCOMPARE(plan.memory.livePeak, Bytes{96});
    QCOMPARE(plan.memory.livePeakStep, Step{1});
    QCOMPARE(plan.solver, std::string("greedy"));
    QVERIFY(plan.problems.empty());
    QVERIFY(plan.ops.empty());
    QCOMPARE(plan.buffers[1].life, (StepRange{1, 3}));
}

/// From step 2 on a is gone from below b: 64 of the 96 free bytes are in one piece.
void SolvePlanTest::holes_areCountedInTheFragmentation() {
    SolveRequest r = request(128);
    solve::Problem p = *r.problem;
    p.items.erase(p.items.begin() + 2);
    p.items[0].givenAddress = 0;
    p.items[1].givenAddress = 64;
    r.problem = std::make_shared<const solve::Problem>(std::move(p));
    const PlanPtr plan = givenPlan(r);
    QVERIFY(plan);
    QCOMPARE(plan->metrics.fragmentationMax, 1.0 - 64.0 / 96.0);
    const PeakUse peak = peakUse(*plan);
    QCOMPARE(peak.fragmentation, plan->metrics.fragmentationMax);
    QCOMPARE(peak.fragmentationStep, Step{2});
    QCOMPARE(peak.top, plan->memory.peak);
    QCOMPARE(peak.live, plan->memory.livePeak);
    QCOMPARE(peakStep(*plan), peak.topStep);
    QCOMPARE(peak.topStep, Step{1});
}

void SolvePlanTest::tooSmall_saysWhy() {
    const CompileOutcome made = solveToPlan(request(63), RunControl{});
    QVERIFY(made.plan);
    const Plan& plan = *made.plan;
    QCOMPARE(plan.metrics.buffersOnChip, 1);
    QCOMPARE(plan.buffers[0].reason->code, ReasonCode::LargerThanMemory);
    QCOMPARE(plan.problems.size(), std::size_t{2});
    QCOMPARE(plan.problems[0].buffers, std::vector<BufferId>{BufferId::of(0)});
    const CompileOutcome tight = solveToPlan(request(64), RunControl{});
    const auto refused = std::find_if(tight.plan->buffers.begin(), tight.plan->buffers.end(),
                                      [](const PlanBuffer& b) { return !b.address; });
    QVERIFY(refused != tight.plan->buffers.end());
    QCOMPARE(refused->reason->code, ReasonCode::NoRoom);
}

void SolvePlanTest::givenOffsets_areCheckedNotTrusted() {
    QVERIFY(givenPlan(request(96)) == nullptr);
    SolveRequest r = request(96);
    solve::Problem p = *r.problem;
    p.items[0].givenAddress = 0;
    p.items[1].givenAddress = 48;  // into a, which has 64 bytes and is live at step 1
    r.problem = std::make_shared<const solve::Problem>(p);
    const PlanPtr plan = givenPlan(r);
    QVERIFY(plan);
    QCOMPARE(plan->metrics.buffersOnChip, 2);
    QCOMPARE(plan->problems.size(), std::size_t{1});
    QCOMPARE(plan->problems[0].code, std::string("VER-003"));
    QCOMPARE(plan->problems[0].severity, Severity::Error);
    QVERIFY(plan->inputHash != inputHash(r));
    QVERIFY(!plan->metrics.provedOptimal);
}

void SolvePlanTest::hash_followsWhatDecidesThePlan() {
    const std::string base = inputHash(request(96));
    QCOMPARE(inputHash(request(96)), base);
    QVERIFY(inputHash(request(97)) != base);
    SolveRequest other = request(96);
    QVERIFY(other.settings.set("spyre.layout_solver", "bestfit"));
    QVERIFY(inputHash(other) != base);
    SolveRequest same = request(96);
    QVERIFY(same.settings.set("spyre.cores", "4"));  // cores mean nothing to a list
    QCOMPARE(inputHash(same), base);
}

void SolvePlanTest::leastCapacity_isTheLargestSumOfLiveBuffers() {
    QCOMPARE(leastCapacity(*request(0).problem), Bytes{96});
    QCOMPARE(leastCapacity(solve::Problem()), Bytes{1});
}

MEMPLAN_TEST(SolvePlanTest)
#include "tst_solve_plan.moc"
