// SPDX-License-Identifier: Apache-2.0
// Fusion of consecutive Linears (torchwright.md 11).
#include "engine/torchwright/fusion/fuse_linears.h"
#include "tests/engine/torchwright/node_sketch.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QTest>

using namespace memplan;
using namespace memplan::torchwright;
using test::NodeSketch;

namespace {

TensorPtr tensor(std::int64_t rows, std::int64_t columns, std::vector<float> values) {
    Tensor t;
    t.rows = rows;
    t.columns = columns;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] != 0) t.entries.push_back({static_cast<std::int64_t>(i), values[i]});
    return std::make_shared<const Tensor>(std::move(t));
}

void setWeights(Node& node, TensorPtr matrix, TensorPtr bias) {
    auto& data = std::get<LinearData>(node.data);
    data.hasBias = !bias->entries.empty();
    data.matrix = std::move(matrix);
    data.bias = std::move(bias);
}

}  // namespace

class TestLinearFusion : public QObject {
    Q_OBJECT

private slots:
    void pair_becomesItsProduct() {
        NodeSketch sketch;
        const NodeId first = sketch.linear(sketch.input(2), 3);
        const NodeId second = sketch.linear(first, 2);
        setWeights(sketch.at(first), tensor(2, 3, {1, 0, 2, 0, 3, 0}), tensor(1, 3, {1, 0, -1}));
        setWeights(sketch.at(second), tensor(3, 2, {1, 0, 0, 1, 1, 1}), tensor(1, 2, {0, 5}));
        sketch.at(first).name = "a";
        sketch.at(second).name = "b";
        const Fusion fusion = fuseLinears(sketch.build(second), {});
        QCOMPARE(fusion.fused.size(), std::size_t{1});
        QCOMPARE(fusion.graph.size(), std::size_t{3});
        const Node& fused = fusion.graph.at(fusion.graph.output);
        QCOMPARE(fused.number, std::int64_t{3});
        QCOMPARE(test::q(fused.name), QString("fused_a_b"));
        QCOMPARE(fused.params, std::int64_t{6});
        QVERIFY(*fused.linear().matrix == *tensor(2, 2, {3, 2, 0, 3}));
        QVERIFY(*fused.linear().bias == *tensor(1, 2, {0, 4}));
        QVERIFY(fused.linear().hasBias);
        QCOMPARE(fused.linear().nonZeros, std::int64_t{3});
    }

    void biasThatCancelsOut_isNone() {
        NodeSketch sketch;
        const NodeId first = sketch.linear(sketch.input(1), 1);
        const NodeId second = sketch.linear(first, 1);
        setWeights(sketch.at(first), tensor(1, 1, {1}), tensor(1, 1, {2}));
        setWeights(sketch.at(second), tensor(1, 1, {3}), tensor(1, 1, {-6}));
        const Fusion fusion = fuseLinears(sketch.build(second), {});
        QVERIFY(!hasBias(fusion.graph.at(fusion.graph.output)));
    }

    void run_collapsesInOneCall() {
        NodeSketch sketch;
        NodeId x = sketch.input(4);
        for (int i = 0; i < 5; ++i)
            x = sketch.linear(x, 4, i == 2);
        const Fusion fusion = fuseLinears(sketch.build(x), {});
        QCOMPARE(fusion.fused.size(), std::size_t{4});
        QCOMPARE(fusion.graph.size(), std::size_t{3});
        QVERIFY(hasBias(fusion.graph.at(fusion.graph.output)));
    }

    void refused_areFanOutConcatenateAndInflation() {
        NodeSketch sketch;
        const NodeId x = sketch.input(32);
        const NodeId shared = sketch.linear(x, 8);
        const NodeId narrow = sketch.linear(x, 1);
        const NodeId wide = sketch.linear(narrow, 32);  // 32 * 32 + 32 is more than both
        const NodeId join = sketch.concatenate({sketch.linear(shared, 8), sketch.linear(shared, 8)});
        const NodeId end = sketch.concatenate({sketch.linear(join, 2), wide});
        QVERIFY(fusablePairs(sketch.build(end)).empty());
    }

    void firstThatReadsAConcatenate_isFused() {
        NodeSketch sketch;
        const NodeId x = sketch.input(2);
        const NodeId first = sketch.linear(sketch.concatenate({x, x}), 4);
        const NodeId second = sketch.linear(first, 2);
        const Fusion fusion = fuseLinears(sketch.build(second), {});
        QCOMPARE(fusion.fused.size(), std::size_t{1});
        QVERIFY(fusion.graph.at(fusion.graph.at(fusion.graph.output).inputs.front()).is(NodeKind::Concatenate));
    }

    void outputs_areNotFusedAway() {
        NodeSketch sketch;
        const NodeId first = sketch.linear(sketch.input(4), 4);
        const NodeId second = sketch.linear(first, 4);
        QVERIFY(fusablePairs(sketch.build(second, {first})).empty());
    }

    void hints_decideAPair() {
        NodeSketch sketch;
        const NodeId x = sketch.input(4);
        const NodeId a = sketch.linear(x, 4), b = sketch.linear(a, 4);
        const NodeId c = sketch.linear(x, 4), d = sketch.linear(c, 4);
        const NodeGraph graph = sketch.build(sketch.add(b, d));
        QCOMPARE(fuseLinears(graph, {true, {}, {a}, {}}).fused, (std::vector<LinearPair>{{c, d}}));
        QCOMPARE(fuseLinears(graph, {false, {a}, {}, {}}).fused, (std::vector<LinearPair>{{a, b}}));
        QVERIFY(fuseLinears(graph, {false, {}, {}, {}}).fused.empty());
        const Fusion kept = fuseLinears(graph, {true, {}, {}, {c}});
        QCOMPARE(kept.fused, (std::vector<LinearPair>{{a, b}}));
        QCOMPARE(kept.refused, (std::vector<LinearPair>{{c, d}}));
    }

    void nodeThatAnotherWaitsFor_stays() {
        NodeSketch sketch;
        const NodeId x = sketch.input(4);
        const NodeId a = sketch.linear(x, 4), b = sketch.linear(a, 4), c = sketch.linear(x, 4);
        sketch.at(c).after = {a};
        sketch.at(a).afterMissing = {99};
        const Fusion fusion = fuseLinears(sketch.build(sketch.add(b, c)), {});
        QVERIFY(fusion.fused.empty());
        QCOMPARE(fusion.refused, (std::vector<LinearPair>{{a, b}}));
    }

    void whatTheFirstWaitedFor_theSecondWaitsFor() {
        NodeSketch sketch;
        const NodeId x = sketch.input(4);
        const NodeId before = sketch.relu(x);
        const NodeId a = sketch.linear(x, 4), b = sketch.linear(a, 4);
        sketch.at(a).after = {before};
        const Fusion fusion = fuseLinears(sketch.build(sketch.add(b, before)), {});
        const NodeId fused = fusion.graph.find(4);
        QCOMPARE(test::numbersOf(fusion.graph, fusion.graph.at(fused).after), (std::vector<std::int64_t>{2}));
    }
};

MEMPLAN_TEST(TestLinearFusion)
#include "tst_linear_fusion.moc"
