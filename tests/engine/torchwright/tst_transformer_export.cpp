// SPDX-License-Identifier: Apache-2.0
// Files of a compiled transformer: written by one side, read by another that shares no code with it.
#include "engine/torchwright/export/bundle.h"
#include "engine/torchwright/export/npz_file.h"
#include "engine/torchwright/probe/numeric_probe.h"
#include "engine/torchwright/scheduler/scheduler.h"
#include "engine/verify/torchwright/transformer/array.h"
#include "engine/verify/torchwright/transformer/inflate.h"
#include "tests/engine/torchwright/weighted_graphs.h"
#include "tests/support/program.h"

#include <QByteArray>
#include <QtTest>

using namespace memplan::torchwright;
using namespace memplan::verify::transformer;
using memplan::test::NodeSketch;
using nlohmann::json;

namespace {

std::vector<BundleFile> exported(const std::string& name, LocalRouting routing, const BundleOptions& options = {}) {
    const NodeGraph graph = memplan::test::recordedGraph(name);
    const auto files = bundleFiles(graph, scheduleLayers(graph, memplan::test::optionsOf(256, 256, routing)), options);
    return files ? files.value() : std::vector<BundleFile>{};
}

json manifestOf(const std::vector<BundleFile>& files) {
    return json::parse(files.front().second);
}

bool areEqual(const Tensor& written, const Array& read) {
    if (written.rows != read.rows || written.columns != read.columns) return false;
    return std::ranges::equal(written.entries, read.entries, [&](const Tensor::Entry& a, const Array::Entry& b) {
        return written.rowOf(a) == b.row && written.columnOf(a) == b.column && a.value == b.value;
    });
}

/// Unpacked, or what is wrong.
std::string inflated(std::string_view packed) {
    std::string out;
    const std::string_view wrong = inflateStream(packed, [&out](std::string_view piece) {
        out += piece;
        return true;
    });
    return wrong.empty() ? out : std::string(wrong);
}

/// Deflate as zlib writes it, without its header and checksum.
std::string packedByZlib(const std::string& text, int level) {
    const QByteArray packed = qCompress(QByteArray::fromStdString(text), level);
    return packed.mid(4 + 2, packed.size() - 4 - 2 - 4).toStdString();
}

std::string sampleText() {
    std::string text;
    for (int i = 0; i < 60'000; ++i)
        text += std::to_string(i * 7919 % 1009) +
                (i % 5 == 0 ? "abc" : std::string(static_cast<std::size_t>(i % 40), '\0'));
    return text;
}

}  // namespace

class TestTransformerExport : public QObject {
    Q_OBJECT

private slots:
    void everyTensor_isReadBack_data() {
        QTest::addColumn<QString>("name");
        for (const std::string& name : memplan::test::weightedGraphs())
            if (name.find("sort_digits") == std::string::npos)
                QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void everyTensor_isReadBack() {
        QFETCH(QString, name);
        for (const LocalRouting routing : {LocalRouting::Never, LocalRouting::Always}) {
            const NodeGraph graph = memplan::test::recordedGraph(name.toStdString());
            const Schedule schedule = scheduleLayers(graph, memplan::test::optionsOf(512, 512, routing));
            const auto transformer = weightsOf(graph, schedule);
            const auto files = bundleFiles(graph, schedule);
            QVERIFY(transformer.ok() && files.ok());
            const auto bundle = readBundle(sourceOf(files.value()));
            QVERIFY2(bundle.ok(), bundle.ok() ? "" : bundle.error().primary().message.c_str());
            QCOMPARE(bundle.value().layers.size(), transformer.value().layers.size());
            for (std::size_t i = 0; i < bundle.value().layers.size(); ++i) {
                const LayerWeights& written = transformer.value().layers[i];
                const BundleLayer& read = bundle.value().layers[i];
                QVERIFY(areEqual(written.query, read.query) && areEqual(written.key, read.key));
                QVERIFY(areEqual(written.value, read.value) && areEqual(written.output, read.output));
                QVERIFY(areEqual(written.first, read.first) && areEqual(written.firstBias, read.firstBias));
                QVERIFY(areEqual(written.second, read.second) && areEqual(written.secondBias, read.secondBias));
            }
        }
    }

    void sameSchedule_sameBytes() {
        QVERIFY(exported("adder", LocalRouting::Never) == exported("adder", LocalRouting::Never));
        QVERIFY(exported("adder", LocalRouting::Never) != exported("adder", LocalRouting::Always));
    }

    void manifest_holdsTheSchedule() {
        const json manifest = manifestOf(exported("unit_add_literal", LocalRouting::Always, {true, {{"x.y", "1"}}}));
        QCOMPARE(manifest.at("format").get<std::string>(), std::string("memplan.torchwright-bundle"));
        QCOMPARE(manifest.at("version").get<int>(), 1);
        QCOMPARE(manifest.at("n_layers").get<std::size_t>(), manifest.at("layers").size());
        QCOMPARE(manifest.at("config").at("local_in_attention").get<std::string>(), std::string("always"));
        QCOMPARE(manifest.at("config").at("x.y").get<std::string>(), std::string("1"));
        const json recorded = memplan::test::recordedFile("unit_add_literal.expected.json").at("compiles").at(0);
        // d is another here, but not what stands where.
        for (std::size_t i = 0; i < recorded.at("layers").size(); ++i) {
            QVERIFY(manifest.at("layers").at(i).at("attn") == recorded.at("layers").at(i).at("attn"));
            QVERIFY(manifest.at("layers").at(i).at("mlp") == recorded.at("layers").at(i).at("mlp"));
        }
        QVERIFY(manifest.at("outputs").at(0).at("columns") == recorded.at("output_columns"));
        for (const json& start : manifest.at("start"))
            QVERIFY(start.at("columns") ==
                    recorded.at("initial_columns").at(std::to_string(start.at("node").get<int>())));
    }

    void embedding_bringsItsTableAndWords() {
        const auto files = exported("adder_1digit", LocalRouting::Never);
        const NodeGraph graph = memplan::test::recordedGraph("adder_1digit");
        const auto node = std::ranges::find(graph.nodes, NodeKind::Embedding, &Node::kind);
        const json manifest = manifestOf(files);
        const auto start =
            std::ranges::find_if(manifest.at("start"), [](const json& s) { return s.at("type") == "Embedding"; });
        QVERIFY(start->at("vocab").get<std::vector<std::string>>() == node->embedding().vocab);
        QCOMPARE(start->at("input").get<std::string>(), node->embedding().inputName);
        const auto bundle = readBundle(sourceOf(files));
        QVERIFY(bundle.ok());
        for (const Start& s : bundle.value().start)
            if (s.type == "Embedding") QVERIFY(areEqual(*node->embedding().table, s.table));
    }

    void withoutWeights_theManifestSaysWhy() {
        const auto off = exported("adder", LocalRouting::Never, {false, {}});
        QCOMPARE(off.size(), std::size_t{1});
        QCOMPARE(manifestOf(off).at("no_weights").get<std::string>(),
                 std::string("the setting torchwright.weights is false"));
        const NodeGraph graph = memplan::test::recordedGraph("basin24_k8");
        const auto bare =
            bundleFiles(graph, scheduleLayers(graph, memplan::test::optionsOf(768, 256, LocalRouting::Never)));
        QVERIFY(bare.ok());
        QCOMPARE(bare.value().size(), std::size_t{1});
        QCOMPARE(manifestOf(bare.value()).at("weights").get<bool>(), false);
        QCOMPARE(manifestOf(bare.value()).at("layers").size(), std::size_t{23});
        const auto bundle = readBundle(sourceOf(bare.value()));
        QVERIFY(bundle.ok());
        QVERIFY(!bundle.value().hasWeights());
        const auto run = runTransformer(bundle.value(), {});
        QVERIFY(!run.ok());
        QCOMPARE(run.error().primary().code, "TW-023");
    }

    void extraOutputs_haveTheirColumns() {
        NodeSketch sketch;
        const NodeId x = sketch.input(3);
        const NodeId y = sketch.linear(x, 2, true);
        const NodeId z = sketch.relu(y);
        const NodeGraph graph = memplan::test::withWeights(sketch.build(z, {y}));
        const auto options = memplan::test::optionsOf(64, 64, LocalRouting::Never);
        const auto out = probe(graph, scheduleLayers(graph, options), {sampleInputs(graph, 5, 1)});
        QVERIFY(out.ok());
        QVERIFY(out.value().passes());
        QCOMPARE(out.value().outputs.size(), std::size_t{2});
        QCOMPARE(out.value().report.outputs.size(), std::size_t{2});
    }

    void sizeFollowsWhatIsNotZero() {
        Tensor tensor;
        tensor.rows = 30'000;
        tensor.columns = 30'000;
        tensor.entries = {{0, 1.5F}, {123'456'789, -2}, {899'999'999, 3}};
        QVERIFY(NpzFile::fits(tensor));
        NpzFile file;
        file.add("a", tensor, ArrayForm::Matrix);
        QVERIFY(std::move(file).finish().size() < 23'000'000);  // of 3.6 GB
        tensor.rows = tensor.columns = 40'000;
        QVERIFY(!NpzFile::fits(tensor));
    }

    void arraysWithAndWithoutZeros_areReadBack() {
        Tensor dense, sparse, none;
        dense.rows = 37;
        dense.columns = 41;
        for (int i = 0; i < 37 * 41; ++i)
            dense.entries.push_back({i, static_cast<float>(i + 1) / 7});
        sparse.rows = 1;
        sparse.columns = 1000;
        sparse.entries = {{1, 256}, {2, 1e-40F}, {999, -0.125F}};
        none.rows = 3;
        none.columns = 1;
        NpzFile file;
        file.add("dense", dense, ArrayForm::Matrix);
        file.add("sparse", sparse, ArrayForm::Vector);
        file.add("none", none, ArrayForm::Matrix);
        const std::string bytes = std::move(file).finish();
        const auto read = ArrayFile::open("x.npz", bytes);
        QVERIFY(read.ok());
        QVERIFY(areEqual(dense, read.value().read("dense", {{37, 41}, 0}).value()));
        QVERIFY(areEqual(sparse, read.value().read("sparse", {{1000}, 0}).value()));
        QVERIFY(areEqual(none, read.value().read("none", {{0, 1}, 3}).value()));
    }

    /// Another program may pack the files anew: stored, fixed and dynamic blocks.
    void inflate_readsWhatZlibWrites() {
        const std::string text = sampleText();
        for (const int level : {0, 1, 6, 9})
            QVERIFY(inflated(packedByZlib(text, level)) == text);
        QVERIFY(inflated(packedByZlib("abc", 9)) == "abc");
    }

    void inflate_refusesDamage() {
        const std::string packed = packedByZlib(sampleText().substr(0, 100'000), 9);
        QCOMPARE(inflated(packed.substr(0, packed.size() / 2)), std::string("the compressed data end too early"));
        QVERIFY(inflated("\x07") == "the compressed data have a block of an unknown kind");
        for (std::size_t i = 0; i < 400; ++i) {  // whatever comes of it, it ends
            std::string damaged = packed;
            damaged[i * packed.size() / 400] ^= static_cast<char>(1 << (i % 8));
            (void)inflated(damaged);
        }
    }
};

MEMPLAN_TEST(TestTransformerExport)
#include "tst_transformer_export.moc"
