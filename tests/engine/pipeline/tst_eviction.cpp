// SPDX-License-Identifier: Apache-2.0
// Free renaming and eviction (spyre-scratchpad 14.1a, 14.1b) end to end: what they save, that the validator agrees,
// and that they leave alone what they cannot better.
#include "engine/base/text.h"
#include "engine/graph/generate.h"
#include "engine/plan/spyre_data.h"
#include "engine/spyre/scratchpad/eviction/renaming.h"
#include "engine/target/verify.h"
#include "tests/engine/pipeline/eviction_support.h"
#include "tests/support/plan_lookup.h"
#include "tests/support/program.h"
#include "tests/support/thinned.h"

#include <QTest>

#include <array>

using namespace memplan;
using namespace memplan::test;

namespace {

constexpr const char* kSolvers[] = {"greedy", "firstfit", "bestfit", "annealing", "exact"};

/// Everything that has to pass main memory: each load reads an original, each result is written.
Bytes leastTraffic(const Plan& plan) {
    Bytes sum = 0;
    for (const PlanOp& op : plan.ops) {
        for (const BufferId in : op.inputs)
            sum += plan.buffer(in).role == BufferRole::GraphInput ? plan.buffer(in).size : 0;
        for (const BufferId out : op.outputs)
            sum += plan.buffer(out).role == BufferRole::GraphOutput ? plan.buffer(out).size : 0;
    }
    return sum;
}

int opsOfType(const Plan& plan, const std::string& type) {
    return static_cast<int>(
        std::count_if(plan.ops.begin(), plan.ops.end(), [&](const PlanOp& op) { return op.type == type; }));
}

}  // namespace

class EvictionTest : public QObject {
    Q_OBJECT

private slots:
    void patterns4And5_reachGoodWithRenaming_data();
    void patterns4And5_reachGoodWithRenaming();
    void renaming_leavesPartialWritesAndStateAlone();
    void renaming_withoutGain_changesNothing();
    void eviction_writesOutAndFetchesBack();
    void eviction_readsMainMemoryWhenOneReadIsLeft();
    void eviction_ofAPlacedBuffer_makesRoom();
    void eviction_ofACleanBuffer_writesNothing();
    void eviction_keepsOutOfLoops();
    void eviction_onSeveralCores();
    void suite_neverCostsTrafficAndIsClean_data();
    void suite_neverCostsTrafficAndIsClean();
    void validator_findsABrokenReload();
};

void EvictionTest::patterns4And5_reachGoodWithRenaming_data() {
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("solver");
    for (const char* rule : {"seed", "reserved64k"}) {
        for (const char* solver : kSolvers)
            QTest::addRow("%s %s", rule, solver) << rule << solver;
    }
}

void EvictionTest::patterns4And5_reachGoodWithRenaming() {
    QFETCH(QString, rule);
    QFETCH(QString, solver);
    const bool seed = rule == "seed";
    const std::int64_t whole = (seed ? 1'677'721 : 1'625'344) / kStick;
    const std::int64_t third = (seed ? 559'232 : 541'696) / kStick;
    for (const Graph& graph : {simpleEviction(whole), evictionAndReallocation(third)}) {
        const std::string name = solver.toStdString();
        Pairs off = oneCore(name.c_str(), {{"spyre.lx_capacity_rule", rule.toStdString()}});
        Pairs on = off;
        on.emplace_back("spyre.free_renaming", "true");
        const PlanPtr without = planOf(graph, off);
        const PlanPtr with = planOf(graph, on);
        QVERIFY(without && with);
        QVERIFY2(traffic(*without) > leastTraffic(*without), graph.name.c_str());
        QCOMPARE(traffic(*with), leastTraffic(*with));
        QCOMPARE(fileFault(*with), std::string());
        QCOMPARE(countOf(*with, "scratchpad_planning.free_renaming", "bytes_saved"),
                 traffic(*without) - traffic(*with));
    }
    const PlanPtr parts = planOf(simpleEviction(whole), oneCore("greedy", {{"spyre.free_renaming", "true"}}));
    QVERIFY(parts && findBuffer(*parts, "A.0") && findBuffer(*parts, "A.1") && !findBuffer(*parts, "A"));
    QCOMPARE(findBuffer(*parts, "A.0")->life.end, findBuffer(*parts, "B")->life.begin);
}

void EvictionTest::renaming_leavesPartialWritesAndStateAlone() {
    using namespace spyre;
    Program p;
    Buffer b;
    b.name = "x";
    b.size = {4, 8};
    b.stride = {8, 1};
    p.buffers = {b};
    const auto writer = [](std::int64_t rows, std::vector<std::int64_t> coefficients) {
        spyre::Op op;
        op.name = "w";
        op.fn = "exp";
        op.loops = {{"d0", rows, false}, {"d1", 8, false}};
        op.write = {BufferId::of(0), {std::move(coefficients), 0}, false};
        return op;
    };
    p.ops = {writer(4, {8, 1}), writer(4, {8, 1})};
    QCOMPARE(findRenamings(p, {}).size(), std::size_t{1});
    QVERIFY(findRenamings(p, {BufferId::of(0)}).empty());
    p.ops[1] = writer(2, {8, 1});  // half of the rows
    QVERIFY(findRenamings(p, {}).empty());
    p.ops[1] = writer(4, {8, 0});  // one column
    QVERIFY(findRenamings(p, {}).empty());
    p.ops[1] = writer(4, {8, 1});
    p.ops[1].write.index.offset = 8;
    QVERIFY(findRenamings(p, {}).empty());
    p.ops[1] = writer(4, {8, 1});
    p.ops[1].reads.push_back(p.ops[1].write);  // an update
    QVERIFY(findRenamings(p, {}).empty());
    p.ops[1] = writer(4, {8, 1});
    p.ops[1].loop.groupId = {0};
    p.ops[1].loop.counts = {2};
    QVERIFY(findRenamings(p, {}).empty());
    p.ops[1] = writer(4, {8, 1});
    p.buffers[0].kind = BufferKind::Input;  // state of the caller
    QVERIFY(findRenamings(p, {}).empty());
}

void EvictionTest::renaming_withoutGain_changesNothing() {
    // No part of it fits.
    for (const std::int64_t sticks : {std::int64_t{20'000}, std::int64_t{100'000}}) {
        const Graph graph = simpleEviction(sticks);
        const PlanPtr off = planOf(graph, oneCore("greedy"));
        const PlanPtr on = planOf(graph, oneCore("greedy", {{"spyre.free_renaming", "true"}}));
        QVERIFY(off && on);
        QCOMPARE(traffic(*on), traffic(*off));
        QVERIFY(findBuffer(*on, "A") != nullptr);
        QCOMPARE(countOf(*on, "scratchpad_planning.free_renaming", "bytes_saved"), std::int64_t{0});
    }
}

void EvictionTest::eviction_writesOutAndFetchesBack() {
    const Bytes size = 9000 * kStick;
    const Graph graph = restingBuffer(9000, 2);
    for (const char* solver : kSolvers) {
        const PlanPtr off = planOf(graph, oneCore(solver));
        const PlanPtr on = planOf(graph, oneCore(solver, {{"spyre.eviction", "true"}}));
        QVERIFY2(off && on, solver);
        QCOMPARE(fileFault(*on), std::string());
        // Two loads, seven results, one transfer each way.
        QCOMPARE(traffic(*on), 11 * size);
        QVERIFY(traffic(*on) < traffic(*off));
        QCOMPARE(countOf(*on, "scratchpad_planning.evict_reload", "bytes_saved"), traffic(*off) - traffic(*on));
        const PlanOp* evict = findOp(*on, "lx_evict_x_0");
        const PlanOp* reload = findOp(*on, "lx_reload_x_0");
        QVERIFY(evict && reload);
        QCOMPARE(evict->type, std::string("lx_evict"));
        QCOMPARE(evict->offChipWrite, size);
        QCOMPARE(evict->offChipRead, Bytes{0});
        QCOMPARE(reload->offChipRead, size);
        QCOMPARE(reload->offChipWrite, Bytes{0});
        QVERIFY(findBuffer(*on, "x")->address && findBuffer(*on, "y")->address);
        QVERIFY(findBuffer(*on, "lx_reload_x_0")->address);
        QCOMPARE(reasonName(*on, "lx_evict_x_0"), std::string("op_not_allowed"));
        Bytes saved = 0;
        for (const PlanBuffer& b : on->buffers)
            saved += b.trafficSaved;
        const PlanPtr none = planOf(graph, oneCore(solver, {{"spyre.lx_planning", "false"}}));
        QCOMPARE(saved, traffic(*none) - traffic(*on));
    }
}

void EvictionTest::eviction_readsMainMemoryWhenOneReadIsLeft() {
    const PlanPtr on = planOf(restingBuffer(9000, 1), oneCore("firstfit", {{"spyre.eviction", "true"}}));
    QVERIFY(on);
    QCOMPARE(fileFault(*on), std::string());
    QCOMPARE(opsOfType(*on, "lx_evict"), 1);
    QCOMPARE(opsOfType(*on, "lx_reload"), 0);
    QCOMPARE(traffic(*on), 10 * 9000 * kStick);  // two loads, six results, one write, one read
    // Nothing is read before the rest: the value is written out by its producer and fetched once.
    const PlanPtr late = planOf(restingBuffer(9000, 3, 0), oneCore("firstfit", {{"spyre.eviction", "true"}}));
    QVERIFY(late);
    QCOMPARE(fileFault(*late), std::string());
    QCOMPARE(opsOfType(*late, "lx_evict"), 0);
    QCOMPARE(opsOfType(*late, "lx_reload"), 1);
    QCOMPARE(traffic(*late), 10 * 9000 * kStick);
}

void EvictionTest::eviction_ofAPlacedBuffer_makesRoom() {
    // Greedy gives x the room because it comes first.
    const PlanPtr off = planOf(restingBuffer(9000, 2), oneCore("greedy"));
    QVERIFY(off && findBuffer(*off, "x")->address && !findBuffer(*off, "y")->address);
    const PlanPtr on = planOf(restingBuffer(9000, 2), oneCore("greedy", {{"spyre.eviction", "true"}}));
    QVERIFY(on && findBuffer(*on, "y")->address);
    // With room for both nothing moves.
    const PlanPtr small = planOf(restingBuffer(1000, 2), oneCore("greedy", {{"spyre.eviction", "true"}}));
    QVERIFY(small);
    QCOMPARE(opsOfType(*small, "lx_evict") + opsOfType(*small, "lx_reload"), 0);
    QCOMPARE(countOf(*small, "scratchpad_planning.evict_reload", "bytes_saved"), std::int64_t{0});
}

void EvictionTest::eviction_ofACleanBuffer_writesNothing() {
    GraphBuilder b("clean");
    const TensorId x = b.input("x", {9000, 64});
    const TensorId other = b.input("b", {9000, 64});
    for (int i = 0; i < 3; ++i)
        b.output(b.pointwise("early" + std::to_string(i), "neg", {x}));
    const TensorId y = b.pointwise("y", "exp", {other});
    for (int i = 0; i < 3; ++i)
        b.output(b.pointwise("middle" + std::to_string(i), "neg", {y}));
    for (int i = 0; i < 3; ++i)
        b.output(b.pointwise("late" + std::to_string(i), "neg", {x}));
    const PlanPtr on =
        planOf(b.build(), {{"spyre.cores", "1"}, {"spyre.layout_solver", "firstfit"}, {"spyre.eviction", "true"}});
    QVERIFY(on);
    QCOMPARE(fileFault(*on), std::string());
    QCOMPARE(opsOfType(*on, "lx_evict"), 0);
    QCOMPARE(opsOfType(*on, "lx_reload"), 1);
    QCOMPARE(traffic(*on), (2 + 1 + 9) * 9000 * kStick);  // x twice, b, nine results
    QVERIFY(findBuffer(*on, "lx_reload_clone_x_0")->cloneOf.isValid());
}

void EvictionTest::eviction_keepsOutOfLoops() {
    // Tiled groups with everything switched on: the validator refuses a group that does not stand together.
    int inLoops = 0, copies = 0;
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        Graph graph = generateChainModel(40, seed);
        const PlanPtr plan = planOf(graph, {{"spyre.cores", "4"},
                                            {"spyre.coarse_tiling", "true"},
                                            {"spyre.eviction", "true"},
                                            {"spyre.safe_boundaries", "true"},
                                            {"spyre.lx_reserved_fraction", "0.7"},
                                            {"spyre.co_optimize", "true"},
                                            {"spyre.co_optimize_tilings", "true"}});
        QVERIFY(plan);
        QCOMPARE(fileFault(*plan), std::string());
        for (const PlanOp& op : plan->ops) {
            const bool isCopy = op.type.starts_with("lx_");
            QVERIFY(!isCopy || op.loopPath.empty());
            copies += isCopy ? 1 : 0;
            inLoops += op.loopPath.empty() ? 0 : 1;
        }
    }
    QVERIFY2(copies > 0 && inLoops > 0, qPrintable(QString("%1 copies, %2 ops in loops").arg(copies).arg(inLoops)));
}

void EvictionTest::eviction_onSeveralCores() {
    for (const std::int64_t cores : {4, 32}) {
        const PlanPtr plan = planOf(restingBuffer(9000 * cores, 2), {{"spyre.cores", std::to_string(cores)},
                                                                     {"spyre.layout_solver", "firstfit"},
                                                                     {"spyre.eviction", "true"},
                                                                     {"spyre.clone_inputs", "false"}});
        QVERIFY(plan);
        QCOMPARE(fileFault(*plan), std::string());
        QCOMPARE(traffic(*plan), 11 * 9000 * cores * kStick);
        QCOMPARE(findOp(*plan, "lx_evict_x_0")->cores, cores);
        QCOMPARE(findOp(*plan, "lx_reload_x_0")->cores, cores);
    }
}

void EvictionTest::suite_neverCostsTrafficAndIsClean_data() {
    QTest::addColumn<QString>("solver");
    QTest::addColumn<QString>("cores");
    const std::array<const char*, 3> cores = {"4", "1", "32"};
    for (const char* solver : kSolvers) {
        for (std::size_t i = 0; i < test::thinned(cores.size()); ++i)
            QTest::addRow("%s on %s", solver, cores[i]) << solver << cores[i];
    }
}

void EvictionTest::suite_neverCostsTrafficAndIsClean() {
    QFETCH(QString, solver);
    QFETCH(QString, cores);
    for (const Graph& graph : evictionSuite()) {
        for (const char* preset : {"product", "seed"}) {
            Pairs base{{"preset", preset},
                       {"spyre.lx_planning", "true"},
                       {"spyre.cores", cores.toStdString()},
                       {"spyre.layout_solver", solver.toStdString()}};
            if (solver == "exact" || solver == "annealing") base.emplace_back("spyre.annealing_steps", "200");
            const PlanPtr off = planOf(graph, base);
            QVERIFY2(off, graph.name.c_str());
            Bytes last = traffic(*off);
            for (const char* setting : {"spyre.free_renaming", "spyre.eviction"}) {
                base.emplace_back(setting, "true");
                const PlanPtr on = planOf(graph, base);
                QVERIFY2(on, graph.name.c_str());
                QCOMPARE(fileFault(*on), std::string());
                QVERIFY2(traffic(*on) <= last, graph.name.c_str());
                last = traffic(*on);
            }
        }
    }
}

void EvictionTest::validator_findsABrokenReload() {
    const PlanPtr good = planOf(restingBuffer(9000, 2), oneCore("greedy", {{"spyre.eviction", "true"}}));
    QVERIFY(good);
    const auto has = [](const Plan& plan, const char* code) {
        const auto found = verifyPlan(plan);
        return std::any_of(found.begin(), found.end(), [&](const Diagnostic& d) { return d.code == code; });
    };
    QVERIFY(!has(*good, "VER-014"));
    // The reload reads another buffer than the one that was written out.
    Plan other = *good;
    const BufferId wrong = bufferNamed(*good, "early0");
    for (PlanOp& op : other.ops) {
        if (op.type != "lx_reload") continue;
        op.inputs = {wrong};
        op.accesses.front().buffer = wrong;
        op.iterationSpace.front().extent += 1;
    }
    QVERIFY(has(other, "VER-013"));
    // Somebody writes the copy while it waits.
    Plan again = *good;
    for (PlanOp& op : again.ops) {
        if (op.name == "middle0") op.outputs.push_back(bufferNamed(*good, "lx_evict_x_0"));
    }
    QVERIFY(has(again, "VER-014"));
    // y lies where x is while x is still needed.
    Plan early = *good;
    for (PlanOp& op : early.ops) {
        if (op.name != "late0") continue;
        op.inputs = {bufferNamed(*good, "x")};
        op.accesses.front().buffer = bufferNamed(*good, "x");
    }
    QVERIFY(has(early, "VER-014"));
    // A boundary that is not said.
    Plan hidden = *good;
    for (PlanKernel& k : *editSpyreData(hidden).kernels)
        k.nonTerminal = !k.nonTerminal;
    QVERIFY(has(hidden, "VER-013"));
}

MEMPLAN_TEST(EvictionTest)
#include "tst_eviction.moc"
