// SPDX-License-Identifier: Apache-2.0
// Direct evaluation of a graph (torchwright.md 4): the recorded values, every kind of node by hand, inputs that do not
// fit.
#include "engine/torchwright/eval/evaluate.h"
#include "tests/engine/torchwright/weighted_graphs.h"
#include "tests/support/program.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace memplan::torchwright;
using memplan::test::NodeSketch;

namespace {

GraphInputs oneInput(std::vector<std::vector<double>> rows) {
    GraphInputs inputs;
    inputs.positions = rows.size();
    Rows values(rows.size(), rows.front().size());
    for (std::size_t p = 0; p < rows.size(); ++p)
        std::ranges::copy(rows[p], values.row(p).begin());
    inputs.rows["1"] = values;
    return inputs;
}

std::vector<double> valuesOf(const NodeGraph& graph, const GraphInputs& inputs) {
    const auto out = evaluate(graph, inputs);
    return out ? out.value().values : std::vector<double>{};
}

void setLinear(Node& node, const std::vector<std::vector<float>>& matrix, const std::vector<float>& bias) {
    auto& data = std::get<LinearData>(node.data);
    data.matrix = memplan::test::matrixOf(matrix);
    data.bias = memplan::test::matrixOf({bias});
}

}  // namespace

class TestDirectEvaluation : public QObject {
    Q_OBJECT

private slots:
    void recordedOutput_data() {
        QTest::addColumn<QString>("name");
        for (const std::string& name : memplan::test::weightedGraphs())
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void recordedOutput() {
        QFETCH(QString, name);
        const NodeGraph graph = memplan::test::recordedGraph(name.toStdString());
        const auto recorded = memplan::test::recordedRun(name.toStdString(), graph);
        const auto output = evaluate(graph, recorded.inputs);
        QVERIFY2(output.ok(), output.ok() ? "" : output.error().primary().message.c_str());
        QVERIFY(memplan::test::largestDifference(output.value().values, recorded.output.values) < 1e-3);
    }

    void linearReluAddConcatenate() {
        NodeSketch sketch;
        const NodeId x = sketch.input(2);
        const NodeId y = sketch.linear(x, 2, true);
        setLinear(sketch.at(y), {{1, 2}, {-1, 3}}, {0.5F, -4});
        const NodeId sum = sketch.add(sketch.relu(y), x);
        const NodeGraph graph = sketch.build(sketch.concatenate({sum, x, sum}));
        // y = (1*3 - 1*1 + 0.5, 2*3 + 3*1 - 4) = (2.5, 5) and, for (0, 1), (-0.5, -1)
        QCOMPARE(valuesOf(graph, oneInput({{3, 1}, {0, 1}})),
                 (std::vector<double>{5.5, 6, 3, 1, 5.5, 6, 0, 1, 0, 1, 0, 1}));
    }

    void assertAndLiteralArePassedThrough() {
        NodeSketch sketch;
        const NodeId x = sketch.input(2);
        const NodeGraph graph = sketch.build(sketch.assertion(sketch.add(x, sketch.literal({10, -1}))));
        QCOMPARE(valuesOf(graph, oneInput({{3, 1}})), (std::vector<double>{13, 0}));
        QCOMPARE(valuesOf(stripped(graph), oneInput({{3, 1}})), (std::vector<double>{13, 0}));
    }

    void placeholderHasNoColumns() {
        NodeSketch sketch;
        const NodeId x = sketch.input(2);
        const NodeId empty = sketch.literal({});
        sketch.at(empty).kind = NodeKind::Placeholder;
        sketch.at(empty).data = {};
        QCOMPARE(valuesOf(sketch.build(sketch.concatenate({empty, x})), oneInput({{3, 1}})),
                 (std::vector<double>{3, 1}));
    }

    /// Equal logits: the mean over the positions so far.
    void attention_isCausal() {
        NodeSketch sketch;
        const NodeId x = sketch.input(1);
        const NodeId read = sketch.attn(x, x, x, 1);
        auto& data = std::get<AttnData>(sketch.at(read).data);
        data.qk = 1;
        data.queryMatrix = memplan::test::matrixOf({{0}});
        data.keyMatrix = memplan::test::matrixOf({{1}});
        data.valueMatrix = memplan::test::matrixOf({{2}});
        data.outputMatrix = memplan::test::matrixOf({{0.5F}});
        QCOMPARE(valuesOf(sketch.build(read), oneInput({{1}, {3}, {8}})), (std::vector<double>{1, 2, 4}));
    }

    /// No division by the root of the width.
    void attention_weighsByTheLogits() {
        NodeSketch sketch;
        const NodeId x = sketch.input(1);
        const NodeId read = sketch.attn(x, x, x, 1);
        auto& data = std::get<AttnData>(sketch.at(read).data);
        data.qk = 1;
        for (auto* matrix : {&data.queryMatrix, &data.keyMatrix, &data.valueMatrix, &data.outputMatrix})
            *matrix = memplan::test::matrixOf({{1}});
        const auto values = valuesOf(sketch.build(read), oneInput({{0}, {2}}));
        QCOMPARE(values[1], 2 * std::exp(4) / (std::exp(4) + 1));
    }

    void positionRows_areSineCosineAndTheCounter() {
        const Rows rows = positionRows(3, 2, 4);
        const double slow = std::exp(-2 * std::log(10000.0) / 4);
        QCOMPARE(rows.at(0, 0), std::sin(3.0));
        QCOMPARE(rows.at(0, 1), std::cos(3.0));
        QCOMPARE(rows.at(0, 2), 3.0);
        QCOMPARE(rows.at(1, 2), 4.0);
        QCOMPARE(rows.at(1, 3), std::cos(4 * slow));
    }

    /// Rows of a run with a cache begin at its length.
    void firstPosition_movesTheEncoding() {
        const NodeGraph graph = NodeSketch(4).build(NodeSketch::position());
        GraphInputs inputs;
        inputs.firstPosition = 7;
        QCOMPARE(valuesOf(graph, inputs)[2], 7.0);
    }

    void inputsThatDoNotFit_haveOneMessageEach() {
        NodeSketch sketch;
        const NodeGraph graph = sketch.build(sketch.input(2));
        const auto messageOf = [&graph](const GraphInputs& inputs) {
            const auto out = evaluate(graph, inputs);
            return out ? std::string() : out.error().primary().code + ' ' + out.error().primary().message;
        };
        QCOMPARE(messageOf({}), "TW-022 no rows are given for the input");
        QCOMPARE(messageOf(oneInput({{1}})), "TW-022 1 x 1 values are given, the input has 1 positions x 2 columns");
        QCOMPARE(messageOf(oneInput({{1, NAN}})), "TW-022 a value is not finite");
    }

    void tokenOutsideOfTheTable_isRefused() {
        const NodeGraph graph = memplan::test::recordedGraph("adder_1digit");
        auto inputs = memplan::test::recordedRun("adder_1digit", graph).inputs;
        inputs.tokens.begin()->second[0] = 1'000'000;
        const auto out = evaluate(graph, inputs);
        QVERIFY(!out.ok());
        QVERIFY(out.error().primary().message.find("token id 1000000 is outside of the table's") == 0);
        inputs.tokens.begin()->second.resize(2);
        QCOMPARE(evaluate(graph, inputs).error().primary().message, "2 token ids are given for 4 positions");
        inputs.tokens.clear();
        QCOMPARE(evaluate(graph, inputs).error().primary().message, "no token ids are given for the input");
    }

    void graphWithoutWeights_isRefused() {
        NodeSketch sketch;
        const NodeGraph graph = sketch.build(sketch.linear(sketch.input(2), 2));
        const auto out = evaluate(graph, oneInput({{1, 2}}));
        QVERIFY(!out.ok());
        QCOMPARE(out.error().primary().code, "TW-023");
        QCOMPARE(out.error().primary().where, "node 2");
    }

    void sampleInputs_areRepeatableAndInRange() {
        const NodeGraph graph = memplan::test::recordedGraph("unit_add_free");
        const GraphInputs a = sampleInputs(graph, 8, 5);
        QVERIFY(a == sampleInputs(graph, 8, 5));
        QVERIFY(!(a == sampleInputs(graph, 8, 6)));
        for (const double value : a.rows.at("x").values)
            QVERIFY(value >= -1 && value <= 1);
        const NodeGraph words = memplan::test::recordedGraph("adder");
        QVERIFY(evaluate(words, sampleInputs(words, 8, 1)).ok());
    }
};

MEMPLAN_TEST(TestDirectEvaluation)
#include "tst_direct_evaluation.moc"
