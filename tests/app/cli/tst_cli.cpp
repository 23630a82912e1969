// SPDX-License-Identifier: Apache-2.0
// The command line contract (command-line.md): commands, exit statuses, results, determinism, Ctrl-C.
#include "tests/app/cli/cli_support.h"
#include "tests/support/program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include <signal.h>

using namespace cli_test;

namespace {

bool isErrorLine(const QByteArray& line) {
    static const QRegularExpression kForm("^memplan: error: [^\\x00-\\x1f]+$");
    return kForm.match(QString::fromUtf8(line)).hasMatch();
}

}  // namespace

class TestCli : public QObject {
    Q_OBJECT

private slots:
    void usage_data() {
        QTest::addColumn<QStringList>("args");
        QTest::addColumn<QString>("mentions");
        QTest::newRow("unknown command") << QStringList{"compil"} << "compile";
        QTest::newRow("later command") << QStringList{"tune", "x"} << "does not offer the command";
        QTest::newRow("unknown program option") << QStringList{"--verison"} << "unknown option";
        QTest::newRow("unknown option") << QStringList{"compile", "x", "--stop-afterr", "a"} << "--stop-after";
        QTest::newRow("setting as option") << QStringList{"compile", "x", "--cores", "4"} << "--set spyre.cores=VALUE";
        QTest::newRow("setting's whole key as option")
            << QStringList{"compile", "x", "--spyre.layout-solver=exact"} << "--set spyre.layout_solver=VALUE";
        QTest::newRow("setting where none is taken") << QStringList{"verify", "x", "--cores", "4"} << "--";
        QTest::newRow("input missing") << QStringList{"compile"} << "INPUT";
        QTest::newRow("extra argument") << QStringList{"compile", "a", "b"} << "unexpected argument \"b\"";
        QTest::newRow("unknown setting") << QStringList{"compile", "x", "--set", "spyre.core=2"} << "spyre.cores";
        QTest::newRow("setting out of range") << QStringList{"compile", "x", "--set", "spyre.cores=33"} << "1..32";
        QTest::newRow("setting without value") << QStringList{"compile", "x", "--set", "spyre.cores"} << "NAME=VALUE";
        QTest::newRow("forbidden combination")
            << QStringList{"compile", "x", "--set", "torchwright.d=1000"} << "torchwright.d_head";
        QTest::newRow("unknown target") << QStringList{"compile", "x", "--target", "spire"} << "spyre";
        QTest::newRow("unknown pass") << QStringList{"compile", "x", "--stop-after", "span_reductio"}
                                      << "span_reduction";
        QTest::newRow("report not offered") << QStringList{"compile", "x", "--report=d"} << "this version";
        QTest::newRow("level of a later version") << QStringList{"verify", "x", "--level", "field"} << "tokens";
        QTest::newRow("seed no number") << QStringList{"verify", "x", "--seed", "three"} << "whole number";
        QTest::newRow("no time") << QStringList{"verify", "x", "--budget", "0"} << "seconds";
        QTest::newRow("wipe what") << QStringList{"verify", "x", "--wipe-lx", "all"} << "kernels";
        QTest::newRow("setting of a compile") << QStringList{"verify", "x", "--set", "spyre.cores=4"} << "sim.";
        QTest::newRow("progress word") << QStringList{"compile", "x", "--progress", "often"} << "auto, always or never";
        QTest::newRow("bind without value") << QStringList{"compile", "x", "--bind", "batch"} << "NAME=VALUE";
        QTest::newRow("unknown catalogue") << QStringList{"list", "sovlers"} << "solvers";
        QTest::newRow("name or stats") << QStringList{"explain", "p.json"} << "--stats";
        QTest::newRow("convert suffix") << QStringList{"convert", "a.onnx", "b.xyz"} << "--to";
        QTest::newRow("convert format") << QStringList{"convert", "a.onnx", "b", "--to", "svg"} << "does not write";
    }
    void usage() {
        QFETCH(QStringList, args);
        QFETCH(QString, mentions);
        const Finished f = runMemplan(args);
        QVERIFY2(f.status == 2, describe(f).constData());
        QVERIFY(f.out.isEmpty());
        QCOMPARE(f.errLines().size(), 1);
        QVERIFY2(isErrorLine(f.errLines().first()), f.err.constData());
        QVERIFY2(QString::fromUtf8(f.err).contains(mentions), f.err.constData());
    }

    void noArguments_printsTheHelp_status2() {
        const Finished f = runMemplan({});
        QCOMPARE(f.status, 2);
        QVERIFY(f.err.contains("usage: memplan COMMAND"));
    }

    void help_data() {
        QTest::addColumn<QStringList>("args");
        QTest::addColumn<QString>("mentions");
        QTest::newRow("program") << QStringList{"--help"} << "explain";
        QTest::newRow("version") << QStringList{"--version"} << "memplan 0.";
        QTest::newRow("compile") << QStringList{"compile", "--help"} << "--stop-after";
        QTest::newRow("solve") << QStringList{"solve", "--help"} << "--objective";
        QTest::newRow("verify") << QStringList{"verify", "--help"} << "PLAN.json";
        QTest::newRow("explain") << QStringList{"explain", "--help"} << "--stats";
        QTest::newRow("convert") << QStringList{"convert", "--help"} << "--to";
        QTest::newRow("list") << QStringList{"list", "--help"} << "settings";
    }
    void help() {
        QFETCH(QStringList, args);
        QFETCH(QString, mentions);
        const Finished f = runMemplan(args);
        QCOMPARE(f.status, 0);
        QVERIFY(f.err.isEmpty());
        QVERIFY(QString::fromUtf8(f.out).contains(mentions));
        QVERIFY(!f.out.contains("--report"));  // not offered, not shown
    }

    void list_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<int>("atLeast");
        QTest::addColumn<QString>("mentions");
        QTest::newRow("targets") << "targets" << 1 << "spyre";
        QTest::newRow("machines") << "machines" << 7 << "lx_bytes_per_core";
        QTest::newRow("passes") << "passes" << 10 << "optimize_restickify_locations";
        QTest::newRow("solvers") << "solvers" << 14 << "annealing";
        QTest::newRow("solvers of another machine") << "solvers" << 14 << "torchwright.optimize=1";
        QTest::newRow("settings") << "settings" << 100 << "SENCORES";
        QTest::newRow("hints") << "hints" << 15 << "keep_off_chip";
        QTest::newRow("formats") << "formats" << 6 << "onnx";
        QTest::newRow("reasons") << "reasons" << 28 << "core_div_mismatch";
        QTest::newRow("diagnostics") << "diagnostics" << 300 << "VER-003";
        QTest::newRow("samples") << "samples" << 10 << "Softmax on one core";
    }
    /// Blanks stand in front of each heading, in every row.
    static bool isAligned(const QString& table) {
        const QStringList lines = table.split(u'\n');
        for (int at = 2; at < lines.front().size(); ++at) {
            if (lines.front().at(at) == u' ' || lines.front().mid(at - 2, 2) != u"  ") continue;
            for (const QString& line : lines)
                if (line.size() > at && line.mid(at - 2, 2) != u"  ") return false;
        }
        return true;
    }
    void list() {
        QFETCH(QString, what);
        QFETCH(int, atLeast);
        QFETCH(QString, mentions);
        const Finished text = runMemplan({"list", what});
        QCOMPARE(text.status, 0);
        QVERIFY(text.out.count('\n') >= atLeast + 1);
        QVERIFY(QString::fromUtf8(text.out).contains(mentions));
        QVERIFY2(isAligned(QString::fromUtf8(text.out)), text.out);
        const Finished json = runMemplan({"list", what, "--json"});
        QCOMPARE(json.status, 0);
        const QJsonDocument document = QJsonDocument::fromJson(json.out);
        QVERIFY(document.isArray());
        QCOMPARE(document.array().size(), text.out.count('\n') - 1);
    }

    void list_samples_works() { QCOMPARE(runMemplan({"list", "samples", "--json"}).status, 0); }

    /// Its settings and sizes come with it, and give way to those of the command line.
    void compile_takesASampleById() {
        const Finished one = runMemplan({"compile", "S1"});
        QVERIFY2(one.status == 0, one.err.constData());
        const QJsonObject plan = QJsonDocument::fromJson(one.out).object();
        QCOMPARE(plan["settings"]["spyre.cores"].toInteger(), 1);
        const Finished two = runMemplan({"compile", "S1", "--set", "spyre.cores=2"});
        QCOMPARE(QJsonDocument::fromJson(two.out)["settings"]["spyre.cores"].toInteger(), 2);
        QCOMPARE(runMemplan({"compile", "N2"}).status, 0);
        QCOMPARE(runMemplan({"compile", "S99"}).status, 3);
    }

    void compile_withoutOut_writesThePlanToStandardOutput() {
        const Folder folder;
        const Finished f = runMemplan({"compile", folder.write("s.mpg.json", softmaxGraph())});
        QVERIFY2(f.status == 0, describe(f).constData());
        const QJsonObject plan = parsed(f.out);
        QCOMPARE(plan["format"].toString(), "memplan-plan");
        QCOMPARE(plan["target"].toString(), "spyre");
        QCOMPARE(plan["ops"].toArray().size() >= 5, true);
        // No terminal: neither bar nor summary, only findings in their one form.
        for (const QByteArray& line : f.errLines())
            QVERIFY2(line.startsWith("memplan: warning: "), line.constData());
    }

    void compile_out_writesTheFileAndNothingElse() {
        const Folder folder;
        const QString input = folder.write("s.mpg.json", softmaxGraph());
        const Finished f = runMemplan({"compile", input, "--out", folder.path("plan.json")});
        QCOMPARE(f.status, 0);
        QVERIFY(f.out.isEmpty());
        QCOMPARE(folder.entries(), (QStringList{"plan.json", "s.mpg.json"}));
        QCOMPARE(parsed(folder.read("plan.json"))["version"].toInt(), 1);
    }

    void compile_twice_isByteIdentical() {
        const Folder folder;
        const QString input = folder.write("s.mpg.json", softmaxGraph());
        for (const char* solver : {"greedy", "annealing", "exact"}) {
            const QStringList args{"compile", input, "--set", QString("spyre.layout_solver=") + solver};
            const Finished first = runMemplan(args);
            QVERIFY2(first.status == 0, describe(first).constData());
            QCOMPARE(runMemplan(args).out, first.out);
        }
    }

    void compile_setting_reachesThePlan_lastValueWins() {
        const Folder folder;
        const QString input = folder.write("s.mpg.json", softmaxGraph());
        const Finished f = runMemplan({"compile", input, "--set", "spyre.cores=8", "--set", "spyre.cores=4"});
        QCOMPARE(f.status, 0);
        QCOMPARE(parsed(f.out)["settings"].toObject()["spyre.cores"].toInt(), 4);
    }

    void compile_stopAfter_leavesLaterPassesOut() {
        const Folder folder;
        const QString input = folder.write("s.mpg.json", softmaxGraph());
        const Finished f = runMemplan({"compile", input, "--stop-after", "span_reduction"});
        QVERIFY2(f.status == 0, describe(f).constData());
        const QJsonArray passes = parsed(f.out)["passes"].toArray();
        QVERIFY(!passes.isEmpty());
        QCOMPARE(passes.last().toObject()["name"].toString(), "span_reduction");
    }

    /// The numbers are those of the canonical table; what replaces a pass has that one's.
    void list_passes_haveTheirNumbers() {
        const Finished list = runMemplan({"list", "passes", "--json"});
        QHash<QString, QString> numbers;
        for (const QJsonValue& pass : QJsonDocument::fromJson(list.out).array())
            numbers[pass.toObject()["id"].toString()] = pass.toObject()["number"].toString();
        QCOMPARE(numbers["matmul_cost_model"], QStringLiteral("14"));
        QCOMPARE(numbers["work_distribution"], QStringLiteral("15"));
    }

    /// Verify checks what is there, whatever the pass that was the last.
    void compile_stopAfterAnyPass_verifies() {
        const Folder folder;
        const QString input = folder.write("s.mpg.json", softmaxGraph());
        const Finished list = runMemplan({"list", "passes", "--json"});
        const QJsonArray passes = QJsonDocument::fromJson(list.out).array();
        QVERIFY(passes.size() > 20);
        for (const QJsonValue& pass : passes) {
            if (pass.toObject()["target"].toString() != "spyre") continue;
            const QString name = pass.toObject()["id"].toString();
            const Finished compiled =
                runMemplan({"compile", input, "--stop-after", name, "--out", folder.path("p.json")});
            QVERIFY2(compiled.status == 0, describe(compiled).constData());
            const Finished verified = runMemplan({"verify", folder.path("p.json")});
            QVERIFY2(verified.status == 0, qPrintable(name + ": " + describe(verified)));
        }
    }

    void compile_dumpAfter_printsProgramTextInPlaceOfThePlan() {
        const Folder folder;
        const QString input = folder.write("s.mpg.json", softmaxGraph());
        const Finished one = runMemplan({"compile", input, "--dump-after", "work_distribution"});
        QVERIFY2(one.status == 0, describe(one).constData());
        QVERIFY(one.out.startsWith("== after work_distribution"));
        QVERIFY(one.out.contains("exp"));
        QVERIFY(!one.out.contains("memplan-plan"));
        const Finished all = runMemplan({"compile", input, "--dump-after", "all", "--out", folder.path("p.json")});
        QVERIFY(all.out.count("== after ") > 5);
        QVERIFY(folder.has("p.json"));
    }

    void compile_timings_fillSecondsAndOnlyThen() {
        const Folder folder;
        const QString input = folder.write("s.mpg.json", softmaxGraph());
        const auto total = [](const QByteArray& plan) {
            double sum = 0;
            for (const QJsonValue& pass : parsed(plan)["passes"].toArray())
                sum += pass.toObject()["seconds"].toDouble();
            return sum;
        };
        QCOMPARE(total(runMemplan({"compile", input}).out), 0.0);
        QVERIFY(total(runMemplan({"compile", input, "--timings"}).out) > 0.0);
    }

    void compile_hints_areInThePlan() {
        const Folder folder;
        const QString input = folder.write("s.mpg.json", softmaxGraph());
        const QString hints = folder.write(
            "h.json",
            "{\"format\":\"memplan-hints\",\"version\":1,\"hints\":[{\"target\":\"spyre\",\"scope\":\"tensor:exp\","
            "\"key\":\"keep_off_chip\",\"value\":true}]}");
        const Finished f = runMemplan({"compile", input, "--hints", hints});
        QVERIFY2(f.status == 0, describe(f).constData());
        const QJsonObject hint = parsed(f.out)["hints"].toArray().first().toObject();
        QCOMPARE(hint["key"].toString(), "keep_off_chip");
        QVERIFY(!hint["state"].toString().isEmpty());
    }

    void compile_wrongKindOfDocument_namesTheRightCommand_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("command");
        QTest::newRow("buffer list") << "b.csv" << QByteArray(kCsv) << "memplan solve";
        QTest::newRow("instance") << "i.jsonl" << QByteArray(kInstance) << "memplan solve";
        QTest::newRow("hint file") << "h.json"
                                   << QByteArray("{\"format\":\"memplan-hints\",\"version\":1,\"hints\":[]}")
                                   << "--hints";
        QTest::newRow("plan") << "p.json" << QByteArray("{\"format\":\"memplan-plan\",\"version\":1}")
                              << "memplan verify";
    }
    void compile_wrongKindOfDocument_namesTheRightCommand() {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        QFETCH(QString, command);
        const Folder folder;
        const Finished f = runMemplan({"compile", folder.write(name, bytes)});
        QVERIFY2(f.status == 2, describe(f).constData());
        QVERIFY2(QString::fromUtf8(f.err).contains(command), f.err.constData());
    }

    void jsonErrors_areOneObjectALine() {
        const Finished f = runMemplan({"compile", "x", "--set", "spyre.core=2", "--json-errors"});
        QCOMPARE(f.status, 2);
        for (const QByteArray& line : f.errLines()) {
            const QJsonObject object = parsed(line);
            QCOMPARE(object["severity"].toString(), "error");
            QCOMPARE(object["code"].toString(), "SET-001");
            for (const char* key : {"where", "message", "hint"})
                QVERIFY2(object.contains(key), key);
        }
    }

    void progress_always_drawsABar_neverDoesNot() {
        const Folder folder;
        const QString input = folder.write("s.mpg.json", softmaxGraph());
        QVERIFY(runMemplan({"compile", input, "--progress", "always"}).err.contains("\r"));
        QVERIFY(!runMemplan({"compile", input, "--progress", "never"}).err.contains("\r"));
    }

    void verify_cleanPlan_status0_changedPlan_status1() {
        const Folder folder;
        const QString input = folder.write("s.mpg.json", softmaxGraph());
        QCOMPARE(runMemplan({"compile", input, "--out", folder.path("p.json")}).status, 0);
        const Finished clean = runMemplan({"verify", folder.path("p.json")});
        QVERIFY2(clean.status == 0, describe(clean).constData());
        QJsonObject plan = parsed(folder.read("p.json"));
        QJsonArray buffers = plan["buffers"].toArray();
        bool changed = false;
        for (int i = 0; i < buffers.size() && !changed; ++i) {
            QJsonObject buffer = buffers[i].toObject();
            if (buffer["space"].toString() != "lx") continue;
            buffer["address"] = buffer["address"].toInt() + 1;
            buffers[i] = buffer;
            changed = true;
        }
        QVERIFY(changed);
        plan["buffers"] = buffers;
        const Finished bad = runMemplan({"verify", folder.write("bad.json", QJsonDocument(plan).toJson())});
        QVERIFY2(bad.status == 1, describe(bad).constData());
        QVERIFY(bad.err.contains("VER-001") && bad.err.contains("(compile the input again"));
    }

    void simulate_provedWrongAndNotProved() {
        const Folder folder;
        const QString input = folder.write("s.mpg.json", softmaxGraph(128, 256));
        const QString plan = folder.path("p.json");
        QCOMPARE(runMemplan({"compile", input, "--out", plan}).status, 0);
        const Finished proved = runMemplan({"verify", plan, "--simulate", "--out", folder.path("r.json")});
        QVERIFY2(proved.status == 0, describe(proved).constData());
        QVERIFY(proved.out.startsWith("proved: ") && proved.out.count('\n') == 1 && proved.err.isEmpty());
        const QJsonObject report = parsed(folder.read("r.json"));
        QCOMPARE(report["format"].toString(), QStringLiteral("memplan-proof"));
        QCOMPARE(report["version"].toInt(), 1);
        QCOMPARE(report["verdict"].toString(), QStringLiteral("proved"));
        QCOMPARE(report["plan_sha256"].toString().size(), 64);
        QCOMPARE(report["levels"][0]["elements_checked"].toInt(), 128 * 256);
        QCOMPARE(report["levels"][0]["seconds"].toDouble(), 0.0);
        QVERIFY(report["faults"].toArray().isEmpty());
        // The same file for the same plan.
        QCOMPARE(runMemplan({"verify", plan, "--out", folder.path("again.json")}).status, 0);
        QCOMPARE(folder.read("again.json"), folder.read("r.json"));

        // The plan keeps its own rules and computes something else than this graph says.
        QByteArray other = softmaxGraph(128, 256);
        QVERIFY(other.contains("\"fn\": \"exp\"") || other.contains("\"fn\":\"exp\""));
        other.replace("\"fn\": \"exp\"", "\"fn\": \"log\"").replace("\"fn\":\"exp\"", "\"fn\":\"log\"");
        const Finished wrong = runMemplan({"verify", plan, "--graph", folder.write("o.mpg.json", other)});
        QVERIFY2(wrong.status == 1, describe(wrong).constData());
        QVERIFY2(wrong.out.startsWith("wrong: ") && wrong.err.contains("VER-015"), describe(wrong).constData());

        // A graph of another size is another graph: no fault of the plan.
        const Finished another = runMemplan({"verify", plan, "--graph", folder.write("l.mpg.json", softmaxGraph())});
        QVERIFY2(another.status == 2 && another.errLines().size() == 1, describe(another).constData());
        QVERIFY2(another.err.contains("this is another graph: its input") && another.err.contains("128 x 256"),
                 describe(another).constData());

        const QString bare = folder.path("bare.json");
        QCOMPARE(runMemplan({"compile", input, "--set", "plan.execution=false", "--out", bare}).status, 0);
        const Finished unknown = runMemplan({"verify", bare, "--simulate"});
        QVERIFY2(unknown.status == 1, describe(unknown).constData());
        QVERIFY(unknown.err.contains("VER-025") && unknown.err.contains("plan.execution=false"));
        QCOMPARE(runMemplan({"verify", bare, "--simulate", "--allow-unproved"}).status, 0);
        QCOMPARE(runMemplan({"verify", bare}).status, 0);

        const QString wide = folder.path("wide.json");
        QCOMPARE(runMemplan({"compile", folder.write("w.mpg.json", softmaxGraph()), "--out", wide}).status, 0);
        const Finished large = runMemplan({"verify", wide, "--simulate", "--set", "sim.memory_bytes=1048576"});
        QVERIFY2(large.status == 3 && large.err.contains("VER-026"), describe(large).constData());
    }

    void verify_notAPlan_status2() {
        const Folder folder;
        const Finished f = runMemplan({"verify", folder.write("s.mpg.json", softmaxGraph())});
        QVERIFY2(f.status == 2, describe(f).constData());
    }

    void explain_nameStatsAndUnknown() {
        const Folder folder;
        const QString input = folder.write("s.mpg.json", softmaxGraph());
        QCOMPARE(runMemplan({"compile", input, "--out", folder.path("p.json")}).status, 0);
        const Finished one = runMemplan({"explain", folder.path("p.json"), "exp"});
        QVERIFY2(one.status == 0, describe(one).constData());
        QVERIFY(one.out.contains("buffer exp") && one.out.contains("why: "));
        const Finished stats = runMemplan({"explain", folder.path("p.json"), "--stats"});
        QVERIFY(stats.status == 0 && stats.out.contains("main memory read"));
        const QJsonObject json = parsed(runMemplan({"explain", folder.path("p.json"), "--stats", "--json"}).out);
        QVERIFY(json["metrics"].toObject()["capacity_bytes"].toInt() > 0);
        const Finished unknown = runMemplan({"explain", folder.path("p.json"), "expp"});
        QCOMPARE(unknown.status, 2);
        QVERIFY2(unknown.err.contains("command line:expp: ") && unknown.err.contains("\"exp\""),
                 describe(unknown).constData());
    }

    void convert_graphToItself_isByteIdentical() {
        const Folder folder;
        const QString input = folder.write("s.mpg.json", softmaxGraph());
        const Finished f = runMemplan({"convert", input, folder.path("t.mpg.json")});
        QVERIFY2(f.status == 0, describe(f).constData());
        QCOMPARE(folder.read("t.mpg.json"), softmaxGraph());
    }

    void convert_csvToInstancesAndBack() {
        const Folder folder;
        const QString csv = folder.write("b.csv", kCsv);
        QCOMPARE(runMemplan({"convert", csv, folder.path("b.jsonl")}).status, 0);
        const Finished back = runMemplan({"convert", folder.path("b.jsonl"), "-", "--to", "csv"});
        QVERIFY2(back.status == 0, describe(back).constData());
        QCOMPARE(back.out, QByteArray(kCsv));
    }

    void convert_planToCsv_hasOffsetsWithoutOverlap() {
        const Folder folder;
        const QString input = folder.write("s.mpg.json", softmaxGraph());
        QCOMPARE(runMemplan({"compile", input, "--out", folder.path("p.json")}).status, 0);
        QCOMPARE(runMemplan({"convert", folder.path("p.json"), folder.path("p.lx.csv")}).status, 0);
        QVERIFY(folder.read("p.lx.csv").contains("offset"));
        const Finished read = runMemplan({"convert", folder.path("p.lx.csv"), "-", "--to", "csv"});
        QCOMPARE(read.status, 0);
        QVERIFY2(!read.err.contains("CSV-011"), read.err.constData());
        QCOMPARE(read.out, folder.read("p.lx.csv"));
    }

    void convert_graphToCsv_isRefused() {
        const Folder folder;
        const Finished f = runMemplan({"convert", folder.write("s.mpg.json", softmaxGraph()), folder.path("s.csv")});
        QCOMPARE(f.status, 3);
        QVERIFY(f.err.contains("IN-013"));
        QVERIFY(!folder.has("s.csv"));
    }

    void interrupt_endsWith130AndLeavesNoFile() {
        const Folder folder;
        const QString input = folder.write("big.mpg.json", chainGraph(400));
        QProcess process;
        process.start(MEMPLAN_PROGRAM,
                      {"compile", input, "--out", folder.path("p.json"), "--progress", "always", "--set",
                       "spyre.layout_solver=annealing", "--set", "spyre.annealing_steps=1000000"});
        QVERIFY(process.waitForStarted());
        process.setReadChannel(QProcess::StandardError);
        QVERIFY(process.waitForReadyRead(60'000));  // the bar: the compile runs
        QVERIFY(::kill(static_cast<pid_t>(process.processId()), SIGINT) == 0);
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        QCOMPARE(folder.entries(), (QStringList{"big.mpg.json"}));
    }

    void output_unwritable_status4_data() {
        QTest::addColumn<QString>("out");
        QTest::newRow("below a regular file") << "s.mpg.json/plan.json";
        QTest::newRow("missing folder") << "nowhere/plan.json";
        QTest::newRow("a folder") << ".";
    }
    void output_unwritable_status4() {
        QFETCH(QString, out);
        const Folder folder;
        const QString input = folder.write("s.mpg.json", softmaxGraph());
        const Finished f = runMemplan({"compile", input, "--out", folder.path(out)});
        QVERIFY2(f.status == 4, describe(f).constData());
        QVERIFY(isErrorLine(f.errLines().last()));
        QCOMPARE(folder.entries(), (QStringList{"s.mpg.json"}));
    }

    void output_fullDevice_status4() {
        if (!QFile::exists("/dev/full")) QSKIP("this system has no /dev/full");
        QProcess process;
        process.setStandardOutputFile("/dev/full");
        process.start(MEMPLAN_PROGRAM, {"list", "settings"});
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 4);
    }
};

MEMPLAN_TEST(TestCli)
#include "tst_cli.moc"
