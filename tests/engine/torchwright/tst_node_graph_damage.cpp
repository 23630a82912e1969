// SPDX-License-Identifier: Apache-2.0
// Damaged and hostile graph files end in findings, soon and without a crash.
#include "engine/torchwright/graph/graph_json.h"
#include "engine/torchwright/scheduler/scheduler.h"
#include "tests/engine/torchwright/node_sketch.h"
#include "tests/support/program.h"
#include "tests/support/time_guard.h"
#include "tests/support/words.h"

#include <QTest>

#include <random>

using namespace memplan;
using namespace memplan::torchwright;
using nlohmann::json;
using test::q;

namespace {

/// What is read is compiled too: the scheduler takes what the reader lets through.
void readAndCompile(const std::string& text) {
    const auto result = readGraph(text, {}, {});
    if (!result) {
        QVERIFY(!result.error().primary().message.empty());
        return;
    }
    const NodeGraph graph = withPosition(stripped(result.value().graph), 16);
    const Schedule schedule = scheduleLayers(graph, {});
    QVERIFY(schedule.ok() || !schedule.error.empty());
}

json headOf(int output) {
    return {{"format", kGraphFormat}, {"version", 1}, {"name", "x"}, {"output", output}, {"pos_encoding", nullptr}};
}

json concatenateOf(int id, int width, std::vector<int> inputs) {
    return {{"id", id}, {"type", "Concatenate"}, {"d_output", width}, {"inputs", std::move(inputs)}, {"params", 0}};
}

}  // namespace

class TestNodeGraphDamage : public QObject {
    Q_OBJECT

private slots:
    void cutAnywhere_isRefused() {
        const std::string text = test::recordedFile("unit_attn_then_chain.graph.json").dump();
        for (std::size_t size = 0; size < text.size(); size += 7) {
            const auto result = readGraph(text.substr(0, size), {}, {});
            QVERIFY(!result.ok());
        }
    }

    void bytesChangedAtRandom_neverCrash() {
        const std::string whole = test::recordedFile("unit_relu_fanout.graph.json").dump();
        std::mt19937 random(7);
        for (int round = 0; round < 3000; ++round) {
            std::string text = whole;
            for (int i = 0; i < 3; ++i)
                text[random() % text.size()] = "0123456789[]{},:\"-e"[random() % 19];
            readAndCompile(text);
        }
    }

    void valuesExchanged_neverCrash() {
        const json whole = test::recordedFile("unit_add_wide.graph.json");
        const std::vector<json> values{nullptr,          true, -1,        0,   3,  1 << 20,
                                       9007199254740993, 1.5,  "x",       {1}, {}, {{"a", 1}},
                                       json::array(),    4e18, "0.matrix"};
        const json flat = whole.flatten();
        for (const auto& [path, value] : flat.items()) {
            for (const json& other : values) {
                json damaged = whole;
                damaged[json::json_pointer(path)] = other;
                readAndCompile(damaged.dump());
            }
        }
    }

    /// 60 Concatenates, each twice the one before: a kilobyte that flattens to 2^60 leaves.
    void concatenatesThatDouble_areRefusedAtOnce() {
        json file = headOf(60);
        file["nodes"] = {
            {{"id", 0}, {"type", "Placeholder"}, {"d_output", 0}, {"inputs", json::array()}, {"params", 0}},
            {{"id", 1}, {"type", "InputNode"}, {"d_output", 1}, {"inputs", json::array()}, {"params", 0}}};
        file["nodes"].push_back(concatenateOf(2, 1, {1, 0}));
        for (int id = 3; id <= 60; ++id)
            file["nodes"].push_back(concatenateOf(id, 1, {id - 1, 0}));
        const double before = test::processorSeconds();
        readAndCompile(file.dump());
        json doubling = headOf(60);
        doubling["nodes"] = json::array({file["nodes"][0]});
        doubling["nodes"].push_back({{"id", 1}, {"type", "InputNode"}, {"d_output", 1}, {"inputs", json::array()}});
        for (int id = 2; id <= 60; ++id)
            doubling["nodes"].push_back(concatenateOf(id, 1, {id - 1, id - 1}));
        QVERIFY(!readGraph(doubling.dump(), {}, {}).ok());
        QVERIFY(test::processorSeconds() - before < test::kHostileSeconds);
    }

    /// Concatenates of nothing but Placeholders double without any width.
    void emptyConcatenatesThatDouble_areRefusedAtOnce() {
        json file = headOf(60);
        file["nodes"] = json::array({{{"id", 0}, {"type", "Placeholder"}, {"d_output", 0}, {"inputs", json::array()}}});
        for (int id = 1; id <= 60; ++id)
            file["nodes"].push_back(concatenateOf(id, 0, {id - 1, id - 1}));
        const double before = test::processorSeconds();
        QVERIFY(!readGraph(file.dump(), {}, {}).ok());
        QVERIFY(test::processorSeconds() - before < test::kHostileSeconds);
    }

    void tooManyNodes_areRefused() {
        json file = headOf(0);
        file["nodes"] = json::array();
        for (int id = 0; id < 20; ++id)
            file["nodes"].push_back({{"id", id}, {"type", "InputNode"}, {"d_output", 1}, {"inputs", json::array()}});
        io::Limits limits;
        limits.nodes = 10;
        const auto result = readGraph(file.dump(), limits, {});
        QVERIFY(!result.ok());
        QCOMPARE(q(result.error().primary().code), QString("MPG-110"));
    }

    void sparseTensorOfHugeShape_costsItsEntries() {
        json file = headOf(2);
        file["nodes"] = {{{"id", 1}, {"type", "InputNode"}, {"d_output", 1 << 20}, {"inputs", json::array()}},
                         {{"id", 2},
                          {"type", "Linear"},
                          {"d_output", 1 << 20},
                          {"inputs", {1}},
                          {"d_input", 1 << 20},
                          {"has_bias", false},
                          {"weights", {{"matrix", "m"}}}}};
        file["tensors"] = {
            {"m", {{"shape", {1 << 20, 1 << 20}}, {"encoding", "coo"}, {"index", {5}}, {"values", {1}}}}};
        const auto result = readGraph(file.dump(), {}, {});
        QVERIFY(result.ok());
        QCOMPARE(result.value().graph.at(result.value().graph.output).linear().matrix->entries.size(), std::size_t{1});
        QVERIFY(test::peakMegabytes() < 1000);
    }

    void deepNesting_isRefused() {
        const std::string deep(100'000, '[');
        const auto result = readGraph("{\"format\": " + deep, {}, {});
        QVERIFY(!result.ok());
        QCOMPARE(q(result.error().primary().code), QString("MPG-012"));
    }
};

MEMPLAN_TEST(TestNodeGraphDamage)
#include "tst_node_graph_damage.moc"
