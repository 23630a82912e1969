// SPDX-License-Identifier: Apache-2.0
// Opening files: recognition by content, what cannot be opened, writing whole or not at all, samples
// (inputs-and-interchange 1, 7).
#include "engine/base/hash.h"
#include "engine/graph/generate.h"
#include "engine/io/graph/graph_json.h"
#include "engine/io/input.h"
#include "engine/io/samples.h"
#include "engine/target/compile.h"
#include "tests/support/program.h"
#include "tests/support/time_guard.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileDevice>
#include <QFileInfo>
#include <QIODevice>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

#include <algorithm>
#include <unistd.h>

using namespace memplan;

namespace {

std::string codeOf(const Result<io::OpenedInput>& r) {
    return r ? std::string() : r.error().primary().code;
}

Result<io::OpenedInput> open(const QString& path, const io::OpenOptions& options = {}) {
    return io::openInput(path.toStdString(), options, RunControl{});
}

Result<io::OpenedInput> openText(const std::string& text, const std::string& name) {
    return io::openBytes(text, name, {}, RunControl{});
}

QByteArray contents(const QString& path) {
    QFile f(path);
    return f.open(QIODevice::ReadOnly) ? f.readAll() : QByteArray("unreadable");
}

const QString kGraphs = QStringLiteral(MEMPLAN_TEST_DATA "/graphs/");

}  // namespace

class TestInput : public QObject {
    Q_OBJECT
private slots:
    void recognises_data();
    void recognises();
    void everyFormatHasAnId();
    void opensGraph();
    void rebindsSymbols();
    void opensBufferList();
    void plansAndHintsGiveTheirText();
    void refusals_data();
    void refusals();
    void brokenGraphsTellTheirPlace();
    void extensionDisagrees();
    void foldersAndDevices();
    void limitsAreNamed();
    void contentOfNoFormat_isNotReadToItsEnd();
    void plansHaveALimitOfTheirOwn();
    void writesWhole();
    void cannotWrite();
    void linksStayLinks();
    void samplesOpen();
};

void TestInput::recognises_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("id");
    const auto row = [](const char* name, const QByteArray& bytes, const char* id) {
        QTest::newRow(name) << bytes << id;
    };
    row("graph", "\xEF\xBB\xBF {\"version\":1, \"a\":{\"format\":\"x\"}, \"format\" : \"memplan-graph\"}", "graph");
    row("graph without format", "{\"tensors\":[],\"ops\":[]}", "graph");
    row("torchwright", "{\"format\":\"memplan.torchwright-graph\"}", "torchwright-graph");
    row("plan", "{\"format\":\"memplan-plan\"", "plan");
    row("hints", "{\"format\":\"memplan-hints\"}", "hints");
    row("bundle", "{\"format\":\"memplan-bundle\"}", "bundle");
    row("provenance", "{\"schemaVersion\":3}", "provenance");
    row("sdsc", "{\"0_add\":{\"core\":{\"dscs_\":[]}}}", "sdsc");
    row("instances", "{\"name\":\"a\",\"capacity\":1,\"buffers\":[{\"format\":1}]}\n{}", "jsonl");
    row("other json", "{\"nodes\":[]}", "unknown");
    row("mlir module", "module @m {\n}", "mlir");
    row("mlir location", "#loc1 = loc(\"x\")\nmodule {}", "mlir");
    row("mlir comment", "// RUN: x\nfunc.func @f() {}", "mlir");
    row("bundle mlir", "module {\n sdscbundle.execute\n}", "spyre-bundle");
    row("wrapper", "import x\na = async_compile.sdsc('k', '''...''')\n", "wrapper");
    row("xla", "BufferAssignment:\nallocation 0: size 4", "xla");
    row("csv", "id,lower,upper,size\na,0,1,1\n", "csv");
    row("csv start", "\nbuffer,start,end,size\n", "csv");
    row("pt2", QByteArray("PK\x03\x04....m/models/m.json"), "pt2");
    row("tflite", QByteArray("\x1c\0\0\0TFL3....", 12), "tflite");
    row("pickle", QByteArray("\x80\x04\x95", 3), "pickle");
    row("onnx", QByteArray("\x08\x07\x12\x04test", 8), "onnx");
    row("text", "hello, world", "unknown");
    row("empty", "", "unknown");
}

void TestInput::recognises() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, id);
    const io::FormatInfo& f = io::recognise({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    QCOMPARE(QString::fromUtf8(f.id.data(), static_cast<int>(f.id.size())), id);
}

void TestInput::everyFormatHasAnId() {
    QSet<QString> ids;
    for (const io::FormatInfo& info : io::allFormats()) {
        QCOMPARE(&io::formatInfo(info.id), &info);
        QCOMPARE(info.own != nullptr, info.format == io::Format::OfTarget);
        ids << QString::fromStdString(std::string(info.id));
    }
    QCOMPARE(static_cast<std::size_t>(ids.size()), io::allFormats().size());
}

void TestInput::opensGraph() {
    const auto opened = open(kGraphs + "softmax.json");
    QVERIFY(opened.ok());
    QCOMPARE(opened.value().format, io::Format::Graph);
    QCOMPARE(opened.value().input.format, std::string("graph"));
    QCOMPARE(opened.value().input.name, std::string("softmax.json"));
    QCOMPARE(opened.value().graph->ops.size(), std::size_t{5});
    const QByteArray bytes = contents(kGraphs + "softmax.json");
    QCOMPARE(opened.value().input.sha256,
             QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex().toStdString());
    QVERIFY(opened.value().diagnostics.empty());
}

void TestInput::rebindsSymbols() {
    io::OpenOptions options;
    options.bindings.raw = {{"batch", "4"}};
    const auto opened = open(kGraphs + "attention.json", options);
    QVERIFY(opened.ok());
    QCOMPARE(opened.value().graph->tensors[0].shape[0], std::int64_t{4});
    QCOMPARE(opened.value().graph->ops[0].iter[0].size, std::int64_t{4});
    options.bindings.raw = {{"batch", "64"}};  // max is 32
    QCOMPARE(codeOf(open(kGraphs + "attention.json", options)), std::string("MPG-107"));
    options.bindings.raw = {{"sequence", "4"}};
    const auto unknown = open(kGraphs + "attention.json", options);
    QCOMPARE(codeOf(unknown), std::string("MPG-204"));
    QVERIFY(unknown.error().primary().hint.find("batch") != std::string::npos);
}

void TestInput::opensBufferList() {
    const auto opened = openText("id,lower,upper,size,colour\na,0,1,5,red\n", "buffers.csv");
    QVERIFY(opened.ok());
    QCOMPARE(opened.value().problems.size(), std::size_t{1});
    QCOMPARE(opened.value().problems[0].name, std::string("buffers"));
    QCOMPARE(opened.value().extraColumns[0].cells[0], std::string("red"));
    const auto lines = openText("{\"name\":\"p\",\"capacity\":9,\"buffers\":[]}\n", "p.jsonl");
    QVERIFY(lines.ok());
    QCOMPARE(lines.value().problems[0].capacity, Bytes{9});
}

void TestInput::plansAndHintsGiveTheirText() {
    const std::string text = "{\"format\":\"memplan-hints\",\"version\":1,\"hints\":[]}";
    const auto opened = openText(text, "h.json");
    QVERIFY(opened.ok());
    QCOMPARE(opened.value().format, io::Format::Hints);
    QCOMPARE(opened.value().bytes, text);
    QVERIFY(!opened.value().graph);
}

void TestInput::refusals_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("code");
    QTest::newRow("text") << QByteArray("hello, world") << "x.txt"
                          << "IN-001";
    QTest::newRow("json") << QByteArray("{\"nodes\":[]}") << "x.json"
                          << "IN-001";
    QTest::newRow("json array") << QByteArray("[1,2]") << "x.json"
                                << "IN-001";
    QTest::newRow("empty graph") << QByteArray() << "x.mpg.json"
                                 << "MPG-001";
    QTest::newRow("empty model") << QByteArray() << "x.onnx"
                                 << "ONNX-001";
    QTest::newRow("empty list") << QByteArray() << "x.csv"
                                << "CSV-001";
    QTest::newRow("empty") << QByteArray() << "x"
                           << "IN-001";
    QTest::newRow("pickle") << QByteArray("\x80\x04\x95", 3) << "x.pickle"
                            << "IN-010";
    QTest::newRow("tflite") << QByteArray("\x1c\0\0\0TFL3....", 12) << "x.tflite"
                            << "IN-011";
    // A build without the library says so, the others miss a function to plan.
    const auto& formats = io::allFormats();
    const auto mlir = std::ranges::find(formats, std::string_view("mlir"), &io::FormatInfo::id);
    const bool isOff = mlir != formats.end() && mlir->own != nullptr && mlir->own->isOff;
    QTest::newRow("mlir") << QByteArray("module {}") << "x.mlir" << QString(isOff ? "IN-012" : "MLIR-001");
    QTest::newRow("pt2") << QByteArray("PK\x03\x04.....models/x.json") << "x.pt2"
                         << "IN-012";
    QTest::newRow("missing format") << QByteArray("{\"tensors\":[],\"ops\":[]}") << "x.json"
                                    << "MPG-101";
}

void TestInput::refusals() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, name);
    QFETCH(QString, code);
    const auto opened = openText(bytes.toStdString(), name.toStdString());
    QCOMPARE(QString::fromStdString(codeOf(opened)), code);
    QVERIFY(!opened.error().primary().hint.empty());
}

void TestInput::brokenGraphsTellTheirPlace() {
    QCOMPARE(codeOf(openText(std::string(5000, '['), "x.json")), std::string("MPG-012"));
    QCOMPARE(codeOf(openText("{\"a\": nul}", "x.json")), std::string("MPG-011"));
    QCOMPARE(codeOf(open(kGraphs + "mpg-003-utf16.json")), std::string("MPG-003"));
    QCOMPARE(codeOf(open(kGraphs + "mpg-013-key.json")), std::string("MPG-013"));
    QCOMPARE(codeOf(open(kGraphs + "mpg-304-cycle.json")), std::string("MPG-304"));
}

void TestInput::extensionDisagrees() {
    const auto opened = openText("id,lower,upper,size\na,0,1,1\n", "model.onnx");
    QVERIFY(opened.ok());
    QCOMPARE(opened.value().format, io::Format::Csv);
    QCOMPARE(opened.value().diagnostics.size(), std::size_t{1});
    QCOMPARE(opened.value().diagnostics[0].code, std::string("IN-002"));
    QVERIFY(openText("id,lower,upper,size\na,0,1,1\n", "list.txt").value().diagnostics.size() <= 1);
    QVERIFY(openText("id,lower,upper,size\na,0,1,1\n", "list").value().diagnostics.empty());
}

void TestInput::foldersAndDevices() {
    QTemporaryDir dir;
    QCOMPARE(codeOf(open(dir.path())), std::string("IN-904"));
    QCOMPARE(codeOf(open(dir.filePath("missing.json"))), std::string("IN-904"));
    QCOMPARE(codeOf(open("/dev/zero")), std::string("IN-904"));
    const QString pipe = dir.filePath("pipe");
    QCOMPARE(::mkfifo(pipe.toStdString().c_str(), 0600), 0);
    QCOMPARE(codeOf(open(pipe)), std::string("IN-904"));  // at once: nobody writes to it
    for (const QString& path : {dir.path(), dir.filePath("missing.json"), QStringLiteral("/dev/zero"), pipe}) {
        const auto opened = open(path);
        QVERIFY(!opened.error().primary().hint.empty());
        QVERIFY(opened.error().primary().message.find(path.toStdString()) != std::string::npos);
    }
    QVERIFY(QDir(dir.path()).mkdir("bundle"));
    QFile f(dir.filePath("bundle/bundle.mlir"));
    QVERIFY(f.open(QIODevice::WriteOnly));
    QCOMPARE(codeOf(open(dir.filePath("bundle"))), std::string("BND-104"));  // nothing in it can be shown
}

void TestInput::limitsAreNamed() {
    io::OpenOptions options;
    options.limits.jsonBytes = 100;
    const auto opened = open(kGraphs + "softmax.json", options);
    QCOMPARE(codeOf(opened), std::string("MPG-002"));
    QVERIFY(opened.error().primary().hint.find("limits.json_bytes") != std::string::npos);
    QCOMPARE(io::readFile((kGraphs + "softmax.json").toStdString(), 10, "CSV-012").error().primary().code,
             std::string("CSV-012"));
}

void TestInput::writesWhole() {
    QTemporaryDir dir;
    const QString path = dir.filePath("a.json");
    QVERIFY(io::writeFileAtomically(path.toStdString(), "one").ok());
    QCOMPARE(contents(path), QByteArray("one"));
    QVERIFY(QFile::setPermissions(path, QFileDevice::ReadOwner | QFileDevice::WriteOwner));
    QVERIFY(io::writeFileAtomically(path.toStdString(), "two").ok());
    QCOMPARE(contents(path), QByteArray("two"));
    QVERIFY(!(QFile::permissions(path) & QFileDevice::ReadOther));  // permissions stay
    QCOMPARE(QDir(dir.path()).entryList(QDir::Files).size(), 1);    // no temporary file is left
    QVERIFY(io::writeFileAtomically("/dev/null", "x").ok());
}

void TestInput::cannotWrite() {
    QTemporaryDir dir;
    const auto missing = io::writeFileAtomically(dir.filePath("no/such/a.json").toStdString(), "x");
    QVERIFY(!missing.ok());
    QCOMPARE(missing.error().primary().code, std::string("EXP-002"));
    QVERIFY(missing.error().primary().message.find("no/such/a.json") != std::string::npos);
    QCOMPARE(io::writeFileAtomically(dir.path().toStdString(), "x").error().primary().code, std::string("EXP-002"));
    if (::geteuid() == 0) return;  // the superuser may write anywhere
    const QString locked = dir.filePath("locked");
    QVERIFY(QDir(dir.path()).mkdir("locked"));
    QVERIFY(QFile::setPermissions(locked, QFileDevice::ReadOwner | QFileDevice::ExeOwner));
    QVERIFY(!io::writeFileAtomically((locked + "/a.json").toStdString(), "x").ok());
    QVERIFY(QFile::setPermissions(locked, QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner));
}

void TestInput::linksStayLinks() {
    QTemporaryDir dir;
    QVERIFY(io::writeFileAtomically(dir.filePath("real.json").toStdString(), "one").ok());
    QVERIFY(QFile::link("real.json", dir.filePath("link.json")));
    QVERIFY(io::writeFileAtomically(dir.filePath("link.json").toStdString(), "two").ok());
    QVERIFY(QFileInfo(dir.filePath("link.json")).isSymLink());
    QCOMPARE(contents(dir.filePath("real.json")), QByteArray("two"));
}

/// A sparse file of zeros, nearly 2 GB: its head is enough to say what it is not.
void TestInput::contentOfNoFormat_isNotReadToItsEnd() {
    QTemporaryDir dir;
    for (const char* name : {"zeros.json", "zeros.onnx", "zeros"}) {
        QFile f(dir.filePath(name));
        QVERIFY(f.open(QIODevice::WriteOnly));
        QVERIFY(f.resize(qint64{1900} << 20));
        f.close();
        const double before = test::processorSeconds();
        QCOMPARE(codeOf(open(f.fileName())), std::string("IN-001"));
        QVERIFY(test::processorSeconds() - before < test::kHostileSeconds);
        QVERIFY(f.remove());
    }
    QVERIFY(test::peakMegabytes() < test::kHostileMegabytes);
}

/// What this program wrote it reads: limits.json_bytes bounds graphs, not plans, which are many times larger.
void TestInput::plansHaveALimitOfTheirOwn() {
    QTemporaryDir dir;
    io::OpenOptions options;
    options.limits.jsonBytes = 1000;
    const auto write = [&](const QString& name, const QByteArray& head) {
        QFile f(dir.filePath(name));
        if (f.open(QIODevice::WriteOnly)) f.write(head + QByteArray(2000, ' ') + "}");
        return f.fileName();
    };
    const auto plan = open(write("p.json", "{\"format\": \"memplan-plan\", \"version\": 1"), options);
    QVERIFY(plan.ok());
    QCOMPARE(plan.value().format, io::Format::Plan);
    QCOMPARE(codeOf(open(write("g.json", "{\"format\": \"memplan-graph\", \"version\": 1"), options)),
             std::string("MPG-002"));
    QFile huge(dir.filePath("huge.json"));
    QVERIFY(huge.open(QIODevice::WriteOnly));
    huge.write("{\"format\": \"memplan-plan\", \"version\": 1");
    QVERIFY(huge.resize((qint64{1} << 30) + 1));
    huge.close();
    QCOMPARE(codeOf(open(huge.fileName())), std::string("MPG-002"));
}

void TestInput::samplesOpen() {
    const auto samples = io::listSamples(MEMPLAN_SOURCE_DIR "/samples");
    QStringList ids;
    for (const io::SampleInfo& s : samples)
        ids << QString::fromStdString(s.id);
    for (const char* id : {"S1", "S2", "S3", "S4", "S5", "S6", "S7", "N1", "N2", "T1", "T2", "T3", "T4"})
        QVERIFY2(ids.contains(id), id);
    QVERIFY(ids.indexOf("S4") < ids.indexOf("N1"));
    for (const io::SampleInfo& s : samples) {
        QVERIFY(!s.title.empty() && !s.sentence.empty() && !s.question.empty() && !s.sizeText.empty() &&
                !s.readme.empty());
        io::OpenOptions options;
        options.bindings.raw = s.bindings;
        const auto opened = io::openInput(s.path, options, RunControl{});
        if (!opened)
            qWarning("%s: %s %s", s.id.c_str(), opened.error().primary().code.c_str(),
                     opened.error().primary().message.c_str());
        // A build without the library of MLIR cannot open samples of it.
        if (!opened && codeOf(opened) == "IN-012") continue;
        QVERIFY(opened.ok());
        QVERIFY(opened.value().graph || opened.value().program);
        std::vector<io::SettingPairs> plans = {{}};
        for (const io::SampleVariant& v : s.variants)
            plans.push_back(v.settings);
        for (io::SettingPairs pairs : plans) {
            pairs.insert(pairs.begin(), s.settings.begin(), s.settings.end());
            QVERIFY(Settings::fromPairs(pairs).ok());
        }
    }
    // A variant brings hints: with them the plateau of S7 is gone.
    const io::SampleInfo* s7 = io::findSample(samples, "S7");
    QCOMPARE(s7->variants.size(), std::size_t{2});
    const auto opened = io::openInput(s7->path, {}, RunControl{});
    QVERIFY(opened.ok());
    const auto graph = graphOf(*opened.value().program, opened.value().input.name);
    std::vector<Step> fullLayers;
    for (const io::SampleVariant& variant : s7->variants) {
        auto settings = Settings::fromPairs(s7->settings);
        auto hints = io::hintsOf(variant, *graph);
        QVERIFY(settings.ok() && hints.ok());
        const CompileRequest request = requestFor(graph, opened.value().program, opened.value().input,
                                                  std::move(settings).value(), std::move(hints).value());
        const CompileOutcome outcome = compile(request, RunControl{});
        QVERIFY(outcome.plan != nullptr);
        const PlanMemory& memory = outcome.plan->memory;
        fullLayers.push_back(static_cast<Step>(std::ranges::count_if(
            memory.occupancy, [&](const OccupancyPoint& p) { return p.bytes * 10 >= memory.capacity * 9; })));
    }
    QCOMPARE(fullLayers, (std::vector<Step>{17, 0}));
    const io::SampleInfo* s1 = io::findSample(samples, "S1");
    QCOMPARE(s1->variants.size(), std::size_t{4});
    QCOMPARE(io::findSample(samples, "S99"), nullptr);
}

MEMPLAN_TEST(TestInput)
#include "tst_input.moc"
