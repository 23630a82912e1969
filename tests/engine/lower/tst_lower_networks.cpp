// SPDX-License-Identifier: Apache-2.0
// Real networks become graphs that the reader of graph files accepts (inputs-and-interchange 6, 8.1).
#include "engine/io/graph/graph_json.h"
#include "engine/io/onnx/lower/lower_onnx.h"
#include "engine/io/onnx/resolve/onnx_reader.h"
#include "tests/probe/onnx_import.h"
#include "tests/support/networks.h"
#include "tests/support/program.h"

#include <QTest>

#include <map>

using namespace memplan;
namespace {

/// "attention 6, gelu 6, ..." in the order of the names.
std::string groupText(const Graph& g) {
    std::map<std::string, int> counts;
    for (const Group& group : g.groups)
        ++counts[group.kind];
    std::string text;
    for (const auto& [kind, n] : counts)
        text += (text.empty() ? "" : ", ") + kind + " " + std::to_string(n);
    return text;
}

}  // namespace

class TstLowerNetworks : public QObject {
    Q_OBJECT

private slots:
    void lowers_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("groups");
        QTest::addColumn<int>("fallbacks");
        const auto row = [](const char* file, const char* groups, int fallbacks) {
            QTest::newRow(file) << file << groups << fallbacks;
        };
        row("light_resnet50.onnx", "softmax 1", 0);
        row("light_squeezenet.onnx", "softmax 1", 0);
        row("ppocr_v4_det.onnx", "batch_norm 1", 0);
        row("silero_vad_v5.onnx", "", 0);
        row("tiny_gpt2_ort_contrib.onnx", "attention 5, gelu 5, layer_norm 11, softmax 5", 0);
        row("tiny_qwen_gqa_opset21.onnx", "attention 2, layer_norm 5, softmax 2", 0);
        row("magika_v3_3.onnx", "gelu 2, linear 2", 0);
        row("bert_mini_encoder.onnx", "attention 6, gelu 6, layer_norm 13, linear 36, softmax 6", 0);
        row("llama_gqa_2l_decoder_kv.onnx", "attention 2, rms_norm 5, rotary 4, silu 2, softmax 2", 0);
    }

    void lowers() {
        QFETCH(QString, file);
        MEMPLAN_NEEDS_NETWORK(file.toStdString());
        QFETCH(QString, groups);
        QFETCH(int, fallbacks);
        const nlohmann::json expected = test::recordedNetworks()[file.toStdString()];
        io::OpenOptions options;
        options.bindings = probe::bindingsOf(expected);
        const auto read = io::onnx::readOnnx(test::contentOf(test::networkFile(file.toStdString())), options, {});
        QVERIFY(read.ok());
        const auto lowered = io::onnx::lowerOnnx(read.value().model, {}, {});
        QVERIFY2(lowered.ok(), lowered.ok() ? "" : lowered.error().primary().message.c_str());
        const Graph& g = lowered.value().graph;
        QCOMPARE(QString::fromStdString(groupText(g)), groups);
        QCOMPARE(static_cast<int>(lowered.value().report.fallbacks), fallbacks);
        QCOMPARE(lowered.value().report.largestActivationBytes, expected["largest_activation"]["bytes"].get<Bytes>());
        QCOMPARE(lowered.value().report.largestActivation, expected["largest_activation"]["value"].get<std::string>());
        for (const auto& [name, shape] : expected["outputs"].items()) {
            const auto named = [&, &wanted = name](TensorId t) { return g.tensor(t).id == wanted; };
            QVERIFY2(std::any_of(g.outputs.begin(), g.outputs.end(), named), name.c_str());
        }
        // What is saved opens again: every rule of the graph file holds, fields included.
        const auto again = io::readGraphJson(io::writeGraphJson(g), {}, {});
        QVERIFY2(again.ok(), again.ok() ? "" : again.error().primary().message.c_str());
    }

    void childrenOfAttention() {
        io::OpenOptions options;
        options.bindings = probe::bindingsOf(test::recordedNetworks()["bert_mini_encoder.onnx"]);
        const auto read = io::onnx::readOnnx(test::contentOf(test::networkFile("bert_mini_encoder.onnx")), options, {});
        QVERIFY(read.ok());
        const auto lowered = io::onnx::lowerOnnx(read.value().model, {}, {});
        QVERIFY(lowered.ok());
        int inside = 0;
        for (const Group& group : lowered.value().graph.groups) {
            if (group.kind != "softmax") continue;
            QVERIFY(group.parent.isValid());
            QCOMPARE(lowered.value().graph.groups[group.parent.at()].kind, std::string("attention"));
            QCOMPARE(group.ops.size(), std::size_t{5});
            ++inside;
        }
        QCOMPARE(inside, 6);
    }
};

MEMPLAN_TEST(TstLowerNetworks)
#include "tst_lower_networks.moc"
