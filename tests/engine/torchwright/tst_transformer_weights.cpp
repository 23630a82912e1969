// SPDX-License-Identifier: Apache-2.0
// Weights of the sublayers (torchwright.md 9): the recorded ones entry by entry, and what they do not show.
#include "engine/torchwright/cut/cut.h"
#include "engine/torchwright/scheduler/scheduler.h"
#include "engine/torchwright/weights/transformer.h"
#include "tests/engine/torchwright/weighted_graphs.h"
#include "tests/support/program.h"

#include <QDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace memplan::torchwright;
using memplan::test::NodeSketch;
using nlohmann::json;

namespace {

using Place = std::vector<std::int64_t>;
using Entries = std::map<Place, float>;

/// Coordinates first, value last.
Entries recordedEntries(const json& list) {
    Entries entries;
    for (const json& entry : list) {
        Place place;
        for (std::size_t i = 0; i + 1 < entry.size(); ++i)
            place.push_back(entry[i]);
        entries[place] = entry.back();
    }
    return entries;
}

/// [head, column, lane of the head]
Entries byHead(const Tensor& tensor, Columns dHead) {
    Entries entries;
    for (const Tensor::Entry& e : tensor.entries) {
        const std::int64_t lane = tensor.columnOf(e);
        entries[{lane / dHead, tensor.rowOf(e), lane % dHead}] = e.value;
    }
    return entries;
}

/// [head, lane of the head, column]
Entries outputByHead(const Tensor& tensor, Columns dHead) {
    Entries entries;
    for (const Tensor::Entry& e : tensor.entries) {
        const std::int64_t lane = tensor.rowOf(e);
        entries[{lane / dHead, lane % dHead, tensor.columnOf(e)}] = e.value;
    }
    return entries;
}

Entries plain(const Tensor& tensor) {
    Entries entries;
    for (const Tensor::Entry& e : tensor.entries)
        entries[{tensor.rowOf(e), tensor.columnOf(e)}] = e.value;
    return entries;
}

Entries vectorOf(const Tensor& tensor) {
    Entries entries;
    for (const Tensor::Entry& e : tensor.entries)
        entries[{e.index}] = e.value;
    return entries;
}

bool areEqual(const Entries& a, const Entries& b) {
    if (a.size() != b.size()) return false;
    return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
        return x.first == y.first && std::abs(x.second - y.second) <= 1e-6F * std::max(1.0F, std::abs(x.second));
    });
}

/// Name of the first tensor that differs, empty when none does.
const char* differing(const LayerWeights& layer, const json& recorded, Columns dHead) {
    const auto is = [&recorded](const char* key, const Entries& entries) {
        return areEqual(entries, recordedEntries(recorded.at(key)));
    };
    if (!is("query", byHead(layer.query, dHead))) return "query";
    if (!is("key", byHead(layer.key, dHead))) return "key";
    if (!is("value", byHead(layer.value, dHead))) return "value";
    if (!is("output", outputByHead(layer.output, dHead))) return "output";
    if (!is("mlp1", plain(layer.first))) return "mlp1";
    if (!is("mlp1_bias", vectorOf(layer.firstBias))) return "mlp1_bias";
    if (!is("mlp2", plain(layer.second))) return "mlp2";
    return is("mlp2_bias", vectorOf(layer.secondBias)) ? "" : "mlp2_bias";
}

Transformer transformerOf(const NodeGraph& graph, const ScheduleOptions& options) {
    const auto out = weightsOf(graph, scheduleLayers(graph, options));
    return out ? out.value() : Transformer{};
}

}  // namespace

class TestTransformerWeights : public QObject {
    Q_OBJECT

private slots:
    void recordedWeights_data() {
        QTest::addColumn<QString>("name");
        const QDir folder(MEMPLAN_TEST_DATA "/torchwright");
        for (const QString& file : folder.entryList({"*.weights.json"}, QDir::Files, QDir::Name))
            QTest::newRow(qPrintable(file)) << file.chopped(13);
        QVERIFY(!folder.entryList({"*.weights.json"}).isEmpty());
    }
    void recordedWeights() {
        QFETCH(QString, name);
        const NodeGraph graph = memplan::test::recordedGraph(name.toStdString());
        const json recorded = memplan::test::recordedFile(name.toStdString() + ".weights.json");
        for (const json& compile : recorded.at("compiles")) {
            const json& config = compile.at("config");
            const ScheduleOptions options = memplan::test::recordedOptions(config);
            const Transformer transformer = transformerOf(memplan::test::scheduledGraph(graph, config), options);
            QCOMPARE(transformer.layers.size(), compile.at("layers").size());
            for (std::size_t i = 0; i < transformer.layers.size(); ++i) {
                const json& layer = compile.at("layers").at(i);
                QCOMPARE(transformer.layers[i].headCount, layer.at("heads").get<int>());
                QCOMPARE(transformer.layers[i].slotCount, layer.at("slots").get<int>());
                const char* wrong = differing(transformer.layers[i], layer, options.dHead);
                QVERIFY2(*wrong == 0, (config.dump() + " layer " + std::to_string(i) + ' ' + wrong).c_str());
            }
        }
    }

    /// What the schedule says that it takes is what the weights take.
    void headsAndSlots_areThoseOfTheSchedule_data() {
        QTest::addColumn<QString>("name");
        for (const std::string& name : memplan::test::weightedGraphs())
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void headsAndSlots_areThoseOfTheSchedule() {
        QFETCH(QString, name);
        const NodeGraph graph = memplan::test::recordedGraph(name.toStdString());
        const json recorded = memplan::test::recordedFile(name.toStdString() + ".expected.json");
        for (const json& compile : recorded.at("compiles")) {
            if (compile.at("result") != "ok") continue;
            const NodeGraph scheduled = memplan::test::scheduledGraph(graph, compile.at("config"));
            const Schedule schedule = scheduleLayers(scheduled, memplan::test::recordedOptions(compile.at("config")));
            const auto transformer = weightsOf(scheduled, schedule);
            QVERIFY(transformer.ok());
            for (std::size_t i = 0; i < schedule.layers.size(); ++i) {
                const LayerWeights& layer = transformer.value().layers[i];
                QCOMPARE(layer.headCount, std::max(1, schedule.layers[i].heads));
                QVERIFY(layer.slotCount <= std::max(1, schedule.layers[i].slotsUsed));
                QCOMPARE(layer.query.columns, std::int64_t{layer.headCount} * transformer.value().dHead);
                QCOMPARE(layer.second.rows, std::int64_t{layer.slotCount});
            }
        }
    }

    /// Both occurrences of x count: 2 + 3 in the one column that holds x.
    void columnReadTwice_addsUp() {
        NodeSketch sketch;
        const NodeId x = sketch.input(1);
        const NodeId y = sketch.linear(sketch.concatenate({x, x}), 1);
        auto& data = std::get<LinearData>(sketch.at(y).data);
        data.matrix = memplan::test::matrixOf({{2}, {3}});
        data.bias = memplan::test::matrixOf({{0}});
        NodeGraph graph = sketch.build(y);
        graph.hasTensors = true;
        const Transformer bypass = transformerOf(graph, memplan::test::optionsOf(64, 64, LocalRouting::Never));
        QCOMPARE(bypass.layers.front().first.at(16, 0), 5.0F);
        QCOMPARE(bypass.layers.front().first.at(16, 1), -5.0F);
    }

    /// A Linear of this layer's attention is read by its MLP before its bias is there.
    void biasThatComesLate_isAddedToTheReader() {
        NodeSketch sketch;
        const NodeId x = sketch.input(1);
        const NodeId y = sketch.linear(x, 1, true);
        auto& data = std::get<LinearData>(sketch.at(y).data);
        data.matrix = memplan::test::matrixOf({{1}});
        data.bias = memplan::test::matrixOf({{0.5F}});
        const NodeId z = sketch.chain(y, 2, 1);
        const NodeId first = sketch.at(sketch.at(z).inputs.front()).inputs.front();
        auto& reader = std::get<LinearData>(sketch.at(first).data);
        reader.matrix = memplan::test::matrixOf({{4, -2}});
        reader.bias = memplan::test::matrixOf({{1, 1}});
        NodeGraph graph = memplan::test::withWeights(sketch.build(z));
        const Transformer out = transformerOf(graph, memplan::test::optionsOf(64, 64, LocalRouting::Always));
        QCOMPARE(out.layers.size(), std::size_t{1});
        QCOMPARE(out.layers.front().firstBias.at(0, 0), 3.0F);
        QCOMPARE(out.layers.front().firstBias.at(0, 1), 0.0F);
    }

    void emptyLayer_keepsOneHeadAndOneSlot() {
        NodeSketch sketch;
        NodeGraph graph = sketch.build(sketch.input(3));
        graph.hasTensors = true;
        const Transformer out = transformerOf(graph, memplan::test::optionsOf(64, 64, LocalRouting::Never));
        QCOMPARE(out.layers.size(), std::size_t{1});
        QCOMPARE(out.layers.front().headCount, 1);
        QCOMPARE(out.layers.front().slotCount, 1);
        QVERIFY(out.layers.front().query.entries.empty());
    }

    void stubsAndMissingTensors_haveNoWeights() {
        const ScheduleOptions options = memplan::test::optionsOf(256, 256, LocalRouting::Never);
        const NodeGraph graph = memplan::test::recordedGraph("balanced_parens");
        std::string annotation;
        for (const Node& node : graph.nodes)
            if (annotation.empty()) annotation = node.annotation;
        if (!annotation.empty()) {
            const auto stubs = stubbed(graph, annotation);
            QVERIFY(stubs.ok());
            const auto out = weightsOf(stubs.value(), scheduleLayers(stubs.value(), options));
            QVERIFY(!out.ok());
            QCOMPARE(out.error().primary().code, "TW-023");
        }
        const NodeGraph bare = memplan::test::recordedGraph("rows16_k2");
        QVERIFY(whyNoWeights(bare, scheduleLayers(bare, options)).size() > 10);
        const ScheduleOptions narrow = memplan::test::optionsOf(128, 128, LocalRouting::Never);
        const NodeGraph adder = memplan::test::recordedGraph("adder");
        QCOMPARE(whyNoWeights(adder, scheduleLayers(adder, narrow)), "the schedule was not completed");
    }
};

MEMPLAN_TEST(TestTransformerWeights)
#include "tst_transformer_weights.moc"
