// SPDX-License-Identifier: Apache-2.0
// Isolation, stubs, inputs in the place of nodes, and what is measured with them (torchwright.md 14).
#include "engine/torchwright/cut/cut.h"
#include "engine/torchwright/trial/split_steps.h"
#include "engine/torchwright/trial/stub_out.h"
#include "tests/engine/torchwright/node_sketch.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QTest>

using namespace memplan;
using namespace memplan::torchwright;
using test::NodeSketch;
using test::numbersOf;
using test::optionsOf;
using test::q;

class TestGraphCuts : public QObject {
    Q_OBJECT

private slots:
    void isolation_keepsWhatFeedsTheNodes() {
        NodeSketch sketch;
        const NodeId x = sketch.input(4);
        const NodeId a = sketch.linear(x, 2), b = sketch.linear(x, 3);
        const NodeId end = sketch.concatenate({sketch.linear(a, 2), sketch.linear(b, 2)});
        sketch.at(b).after = {a};
        const NodeGraph graph = sketch.build(end);
        const auto one = isolated(graph, {b});
        QVERIFY(one.ok());
        QCOMPARE(one.value().size(), std::size_t{3});
        QVERIFY(one.value().at(one.value().output).after.empty());  // nothing waits for what is not there
        const auto two = isolated(graph, {b, a});
        const NodeGraph& joined = two.value();
        QCOMPARE(joined.at(joined.output).number, std::int64_t{7});
        QCOMPARE(joined.at(joined.output).width, 5);
        QCOMPARE(numbersOf(joined, joined.at(joined.output).inputs), (std::vector<std::int64_t>{3, 2}));
    }

    void stub_ofTheRecordedGraph() {
        for (const char* name : {"basin24_k0", "basin24_k8"}) {
            const NodeGraph graph = test::recordedGraph(name);
            const auto recorded = test::recordedFile(std::string(name) + ".expected.json").at("stub_out");
            const Schedule whole = scheduleLayers(graph, optionsOf(768, 256, LocalRouting::Never));
            const auto stub = stubOut(graph, whole, recorded.at("annotation_prefix").get<std::string>());
            QVERIFY(stub.ok());
            QCOMPARE(stub.value().layersAfter, recorded.at("n_layers_after").get<int>());
            QCOMPARE(stub.value().delta(), recorded.at("delta").get<int>());
            QCOMPARE(stub.value().peakOccupiedAfter, recorded.at("peak_occupied_after").get<int>());
            QCOMPARE(stub.value().nodesAfter, recorded.at("nodes_after").get<int>());
        }
    }

    void stub_takesAnOutputsPlace_andItsTensors() {
        NodeSketch sketch;
        const NodeId a = sketch.linear(sketch.input(4), 2);
        const NodeId b = sketch.linear(a, 3);
        sketch.annotate("tail/end", {b});
        sketch.annotate("tailor", {a});
        NodeGraph graph = sketch.build(sketch.concatenate({a, b}));
        graph.hasTensors = true;
        const auto stub = stubbed(graph, "tail");
        QVERIFY(stub.ok());
        QVERIFY(stub.value().at(stub.value().find(3)).is(NodeKind::LiteralValue));
        QVERIFY(stub.value().at(stub.value().find(2)).is(NodeKind::Linear));
        QVERIFY(!stub.value().hasTensors);
    }

    void inputs_takeTheNumberAndWidthOfTheNodes() {
        NodeSketch sketch;
        const NodeId a = sketch.linear(sketch.input(4), 2);
        const NodeId b = sketch.linear(a, 3);
        const NodeGraph graph = sketch.build(b);
        const auto cut = withInputs(graph, {a});
        QVERIFY(cut.ok());
        QCOMPARE(cut.value().size(), std::size_t{3});
        const Node& input = cut.value().at(cut.value().find(2));
        QVERIFY(input.is(NodeKind::InputNode));
        QCOMPARE(input.width, 2);
    }

    void whatIsNotThere_isNamed_data() {
        QTest::addColumn<QString>("isolate");
        QTest::addColumn<QString>("stub");
        QTest::addColumn<QString>("inputs");
        QTest::addColumn<QString>("where");
        QTest::newRow("isolate unknown") << "2, 99"
                                         << ""
                                         << ""
                                         << "torchwright.isolate";
        QTest::newRow("isolate no number") << "two"
                                           << ""
                                           << ""
                                           << "torchwright.isolate";
        QTest::newRow("stub unknown") << ""
                                      << "render"
                                      << ""
                                      << "torchwright.stub";
        QTest::newRow("input unknown") << ""
                                       << ""
                                       << "77"
                                       << "torchwright.as_inputs";
        QTest::newRow("input of an input") << ""
                                           << ""
                                           << "1"
                                           << "torchwright.as_inputs";
        QTest::newRow("set that cuts itself") << ""
                                              << ""
                                              << "2,3"
                                              << "torchwright.as_inputs";
        QTest::newRow("input that isolation removed") << "2"
                                                      << ""
                                                      << "3"
                                                      << "torchwright.as_inputs";
    }

    void whatIsNotThere_isNamed() {
        QFETCH(QString, isolate);
        QFETCH(QString, stub);
        QFETCH(QString, inputs);
        QFETCH(QString, where);
        NodeSketch sketch;
        const NodeGraph graph = sketch.build(sketch.linear(sketch.linear(sketch.input(4), 2), 3));
        const auto cut = cutAsAsked(graph, {isolate.toStdString(), stub.toStdString(), inputs.toStdString()});
        QVERIFY(!cut.ok());
        QCOMPARE(q(cut.error().primary().code), QString("TW-021"));
        QCOMPARE(q(cut.error().primary().where), where);
    }

    /// A word that is near to none: some that are there are named, and only a graph without any is said to have none.
    void unknownAnnotation_namesSome() {
        NodeSketch sketch;
        const NodeId x = sketch.input(4);
        const NodeId first = sketch.linear(x, 4), second = sketch.linear(first, 4);
        const auto hintOf = [&](const char* stub) {
            return q(cutAsAsked(sketch.build(second), {"", stub, ""}).error().primary().hint);
        };
        QCOMPARE(hintOf("nix"), QString("the graph has no annotations"));
        sketch.annotate("render", {first});
        QCOMPARE(hintOf("nix"), QString("there are \"render\""));
        QCOMPARE(hintOf("rendr"), QString("nearest: \"render\""));
        sketch.annotate("a", {x});
        sketch.annotate("blur/wide/and/long", {second});
        QCOMPARE(hintOf("nix"), QString("there are \"a\", \"blur/wide/and/long\", \"render\""));
    }

    void nothingAsked_changesNothing() {
        const NodeGraph graph = test::recordedGraph("adder");
        QVERIFY(cutAsAsked(graph, {" , ", "", ""}).value() == graph);
    }

    void split_halvesAChainOfWork() {
        NodeSketch sketch;
        NodeId x = sketch.input(4);
        NodeId middle;
        for (int i = 0; i < 8; ++i) {
            x = sketch.chain(x, 8, 4);
            if (i == 3) middle = x;
        }
        const NodeGraph graph = sketch.build(x);
        const auto split = splitAcrossSteps(graph, {middle}, optionsOf(64, 64, LocalRouting::Never));
        QVERIFY(split.ok());
        QVERIFY(split.value().ok());
        QCOMPARE(split.value().before.layerCount(), 8);
        QCOMPARE(split.value().layersAfter(), 4);
        QCOMPARE(split.value().widthPerToken, 4);
        QVERIFY(!splitAcrossSteps(graph, {middle, graph.output}, optionsOf(64, 64, LocalRouting::Never)).ok());
    }

    void split_computesIndependentOutputsInTheFirstStep() {
        NodeSketch sketch;
        const NodeId x = sketch.input(4);
        const NodeId apart = sketch.chain(x, 8, 3);
        const NodeId middle = sketch.chain(x, 8, 4);
        const NodeId end = sketch.chain(middle, 8, 4);
        const NodeGraph graph = sketch.build(end, {apart});
        const auto split = splitAcrossSteps(graph, {middle}, optionsOf(64, 64, LocalRouting::Never));
        QVERIFY(split.ok());
        const NodeGraph& first = split.value().first;
        QCOMPARE(numbersOf(first, leavesOf(first, first.output)), numbersOf(graph, {middle, apart}));
    }
};

MEMPLAN_TEST(TestGraphCuts)
#include "tst_graph_cuts.moc"
