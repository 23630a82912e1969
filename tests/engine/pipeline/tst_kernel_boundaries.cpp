// SPDX-License-Identifier: Apache-2.0
// Kernel boundaries (spyre-scratchpad 14.6) end to end: what stays on chip across one is marked and priced, and the
// safe mode leaves nothing there.
#include "engine/plan/spyre_data.h"
#include "tests/engine/pipeline/eviction_support.h"
#include "tests/support/program.h"

#include <QTest>

using namespace memplan;
using namespace memplan::test;

namespace {

Bytes boundaryTraffic(const Plan& plan) {
    Bytes sum = 0;
    for (const Decision& d : plan.decisions)
        sum += d.kind == DecisionKind::BoundaryPrice ? static_cast<Bytes>(d.alternatives.front().score) : 0;
    return sum;
}

}  // namespace

class KernelBoundariesTest : public QObject {
    Q_OBJECT

private slots:
    void leaveNothingOnChip();
    void priceIsWhatThePlanPays();
    void roomThatBecomesFreeIsUsed();
    void roomInPieces_isFoundBySolvingAgain_data();
    void roomInPieces_isFoundBySolvingAgain();
    void whatLostThePacking_staysInsideKernels();
    void withoutTheSetting_areMarkedAndPriced();
};

void KernelBoundariesTest::leaveNothingOnChip() {
    for (const Graph& graph : evictionSuite()) {
        for (const char* cores : {"1", "4", "32"}) {
            for (const char* fusion : {"true", "false"}) {
                Pairs pairs{{"spyre.cores", cores}, {"spyre.fusion", fusion}};
                const PlanPtr off = planOf(graph, {{"spyre.cores", cores}, {"spyre.lx_planning", "false"}});
                pairs.emplace_back("spyre.safe_boundaries", "true");
                const PlanPtr safe = planOf(graph, pairs);
                QVERIFY2(off && safe, graph.name.c_str());
                QCOMPARE(fileFault(*safe), std::string());
                QVERIFY2(traffic(*safe) <= traffic(*off), graph.name.c_str());
                for (const PlanKernel& k : *spyreData(*safe).kernels)
                    QVERIFY(!k.nonTerminal && k.liveAcross.empty());
                for (const Diagnostic& d : safe->problems)
                    QVERIFY(d.code != "LX-021");
                if (std::string(fusion) == "false") QCOMPARE(traffic(*safe), traffic(*off));
            }
        }
    }
}

void KernelBoundariesTest::priceIsWhatThePlanPays() {
    for (const Graph& graph : evictionSuite()) {
        for (const char* cores : {"1", "4"}) {
            Pairs pairs{{"spyre.cores", cores}, {"spyre.ring_transfers", "true"}};
            const PlanPtr open = planOf(graph, pairs);
            pairs.emplace_back("spyre.safe_boundaries", "true");
            const PlanPtr safe = planOf(graph, pairs);
            QVERIFY2(open && safe, graph.name.c_str());
            const auto count = [&](const char* key) { return countOf(*safe, "scratchpad_planning.boundaries", key); };
            QCOMPARE(traffic(*safe) - traffic(*open), count("traffic_price_bytes"));
            QCOMPARE(count("traffic_price_bytes"), boundaryTraffic(*safe) - count("bytes_saved"));
        }
    }
}

void KernelBoundariesTest::roomThatBecomesFreeIsUsed() {
    // x crosses a fallback kernel and keeps y out; without it y has the room for its whole life in one kernel.
    GraphBuilder b("refill");
    const TensorId a = b.input("a", {9000, 64});
    const TensorId x = b.pointwise("x", "exp", {a});
    const TensorId y = b.pointwise("y", "exp", {b.input("b", {9000, 64})});
    b.output(b.pointwise("z", "neg", {y}));
    b.output(b.fallback("outside", "resize", {a}, {9000, 64}));
    for (int i = 0; i < 3; ++i)
        b.output(b.pointwise("late" + std::to_string(i), "neg", {x}));
    const PlanPtr open = planOf(b.build(), oneCore("greedy"));
    const PlanPtr safe = planOf(b.build(), oneCore("greedy", {{"spyre.safe_boundaries", "true"}}));
    QVERIFY(open && safe);
    QCOMPARE(fileFault(*safe), std::string());
    QVERIFY(findBuffer(*open, "x")->address && !findBuffer(*open, "y")->address);
    QVERIFY(!findBuffer(*safe, "x")->address && findBuffer(*safe, "y")->address);
    QVERIFY(findBuffer(*safe, "lx_reload_x_0")->address);
    const Bytes size = 9000 * kStick;
    QCOMPARE(countOf(*safe, "scratchpad_planning.boundaries", "bytes_saved"), 2 * size);
    QCOMPARE(boundaryTraffic(*safe), 2 * size);
    QCOMPARE(traffic(*safe), traffic(*open));
}

void KernelBoundariesTest::roomInPieces_isFoundBySolvingAgain_data() {
    QTest::addColumn<QString>("solver");
    for (const char* solver : {"greedy", "firstfit", "bestfit", "annealing", "exact"})
        QTest::newRow(solver) << solver;
}

void KernelBoundariesTest::roomInPieces_isFoundBySolvingAgain() {
    QFETCH(QString, solver);
    // x is at 0 and leaves at the boundary. y stands behind it, so w fits neither in front of y nor behind it.
    GraphBuilder b("pieces");
    const TensorId x = b.pointwise("x", "exp", {b.input("a", {5000, 64})});
    const TensorId y = b.pointwise("y", "exp", {b.input("b", {3000, 64})});
    const TensorId w = b.pointwise("w", "exp", {b.input("c", {8000, 64})});
    b.output(b.pointwise("zy", "neg", {y}));
    b.output(b.pointwise("zw", "neg", {w}));
    b.output(b.fallback("outside", "resize", {b.input("d", {64, 64})}, {64, 64}));
    for (int i = 0; i < 3; ++i)
        b.output(b.pointwise("late" + std::to_string(i), "neg", {x}));
    const Graph graph = b.build();
    const PlanPtr open = planOf(graph, oneCore(solver.toUtf8().constData()));
    const PlanPtr safe = planOf(graph, oneCore(solver.toUtf8().constData(), {{"spyre.safe_boundaries", "true"}}));
    QVERIFY(open && safe);
    QCOMPARE(fileFault(*safe), std::string());
    QVERIFY(findBuffer(*safe, "y")->address && findBuffer(*safe, "w")->address);
    QVERIFY(!findBuffer(*safe, "x")->address && findBuffer(*safe, "lx_reload_x_0")->address);
    // x is written and fetched; y and w move nothing.
    QCOMPARE(traffic(*safe), (2 * 5000 + 2 * 3000 + 2 * 8000 + 2 * 64 + 4 * 5000) * kStick);
    QCOMPARE(traffic(*safe) - traffic(*open), countOf(*safe, "scratchpad_planning.boundaries", "traffic_price_bytes"));
}

void KernelBoundariesTest::whatLostThePacking_staysInsideKernels() {
    // x and y do not fit together. x leaves in front of the fallback, so y has room for its uses until then.
    GraphBuilder b("lost");
    const TensorId a = b.input("a", {9000, 64});
    const TensorId x = b.pointwise("x", "exp", {a});
    const TensorId y = b.pointwise("y", "exp", {b.input("b", {9000, 64})});
    for (int i = 0; i < 2; ++i)
        b.output(b.pointwise("early" + std::to_string(i), "neg", {y}));
    b.output(b.fallback("outside", "resize", {b.input("d", {64, 64})}, {64, 64}));
    for (int i = 0; i < 3; ++i)
        b.output(b.pointwise("late" + std::to_string(i), "neg", {x}));
    b.output(b.pointwise("last", "neg", {y}));
    const PlanPtr open = planOf(b.build(), oneCore("greedy"));
    const PlanPtr safe = planOf(b.build(), oneCore("greedy", {{"spyre.safe_boundaries", "true"}}));
    QVERIFY(open && safe);
    QCOMPARE(fileFault(*safe), std::string());
    QVERIFY(findBuffer(*open, "x")->address && !findBuffer(*open, "y")->address);
    QVERIFY(findBuffer(*safe, "y")->address && findBuffer(*safe, "lx_reload_x_0")->address);
    // In: a, b, x fetched, y read once. Out: x, y, the six results.
    QCOMPARE(traffic(*safe), (4 + 8) * Bytes{9000} * kStick + 2 * 64 * kStick);
    for (const PlanKernel& k : *spyreData(*safe).kernels)
        QVERIFY(k.liveAcross.empty());
}

void KernelBoundariesTest::withoutTheSetting_areMarkedAndPriced() {
    const Graph graph = softmax(512, 1024, 0);
    const PlanPtr plan = planOf(graph, {{"spyre.cores", "1"}, {"spyre.fusion", "false"}});
    QVERIFY(plan);
    const PlanPtr off = planOf(graph, {{"spyre.cores", "1"}, {"spyre.lx_planning", "false"}});
    // Every buffer would have to leave: the price is all that planning saved.
    QCOMPARE(boundaryTraffic(*plan), traffic(*off) - traffic(*plan));
    int notes = 0;
    for (const Diagnostic& d : plan->problems) {
        if (d.code != "LX-021") continue;
        ++notes;
        QVERIFY(d.message.find("B a core") != std::string::npos);
        QVERIFY(d.message.find("B of traffic") != std::string::npos);
        QVERIFY(d.hint.find("spyre.safe_boundaries") != std::string::npos);
    }
    QVERIFY(notes > 0);
    bool marked = false;
    for (const PlanKernel& k : *spyreData(*plan).kernels) {
        QCOMPARE(k.nonTerminal, !k.liveAcross.empty());
        marked = marked || k.nonTerminal;
    }
    QVERIFY(marked && !spyreData(*plan).kernels->back().nonTerminal);
}

MEMPLAN_TEST(KernelBoundariesTest)
#include "tst_kernel_boundaries.moc"
