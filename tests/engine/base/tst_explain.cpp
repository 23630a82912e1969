// SPDX-License-Identifier: Apache-2.0
// Words about plans: why a buffer is where it is and what would make room (command-line, `explain`).
#include "engine/plan/given_name.h"
#include "engine/plan/loop_words.h"
#include "engine/plan/room.h"
#include "engine/plan/spyre_data.h"
#include "engine/plan/statistics.h"
#include "engine/plan/wordings.h"
#include "engine/target/explain.h"
#include "engine/target/statistics_text.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QTest>

#include <algorithm>

using namespace memplan;

using test::q;

namespace {

/// Capacity 1000, alignment 1. Over [0, 4): low takes [0, 300), high takes [600, 900); loser needs 500.
Plan crowdedPlan() {
    Plan plan;
    plan.target = "spyre";
    plan.memory.capacity = 1000;
    plan.memory.alignment = 1;
    plan.ops.resize(2);
    plan.ops[0].name = "exp";
    plan.ops[0].type = "exp";
    plan.ops[1].name = "sum";
    const auto add = [&](const char* name, Bytes size, std::optional<Address> address) {
        PlanBuffer b;
        b.name = name;
        b.size = size * 2;
        b.sizePerCore = size;
        b.life = {0, 4};
        b.producer = OpId::of(0);
        b.space = address ? MemorySpace::Lx : MemorySpace::Hbm;
        b.address = address;
        plan.buffers.push_back(b);
    };
    add("low", 300, 0);
    add("high", 300, 600);
    add("loser", 500, std::nullopt);
    plan.buffers[2].reason = Reason{};
    plan.buffers[2].reason->code = ReasonCode::NoRoom;
    plan.buffers[2].reason->stated = recorded("largest gap 300 bytes");
    return plan;
}

Explanation explainedBuffer(const Plan& plan, const char* name) {
    return explainName(plan, name).front();
}

}  // namespace

class TestExplain : public QObject {
    Q_OBJECT

private slots:
    void operationThatWritesNoBuffer_hasNoSuchLine() {
        Plan plan = crowdedPlan();
        const auto writes = [&plan] {
            const auto facts = explainName(plan, "exp").front().facts;
            return std::ranges::count(facts, "writes", [](const auto& fact) { return fact.first; });
        };
        QCOMPARE(writes(), 0);
        plan.ops[0].outputs = {BufferId::of(0)};
        QCOMPARE(writes(), 1);
    }

    /// Loops are named by what they move along in the tensor that is spoken of; their own name is left for hints.
    void loops_areToldInTheWordsOfTheTensor() {
        Plan plan = crowdedPlan();
        BufferLayout layout;
        layout.size = {512, 1024};
        layout.stride = {1024, 1};
        plan.buffers[0].layout = plan.buffers[1].layout = layout;
        PlanOp& op = plan.ops[0];
        for (const auto& [name, extent] : {std::pair("d0", 512), std::pair("d1", 1024), std::pair("d2", 7)}) {
            IterationDim d;
            d.name = name;
            d.extent = extent;
            op.iterationSpace.push_back(d);
        }
        PlanAccess read;
        read.buffer = BufferId::of(0);
        read.coefficients = {1, 1024, 0};  // transposed
        PlanAccess write;
        write.buffer = BufferId::of(1);
        write.isWrite = true;
        write.coefficients = {1024, 1, 0};
        op.accesses = {read, write};
        const OpId id = OpId::of(0);
        QCOMPARE(loopName(plan, id, 0), std::string("rows"));  // of the result
        QCOMPARE(loopName(plan, id, 1), std::string("columns"));
        QCOMPARE(loopName(plan, id, 1, BufferId::of(0)), std::string("rows"));
        QCOMPARE(loopName(plan, id, 2), std::string("d2"));  // moves along neither
        plan.ops[0].namedDims = {"batch", "feature"};
        QCOMPARE(loopName(plan, id, 1), std::string("feature"));
        plan.ops[0].namedDims = {"_0", "_1"};
        plan.ops[0].iterationSpace[1].slices = 8;
        plan.ops[0].cores = 8;
        const Explanation e = explainName(plan, "exp").front();
        QVERIFY2(q(e.why).contains("columns into 8"), e.why.c_str());
    }

    /// A buffer of a pass is found, and shown, under the name that the file gives its tensor.
    void givenNames_leadToTheBuffersOfPasses() {
        Graph graph;
        graph.tensors.resize(3);
        graph.tensors[0].id = "low";
        graph.tensors[1].id = "z";
        graph.tensors[2].id = "loser";
        Plan plan = crowdedPlan();
        plan.graph = std::make_shared<const Graph>(graph);
        for (std::size_t i = 0; i < 3; ++i)
            plan.buffers[i].graphTensor = TensorId::of(i);
        QCOMPARE(shownName(plan, BufferId::of(0)), std::string("low"));
        QCOMPARE(shownName(plan, BufferId::of(1)), std::string("z (high)"));
        QCOMPARE(bufferNamed(plan, "z"), std::optional(BufferId::of(1)));
        QCOMPARE(bufferNamed(plan, "high"), std::optional(BufferId::of(1)));
        QVERIFY(!bufferNamed(plan, "q") && !bufferNamed(plan, ""));
        QCOMPARE(explainName(plan, "z").size(), std::size_t{1});
        QCOMPARE(explainedBuffer(plan, "z").name, std::string("z (high)"));
        const auto names = explainableNames(plan);
        QVERIFY(std::find(names.begin(), names.end(), "z") != names.end());
        plan.buffers[1].cloneOf = BufferId::of(0);  // a copy is none of the file's tensors
        QVERIFY(givenName(plan, BufferId::of(1)).empty());
    }

    /// Findings call an operation by its name and the node's.
    void nodesOfTheInput_leadToTheirOperations() {
        Plan plan = crowdedPlan();
        plan.ops[0].name = "8";
        plan.ops[0].origin.node = "features_0_out";
        for (const char* name : {"8", "features_0_out", "8 (features_0_out)"}) {
            const auto found = explainName(plan, name);
            QVERIFY2(found.size() == 1, name);
            QCOMPARE(found[0].name, std::string("8"));
            QCOMPARE(found[0].facts[0], (std::pair<std::string, std::string>("made from", "features_0_out")));
        }
        QVERIFY(explainName(plan, "").empty() && explainName(plan, " ()").empty() && explainName(plan, "8 (").empty());
    }

    void operationWithoutLoops_isNotSaidToBeDivided() {
        Plan plan = crowdedPlan();
        plan.ops[0].cores = 64;
        QCOMPARE(explainName(plan, "exp").front().why, std::string());
        plan.metrics.coreUtilisation = 0.5;
        QCOMPARE(explainName(plan, "exp").front().why, std::string("the work runs on 64 cores"));
    }

    void statistics_leaveOutWhatTheMachineDoesNotHave() {
        Plan plan = crowdedPlan();
        plan.metrics.pinnedBytes = 5;
        plan.metrics.own = {{"layers", 3}};
        const QString bare = q(statisticsText(plan));
        QVERIFY2(bare.contains("peak") && bare.contains("pinned"), qPrintable(bare));
        for (const char* row : {"main memory", "bound on", "per core", "core utilisation"})
            QVERIFY2(!bare.contains(row), row);
        plan.metrics.own.clear();
        plan.metrics.upperBoundBytes = 5;
        plan.metrics.coreUtilisation = 0.5;
        const QString whole = q(statisticsText(plan));
        for (const char* row : {"main memory read", "bound on pinned", "peak, per core", "core utilisation"})
            QVERIFY2(whole.contains(row), row);
    }

    void roomFor_crowded_findsGapNeighboursAndCapacity() {
        const RoomFor room = roomFor(crowdedPlan(), BufferId::of(2));
        QCOMPARE(room.needed, 500);
        QCOMPARE(room.largestGap, 300);       // [300, 600)
        QCOMPARE(room.capacityNeeded, 1400);  // above 900
        QCOMPARE(room.neighbours.size(), std::size_t{2});
        // Without low: [0, 600); without high: [300, 1000). Either is enough.
        QCOMPARE(room.singleMoves.size(), std::size_t{2});
    }

    void roomFor_neighbourElsewhereInTime_isNoNeighbour() {
        Plan plan = crowdedPlan();
        plan.buffers[1].life = {4, 6};
        const RoomFor room = roomFor(plan, BufferId::of(2));
        QCOMPARE(room.neighbours.size(), std::size_t{1});
        QCOMPARE(room.largestGap, 700);
        QVERIFY(room.singleMoves.empty());
    }

    void roomFor_alignment_shrinksTheGap() {
        Plan plan = crowdedPlan();
        plan.memory.alignment = 128;
        const RoomFor room = roomFor(plan, BufferId::of(2));
        QCOMPARE(room.largestGap, 216);       // from 384 (300 aligned up) to 600
        QCOMPARE(room.capacityNeeded, 1524);  // 1024 + 500
    }

    void explain_noRoom_namesTheSmallestChange() {
        const Explanation e = explainedBuffer(crowdedPlan(), "loser");
        QCOMPARE(q(e.kind), "buffer");
        QCOMPARE(q(e.why), "largest gap 300 bytes");
        QVERIFY(!e.changes.empty());
        QVERIFY(q(e.changes.front()).contains("\"high\""));
        QVERIFY(q(e.changes.back()).contains("400 bytes more"));
    }

    void explain_gapExists_proposesTheExactSolver() {
        Plan plan = crowdedPlan();
        plan.buffers[1].life = {4, 6};
        QVERIFY(q(explainedBuffer(plan, "loser").changes.front()).contains("spyre.layout_solver=exact"));
        QVERIFY(plan.settings.set("spyre.layout_solver", "exact").ok());  // it has had its turn
        QVERIFY(q(explainedBuffer(plan, "loser").changes.front()).contains("a pin hint"));
    }

    void explain_onChip_hasNoChanges() {
        const Explanation e = explainedBuffer(crowdedPlan(), "low");
        QVERIFY(e.changes.empty());
        QVERIFY(q(explanationText(e)).contains("lx, address 0 to 300"));
    }

    void explain_planningOff_namesTheSwitch() {
        Plan plan = crowdedPlan();
        plan.buffers[2].reason->code = ReasonCode::PlanningOff;
        QVERIFY(q(explainedBuffer(plan, "loser").changes.front()).contains("spyre.lx_planning=true"));
    }

    void explain_mismatch_namesBothOperations() {
        Plan plan = crowdedPlan();
        plan.buffers[2].reason->code = ReasonCode::CoreDivMismatch;
        plan.buffers[2].reason->writer = OpId::of(0);
        plan.buffers[2].reason->reader = OpId::of(1);
        const QString change = q(explainedBuffer(plan, "loser").changes.front());
        QVERIFY(change.contains("\"exp\""));
        QVERIFY(change.contains("\"sum\""));
    }

    void explain_opAndBufferOfOneName_areBothFound() {
        Plan plan = crowdedPlan();
        plan.buffers[0].name = "exp";
        const auto found = explainName(plan, "exp");
        QCOMPARE(found.size(), std::size_t{2});
        QCOMPARE(q(found[0].kind), "buffer");
        QCOMPARE(q(found[1].kind), "op");
        QVERIFY(explainName(plan, "nobody").empty());
    }

    void explain_everyReason_neverFails() {
        Plan plan = crowdedPlan();
        for (const ReasonInfo& info : allReasons()) {
            plan.buffers[2].reason = Reason{};
            plan.buffers[2].reason->code = info.code;
            QVERIFY(!explainedBuffer(plan, "loser").why.empty());
        }
    }

    void statistics_countByPlaceAndReason() {
        Plan plan = crowdedPlan();
        plan.problems.push_back({Severity::Warning, "LX-018", "", "", "", "", {}, {}});
        plan.problems.push_back({Severity::Error, "VER-001", "", "", "", "", {}, {}});
        const PlanStatistics s = planStatistics(plan);
        QCOMPARE(s.onChip, 2);
        QCOMPARE(s.onChipBytes, 1200);
        QCOMPARE(s.offChip.size(), std::size_t{1});
        QCOMPARE(s.offChip.front().bytes, 1000);
        QCOMPARE(q(s.problems.front().code), "VER-001");  // errors first
        QVERIFY(q(statisticsText(plan)).contains("no_room"));
    }
};

MEMPLAN_TEST(TestExplain)
#include "tst_explain.moc"
