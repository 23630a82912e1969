// SPDX-License-Identifier: Apache-2.0
// resources/export_torchwright_graph.py, which users of torchwright run: what it writes of a graph is that graph, and
// what is wrong has one message.
#include "engine/io/files/files.h"
#include "engine/torchwright/graph/graph_json.h"
#include "tests/support/program.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace memplan;
using namespace memplan::torchwright;

namespace {

const QString kData = QStringLiteral(MEMPLAN_SOURCE_DIR "/tests/data/torchwright/");

struct Run {
    int status = -1;
    QString errors;
};

/// The exporter beside the module that stands in for a user's program.
Run exportGraph(const QString& graph, QStringList arguments) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("MEMPLAN_GRAPH"), graph);
    environment.insert(QStringLiteral("PYTHONDONTWRITEBYTECODE"), QStringLiteral("1"));
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(kData);
    arguments.prepend(QStringLiteral(MEMPLAN_SOURCE_DIR "/resources/export_torchwright_graph.py"));
    process.start(QStringLiteral("python3"), arguments);
    if (!process.waitForFinished(60'000)) return {};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardError())};
}

Result<ReadGraph> readFile(const QString& path) {
    const auto bytes = io::readFile(path.toStdString(), 1 << 24, "TW-002");
    if (!bytes) return bytes.error();
    return readGraph(bytes.value(), {}, {});
}

class TestGraphExporter : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void graphComesBack_data();
    void graphComesBack();
    void weightsAreLeftOut();
    void whatIsWrongHasOneMessage_data();
    void whatIsWrongHasOneMessage();
    void folderIsMissing();

private:
    QTemporaryDir folder_;
};

void TestGraphExporter::initTestCase() {
    if (QStandardPaths::findExecutable(QStringLiteral("python3")).isEmpty())
        QSKIP("python3 is not installed: the exporter cannot run");
}

void TestGraphExporter::graphComesBack_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("weights");
    QTest::newRow("embedding, attention, literals") << QStringLiteral("adder") << QStringLiteral("auto");
    QTest::newRow("dense") << QStringLiteral("caesar_cipher") << QStringLiteral("dense");
    QTest::newRow("sparse, adds") << QStringLiteral("balanced_parens") << QStringLiteral("coo");
    QTest::newRow("a position encoding that nothing reads")
        << QStringLiteral("unit_add_wide") << QStringLiteral("auto");
}

void TestGraphExporter::graphComesBack() {
    QFETCH(QString, name);
    QFETCH(QString, weights);
    const QString given = kData + name + QStringLiteral(".graph.json");
    const QString written = folder_.filePath(name + QStringLiteral(".json"));
    const Run run = exportGraph(
        given, {QStringLiteral("graph_of_file"), QStringLiteral("-o"), written, QStringLiteral("--weights"), weights});
    QVERIFY2(run.status == 0, qPrintable(run.errors));
    auto before = readFile(given);
    auto after = readFile(written);
    QVERIFY(before.ok() && after.ok());
    QVERIFY(after.value().warnings.empty());
    QCOMPARE(after.value().graph.name, std::string("graph_of_file"));
    after.value().graph.name = before.value().graph.name;
    QVERIFY(writeGraph(after.value().graph) == writeGraph(before.value().graph));
}

void TestGraphExporter::weightsAreLeftOut() {
    const QString given = kData + QStringLiteral("adder.graph.json");
    const QString written = folder_.filePath(QStringLiteral("bare.json"));
    const Run run = exportGraph(given, {QStringLiteral("graph_of_file:create_network_parts"), QStringLiteral("-o"),
                                        written, QStringLiteral("--weights"), QStringLiteral("none")});
    QVERIFY2(run.status == 0, qPrintable(run.errors));
    const auto bare = readFile(written);
    QVERIFY(bare.ok());
    QVERIFY(!bare.value().graph.hasTensors);
    QCOMPARE(bare.value().graph.size(), readFile(given).value().graph.size());
}

void TestGraphExporter::whatIsWrongHasOneMessage_data() {
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("message");
    QTest::newRow("module") << QStringLiteral("no_such_module")
                            << QStringLiteral(
                                   "cannot import \"no_such_module\": there is no module \"no_such_module\"");
    QTest::newRow("function") << QStringLiteral("graph_of_file:missing")
                              << QStringLiteral("\"graph_of_file\" has no function missing");
    QTest::newRow("weights") << QStringLiteral("graph_of_file:broken")
                             << QStringLiteral("a weight or value is not a finite number");
    QTest::newRow("arguments") << QStringLiteral("graph_of_file:of_width")
                               << QStringLiteral("\"graph_of_file:of_width\" needs arguments (width, seed): name a "
                                                 "function that gives them");
    QTest::newRow("raises") << QStringLiteral("graph_of_file:raises")
                            << QStringLiteral("\"graph_of_file:raises\" raised ValueError: two lines of text "
                                              "(graph_of_file.py, line 90)");
    QTest::newRow("module raises") << QStringLiteral("raises_when_imported")
                                   << QStringLiteral("cannot import \"raises_when_imported\": ZeroDivisionError: "
                                                     "division by zero (raises_when_imported.py, line 5)");
    QTest::newRow("no callable") << QStringLiteral("graph_of_file:LIMIT")
                                 << QStringLiteral("\"graph_of_file:LIMIT\" is no function but a value of type int");
    QTest::newRow("empty tuple") << QStringLiteral("graph_of_file:nothing")
                                 << QStringLiteral("a tuple is no node of a graph: it has no node_id");
    QTest::newRow("no node") << QStringLiteral("json:loads.__class__")
                             << QStringLiteral("\"json\" has no function loads.__class__");
}

void TestGraphExporter::whatIsWrongHasOneMessage() {
    QFETCH(QString, target);
    QFETCH(QString, message);
    const QString written = folder_.filePath(QStringLiteral("wrong.json"));
    const Run run = exportGraph(kData + QStringLiteral("adder.graph.json"), {target, QStringLiteral("-o"), written});
    QCOMPARE(run.status, 1);
    QCOMPARE(run.errors, QStringLiteral("export_torchwright_graph: error: ") + message + QLatin1Char('\n'));
    QVERIFY(!QFile::exists(written));
}

void TestGraphExporter::folderIsMissing() {
    const QString written = folder_.filePath(QStringLiteral("missing/graph.json"));
    const Run run = exportGraph(kData + QStringLiteral("adder.graph.json"),
                                {QStringLiteral("graph_of_file"), QStringLiteral("-o"), written});
    QCOMPARE(run.status, 1);
    QVERIFY(run.errors.contains(QStringLiteral("cannot write \"") + written));
}

}  // namespace

MEMPLAN_TEST(TestGraphExporter)
#include "tst_graph_exporter.moc"
