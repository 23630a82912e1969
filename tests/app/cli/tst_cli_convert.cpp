// SPDX-License-Identifier: Apache-2.0
// `memplan convert` of a finished plan: bundle, trace, Model Explorer, dot (inputs-and-interchange 5).
#include "tests/app/cli/cli_support.h"
#include "tests/support/program.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QHash>
#include <QJsonArray>
#include <QJsonObject>
#include <QJsonValue>
#include <QTest>

using namespace cli_test;

namespace {

/// Writes the softmax graph and its plan.
QString planOf(const Folder& folder) {
    const QString graph = folder.write("g.mpg.json", softmaxGraph());
    const QString plan = folder.path("p.json");
    const Finished f = runMemplan({"compile", graph, "--out", plan});
    return f.status == 0 ? plan : QString();
}

/// Operations of the plan and tensors that they read.
std::pair<int, int> sizesOf(const Folder& folder) {
    const QJsonArray ops = parsed(folder.read("p.json"))["ops"].toArray();
    int reads = 0;
    for (const QJsonValue& op : ops)
        reads += static_cast<int>(op.toObject()["inputs"].toArray().size());
    return {static_cast<int>(ops.size()), reads};
}

}  // namespace

class TestCliConvert : public QObject {
    Q_OBJECT

private slots:
    void sample_isConvertedById() {
        const Folder folder;
        QCOMPARE(runMemplan({"convert", "S1", folder.path("s.mpg.json")}).status, 0);
        QVERIFY(folder.read("s.mpg.json").contains("memplan-graph"));
        // And it is what a plan of it is compared with.
        QCOMPARE(runMemplan({"compile", "S1", "--out", folder.path("p.json")}).status, 0);
        const Finished beside = runMemplan({"verify", folder.path("p.json"), "--graph", "S1"});
        QVERIFY2(beside.status == 0 && beside.out.contains("proved"), (beside.out + beside.err).constData());
        // The commands that read a plan say what the name is.
        const Finished verified = runMemplan({"verify", "S1"});
        QVERIFY2(verified.status == 3 && verified.err.contains("memplan compile S1 --out"), verified.err.constData());
        const Finished unknown = runMemplan({"compile", "S99"});
        QVERIFY2(unknown.err.contains("the samples are S1, "), unknown.err.constData());
    }

    /// What a command cannot do anything with is no fix.
    void unreadableInput_namesWhatTheCommandReads_data() {
        QTest::addColumn<QStringList>("args");
        QTest::addColumn<QString>("reads");
        QTest::newRow("compile") << QStringList{"compile", "FILE"} << "Neutral graph (.mpg.json), ONNX model (.onnx), ";
        QTest::newRow("verify") << QStringList{"verify", "FILE"}
                                << "Plan file (.json), Bundle of a plan (folder); `memplan ";
        QTest::newRow("explain") << QStringList{"explain", "FILE", "x"} << "Plan file (.json), ";
        QTest::newRow("compare") << QStringList{"compare", "FILE", "FILE"} << "Plan file (.json), ";
        QTest::newRow("solve") << QStringList{"solve", "FILE"} << "Buffer list (.csv), Allocation instances (.jsonl))";
        QTest::newRow("side") << QStringList{"compile", "S1", "--side", "FILE", "--out", "-"}
                              << "Spyre provenance sidecar (.json), ";
    }
    void unreadableInput_namesWhatTheCommandReads() {
        QFETCH(QStringList, args);
        QFETCH(QString, reads);
        const Folder folder;
        args.replaceInStrings("FILE", folder.write("n.bin", "hello"));
        const Finished f = runMemplan(args);
        QVERIFY2(f.status == 3 && f.err.contains(("(what is read here: " + reads).toUtf8()), f.err.constData());
        QVERIFY2(f.err.contains("Buffer list") == (args.front() == "solve"), f.err.constData());
        // A sample is an answer for `compile` alone.
        args.replaceInStrings(folder.path("n.bin"), "S99");
        const Finished missing = runMemplan(args);
        const bool takesSamples = args == QStringList{"compile", "S99"};
        QVERIFY2(missing.status == 3 && missing.err.contains("the samples are") == takesSamples,
                 missing.err.constData());
    }

    /// What is written is read again, and plans alike.
    void formatsOfMachines_data() {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<QString>("file");
        QTest::newRow("module") << "S6"
                                << "m.mlir";
        QTest::newRow("nodes") << "S7"
                               << "n.graph.json";
    }
    void formatsOfMachines() {
        QFETCH(QString, sample);
        QFETCH(QString, file);
        const Folder folder;
        const Finished written = runMemplan({"convert", sample, folder.path(file)});
        if (written.err.contains("IN-012")) QSKIP("the MLIR library is not here");
        QVERIFY2(written.status == 0, written.err.constData());
        const QJsonObject first = parsed(runMemplan({"compile", sample}).out);
        QStringList again{"compile", folder.path(file)};
        const QJsonObject settings = first["settings"].toObject();
        for (const char* key : {"torchwright.d", "torchwright.d_head", "torchwright.d_hidden"})
            again << "--set" << QLatin1String(key) + '=' + QString::number(settings[QLatin1String(key)].toInt());
        const QJsonObject second = parsed(runMemplan(again).out);
        QVERIFY(first["ops"].toArray().size() > 10);
        QCOMPARE(second["ops"].toArray().size(), first["ops"].toArray().size());
        QCOMPARE(second["metrics"], first["metrics"]);
    }

    void formatsOfMachines_refuseWhatHasNoForm() {
        const Folder folder;
        const Finished f = runMemplan({"convert", "S1", folder.path("x"), "--to", "torchwright-graph"});
        QVERIFY2(f.status == 3 && f.err.contains("TW-001"), f.err.constData());
        const Finished plan = runMemplan({"convert", planOf(folder), folder.path("x"), "--to", "overrides"});
        QVERIFY2(plan.status == 3 && plan.err.contains("IN-013"), plan.err.constData());
    }

    void bundle_holdsAllPartsUnderTheirHashes() {
        const Folder folder;
        const QString plan = planOf(folder);
        const QString out = folder.path("out");
        const Finished f = runMemplan({"convert", plan, out, "--to", "bundle"});
        QVERIFY2(f.status == 0, f.err.constData());
        const QJsonObject manifest = parsed(fileText(out + "/manifest.json"));
        QCOMPARE(manifest["format"].toString(), QStringLiteral("memplan-bundle"));
        QCOMPARE(manifest["target"].toString(), QStringLiteral("spyre"));
        QStringList paths;
        for (const QJsonValue& entry : manifest["files"].toArray()) {
            const QString path = entry.toObject()["path"].toString();
            const QByteArray bytes = fileText(out + '/' + path);
            QCOMPARE(static_cast<int>(bytes.size()), entry.toObject()["bytes"].toInt());
            QCOMPARE(QString::fromLatin1(QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex()),
                     entry.toObject()["sha256"].toString());
            paths << path;
        }
        for (const char* part : {"graph.mpg.json", "plan.json", "hints.json", "report.txt", "spyre/output_code.py"})
            QVERIFY2(paths.contains(QLatin1String(part)), part);
        QCOMPARE(fileText(out + "/plan.json"), folder.read("p.json"));
        // The bundle is a plan again, and its hint file one that compile takes.
        QCOMPARE(runMemplan({"verify", out}).status, 0);
        QCOMPARE(runMemplan({"verify", out + "/manifest.json"}).status, 0);
        QCOMPARE(runMemplan({"compile", out + "/graph.mpg.json", "--hints", out + "/hints.json"}).status, 0);
    }

    void bundle_ofEqualPlansIsEqual_andKeepsWhatIsThere() {
        const Folder folder;
        const QString plan = planOf(folder);
        const QStringList args{"convert", plan, folder.path("a"), "--to", "bundle"};
        QCOMPARE(runMemplan(args).status, 0);
        QCOMPARE(runMemplan({"convert", plan, folder.path("b"), "--to", "bundle"}).status, 0);
        QCOMPARE(fileText(folder.path("a/manifest.json")), fileText(folder.path("b/manifest.json")));
        const Finished refused = runMemplan(args);
        QCOMPARE(refused.status, 4);
        QVERIFY2(refused.err.contains("not empty"), refused.err.constData());
        QCOMPARE(runMemplan(args + QStringList{"--force"}).status, 0);
        QCOMPARE(folder.entries(), (QStringList{"a", "b", "g.mpg.json", "p.json"}));  // nothing half-made is left
    }

    /// What verify refuses is not written in another form: its first finding, exit status 1, no file.
    void damagedPlan_isRefused_data() {
        QTest::addColumn<QString>("format");
        for (const char* format : {"bundle", "trace", "model-explorer", "dot", "csv", "jsonl", "hints"})
            QTest::newRow(format) << QString::fromLatin1(format);
    }

    void damagedPlan_isRefused() {
        QFETCH(QString, format);
        const Folder folder;
        const QString plan = planOf(folder);
        QByteArray text = folder.read("p.json");
        text.replace("\"pinned_bytes\": ", "\"pinned_bytes\": 1");
        const QString damaged = folder.write("d.json", text);
        QCOMPARE(runMemplan({"convert", plan, folder.path("sound"), "--to", format}).status, 0);
        const Finished f = runMemplan({"convert", damaged, folder.path("out"), "--to", format});
        QCOMPARE(f.status, 1);
        QVERIFY2(f.err.contains("VER-013") && f.err.contains("pinned_bytes"), f.err.constData());
        QVERIFY(!folder.has("out"));
    }

    /// The buffers of a plan as a list say all that a solver needs to place them again.
    void bufferList_ofAPlan_isSolvedAtItsCapacity_data() {
        QTest::addColumn<QString>("choice");
        QTest::newRow("in place") << "spyre.cores=1";
        QTest::newRow("everything") << "preset=best";
    }
    void bufferList_ofAPlan_isSolvedAtItsCapacity() {
        QFETCH(QString, choice);
        const Folder folder;
        const QString graph = folder.write("g.mpg.json", softmaxGraph()), plan = folder.path("p.json");
        const QString list = folder.path("b.csv");
        // Five buffers of one megabyte in a memory of 1.6: only slots that are handed over make room.
        QCOMPARE(runMemplan({"compile", graph, "--set", choice, "--out", plan}).status, 0);
        QCOMPARE(runMemplan({"convert", plan, list}).status, 0);
        const int capacity = parsed(folder.read("p.json"))["memory"].toObject()["capacity"].toInt();
        QVERIFY(capacity > 0 && folder.read("b.csv").contains("gaps"));
        for (const char* solver : {"greedy", "firstfit", "bestfit", "annealing", "exact"}) {
            const Finished f = runMemplan(
                {"solve", list, "--solver", solver, "--capacity", QString::number(capacity), "--objective", "fit"});
            QVERIFY2(f.status == 0, f.err.constData());
            // The list comes back as it was, lives and gaps unchanged.
            const auto withoutOffsets = [](const QByteArray& text) {
                QByteArray out;
                for (const QByteArray& line : text.split('\n'))
                    out += line.left(line.lastIndexOf(',')) + '\n';
                return out;
            };
            QCOMPARE(withoutOffsets(f.out), withoutOffsets(folder.read("b.csv")));
        }
    }

    void bundle_refusals_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("says");
        QTest::newRow("standard output") << "stdout" << 2 << "folder";
        QTest::newRow("changed input") << "changed" << 1 << "stale";
        QTest::newRow("input is gone") << "gone" << 3 << "is not there";
        QTest::newRow("no plan") << "graph" << 3 << "no plan";
        QTest::newRow("stopped early") << "early" << 4 << "no kernels";
        QTest::newRow("another machine")
            << "other" << 4
            << "plan files of torchwright do not hold what those are made of (compile the source with --export";
    }

    void bundle_refusals() {
        QFETCH(QString, what);
        QFETCH(int, status);
        QFETCH(QString, says);
        const Folder folder;
        QString input = planOf(folder);
        if (what == "changed") folder.write("g.mpg.json", softmaxGraph(256, 1024));
        if (what == "gone") QVERIFY(QFile::remove(folder.path("g.mpg.json")));
        if (what == "graph") input = folder.path("g.mpg.json");
        if (what == "other") QCOMPARE(runMemplan({"compile", "S7", "--out", input}).status, 0);
        if (what == "early")
            QCOMPARE(
                runMemplan({"compile", folder.path("g.mpg.json"), "--out", input, "--stop-after", "work_distribution"})
                    .status,
                0);
        const QString out = what == "stdout" ? QStringLiteral("-") : folder.path("out");
        const Finished f = runMemplan({"convert", input, out, "--to", "bundle"});
        QVERIFY2(f.status == status, f.err.constData());
        QVERIFY2(f.err.contains(says.toUtf8()), f.err.constData());
        QCOMPARE(f.errLines().size(), 1);
        QVERIFY(!folder.has("out"));
    }

    void damagedBundle_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("a file is missing") << "report.txt" << QByteArray() << "report.txt";
        QTest::newRow("a file was changed") << "hints.json" << QByteArray("{}") << "hash";
        QTest::newRow("no manifest") << "manifest.json" << QByteArray("{\"format\": \"memplan-bundle\"}")
                                     << "version 1";
        QTest::newRow("path that leaves") << "manifest.json"
                                          << QByteArray("{\"format\": \"memplan-bundle\", \"version\": 1, \"files\": "
                                                        "[{\"path\": \"../g.mpg.json\", \"sha256\": \"0\"}]}")
                                          << "leaves the folder";
    }

    void damagedBundle() {
        QFETCH(QString, file);
        QFETCH(QByteArray, text);
        QFETCH(QString, says);
        const Folder folder;
        QCOMPARE(runMemplan({"convert", planOf(folder), folder.path("out"), "--to", "bundle"}).status, 0);
        QVERIFY(QFile::remove(folder.path("out/" + file)));
        if (!text.isEmpty()) folder.write("out/" + file, text);
        const Finished f = runMemplan({"verify", folder.path("out")});
        QVERIFY2(f.status == 3, f.err.constData());
        QCOMPARE(f.errLines().size(), 1);
        QVERIFY2(f.err.contains(says.toUtf8()), f.err.constData());
    }

    /// Async pairs match, events are sorted, loops enclose, the counter stays below the capacity (5.3, 8.5).
    /// A hint file holds hints, and there is nothing to convert; the list says what they come from.
    void hints_ofAHintFile() {
        const Folder folder;
        const QString graph = folder.write("g.mpg.json", softmaxGraph()), hints = folder.path("h.json");
        QCOMPARE(runMemplan({"convert", graph, hints, "--to", "hints"}).status, 0);
        QCOMPARE(runMemplan({"convert", graph, folder.path("n.hints.json")}).status, 0);
        QCOMPARE(folder.read("n.hints.json"), folder.read("h.json"));
        const Finished again = runMemplan({"convert", hints, folder.path("i.json"), "--to", "hints"});
        QCOMPARE(again.status, 3);
        QVERIFY2(again.err.contains("is a hint file already") && !again.err.contains("no hints"),
                 again.err.constData());
        const QByteArray formats = runMemplan({"list", "formats"}).out;
        const qsizetype at = formats.indexOf("\nhints ") + 1;
        QVERIFY2(at > 0, formats.constData());
        const QByteArray line = formats.mid(at, formats.indexOf('\n', at) - at);
        QVERIFY2(line.contains("graph or plan"), line.constData());
    }

    /// A list names no capacity, and the instance made of it names none either.
    void bufferList_asJsonLines_hasNoCapacity() {
        const Folder folder;
        const QString list = folder.write("a.csv", "id,lower,upper,size\na,0,2,128\nb,1,3,256\n");
        const QString lines = folder.path("a.jsonl");
        QCOMPARE(runMemplan({"convert", list, lines}).status, 0);
        const QByteArray text = folder.read("a.jsonl");
        QVERIFY2(text.contains("buffers") && !text.contains("capacity"), text.constData());
        const Finished open = runMemplan({"solve", lines, "--solver", "greedy"});
        QCOMPARE(open.status, 2);
        QVERIFY2(open.err.contains("--capacity"), open.err.constData());
        const Finished solved = runMemplan({"solve", lines, "--solver", "greedy", "--capacity", "1024"});
        QVERIFY2(solved.status == 0, solved.err.constData());
    }

    void trace_isWellFormed() {
        const Folder folder;
        const Finished f = runMemplan({"convert", planOf(folder), folder.path("p.trace.json")});
        QVERIFY2(f.status == 0, f.err.constData());
        const QJsonObject trace = parsed(folder.read("p.trace.json"));
        QCOMPARE(trace["displayTimeUnit"].toString(), QStringLiteral("ns"));
        QHash<QString, int> open;
        int ops = 0;
        double last = 0;
        for (const QJsonValue& value : trace["traceEvents"].toArray()) {
            const QJsonObject e = value.toObject();
            const QString phase = e["ph"].toString();
            if (phase == "M") continue;
            QVERIFY(e["ts"].toDouble() >= last);
            last = e["ts"].toDouble();
            if (phase == "X" && e["tid"].toInt() == 1) ++ops;
            if (phase == "b") ++open[e["id"].toString()];
            if (phase == "e") --open[e["id"].toString()];
            if (phase == "C")
                QVERIFY(e["args"].toObject()["used"].toDouble() <= e["args"].toObject()["capacity"].toDouble());
        }
        QCOMPARE(ops, sizesOf(folder).first);
        QVERIFY(!open.isEmpty());
        for (const int left : open)
            QCOMPARE(left, 0);
        QCOMPARE(runMemplan({"convert", folder.path("p.json"), "-", "--to", "trace"}).out, folder.read("p.trace.json"));
    }

    void modelExplorer_edgesNameNodes() {
        const Folder folder;
        const Finished f = runMemplan({"convert", planOf(folder), "-", "--to", "model-explorer"});
        QVERIFY2(f.status == 0, f.err.constData());
        const QJsonObject graph = parsed(f.out)["graphs"].toArray()[0].toObject();
        QStringList nodes;
        int edges = 0;
        for (const QJsonValue& node : graph["nodes"].toArray()) {
            nodes << node.toObject()["id"].toString();
            for (const QJsonValue& edge : node.toObject()["incomingEdges"].toArray()) {
                ++edges;
                QVERIFY(nodes.contains(edge.toObject()["sourceNodeId"].toString()));
            }
        }
        QCOMPARE(static_cast<int>(nodes.size()), sizesOf(folder).first + 1);  // and the input
        QCOMPARE(edges, sizesOf(folder).second);
    }

    void dot_escapesAndColours() {
        const Folder folder;
        QByteArray graph = softmaxGraph();
        graph.replace("\"name\":\"softmax\"", "\"name\":\"a \\\"b\\\" \\\\ c\"");
        folder.write("g.mpg.json", graph);
        QCOMPARE(runMemplan({"compile", folder.path("g.mpg.json"), "--out", folder.path("p.json")}).status, 0);
        const Finished f = runMemplan({"convert", folder.path("p.json"), folder.path("p.dot")});
        QVERIFY2(f.status == 0, f.err.constData());
        const QByteArray text = folder.read("p.dot");
        QVERIFY(text.startsWith("digraph \""));
        QVERIFY(text.endsWith("}\n"));
        QCOMPARE(text.count("fillcolor=\"#d9f2e3\"") + text.count("fillcolor=\"#f3e3d3\""), sizesOf(folder).first);
        QCOMPARE(text.count(" -> "), sizesOf(folder).second);
        QCOMPARE(text.count('{'), text.count('}'));
    }

    void planFormats_needAPlan() {
        const Folder folder;
        const QString graph = folder.write("g.mpg.json", softmaxGraph());
        for (const char* format : {"trace", "model-explorer", "dot", "bundle"}) {
            const Finished f = runMemplan({"convert", graph, folder.path("out"), "--to", format});
            QVERIFY2(f.status == 3, f.err.constData());
            QVERIFY2(f.err.contains("compile it first"), f.err.constData());
            QVERIFY(!folder.has("out"));
        }
    }
};

MEMPLAN_TEST(TestCliConvert)
#include "tst_cli_convert.moc"
