// SPDX-License-Identifier: Apache-2.0
// Damaged exports: one message each that names the file and what is wrong; and weights that are whole but wrong, which
// the probe finds.
#include "engine/torchwright/export/npz_file.h"
#include "engine/torchwright/probe/numeric_probe.h"
#include "engine/torchwright/scheduler/scheduler.h"
#include "tests/engine/torchwright/weighted_graphs.h"
#include "tests/support/program.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace memplan::torchwright;
using memplan::Diagnostic;
using memplan::verify::transformer::FileSource;
using memplan::verify::transformer::readBundle;
using nlohmann::json;

namespace {

constexpr const char* kGraph = "unit_attn_then_chain";

NodeGraph graphOf() {
    return memplan::test::recordedGraph(kGraph);
}

Schedule scheduleOf(const NodeGraph& graph) {
    return scheduleLayers(graph, memplan::test::optionsOf(64, 64, LocalRouting::Never));
}

std::vector<BundleFile> goodFiles() {
    const NodeGraph graph = graphOf();
    return bundleFiles(graph, scheduleOf(graph)).value();
}

std::string& fileOf(std::vector<BundleFile>& files, const std::string& name) {
    return std::ranges::find(files, name, &BundleFile::first)->second;
}

void editManifest(std::vector<BundleFile>& files, const std::function<void(json&)>& edit) {
    json manifest = json::parse(files.front().second);
    edit(manifest);
    files.front().second = manifest.dump();
}

Diagnostic errorOf(const std::vector<BundleFile>& files) {
    const auto bundle = readBundle(sourceOf(files));
    return bundle ? Diagnostic{} : bundle.error().primary();
}

/// One layer written again with the weights as `edit` leaves them.
void editLayer(std::vector<BundleFile>& files, const std::function<void(LayerWeights&)>& edit) {
    const NodeGraph graph = graphOf();
    LayerWeights layer = weightsOf(graph, scheduleOf(graph)).value().layers.front();
    edit(layer);
    NpzFile file;
    file.add("WQ", layer.query, ArrayForm::Matrix);
    file.add("WK", layer.key, ArrayForm::Matrix);
    file.add("WV", layer.value, ArrayForm::Matrix);
    file.add("WO", layer.output, ArrayForm::Matrix);
    file.add("W1", layer.first, ArrayForm::Matrix);
    file.add("b1", layer.firstBias, ArrayForm::Vector);
    file.add("W2", layer.second, ArrayForm::Matrix);
    file.add("b2", layer.secondBias, ArrayForm::Vector);
    fileOf(files, "layer_0.npz") = std::move(file).finish();
}

memplan::Result<NumericProbe> probed(const std::vector<BundleFile>& files) {
    const NodeGraph graph = graphOf();
    return probeFiles(graph, sourceOf(files), {memplan::test::recordedRun(kGraph, graph).inputs});
}

}  // namespace

Q_DECLARE_METATYPE(std::function<void(std::vector<BundleFile>&)>)

class TestTransformerDamage : public QObject {
    Q_OBJECT

    using Edit = std::function<void(std::vector<BundleFile>&)>;

    static Edit manifest(const std::function<void(json&)>& edit) {
        return [edit](std::vector<BundleFile>& files) { editManifest(files, edit); };
    }
    static Edit layer(const std::function<void(LayerWeights&)>& edit) {
        return [edit](std::vector<BundleFile>& files) { editLayer(files, edit); };
    }

private slots:
    void goodFiles_pass() {
        QVERIFY(errorOf(goodFiles()).code.empty());
        QVERIFY(probed(goodFiles()).value().passes());
    }

    void damage_data() {
        QTest::addColumn<Edit>("edit");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const Edit& edit, const char* code, const char* where,
                            const char* message) { QTest::newRow(name) << edit << code << where << message; };
        row(
            "no manifest", [](auto& f) { f.erase(f.begin()); }, "TW-030", "manifest.json",
            "the file is missing, so this is no exported transformer");
        row(
            "no layer", [](auto& f) { f.pop_back(); }, "TW-030", "layer_0.npz",
            "the file is missing, but the manifest names it");
        row(
            "cut manifest", [](auto& f) { f[0].second.resize(200); }, "TW-031", "manifest.json",
            "the manifest is no JSON object, or is cut off");
        row("format", manifest([](json& m) { m["format"] = "x"; }), "TW-031", "manifest.json, format",
            "the format is not \"memplan.torchwright-bundle\"");
        row("version", manifest([](json& m) { m["version"] = 2; }), "TW-031", "manifest.json, version",
            "the version is not 1, the one that this program reads");
        row("missing member", manifest([](json& m) { m.erase("outputs"); }), "TW-031", "manifest.json",
            "the member \"outputs\" is missing");
        row("d", manifest([](json& m) { m["d"] = 60; }), "TW-031", "manifest.json, d",
            "d = 60 is no multiple of d_head = 16");
        row("d too large", manifest([](json& m) { m["d"] = 18446744073709551615ULL; }), "TW-031", "manifest.json",
            "\"d\" is no integer from 1 to 65536");
        row("routing", manifest([](json& m) { m["config"]["local_in_attention"] = "x"; }), "TW-031",
            "manifest.json, config", "\"local_in_attention\" is \"x\", neither always nor never");
        row("column outside", manifest([](json& m) { m["outputs"][0]["columns"][0][0] = 63; }), "TW-031",
            "manifest.json, outputs/0", "\"columns\" holds [63,2], no run of columns within 64");
        row("width", manifest([](json& m) { m["outputs"][0]["columns"][0][1] = 3; }), "TW-031",
            "manifest.json, outputs/0", "3 columns for node 5, which has 2");
        row("two at one column", manifest([](json& m) { m["start"][1]["columns"][0][0] = 15; }), "TW-031",
            "manifest.json, start/1", "column 15 belongs to two nodes at the start");
        row("column twice", manifest([](json& m) { m["start"][1]["columns"] = json::parse("[[16,2],[17,2]]"); }),
            "TW-031", "manifest.json, start/1", "column 17 is named twice");
        row("unknown node", manifest([](json& m) { m["outputs"][0]["node"] = 77; }), "TW-031",
            "manifest.json, outputs/0", "the node 77 is not in \"nodes\"");
        row("layers", manifest([](json& m) { m["n_layers"] = 5; }), "TW-031", "manifest.json, layers",
            "1 layers are listed, n_layers is 5");
        row("heads", manifest([](json& m) { m["layers"][0]["heads"] = 9; }), "TW-031", "manifest.json, layers/0",
            "9 heads, a layer has 4");
        row("slots", manifest([](json& m) { m["layers"][0]["slots"] = 9; }), "TW-031", "manifest.json, layers/0",
            "\"slots\" is 9, its operations take 8");
        row("slots of an operation",
            manifest([](json& m) { m["layers"][0]["mlp"][0]["slots"] = json::parse("[1,8]"); }), "TW-031",
            "manifest.json, layers/0", "an operation has the slots [1,8], the next free one is 0");
        for (const char* name : {"../other/layer_0.npz", "/etc/passwd", "..", "", "a\\b", "c:x"}) {
            const std::string message = "\"file\" is \"" + std::string(name) + "\", no name of a file in this folder";
            row(("file " + std::string(name)).c_str(), manifest([name](json& m) { m["layers"][0]["file"] = name; }),
                "TW-031", "manifest.json, layers/0", message.c_str());
        }
        row("type", manifest([](json& m) { m["start"][1]["type"] = "Linear"; }), "TW-031", "manifest.json, start/1",
            "nothing of the type \"Linear\" stands in the stream");
        row(
            "cut archive", [](auto& f) { fileOf(f, "layer_0.npz").resize(500); }, "TW-032", "layer_0.npz",
            "the file is no zip archive or is cut off");
        row(
            "no archive", [](auto& f) { fileOf(f, "start.npz") = "hello"; }, "TW-032", "start.npz",
            "the file is no zip archive or is cut off");
        row(
            "flipped checksum",
            [](auto& f) {
                std::string& bytes = fileOf(f, "start.npz");
                bytes[bytes.find("PK\x01\x02") + 16] ^= 1;
            },
            "TW-032", "start.npz, array constant_values", "the data are damaged: the checksum differs");
        row(
            "method",
            [](auto& f) {
                std::string& bytes = fileOf(f, "start.npz");
                bytes[bytes.find("PK\x01\x02") + 10] = 12;
            },
            "TW-032", "start.npz", "a member of the archive is encrypted or packed in a way that is not read");
        row(
            "size",
            [](auto& f) {
                std::string& bytes = fileOf(f, "start.npz");
                bytes[bytes.find("PK\x01\x02") + 24] ^= 4;
            },
            "TW-032", "start.npz, array constant_values", "the data have another size than the archive says");
        row(
            "offset",
            [](auto& f) {
                std::string& bytes = fileOf(f, "start.npz");
                bytes[bytes.find("PK\x01\x02") + 42] = 1;
            },
            "TW-032", "start.npz", "a member of the archive lies outside of it");
        row(
            "missing array",
            [](auto& f) {
                std::string& bytes = fileOf(f, "layer_0.npz");
                bytes[bytes.rfind("b1.npy") + 1] = '7';
            },
            "TW-033", "layer_0.npz, array b1", "the array is missing");
        row("shape", layer([](LayerWeights& l) { l.query.columns *= 2; }), "TW-033", "layer_0.npz, array WQ",
            "the array is 64 x 64, wanted 64 x 32");
        row("too many slots", layer([](LayerWeights& l) {
                l.first.columns = 65;
                l.first.entries.clear();
            }),
            "TW-033", "layer_0.npz, array W1", "the array is 64 x 65, wanted 64 x 1..64");
        row("not finite", layer([](LayerWeights& l) { l.second.entries[0].value = INFINITY; }), "TW-033",
            "layer_0.npz, array W2", "value 24 of the array is not finite");
    }
    void damage() {
        QFETCH(Edit, edit);
        std::vector<BundleFile> files = goodFiles();
        edit(files);
        const Diagnostic found = errorOf(files);
        QTEST(QString::fromStdString(found.code), "code");
        QTEST(QString::fromStdString(found.where), "where");
        QTEST(QString::fromStdString(found.message), "message");
        QVERIFY(!found.hint.empty());
    }

    /// No byte may bring it down.
    void anyByte_endsWell() {
        const std::vector<BundleFile> good = goodFiles();
        for (std::size_t file = 0; file < good.size(); ++file) {
            const std::size_t size = good[file].second.size();
            for (std::size_t i = 0; i < 300; ++i) {
                std::vector<BundleFile> files = good;
                files[file].second[i * size / 300] ^= static_cast<char>(1 << (i % 8));
                const auto out = probed(files);
                QVERIFY(out.ok() || !out.error().primary().message.empty());
            }
            for (std::size_t i = 0; i < 100; ++i) {
                std::vector<BundleFile> files = good;
                files[file].second.resize(i * size / 100);
                QVERIFY(!probed(files).ok());
            }
        }
    }

    void wrongWeight_isTheFirstDivergence() {
        std::vector<BundleFile> files = goodFiles();
        editLayer(files, [](LayerWeights& l) { l.secondBias.entries[0].value += 0.25F; });
        const auto out = probed(files);
        QVERIFY(out.ok());
        QCOMPARE(out.value().findings.size(), std::size_t{2});
        const Diagnostic& found = out.value().findings.front();
        QCOMPARE(found.code, "TW-018");
        QCOMPARE(found.where, "layer 0, node 5");
        QVERIFY2(found.message.starts_with("first divergence: compute_relu of node 5 in columns 24-25, after layer 0, "
                                           "position "),
                 found.message.c_str());
        QVERIFY(found.message.find(", column 24: the graph gives ") != std::string::npos);
        QVERIFY(found.message.ends_with(" apart, 0.001 is tolerated"));
        QCOMPARE(out.value().report.firstDivergence()->node, 5);
        QVERIFY(std::abs(out.value().report.worst(1).front().maxError - 0.25) < 1e-9);
    }

    /// A cancel that is missing shows only where the columns did not start as zero.
    void missingCancel_isSeenByTheGarbage() {
        std::vector<BundleFile> files = goodFiles();
        editLayer(files, [](LayerWeights& l) {
            std::erase_if(l.output.entries, [](const Tensor::Entry& e) { return e.value == -1; });
        });
        const auto out = probed(files);
        QVERIFY(out.ok());
        QVERIFY(out.value().report.passes());
        QVERIFY(!out.value().garbage.passes());
        QCOMPARE(out.value().findings.size(), std::size_t{1});
        QVERIFY(out.value().findings.front().message.ends_with("(with 7.25 in the free columns at the start)"));
    }

    void exportOfAnotherGraph_isRefused() {
        const NodeGraph other = memplan::test::recordedGraph("unit_add_free");
        const auto out = probeFiles(other, sourceOf(goodFiles()), {sampleInputs(other, 2, 1)});
        QVERIFY(!out.ok());
        QCOMPARE(out.error().primary().code, "TW-031");
        QVERIFY(out.error().primary().message.starts_with("the export is not one of this graph: node 2"));
    }

    void inputsThatDoNotFit_areRefusedByTheRunToo() {
        const auto bundle = readBundle(sourceOf(goodFiles()));
        QVERIFY(bundle.ok());
        const auto run = memplan::verify::transformer::runTransformer(bundle.value(), {});
        QVERIFY(!run.ok());
        QCOMPARE(run.error().primary().code, "TW-022");
    }
};

MEMPLAN_TEST(TestTransformerDamage)
#include "tst_transformer_damage.moc"
