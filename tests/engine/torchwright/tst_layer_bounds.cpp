// SPDX-License-Identifier: Apache-2.0
// Lower bounds of the number of layers (torchwright.md 5, 17): no plan goes below one, whatever way of scheduling it
// came from.
#include "engine/target/verify.h"
#include "engine/torchwright/analysis/asap.h"
#include "engine/torchwright/search/better_schedule.h"
#include "engine/verify/torchwright/layer_bounds.h"
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
using memplan::test::randomSharedGraph;

namespace {

NodeGraph ready(const std::string& name) {
    return withPosition(memplan::test::recordedGraph(name), 16);
}

BetterSchedule better(const NodeGraph& graph, const ScheduleOptions& options) {
    return betterSchedule(graph, options, effortOf(1, 0), {}, {});
}

double metricOf(const Plan& plan, std::string_view key) {
    const auto it = std::ranges::find(plan.metrics.own, key, &std::pair<std::string, double>::first);
    return it == plan.metrics.own.end() ? -1 : it->second;
}

/// The chains whose first Linear others read too cannot be chains: a Concatenate without effect stands before each
/// last Linear. A schedule of it is one of the graph, of those that compute these nodes one by one.
NodeGraph withBrokenChains(const NodeGraph& graph) {
    NodeGraph out = graph;
    const Relations relations = relationsOf(graph);
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const auto chain = chainEndingAt(graph, relations, NodeId::of(i));
        if (!chain || chain->isExclusive) continue;
        Node between;
        between.kind = NodeKind::Concatenate;
        between.number = out.nodes.back().number + 1;
        between.width = graph.at(chain->relu).width;
        between.inputs = {chain->relu};
        out.nodes.push_back(between);
        out.at(chain->second).inputs = {NodeId::of(out.size() - 1)};
    }
    return out;
}

}  // namespace

class TestLayerBounds : public QObject {
    Q_OBJECT

private slots:
    // ---- bounds ------------------------------------------------------------------------------------------------

    /// The bound of order is the ASAP bound under the routing in force, on every recorded graph.
    void order_isTheAsapBound() {
        for (const char* name :
             {"adder", "balanced_parens", "calculator", "sort_digits_v1", "basin24_k0", "rows16_k0"}) {
            const NodeGraph graph = ready(name);
            const Relations relations = relationsOf(graph);
            const std::vector<Chain> chains = chainsOf(graph, relations);
            for (const LocalRouting routing : {LocalRouting::Always, LocalRouting::Never}) {
                ScheduleOptions options = optionsOf(4096, 4096, routing);
                options.dHead = 64;
                const auto model = unitModelOf(graph, options);
                QVERIFY(model.has_value());
                QCOMPARE(layerBoundsOf(*model).ofOrder, asapOf({graph, relations, chains, routing}).layers);
            }
        }
    }

    /// 24 rows of 160 slots each cannot pass 256 slots a layer in fewer: one layer before them, two behind.
    void basin24_slotsBoundIt() {
        const auto model = unitModelOf(ready("basin24_k0"), optionsOf(768, 256, LocalRouting::Never));
        QVERIFY(model.has_value());
        const LayerBounds found = layerBoundsOf(*model);
        QCOMPARE(found.ofOrder, 6);
        QCOMPARE(found.ofSlots, 19);
        QCOMPARE(found.best(), 19);
        QCOMPARE(found.strongest(), std::string_view("slots"));
    }

    /// An operation wider than a layer, inputs wider than the stream and edges that are never met have no schedule.
    void noSchedule_hasNoModel() {
        QVERIFY(!unitModelOf(ready("adder"), optionsOf(128, 64, LocalRouting::Never)));
        QVERIFY(!unitModelOf(ready("sort_digits_v1"), optionsOf(64, 512, LocalRouting::Never)));
        NodeSketch sketch;
        const NodeId x = sketch.linear(sketch.input(2), 2);
        const NodeId y = sketch.linear(x, 2);
        sketch.at(x).after = {y};
        QVERIFY(!unitModelOf(sketch.build(y), optionsOf(64, 64, LocalRouting::Never)));
    }

    // ---- plans keep to them ------------------------------------------------------------------------------------

    /// Plans in which several chains share a first Linear pass the validator and do not go below the bound.
    void sharedFirstLinears_passTheValidator() {
        int plans = 0;
        for (unsigned seed = 1; seed <= 400; ++seed) {
            const LocalRouting routing = seed % 3 == 0 ? LocalRouting::Always : LocalRouting::Never;
            const CompileOutcome outcome =
                compileNodes(memplan::test::randomSharedGraph(seed, 3 + static_cast<int>(seed % 6)),
                             {{"torchwright.d", std::to_string(48 + 8 * (seed % 7))},
                              {"torchwright.d_head", "8"},
                              {"torchwright.d_hidden", std::to_string(16 + 4 * (seed % 5))},
                              {"torchwright.local_in_attention", routing == LocalRouting::Always ? "always" : "never"},
                              {"torchwright.optimize", seed % 2 == 0 ? "1" : "0"},
                              {"engine.seed", std::to_string(seed)}});
            if (!outcome.plan || outcome.failure) continue;
            ++plans;
            const auto findings = verifyPlan(*outcome.plan);
            QVERIFY2(findings.empty(),
                     findings.empty() ? "" : (std::to_string(seed) + findings.front().message).c_str());
            const double layers = metricOf(*outcome.plan, "layers"), bound = metricOf(*outcome.plan, "asap_layers");
            const std::string figures = std::to_string(bound) + " of " + std::to_string(layers);
            QVERIFY2(bound >= 0 && bound <= layers, (std::to_string(seed) + ": " + figures).c_str());
        }
        QVERIFY2(plans > 200, std::to_string(plans).c_str());
    }

    /// Nor where a Linear ends one chain and opens another, and the schedule forms the later of the two.
    void linearsBetweenChains_keepToTheBound() {
        const CompileOutcome outcome =
            compileNodes(memplan::test::randomSharedGraph(3503, 18), {{"torchwright.d", "80"},
                                                                      {"torchwright.d_head", "8"},
                                                                      {"torchwright.d_hidden", "28"},
                                                                      {"torchwright.local_in_attention", "never"},
                                                                      {"torchwright.optimize", "0"}});
        QVERIFY(outcome.plan && !outcome.failure);
        QCOMPARE(metricOf(*outcome.plan, "layers"), 12.0);
        QVERIFY(metricOf(*outcome.plan, "asap_layers") <= 12.0);
        QVERIFY(verifyPlan(*outcome.plan).empty());
    }

    /// A middle Linear wider than the stream: the first ReLU stands alone, the rest is one chain in the second layer.
    void middleWiderThanTheStream_keepsToTheBound() {
        NodeSketch sketch(8);
        const NodeId first = sketch.linear(sketch.input(4), 4);
        const NodeId middle = sketch.linear(sketch.relu(first), 40);
        const NodeId end = sketch.linear(sketch.relu(middle), 4);
        for (const char* level : {"0", "1"}) {
            const CompileOutcome outcome =
                compileNodes(sketch.build(end, {first}), {{"torchwright.d", "32"},
                                                          {"torchwright.d_head", "8"},
                                                          {"torchwright.d_hidden", "64"},
                                                          {"torchwright.local_in_attention", "always"},
                                                          {"torchwright.optimize", level}});
            QVERIFY(outcome.plan && !outcome.failure);
            QCOMPARE(metricOf(*outcome.plan, "layers"), 2.0);
            QCOMPARE(metricOf(*outcome.plan, "asap_layers"), 2.0);
            QVERIFY(verifyPlan(*outcome.plan).empty());
        }
    }

    /// The units are one of two ways to chain these Linears: 3 layers for them, 2 for the other, so nothing is proved.
    void linearsBetweenChains_proveNothing() {
        NodeSketch sketch(8);
        const NodeId first = sketch.linear(sketch.input(4), 4);
        const NodeId end = sketch.linear(sketch.relu(sketch.linear(sketch.relu(first), 4)), 4);
        ScheduleOptions options = optionsOf(64, 64, LocalRouting::Always);
        options.dHead = 8;
        const BetterSchedule alone = better(sketch.build(end), options);
        QCOMPARE(alone.schedule.layerCount(), 3);
        QVERIFY(alone.isProved());
        const BetterSchedule shared = better(sketch.build(end, {first}), options);
        QVERIFY(shared.schedule.ok());
        QVERIFY(!shared.bounds && !shared.isProved() && !shared.isRuledOut());
        QVERIFY(!shared.trace || (!shared.trace->bound && shared.trace->end != "proved"));
    }

    /// A chain whose first Linear others read too need not be one: its nodes one by one hold fewer columns, and end
    /// where the chain would not fit.
    void brokenChains_keepToTheBound_data() {
        QTest::addColumn<unsigned>("seed");
        QTest::addColumn<int>("nodes");
        QTest::addColumn<int>("d");
        QTest::addColumn<int>("hidden");
        QTest::addColumn<bool>("isAlways");
        QTest::newRow("no room for the inputs") << 24525U << 12 << 32 << 32 << false;
        QTest::newRow("one layer longer") << 25391U << 12 << 32 << 17 << true;
        QTest::newRow("all layers ruled out") << 26711U << 8 << 32 << 44 << true;
    }
    void brokenChains_keepToTheBound() {
        QFETCH(unsigned, seed);
        QFETCH(int, nodes);
        QFETCH(int, d);
        QFETCH(int, hidden);
        QFETCH(bool, isAlways);
        const NodeGraph graph = withPosition(randomSharedGraph(seed, nodes), 8);
        const ScheduleOptions options = optionsOf(d, hidden, isAlways ? LocalRouting::Always : LocalRouting::Never);
        ScheduleOptions clean = options;
        clean.assumeZeroInit = true;
        int compared = 0;
        for (const ScheduleOptions& o : {options, clean}) {
            const BetterSchedule whole = better(graph, o), broken = better(withBrokenChains(graph), o);
            if (!broken.schedule.ok() || !whole.bounds) continue;
            ++compared;
            const int layers = broken.schedule.layerCount();
            QVERIFY2(whole.bounds->best() <= layers,
                     (std::to_string(whole.bounds->best()) + " of " + std::to_string(layers)).c_str());
        }
        QVERIFY(compared > 0);
    }

    /// Six chains whose last Linear is far wider than its ReLU, each read by the MLP, in a stream that holds one of
    /// them: broken, the Linear stands for the one layer in which it is read, and the bound must not count it for two.
    void wideEndOfABrokenChain_countsAsItsRelu() {
        NodeSketch sketch(8);
        const NodeId x = sketch.input(1);
        std::vector<NodeId> firsts, ends;
        for (int i = 0; i < 6; ++i) {
            firsts.push_back(sketch.linear(x, 1));
            ends.push_back(sketch.chain(sketch.linear(sketch.relu(firsts.back()), 40), 1, 1));
        }
        const NodeGraph graph = sketch.build(sketch.concatenate(ends), firsts);
        ScheduleOptions options = optionsOf(72, 72, LocalRouting::Always);
        options.dHead = 8;
        const BetterSchedule broken = better(withBrokenChains(graph), options);
        QVERIFY(broken.schedule.ok());
        const auto model = unitModelOf(graph, options);
        QVERIFY(model.has_value() && !model->hasOtherChains);
        const int layers = broken.schedule.layerCount();
        QVERIFY2(layerBoundsOf(*model).best() <= layers, std::to_string(layers).c_str());
        const BetterSchedule whole = better(graph, options);
        QVERIFY(whole.bounds && whole.bounds->best() <= layers);
    }

    /// The validator's own bounds are those of the search, on every random graph with every kind of hint.
    void validator_findsTheSameBounds() {
        int compared = 0, open = 0;
        for (unsigned seed = 1; seed <= 1500; ++seed) {
            const int nodes = 3 + static_cast<int>(seed % 23);
            const NodeGraph made =
                seed % 2 == 0 ? randomSharedGraph(seed, nodes) : memplan::test::randomGraph(seed, nodes);
            const NodeGraph graph = withPosition(made, 8);
            ScheduleOptions options = optionsOf(32 + 8 * static_cast<int>(seed % 19), 12 + static_cast<int>(seed % 40),
                                                seed % 3 == 0 ? LocalRouting::Always : LocalRouting::Never);
            options.dHead = seed % 5 == 0 ? 4 : 8;
            options.assumeZeroInit = seed % 4 == 0;
            if (seed % 7 == 0) {
                options.layerMin.assign(graph.size(), 0);
                options.layerMin[seed % graph.size()] = static_cast<int>(seed % 6);
            }
            const auto model = unitModelOf(graph, options);
            if (!model) continue;
            const auto own =
                verify::torchwright::layerBoundsOf(verify::torchwright::Program(graph), options, options.layerMin);
            QCOMPARE(own.has_value(), !model->hasOtherChains);
            if (!own) {
                ++open;
                continue;
            }
            ++compared;
            const LayerBounds wanted = layerBoundsOf(*model);
            const LayerBounds got{own->ofOrder, own->ofSlots, own->ofHeads, own->ofColumns, 0};
            QVERIFY2(got == wanted, std::to_string(seed).c_str());
        }
        QVERIFY2(compared > 600 && open > 10, (std::to_string(compared) + ", open " + std::to_string(open)).c_str());
    }

    /// Hints that keep a node back raise the bound; a plan that was read from its file has them in its hints alone.
    void hintsThatKeepBack_passTheValidator() {
        NodeSketch sketch(8);
        const NodeId first = sketch.linear(sketch.input(4), 4);
        const NodeId end = sketch.linear(first, 4);
        Hint hint;
        hint.target = "torchwright";
        hint.scopes = {"op:" + std::to_string(sketch.at(first).number)};
        hint.key = "layer_min";
        hint.value = *HintValue::parse("5");
        CompileOutcome outcome =
            compileNodes(sketch.build(end),
                         {{"torchwright.d", "64"}, {"torchwright.d_head", "8"}, {"torchwright.optimize", "1"}}, {hint});
        QVERIFY(outcome.plan && !outcome.failure);
        QCOMPARE(metricOf(*outcome.plan, "layers"), 7.0);
        Plan plan = *outcome.plan;
        auto& data = editTargetData<TorchwrightData>(plan.targetData);
        data.schedule.options.layerMin.clear();
        QVERIFY(verifyPlan(plan).empty());
    }

    /// A Placeholder is computed by nobody, in a schedule of the search too.
    void placeholder_isNoNodeThatIsLeft() {
        NodeSketch sketch(8);
        const NodeId x = sketch.linear(sketch.input(4), 4);
        const NodeId nothing = sketch.placeholder();
        const CompileOutcome outcome =
            compileNodes(sketch.build(sketch.concatenate({nothing, sketch.linear(x, 3), sketch.chain(x, 4, 2)})),
                         {{"torchwright.d", "64"}, {"torchwright.d_head", "8"}, {"torchwright.optimize", "2"}});
        QVERIFY2(outcome.plan && !outcome.failure,
                 outcome.failure ? outcome.failure->error.primary().message.c_str() : "");
        QVERIFY(verifyPlan(*outcome.plan).empty());
    }

    /// `after` of a ReLU inside a chain asks for nothing: its first Linear need not be computed for it.
    void afterInsideOfAChain_asksForNothing() {
        NodeSketch sketch(8);
        const NodeId first = sketch.linear(sketch.input(4), 8);
        const NodeId relu = sketch.relu(first), other = sketch.relu(first);
        sketch.at(relu).after = {first};
        const NodeGraph graph = sketch.build(sketch.linear(relu, 4), {sketch.linear(other, 4)});
        const BetterSchedule found = better(graph, optionsOf(64, 16, LocalRouting::Never));
        QCOMPARE(found.schedule.layerCount(), 1);
        QVERIFY(found.isProved());
        const auto model = unitModelOf(graph, optionsOf(64, 16, LocalRouting::Never));
        QCOMPARE(model->units.size(), std::size_t{2});
    }

    /// A Linear that chains share is computed by itself where the first Linear of another chain reads it.
    void openingOfAnotherChain_isComputed_data() {
        QTest::addColumn<unsigned>("seed");
        QTest::addColumn<int>("nodes");
        QTest::newRow("4 before 11") << 19557U << 2;
        QTest::newRow("deeper") << 21965U << 6;
        QTest::newRow("third") << 22525U << 3;
    }
    void openingOfAnotherChain_isComputed() {
        QFETCH(unsigned, seed);
        QFETCH(int, nodes);
        const CompileOutcome outcome =
            compileNodes(memplan::test::withWeights(randomSharedGraph(seed, nodes)), {{"torchwright.d", "96"},
                                                                                      {"torchwright.d_hidden", "30"},
                                                                                      {"torchwright.verify", "true"},
                                                                                      {"torchwright.optimize", "1"}});
        QVERIFY2(!outcome.failure, outcome.failure ? outcome.failure->error.primary().message.c_str() : "");
        QVERIFY(metricOf(*outcome.plan, "asap_layers") <= metricOf(*outcome.plan, "layers"));
        const auto findings = verifyPlan(*outcome.plan);
        QVERIFY2(findings.empty(), findings.empty() ? "" : findings.front().message.c_str());
    }
};

MEMPLAN_TEST(TestLayerBounds)
#include "tst_layer_bounds.moc"
