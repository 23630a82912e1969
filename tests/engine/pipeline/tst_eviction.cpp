// SPDX-License-Identifier: Apache-2.0
// Free renaming, eviction and kernel boundaries (spyre-scratchpad 14.1a, 14.1b, 14.6) end to end: what they save or
// cost, that the validator agrees, and that they leave alone what they cannot better.
#include "base/text.h"
#include "compile_support.h"
#include "graph/generate.h"
#include "graph/templates.h"
#include "spyre/scratchpad/eviction/renaming.h"
#include "verify/verify.h"

#include <QtTest>

using namespace memplan;
using namespace memplan::test;

namespace {

constexpr const char* kSolvers[] = {"greedy", "firstfit", "bestfit", "annealing", "exact"};
constexpr Bytes kStick = 128;

/// One core with the founding capacity of 1 677 721 B and no clones beside those that a test asks for.
Pairs oneCore(const char* solver, Pairs more = {}) {
    Pairs all{{"spyre.cores", "1"},
              {"spyre.lx_capacity_rule", "seed"},
              {"spyre.clone_inputs", "false"},
              {"spyre.layout_solver", solver}};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

/// A graph whose ops may write an older tensor's storage again.
class Storage {
public:
    explicit Storage(const char* name) : builder_(name) {}

    BufferId input(const std::string& id, std::int64_t sticks) { return builder_.input(id, {sticks, 64}); }
    BufferId wide(const std::string& id, std::int64_t sticks) { return builder_.input(id, {2, sticks, 64}); }
    BufferId op(const std::string& id, const char* fn, std::vector<BufferId> inputs) {
        return builder_.pointwise(id, fn, std::move(inputs));
    }
    void output(BufferId t) { builder_.output(t); }
    /// `again` is the storage of `first`, overwritten.
    void sameStorage(BufferId again, BufferId first) { aliases_.emplace_back(again, first); }

    [[nodiscard]] Graph build() const {
        Graph graph = builder_.build();
        for (const auto& [again, first] : aliases_)
            graph.tensors[again.at()].aliasOf = first;
        return graph;
    }

private:
    GraphBuilder builder_;
    std::vector<std::pair<BufferId, BufferId>> aliases_;
};

/// Pattern 4: A is loaded, read twice, B is, A is again; each as large as the scratchpad.
Graph simpleEviction(std::int64_t sticks = 13107) {
    Storage s("simple_eviction");
    const BufferId aHbm = s.input("A_HBM", sticks);
    const BufferId bHbm = s.input("B_HBM", sticks);
    int output = 0;
    const auto readTwice = [&](BufferId x) {
        for (int k = 0; k < 2; ++k)
            s.output(s.op("C" + std::to_string(++output), "neg", {x}));
    };
    const BufferId a = s.op("A", "exp", {aHbm});
    readTwice(a);
    readTwice(s.op("B", "exp", {bHbm}));
    const BufferId again = s.op("A_again", "exp", {aHbm});
    s.sameStorage(again, a);
    readTwice(again);
    return s.build();
}

/// Pattern 5: three small buffers together, then each of them with a large one, everything loaded anew.
Graph evictionAndReallocation(std::int64_t sticks = 4369) {
    Storage s("eviction_reallocation");
    std::vector<BufferId> hbm;
    for (int i = 0; i < 3; ++i)
        hbm.push_back(s.input("S" + std::to_string(i), sticks));
    const BufferId bHbm = s.wide("S3", sticks);
    std::vector<BufferId> first(4);
    int loads = 0;
    int output = 0;
    const auto load = [&](std::size_t member) {
        const BufferId x = s.op("load" + std::to_string(loads++), "exp", {member < 3 ? hbm[member] : bHbm});
        if (first[member].isValid()) {
            s.sameStorage(x, first[member]);
        } else {
            first[member] = x;
        }
        return x;
    };
    const auto readFourTimes = [&](const char* fn, const std::vector<BufferId>& members) {
        for (int k = 0; k < 4; ++k)
            s.output(s.op("C" + std::to_string(output++), fn, members));
    };
    std::vector<BufferId> all;
    for (std::size_t m = 0; m < 3; ++m)
        all.push_back(load(m));
    readFourTimes("where", all);
    for (std::size_t m = 0; m < 3; ++m) {
        const BufferId small = load(m);
        readFourTimes("add", {small, load(3)});
    }
    return s.build();
}

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

/// x is read, rests while y is made and read, and is read again; they do not fit together. `late` reads after the rest.
Graph restingBuffer(std::int64_t sticks, int late, int early = 2) {
    GraphBuilder b("resting");
    const BufferId a = b.input("a", {sticks, 64});
    const BufferId other = b.input("b", {sticks, 64});
    const BufferId x = b.pointwise("x", "exp", {a});
    for (int i = 0; i < early; ++i)
        b.output(b.pointwise("early" + std::to_string(i), "neg", {x}));
    const BufferId y = b.pointwise("y", "exp", {other});
    for (int i = 0; i < 3; ++i)
        b.output(b.pointwise("middle" + std::to_string(i), "neg", {y}));
    for (int i = 0; i < late; ++i)
        b.output(b.pointwise("late" + std::to_string(i), "neg", {x}));
    return b.build();
}

int opsOfType(const Plan& plan, const std::string& type) {
    return static_cast<int>(
        std::count_if(plan.ops.begin(), plan.ops.end(), [&](const PlanOp& op) { return op.type == type; }));
}

std::int64_t countOf(const Plan& plan, const std::string& pass, const std::string& key) {
    for (const PassRun& run : plan.passes) {
        if (run.name == pass && run.counts.contains(key)) return run.counts.at(key);
    }
    return -1;
}

Bytes boundaryTraffic(const Plan& plan) {
    Bytes sum = 0;
    for (const Decision& d : plan.decisions)
        sum += d.kind == "boundary_price" ? static_cast<Bytes>(d.alternatives.front().second) : 0;
    return sum;
}

/// Graphs of several shapes: chains of blocks, softmax, attention, patterns.
std::vector<Graph> suite() {
    std::vector<Graph> graphs{softmax(512, 1024, 0), softmax(1024, 2048, 1), simpleEviction(), restingBuffer(9000, 2),
                              evictionAndReallocation()};
    for (std::uint64_t seed = 0; seed < 2; ++seed)
        graphs.push_back(generateChainModel(40, seed));
    for (const TemplateInfo& info : graphTemplates()) {
        std::vector<std::int64_t> values;
        for (const TemplateParameter& p : info.parameters)
            values.push_back(p.byDefault);
        if (auto graph = makeTemplate(info.id, values)) graphs.push_back(graph.value());
    }
    return graphs;
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
    void boundaries_leaveNothingOnChip();
    void boundaries_priceIsWhatThePlanPays();
    void boundaries_roomThatBecomesFreeIsUsed();
    void boundaries_withoutTheSetting_areMarkedAndPriced();
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
        QVERIFY(verifyPlan(*with).empty());
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
        QVERIFY(verifyPlan(*on).empty());
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
    QVERIFY(on && verifyPlan(*on).empty());
    QCOMPARE(opsOfType(*on, "lx_evict"), 1);
    QCOMPARE(opsOfType(*on, "lx_reload"), 0);
    QCOMPARE(traffic(*on), 10 * 9000 * kStick);  // two loads, six results, one write, one read
    // Nothing is read before the rest: the value is written out by its producer and fetched once.
    const PlanPtr late = planOf(restingBuffer(9000, 3, 0), oneCore("firstfit", {{"spyre.eviction", "true"}}));
    QVERIFY(late && verifyPlan(*late).empty());
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
    const BufferId x = b.input("x", {9000, 64});
    const BufferId other = b.input("b", {9000, 64});
    for (int i = 0; i < 3; ++i)
        b.output(b.pointwise("early" + std::to_string(i), "neg", {x}));
    const BufferId y = b.pointwise("y", "exp", {other});
    for (int i = 0; i < 3; ++i)
        b.output(b.pointwise("middle" + std::to_string(i), "neg", {y}));
    for (int i = 0; i < 3; ++i)
        b.output(b.pointwise("late" + std::to_string(i), "neg", {x}));
    const PlanPtr on =
        planOf(b.build(), {{"spyre.cores", "1"}, {"spyre.layout_solver", "firstfit"}, {"spyre.eviction", "true"}});
    QVERIFY(on && verifyPlan(*on).empty());
    QCOMPARE(opsOfType(*on, "lx_evict"), 0);
    QCOMPARE(opsOfType(*on, "lx_reload"), 1);
    QCOMPARE(traffic(*on), (2 + 1 + 9) * 9000 * kStick);  // x twice, b, nine results
    QVERIFY(findBuffer(*on, "lx_reload_clone_x_0")->cloneOf.isValid());
}

void EvictionTest::eviction_keepsOutOfLoops() {
    // Tiled groups with everything switched on: the validator refuses a group that does not stand together.
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        Graph graph = generateChainModel(40, seed);
        const PlanPtr plan = planOf(graph, {{"spyre.cores", "4"},
                                            {"spyre.coarse_tiling", "true"},
                                            {"spyre.eviction", "true"},
                                            {"spyre.safe_boundaries", "true"}});
        QVERIFY(plan && verifyPlan(*plan).empty());
        for (const PlanOp& op : plan->ops)
            QVERIFY(!op.type.starts_with("lx_") || op.loopPath.empty());
    }
}

void EvictionTest::eviction_onSeveralCores() {
    for (const std::int64_t cores : {4, 32}) {
        const PlanPtr plan = planOf(restingBuffer(9000 * cores, 2), {{"spyre.cores", std::to_string(cores)},
                                                                     {"spyre.layout_solver", "firstfit"},
                                                                     {"spyre.eviction", "true"},
                                                                     {"spyre.clone_inputs", "false"}});
        QVERIFY(plan && verifyPlan(*plan).empty());
        QCOMPARE(traffic(*plan), 11 * 9000 * cores * kStick);
        QCOMPARE(findOp(*plan, "lx_evict_x_0")->cores, cores);
        QCOMPARE(findOp(*plan, "lx_reload_x_0")->cores, cores);
    }
}

void EvictionTest::boundaries_leaveNothingOnChip() {
    for (const Graph& graph : suite()) {
        for (const char* cores : {"1", "4", "32"}) {
            for (const char* fusion : {"true", "false"}) {
                Pairs pairs{{"spyre.cores", cores}, {"spyre.fusion", fusion}};
                const PlanPtr off = planOf(graph, {{"spyre.cores", cores}, {"spyre.lx_planning", "false"}});
                pairs.emplace_back("spyre.safe_boundaries", "true");
                const PlanPtr safe = planOf(graph, pairs);
                QVERIFY2(off && safe, graph.name.c_str());
                QVERIFY(verifyPlan(*safe).empty());
                QVERIFY2(traffic(*safe) <= traffic(*off), graph.name.c_str());
                for (const PlanKernel& k : *safe->spyre.kernels)
                    QVERIFY(!k.nonTerminal && k.liveAcross.empty());
                for (const Diagnostic& d : safe->problems)
                    QVERIFY(d.code != "LX-021");
                if (std::string(fusion) == "false") QCOMPARE(traffic(*safe), traffic(*off));
            }
        }
    }
}

void EvictionTest::boundaries_priceIsWhatThePlanPays() {
    for (const Graph& graph : suite()) {
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

void EvictionTest::boundaries_roomThatBecomesFreeIsUsed() {
    // x crosses a fallback kernel and keeps y out; without it y has the room for its whole life in one kernel.
    GraphBuilder b("refill");
    const BufferId a = b.input("a", {9000, 64});
    const BufferId x = b.pointwise("x", "exp", {a});
    const BufferId y = b.pointwise("y", "exp", {b.input("b", {9000, 64})});
    b.output(b.pointwise("z", "neg", {y}));
    b.output(b.fallback("outside", "resize", {a}, {9000, 64}));
    for (int i = 0; i < 3; ++i)
        b.output(b.pointwise("late" + std::to_string(i), "neg", {x}));
    const PlanPtr open = planOf(b.build(), oneCore("greedy"));
    const PlanPtr safe = planOf(b.build(), oneCore("greedy", {{"spyre.safe_boundaries", "true"}}));
    QVERIFY(open && safe && verifyPlan(*safe).empty());
    QVERIFY(findBuffer(*open, "x")->address && !findBuffer(*open, "y")->address);
    QVERIFY(!findBuffer(*safe, "x")->address && findBuffer(*safe, "y")->address);
    QVERIFY(findBuffer(*safe, "lx_reload_x_0")->address);
    const Bytes size = 9000 * kStick;
    QCOMPARE(countOf(*safe, "scratchpad_planning.boundaries", "bytes_saved"), 2 * size);
    QCOMPARE(boundaryTraffic(*safe), 2 * size);
    QCOMPARE(traffic(*safe), traffic(*open));
}

void EvictionTest::boundaries_withoutTheSetting_areMarkedAndPriced() {
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
    for (const PlanKernel& k : *plan->spyre.kernels) {
        QCOMPARE(k.nonTerminal, !k.liveAcross.empty());
        marked = marked || k.nonTerminal;
    }
    QVERIFY(marked && !plan->spyre.kernels->back().nonTerminal);
}

void EvictionTest::suite_neverCostsTrafficAndIsClean_data() {
    QTest::addColumn<QString>("solver");
    QTest::addColumn<QString>("cores");
    for (const char* solver : kSolvers) {
        for (const char* cores : {"1", "4", "32"})
            QTest::addRow("%s on %s", solver, cores) << solver << cores;
    }
}

void EvictionTest::suite_neverCostsTrafficAndIsClean() {
    QFETCH(QString, solver);
    QFETCH(QString, cores);
    for (const Graph& graph : suite()) {
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
                QVERIFY(verifyPlan(*on).empty());
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
    const auto bufferNamed = [&](const char* name) {
        for (std::size_t i = 0; i < good->buffers.size(); ++i) {
            if (good->buffers[i].name == name) return BufferId::of(i);
        }
        return BufferId{};
    };
    // The reload reads another buffer than the one that was written out.
    Plan other = *good;
    const BufferId wrong = bufferNamed("early0");
    for (PlanOp& op : other.ops) {
        if (op.type != "lx_reload") continue;
        op.inputs = {wrong};
        op.accesses.front().buffer = wrong;
        op.iterationSpace.front().extent += 1;
    }
    QVERIFY(!verifyPlan(other).empty());
    // Somebody writes the copy while it waits.
    Plan again = *good;
    for (PlanOp& op : again.ops) {
        if (op.name == "middle0") op.outputs.push_back(bufferNamed("lx_evict_x_0"));
    }
    QVERIFY(has(again, "VER-014"));
    // y lies where x is while x is still needed.
    Plan early = *good;
    for (PlanOp& op : early.ops) {
        if (op.name != "late0") continue;
        op.inputs = {bufferNamed("x")};
        op.accesses.front().buffer = bufferNamed("x");
    }
    QVERIFY(has(early, "VER-014"));
    // A boundary that is not said.
    Plan hidden = *good;
    for (PlanKernel& k : *hidden.spyre.kernels)
        k.nonTerminal = !k.nonTerminal;
    QVERIFY(has(hidden, "VER-013"));
}

QTEST_GUILESS_MAIN(EvictionTest)
#include "tst_eviction.moc"
