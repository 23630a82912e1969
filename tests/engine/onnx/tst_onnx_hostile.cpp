// SPDX-License-Identifier: Apache-2.0
// Damaged and hostile files give a graph or a diagnostic, within limits (inputs-and-interchange 7, 8.2).
#include "engine/io/onnx/resolve/onnx_reader.h"
#include "tests/support/networks.h"
#include "tests/support/onnx_builder.h"
#include "tests/support/program.h"
#include "tests/support/time_guard.h"

#include <QTest>

using namespace memplan;
using namespace memplan::onnxtest;
using namespace memplan::test;

namespace {

/// Every how many bytes a whole network is damaged: each one, where the code is not instrumented and slow.
#ifdef MEMPLAN_INSTRUMENTED
constexpr std::size_t kStride = 13;
#else
constexpr std::size_t kStride = 1;
#endif

/// Graph or diagnostic, at most one second.
void readWithinLimits(const std::string& bytes) {
    io::OpenOptions options;
    options.bindWithSuggestions = true;
    const double begin = processorSeconds();
    const auto read = io::onnx::readOnnx(bytes, options, {});
    const double spent = processorSeconds() - begin;
    QVERIFY2(spent < kHostileSeconds, qPrintable(QString("%1 s").arg(spent)));
    if (read.ok())
        QVERIFY(!read.value().model.outputs.empty() || !read.value().model.nodes.empty());
    else
        QVERIFY(!read.error().primary().code.empty() && !read.error().primary().message.empty());
}

std::string codeOf(const std::string& bytes) {
    const auto read = io::onnx::readOnnx(bytes, {}, {});
    return read.ok() ? "none" : read.error().primary().code;
}

std::string repeated(std::string_view part, std::size_t times) {
    std::string out;
    out.reserve(part.size() * times);
    for (std::size_t i = 0; i < times; ++i)
        out += part;
    return out;
}

std::string header() {
    return wire::integer(1, 8) + wire::bytes(8, opset("", 17));
}

}  // namespace

class TstOnnxHostile : public QObject {
    Q_OBJECT

private:
    static void addFiles() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"bert_mini_encoder.onnx", "tiny_qwen_gqa_opset21.onnx", "silero_vad_v5.onnx"})
            QTest::newRow(file) << file;
    }

private slots:
    // Millions of two-byte messages: the counters stop the import, memory stays small.
    void emptyMessages_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("code");
        const std::size_t million = 5'000'000;
        const auto graph = [](const std::string& inside) {
            return QByteArray::fromStdString(header() + wire::bytes(7, inside));
        };
        const std::string empty(1, '\0');
        QTest::newRow("nodes") << graph(repeated(wire::key(1, 2) + empty, million)) << QByteArray("ONNX-903");
        QTest::newRow("initializers") << graph(repeated(wire::key(5, 2) + empty, million)) << QByteArray("ONNX-904");
        QTest::newRow("inputs") << graph(repeated(wire::key(11, 2) + empty, million)) << QByteArray("ONNX-904");
        QTest::newRow("value_info") << graph(repeated(wire::key(13, 2) + empty, million)) << QByteArray("ONNX-904");
        QTest::newRow("functions") << QByteArray::fromStdString(header() + repeated(wire::key(25, 2) + empty, million))
                                   << QByteArray("ONNX-903");
        QTest::newRow("opsets") << QByteArray::fromStdString(header() + repeated(wire::key(8, 2) + empty, million))
                                << QByteArray("ONNX-904");
        QTest::newRow("attributes") << graph(wire::bytes(1, repeated(wire::key(5, 2) + empty, million)))
                                    << QByteArray("");
        QTest::newRow("operands") << graph(wire::bytes(1, repeated(wire::key(1, 2) + empty, million)))
                                  << QByteArray("ONNX-905");
        QTest::newRow("named attributes")
            << graph(wire::bytes(1, repeated(wire::bytes(5, wire::bytes(1, "a")), million / 3)))
            << QByteArray("ONNX-905");
        QTest::newRow("dims") << graph(wire::bytes(5, repeated(wire::integer(1, 1), million)))
                              << QByteArray("ONNX-906");
        const std::string list =
            wire::bytes(1, "l") + wire::integer(20, 7) + wire::bytes(8, std::string(2 * million, '\1'));
        QTest::newRow("a list of ten million") << graph(wire::bytes(1, wire::bytes(4, "Relu") + wire::bytes(5, list)) +
                                                        wire::bytes(12, wire::bytes(1, "y")))
                                               << QByteArray("ONNX-024");
        QTest::newRow("graphs in attributes")
            << graph(wire::bytes(1, repeated(wire::bytes(5, wire::bytes(1, "g") + wire::bytes(6, "")), 200)))
            << QByteArray("");
    }

    void emptyMessages() {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, code);
        const std::string file = bytes.toStdString();
        const long before = peakMegabytes();
        const double begin = processorSeconds();
        const std::string got = codeOf(file);
        const double spent = processorSeconds() - begin;
        QVERIFY2(spent < kHostileSeconds, qPrintable(QString("%1 s").arg(spent)));
        if (!code.isEmpty()) QCOMPARE(QByteArray::fromStdString(got), code);
        QVERIFY2(peakMegabytes() - before < 200, qPrintable(QString("%1 MB").arg(peakMegabytes() - before)));
    }

    void claimedLength() {
        QCOMPARE(codeOf(header() + wire::key(7, 2) + wire::varint(1ULL << 62U)), std::string("ONNX-011"));
    }

    void deepGraphs() {
        std::string graph = wire::bytes(2, "g");
        for (int i = 0; i < 65; ++i)
            graph = wire::bytes(1, wire::bytes(4, "If") + wire::bytes(5, attrGraph("then_branch", graph)));
        QCOMPARE(codeOf(header() + wire::bytes(7, graph)), std::string("ONNX-902"));
    }

    // No recursion over the graph: a chain as long as the raised limit allows.
    void longChain() {
        GraphText g;
        g.input("v0", kFloat, Dims{2});
        const int count = 300'000;
        for (int i = 0; i < count; ++i)
            g.add("Relu", {"v" + std::to_string(i)}, {"v" + std::to_string(i + 1)});
        g.output("v" + std::to_string(count));
        const std::string bytes = model(g);
        QCOMPARE(codeOf(bytes), std::string("ONNX-903"));
        io::OpenOptions options;
        options.limits.nodes = 2'000'000;
        const auto read = io::onnx::readOnnx(bytes, options, {});
        QVERIFY(read.ok());
        QCOMPARE(read.value().model.nodes.size(), static_cast<std::size_t>(count));
    }

    void longCycle() {
        GraphText g;
        g.input("x", kFloat, Dims{2});
        const int count = 150'000;
        for (int i = 0; i < count; ++i)
            g.add("Add", {"x", "v" + std::to_string((i + count - 1) % count)}, {"v" + std::to_string(i)});
        g.output("v0");
        QCOMPARE(codeOf(model(g)), std::string("ONNX-023"));
    }

    // Folding stops at its own limits.
    void foldingBombs() {
        GraphText range;
        range.initializer(tensor("a", kInt64, {}, rawOf(Ints{0})))
            .initializer(tensor("b", kInt64, {}, rawOf(Ints{std::int64_t{1} << 62})));
        range.initializer(tensor("c", kInt64, {}, rawOf(Ints{1}))).add("Range", {"a", "b", "c"}, {"y"}).output("y");
        QCOMPARE(codeOf(model(range)), std::string("ONNX-026"));
        GraphText fill;
        fill.ints("s", {std::int64_t{1} << 31, std::int64_t{1} << 31}).add("ConstantOfShape", {"s"}, {"y"}).output("y");
        QCOMPARE(codeOf(model(fill)), std::string("ONNX-026"));
        GraphText many;
        many.ints("s", {4096});
        many.add("ConstantOfShape", {"s"}, {"v0"}, {attrTensor("value", intTensor("", {3}))});
        for (int i = 0; i < 5000; ++i)
            many.add("Add", {"v" + std::to_string(i), "v0"}, {"v" + std::to_string(i + 1)});
        many.output("v5000");
        QCOMPARE(codeOf(model(many)), std::string("ONNX-907"));
        GraphText empty;
        empty.initializer(tensor("e", kInt64, {std::int64_t{1} << 40, 0}, std::string()))
            .ints("i", {})
            .add("Gather", {"e", "i"}, {"g"}, {attrInt("axis", 1)});
        empty.add("Transpose", {"g"}, {"t"}).add("Concat", {"t", "t"}, {"y"}, {attrInt("axis", 0)}).output("y");
        QCOMPARE(codeOf(model(empty)), std::string("none"));
    }

    void memoryBudget() {
        io::OpenOptions options;
        options.limits.importMemoryBytes = 1 << 20;
        const auto read = io::onnx::readOnnx(
            header() + wire::bytes(7, repeated(wire::bytes(1, wire::bytes(4, "Relu")), 100'000)), options, {});
        QVERIFY(!read.ok());
        QCOMPARE(read.error().primary().code, std::string("IN-905"));
    }

    void wallTime() {
        io::OpenOptions options;
        options.limits.importSeconds = 0;
        GraphText g;
        g.input("x", kFloat, Dims{2}).add("Relu", {"x"}, {"y"}).output("y");
        const auto read = io::onnx::readOnnx(model(g), options, {});
        QVERIFY(!read.ok());
        QCOMPARE(read.error().primary().code, std::string("IN-906"));
    }

    void tooLarge() {
        io::OpenOptions options;
        options.limits.onnxBytes = 10;
        const auto read = io::onnx::readOnnx("more than ten bytes", options, {});
        QVERIFY(!read.ok());
        QCOMPARE(read.error().primary().code, std::string("ONNX-901"));
    }

    void truncation_data() { addFiles(); }
    void truncation() {
        QFETCH(QString, file);
        MEMPLAN_NEEDS_NETWORK(file.toStdString());
        const std::string bytes = test::contentOf(test::networkFile(file.toStdString()));
        for (std::size_t percent = 0; percent < 100; ++percent)
            readWithinLimits(bytes.substr(0, bytes.size() * percent / 100));
    }

    void flippedBytes_data() { addFiles(); }
    void flippedBytes() {
        QFETCH(QString, file);
        MEMPLAN_NEEDS_NETWORK(file.toStdString());
        const std::string bytes = test::contentOf(test::networkFile(file.toStdString()));
        std::uint64_t state = 88172645463325252ULL;  // xorshift: the same flips everywhere
        const auto next = [&] {
            state ^= state << 13U;
            state ^= state >> 7U;
            state ^= state << 17U;
            return state;
        };
        const long before = peakMegabytes();
        for (int i = 0; i < 2000; ++i) {
            std::string damaged = bytes;
            const std::size_t at = next() % damaged.size();
            damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ (1U + next() % 255U));
            readWithinLimits(damaged);
        }
        QVERIFY2(peakMegabytes() - before < 200, qPrintable(QString("%1 MB").arg(peakMegabytes() - before)));
    }

    // The two smallest networks: positions with all bits inverted, lengths (8.2).
    void everyByteOfTheSmallest_data() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"tiny_qwen_gqa_opset21.onnx", "tiny_gpt2_ort_contrib.onnx"})
            QTest::newRow(file) << file;
    }

    void everyByteOfTheSmallest() {
        QFETCH(QString, file);
        MEMPLAN_NEEDS_NETWORK(file.toStdString());
        const std::string bytes = test::contentOf(test::networkFile(file.toStdString()));
        for (std::size_t i = 0; i < bytes.size(); i += kStride) {
            std::string damaged = bytes;
            damaged[i] = static_cast<char>(~damaged[i]);
            readWithinLimits(damaged);
            readWithinLimits(bytes.substr(0, i));
        }
    }

    // Every position of a small file, all bits inverted.
    void everyByteOfASmallFile() {
        GraphText g;
        g.input("x", kFloat, Dims{"n", 3, 8, 8}).weight("w", {4, 3, 3, 3}).ints("s", {0, -1});
        g.add("Conv", {"x", "w"}, {"h"}, {attrInts("pads", {1, 1, 1, 1})})
            .add("Reshape", {"h", "s"}, {"r"})
            .add("Softmax", {"r"}, {"y"})
            .output("y");
        const std::string bytes = model(g);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            std::string damaged = bytes;
            damaged[i] = static_cast<char>(~damaged[i]);
            readWithinLimits(damaged);
            readWithinLimits(bytes.substr(0, i));
        }
    }
};

MEMPLAN_TEST(TstOnnxHostile)
#include "tst_onnx_hostile.moc"
