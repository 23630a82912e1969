// SPDX-License-Identifier: Apache-2.0
// Shuffles over the ring inside the searches over divisions (spyre-cost-and-co-optimisation 17.5).
#include "engine/base/random.h"
#include "engine/io/plan/plan_json.h"
#include "engine/plan/spyre_data.h"
#include "engine/solve/solver.h"
#include "engine/spyre/scratchpad/search/co_optimize.h"
#include "engine/spyre/scratchpad/search/division_trial.h"
#include "engine/spyre/texts/decisions.h"
#include "engine/target/verify.h"
#include "tests/engine/pipeline/divided.h"
#include "tests/support/program.h"
#include "tests/support/tiling_support.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace memplan;
using namespace memplan::test;
using namespace memplan::spyre;

class RingSearchTest : public QObject {
    Q_OBJECT

private slots:
    void offered_keepsTheSourceAtItsPrice();
    void notOffered_theSourceIsSpilled();
    void governingSplitAboveEight_isNotOffered();
    void withoutRoomForBoth_nothingIsGained();
    void gatherIntoPointwise_isNotOffered();
    void oneCopy_servesAllUsersOfAView();
    void fixedDivisions_searchCountsOnTheRing();
    void freeDivisions_needNoShuffle();
    void randomGraphs_areNeverWorse_data();
    void randomGraphs_areNeverWorse();
};

namespace {

constexpr Bytes kB0 = 512 * 1024 * 2;

/// x > exp > b0 > neg > out, 512 x 1024 fp16.
Graph twoSteps() {
    GraphBuilder b("two-steps");
    const TensorId b0 = b.pointwise("b0", "exp", {b.input("x", {512, 1024})});
    b.output(b.pointwise("out", "neg", {b0}));
    return b.build();
}

/// One choice of divisions, by op name, scored.
TrialScore scoreOf(const StateBefore& s, const std::vector<std::pair<std::string, Splits>>& divisions, bool rings) {
    DivisionOptions options;
    for (std::size_t i = 0; i < s.state.program.ops.size(); ++i)
        options.push_back({s.state.program.divisions[i].splits});
    for (const auto& [op, splits] : divisions)
        options[s.op(op)] = {splits};
    DivisionTrial trial(s.state.program, BufferRules::from(s.settings, s.machine), s.machine, options);
    if (rings) trial.offerRings({});
    auto score = trial.score(std::vector<int>(options.size(), 0), *solve::findSolver("bestfit"), {}, s.control);
    if (!score) qFatal("no score");
    return std::move(score).value();
}

StateBefore divided(const Graph& graph, const Pairs& pairs) {
    return {graph, pairs, "scratchpad_planning"};
}

std::vector<Hint> fixedSplits() {
    return {hint({"op:b0"}, "split", R"({"d0": 8})"), hint({"op:out"}, "split", R"({"d0": 2, "d1": 4})")};
}

bool tellsOfShuffle(const Plan& plan) {
    return std::any_of(plan.decisions.begin(), plan.decisions.end(), [](const Decision& d) {
        return d.kind == DecisionKind::DivisionSearch && d.chosen.is(spyre::say::kShuffleOf);
    });
}

Graph randomGraph(Random& random) {
    GraphBuilder g("random");
    const std::int64_t rows = std::int64_t{64} << random.below(4);
    const std::int64_t inner = std::int64_t{256} << random.below(3);
    std::vector<TensorId> values{g.input("x", {rows, inner}), g.input("y", {rows, inner})};
    for (std::uint64_t i = 0; i < 3 + random.below(4); ++i) {
        const std::string name = "op" + std::to_string(i);
        const TensorId left = values[random.below(values.size())];
        const TensorId right = values[random.below(values.size())];
        switch (random.below(4)) {
        case 0:
            values.push_back(g.matmul(name, left, g.parameter(name + "_w", {inner, inner})));
            break;
        case 1:
            values.push_back(g.pointwise(name, "sub", {left, g.reduction(name + "_max", "max", left, {1})}));
            break;
        default:
            values.push_back(g.pointwise(name, "add", {left, right}));
        }
    }
    g.output(values.back());
    return g.build();
}

}  // namespace

void RingSearchTest::offered_keepsTheSourceAtItsPrice() {
    const StateBefore s = divided(twoSteps(), {{"spyre.cores", "8"}});
    QCOMPARE(s.state.program.divisions[s.op("b0")].splits, (Splits{8, 1}));
    const TrialScore score = scoreOf(s, {{"out", {2, 4}}}, true);
    QCOMPARE(score.shuffled, (std::vector<BufferId>{s.state.program.ops[s.op("b0")].write.buffer}));
    QCOMPARE(score.traffic, 2 * kB0);
    QCOMPARE(score.unpinned, kB0);  // the output alone
    // Device size [16, 512, 64]. Source rows/8: runs of 64 x 64 elements; destination rows/2: 256 x 64. The smaller
    // run governs: 131 072 B a core in 16 runs of (-1.14 + 3.92 * 3) ns, and 131 072 * 8 / 547 ns.
    const double expected = 16 * (-1.14 + 3.92 * 3) + 131'072.0 * 8 / 547;
    QVERIFY(std::abs(score.ringNanoseconds - expected) < 1e-6);
}

void RingSearchTest::notOffered_theSourceIsSpilled() {
    const StateBefore s = divided(twoSteps(), {{"spyre.cores", "8"}});
    const TrialScore score = scoreOf(s, {{"out", {2, 4}}}, false);
    QVERIFY(score.shuffled.empty());
    QCOMPARE(score.traffic, 4 * kB0);
    QCOMPARE(score.ringNanoseconds, 0.0);
}

void RingSearchTest::governingSplitAboveEight_isNotOffered() {
    const StateBefore s = divided(twoSteps(), {{"spyre.cores", "32"}});
    QCOMPARE(s.state.program.divisions[s.op("b0")].splits, (Splits{32, 1}));
    QVERIFY(scoreOf(s, {{"out", {8, 4}}}, true).shuffled.empty());
    // Columns by four and rows by eight on both sides of the edge: the governing split is 8.
    const TrialScore offered = scoreOf(s, {{"b0", {8, 4}}, {"out", {4, 8}}}, true);
    QCOMPARE(offered.shuffled.size(), std::size_t{1});
}

void RingSearchTest::withoutRoomForBoth_nothingIsGained() {
    // 131 072 B for the source and as much for its copy, 209 715 B usable.
    const StateBefore s = divided(twoSteps(), {{"spyre.cores", "8"}, {"spyre.lx_reserved_fraction", "0.9"}});
    const TrialScore score = scoreOf(s, {{"out", {2, 4}}}, true);
    QVERIFY(score.shuffled.empty());
    QCOMPARE(score.traffic, 4 * kB0);
}

void RingSearchTest::gatherIntoPointwise_isNotOffered() {
    // max leaves one slice on each core; sub reads the whole vector on every core.
    const StateBefore s = divided(softmax(512, 1024, 0), {{"spyre.cores", "8"}});
    const TrialScore score = scoreOf(s, {}, true);
    const BufferId max = s.state.program.ops[s.op("max")].write.buffer;
    QVERIFY(std::find(score.shuffled.begin(), score.shuffled.end(), max) == score.shuffled.end());
}

void RingSearchTest::oneCopy_servesAllUsersOfAView() {
    GraphBuilder g("three");
    const TensorId b0 = g.pointwise("b0", "exp", {g.input("x", {512, 1024})});
    const TensorId p = g.pointwise("p", "neg", {b0});
    g.output(g.pointwise("q", "add", {b0, p}));
    const StateBefore s = divided(g.build(), {{"spyre.cores", "8"}});
    const TrialScore two = scoreOf(s, {{"p", {2, 4}}, {"q", {2, 4}}}, true);
    const TrialScore one = scoreOf(divided(twoSteps(), {{"spyre.cores", "8"}}), {{"out", {2, 4}}}, true);
    QCOMPARE(two.shuffled.size(), std::size_t{1});
    QCOMPARE(two.ringNanoseconds, one.ringNanoseconds);
    QCOMPARE(two.traffic, 2 * kB0);
}

void RingSearchTest::fixedDivisions_searchCountsOnTheRing() {
    const Pairs base{{"spyre.cores", "8"},
                     {"spyre.co_optimize", "true"},
                     {"spyre.layout_solver", "exact"},
                     {"spyre.co_optimize_objective", "traffic"}};
    Pairs rings = base;
    rings.emplace_back("spyre.ring_transfers", "true");
    const PlanPtr without = plan(twoSteps(), fixedSplits(), base);
    const PlanPtr with = plan(twoSteps(), fixedSplits(), rings);
    QVERIFY(without && with);
    QCOMPARE(traffic(*without), 4 * kB0);
    QCOMPARE(traffic(*with), 2 * kB0);
    QVERIFY(tellsOfShuffle(*with));
    QVERIFY(!tellsOfShuffle(*without));
    QVERIFY(spyreData(*with).coOptimization.has_value());
    QCOMPARE(spyreData(*with).coOptimization->winnerTraffic, traffic(*with));
    QCOMPARE(fileFault(*with), std::string());
}

void RingSearchTest::freeDivisions_needNoShuffle() {
    const Pairs rings{{"spyre.cores", "8"},
                      {"spyre.co_optimize", "true"},
                      {"spyre.layout_solver", "exact"},
                      {"spyre.ring_transfers", "true"}};
    const PlanPtr plan = planOf(twoSteps(), rings);
    QVERIFY(plan);
    QCOMPARE(traffic(*plan), 2 * kB0);
    QVERIFY(!tellsOfShuffle(*plan));
}

void RingSearchTest::randomGraphs_areNeverWorse_data() {
    QTest::addColumn<int>("seed");
    QTest::addColumn<QString>("cores");
    for (int seed = 0; seed < 12; ++seed) {
        for (const char* cores : {"8", "32"})
            QTest::addRow("seed %d, %s cores", seed, cores) << seed << QString(cores);
    }
}

void RingSearchTest::randomGraphs_areNeverWorse() {
    QFETCH(int, seed);
    QFETCH(QString, cores);
    Random random(static_cast<std::uint64_t>(seed));
    const Graph graph = randomGraph(random);
    const Pairs off{{"spyre.cores", cores.toStdString()},
                    {"spyre.co_optimize", "true"},
                    {"spyre.layout_solver", seed % 2 == 0 ? "exact" : "annealing"},
                    {"spyre.co_optimize_objective", "traffic"}};
    Pairs on = off;
    on.emplace_back("spyre.ring_transfers", "true");
    const PlanPtr without = planOf(graph, off);
    const PlanPtr with = planOf(graph, on);
    const PlanPtr again = planOf(graph, on);
    QVERIFY(without && with && again);
    QVERIFY2(traffic(*with) <= traffic(*without),
             (std::to_string(traffic(*with)) + " " + std::to_string(traffic(*without))).c_str());
    QCOMPARE(fileFault(*with), std::string());
    QCOMPARE(io::writePlanJson(*again), io::writePlanJson(*with));
}

MEMPLAN_TEST(RingSearchTest)
#include "tst_ring_search.moc"
