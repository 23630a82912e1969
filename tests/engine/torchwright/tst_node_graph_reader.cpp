// SPDX-License-Identifier: Apache-2.0
// The checks of the graph reader, each with its code and its place (torchwright.md 2, 3; codes.md 6).
#include "engine/torchwright/graph/graph_json.h"
#include "tests/engine/torchwright/node_sketch.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QTest>

#include <functional>

using namespace memplan;
using namespace memplan::torchwright;
using nlohmann::json;
using test::q;

namespace {

/// Input 4, Linear 4->2 with weights and bias, ReLU, Concatenate of both, Attn over it.
json smallGraph() {
    return json::parse(R"({"format": "memplan.torchwright-graph", "version": 1, "name": "small", "output": 5,
        "pos_encoding": {"id": 0, "d_pos": 16},
        "nodes": [
            {"id": 1, "type": "InputNode", "d_output": 4, "inputs": [], "name": "x", "value_range": [-1, 1], "params": 0},
            {"id": 2, "type": "Linear", "d_output": 2, "inputs": [1], "d_input": 4, "has_bias": true, "nnz": 2,
             "weights": {"matrix": "2.matrix", "bias": "2.bias"}, "params": 10},
            {"id": 3, "type": "ReLU", "d_output": 2, "inputs": [2], "params": 0},
            {"id": 4, "type": "Concatenate", "d_output": 4, "inputs": [2, 3], "params": 0},
            {"id": 5, "type": "Attn", "d_output": 3, "inputs": [4, 4, 4], "d_qk": 2, "d_v": 3, "d_query_in": 4,
             "d_key_in": 4, "d_value_in": 4, "weights": {"query_matrix": "q", "key_matrix": "q", "value_matrix": "v",
             "output_matrix": "o"}, "params": 37}],
        "tensors": {
            "2.matrix": {"shape": [4, 2], "encoding": "coo", "index": [7, 0], "values": [0.5, -1]},
            "2.bias": {"shape": [2], "encoding": "dense", "values": [0, 2]},
            "q": {"shape": [4, 2], "encoding": "coo", "index": [0, 5], "values": [1, 1]},
            "v": {"shape": [4, 3], "encoding": "coo", "index": [], "values": []},
            "o": {"shape": [3, 3], "encoding": "coo", "index": [0], "values": [1]}}})");
}

Result<ReadGraph> read(const json& file) {
    return readGraph(file.dump(), {}, {});
}

using Change = std::function<void(json&)>;

struct Wrong {
    const char* name;
    const char* code;
    const char* where;
    Change change;
};

json& node(json& file, int index) {
    return file["nodes"][static_cast<std::size_t>(index)];
}

const std::vector<Wrong> kWrong{
    {"format", "TW-002", "/format", [](json& f) { f["format"] = "memplan-graph"; }},
    {"version", "TW-002", "/version", [](json& f) { f["version"] = 2; }},
    {"id twice", "TW-003", "/nodes/2", [](json& f) { node(f, 2)["id"] = 2; }},
    {"input unknown", "TW-004", "/nodes/1", [](json& f) { node(f, 1)["inputs"] = {9}; }},
    {"cycle", "TW-005", "/nodes/1", [](json& f) { node(f, 1)["inputs"] = {4}; }},
    {"ReLU width", "TW-006", "/nodes/2", [](json& f) { node(f, 2)["d_output"] = 3; }},
    {"Linear width", "TW-006", "/nodes/1", [](json& f) { node(f, 1)["d_input"] = 3; }},
    {"Concatenate width", "TW-006", "/nodes/3", [](json& f) { node(f, 3)["d_output"] = 5; }},
    {"key width", "TW-006", "/nodes/4", [](json& f) { node(f, 4)["d_key_in"] = 5; }},
    {"position width", "TW-006", "/pos_encoding", [](json& f) { f["pos_encoding"]["id"] = 1; }},
    {"input count", "TW-007", "/nodes/4",
     [](json& f) {
         node(f, 4)["inputs"] = {4, 4};
     }},
    {"no input", "TW-007", "/nodes/3", [](json& f) { node(f, 3)["inputs"] = json::array(); }},
    {"no output", "TW-008", "", [](json& f) { f.erase("output"); }},
    {"output unknown", "TW-008", "/output", [](json& f) { f["output"] = 77; }},
    {"extra output unknown", "TW-008", "/extra_outputs/1",
     [](json& f) {
         f["extra_outputs"] = {3, 77};
     }},
    {"type unknown", "TW-009", "/nodes/2/type", [](json& f) { node(f, 2)["type"] = "GELU"; }},
    {"tensor missing", "TW-010", "/nodes/1/weights/matrix", [](json& f) { f["tensors"].erase("2.matrix"); }},
    {"weight missing", "TW-010", "/nodes/1", [](json& f) { node(f, 1).erase("weights"); }},
    {"tensor shape", "TW-010", "/nodes/1/weights/bias",
     [](json& f) {
         f["tensors"]["2.bias"]["shape"] = {1};
         f["tensors"]["2.bias"]["values"] = {1};
     }},
    {"tensor index", "TW-010", "/tensors/2.matrix/index/0", [](json& f) { f["tensors"]["2.matrix"]["index"][0] = 8; }},
    {"tensor index twice", "TW-010", "/tensors/2.matrix/index",
     [](json& f) { f["tensors"]["2.matrix"]["index"][0] = 0; }},
    {"tensor count", "TW-010", "/tensors/2.bias/values",
     [](json& f) {
         f["tensors"]["2.bias"]["values"] = {1, 2, 3};
     }},
    {"tensor value", "TW-010", "/tensors/2.bias/values/1", [](json& f) { f["tensors"]["2.bias"]["values"][1] = 1e60; }},
    {"tensor encoding", "TW-010", "/tensors/2.bias", [](json& f) { f["tensors"]["2.bias"]["encoding"] = "zip"; }},
    {"tensor too large", "TW-010", "/tensors/q/shape",
     [](json& f) {
         f["tensors"]["q"]["shape"] = {1 << 30, 1 << 30};
     }},
    {"d_qk", "TW-012", "/nodes/4", [](json& f) { node(f, 4)["weights"]["key_matrix"] = "v"; }},
    {"Add of two widths", "TW-012", "/nodes/4",
     [](json& f) {
         node(f, 4) = {{"id", 5}, {"type", "Add"}, {"d_output", 4}, {"inputs", {4, 3}}, {"params", 0}};
     }},
    {"dead child", "TW-012", "/nodes/4",
     [](json& f) {
         f["tensors"]["q"]["index"] = {0, 3};
     }},
    {"missing key", "MPG-105", "/nodes/1", [](json& f) { node(f, 1).erase("d_input"); }},
    {"wrong type", "MPG-106", "/nodes/1/has_bias", [](json& f) { node(f, 1)["has_bias"] = 1; }},
    {"width out of range", "MPG-107", "/nodes/0/d_output", [](json& f) { node(f, 0)["d_output"] = 0; }},
};

}  // namespace

class TestNodeGraphReader : public QObject {
    Q_OBJECT

private slots:
    void wholeFile_isRead() {
        const auto result = read(smallGraph());
        QVERIFY2(result.ok(), result.ok() ? "" : result.error().primary().message.c_str());
        const NodeGraph& graph = result.value().graph;
        QVERIFY(result.value().warnings.empty());
        QCOMPARE(graph.size(), std::size_t{6});
        QCOMPARE(graph.at(graph.position).number, std::int64_t{0});
        QCOMPARE(graph.at(graph.output).number, std::int64_t{5});
        QVERIFY(graph.hasTensors);
        const LinearData& linear = graph.at(graph.find(2)).linear();
        QCOMPARE(linear.matrix->at(3, 1), 0.5F);
        QCOMPARE(linear.matrix->at(0, 0), -1.0F);
        QCOMPARE(linear.matrix->at(2, 1), 0.0F);
        QCOMPARE(linear.bias->entries.size(), std::size_t{1});
        QCOMPARE(graph.at(graph.find(5)).params, std::int64_t{8 + 8 + 12 + 9});
    }

    void withoutTensors_everythingElseIsThere() {
        json file = smallGraph();
        file.erase("tensors");
        const auto result = read(file);
        QVERIFY(result.ok());
        QVERIFY(!result.value().graph.hasTensors);
        QCOMPARE(result.value().graph.at(result.value().graph.find(2)).linear().nonZeros, std::int64_t{2});
    }

    void eachMistake_hasItsCodeAndPlace_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < kWrong.size(); ++i)
            QTest::newRow(kWrong[i].name) << static_cast<int>(i);
    }

    void eachMistake_hasItsCodeAndPlace() {
        QFETCH(int, index);
        const Wrong& wrong = kWrong[static_cast<std::size_t>(index)];
        json file = smallGraph();
        wrong.change(file);
        const auto result = read(file);
        QVERIFY(!result.ok());
        const Diagnostic& found = result.error().primary();
        QCOMPARE(q(found.code), QString(wrong.code));
        QCOMPARE(q(found.where), QString(wrong.where));
        QVERIFY(!found.message.empty());
        int errors = 0;
        for (const Diagnostic& d : result.error().diagnostics)
            errors += d.severity == Severity::Error ? 1 : 0;
        QCOMPARE(errors, 1);
    }

    void writtenGraph_readsBackTheSame_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"adder", "calculator", "basin24_k8", "unit_add_literal", "sort_digits_v4"})
            QTest::newRow(name) << name;
    }

    void writtenGraph_readsBackTheSame() {
        QFETCH(QString, name);
        const NodeGraph graph = test::recordedGraph(name.toStdString());
        const std::string text = writeGraph(graph);
        const auto again = readGraph(text, {}, {});
        QVERIFY2(again.ok(), again.ok() ? "" : again.error().primary().message.c_str());
        QVERIFY(again.value().warnings.empty());
        QCOMPARE(writeGraph(again.value().graph), text);
        QCOMPARE(again.value().graph.size(), graph.size());
        for (std::size_t i = 0; i < graph.size(); ++i) {
            const Node& node = again.value().graph.nodes[i];
            QCOMPARE(node.after, graph.nodes[i].after);
            QCOMPARE(node.annotation, graph.nodes[i].annotation);
            if (!node.is(NodeKind::Linear) || !graph.hasTensors) continue;
            QVERIFY(*node.linear().matrix == *graph.nodes[i].linear().matrix);
            QVERIFY(*node.linear().bias == *graph.nodes[i].linear().bias);
        }
    }

    void cycle_isNamed() {
        json file = smallGraph();
        node(file, 1)["inputs"] = {4};
        QCOMPARE(q(read(file).error().primary().message), QString("the graph has a cycle of 2 nodes: 2 -> 4 -> 2"));
    }

    void afterOfAnUnneededNode_isAWarning() {
        json file = smallGraph();
        file["output"] = 3;
        node(file, 2)["after"] = {5, 99};
        const auto result = read(file);
        QVERIFY(result.ok());
        QCOMPARE(result.value().warnings.size(), std::size_t{2});
        QCOMPARE(q(result.value().warnings.front().code), QString("TW-011"));
        const NodeGraph& graph = result.value().graph;
        QCOMPARE(graph.at(graph.find(3)).afterMissing.size(), std::size_t{2});
        QVERIFY(!graph.find(5).isValid());
    }

    void unknownKeys_areWarnings_exceptOwnOnes() {
        json file = smallGraph();
        node(file, 1)["annotaton"] = "loop";
        node(file, 1)["x_mine"] = 1;
        const auto result = read(file);
        QVERIFY(result.ok());
        QCOMPARE(result.value().warnings.size(), std::size_t{1});
        QCOMPARE(q(result.value().warnings.front().where), QString("/nodes/1/annotaton"));
    }

    void missingPosition_isAddedWithTheNextNumber() {
        json file = smallGraph();
        file["pos_encoding"] = nullptr;
        const auto result = read(file);
        QVERIFY(result.ok());
        QVERIFY(!result.value().graph.position.isValid());
        const NodeGraph whole = withPosition(result.value().graph, 32);
        QCOMPARE(whole.at(whole.position).number, std::int64_t{6});
        QCOMPARE(whole.at(whole.position).width, 32);
        QVERIFY(withPosition(whole, 16) == whole);
    }

    void assertions_areTakenOut_withTheHintsThatPointAtThem() {
        test::NodeSketch sketch;
        const NodeId x = sketch.input(2);
        const NodeId checked = sketch.assertion(sketch.linear(x, 2));
        const NodeId second = sketch.linear(checked, 2);
        sketch.at(second).after = {checked};
        const NodeGraph graph = stripped(sketch.build(sketch.assertion(second)));
        QCOMPARE(graph.size(), std::size_t{4});
        QCOMPARE(graph.at(graph.output).number, std::int64_t{4});
        QCOMPARE(test::numbersOf(graph, graph.at(graph.output).after), (std::vector<std::int64_t>{2}));
        QVERIFY(stripped(graph) == graph);
    }
};

MEMPLAN_TEST(TestNodeGraphReader)
#include "tst_node_graph_reader.moc"
