// SPDX-License-Identifier: Apache-2.0
// Tile-sized copies of inputs in loops and their elision (spyre-cost-and-co-optimisation 16.6, 18).
#include "engine/base/random.h"
#include "engine/io/plan/plan_json.h"
#include "tests/support/program.h"
#include "tests/support/tiling_support.h"

#include <QTest>

using namespace memplan;
using namespace memplan::test;

class ReadCopiesTest : public QObject {
    Q_OBJECT

private slots:
    void sharedInput_isReadOnceForEachIteration();
    void withoutLoops_nothingChanges();
    void singleReader_readsTheInputAgain();
    void singleReader_withoutElision_keepsItsCopy();
    void tileWithoutPlace_isTakenOut();
    void randomGraphs_elisionNeverCosts_data();
    void randomGraphs_elisionNeverCosts();
};

namespace {

constexpr Bytes kX = 4096 * 2048 * 2;  ///< bytes of the input below, one stick holds 64 elements

/// softmax over rows in four tiles: max and sub read the input.
Graph tiledSoftmax() {
    return softmax(4096, 2048, 1);
}

std::vector<Hint> fourTiles(const std::string& ops) {
    return {hint({"graph"}, "manual_groups", R"([{"ops": [)" + ops + R"(], "levels": [{"count": 4, "dims": [0]}]}])")};
}

const char* const kSoftmaxOps = R"("max", "sub", "exp", "sum", "div")";

Pairs copies(bool elide, bool always = false) {
    return {{"spyre.tile_read_copies", "true"},
            {"spyre.tile_read_copies_always", always ? "true" : "false"},
            {"spyre.elide_read_copies", elide ? "true" : "false"}};
}

std::int64_t countOf(const Plan& plan, const std::string& pass, const std::string& key) {
    for (const PassRun& run : plan.passes) {
        if (run.name == pass && run.counts.contains(key)) return run.counts.at(key);
    }
    return -1;
}

int copyOps(const Plan& plan) {
    return static_cast<int>(std::count_if(plan.ops.begin(), plan.ops.end(),
                                          [](const PlanOp& op) { return op.addedBy == "coarse_tile.read_copies"; }));
}

std::vector<std::string> opNames(const Plan& plan) {
    std::vector<std::string> names;
    for (const PlanOp& op : plan.ops)
        names.push_back(op.name);
    return names;
}

/// A chain of pointwise operations and row reductions, with further inputs; every one keeps the rows.
Graph randomChain(Random& random, std::vector<std::string>& ops) {
    GraphBuilder b("chain");
    const std::int64_t rows = std::int64_t{256} << random.below(4);
    const std::int64_t columns = std::int64_t{128} << random.below(5);
    std::vector<TensorId> wide{b.input("a", {rows, columns}), b.input("b", {rows, columns})};
    const std::uint64_t length = 3 + random.below(5);
    for (std::uint64_t i = 0; i < length; ++i) {
        const std::string name = "op" + std::to_string(i);
        const TensorId left = wide.back();  // so that no operation is dead
        const TensorId right = wide[random.below(wide.size())];
        wide.push_back(random.below(3) == 0 ? b.pointwise(name, "exp", {left})
                                            : b.pointwise(name, "add", {left, right}));
        ops.push_back("\"" + name + "\"");
    }
    b.output(wide.back());
    return b.build();
}

}  // namespace

void ReadCopiesTest::sharedInput_isReadOnceForEachIteration() {
    const PlanPtr without = plan(tiledSoftmax(), fourTiles(kSoftmaxOps), {});
    const PlanPtr with = plan(tiledSoftmax(), fourTiles(kSoftmaxOps), copies(true));
    QVERIFY(without && with);
    // Input twice and result once; then input once.
    QCOMPARE(traffic(*without), 3 * kX);
    QCOMPARE(traffic(*with), 2 * kX);
    QCOMPARE(copyOps(*with), 1);
    const PlanOp* copy = findOp(*with, "coarse_tile_read_x");
    QVERIFY(copy);
    QCOMPARE(copy->loopCounts, (Ints{4}));
    const PlanBuffer* tile = findBuffer(*with, "coarse_tile_read_x");
    QVERIFY(tile && tile->address);
    QCOMPARE(tile->size, kX / 4);
    QCOMPARE(countOf(*with, "coarse_tile.read_copies", "read_copies"), 1);
    QCOMPARE(countOf(*with, "scratchpad_planning.elide_read_copies", "kept"), 1);
    QCOMPARE(fileFault(*with), std::string());
}

void ReadCopiesTest::withoutLoops_nothingChanges() {
    const PlanPtr without = planOf(tiledSoftmax());
    const PlanPtr with = planOf(tiledSoftmax(), copies(true, true));
    QVERIFY(without && with);
    QCOMPARE(opNames(*with), opNames(*without));
    QCOMPARE(traffic(*with), traffic(*without));
    QCOMPARE(countOf(*with, "scratchpad_planning.elide_read_copies", "elided"), -1);
    QCOMPARE(fileFault(*with), std::string());
}

void ReadCopiesTest::singleReader_readsTheInputAgain() {
    const std::vector<Hint> hints = fourTiles(R"("add", "mul")");
    const PlanPtr without = plan(addMul(), hints, {});
    const PlanPtr with = plan(addMul(), hints, copies(true, true));
    QVERIFY(without && with);
    QCOMPARE(countOf(*with, "coarse_tile.read_copies", "read_copies"), 3);
    QCOMPARE(countOf(*with, "scratchpad_planning.elide_read_copies", "elided"), 3);
    QCOMPARE(opNames(*with), opNames(*without));
    QCOMPARE(traffic(*with), traffic(*without));
    for (std::size_t i = 0; i < with->ops.size(); ++i)
        QCOMPARE(with->ops[i].accesses, without->ops[i].accesses);
    QCOMPARE(fileFault(*with), std::string());
}

void ReadCopiesTest::singleReader_withoutElision_keepsItsCopy() {
    const std::vector<Hint> hints = fourTiles(R"("add", "mul")");
    const PlanPtr kept = plan(addMul(), hints, copies(false, true));
    const PlanPtr gone = plan(addMul(), hints, copies(true, true));
    QVERIFY(kept && gone);
    QCOMPARE(copyOps(*kept), 3);
    QCOMPARE(copyOps(*gone), 0);
    // Every copy wrote and read its tile, 2 MiB, in each of four iterations; all three had room.
    QCOMPARE(countOf(*gone, "scratchpad_planning.elide_read_copies", "lx_bytes_saved"), 3 * 2 * 1024 * 4096 * 2);
    QVERIFY(traffic(*gone) <= traffic(*kept));
    QCOMPARE(fileFault(*kept), std::string());
}

void ReadCopiesTest::tileWithoutPlace_isTakenOut() {
    const std::vector<Hint> hints = fourTiles(kSoftmaxOps);
    Pairs tiny = copies(true);
    tiny.emplace_back("spyre.lx_reserved_fraction", "0.99");
    const PlanPtr with = plan(tiledSoftmax(), hints, tiny);
    Pairs kept = copies(false);
    kept.emplace_back("spyre.lx_reserved_fraction", "0.99");
    const PlanPtr detour = plan(tiledSoftmax(), hints, kept);
    QVERIFY(with && detour);
    QCOMPARE(copyOps(*with), 0);
    // Two readers of the tile, its write and the read of the input become two reads of the input.
    QCOMPARE(traffic(*detour) - traffic(*with), 2 * kX);
    QCOMPARE(countOf(*with, "scratchpad_planning.elide_read_copies", "bytes_saved"), 2 * kX);
    QCOMPARE(fileFault(*with), std::string());
}

void ReadCopiesTest::randomGraphs_elisionNeverCosts_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 40; ++seed)
        QTest::addRow("seed %d", seed) << seed;
}

void ReadCopiesTest::randomGraphs_elisionNeverCosts() {
    QFETCH(int, seed);
    Random random(static_cast<std::uint64_t>(seed));
    std::vector<std::string> ops;
    const Graph graph = randomChain(random, ops);
    std::string list;
    for (const std::string& op : ops)
        list += (list.empty() ? "" : ", ") + op;
    const std::vector<Hint> hints = fourTiles(list);
    for (const bool always : {false, true}) {
        const PlanPtr kept = plan(graph, hints, copies(false, always));
        const PlanPtr elided = plan(graph, hints, copies(true, always));
        QVERIFY(kept && elided);
        QVERIFY(traffic(*elided) <= traffic(*kept));
        QCOMPARE(fileFault(*kept), std::string());
        QCOMPARE(fileFault(*elided), std::string());
        const auto again = io::readPlanJson(io::writePlanJson(*elided));
        QVERIFY(again.ok());
    }
}

MEMPLAN_TEST(ReadCopiesTest)
#include "tst_read_copies.moc"
