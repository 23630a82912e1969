// SPDX-License-Identifier: Apache-2.0
// `memplan compile --hints` with good and bad hints, and what `memplan explain` tries (hints.md, user-experience 7.5).
#include "tests/app/cli/cli_support.h"
#include "tests/support/program.h"

#include <QFile>
#include <QFileInfo>
#include <QIODevice>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QJsonValue>
#include <QTest>

#include <algorithm>

using namespace cli_test;

namespace {

QByteArray hintFile(const QByteArray& hints) {
    return "{\"format\": \"memplan-hints\", \"version\": 1, \"hints\": [" + hints + "]}";
}

QByteArray hint(const QByteArray& scope, const QByteArray& key, const QByteArray& value) {
    return "{\"target\": \"spyre\", \"scope\": \"" + scope + "\", \"key\": \"" + key + "\", \"value\": " + value + "}";
}

/// y = a + b, z = y * c on 1024 x 4096, its dimensions named A and B.
QByteArray addMulGraph() {
    QFile file(QStringLiteral(MEMPLAN_TEST_DATA "/graphs/add-mul.json"));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

const char* const kNames =
    "{\"target\": \"spyre\", \"scope\": \"graph\", \"key\": \"dim_sizes\", \"value\": {\"A\": 1024, \"B\": 4096}},"
    "{\"target\": \"spyre\", \"scope\": [\"tensor:a\", \"tensor:b\", \"tensor:c\"], \"key\": \"dim_names\", \"value\": "
    "[\"A\", \"B\"]}";

}  // namespace

class TestCliHints : public QObject {
    Q_OBJECT

private slots:
    void goodHints_reachThePlan() {
        const Folder folder;
        const QString graph = folder.write("g.mpg.json", softmaxGraph());
        const QString hints = folder.write("h.json", hintFile(hint("op:exp", "max_cores", "4")));
        const Finished f = runMemplan({"compile", graph, "--hints", hints, "--out", folder.path("p.json")});
        QVERIFY2(f.status == 0, f.err.constData());
        const QJsonObject plan = parsed(folder.read("p.json"));
        QCOMPARE(plan["hints"].toArray()[0].toObject()["state"].toString(), QStringLiteral("applied"));
        const QJsonArray ops = plan["ops"].toArray();
        const auto exp = std::find_if(ops.begin(), ops.end(), [](const QJsonValue& op) { return op["id"] == "exp"; });
        QVERIFY(exp != ops.end());
        const int cores = (*exp).toObject()["cores"].toInt();
        QVERIFY2(cores >= 1 && cores <= 4, qPrintable(QString::number(cores)));
    }

    /// The hints of a file in place of those of the graph: as the graph alone says them (hints.md 1).
    void noInputHints_leavesTheFilesHintsInForceAlone() {
        const Folder folder;
        const QString graph = QStringLiteral(MEMPLAN_SOURCE_DIR "/samples/coarse-tiling/graph.json");
        const QString hints = QStringLiteral(MEMPLAN_SOURCE_DIR "/samples/coarse-tiling/hints.json");
        QCOMPARE(runMemplan({"compile", graph, "--out", folder.path("own.json")}).status, 0);
        QCOMPARE(runMemplan({"compile", graph, "--no-input-hints", "--hints", hints, "--out", folder.path("one.json")})
                     .status,
                 0);
        const QJsonObject own = parsed(folder.read("own.json"));
        const QJsonObject one = parsed(folder.read("one.json"));
        QCOMPARE(one["hints"].toArray().size(), own["hints"].toArray().size());
        QCOMPARE(one["x_plan_hash"], own["x_plan_hash"]);
        QCOMPARE(runMemplan({"compile", graph, "--no-input-hints", "--out", folder.path("none.json")}).status, 0);
        QVERIFY(parsed(folder.read("none.json"))["hints"].toArray().isEmpty());
    }

    /// A wrong hint is a problem with its place and what would be allowed; the rest of the compile goes on.
    void badHints_data() {
        QTest::addColumn<QByteArray>("graph");
        QTest::addColumn<QByteArray>("hints");
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<QByteArray>("allowed");
        QTest::newRow("unknown name") << softmaxGraph() << hint("op:expp", "max_cores", "4") << QByteArray("HNT-005")
                                      << QByteArray("exp");
        QTest::newRow("3 slices of 1024")
            << addMulGraph() << QByteArray(kNames) + "," + hint("op:add", "slices", "{\"A\": 3}")
            << QByteArray("HNT-003") << QByteArray("2");
        QTest::newRow("200 cores") << softmaxGraph() << hint("op:exp", "max_cores", "200") << QByteArray("HNT-003")
                                   << QByteArray("32");
        QTest::newRow("outside the LX") << softmaxGraph() << hint("tensor:exp", "address", "99999872")
                                        << QByteArray("HNT-003") << QByteArray("1");
        QTest::newRow("unknown key") << softmaxGraph() << hint("op:exp", "max_core", "4") << QByteArray("HNT-001")
                                     << QByteArray("max_cores");
        QTest::newRow("wrong type") << softmaxGraph() << hint("op:exp", "max_cores", "\"four\"")
                                    << QByteArray("HNT-002") << QByteArray("whole number");
        QTest::newRow("wrong scope") << softmaxGraph() << hint("graph", "max_cores", "4") << QByteArray("HNT-004")
                                     << QByteArray("op");
    }

    void badHints() {
        QFETCH(QByteArray, graph);
        QFETCH(QByteArray, hints);
        QFETCH(QByteArray, code);
        QFETCH(QByteArray, allowed);
        const Folder folder;
        const QString input = folder.write("g.mpg.json", graph);
        const Finished f = runMemplan({"--json-errors", "compile", input, "--hints",
                                       folder.write("h.json", hintFile(hints)), "--out", folder.path("p.json")});
        QVERIFY2(f.status == 0 || f.status == 3, f.err.constData());
        bool isTold = false;
        for (const QByteArray& line : f.errLines()) {
            const QJsonObject d = parsed(line);
            if (d["code"].toString().toUtf8() != code) continue;
            const QByteArray text = (d["message"].toString() + ' ' + d["hint"].toString()).toUtf8();
            isTold = isTold || text.contains(allowed);
        }
        QVERIFY2(isTold, f.err.constData());
        // Status 0: the plan is there, and says that the hint is not in force.
        QCOMPARE(folder.has("p.json"), f.status == 0);
        if (f.status == 3) return;
        const QJsonArray inPlan = parsed(folder.read("p.json"))["hints"].toArray();
        QVERIFY(!inPlan.isEmpty());
        QVERIFY(inPlan.last().toObject()["state"].toString() != "applied");
        QVERIFY(!inPlan.last().toObject()["state_reason"].toString().isEmpty());
    }

    /// A compile that fails says nothing of hints: what the file says wrongly is reported all the same.
    void missingSubjects_areToldWhereTheCompileFails() {
        const Folder folder;
        const QString input = folder.write("g.mpg.json", softmaxGraph(262'144, 65'536));
        const QString hints = folder.write("h.json", hintFile(hint("op:expp", "max_cores", "4")));
        const Finished f =
            runMemplan({"--json-errors", "compile", input, "--hints", hints, "--out", folder.path("p.json")});
        QVERIFY2(f.status == 3, f.err.constData());
        QCOMPARE(f.err.count("HNT-005"), 1);
        const QJsonObject first = parsed(f.errLines().front());
        QCOMPARE(first["code"].toString() + QFileInfo(first["file"].toString()).fileName() + first["where"].toString(),
                 QStringLiteral("HNT-005h.json/hints/0/scope"));
    }

    /// An imported program is shown as it is recorded: its hints are not in force, which is said of each of them.
    void hintsOfAnImport_areToldToBeIgnored() {
        const Folder folder;
        const QString input = folder.write("g.mpg.json", softmaxGraph());
        QCOMPARE(
            runMemplan({"compile", input, "--out", folder.path("p.json"), "--export", folder.path("bundle")}).status,
            0);
        const QJsonArray ops =
            parsed(runMemplan({"compile", folder.path("bundle"), "--out", "-"}).out)["ops"].toArray();
        const QByteArray known = ops[0].toObject()["id"].toString().toUtf8();
        const QString hints = folder.write("h.json", hintFile(hint("op:nobody", "max_cores", "4") + "," +
                                                              hint("op:" + known, "max_cores", "4") + "," +
                                                              hint("op:" + known, "max_cores", "200")));
        const QString plan = folder.path("imported.json");
        const Finished f =
            runMemplan({"--json-errors", "compile", folder.path("bundle"), "--hints", hints, "--out", plan});
        QVERIFY2(f.status == 0, f.err.constData());
        QStringList found;
        for (const QByteArray& line : f.errLines()) {
            const QJsonObject d = parsed(line);
            if (!d["code"].toString().startsWith("HNT-")) continue;
            found << d["code"].toString() + ' ' + QFileInfo(d["file"].toString()).fileName() + d["where"].toString();
        }
        QCOMPARE(found,
                 (QStringList{"HNT-005 h.json/hints/0", "HNT-007 h.json/hints/1", "HNT-003 h.json/hints/2/value"}));
        const QJsonArray reported = parsed(folder.read("imported.json"))["hints"].toArray();
        QCOMPARE(reported[0].toObject()["state"].toString(), QStringLiteral("unmatched"));
        QCOMPARE(reported[1].toObject()["state"].toString(), QStringLiteral("ignored"));
        QVERIFY(reported[1].toObject()["state_reason"].toString().contains("shown as it is recorded"));
        QVERIFY(reported[2].toObject()["state_reason"].toString().contains("allowed"));
    }

    /// The graph has hints of its own, which count first in the list of the plan.
    void findings_nameTheHintFileAndThePositionInIt() {
        const Folder folder;
        const QByteArray own = ", \"hints\": [" + hint("op:sub", "max_cores", "99") + "]}";
        QByteArray graph = softmaxGraph().trimmed();
        graph.replace(graph.size() - 1, 1, own);
        const QString input = folder.write("g.mpg.json", graph);
        const QString hints = folder.write(
            "h.json", hintFile(hint("op:exp", "max_cores", "200") + "," + hint("op:expp", "max_cores", "4")));
        const Finished f =
            runMemplan({"--json-errors", "compile", input, "--hints", hints, "--out", folder.path("p.json")});
        QVERIFY2(f.status == 0, f.err.constData());
        QStringList found;
        for (const QByteArray& line : f.errLines()) {
            const QJsonObject d = parsed(line);
            if (!d["code"].toString().startsWith("HNT-")) continue;
            found << d["code"].toString() + ' ' + QFileInfo(d["file"].toString()).fileName() + d["where"].toString();
        }
        QCOMPARE(found, (QStringList{"HNT-003 g.mpg.json/hints/0/value", "HNT-003 h.json/hints/0/value",
                                     "HNT-005 h.json/hints/1"}));
    }

    /// Through the plan, into a hint file and into a bundle.
    void unknownFields_areKept() {
        const Folder folder;
        QByteArray coloured = hint("op:exp", "max_cores", "4");
        coloured.insert(coloured.size() - 1, ", \"colour\": \"red\"");
        const QString plan = folder.path("p.json");
        const QString graph = folder.write("g.mpg.json", softmaxGraph());
        const QString hints = folder.write("h.json", hintFile(coloured));
        QCOMPARE(runMemplan({"compile", graph, "--hints", hints, "--out", plan}).status, 0);
        const QJsonObject out = parsed(runMemplan({"convert", plan, "-", "--to", "hints"}).out);
        const QJsonObject kept = out["hints"].toArray()[0].toObject();
        QCOMPARE(kept["colour"].toString(), QStringLiteral("red"));
        QVERIFY(!kept.contains("state") && !kept.contains("state_reason"));
        QCOMPARE(runMemplan({"convert", plan, folder.path("b"), "--to", "bundle"}).status, 0);
        QVERIFY(folder.read("b/hints.json").contains("\"colour\""));
    }

    /// A pipe learns of fields that nothing reads, the first three of them.
    void unknownFields_areTold() {
        const Folder folder;
        const QString graph = folder.write("g.mpg.json", softmaxGraph());
        const QByteArray body = "{\"target\": \"spyre\", \"scope\": \"op:exp\", \"key\": \"max_cores\", \"value\": 4";
        const auto run = [&](const QByteArray& fields) {
            return runMemplan({"compile", graph, "--hints", folder.write("h.json", hintFile(body + fields + "}")),
                               "--out", folder.path("p.json")});
        };
        const Finished one = run(", \"author\": 1");
        QCOMPARE(one.status, 0);
        QVERIFY2(one.err.contains("memplan: note: ") && one.err.contains("/hints/0/author: HNT-011"),
                 one.err.constData());
        const Finished five = run(", \"a\": 1, \"b\": 1, \"c\": 1, \"d\": 1, \"e\": 1");
        QCOMPARE(five.err.count("HNT-011"), 4);
        QVERIFY2(five.err.contains("and 2 more HNT-011"), five.err.constData());
        QVERIFY2(!run("").err.contains("note"), "a clean hint file");
    }

    /// What passes note is in the plan: a pipe learns how much there is.
    void notesOfPasses_areCounted() {
        const Folder folder;
        const Finished f = runMemplan({"compile", "N1", "--out", folder.path("p.json")});
        QVERIFY2(f.status == 0, f.err.constData());
        QVERIFY2(!f.err.contains("LX-021") && f.err.contains(" notes (--json-errors prints all)"), f.err.constData());
    }

    void explain_triesFixes() {
        const Folder folder;
        const QString graph = folder.write("g.mpg.json", softmaxGraph());
        const QString plan = folder.path("p.json");
        QCOMPARE(
            runMemplan({"compile", graph, "--set", "spyre.cores=1", "--set", "spyre.lx_planning=false", "--out", plan})
                .status,
            0);
        const Finished f = runMemplan({"explain", plan, "exp"});
        QVERIFY2(f.status == 0, f.err.constData());
        QVERIFY2(f.out.contains("tried"), f.out.constData());
        QVERIFY2(f.out.contains("works") && f.out.contains("--set spyre.lx_planning=true"), f.out.constData());
        const QJsonObject json = parsed(runMemplan({"explain", plan, "exp", "--json"}).out);
        const QJsonObject trials = json["trials"].toObject();
        QVERIFY(trials["tried"].toInt() > 0);
        QVERIFY(!trials["fixes"].toArray().isEmpty());
        const QJsonObject fix = trials["fixes"].toArray()[0].toObject();
        QVERIFY(fix["on_chip_bytes"].toArray()[1].toDouble() > fix["on_chip_bytes"].toArray()[0].toDouble());
        // Without its input nothing can be compiled again: the words stay, the trials go.
        QVERIFY(QFile::remove(graph));
        const Finished alone = runMemplan({"explain", plan, "exp"});
        QCOMPARE(alone.status, 0);
        QVERIFY(!alone.out.contains("tried"));
    }
};

MEMPLAN_TEST(TestCliHints)
#include "tst_cli_hints.moc"
