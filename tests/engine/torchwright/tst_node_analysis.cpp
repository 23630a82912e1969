// SPDX-License-Identifier: Apache-2.0
// Readers, chains, distances, the earliest layers and longest paths (torchwright.md 5, 14).
#include "engine/torchwright/analysis/asap.h"
#include "engine/torchwright/analysis/clusters.h"
#include "engine/torchwright/analysis/paths.h"
#include "tests/engine/torchwright/node_sketch.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QTest>

using namespace memplan;
using namespace memplan::torchwright;
using test::NodeSketch;
using test::q;

namespace {

int asapLayers(const NodeGraph& graph, LocalRouting routing) {
    const Relations relations = relationsOf(graph);
    return asapOf({graph, relations, chainsOf(graph, relations), routing}).layers;
}

}  // namespace

class TestNodeAnalysis : public QObject {
    Q_OBJECT

private slots:
    void concatenates_areReplacedByTheirReaders() {
        NodeSketch sketch;
        const NodeId x = sketch.input(2);
        const NodeId inner = sketch.concatenate({x, x});
        const NodeId outer = sketch.concatenate({inner, x});
        const NodeId reader = sketch.linear(outer, 3);
        const NodeGraph graph = sketch.build(reader);
        const Relations r = relationsOf(graph);
        QCOMPARE(r.effective[x.at()], (std::vector<NodeId>{reader}));
        QCOMPARE(r.reads[reader.at()], (std::vector<NodeId>{x, x, x}));
        QCOMPARE(r.consumers[x.at()], (std::vector<NodeId>{inner, outer}));
        QCOMPARE(r.distance[x.at()], 3);
        QVERIFY(r.isOutput[reader.at()]);
    }

    void outputConcatenate_keepsItsLeavesAlive() {
        NodeSketch sketch;
        const NodeId x = sketch.input(2);
        const NodeId a = sketch.linear(x, 1), b = sketch.linear(x, 1);
        const NodeId join = sketch.concatenate({a, b});
        const Relations r = relationsOf(sketch.build(join));
        QCOMPARE(r.effective[a.at()], (std::vector<NodeId>{join}));
        QVERIFY(r.isOutput[a.at()] && r.isOutput[b.at()] && !r.isOutput[x.at()]);
    }

    void extraOutputs_countAsOutputs() {
        NodeSketch sketch;
        const NodeId x = sketch.input(2);
        const NodeId a = sketch.linear(x, 2);
        const NodeId end = sketch.linear(a, 2);
        const NodeId other = sketch.linear(sketch.linear(sketch.linear(a, 2), 2), 2);
        const Relations r = relationsOf(sketch.build(end, {other}));
        QCOMPARE(r.distance[a.at()], 3);
        QCOMPARE(r.distance[end.at()], 0);
        QVERIFY(r.isOutput[end.at()] && r.isOutput[other.at()]);
    }

    void chain_needsAReluThatOneLinearReads() {
        NodeSketch sketch;
        const NodeId x = sketch.input(4);
        const NodeId first = sketch.linear(x, 6);
        const NodeId relu = sketch.relu(first);
        const NodeId second = sketch.linear(relu, 2);
        const NodeId shared = sketch.relu(first);
        const NodeId both = sketch.concatenate({second, sketch.linear(shared, 2), sketch.linear(shared, 2)});
        const NodeGraph graph = sketch.build(both);
        const auto chains = chainsOf(graph, relationsOf(graph));
        QCOMPARE(chains.size(), std::size_t{1});
        QVERIFY((chains.front() == Chain{first, relu, second, false}));
    }

    void chain_endsNotInAReluThatIsAnOutput() {
        NodeSketch sketch;
        const NodeId relu = sketch.relu(sketch.linear(sketch.input(4), 6));
        const NodeId second = sketch.linear(relu, 2);
        const NodeGraph alone = sketch.build(second), both = sketch.build(second, {relu});
        QCOMPARE(chainsOf(alone, relationsOf(alone)).size(), std::size_t{1});
        QVERIFY(chainsOf(both, relationsOf(both)).empty());
    }

    /// The rules of thumb of torchwright.md 5 that hold under both routings, and the one that does not.
    void earliestLayers_ofSmallShapes() {
        NodeSketch sketch;
        const NodeId x = sketch.input(4);
        const NodeId read = sketch.attn(NodeSketch::position(), NodeSketch::position(), x, 4);
        const NodeId chain = sketch.chain(read, 8, 4);
        QCOMPARE(asapLayers(sketch.build(read), LocalRouting::Never), 1);
        QCOMPARE(asapLayers(sketch.build(chain), LocalRouting::Never), 1);
        QCOMPARE(asapLayers(sketch.build(sketch.chain(chain, 8, 4)), LocalRouting::Never), 2);
        const NodeId local = sketch.linear(read, 4);
        QCOMPARE(asapLayers(sketch.build(local), LocalRouting::Never), 1);
        QCOMPARE(asapLayers(sketch.build(local), LocalRouting::Always), 2);
        QCOMPARE(asapLayers(sketch.build(sketch.add(chain, local)), LocalRouting::Never), 2);
        QCOMPARE(asapLayers(sketch.build(sketch.concatenate({chain, local})), LocalRouting::Never), 1);
    }

    /// Each ReLU of a Linear may open a chain of its own: the scheduler need not compute the Linear first.
    void earliestLayers_ofASharedFirstLinear() {
        NodeSketch sketch;
        const NodeId first = sketch.linear(sketch.input(4), 4);
        const NodeId a = sketch.linear(sketch.relu(first), 4), b = sketch.linear(sketch.relu(first), 4);
        for (const LocalRouting routing : {LocalRouting::Never, LocalRouting::Always}) {
            QCOMPARE(asapLayers(sketch.build(sketch.concatenate({a, b})), routing), 1);
            QCOMPARE(asapLayers(sketch.build(sketch.concatenate({a, b, first})), routing), 1);
        }
    }

    /// A Linear that ends one chain may open another, and what is ready first decides: the bound takes the earlier.
    void earliestLayers_ofALinearBetweenTwoChains() {
        NodeSketch sketch;
        const NodeId first = sketch.linear(sketch.input(4), 4);
        const NodeId other = sketch.linear(sketch.relu(first), 4);
        const NodeId middle = sketch.linear(sketch.relu(first), 4);
        const NodeId end = sketch.linear(sketch.relu(middle), 4);
        const NodeId late = sketch.linear(sketch.linear(middle, 4), 4);
        const NodeGraph graph = sketch.build(sketch.concatenate({other, middle, end, late}));
        const Relations r = relationsOf(graph);
        const std::vector<Chain> chains = chainsOf(graph, r);
        QCOMPARE(chains.size(), std::size_t{2});
        QCOMPARE(chains.back().first, middle);
        const Asap asap = asapOf({graph, r, chains, LocalRouting::Never});
        QCOMPARE(asap.layerOf(middle), 0);
        QCOMPARE(asap.layerOf(end), 2);
        QCOMPARE(asap.layers, 3);
    }

    /// Only where nobody else reads it must the first Linear wait for its chain.
    void earliestLayers_ofThreeLinearsInARow() {
        NodeSketch sketch;
        const NodeId first = sketch.linear(sketch.input(4), 4);
        const NodeId middle = sketch.linear(sketch.relu(first), 4);
        const NodeId end = sketch.linear(sketch.relu(middle), 4);
        QCOMPARE(asapLayers(sketch.build(end), LocalRouting::Always), 3);
        QCOMPARE(asapLayers(sketch.build(sketch.concatenate({end, first})), LocalRouting::Always), 2);
        QCOMPARE(asapLayers(sketch.build(end), LocalRouting::Never), 3);
        QCOMPARE(asapLayers(sketch.build(sketch.concatenate({end, first})), LocalRouting::Never), 3);
    }

    void ruleOfThumb_countsNoAdd() {
        NodeSketch sketch;
        const NodeId x = sketch.input(4);
        const NodeGraph graph = sketch.build(sketch.add(sketch.chain(x, 8, 4), sketch.linear(x, 4)));
        const Relations r = relationsOf(graph);
        const auto chains = chainsOf(graph, r);
        QCOMPARE(asapOf({graph, r, chains, LocalRouting::Never}).layers, 2);
        QCOMPARE(ruleOfThumbLayers({graph, r, chains, LocalRouting::Never}), 1);
    }

    void reach_isWhatAnAnnotationCanGain() {
        const NodeGraph graph = test::recordedGraph("basin24_k0");
        const Relations r = relationsOf(graph);
        const auto chains = chainsOf(graph, r);
        const AsapQuestion question{graph, r, chains, LocalRouting::Never};
        QCOMPARE(asapOf(question).layers, 6);
        const auto reach = [&](const std::string& annotation) {
            std::vector<bool> nodes(graph.size());
            for (std::size_t i = 0; i < graph.size(); ++i)
                nodes[i] = graph.nodes[i].annotation == annotation;
            return reachOf(question, asapOf(question), nodes);
        };
        QCOMPARE(reach("render/render/tex_row"), 4);
        QCOMPARE(reach("setup"), 1);
        QCOMPARE(reach("post"), 1);
        QCOMPARE(reach("render"), 0);
    }

    void tiedPaths_areCountedAndSaturate() {
        QCOMPARE(
            criticalPathOf(test::recordedGraph("basin24_k0"), relationsOf(test::recordedGraph("basin24_k0"))).tiedPaths,
            48);
        NodeSketch sketch;
        NodeId x = sketch.input(2);
        for (int i = 0; i < 25; ++i)
            x = sketch.add(sketch.linear(x, 2), sketch.linear(x, 2));
        const NodeGraph graph = sketch.build(x);
        QCOMPARE(criticalPathOf(graph, relationsOf(graph)).tiedPaths, CriticalPath::kMostTied);
    }

    void targets_areRunsOfThreeOps() {
        const NodeGraph graph = test::recordedGraph("basin24_k0");
        const auto targets = targetRuns(criticalPathOf(graph, relationsOf(graph)));
        QCOMPARE(targets.size(), std::size_t{3});
        QCOMPARE(q(targets.front().annotation), QString("render/render/tex_row"));
    }

    void cluster_isMadeOfWhatFeedsTheJoinAlone() {
        NodeSketch sketch;
        const NodeId x = sketch.input(8);
        const NodeId shared = sketch.linear(x, 8);
        std::vector<NodeId> ends;
        for (int i = 0; i < 4; ++i)
            ends.push_back(sketch.linear(sketch.chain(shared, 12, 40), 3));
        const NodeId join = sketch.concatenate(ends);
        const NodeGraph graph = sketch.build(sketch.linear(join, 2));
        const auto clusters = clustersOf(graph, relationsOf(graph), {});
        QCOMPARE(clusters.size(), std::size_t{1});
        QCOMPARE(clusters.front().join, join);
        QCOMPARE(clusters.front().peakWidth, 40);
        QCOMPARE(clusters.front().chains.size(), std::size_t{4});
        QCOMPARE(clusters.front().chains[1].terminal, ends[1]);
        QCOMPARE(clusters.front().chains[1].nodes.size(), std::size_t{4});
        QVERIFY(clustersOf(graph, relationsOf(graph), {5, 32}).empty());
        QVERIFY(clustersOf(graph, relationsOf(graph), {4, 41}).empty());
        const Cluster named = clusterEndingIn(graph, relationsOf(graph), {ends[2], ends[0]});
        QCOMPARE(named.chains.size(), std::size_t{2});
        QVERIFY(named.chains[0] == clusters.front().chains[2]);
    }

    void chainThatFeedsSomethingElse_losesWhatIsReadThere() {
        NodeSketch sketch;
        const NodeId x = sketch.input(8);
        std::vector<NodeId> ends;
        NodeId leak;
        for (int i = 0; i < 4; ++i) {
            leak = sketch.linear(x, 40);
            ends.push_back(sketch.linear(leak, 3));
        }
        const NodeId join = sketch.concatenate(ends);
        const NodeGraph graph = sketch.build(sketch.concatenate({sketch.linear(join, 2), sketch.linear(leak, 1)}));
        const auto clusters = clustersOf(graph, relationsOf(graph), {});
        QCOMPARE(clusters.front().chains[2].nodes.size(), std::size_t{2});
        QCOMPARE(clusters.front().chains[3].nodes, (std::vector<NodeId>{ends[3]}));
    }
};

MEMPLAN_TEST(TestNodeAnalysis)
#include "tst_node_analysis.moc"
