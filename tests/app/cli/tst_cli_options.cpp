// SPDX-License-Identifier: Apache-2.0
// Options at their edges: empty values, a compile that is stopped early, hints that are given twice.
#include "tests/app/cli/cli_support.h"
#include "tests/support/program.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QTest>

using cli_test::Finished;
using cli_test::Folder;
using cli_test::parsed;
using cli_test::runMemplan;
using cli_test::softmaxGraph;

namespace {

QByteArray machineFile(const QByteArray& values) {
    return R"({"format": "memplan-machine", "version": 1, "target": "spyre", "values": {)" + values + "}}";
}

/// Compiles softmax up to `pass` into p.json; what is in it, or nothing after saying why `memplan` refused to make or
/// to verify it.
QJsonObject stoppedPlan(const Folder& folder, const QString& pass, const QStringList& options = {}) {
    const QString plan = folder.path("p.json");
    const QStringList compile{"compile", folder.write("g.json", softmaxGraph()), "--stop-after", pass, "--out", plan};
    for (const QStringList& args : {compile + options, QStringList{"verify", plan}}) {
        const Finished run = runMemplan(args);
        if (run.status == 0) continue;
        qWarning("%s", run.err.constData());
        return {};
    }
    return parsed(folder.read("p.json"));
}

}  // namespace

class TestCliOptions : public QObject {
    Q_OBJECT

private slots:
    /// An empty word is mostly a shell variable that is not set.
    void emptyValue_isRefused_data() {
        QTest::addColumn<QStringList>("args");
        QTest::addColumn<QByteArray>("where");
        const auto row = [](const char* name, const QStringList& args, const char* where) {
            QTest::newRow(name) << args << QByteArray(where);
        };
        row("out", {"compile", "GRAPH", "--out", ""}, "compile --out");
        row("export", {"compile", "GRAPH", "--export", ""}, "compile --export");
        row("hints", {"compile", "GRAPH", "--hints", ""}, "compile --hints");
        row("machine", {"compile", "GRAPH", "--machine", ""}, "compile --machine");
        row("stop after", {"compile", "GRAPH", "--stop-after", ""}, "compile --stop-after");
        row("target", {"compile", "GRAPH", "--target", ""}, "compile --target");
        row("side", {"compile", "GRAPH", "--side", ""}, "compile --side");
        row("bind", {"compile", "GRAPH", "--bind", ""}, "compile --bind");
        row("input", {"compile", ""}, "compile INPUT");
        row("plan", {"verify", ""}, "verify PLAN.json");
        row("output", {"convert", "GRAPH", ""}, "convert OUTPUT");
        row("table", {"sweep", "GRAPH", "--vary", "spyre.cores=1", "--out", ""}, "sweep --out");
        row("offsets", {"solve", "GRAPH", "--solver", "greedy", "--out", ""}, "solve --out");
        row("capacity", {"solve", "GRAPH", "--solver", "greedy", "--capacity", ""}, "solve --capacity");
        row("comparison", {"compare", "GRAPH", "GRAPH", "--out", ""}, "compare --out");
    }
    void emptyValue_isRefused() {
        QFETCH(QStringList, args);
        QFETCH(QByteArray, where);
        const Folder folder;
        args.replaceInStrings("GRAPH", folder.write("g.json", softmaxGraph()));
        const Finished f = runMemplan(args);
        QCOMPARE(f.status, 2);
        QVERIFY(f.out.isEmpty());
        QCOMPARE(f.errLines().size(), 1);
        const QByteArray begin = "memplan: error: command line:" + where + ": CLI-001 its value is empty (";
        QVERIFY2(f.err.startsWith(begin), f.err.constData());
    }

    void wrongNumberOfValues_isTold_data() {
        QTest::addColumn<QStringList>("args");
        QTest::addColumn<QByteArray>("begins");
        QTest::newRow("none") << QStringList{"compile", "g", "--out"}
                              << QByteArray("compile --out: CLI-001 its value is missing (");
        QTest::newRow("list") << QStringList{"compile", "g", "--set"}
                              << QByteArray("compile --set: CLI-001 its value is missing (");
        QTest::newRow("two") << QStringList{"compile", "g", "--hints", "a", "--hints", "b"}
                             << QByteArray("compile --hints: CLI-001 it is given more than once (");
        QTest::newRow("flag") << QStringList{"explain", "p", "--stats=maybe"}
                              << QByteArray("explain --stats: CLI-001 it takes no value (");
        QTest::newRow("input") << QStringList{"compile"} << QByteArray("compile: CLI-001 INPUT is required (");
    }
    void wrongNumberOfValues_isTold() {
        QFETCH(QStringList, args);
        QFETCH(QByteArray, begins);
        const Finished f = runMemplan(args);
        QCOMPARE(f.status, 2);
        QCOMPARE(f.errLines().size(), 1);
        QVERIFY2(f.err.startsWith("memplan: error: command line:" + begins), f.err.constData());
    }

    /// Commands of the contract that are missing are no typing errors.
    void missingCommands_nameWhatComesNearest() {
        const Finished tune = runMemplan({"tune", "g.json"});
        QCOMPARE(tune.status, 2);
        QVERIFY2(tune.err.contains("does not offer") && tune.err.contains("memplan sweep"), tune.err.constData());
        const Finished report = runMemplan({"report", "p.json", "--out", "d"});
        QCOMPARE(report.status, 2);
        QVERIFY2(report.err.contains("does not offer") && report.err.contains("--stats"), report.err.constData());
        QVERIFY(runMemplan({"repotr"}).err.contains("unknown command"));
        QVERIFY(runMemplan({"complie"}).err.contains("did you mean \"compile\"? See `memplan --help`"));
        const Finished far = runMemplan({"zebra"});
        QVERIFY2(!far.err.contains("did you mean") && far.err.contains("(see `memplan --help`)"), describe(far));
    }

    void stoppedPlan_hasNoReasonsYet_data() {
        QTest::addColumn<QString>("pass");
        QTest::newRow("first") << "deadcode_elimination";
        QTest::newRow("divided") << "work_distribution";
        QTest::newRow("inputs cloned") << "scratchpad_planning.clone_inputs";
    }
    void stoppedPlan_hasNoReasonsYet() {
        QFETCH(QString, pass);
        const Folder folder;
        const QJsonObject json = stoppedPlan(folder, pass);
        QVERIFY(!json.isEmpty() && !json.contains("memory") && !json.contains("metrics"));
        const QJsonArray buffers = json["buffers"].toArray();
        QVERIFY(!buffers.isEmpty());
        for (const QJsonValue& b : buffers)
            QVERIFY2(!b.toObject().contains("reason"), qPrintable(b.toObject()["name"].toString()));
        const QString plan = folder.path("p.json");
        const Finished why = runMemplan({"explain", plan, "exp"});
        QVERIFY2(why.out.contains("stopped after " + pass.toUtf8() + ", before placement"), why.out.constData());
        QVERIFY(why.out.contains("compile without --stop-after"));
        QVERIFY2(!why.out.contains("switched off") && !why.out.contains("planning_off"), why.out.constData());
        const Finished stats = runMemplan({"explain", plan, "--stats"});
        QVERIFY2(stats.out.contains("not decided") && !stats.out.contains("planning_off"), stats.out.constData());
        QVERIFY(!stats.out.contains("main memory read"));
        const QJsonObject figures = parsed(runMemplan({"explain", plan, "--stats", "--json"}).out);
        QCOMPARE(figures["stopped_after"].toString(), pass);
        QCOMPARE(figures["not_decided"].toObject()["buffers"].toInt(), static_cast<int>(buffers.size()));
        QVERIFY(!figures["metrics"].toObject().contains("pinned_bytes"));
    }

    /// What the pass before placing found out stays; candidates are open.
    void stoppedBeforePlacing_keepsWhatIsKnown() {
        const Folder folder;
        const QJsonArray buffers =
            stoppedPlan(folder, "scratchpad_planning.buffers", {"--set", "spyre.cores=1"})["buffers"].toArray();
        int inputs = 0, candidates = 0;
        for (const QJsonValue& value : buffers) {
            const QJsonObject b = value.toObject();
            const QString reason = b["reason"].toObject()["code"].toString();
            if (b["x_role"] == "graph_input") {
                QCOMPARE(reason, QString("graph_input"));
                ++inputs;
            }
            if (b["x_role"] == "intermediate") {
                QVERIFY(reason != "planning_off");
                ++candidates;
            }
        }
        QCOMPARE(inputs, 1);
        QCOMPARE(candidates, 5);  // the clone of x, max, sub, exp, sum
    }

    void stoppedPlan_withPlanningOff_saysSo() {
        const Folder folder;
        const QJsonArray buffers =
            stoppedPlan(folder, "work_distribution", {"--set", "spyre.lx_planning=false"})["buffers"].toArray();
        QVERIFY(!buffers.isEmpty());
        for (const QJsonValue& b : buffers)
            QCOMPARE(b.toObject()["reason"].toObject()["code"].toString(), QString("planning_off"));
    }

    /// A plan that is complete must give a reason for each buffer off chip.
    void verify_wantsReasonsOfAWholePlan() {
        const Folder folder;
        const QString graph = folder.write("g.json", softmaxGraph()), plan = folder.path("p.json");
        QCOMPARE(runMemplan({"compile", graph, "--out", plan}).status, 0);
        QByteArray text = folder.read("p.json");
        const qsizetype at = text.indexOf("\"reason\": {");
        QVERIFY(at > 0);
        text.replace(at, text.indexOf('}', at) + 1 - at, "\"reason\": null");
        const Finished f = runMemplan({"verify", folder.write("q.json", text)});
        QCOMPARE(f.status, 1);
        QVERIFY2(f.err.contains("VER-013") && f.err.contains("no reason is given"), f.err.constData());
    }

    /// What is planned for another machine is verified and explained without its file.
    void otherMachine_isPlannedForAndRemembered() {
        const Folder folder;
        const QString machine = folder.write("m.json", machineFile("\"lx_bytes_per_core\": 131072, \"max_cores\": 4"));
        const QString plan = folder.path("p.json");
        const QString graph = folder.write("g.json", softmaxGraph());
        const Finished made = runMemplan({"compile", graph, "--machine", machine, "--out", plan});
        QVERIFY2(made.status == 0, describe(made));
        QVERIFY(QFile::remove(machine));
        const QJsonObject json = parsed(folder.read("p.json"));
        QCOMPARE(json["memory"].toObject()["x_physical"].toInt(), 131072);
        QCOMPARE(json["settings"].toObject()["spyre.cores"].toInt(), 4);
        const QJsonObject kept = json["x_machine"].toObject();
        QCOMPARE(kept["format"].toString(), QString("memplan-machine"));
        QCOMPARE(kept["values"].toObject()["lx_bytes_per_core"].toInt(), 131072);
        for (const QStringList& args : {QStringList{"verify", plan, "--simulate"}, {"explain", plan, "--stats"}}) {
            const Finished f = runMemplan(args);
            QVERIFY2(f.status == 0, describe(f));
        }
    }

    void wrongMachine_isRefusedWithItsPlace_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("message");
        const QStringList none;
        QTest::newRow("unknown figure") << machineFile("\"lx_bytes\": 65536") << none << 3
                                        << QByteArray("/values/lx_bytes");
        QTest::newRow("out of range") << machineFile("\"max_cores\": 64") << none << 3
                                      << QByteArray("/values/max_cores");
        QTest::newRow("no JSON") << QByteArray("cores = 4") << none << 3 << QByteArray("MCH-001");
        QTest::newRow("more cores than it has")
            << machineFile("\"max_cores\": 4") << QStringList{"--set", "spyre.cores=8"} << 2 << QByteArray("SET-003");
    }
    void wrongMachine_isRefusedWithItsPlace() {
        QFETCH(QByteArray, file);
        QFETCH(QStringList, options);
        QFETCH(int, status);
        QFETCH(QByteArray, message);
        const Folder folder;
        const QString machine = folder.write("m.json", file);
        const Finished f = runMemplan(QStringList{"compile", folder.write("g.json", softmaxGraph()), "--machine",
                                                  machine, "--out", folder.path("p.json")} +
                                      options);
        QVERIFY2(f.status == status, describe(f));
        QCOMPARE(f.errLines().size(), 1);
        QVERIFY2(f.err.contains(message), describe(f));
        QVERIFY(!folder.has("p.json"));
    }

    /// The files of a bundle do not say how large the scratchpad is.
    void exportForAnotherMachine_isProvedOnIt() {
        const Folder folder;
        const QString graph = folder.write("g.json", softmaxGraph(2048, 1024));
        const QString machine = folder.write("m.json", machineFile("\"lx_bytes_per_core\": 8388608, \"max_cores\": 1"));
        const QString bundle = folder.path("bundle");
        const Finished made =
            runMemplan({"compile", graph, "--machine", machine, "--export", bundle, "--out", folder.path("p.json")});
        QVERIFY2(made.status == 0, describe(made));
        QVERIFY(parsed(folder.read("p.json"))["memory"].toObject()["peak"].toInt() > 2'097'152);
        const Finished proved = runMemplan({"verify", bundle, "--graph", graph, "--machine", machine});
        QVERIFY2(proved.status == 0, describe(proved));
        const Finished tooSmall = runMemplan({"verify", bundle, "--graph", graph});
        QVERIFY2(tooSmall.status == 1, describe(tooSmall));
        const QString shared = folder.path("shared");
        const Finished converted = runMemplan({"convert", folder.path("p.json"), shared, "--to", "bundle"});
        QVERIFY2(converted.status == 0, describe(converted));
        const Finished provedByItsPlan = runMemplan({"verify", shared, "--simulate"});
        QVERIFY2(provedByItsPlan.status == 0, describe(provedByItsPlan));
        const Finished twice = runMemplan({"verify", folder.path("p.json"), "--machine", machine});
        QVERIFY2(twice.status == 2 && twice.err.contains("--machine"), describe(twice));
    }

    void missingMachine_isOneError() {
        const Folder folder;
        const Finished f =
            runMemplan({"compile", folder.write("g.json", softmaxGraph()), "--machine", folder.path("none.json")});
        QVERIFY2(f.status == 3 && f.errLines().size() == 1, describe(f));
        QVERIFY2(f.err.contains("none.json"), describe(f));
    }

    /// Once a key, with its machine; not where a sample or a preset brings it.
    void settingOfAnotherMachine_isAWarning() {
        const Folder folder;
        const QString plan = folder.path("p.json");
        const Finished f = runMemplan({"compile", "S1", "--set", "ttnn.policy=Global", "--set",
                                       "ttnn.policy=DFSharding", "--set", "spyre.cores=32", "--out", plan});
        QVERIFY2(f.status == 0 && f.err.count("SET-004") == 1, describe(f));
        QVERIFY2(f.err.startsWith("memplan: warning: command line:--set: SET-004 ttnn.policy is a setting of ttnn, and "
                                  "this plan is for spyre") &&
                     f.err.contains("--target ttnn"),
                 describe(f));
        for (const char* quiet : {"preset=best", "spyre.cores=32", "engine.seed=3"})
            QVERIFY2(!runMemplan({"compile", "S1", "--set", quiet, "--out", plan}).err.contains("SET-004"), quiet);
        const Finished other = runMemplan({"compile", "S1", "--target", "torchwright", "--out", plan});
        QVERIFY2(!other.err.contains("SET-004"), describe(other));
        const Finished graph = runMemplan({"compile", "S7", "--set", "spyre.cores=8", "--out", plan});
        QVERIFY2(graph.err.contains("for torchwright: nothing reads it (leave it out)"), describe(graph));
    }

    /// Alike for every format of a program.
    void bindingOfNothing_isAnError_data() {
        QTest::addColumn<QString>("input");
        QTest::addColumn<QString>("code");
        QTest::newRow("graph") << "S1"
                               << "MPG-204";
        QTest::newRow("machine's own") << "S7"
                                       << "MPG-204";
        QTest::newRow("model") << "N1"
                               << "ONNX-053";
    }
    void bindingOfNothing_isAnError() {
        QFETCH(QString, input);
        QFETCH(QString, code);
        const Folder folder;
        const Finished f = runMemplan({"compile", input, "--bind", "seqq=5", "--out", folder.path("p.json")});
        QVERIFY2(f.status == 3 && f.errLines().size() == 1, describe(f));
        QVERIFY2(f.err.contains(code.toUtf8()) && f.err.contains("\"seqq\"") && f.err.endsWith(")\n"), describe(f));
        QVERIFY(!folder.has("p.json"));
    }

    /// Settings are all that such a machine has.
    void machineWithoutFigures_isNamed() {
        const Folder folder;
        const Finished f = runMemplan({"compile", "S7", "--machine", folder.write("m.json", "{}")});
        QVERIFY2(f.status == 3 && f.err.contains("\"torchwright\"") && f.err.contains("leave out --machine"),
                 describe(f));
    }

    void sweep_refusesMoreCoresThanTheMachineHas_inTheirRow() {
        const Folder folder;
        const Finished f = runMemplan({"sweep", folder.write("g.json", softmaxGraph()), "--machine",
                                       folder.write("m.json", machineFile("\"max_cores\": 8")), "--vary",
                                       "spyre.cores=4,8,16", "--out", "-"});
        QVERIFY2(f.status == 0, describe(f));
        const QList<QByteArray> rows = f.out.trimmed().split('\n');
        QCOMPARE(rows.size(), 4);
        QVERIFY(rows[1].startsWith("4,ok") && rows[2].startsWith("8,ok") && rows[3].startsWith("16,SET-003"));
    }

    void hintsGivenTwice_haveOneState_data() {
        QTest::addColumn<QByteArray>("hint");
        const auto row = [](const char* key, const char* scope, const char* value) {
            const QByteArray text =
                QByteArray("{'target':'spyre','scope':'") + scope + "','key':'" + key + "','value':" + value + "}";
            QTest::newRow(key) << QByteArray(text).replace('\'', '"');
        };
        row("keep_off_chip", "tensor:exp", "true");
        row("pin", "tensor:sub", "true");
        row("address", "tensor:sub", "1280");
        row("address_limit", "tensor:sub", "128000");
        row("in_place", "tensor:exp", "'forbid'");
        row("lx_eligible", "op:op_sub", "false");
        row("split", "op:op_exp", "{'m':1}");
        row("max_cores", "op:op_exp", "1");
        row("clone_input", "tensor:x", "true");
        row("dim_sizes", "graph", "{'A':512}");
    }
    void results_neverReplaceWhatIsRead_data() {
        QTest::addColumn<QStringList>("args");
        QTest::newRow("compile") << QStringList{"compile", "g.json", "--out", "g.json"};
        QTest::newRow("hints") << QStringList{"compile", "g.json", "--hints", "h.json", "--out", "h.json"};
        QTest::newRow("convert") << QStringList{"convert", "g.json", "g.json", "--to", "graph"};
        QTest::newRow("sweep") << QStringList{"sweep", "g.json", "--vary", "spyre.cores=1,2", "--out", "g.json"};
        QTest::newRow("solve") << QStringList{"solve", "b.csv", "--capacity", "1000", "--out", "b.csv"};
        QTest::newRow("verify") << QStringList{"verify", "p.json", "--simulate", "--out", "p.json"};
        QTest::newRow("compare") << QStringList{"compare", "p.json", "p.json", "--out", "p.json"};
    }

    void results_neverReplaceWhatIsRead() {
        QFETCH(QStringList, args);
        const Folder folder;
        const QString graph = folder.write("g.json", softmaxGraph());
        folder.write("b.csv", cli_test::kCsv);
        folder.write("h.json", R"({"format":"memplan-hints","version":1,"hints":[]})");
        QCOMPARE(runMemplan({"compile", graph, "--set", "spyre.cores=1", "--out", folder.path("p.json")}).status, 0);
        const QByteArray before = folder.read(args.last() == "graph" ? QString("g.json") : args.last());
        for (QString& arg : args) {
            if (arg.endsWith(".json") || arg.endsWith(".csv")) arg = folder.path(arg);
        }
        const Finished f = runMemplan(args);
        QVERIFY2(f.status == 2 && f.err.contains("CLI-001") && f.err.contains("is an input of this command"),
                 describe(f));
        QCOMPARE(folder.read(QFileInfo(args.last() == "graph" ? graph : args.last()).fileName()), before);
    }

    void hintsGivenTwice_haveOneState() {
        QFETCH(QByteArray, hint);
        const Folder folder;
        const QString graph = folder.write("g.json", softmaxGraph());
        const auto states = [&](const QByteArray& list, QByteArray& err) {
            const QString file =
                folder.write("h.json", "{\"format\":\"memplan-hints\",\"version\":1,\"hints\":[" + list + "]}");
            const Finished f =
                runMemplan({"compile", graph, "--set", "spyre.cores=1", "--hints", file, "--json-errors"});
            for (const QByteArray& line : f.errLines()) {
                if (line.contains("\"HNT-")) err += line + '\n';
            }
            QStringList words;
            for (const QJsonValue& h : parsed(f.out)["hints"].toArray())
                words << h.toObject()["state"].toString() + ": " + h.toObject()["state_reason"].toString();
            return words;
        };
        QByteArray once, twice;
        const QStringList single = states(hint, once);
        QCOMPARE(single.size(), 1);
        const QStringList both = states(hint + ',' + hint, twice);
        QCOMPARE(both.size(), 2);
        QCOMPARE(both[0], single[0]);
        QCOMPARE(both[1], single[0]);
        QCOMPARE(twice.count('\n'), 2 * once.count('\n'));
    }
};

MEMPLAN_TEST(TestCliOptions)
#include "tst_cli_options.moc"
