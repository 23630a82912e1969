// SPDX-License-Identifier: Apache-2.0
// Real networks against the recorded figures (inputs-and-interchange 8.1).
#include "engine/io/onnx/resolve/onnx_reader.h"
#include "tests/probe/onnx_import.h"
#include "tests/support/networks.h"
#include "tests/support/program.h"

#include <QTest>

#include <algorithm>
#include <filesystem>

using namespace memplan;
namespace fs = std::filesystem;

namespace {

const fs::path kSamples = test::sampleNetworks();

}  // namespace

class TstOnnxNetworks : public QObject {
    Q_OBJECT

private slots:
    void matchesRecordedFigures_data() {
        QTest::addColumn<QString>("file");
        const nlohmann::json expected = test::recordedNetworks();
        for (const auto& [file, entry] : expected.items())
            QTest::newRow(file.c_str()) << QString::fromStdString(file);
    }

    void matchesRecordedFigures() {
        QFETCH(QString, file);
        MEMPLAN_NEEDS_NETWORK(file.toStdString());
        const nlohmann::json expected = test::recordedNetworks()[file.toStdString()];
        const std::string bytes = test::contentOf(test::networkFile(file.toStdString()));
        io::OpenOptions options;
        options.bindings = probe::bindingsOf(expected);
        const auto read = io::onnx::readOnnx(bytes, options, {});
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().primary().message.c_str());
        const nlohmann::json summary = probe::summaryOf(read.value().model);
        for (const char* key : {"inputs", "outputs", "nodes_top_level", "nodes_all_subgraphs", "activation_bytes",
                                "largest_activation", "compute_nodes_after_folding", "histogram_after_folding"})
            QVERIFY2(summary.contains(key), key);
        for (const auto& [key, value] : summary.items()) {
            QVERIFY2(value == expected[key],
                     (key + ": " + value.dump() + " instead of " + expected[key].dump()).c_str());
        }
    }

    // Every dynamic dimension is listed, with an option line that binds them all.
    void listsUnboundDims_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QStringList>("selectors");
        QTest::newRow("bert") << "bert_mini_encoder.onnx" << QStringList{"batch", "sequence"};
        QTest::newRow("llama") << "llama_gqa_2l_decoder_kv.onnx"
                               << QStringList{"batch", "sequence", "past_sequence", "total_sequence"};
        QTest::newRow("silero") << "silero_vad_v5.onnx" << QStringList{"input:0", "input:1", "state:1"};
        QTest::newRow("ppocr") << "ppocr_v4_det.onnx"
                               << QStringList{"p2o.DynamicDimension.0", "p2o.DynamicDimension.1",
                                              "p2o.DynamicDimension.2"};
    }

    void listsUnboundDims() {
        QFETCH(QString, file);
        QFETCH(QStringList, selectors);
        MEMPLAN_NEEDS_NETWORK(file.toStdString());
        const auto read = io::onnx::readOnnx(test::contentOf(test::networkFile(file.toStdString())), {}, {});
        QVERIFY(!read.ok());
        const Diagnostic& error = read.error().primary();
        QCOMPARE(error.code, std::string("ONNX-050"));
        for (const QString& selector : selectors) {
            QVERIFY(QString::fromStdString(error.message).contains('"' + selector + '"'));
            QVERIFY(QString::fromStdString(error.hint).contains("--bind " + selector + "="));
        }
        QCOMPARE(QString::fromStdString(error.hint).count("--bind "), selectors.size());
    }

    void unboundDims_nameAMisspeltBinding() {
        io::OpenOptions options;
        options.bindings.raw = {{"btch", "1"}, {"sequence", "128"}};
        const auto read = io::onnx::readOnnx(test::contentOf(kSamples / "bert_mini_encoder.onnx"), options, {});
        QVERIFY(!read.ok());
        QCOMPARE(read.error().primary().code, std::string("ONNX-050"));
        QVERIFY(QString::fromStdString(read.error().primary().message).contains("\"btch\" names nothing"));
    }

    // The samples of the product open without any binding.
    void suggestionsOpenSamples_data() {
        QTest::addColumn<QString>("file");
        for (const auto& entry : fs::directory_iterator(kSamples)) {
            if (entry.path().extension() != ".onnx") continue;
            QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().string());
        }
    }

    void suggestionsOpenSamples() {
        QFETCH(QString, file);
        io::OpenOptions options;
        options.bindWithSuggestions = true;
        const auto read = io::onnx::readOnnx(test::contentOf(file.toStdString()), options, {});
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().primary().message.c_str());
        const auto& dims = read.value().model.dims;
        QVERIFY(!dims.empty());
        for (const DimSymbol& d : dims) {
            const bool batch = d.name == "batch";
            const bool total = d.name == "total_sequence";
            QCOMPARE(d.value, std::int64_t{batch ? 1 : total ? 256 : 128});
        }
    }
};

MEMPLAN_TEST(TstOnnxNetworks)
#include "tst_onnx_networks.moc"
