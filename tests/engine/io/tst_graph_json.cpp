// SPDX-License-Identifier: Apache-2.0
// Reading and writing neutral graphs: every code with its pointer, the worked examples 2.10 and 2.11,
// canonical text, hostile bytes (inputs-and-interchange 2, 7, 8).
#include "engine/graph/generate.h"
#include "engine/io/graph/graph_json.h"
#include "engine/io/input.h"
#include "engine/json/json_text.h"
#include "tests/engine/io/graph_cases.h"
#include "tests/support/program.h"
#include "tests/support/time_guard.h"

#include <QJsonDocument>
#include <QTest>

#include <algorithm>
#include <random>

using namespace memplan;

namespace {

std::string dataFile(const std::string& name) {
    const auto bytes = io::readFile(std::string(MEMPLAN_TEST_DATA) + "/graphs/" + name, 1 << 26, "X");
    return bytes ? bytes.value() : "unreadable: " + name;
}

Result<io::ReadGraph> read(std::string_view bytes, const io::Limits& limits = {}) {
    return io::readGraphJson(bytes, limits, RunControl{});
}

std::vector<Diagnostic> findingsOf(const Result<io::ReadGraph>& r) {
    return r ? r.value().diagnostics : r.error().diagnostics;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    return at == std::string::npos ? "not found: " + what : text.replace(at, what.size(), by);
}

Bytes totalBytes(const Graph& g) {
    Bytes sum = 0;
    for (const Tensor& t : g.tensors)
        sum += *tensorBytes(t.dtype, t.shape);
    return sum;
}

const Tensor& tensorNamed(const Graph& g, std::string_view id) {
    return *std::find_if(g.tensors.begin(), g.tensors.end(), [id](const Tensor& t) { return t.id == id; });
}

}  // namespace

class TestGraphJson : public QObject {
    Q_OBJECT
private slots:
    void everyCode_data();
    void everyCode();
    void everyCodeIsCovered();
    void softmaxExample();
    void attentionExample();
    void oneErrorOnly();
    void savingTwiceIsStable_data();
    void savingTwiceIsStable();
    void keepsUnknownMembers();
    void compactForm();
    void quotedTexts();
    void fileAboveTheLimit();
    void millionBrackets();
    void tooManyEntries();
    void nestingAtTheLimit();
    void flippedBytes_data();
    void flippedBytes();
    void truncations();
    void cancelling();
};

void TestGraphJson::everyCode_data() {
    QTest::addColumn<int>("index");
    for (int i = 0; i < static_cast<int>(std::size(test::kGraphCases)); ++i)
        QTest::newRow(test::kGraphCases[i].file) << i;
}

void TestGraphJson::everyCode() {
    QFETCH(int, index);
    const test::GraphCase& c = test::kGraphCases[index];
    const auto result = read(dataFile(c.file));
    const auto findings = findingsOf(result);
    const bool isError = std::string_view(c.severity) == "error" || std::string_view(c.severity).empty();
    QCOMPARE(result.ok(), !isError);
    QVERIFY(!findings.empty());
    const auto it = std::find_if(findings.begin(), findings.end(),
                                 [&](const Diagnostic& d) { return d.code == c.code && d.where == c.pointer; });
    if (it == findings.end()) {
        for (const Diagnostic& d : findings)
            qWarning("found %s at %s: %s", d.code.c_str(), d.where.c_str(), d.message.c_str());
    }
    QVERIFY(it != findings.end());
    QVERIFY(!it->message.empty());
    // The first finding is the one that is printed; later stages say nothing after an error.
    if (isError) {
        QCOMPARE(findings.front().code, std::string(c.code));
        QCOMPARE(findings.front().where, std::string(c.pointer));
        const bool needsHint = std::string(c.code) != "MPG-106" && std::string(c.code) != "MPG-107";
        if (needsHint) QVERIFY(!it->hint.empty());
    }
}

void TestGraphJson::everyCodeIsCovered() {
    const QStringList generated = {"MPG-002", "MPG-012"};
    QStringList covered = generated;
    for (const test::GraphCase& c : test::kGraphCases)
        covered << c.code;
    for (const char* code : {"001", "002", "003", "011", "012", "013", "014", "101", "102", "103", "104", "105", "106",
                             "107", "108", "109", "110", "201", "202", "203", "204", "205", "206", "210", "301", "302",
                             "303", "304", "305", "306", "307", "308", "309", "310", "311", "312", "313", "314"}) {
        QVERIFY2(covered.contains(QStringLiteral("MPG-") + code), code);
    }
}

void TestGraphJson::softmaxExample() {
    const auto result = read(dataFile("softmax.json"));
    QVERIFY(result.ok());
    const Graph& g = result.value().graph;
    QVERIFY(result.value().diagnostics.empty());
    QCOMPARE(g.tensors.size(), std::size_t{6});
    QCOMPARE(g.ops.size(), std::size_t{5});
    QCOMPARE(g.groups.size(), std::size_t{1});
    for (const char* id : {"x", "sub", "exp", "y"}) {
        const Tensor& t = tensorNamed(g, id);
        QCOMPARE(*tensorBytes(t.dtype, t.shape), Bytes{1'048'576});
    }
    for (const char* id : {"max", "sum"}) {
        const Tensor& t = tensorNamed(g, id);
        QCOMPARE(*tensorBytes(t.dtype, t.shape), Bytes{1'024});
    }
    QCOMPARE(totalBytes(g), Bytes{4'196'352});
    QCOMPARE(g.ops[3].group, GroupId{0});
    QCOMPARE(g.ops[0].iter[1].kind, IterKind::Reduction);
}

void TestGraphJson::attentionExample() {
    const std::string text = dataFile("attention.json");
    const auto result = read(text);
    QVERIFY(result.ok());
    QVERIFY(result.value().diagnostics.empty());
    const Graph& g = result.value().graph;
    QCOMPARE(g.tensors.size(), std::size_t{14});
    const auto computing =
        std::count_if(g.ops.begin(), g.ops.end(), [](const Op& op) { return op.kind != OpKind::View; });
    QCOMPARE(computing, std::ptrdiff_t{9});  // the tenth entry, merge_v, moves no data
    QCOMPARE(g.groups.size(), std::size_t{2});
    QCOMPARE(g.groups[1].parent, GroupId{0});
    QCOMPARE(totalBytes(g), Bytes{2'101'250});
    const Tensor& out = tensorNamed(g, "out");
    QCOMPARE(totalBytes(g) - *tensorBytes(out.dtype, out.shape), Bytes{1'970'178});
    const auto largest = std::count_if(g.tensors.begin(), g.tensors.end(),
                                       [](const Tensor& t) { return *tensorBytes(t.dtype, t.shape) == 262'144; });
    QCOMPARE(largest, std::ptrdiff_t{5});

    const auto four = read(replaced(text, "\"value\": 1,", "\"value\": 4,"));
    QVERIFY(four.ok());
    const Graph& g4 = four.value().graph;
    QCOMPARE(*tensorBytes(DType::F16, tensorNamed(g4, "qk").shape), Bytes{4 * 262'144});
    QCOMPARE(*tensorBytes(DType::F16, tensorNamed(g4, "scale").shape), Bytes{2});
    QCOMPARE(g4.ops[0].iter[0].size, std::int64_t{4});
}

void TestGraphJson::oneErrorOnly() {
    const auto unknown = read(dataFile("mpg-203-input.json"));
    QCOMPARE(findingsOf(unknown).size(), std::size_t{1});
    const auto kind = read(dataFile("mpg-309-kind.json"));
    QCOMPARE(findingsOf(kind).size(), std::size_t{1});
}

void TestGraphJson::savingTwiceIsStable_data() {
    QTest::addColumn<QByteArray>("text");
    for (const char* name :
         {"softmax.json", "attention.json", "conv.json", "mpg-108-unknown.json", "mpg-104-minor.json"}) {
        QTest::newRow(name) << QByteArray::fromStdString(dataFile(name));
    }
    QTest::newRow("generated") << QByteArray::fromStdString(io::writeGraphJson(generateChainModel(200)));
}

void TestGraphJson::savingTwiceIsStable() {
    QFETCH(QByteArray, text);
    const auto first = read({text.constData(), static_cast<std::size_t>(text.size())});
    QVERIFY(first.ok());
    const std::string saved = io::writeGraphJson(first.value().graph);
    const auto second = read(saved);
    QVERIFY(second.ok());
    QVERIFY(second.value().graph == first.value().graph);
    QCOMPARE(io::writeGraphJson(second.value().graph), saved);
    QCOMPARE(saved.back(), '\n');
    QVERIFY(saved.find(" \n") == std::string::npos);
    QVERIFY(saved.find('\r') == std::string::npos);
}

void TestGraphJson::keepsUnknownMembers() {
    std::string text = dataFile("softmax.json");
    text = replaced(text, "\"kind\": \"handmade\"", "\"kind\": \"handmade\", \"who\": null");
    text = replaced(text, "\"version\": 1,",
                    "\"version\": 1, \"x_own\": {\"a\": [1, 2.50, {\"b\": \"\\u00e9\\n\"}], \"c\": {}},");
    text = replaced(text, "\"fn\": \"exp\",",
                    "\"fn\": \"exp\", \"attrs\": {\"scale\": 2.0, \"n\": 2, \"on\": true, \"l\": [1, 2.5]},");
    const auto result = read(text);
    QVERIFY(result.ok());
    QCOMPARE(result.value().diagnostics.size(), std::size_t{1});  // keys with x_ never warn
    QCOMPARE(result.value().diagnostics[0].where, std::string("/source/who"));
    const std::string saved = io::writeGraphJson(result.value().graph);
    QVERIFY(saved.find("\"who\": null") != std::string::npos);
    QVERIFY(saved.find("2.50") != std::string::npos);
    QVERIFY(saved.find("\"scale\": 2.0") != std::string::npos);
    QVERIFY(saved.find("\"n\": 2,") != std::string::npos);
    QVERIFY(saved.find("\"l\": [1.0, 2.5]") != std::string::npos);
    const auto again = read(saved);
    QVERIFY(again.ok());
    QCOMPARE(io::writeGraphJson(again.value().graph), saved);
}

/// The form inside a plan's record: the same graph, equal neighbours of a constant among the values.
void TestGraphJson::compactForm() {
    std::string text = dataFile("softmax.json");
    text = replaced(text, "\"version\": 1,", "\"version\": 1, \"x_own\": {\"a \\\" b\": [1, {\"c\": {}}]},");
    Graph graph = read(text).value().graph;
    graph.tensors[0].value = {0.1, 0.1, 2, 2, 2, -0.0, 0, 1e300, 0.1};
    TextBuffer buffer;
    buffer.append("before");
    io::appendGraphJson(buffer, graph);
    const std::string compact = std::move(buffer).finish();
    QVERIFY(compact.starts_with("before{\"format\":\"memplan-graph\",\"version\":1,"));
    QVERIFY(compact.find("\"value\":[0.1,0.1,2,2,2,0,0,1e+300,0.1]") != std::string::npos);
    QVERIFY(compact.find("\"x_own\":{\"a \\\" b\":[1,{\"c\":{}}]}") != std::string::npos);
    const std::string canonical = io::writeGraphJson(graph);
    QVERIFY(canonical.find("\"value\": [0.1, 0.1, 2, 2, 2, 0, 0, 1e+300, 0.1]") != std::string::npos);
    const auto parsed = [](const std::string& json) {
        return QJsonDocument::fromJson(QByteArray::fromStdString(json));
    };
    QVERIFY(!parsed(canonical).isNull());
    QVERIFY(parsed(compact.substr(6)) == parsed(canonical));
}

/// What needs more than a copy is found at every position of short and long texts.
void TestGraphJson::quotedTexts() {
    const std::vector<std::pair<std::string, std::string>> letters = {{"\"", "\\\""},
                                                                      {"\\", "\\\\"},
                                                                      {"\n", "\\n"},
                                                                      {"\x1f", "\\u001f"},
                                                                      {std::string(1, '\0'), "\\u0000"},
                                                                      {"\x7f", "\x7f"},
                                                                      {"\xC3\xA9", "\xC3\xA9"},
                                                                      {"\xFF", "\xEF\xBF\xBD"},
                                                                      {"a", "a"}};
    for (std::size_t length = 0; length <= 40; ++length) {
        for (std::size_t at = 0; at <= length; ++at) {
            for (const auto& [letter, written] : letters) {
                const std::string before(at, 'x'), behind(length - at, 'y');
                std::string out = "=";
                io::appendJsonString(out, before + letter + behind);
                QCOMPARE(out, "=\"" + before + written + behind + "\"");
            }
        }
    }
}

void TestGraphJson::fileAboveTheLimit() {
    io::Limits limits;
    limits.jsonBytes = 1000;
    const auto result = read(dataFile("softmax.json"), limits);
    QVERIFY(!result.ok());
    QCOMPARE(result.error().primary().code, std::string("MPG-002"));
    QVERIFY(result.error().primary().hint.find("limits.json_bytes") != std::string::npos);
}

void TestGraphJson::millionBrackets() {
    const double begin = test::processorSeconds();
    const auto result = read(std::string(1'000'000, '['));
    QVERIFY(test::processorSeconds() - begin < test::kHostileSeconds);
    QVERIFY(!result.ok());
    QCOMPARE(result.error().primary().code, std::string("MPG-012"));
    std::string level64;
    for (int i = 0; i < 63; ++i)
        level64 += "/0";
    QCOMPARE(result.error().primary().where, level64);
    // The same inside a graph, in a part that is handed over piece by piece.
    const auto inside = read(R"({"format":"memplan-graph","tensors":[{"layout":)" + std::string(100'000, '['));
    QVERIFY(!inside.ok());
    QCOMPARE(inside.error().primary().code, std::string("MPG-012"));
    QVERIFY(inside.error().primary().where.starts_with("/tensors/0/layout/0/0"));
}

void TestGraphJson::nestingAtTheLimit() {
    const auto nested = [](int levels) {
        std::string text = dataFile("softmax.json");
        const auto depth = static_cast<std::size_t>(levels);
        return replaced(text, "\"version\": 1,",
                        "\"version\": 1, \"x_deep\": " + std::string(depth, '[') + std::string(depth, ']') + ",");
    };
    const auto fits = read(nested(63));
    QVERIFY(fits.ok());
    QCOMPARE(io::writeGraphJson(read(io::writeGraphJson(fits.value().graph)).value().graph),
             io::writeGraphJson(fits.value().graph));
    const auto tooDeep = read(nested(64));
    QVERIFY(!tooDeep.ok());
    QCOMPARE(tooDeep.error().primary().code, std::string("MPG-012"));
}

void TestGraphJson::tooManyEntries() {
    io::Limits limits;
    limits.graphTensors = 5;
    const auto tensors = read(dataFile("softmax.json"), limits);
    QVERIFY(!tensors.ok());
    QCOMPARE(tensors.error().primary().code, std::string("MPG-110"));
    QCOMPARE(tensors.error().primary().where, std::string("/tensors"));
    limits = {};
    limits.graphOps = 4;
    const auto ops = read(dataFile("softmax.json"), limits);
    QVERIFY(!ops.ok());
    QCOMPARE(ops.error().primary().where, std::string("/ops"));
    QVERIFY(ops.error().primary().hint.find("limits.graph_ops") != std::string::npos);
}

void TestGraphJson::flippedBytes_data() {
    QTest::addColumn<QString>("file");
    QTest::newRow("softmax") << "softmax.json";
    QTest::newRow("attention") << "attention.json";
}

void TestGraphJson::flippedBytes() {
    QFETCH(QString, file);
    const std::string original = dataFile(file.toStdString());
    std::mt19937 random(7);
    int refused = 0;
    for (int i = 0; i < 2000; ++i) {
        std::string bytes = original;
        bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
        if (i % 3 == 0) bytes[random() % bytes.size()] = "[]{},:\"0"[random() % 8];
        const auto result = read(bytes);
        const auto findings = findingsOf(result);
        refused += result.ok() ? 0 : 1;
        if (!result.ok()) {
            QVERIFY(!findings.empty());
            QCOMPARE(findings.front().severity, Severity::Error);
            QVERIFY(!findings.front().message.empty());
        } else {
            QVERIFY(read(io::writeGraphJson(result.value().graph)).ok());
        }
    }
    QVERIFY(refused > 500);
}

void TestGraphJson::truncations() {
    const std::string text = dataFile("softmax.json");
    for (std::size_t n = 0; n + 2 < text.size(); ++n)
        QVERIFY(!read(std::string_view(text).substr(0, n)).ok());
}

void TestGraphJson::cancelling() {
    std::stop_source stop;
    stop.request_stop();
    RunControl control;
    control.stop = stop.get_token();
    const std::string text = io::writeGraphJson(generateChainModel(2000));
    const auto result = io::readGraphJson(text, {}, control);
    QVERIFY(!result.ok());
    QCOMPARE(result.error().primary().code, std::string(kCancelledCode));
}

MEMPLAN_TEST(TestGraphJson)
#include "tst_graph_json.moc"
