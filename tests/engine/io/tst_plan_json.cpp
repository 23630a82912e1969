// SPDX-License-Identifier: Apache-2.0
// Plan files: key order, round trip, refusals (command-line "Plan file", spyre-coarse-tiling-and-bundle 19).
#include "engine/graph/generate.h"
#include "engine/io/graph/graph_json.h"
#include "engine/io/input.h"
#include "engine/io/plan/plan_json.h"
#include "engine/json/json_sax.h"
#include "engine/target/compile.h"
#include "tests/support/hint_support.h"
#include "tests/support/program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QJsonParseError>
#include <QJsonValue>
#include <QTest>

#include <random>

using namespace memplan;

namespace {

PlanPtr compiled(Graph graph, const std::vector<std::pair<std::string, std::string>>& pairs,
                 std::string stopAfter = {}) {
    CompileRequest request;
    request.input = {"some/graph.json", "graph", std::string(64, 'a'), "graph.json"};
    request.hints = graph.hints;
    request.graph = std::make_shared<Graph>(std::move(graph));
    request.settings = Settings::fromPairs(pairs).value();
    request.stopAfter = std::move(stopAfter);
    return compile(request, RunControl{}).plan;
}

Graph sample(const char* folder) {
    const auto bytes =
        io::readFile(std::string(MEMPLAN_SOURCE_DIR) + "/samples/" + folder + "/graph.json", 1 << 26, "X");
    return io::readGraphJson(bytes.value(), {}, RunControl{}).value().graph;
}

PlanPtr softmaxPlan() {
    Graph g = sample("softmax-512x1024");
    Hint h;
    h.target = "spyre";
    h.scopes = {"tensor:out"};
    h.key = "keep_off_chip";
    h.value = test::hintValue("true");
    h.comment = "the host reads \"it\"";
    g.hints.push_back(h);
    return compiled(std::move(g), {{"spyre.cores", "1"}});
}

/// Members of a JSON object in the order of the text, which QJsonObject does not keep.
QStringList topKeys(const std::string& text) {
    QStringList keys;
    for (const QString& line : QString::fromStdString(text).split('\n')) {
        if (line.startsWith("  \"")) keys << line.section('"', 1, 1);
    }
    return keys;
}

QJsonObject parsed(const std::string& text) {
    QJsonParseError error;
    const QJsonDocument d = QJsonDocument::fromJson(QByteArray::fromStdString(text), &error);
    if (error.error != QJsonParseError::NoError) qWarning("%s", qPrintable(error.errorString()));
    return d.object();
}

}  // namespace

class TestPlanJson : public QObject {
    Q_OBJECT
private slots:
    void keysInTheirOrder();
    void softmaxFigures();
    void roundTrip_data();
    void roundTrip();
    void stoppedEarly();
    void unknownKeysAreIgnored();
    void refusals_data();
    void refusals();
    void flippedBytes();
    void threadsAreNoPartOfThePlan();
    void valuesOnATape_data();
    void valuesOnATape();
};

/// What a tape keeps of a value, and what is refused.
void TestPlanJson::valuesOnATape_data() {
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("wanted");  // empty: refused
    const auto row = [](const char* value, const char* wanted) {
        QTest::newRow(value) << QByteArray(value) << QByteArray(wanted);
    };
    row("0", "0");
    row("-7", "-7");
    row("9223372036854775807", "9223372036854775807");
    row("-9223372036854775808", "-9223372036854775808");
    row("9223372036854775808", "");
    row("1.50", "1.50");
    row("-0.25e-3", "-0.25e-3");
    row("1e999", "");
    row("01", "");
    row("1.", "");
    row("+1", "");
    row("\"a\\\"b\\n\\t\\/\"", "\"a\\\"b\\n\\t/\"");
    row("\"\\x\"", "");
    row("\"a\nb\"", "");
    row("[1, {\"k\": [], \"l\": {}}, null ,true,\tfalse]", "[1,{\"k\":[],\"l\":{}},null,true,false]");
    row("[1,]", "");
    row("{\"k\": 1, \"k\": 2}", "");
    row("[1", "");
    row("1 2", "");
}

void TestPlanJson::valuesOnATape() {
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, wanted);
    static constexpr io::JsonCodes kCodes{"A", "A", "A", "A", "A", "A", "A"};
    const auto tape = io::readTape("[" + value.toStdString() + "]", kCodes, {}, {});
    QCOMPARE(tape.ok(), !wanted.isEmpty());
    if (!tape) return;
    QCOMPARE(QByteArray::fromStdString(tape.value().json(0)), "[" + wanted + "]");
    const io::TapeIndex at = 1;
    if (tape.value().type(at) == io::JsonType::Real) QCOMPARE(tape.value().number(at), std::stod(value.toStdString()));
    if (tape.value().type(at) == io::JsonType::Integer) QCOMPARE(tape.value().at(at).integer, value.toLongLong());
}

void TestPlanJson::keysInTheirOrder() {
    const PlanPtr plan = softmaxPlan();
    QVERIFY(plan);
    const std::string text = io::writePlanJson(*plan);
    const QStringList wanted = {"format", "version", "target", "input",   "settings", "hints",
                                "ops",    "buffers", "memory", "metrics", "passes",   "target_data"};
    QStringList keys = topKeys(text);
    QCOMPARE(keys.mid(0, wanted.size()), wanted);
    QCOMPARE(keys.takeLast(), QStringLiteral("execution"));
    for (const QString& extra : keys.mid(wanted.size()))
        QVERIFY(extra.startsWith("x_"));
    const QJsonObject o = parsed(text);
    QCOMPARE(o["settings"].toObject().size(), static_cast<int>(allSettings().size()));
    QCOMPARE(o["settings"]["spyre.cores"].toInt(), 1);
    QVERIFY(o["settings"]["spyre.lx_planning"].isBool());
    QCOMPARE(o["hints"][0]["comment"].toString(), QStringLiteral("the host reads \"it\""));
    QVERIFY(o["hints"][0].toObject().contains("state"));
    const QJsonObject op = o["ops"][0].toObject();
    for (const char* key : {"id", "type", "kind", "inputs", "outputs", "iteration_space", "splits", "cores",
                            "loop_path", "loop_counts", "origin"})
        QVERIFY2(op.contains(key), key);
    const QJsonObject buffer = o["buffers"][0].toObject();
    for (const char* key : {"name", "op", "size", "size_per_core", "start", "end", "space", "address", "in_place_of",
                            "reason", "shape", "dtype", "layout"})
        QVERIFY2(buffer.contains(key), key);
    QStringList metrics = o["metrics"].toObject().keys();
    for (const char* key : {"main_memory_read_bytes", "main_memory_write_bytes", "pinned_bytes", "upper_bound_bytes",
                            "core_utilisation", "estimated_microseconds"})
        QVERIFY2(metrics.contains(key), key);
    const QJsonObject data = o["target_data"]["ops"].toObject().begin()->toObject();
    for (const char* key : {"ranges", "reduction_ranges", "named_dims", "dim_hints", "loop_tiled_dims",
                            "committed_splits", "op_it_space_splits", "tiled_symbols"})
        QVERIFY2(data.contains(key), key);
}

void TestPlanJson::softmaxFigures() {
    // spyre-scratchpad 12, stage 4
    const QJsonObject o = parsed(io::writePlanJson(*compiled(sample("softmax-512x1024"), {{"spyre.cores", "1"}})));
    QCOMPARE(o["metrics"]["main_memory_read_bytes"].toInt() + o["metrics"]["main_memory_write_bytes"].toInt(),
             2'097'152);
    QCOMPARE(o["memory"]["capacity"].toInt(), 1'677'721);
    QCOMPARE(o["memory"]["peak"].toInt(), 1'050'624);
    for (const QJsonValue& b : o["buffers"].toArray()) {
        const bool onChip = b["space"].toString() == "lx";
        QCOMPARE(b["reason"].isNull(), onChip);
        QCOMPARE(b["address"].isDouble(), onChip);
    }
}

void TestPlanJson::roundTrip_data() {
    QTest::addColumn<int>("index");
    QTest::newRow("softmax, one core") << 0;
    QTest::newRow("softmax, four cores") << 1;
    QTest::newRow("mismatch") << 2;
    QTest::newRow("matmul span") << 3;
    QTest::newRow("generated") << 4;
    QTest::newRow("planning off") << 5;
}

void TestPlanJson::roundTrip() {
    QFETCH(int, index);
    const std::vector<std::function<PlanPtr()>> makers = {
        [] { return softmaxPlan(); },
        [] {
            return compiled(sample("softmax-1024x2048"), {{"spyre.cores", "4"}});
        },
        [] {
            return compiled(sample("split-mismatch"), {{"spyre.cores", "8"}});
        },
        [] { return compiled(sample("matmul-span"), {}); },
        [] { return compiled(generateChainModel(120), {}); },
        [] {
            return compiled(sample("softmax-512x1024"), {{"spyre.lx_planning", "false"}});
        },
    };
    const PlanPtr plan = makers[static_cast<std::size_t>(index)]();
    QVERIFY(plan);
    const std::string text = io::writePlanJson(*plan);
    QVERIFY(!parsed(text).isEmpty());
    const auto read = io::readPlanJson(text);
    if (!read) qWarning("%s %s", read.error().primary().where.c_str(), read.error().primary().message.c_str());
    QVERIFY(read.ok());
    QCOMPARE(io::writePlanJson(read.value()), text);
    const Plan& p = read.value();
    QCOMPARE(p.ops.size(), plan->ops.size());
    QVERIFY(p.input == plan->input);
    for (std::size_t i = 0; i < p.ops.size(); ++i) {
        QVERIFY(p.ops[i].accesses == plan->ops[i].accesses);
        QVERIFY(p.ops[i].iterationSpace == plan->ops[i].iterationSpace);
    }
    for (std::size_t i = 0; i < p.buffers.size(); ++i) {
        QCOMPARE(p.buffers[i].life, plan->buffers[i].life);
        QVERIFY(p.buffers[i].layout == plan->buffers[i].layout);
        QVERIFY(p.buffers[i].uses == plan->buffers[i].uses);
        QCOMPARE(p.buffers[i].reason.has_value(), plan->buffers[i].reason.has_value());
    }
    QVERIFY(p.memory.occupancy == plan->memory.occupancy);
    QVERIFY(p.problems == plan->problems);
}

void TestPlanJson::stoppedEarly() {
    const PlanPtr plan = compiled(sample("softmax-512x1024"), {}, "span_reduction");
    QVERIFY(plan);
    const std::string text = io::writePlanJson(*plan);
    QVERIFY(!topKeys(text).contains("memory"));
    QVERIFY(!topKeys(text).contains("metrics"));
    const auto read = io::readPlanJson(text);
    QVERIFY(read.ok());
    QCOMPARE(read.value().stoppedAfter, std::string("span_reduction"));
    QCOMPARE(io::writePlanJson(read.value()), text);
}

void TestPlanJson::unknownKeysAreIgnored() {
    const std::string text = io::writePlanJson(*softmaxPlan());
    QString more = QString::fromStdString(text);
    more.replace("\"version\": 1,", "\"version\": 1, \"later\": [1, {\"a\": null}],");
    more.replace("\"settings\": {", "\"settings\": {\"spyre.later\": 3,");
    const auto read = io::readPlanJson(more.toStdString());
    QVERIFY(read.ok());
    QCOMPARE(io::writePlanJson(read.value()), text);
}

void TestPlanJson::refusals_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("by");
    QTest::addColumn<QString>("where");
    QTest::newRow("format") << "\"memplan-plan\""
                            << "\"memplan-graph\""
                            << "/format";
    QTest::newRow("version") << "\"version\": 1"
                             << "\"version\": 2"
                             << "/version";
    QTest::newRow("target") << "\"spyre\","
                            << "\"gpu\","
                            << "/target";
    QTest::newRow("setting") << "\"spyre.cores\": 1,"
                             << "\"spyre.cores\": 99,"
                             << "/settings";
    QTest::newRow("ops") << "\"ops\": ["
                         << "\"ops\": 3, \"x_o\": ["
                         << "/ops";
    QTest::newRow("cores") << "\"cores\": 1"
                           << "\"cores\": 0"
                           << "/ops/0/cores";
    QTest::newRow("slices") << "\"slices\": 1"
                            << "\"slices\": 0"
                            << "/ops/0/x_loops/0/slices";
    QTest::newRow("two forms of the splits") << "\"splits\": {\"d0\": 1"
                                             << "\"splits\": {\"d0\": 3"
                                             << "/ops/0";
    QTest::newRow("two forms of the extents") << "\"iteration_space\": {\"d0\": 512"
                                              << "\"iteration_space\": {\"d0\": 256"
                                              << "/ops/0";
    QTest::newRow("no bytes") << "\"size\": 1048576"
                              << "\"size\": -1"
                              << "/buffers/0/size";
    QTest::newRow("space") << "\"space\": \"hbm\""
                           << "\"space\": \"moon\""
                           << "/buffers/0/space";
    QTest::newRow("cores of a buffer") << "\"x_cores\": 1"
                                       << "\"x_cores\": 0"
                                       << "/buffers/0/x_cores";
    QTest::newRow("step of 64 bits") << "\"start\": 0"
                                     << "\"start\": 9000000000"
                                     << "/buffers/0/start";
    QTest::newRow("type") << "\"capacity\": 1677721"
                          << "\"capacity\": \"all\""
                          << "/memory/capacity";
    QTest::newRow("no operand") << "\"inputs\": [\"x\"]"
                                << "\"inputs\": [null]"
                                << "/ops/0/inputs/0";
    QTest::newRow("no result") << "\"outputs\": [\"max\"]"
                               << "\"outputs\": [null]"
                               << "/ops/1/outputs/0";
    QTest::newRow("access of nothing") << "\"buffer\": \"x\""
                                       << "\"buffer\": null"
                                       << "/ops/0/x_accesses/0/buffer";
    QTest::newRow("syntax") << "\"metrics\": {"
                            << "\"metrics\": }"
                            << "";
}

void TestPlanJson::refusals() {
    QFETCH(QString, what);
    QFETCH(QString, by);
    QFETCH(QString, where);
    QString text = QString::fromStdString(io::writePlanJson(*softmaxPlan()));
    const qsizetype at = text.indexOf(what);
    QVERIFY(at >= 0);
    text.replace(at, what.size(), by);
    const auto read = io::readPlanJson(text.toStdString());
    QVERIFY(!read.ok());
    QCOMPARE(read.error().primary().code, std::string("IN-008"));
    if (!where.isEmpty()) QCOMPARE(QString::fromStdString(read.error().primary().where), where);
}

void TestPlanJson::flippedBytes() {
    const std::string original = io::writePlanJson(*softmaxPlan());
    std::mt19937 random(11);
    for (int i = 0; i < 500; ++i) {
        std::string bytes = original;
        for (int k = 0; k < 3; ++k)
            bytes[random() % bytes.size()] = "0123456789-[]{},\"a"[random() % 18];
        const auto read = io::readPlanJson(bytes);
        if (read) QVERIFY(!io::writePlanJson(read.value()).empty());
    }
}

/// settings.md 1: the number of threads never changes a result, so two plans differ in that setting alone.
void TestPlanJson::threadsAreNoPartOfThePlan() {
    const auto written = [](Graph graph, const char* threads) {
        std::string text = io::writePlanJson(*compiled(std::move(graph), {{"engine.threads", threads}}));
        const std::string own = std::string("\"engine.threads\": ") + threads;
        const std::size_t at = text.find(own);
        return at == std::string::npos ? std::string() : text.erase(at, own.size());
    };
    for (const Graph& graph : {sample("softmax-512x1024"), generateChainModel(2'000, 5)}) {
        const std::string one = written(graph, "1");
        QVERIFY(!one.empty());
        QVERIFY(one == written(graph, "2"));
    }
}

MEMPLAN_TEST(TestPlanJson)
#include "tst_plan_json.moc"
