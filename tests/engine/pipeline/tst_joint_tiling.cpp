// SPDX-License-Identifier: Apache-2.0
// Joint choice of loops, divisions and addresses (spyre-cost-and-co-optimisation 16).
#include "engine/base/random.h"
#include "engine/io/plan/plan_json.h"
#include "engine/spyre/tiling/joint/choose_tilings.h"
#include "tests/engine/pipeline/divided.h"
#include "tests/support/program.h"

#include <QTest>

#include <algorithm>

using namespace memplan;
using namespace memplan::test;
using namespace memplan::spyre;

using Dims = std::vector<std::vector<int>>;

class JointTilingTest : public QObject {
    Q_OBJECT

private slots:
    void options_ofOneOperation_followTheOrder();
    void options_ofTheStick_haveWholeSticks();
    void options_areLimited();
    void options_multipliesHaveNone();
    void nests_ofDifferentExtents_haveNoOptions();
    void positions_followTheAccesses();
    void positions_whereAResultLacksTheDimension();
    void choice_tilesBehindAReductionOfTheFirstDimension();
    void cuts_costACopyAndTheReadsOutside();
    void insideOfANest_nothingIsMoved();
    void bound_isNeverAboveTheValue_data();
    void bound_isNeverAboveTheValue();
    void choice_isTheBestOfAllNests();
    void choice_saysWhatItLookedAt();
    void choice_ofWhatFits_isNoLoop();
    void choice_stopsWhenCancelled();
    void plans_areNeverWorseWithTheSearch_data();
    void plans_areNeverWorseWithTheSearch();
};

namespace {

const Pairs kOn{{"spyre.co_optimize", "true"}, {"spyre.co_optimize_tilings", "true"}};

StateBefore before(const Graph& graph, const Pairs& pairs = kOn) {
    return {graph, pairs, "coarse_tile.joint_tiling"};
}

Graph one(std::vector<std::int64_t> shape) {
    GraphBuilder b("one");
    b.output(b.pointwise("exp", "exp", {b.input("x", std::move(shape))}));
    return b.build();
}

/// a = exp x; b = neg a; c = a + b. 32 MiB each.
Graph diamond() {
    GraphBuilder g("diamond");
    const TensorId a = g.pointwise("a", "exp", {g.input("x", {4096, 4096})});
    const TensorId b = g.pointwise("b", "neg", {a});
    g.output(g.pointwise("c", "add", {a, b}));
    return g.build();
}
constexpr Bytes kS = 4096 * 4096 * 2;

Graph randomGraph(Random& random) {
    GraphBuilder g("random");
    const std::int64_t rows = std::int64_t{512} << random.below(4);
    const std::int64_t columns = std::int64_t{1024} << random.below(4);
    std::vector<TensorId> values{g.input("x", {rows, columns})};
    for (std::uint64_t i = 0; i < 3 + random.below(4); ++i) {
        const std::string name = "op" + std::to_string(i);
        const TensorId left = values[random.below(values.size())];
        const TensorId right = values[random.below(values.size())];
        if (random.below(4) == 0) {
            const TensorId row = g.reduction(name + "_max", "max", left, {1});
            values.push_back(g.pointwise(name, "sub", {left, row}));
        } else {
            values.push_back(g.pointwise(name, "add", {left, right}));
        }
    }
    g.output(values.back());
    return g.build();
}

TilingLimits byTheChapter() {
    TilingLimits limits;
    limits.wholeSticks = false;
    return limits;
}

TilingScore valueOf(const StateBefore& s, const std::vector<TileGroup>& nests,
                    const std::vector<std::string>& region = {}) {
    const spyre::PassContext context = s.context();
    const TilingModel model(s.state, context);
    auto tiled = model.tiled(nests);
    if (!tiled || !tiled.value()) qFatal("cannot be tiled");
    auto score = model.score(*tiled.value(), region);
    if (!score) qFatal("no value");
    return score.value();
}

}  // namespace

void JointTilingTest::options_ofOneOperation_followTheOrder() {
    const StateBefore s = before(one({4, 6, 128}));
    // The stick lies along dimension 2. Fewer levels first, then by dimension and count.
    const std::vector<NestLevels> expected{{},
                                           {{0, 2}},
                                           {{0, 4}},
                                           {{1, 2}},
                                           {{1, 3}},
                                           {{1, 6}},
                                           {{0, 2}, {1, 2}},
                                           {{0, 2}, {1, 3}},
                                           {{0, 2}, {1, 6}},
                                           {{0, 4}, {1, 2}},
                                           {{0, 4}, {1, 3}},
                                           {{0, 4}, {1, 6}}};
    QVERIFY(tileOptions(s.state.program, s.op("exp"), byTheChapter()) == expected);
}

void JointTilingTest::options_ofTheStick_haveWholeSticks() {
    const StateBefore s = before(one({3, 384}));
    // Sticks of 64 elements: tiles of 192, 128 and 64, not of 96.
    const std::vector<NestLevels> expected{{}, {{0, 3}}, {{1, 2}}, {{1, 3}}, {{1, 6}}};
    std::vector<NestLevels> options = tileOptions(s.state.program, s.op("exp"), {});
    options.resize(expected.size());
    QVERIFY(options == expected);
    QCOMPARE(tileOptions(s.state.program, s.op("exp"), byTheChapter()).size(), std::size_t{2});
}

void JointTilingTest::options_areLimited() {
    const StateBefore s = before(one({5040, 128}));
    const std::vector<NestLevels> options = tileOptions(s.state.program, s.op("exp"), byTheChapter());
    QCOMPARE(options.size(), std::size_t{17});  // sixteen counts and no loop
    QCOMPARE(options[1].front().count, std::int64_t{2});
    QVERIFY(std::all_of(options.begin() + 1, options.end(),
                        [](const NestLevels& l) { return l.front().count <= 64 && 5040 % l.front().count == 0; }));
    TilingLimits few = byTheChapter();
    few.mostOptions = 3;
    QCOMPARE(nestOptions(s.state.program, {s.op("exp"), s.op("exp")}, few).size(), std::size_t{4});
}

void JointTilingTest::options_multipliesHaveNone() {
    GraphBuilder g("mm");
    const TensorId y = g.matmul("mm", g.input("x", {512, 1024}), g.parameter("w", {1024, 512}));
    g.output(g.pointwise("relu", "relu", {y}));
    const StateBefore s = before(g.build());
    QCOMPARE(tileOptions(s.state.program, s.op("mm"), {}).size(), std::size_t{1});
    const std::vector<NestRange> runs = tileableRuns(s.state.program);
    QCOMPARE(runs.size(), std::size_t{1});
    QCOMPARE(runs[0].first, s.op("relu"));
}

void JointTilingTest::nests_ofDifferentExtents_haveNoOptions() {
    GraphBuilder g("two");
    const TensorId a = g.pointwise("a", "exp", {g.input("x", {9, 128})});
    const TensorId b = g.pointwise("b", "exp", {g.input("y", {4, 128})});
    g.output(a);
    g.output(b);
    const StateBefore s = before(g.build());
    const TilingLimits limits = byTheChapter();
    QCOMPARE(nestOptions(s.state.program, {s.op("a"), s.op("b")}, limits).size(), std::size_t{1});
    QCOMPARE(nestOptions(s.state.program, {s.op("a"), s.op("a")}, limits).size(), std::size_t{3});
}

/// x [2, 4096, 4096]: its maximum over the first dimension has one dimension less.
Graph reducedInFront() {
    GraphBuilder g("front");
    const TensorId a = g.pointwise("a", "exp", {g.input("x", {2, 4096, 4096})});
    const TensorId m = g.reduction("m", "max", a, {0}, false);
    g.output(g.pointwise("e", "neg", {m}));
    return g.build();
}

void JointTilingTest::positions_followTheAccesses() {
    const StateBefore s = before(reducedInFront());
    const Program& program = s.state.program;
    const NestRange nest{s.op("a"), s.op("e")};
    QCOMPARE(leaderOf(program, nest), s.op("a"));
    const TileGroup rows = groupOf(program, nest, {{1, 4}});
    QVERIFY((rows.dims == std::vector<Dims>{{{1}}, {{0}}, {{0}}}));
    const TileGroup both = groupOf(program, nest, {{1, 4}, {2, 2}});
    QVERIFY((both.dims == std::vector<Dims>{{{1}, {2}}, {{0}, {1}}, {{0}, {1}}}));
    // The first dimension is reduced away: no loop over it holds all three.
    const std::vector<NestLevels> options = nestOptions(program, nest, byTheChapter());
    QVERIFY(options.size() > 1);
    for (const NestLevels& l : options)
        QVERIFY(std::none_of(l.begin(), l.end(), [](const NestLevel& level) { return level.dim == 0; }));
}

void JointTilingTest::positions_whereAResultLacksTheDimension() {
    GraphBuilder g("lacks");
    const TensorId row = g.pointwise("row", "exp", {g.input("r", {1, 4096})});
    g.output(g.pointwise("add", "add", {g.input("x", {1024, 4096}), row}));
    const StateBefore s = before(g.build());
    const TileGroup group = groupOf(s.state.program, {s.op("row"), s.op("add")}, {{0, 4}});
    QVERIFY((group.dims == std::vector<Dims>{{{}}, {{0}}}));
    const TilingScore inside = valueOf(s, {group});
    // The row is read and made in each of the four iterations.
    const TilingScore outside = valueOf(s, {groupOf(s.state.program, {s.op("add"), s.op("add")}, {{0, 4}})});
    QVERIFY(inside.traffic > outside.traffic);
}

void JointTilingTest::choice_tilesBehindAReductionOfTheFirstDimension() {
    const StateBefore s = before(reducedInFront());
    const auto choice = chooseTilings(s.state, s.context());
    QVERIFY(choice.ok());
    QCOMPARE(choice.value().chosen.size(), std::size_t{1});
    const ChosenNest& found = choice.value().chosen.front();
    QCOMPARE(found.nest.first, s.op("a"));
    QVERIFY(found.nest.last >= s.op("m"));
    // x in, the result out: everything between them stays on chip.
    QCOMPARE(found.after.traffic, Bytes{3} * kS);
    const PlanPtr with = planOf(reducedInFront(), kOn);
    const PlanPtr without = planOf(reducedInFront(), {{"spyre.co_optimize", "true"}});
    QVERIFY(with && without);
    QCOMPARE(fileFault(*with), std::string());
    QCOMPARE(traffic(*with), Bytes{3} * kS);
    QVERIFY(traffic(*with) < traffic(*without));
}

void JointTilingTest::cuts_costACopyAndTheReadsOutside() {
    const StateBefore s = before(diamond());
    // Four tiles around a and b: c reads both outside. Tiles of 256 KiB on a core have room.
    const TilingScore cut = valueOf(s, {groupOf(s.state.program, {s.op("a"), s.op("b")}, {{0, 4}})});
    // x read; the copy of a, b and c written; a and b read by c.
    QCOMPARE(cut.traffic, 6 * kS);
    QCOMPARE(cut.cuts, std::int64_t{2});
    QCOMPARE(cut.tiles, std::int64_t{12});  // a, its copy and b
}

void JointTilingTest::insideOfANest_nothingIsMoved() {
    const StateBefore s = before(diamond());
    const TilingScore whole = valueOf(s, {groupOf(s.state.program, {s.op("a"), s.op("c")}, {{0, 4}})});
    QCOMPARE(whole.traffic, 2 * kS);
    QCOMPARE(whole.cuts, std::int64_t{1});  // c is a graph output
    const TilingScore none = valueOf(s, {});
    QCOMPARE(none.cuts, std::int64_t{0});
    QCOMPARE(none.tiles, std::int64_t{0});
    // a and b, 1 MiB on a core each, are live together: one of them has no room.
    QVERIFY(none.traffic > 2 * kS);
    QVERIFY(whole.rank() < none.rank());
}

void JointTilingTest::bound_isNeverAboveTheValue_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 25; ++seed)
        QTest::addRow("seed %d", seed) << seed;
}

void JointTilingTest::bound_isNeverAboveTheValue() {
    QFETCH(int, seed);
    Random random(static_cast<std::uint64_t>(seed));
    const StateBefore s = before(randomGraph(random));
    const spyre::PassContext context = s.context();
    const TilingModel model(s.state, context);
    for (const NestRange& run : tileableRuns(s.state.program)) {
        std::vector<NestLevels> options = nestOptions(s.state.program, run, {});
        options.resize(std::min<std::size_t>(options.size(), 3));
        for (const NestLevels& levels : options) {
            auto tiled = model.tiled(levels.empty() ? std::vector<TileGroup>{}
                                                    : std::vector<TileGroup>{groupOf(s.state.program, run, levels)});
            QVERIFY(tiled.ok());
            if (!tiled.value()) continue;
            const auto score = model.score(*tiled.value(), {});
            QVERIFY(score.ok());
            QVERIFY(tiled.value()->bound <= score.value().traffic);
        }
    }
}

void JointTilingTest::choice_isTheBestOfAllNests() {
    const StateBefore s = before(diamond());
    const spyre::PassContext context = s.context();
    const auto choice = chooseTilings(s.state, context);
    QVERIFY(choice.ok());
    QVERIFY(!choice.value().exhausted);
    QCOMPARE(choice.value().chosen.size(), std::size_t{1});
    const ChosenNest& found = choice.value().chosen.front();
    // Every range of adjacent operations with every option.
    TilingScore best = valueOf(s, {}, {"a", "b", "c"});
    for (std::size_t first = 0; first < 3; ++first) {
        for (std::size_t last = first; last < 3; ++last) {
            const NestRange nest{s.op("a") + first, s.op("a") + last};
            for (const NestLevels& levels : nestOptions(s.state.program, nest, {})) {
                if (levels.empty()) continue;
                const TilingScore score = valueOf(s, {groupOf(s.state.program, nest, levels)}, {"a", "b", "c"});
                best = score.rank() < best.rank() ? score : best;
            }
        }
    }
    QCOMPARE(found.after.traffic, best.traffic);
    QCOMPARE(found.after.cuts, best.cuts);
    QCOMPARE(found.after.tiles, best.tiles);
    QCOMPARE(found.after.traffic, 2 * kS);
    QVERIFY(choice.value().leastBound <= found.after.traffic);
}

void JointTilingTest::choice_saysWhatItLookedAt() {
    StateBefore s = before(diamond());
    spyre::PassContext context = s.context("coarse_tile.joint_tiling");
    const auto outcome = tileJointly(s.state, context);
    QVERIFY(outcome.ok() && outcome.value().changed);
    QCOMPARE(s.state.program.tileGroups.size(), std::size_t{1});
    const auto& counts = outcome.value().counts;
    QCOMPARE(counts.at("nests"), std::int64_t{1});
    QVERIFY(counts.at("options_bounded") >= counts.at("options_valued"));
    QCOMPARE(counts.at("traffic_after"), std::int64_t{2 * kS});
    QVERIFY(counts.at("traffic_before") > counts.at("traffic_after"));
    QCOMPARE(context.decisions.size(), std::size_t{2});
    QVERIFY(context.decisions[0].kind == DecisionKind::TilingSearch);
    QVERIFY(context.decisions[1].kind == DecisionKind::Tiling);
}

void JointTilingTest::choice_ofWhatFits_isNoLoop() {
    const StateBefore s = before(softmax(512, 1024, 1));
    const auto choice = chooseTilings(s.state, s.context());
    QVERIFY(choice.ok());
    QVERIFY(choice.value().chosen.empty());
    QCOMPARE(choice.value().valued, std::int64_t{0});
}

void JointTilingTest::choice_stopsWhenCancelled() {
    StateBefore s = before(diamond());
    std::stop_source source;
    source.request_stop();
    s.control.stop = source.get_token();
    const auto choice = chooseTilings(s.state, s.context());
    QVERIFY(!choice.ok());
    QCOMPARE(choice.error().primary().code, std::string(kCancelledCode));
}

void JointTilingTest::plans_areNeverWorseWithTheSearch_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 16; ++seed)
        QTest::addRow("seed %d", seed) << seed;
}

void JointTilingTest::plans_areNeverWorseWithTheSearch() {
    QFETCH(int, seed);
    Random random(static_cast<std::uint64_t>(seed) + 100);
    const Graph graph = randomGraph(random);
    const Pairs off{{"spyre.co_optimize", "true"}, {"spyre.layout_solver", "bestfit"}};
    Pairs on = off;
    on.emplace_back("spyre.co_optimize_tilings", "true");
    const PlanPtr without = planOf(graph, off);
    const PlanPtr with = planOf(graph, on);
    const PlanPtr again = planOf(graph, on);
    QVERIFY(without && with && again);
    QVERIFY(traffic(*with) <= traffic(*without));
    QCOMPARE(fileFault(*with), std::string());
    QCOMPARE(io::writePlanJson(*again), io::writePlanJson(*with));
}

MEMPLAN_TEST(JointTilingTest)
#include "tst_joint_tiling.moc"
