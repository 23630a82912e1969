// SPDX-License-Identifier: Apache-2.0
// Better than the heuristic (torchwright.md 17): bounds, the search over layers, automatic K, and what a plan says of
// them.
#include "engine/target/verify.h"
#include "engine/torchwright/compile/improved.h"
#include "engine/torchwright/probe/numeric_probe.h"
#include "engine/torchwright/scheduler/scheduler.h"
#include "engine/torchwright/search/better_schedule.h"
#include "engine/torchwright/search/proof.h"
#include "engine/torchwright/search/realize.h"
#include "tests/engine/torchwright/compiled_graphs.h"
#include "tests/engine/torchwright/random_graph.h"
#include "tests/engine/torchwright/weighted_graphs.h"
#include "tests/support/program.h"

#include <QtTest>

using namespace memplan;
using namespace memplan::torchwright;
using memplan::test::compileNodes;
using memplan::test::NodeSketch;
using memplan::test::optionsOf;
using memplan::test::SettingValues;

namespace {

constexpr double kTolerance = 6e-4;

NodeGraph ready(const std::string& name) {
    return withPosition(memplan::test::recordedGraph(name), 16);
}

BetterSchedule better(const NodeGraph& graph, const ScheduleOptions& options, int level = 1, std::uint64_t seed = 0) {
    return betterSchedule(graph, options, effortOf(level, seed), {}, {});
}

const SettingValues kBasin{{"torchwright.d", "768"}, {"torchwright.d_hidden", "256"}, {"torchwright.optimize", "1"}};

/// `rows` parallel chains of two wide steps that meet in one Concatenate.
NodeGraph rowsOf(int rows, Columns width) {
    NodeSketch sketch(16);
    const NodeId x = sketch.input(8);
    std::vector<NodeId> ends;
    for (int i = 0; i < rows; ++i) {
        const NodeId wide = sketch.chain(sketch.linear(x, 4), width / 2, width);
        ends.push_back(sketch.linear(sketch.chain(wide, width, width), 3));
    }
    return sketch.build(sketch.chain(sketch.concatenate(ends), 16, 4));
}

}  // namespace

class TestBetterSchedule : public QObject {
    Q_OBJECT

private slots:
    // ---- fewer layers ------------------------------------------------------------------------------------------

    /// 28 layers by the heuristic, 23 with K = 8 (torchwright.md 12).
    void basin24_isShorterThanWithTheBestK() {
        const BetterSchedule found = better(ready("basin24_k0"), optionsOf(768, 256, LocalRouting::Never));
        QCOMPARE(found.heuristicLayers, 28);
        QCOMPARE(found.scopedLayers, 23);
        QCOMPARE(found.scopes.size(), std::size_t{1});
        QCOMPARE(found.scopes.front().k, 8);
        QCOMPARE(found.origin, ScheduleOrigin::Search);
        QCOMPARE(found.schedule.layerCount(), 20);
        QCOMPARE(found.bounds->ofProof, 20);  // no way to fill 19 layers holds all values
        QVERIFY(found.isProved());
    }

    void calculator_isProvedOptimal() {
        const BetterSchedule found = better(ready("calculator"), optionsOf(1024, 1024, LocalRouting::Never));
        QCOMPARE(found.schedule.layerCount(), 32);
        QVERIFY(found.isProved());
        QCOMPARE(found.bounds->ofSlots, 32);
    }

    /// Where the heuristic ends without progress, and no K of the sweep compiles but 2 (26 layers).
    void rows16_compiles() {
        const BetterSchedule found = better(ready("rows16_k0"), optionsOf(512, 512, LocalRouting::Never));
        QCOMPARE(found.heuristicLayers, 0);
        QVERIFY(found.isProved());
        QCOMPARE(found.schedule.layerCount(), 19);
        const BetterSchedule wide = better(ready("rows16_k0"), optionsOf(1024, 1024, LocalRouting::Never));
        QVERIFY(wide.isProved());
        QCOMPARE(wide.schedule.layerCount(), 10);
    }

    /// With 256 columns the results of 16 rows leave no room for the last ones.
    void rows16_hasNoScheduleIn256Columns() {
        const BetterSchedule found = better(ready("rows16_k0"), optionsOf(256, 256, LocalRouting::Never));
        QVERIFY(!found.schedule.ok());
        QVERIFY(found.isRuledOut());
    }

    // ---- proofs ------------------------------------------------------------------------------------------------

    void alikeChains_areOneClass() {
        const NodeGraph graph = ready("basin24_k0");
        const auto model = unitModelOf(graph, optionsOf(768, 256, LocalRouting::Never));
        const auto classes = alikeChainsOf(graph, *model, {});
        QVERIFY(classes.has_value());
        QCOMPARE(classes->size(), std::size_t{2});
        QCOMPARE(classes->front().units.size(), std::size_t{24});
        QCOMPARE(classes->front().size(), std::size_t{4});
        QCOMPARE(classes->back().units.size(), std::size_t{1});  // what comes before and behind
        QCOMPARE(classes->back().size(), std::size_t{2});
    }

    /// What a schedule shows to be possible is never ruled out: random graphs, and rows of several shapes.
    void proof_neverDeniesASchedule() {
        int asked = 0, ruledOut = 0;
        const auto ask = [&](const NodeGraph& graph, const ScheduleOptions& options, std::uint64_t seed) {
            const BetterSchedule found = betterSchedule(graph, options, {5'000, 2, 0, seed}, {}, {});
            if (!found.schedule.ok()) return true;
            const auto model = unitModelOf(graph, options);
            const auto classes = alikeChainsOf(graph, *model, {3, 8});
            if (!classes) return true;
            ++asked;
            const int layers = found.schedule.layerCount();
            ruledOut += fillAll(*model, *classes, layers - 1, 100'000, {}).isRuledOut ? 1 : 0;
            return !fillAll(*model, *classes, layers, 100'000, {}).isRuledOut;
        };
        for (unsigned seed = 1; seed <= 120; ++seed) {
            ScheduleOptions options =
                optionsOf(seed % 2 == 0 ? 64 : 96, 48, seed % 3 == 0 ? LocalRouting::Always : LocalRouting::Never);
            options.assumeZeroInit = seed % 5 == 0;
            QVERIFY2(ask(memplan::test::randomGraph(seed, 8 + static_cast<int>(seed % 20)), options, seed),
                     std::to_string(seed).c_str());
        }
        for (const int rows : {3, 5, 8, 12})
            for (const Columns width : {8, 24, 40})
                for (const LocalRouting routing : {LocalRouting::Always, LocalRouting::Never})
                    QVERIFY(ask(rowsOf(rows, width), optionsOf(192, 64, routing), 1));
        QVERIFY2(asked > 60 && ruledOut > 40, (std::to_string(asked) + " " + std::to_string(ruledOut)).c_str());
    }

    void sameSeed_sameSchedule() {
        const NodeGraph graph = ready("basin24_k0");
        const ScheduleOptions options = optionsOf(768, 256, LocalRouting::Never);
        QVERIFY(better(graph, options, 1, 7).schedule == better(graph, options, 1, 7).schedule);
    }

    /// A schedule is there where the run is over as soon as the search begins.
    void stopped_keepsTheHeuristic() {
        const NodeGraph graph = ready("basin24_k0");
        std::stop_source stop;
        RunControl control;
        control.stop = stop.get_token();
        control.onProgress = [&stop](std::string_view, double, double) { stop.request_stop(); };
        const BetterSchedule found =
            betterSchedule(graph, optionsOf(768, 256, LocalRouting::Never), {1'000'000'000, 3, 0, 0}, {}, control);
        QVERIFY(stop.stop_requested());
        QVERIFY(found.schedule.ok());
        QVERIFY(found.schedule.layerCount() <= 28);
        QCOMPARE(found.trace.value().end, std::string("time_limit"));
    }

    /// The search keeps `after` and `layer_min`.
    void hints_hold() {
        NodeSketch sketch;
        const NodeId x = sketch.input(4);
        const NodeId a = sketch.chain(x, 4, 4), b = sketch.chain(x, 4, 4), c = sketch.chain(x, 4, 4);
        const NodeId end = sketch.linear(sketch.concatenate({a, b, c}), 2);
        sketch.at(sketch.at(sketch.at(b).inputs[0]).inputs[0]).after = {a};
        const NodeGraph graph = sketch.build(end);
        ScheduleOptions options = optionsOf(64, 64, LocalRouting::Never);
        options.layerMin.assign(graph.size(), 0);
        options.layerMin[graph.at(graph.at(c).inputs[0]).inputs[0].at()] = 3;
        const auto model = unitModelOf(graph, options);
        QVERIFY(model.has_value());
        QCOMPARE(model->depth(), 5);
        Assignment assignment(*model, 6);
        for (int i = 0; i < 400; ++i) {
            const int unit = i % static_cast<int>(model->units.size());
            const int first = assignment.firstLayer(unit), last = assignment.lastLayer(unit);
            QVERIFY(assignment.move(unit, first + i % (last - first + 1), 20));
            const auto schedule = realize(graph, *model, assignment);
            QVERIFY(schedule.has_value());
            QVERIFY(schedule->nodeLayer[b.at()] > schedule->nodeLayer[a.at()]);
            QVERIFY(schedule->nodeLayer[c.at()] >= 3);
        }
    }

    /// `after` on the ReLU or the second Linear of a chain: it is ready with its first Linear (torchwright.md 7.2), for
    /// heuristic, search and validator.
    void afterInsideOfAChain_isNotWaitedFor() {
        for (const bool isRelu : {true, false}) {
            NodeSketch sketch(16);
            const NodeId other = sketch.relu(sketch.input(4));
            const NodeId second = sketch.linear(sketch.relu(sketch.linear(sketch.input(4), 4)), 4);
            sketch.at(isRelu ? sketch.at(second).inputs[0] : second).after = {other};
            const CompileOutcome outcome =
                compileNodes(sketch.build(sketch.concatenate({other, second})),
                             {{"torchwright.d", "128"}, {"torchwright.d_head", "16"}, {"torchwright.optimize", "1"}});
            QVERIFY(outcome.plan != nullptr && !outcome.failure);
            QVERIFY(verifyPlan(*outcome.plan).empty());
        }
    }

    /// Layers too few for the model hold no unit: nothing is indexed by them.
    void tooFewLayers_areNoSchedule() {
        NodeSketch sketch;
        const NodeGraph graph = sketch.build(sketch.chain(sketch.chain(sketch.input(4), 4, 4), 4, 4));
        const auto model = unitModelOf(graph, optionsOf(64, 64, LocalRouting::Never));
        QVERIFY(model.has_value());
        for (int layers = model->depth() - 1; layers >= 0; --layers) {
            Assignment assignment(*model, layers);
            assignment.fit(std::vector<int>(model->units.size(), 0), layers);
            QVERIFY(!assignment.isFeasible());
            QVERIFY(!realize(graph, *model, assignment));
            const LayerPlan start{layers, std::vector<int>(model->units.size(), 0)};
            const auto nothing = [](int) { return LayerAnswer{}; };
            QVERIFY(searchLayers(*model, start, 0, effortOf(1, 0), nothing, {}).plan.layers == 0);
        }
    }

    /// Excess and columns that are kept up to date with moves are those of a fresh count.
    void moves_keepTheCount() {
        int models = 0;
        for (unsigned seed = 1; seed <= 40; ++seed) {
            const NodeGraph graph = memplan::test::randomGraph(seed, 40);
            const auto model =
                unitModelOf(graph, optionsOf(128, 64, seed % 2 == 0 ? LocalRouting::Always : LocalRouting::Never));
            if (!model || model->units.empty()) continue;
            ++models;
            Assignment moved(*model, model->depth() + 4);
            for (unsigned i = 0; i < 300; ++i) {
                const int unit = static_cast<int>((i * 7919U + seed) % model->units.size());
                const int first = moved.firstLayer(unit), last = moved.lastLayer(unit);
                const bool isDone =
                    moved.move(unit, first + static_cast<int>(i * 31U % static_cast<unsigned>(last - first + 1)), 30);
                if (isDone && i % 3 == 0) moved.undo();
            }
            Assignment fresh(*model, moved.layers());
            fresh.fit(moved.layerOf(), moved.layers());
            QCOMPARE(fresh.layerOf(), moved.layerOf());
            QCOMPARE(fresh.excess(), moved.excess());
            QCOMPARE(fresh.heldColumns(), moved.heldColumns());
        }
        QVERIFY2(models > 30, std::to_string(models).c_str());
    }

    // ---- automatic K -------------------------------------------------------------------------------------------

    void culpritOfThePlateau_isFound() {
        const NodeGraph graph = ready("basin24_k0");
        const Schedule heuristic = scheduleLayers(graph, optionsOf(768, 256, LocalRouting::Never));
        const auto ranked = rankedClusters(graph, heuristic, {}, {});
        QCOMPARE(ranked.size(), std::size_t{1});
        QVERIFY(ranked.front().isCulprit());
        QCOMPARE(graph.at(ranked.front().cluster.join).number, std::int64_t{223});
        QCOMPARE(ranked.front().weight, std::int64_t{24 * 64});
    }

    /// Two clusters one after the other: each gets its K.
    void severalClusters_areTunedTogether() {
        NodeSketch sketch(16);
        NodeId x = sketch.input(8);
        for (int part = 0; part < 2; ++part) {
            std::vector<NodeId> ends;
            for (int i = 0; i < 12; ++i) {
                const NodeId wide = sketch.chain(sketch.linear(x, 4), 24, 64);
                ends.push_back(sketch.linear(sketch.chain(wide, 64, 64), 3));
            }
            x = sketch.chain(sketch.concatenate(ends), 16, 8);
        }
        const NodeGraph graph = sketch.build(x);
        const ScheduleOptions options = optionsOf(512, 128, LocalRouting::Never);
        const Schedule heuristic = scheduleLayers(graph, options);
        const auto ranked = rankedClusters(graph, heuristic, {}, {});
        QCOMPARE(ranked.size(), std::size_t{2});
        const ScopeSearchResult found = searchScopes(graph, heuristic, ranked, 8, {});
        QVERIFY(found.schedule.has_value());
        QCOMPARE(found.scopes.size(), std::size_t{2});
        QVERIFY(!heuristic.ok() || found.schedule->layerCount() < heuristic.layerCount());
    }

    // ---- plans -------------------------------------------------------------------------------------------------

    /// The plan says what was found and what bounds it, and passes the validator.
    void plan_saysHowGoodItIs() {
        const CompileOutcome outcome = compileNodes(memplan::test::recordedGraph("basin24_k0"), kBasin);
        QVERIFY(outcome.plan != nullptr);
        QCOMPARE(outcome.plan->solver, std::string("exact"));
        const auto findings = verifyPlan(*outcome.plan);
        QVERIFY2(findings.empty(), findings.empty() ? "" : findings.front().message.c_str());
        const auto table = improvementTable(*outcome.plan);
        QVERIFY(table.has_value());
        QCOMPARE(table->rows.size(), std::size_t{4});
        QCOMPARE(QString::fromStdString(table->rows[1].second),
                 QStringLiteral("at least 20 layers, by proof: order 6, slots 19, heads 7, columns 12, proof 20"));
        QVERIFY(QString::fromStdString(table->rows[2].second).startsWith(QStringLiteral("K = 8 over the 24 chains")));
    }

    void heuristicPlan_saysNothingOfIt() {
        const CompileOutcome outcome = compileNodes(memplan::test::recordedGraph("adder"), {{"torchwright.d", "256"}});
        QCOMPARE(outcome.plan->solver, std::string("heuristic"));
        QVERIFY(!improvementTable(*outcome.plan));
    }

    /// Streams so wide that values die without a cancel: where they end is the same for planner and validator.
    void columnsThatAreNeverCleared_passTheValidator() {
        for (const char* name : {"balanced_parens", "unit_add_literal", "adder", "caesar_cipher", "sort_digits_v4"}) {
            const CompileOutcome outcome =
                compileNodes(memplan::test::recordedGraph(name),
                             {{"torchwright.d", "1024"}, {"torchwright.d_head", "32"}, {"torchwright.optimize", "1"}});
            QVERIFY2(!outcome.failure, outcome.failure ? outcome.failure->error.primary().message.c_str() : "");
            QVERIFY(verifyPlan(*outcome.plan).empty());
        }
    }

    /// Plans of random graphs pass the validator, which shares nothing with the search.
    void randomPlans_passTheValidator() {
        int plans = 0;
        for (unsigned seed = 1; seed <= 60; ++seed) {
            const std::string hidden = seed % 4 == 0 ? "64" : "0";
            const CompileOutcome outcome =
                compileNodes(memplan::test::randomGraph(seed, 40),
                             {{"torchwright.d", seed % 2 == 0 ? "128" : "96"},
                              {"torchwright.d_hidden", hidden},
                              {"torchwright.local_in_attention", seed % 3 == 0 ? "always" : "never"},
                              {"torchwright.assume_zero_init", seed % 5 == 0 ? "true" : "false"},
                              {"torchwright.optimize", "1"},
                              {"engine.seed", std::to_string(seed)}});
            if (!outcome.plan || outcome.failure) continue;
            ++plans;
            const auto findings = verifyPlan(*outcome.plan);
            QVERIFY2(findings.empty(),
                     findings.empty() ? "" : (std::to_string(seed) + findings.front().message).c_str());
        }
        QVERIFY2(plans > 30, std::to_string(plans).c_str());
    }

    // ---- values ------------------------------------------------------------------------------------------------

    /// The exported transformer of a searched schedule is executed and computes what the graph computes.
    void weightedGraphs_computeTheSame_data() {
        QTest::addColumn<QString>("name");
        for (const std::string& name : memplan::test::weightedGraphs())
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void weightedGraphs_computeTheSame() {
        QFETCH(QString, name);
        const NodeGraph graph = memplan::test::recordedGraph(name.toStdString());
        const auto expected = memplan::test::recordedFile(name.toStdString() + ".expected.json");
        const auto& config = expected.at("compiles").front().at("config");
        const NodeGraph scheduled = memplan::test::scheduledGraph(graph, config);
        const BetterSchedule found = better(scheduled, memplan::test::recordedOptions(config));
        QVERIFY(found.schedule.ok());
        expectSameValues(scheduled, found.schedule, 3);
    }

    void tightRows_computeTheSame() {
        const NodeGraph graph = memplan::test::withWeights(rowsOf(8, 24));
        for (const LocalRouting routing : {LocalRouting::Never, LocalRouting::Always}) {
            const BetterSchedule found = better(graph, optionsOf(128, 48, routing));
            QVERIFY(found.schedule.ok());
            QCOMPARE(found.origin, ScheduleOrigin::Search);
            expectSameValues(graph, found.schedule, 5);
        }
    }

    void randomGraphs_computeTheSame() {
        int runs = 0;
        for (unsigned seed = 1; seed <= 40; ++seed) {
            const NodeGraph graph = memplan::test::withWeights(memplan::test::randomGraph(seed, 24), seed);
            const LocalRouting routing = seed % 2 == 0 ? LocalRouting::Always : LocalRouting::Never;
            const BetterSchedule found = betterSchedule(graph, optionsOf(seed % 3 == 0 ? 64 : 96, 96, routing),
                                                        {2'000, 2, 20'000, seed}, {}, {});
            if (!found.schedule.ok() || found.origin != ScheduleOrigin::Search) continue;
            expectSameValues(graph, found.schedule, seed);
            ++runs;
        }
        QVERIFY2(runs > 10, std::to_string(runs).c_str());
    }

private:
    static void expectSameValues(const NodeGraph& graph, const Schedule& schedule, std::uint64_t seed) {
        const auto out = probe(graph, schedule, {sampleInputs(graph, 6, seed), kTolerance});
        QVERIFY2(out.ok(), out.ok() ? "" : out.error().primary().message.c_str());
        QVERIFY2(out.value().passes(), out.value().passes() ? "" : out.value().findings.front().message.c_str());
    }
};

MEMPLAN_TEST(TestBetterSchedule)
#include "tst_better_schedule.moc"
