// SPDX-License-Identifier: Apache-2.0
// Operation re-ordering (spyre-scratchpad 14.2) and copies by placement (9.2, 14.3, 14.4): gains, what must not move,
// the hint that repeats an order, and a validator that sees through wrong claims.
#include "engine/advice/compact_plan.h"
#include "engine/io/plan/plan_json.h"
#include "engine/plan/spyre_data.h"
#include "engine/spyre/advice/order_hint.h"
#include "engine/target/verify.h"
#include "tests/support/program.h"
#include "tests/support/thinned.h"
#include "tests/support/tiling_support.h"

#include <QTest>

using namespace memplan;
using namespace memplan::test;

namespace {

const Pairs kOneCore = {{"spyre.cores", "1"}};

Pairs plus(Pairs base, const Pairs& more) {
    base.insert(base.end(), more.begin(), more.end());
    return base;
}

const Pairs kReorder = plus(kOneCore, {{"spyre.reorder_ops", "true"}});
const Pairs kAll = {{"spyre.reorder_ops", "true"}, {"spyre.solver_clones", "true"}, {"spyre.boundary_clones", "true"}};

std::vector<std::string> opNames(const Plan& plan) {
    std::vector<std::string> names;
    for (const PlanOp& op : plan.ops)
        names.push_back(op.name);
    return names;
}

std::size_t stepOf(const Plan& plan, const std::string& op) {
    const auto names = opNames(plan);
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), op) - names.begin());
}

std::int64_t countOf(const Plan& plan, const std::string& pass, const std::string& key) {
    for (const PassRun& run : plan.passes) {
        if (run.name == pass && run.counts.contains(key)) return run.counts.at(key);
    }
    return -1;
}

/// Two chains of 1 MiB buffers, written side by side: together they do not fit 1 677 721 B.
Graph twoChains(bool kernelBetween = false) {
    GraphBuilder b("two chains");
    const TensorId x = b.input("x", {512, 1024});
    const TensorId y = b.input("y", {512, 1024});
    const TensorId a1 = b.pointwise("a1", "exp", {x});
    const TensorId b1 = b.pointwise("b1", "exp", {y});
    if (kernelBetween) b.output(b.fallback("f", "resize", {b.input("z", {64, 64})}, {64, 64}));
    const TensorId a2 = b.pointwise("a2", "neg", {a1});
    const TensorId b2 = b.pointwise("b2", "neg", {b1});
    b.output(b.reduction("a3", "sum", a2, {1}));
    b.output(b.reduction("b3", "sum", b2, {1}));
    return b.build();
}

/// A random network of [256, 512] tensors (256 KiB) with several readers and outputs.
Graph randomNetwork(std::uint64_t seed, int ops) {
    GraphBuilder b("network " + std::to_string(seed));
    std::uint64_t state = seed * 0x9e3779b97f4a7c15ULL + 1;
    const auto draw = [&](std::uint64_t n) {
        state ^= state << 13U;
        state ^= state >> 7U;
        state ^= state << 17U;
        return static_cast<std::size_t>(state % n);
    };
    std::vector<TensorId> values{b.input("x", {256, 512}), b.input("y", {256, 512}), b.parameter("w", {256, 512})};
    for (int i = 0; i < ops; ++i) {
        const std::string name = "op" + std::to_string(i);
        const TensorId p = values[draw(values.size())];
        const TensorId q = values[draw(values.size())];
        switch (draw(6)) {
        case 0:
            values.push_back(b.pointwise(name, "exp", {p}));
            break;
        case 1: {
            const TensorId row = b.reduction(name + "r", "sum", p, {static_cast<int>(draw(2))});
            values.push_back(b.pointwise(name, "mul", {q, row}));
            break;
        }
        case 2:
            values.push_back(b.transpose(name, b.transpose(name + "t", p, {1, 0}), {1, 0}));
            break;
        default:
            values.push_back(b.pointwise(name, "add", {p, q}));
        }
        if (draw(5) == 0 || i + 1 == ops) b.output(values.back());
    }
    return b.build();
}

}  // namespace

class ReorderTest : public QObject {
    Q_OBJECT

private slots:
    void reorder_letsBothChainsLiveOnChip();
    void reorder_isRepeatedByItsHint();
    void reorder_standsInThePlanFile();
    void reorder_withoutGain_leavesTheOrder();
    void reorder_crossesNoOutsideKernel();
    void reorder_keepsLoopsInOnePiece();
    void reorder_leavesTheUsersOrder();
    void outputClone_keepsTheOutputOnChip();
    void outputClone_notForViewsAndUnreadOutputs();
    void solverClones_serveGroupsOfReaders();
    void solverClones_beatTheBudget();
    void validator_seesWrongOrders();
    void validator_seesWrongCopies();
    void compact_asHints_reproducesThePlan();
    void networks_neverMoveMoreBytes_data();
    void networks_neverMoveMoreBytes();
    void everySolver_acceptsAllSwitches();
    void export_worksWithAllSwitches();
    void thousandOps_reachTheLimit();
};

void ReorderTest::reorder_letsBothChainsLiveOnChip() {
    const PlanPtr off = planOf(twoChains(), kOneCore);
    const PlanPtr on = planOf(twoChains(), kReorder);
    QVERIFY(off && on);
    QVERIFY(!findBuffer(*off, "b1")->address || !findBuffer(*off, "a1")->address);
    for (const char* name : {"a1", "a2", "b1", "b2"})
        QVERIFY2(findBuffer(*on, name)->address, name);
    // Each of the lost buffers was written and read once: 1 MiB each time.
    QVERIFY(traffic(*off) - traffic(*on) >= 2 * 1048576);
    QVERIFY(spyreData(*on).operationOrder);
    QCOMPARE(spyreData(*on).operationOrder->trafficBefore, traffic(*off));
    QCOMPARE(spyreData(*on).operationOrder->trafficAfter, traffic(*on));
    QCOMPARE(countOf(*on, "scratchpad_planning.reorder_ops", "bytes_saved"), traffic(*off) - traffic(*on));
    QCOMPARE(fileFault(*on), std::string());
}

void ReorderTest::reorder_isRepeatedByItsHint() {
    const PlanPtr on = planOf(twoChains(), kReorder);
    const std::vector<Hint> hints = spyre::orderAsHint(*on);
    QCOMPARE(hints.size(), std::size_t{1});
    const PlanPtr again = plan(twoChains(), hints, kOneCore);
    QVERIFY(again);
    QCOMPARE(again->hintStates.front(), std::string("applied"));
    QCOMPARE(opNames(*again), opNames(*on));
    QCOMPARE(traffic(*again), traffic(*on));
}

void ReorderTest::reorder_standsInThePlanFile() {
    const PlanPtr on = planOf(twoChains(), kReorder);
    QVERIFY(on && spyreData(*on).operationOrder);
    const std::string text = io::writePlanJson(*on);
    QVERIFY(text.find("\"operation_order\"") != std::string::npos);
    const auto again = io::readPlanJson(text);
    QVERIFY(again.ok());
    QVERIFY(spyreData(again.value()).operationOrder.has_value());
    QVERIFY(*spyreData(again.value()).operationOrder == *spyreData(*on).operationOrder);
    QVERIFY(!spyreData(again.value()).operationOrder->original.empty() &&
            !spyreData(again.value()).operationOrder->method.empty());
    QCOMPARE(io::writePlanJson(again.value()), text);
    // A plan whose order did not change has none.
    const auto plain = io::readPlanJson(io::writePlanJson(*planOf(twoChains(), kOneCore)));
    QVERIFY(plain.ok() && !spyreData(plain.value()).operationOrder);
}

void ReorderTest::reorder_withoutGain_leavesTheOrder() {
    const Graph graph = softmax(512, 1024, 0);
    const PlanPtr off = planOf(graph, kOneCore);
    const PlanPtr on = planOf(graph, kReorder);
    QVERIFY(!spyreData(*on).operationOrder);
    QCOMPARE(opNames(*on), opNames(*off));
    QCOMPARE(countOf(*on, "scratchpad_planning.reorder_ops", "bytes_saved"), std::int64_t{0});
}

void ReorderTest::reorder_crossesNoOutsideKernel() {
    const PlanPtr on = planOf(twoChains(true), kReorder);
    QVERIFY(on);
    QVERIFY(stepOf(*on, "a1") < stepOf(*on, "f") && stepOf(*on, "b1") < stepOf(*on, "f"));
    QVERIFY(stepOf(*on, "a2") > stepOf(*on, "f") && stepOf(*on, "b2") > stepOf(*on, "f"));
    QVERIFY(traffic(*on) <= traffic(*planOf(twoChains(true), kOneCore)));
}

void ReorderTest::reorder_keepsLoopsInOnePiece() {
    GraphBuilder b("loop among chains");
    const TensorId x = b.input("x", {1024, 1024});
    const TensorId y = b.input("y", {512, 1024});
    const TensorId c1 = b.pointwise("c1", "exp", {y});
    const TensorId t1 = b.pointwise("t1", "exp", {x});
    const TensorId t2 = b.pointwise("t2", "neg", {t1});
    const TensorId c2 = b.pointwise("c2", "neg", {c1});
    b.output(t2);
    b.output(b.reduction("c3", "sum", c2, {1}));
    const std::vector<Hint> hints = {hint({"graph"}, "dim_sizes", R"({"A": 1024, "B": 1024})"),
                                     hint({"tensor:x"}, "dim_names", R"(["A", "B"])"),
                                     slices({"t1", "t2"}, R"({"A": 4})")};
    const PlanPtr off = plan(b.build(), hints, with({{"spyre.cores", "1"}}));
    const PlanPtr on = plan(b.build(), hints, with({{"spyre.cores", "1"}, {"spyre.reorder_ops", "true"}}));
    QVERIFY(off && on);
    QCOMPARE(fileFault(*on), std::string());
    QVERIFY(traffic(*on) <= traffic(*off));
    std::size_t last = 0;
    for (std::size_t i = 0; i < on->ops.size(); ++i) {
        if (on->ops[i].loopPath.empty()) continue;
        QVERIFY(last == 0 || last == i);
        last = i + 1;
    }
    QVERIFY(last > 0);
}

void ReorderTest::reorder_leavesTheUsersOrder() {
    const Hint mine = hint({"graph"}, "op_order", R"(["b1","a1","a2","b2","a3","b3"])");
    const PlanPtr on = plan(twoChains(), {mine}, kReorder);
    QVERIFY(on);
    QCOMPARE(on->hintStates.front(), std::string("applied"));
    QVERIFY(!spyreData(*on).operationOrder);
    QCOMPARE(opNames(*on), (std::vector<std::string>{"b1", "a1", "a2", "b2", "a3", "b3"}));
}

void ReorderTest::outputClone_keepsTheOutputOnChip() {
    GraphBuilder b("output read inside");
    const TensorId y = b.pointwise("y", "exp", {b.input("x", {256, 512})});
    b.output(y);
    b.output(b.pointwise("u", "neg", {y}));
    b.output(b.pointwise("v", "sqrt", {y}));
    const PlanPtr off = planOf(b.build(), kOneCore);
    const PlanPtr on = planOf(b.build(), plus(kOneCore, {{"spyre.boundary_clones", "true"}}));
    QVERIFY(off && on);
    QVERIFY(findBuffer(*on, "y")->address);
    QCOMPARE(findBuffer(*on, "y")->role, BufferRole::Intermediate);
    const PlanBuffer* copy = findBuffer(*on, "clone_y");
    QVERIFY(copy != nullptr);
    QCOMPARE(copy->role, BufferRole::GraphOutput);
    QVERIFY(!copy->address);
    QCOMPARE(stepOf(*on, "clone_y"), stepOf(*on, "y") + 1);
    // Two readers of 256 KiB.
    QCOMPARE(traffic(*off) - traffic(*on), Bytes{2 * 262144});
    QCOMPARE(findBuffer(*on, "y")->trafficSaved, Bytes{2 * 262144});
    QCOMPARE(countOf(*on, "scratchpad_planning.output_clones", "bytes_saved"), std::int64_t{2 * 262144});
    QCOMPARE(fileFault(*on), std::string());
}

void ReorderTest::outputClone_notForViewsAndUnreadOutputs() {
    GraphBuilder b("no copies");
    const TensorId y = b.pointwise("y", "exp", {b.input("x", {256, 512})});
    b.output(b.reshape("view", y, {512, 256}));
    b.output(b.pointwise("u", "neg", {y}));
    const PlanPtr on = planOf(b.build(), plus(kOneCore, {{"spyre.boundary_clones", "true"}}));
    QVERIFY(on);
    QVERIFY(findBuffer(*on, "clone_y") == nullptr && findBuffer(*on, "clone_u") == nullptr);
}

/// x is read by two operations that cut rows and by two that cut columns: 9.1 sees a mismatch, two copies serve them.
void ReorderTest::solverClones_serveGroupsOfReaders() {
    GraphBuilder b("groups");
    const TensorId x = b.input("x", {256, 512});
    b.output(b.pointwise("r1", "exp", {x}));
    b.output(b.pointwise("r2", "neg", {x}));
    b.output(b.pointwise("c1", "sqrt", {x}));
    b.output(b.pointwise("c2", "tanh", {x}));
    const std::vector<Hint> hints = {hint({"op:r1"}, "split", R"({"d0": 4})"), hint({"op:r2"}, "split", R"({"d0": 4})"),
                                     hint({"op:c1"}, "split", R"({"d1": 4})"),
                                     hint({"op:c2"}, "split", R"({"d1": 4})")};
    const Pairs base = {{"spyre.cores", "4"}};
    const PlanPtr off = plan(b.build(), hints, base);
    const PlanPtr on = plan(b.build(), hints, plus(base, {{"spyre.solver_clones", "true"}}));
    QVERIFY(off && on);
    QVERIFY(findBuffer(*off, "clone_x") == nullptr);
    for (const char* name : {"clone_x", "clone_x_2"})
        QVERIFY2(findBuffer(*on, name) != nullptr && findBuffer(*on, name)->address, name);
    QCOMPARE(traffic(*off) - traffic(*on), Bytes{2 * 262144});
    QCOMPARE(fileFault(*on), std::string());
}

/// The budget of 9.1 gives the room to the first inputs of the signature, although their readers lie apart in time.
void ReorderTest::solverClones_beatTheBudget() {
    GraphBuilder b("budget");
    std::vector<TensorId> in;
    for (const char* name : {"p", "q", "r"})
        in.push_back(b.input(name, {512, 512}));
    for (std::size_t i = 0; i < in.size(); ++i) {
        const std::string n = std::to_string(i);
        b.output(b.pointwise("s" + n, "exp", {in[i]}));
        b.output(b.pointwise("t" + n, "neg", {in[i]}));
        b.output(b.pointwise("u" + n, "sqrt", {in[i]}));
    }
    // 512 KiB each; 1 118 481 B hold two of three at a time, and each is needed for three operations only.
    const Pairs base = plus(kOneCore, {{"spyre.lx_reserved_fraction", "0.466666666"}});
    const PlanPtr off = planOf(b.build(), base);
    const PlanPtr on = planOf(b.build(), plus(base, {{"spyre.solver_clones", "true"}}));
    QVERIFY(off && on);
    QVERIFY(findBuffer(*off, "clone_r") == nullptr);
    for (const char* name : {"clone_p", "clone_q", "clone_r"})
        QVERIFY2(findBuffer(*on, name) != nullptr && findBuffer(*on, name)->address, name);
    QCOMPARE(traffic(*off) - traffic(*on), Bytes{2 * 524288});
    // With the wider candidates of 9.2 the same happens after the first placement.
    const PlanPtr late = planOf(b.build(), plus(base, {{"spyre.boundary_clones", "true"}}));
    QVERIFY(late);
    QCOMPARE(traffic(*late), traffic(*on));
}

void ReorderTest::validator_seesWrongOrders() {
    const PlanPtr on = planOf(twoChains(), kReorder);
    QVERIFY(on && spyreData(*on).operationOrder);
    Plan twice = *on;
    editSpyreData(twice).operationOrder->permutation[0] = spyreData(twice).operationOrder->permutation[1];
    QVERIFY(!verifyPlan(twice).empty());
    Plan outside = *on;
    editSpyreData(outside).operationOrder->permutation[0] = 99;
    QVERIFY(!verifyPlan(outside).empty());
    Plan other = *on;
    std::swap(editSpyreData(other).operationOrder->permutation[0], editSpyreData(other).operationOrder->permutation[1]);
    QVERIFY(!verifyPlan(other).empty());
    // Said to have stood the other way round, an operation stands before what it followed.
    Plan broken = *on;
    auto& original = editSpyreData(broken).operationOrder->original;
    std::swap(*std::find(original.begin(), original.end(), "a2"), *std::find(original.begin(), original.end(), "a3"));
    const auto found = verifyPlan(broken);
    QVERIFY(std::any_of(found.begin(), found.end(), [](const Diagnostic& d) { return d.code == "VER-011"; }));
}

void ReorderTest::validator_seesWrongCopies() {
    const PlanPtr on = planOf(softmax(512, 1024, 0), kOneCore);
    QVERIFY(findBuffer(*on, "clone_x")->address);
    const auto withClone = [&](auto change) {
        Plan p = *on;
        for (PlanBuffer& b : p.buffers) {
            if (b.name == "clone_x") change(p, b);
        }
        return verifyPlan(p);
    };
    QVERIFY(withClone([](Plan&, PlanBuffer&) {}).empty());
    QVERIFY(!withClone([](Plan& p, PlanBuffer& b) { p.ops[b.producer.at()].kind = "pointwise"; }).empty());
    QVERIFY(!withClone([](Plan& p, PlanBuffer& b) { p.ops[b.producer.at()].accesses[0].offset = 64; }).empty());
    QVERIFY(!withClone([](Plan&, PlanBuffer& b) { b.shape[0] *= 2; }).empty());
}

void ReorderTest::compact_asHints_reproducesThePlan() {
    GraphBuilder b("holes");
    const TensorId x = b.input("x", {256, 512});
    const TensorId a = b.pointwise("a", "exp", {x});
    const TensorId c = b.matmul("c", a, b.parameter("w", {512, 512}));
    const TensorId d = b.pointwise("d", "add", {c, a});
    b.output(b.pointwise("e", "neg", {d}));
    const Hint high = hint({"tensor:a"}, "address_limit", "1048576");
    const PlanPtr before = plan(b.build(), {high, hint({"tensor:c"}, "address", "1310720")}, kOneCore);
    QVERIFY(before && findBuffer(*before, "c")->address == std::optional<Address>(1310720));
    // The user's own address stays; without it the buffer sinks.
    QVERIFY(advice::compactPlan(*before).lowered.empty());
    Plan loose = *before;
    loose.hints.clear();
    const advice::CompactedPlan packed = advice::compactPlan(loose);
    QVERIFY(std::find(packed.lowered.begin(), packed.lowered.end(), "c") != packed.lowered.end());
    QVERIFY(packed.peakAfter < packed.peakBefore);
    const PlanPtr after = plan(b.build(), packed.hints, kOneCore);
    QVERIFY(after);
    for (const std::string& state : after->hintStates)
        QCOMPARE(state, std::string("applied"));
    QCOMPARE(after->memory.peak, packed.peakAfter);
    QCOMPARE(after->metrics.buffersOnChip, before->metrics.buffersOnChip);
}

void ReorderTest::networks_neverMoveMoreBytes_data() {
    QTest::addColumn<int>("seed");
    // 5 has no factor in common with the kinds below, so that fewer seeds still meet all of them.
    for (int seed = 0; seed < 24; seed += test::thinned(24) < 24 ? 5 : 1)
        QTest::addRow("seed %d", seed) << seed;
}

void ReorderTest::networks_neverMoveMoreBytes() {
    QFETCH(int, seed);
    const Graph graph = randomNetwork(static_cast<std::uint64_t>(seed), 8 + seed);
    static const char* const kCores[] = {"1", "4", "32"};
    static const char* const kSolvers[] = {"greedy", "firstfit", "bestfit"};
    for (const char* cores : kCores) {
        const Pairs base = {{"spyre.cores", cores},
                            {"spyre.layout_solver", kSolvers[seed % 3]},
                            {"spyre.lx_reserved_fraction", seed % 2 == 0 ? "0.2" : "0.7"}};
        const PlanPtr off = planOf(graph, base);
        QVERIFY(off);
        for (const auto& [key, value] : kAll) {
            const PlanPtr one = planOf(graph, plus(base, {{key, value}}));
            QVERIFY2(one, key.c_str());
            QVERIFY2(traffic(*one) <= traffic(*off), key.c_str());
            QVERIFY2(fileFault(*one).empty(), key.c_str());
        }
        const PlanPtr all = planOf(graph, plus(base, kAll));
        QVERIFY(all);
        QCOMPARE(fileFault(*all), std::string());
        const PlanPtr again = planOf(graph, plus(base, kAll));
        QCOMPARE(again->planHash, all->planHash);
        if (!spyreData(*all).operationOrder || spyreData(*all).operationOrder->graphOrder.empty()) continue;
        const PlanPtr reordered = planOf(graph, plus(base, {{"spyre.reorder_ops", "true"}}));
        const PlanPtr repeated = plan(graph, spyre::orderAsHint(*reordered), base);
        QVERIFY(repeated);
        QCOMPARE(repeated->hintStates.front(), std::string("applied"));
        QCOMPARE(traffic(*repeated), traffic(*reordered));
    }
}

void ReorderTest::everySolver_acceptsAllSwitches() {
    const Graph graph = randomNetwork(3, 14);
    for (const char* solver : {"greedy", "firstfit", "bestfit", "annealing", "exact"}) {
        const Pairs base = {
            {"spyre.cores", "4"}, {"spyre.layout_solver", solver}, {"spyre.lx_reserved_fraction", "0.9"}};
        const PlanPtr off = planOf(graph, base);
        const PlanPtr on = planOf(graph, plus(base, kAll));
        QVERIFY2(off && on, solver);
        QVERIFY2(fileFault(*on).empty(), solver);
        QVERIFY2(traffic(*on) <= traffic(*off), solver);
    }
}

void ReorderTest::export_worksWithAllSwitches() {
    for (const Graph& graph : {twoChains(), randomNetwork(5, 20), softmax(512, 1024, 1)}) {
        CompileRequest request;
        request.graph = std::make_shared<Graph>(graph);
        request.settings = Settings::fromPairs(plus(kAll, {{"spyre.cores", "1"}})).value();
        request.makeArtefacts = true;
        const CompileOutcome outcome = compile(request, RunControl{});
        QVERIFY(!outcome.failure);
        for (const Diagnostic& d : outcome.plan->problems)
            QVERIFY2(!d.code.starts_with("BND-"), d.message.c_str());
        QVERIFY(spyreData(*outcome.plan).opSpecs);
    }
}

/// About a thousand operations of which many buffers find no room: the search runs to its limit.
void ReorderTest::thousandOps_reachTheLimit() {
    const Graph graph = randomNetwork(11, 760);
    const PlanPtr off = planOf(graph, kOneCore);
    const PlanPtr on = planOf(graph, kReorder);
    const PlanPtr all = planOf(graph, plus(kOneCore, kAll));
    QVERIFY(off && on && all);
    QVERIFY(traffic(*on) < traffic(*off));
    QVERIFY(traffic(*all) <= traffic(*on));
}

MEMPLAN_TEST(ReorderTest)
#include "tst_reorder.moc"
