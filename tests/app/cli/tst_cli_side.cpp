// SPDX-License-Identifier: Apache-2.0
// Compiler records on the command line: --side of compile and explain (spyre-coarse-tiling-and-bundle 17.2 to 17.4).
#include "tests/app/cli/cli_support.h"
#include "tests/support/program.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using namespace cli_test;

namespace {

QByteArray costDump(const QByteArray& name) {
    const QByteArray rule(78, '=');
    return rule + "\n==== Cost model features + prediction (after pre-scheduling)\n" + rule + "\n  " + name +
           "          read=1048576B write=1024B lx=0B\n"
           "      read   x                      device [16, 512, 64] in HBM  | 524288 elems x 2B = 1048576 B (hbm "
           "counted: 1048576 B)\n";
}

}  // namespace

class TestCliSide : public QObject {
    Q_OBJECT

private slots:
    void compile_keepsItInThePlan_explainShowsIt() {
        const Folder folder;
        const QString graph = folder.write("g.mpg.json", softmaxGraph());
        const QString plan = folder.path("p.json");
        const Finished f =
            runMemplan({"compile", graph, "--out", plan, "--side", folder.write("c.txt", costDump("max"))});
        QVERIFY2(f.status == 0, f.err.constData());
        const QJsonObject side = parsed(folder.read("p.json"))["target_data"].toObject()["side_information"].toObject();
        const QJsonObject source = side["sources"].toArray()[0].toObject();
        QCOMPARE(source["kind"].toString(), QStringLiteral("cost_dump"));
        QCOMPARE(source["matched"].toInt(), 1);
        const QJsonObject facts = side["ops"].toObject()["max"].toArray()[0].toObject()["facts"].toObject();
        QCOMPARE(facts["read_bytes"].toInt(), 1048576);
        const Finished one = runMemplan({"explain", plan, "max"});
        QVERIFY2(one.status == 0, one.err.constData());
        QVERIFY2(one.out.contains("cost dump, read bytes"), one.out.constData());
        const Finished tensor = runMemplan({"explain", plan, "x"});
        QVERIFY2(tensor.out.contains("cost dump, residency") && tensor.out.contains("HBM"), tensor.out.constData());
        const Finished stats = runMemplan({"explain", plan, "--stats"});
        QVERIFY2(stats.out.contains("1 of 1 names found"), stats.out.constData());
        QCOMPARE(runMemplan({"verify", plan}).status, 0);
    }

    void explain_takesItToo() {
        const Folder folder;
        const QString graph = folder.write("g.mpg.json", softmaxGraph());
        const QString plan = folder.path("p.json");
        QCOMPARE(runMemplan({"compile", graph, "--out", plan}).status, 0);
        const Finished f = runMemplan({"explain", plan, "max", "--side", folder.write("c.txt", costDump("max"))});
        QVERIFY2(f.out.contains("cost dump, write bytes"), f.out.constData());
        const Finished other = runMemplan({"explain", plan, "max", "--side", folder.write("o.txt", costDump("other"))});
        QCOMPARE(other.status, 0);
        QVERIFY2(other.err.contains("not found: other"), other.err.constData());
        QVERIFY(!other.out.contains("cost dump"));
    }

    void damage_isOneLineAndNoPlan_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("says");
        QTest::newRow("cut off") << costDump("max").chopped(20) << 3 << "damaged";
        QTest::newRow("another version") << QByteArray("{\"schemaVersion\": 2}") << 3 << "version 1";
        QTest::newRow("empty log") << QByteArray("[INFO] [torch_spyre] nothing\n") << 3 << "no listing";
        QTest::newRow("a graph") << softmaxGraph() << 2 << "no compiler records";
    }

    void damage_isOneLineAndNoPlan() {
        QFETCH(QByteArray, text);
        QFETCH(int, status);
        QFETCH(QString, says);
        const Folder folder;
        const QString graph = folder.write("g.mpg.json", softmaxGraph());
        const Finished f = runMemplan({"compile", graph, "--out", folder.path("p.json"), "--side",
                                       folder.write(status == 2 ? "s.json" : "s.txt", text)});
        QVERIFY2(f.status == status, f.err.constData());
        QCOMPARE(f.errLines().size(), 1);
        QVERIFY2(f.err.contains(says.toUtf8()), f.err.constData());
        QVERIFY(!folder.has("p.json"));
    }

    void asInputOfCompile_theMessageNamesTheOption() {
        const Folder folder;
        const Finished f = runMemplan({"compile", folder.write("c.txt", costDump("max"))});
        QCOMPARE(f.status, 2);
        QVERIFY2(f.err.contains("--side"), f.err.constData());
    }
};

MEMPLAN_TEST(TestCliSide)
#include "tst_cli_side.moc"
