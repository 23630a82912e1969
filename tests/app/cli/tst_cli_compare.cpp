// SPDX-License-Identifier: Apache-2.0
// `memplan compare` and `memplan sweep` (command-line.md).
#include "tests/app/cli/cli_support.h"
#include "tests/support/program.h"

#include <QTest>

using namespace cli_test;

namespace {

QString planFile(const Folder& folder, const QString& name, const QStringList& sets) {
    const QString graph = folder.has("g.json") ? folder.path("g.json") : folder.write("g.json", softmaxGraph());
    QStringList args{"compile", graph, "--out", folder.path(name)};
    for (const QString& set : sets)
        args << "--set" << set;
    if (runMemplan(args).status != 0) qFatal("no plan %s", qPrintable(name));
    return folder.path(name);
}

}  // namespace

class TestCliCompare : public QObject {
    Q_OBJECT

private slots:
    void compare_samePlan_exitCode0() {
        const Folder folder;
        const QString a = planFile(folder, "a.json", {});
        const Finished f = runMemplan({"compare", a, a, "--exit-code"});
        QCOMPARE(f.status, 0);
        QVERIFY(f.err.isEmpty());
        QVERIFY(f.out.contains("A and B are the same plan."));
    }

    void compare_otherPlan_exitCode1_onlyWhenAsked() {
        const Folder folder;
        const QString a = planFile(folder, "a.json", {"spyre.cores=1"});
        const QString b = planFile(folder, "b.json", {"spyre.cores=8"});
        QCOMPARE(runMemplan({"compare", a, b}).status, 0);
        const Finished f = runMemplan({"compare", a, b, "--exit-code"});
        QCOMPARE(f.status, 1);
        QVERIFY(f.err.isEmpty());  // "no" is an answer, no error
        QVERIFY(f.out.contains("B keeps "));
        QVERIFY(f.out.contains("split changed"));
        QVERIFY(f.out.contains("same id"));
    }

    void compare_out_textOrCsv() {
        const Folder folder;
        const QString a = planFile(folder, "a.json", {"spyre.cores=1"});
        const QString b = planFile(folder, "b.json", {"spyre.cores=8"});
        const Finished text = runMemplan({"compare", a, b, "--out", folder.path("c.txt")});
        QCOMPARE(text.status, 0);
        QVERIFY(text.out.isEmpty());
        QCOMPARE(folder.read("c.txt"), runMemplan({"compare", a, b}).out);
        QCOMPARE(runMemplan({"compare", a, b, "--out", folder.path("c.csv")}).status, 0);
        const QByteArray csv = folder.read("c.csv");
        QVERIFY(csv.startsWith("change,item,field,a,b,delta,unit,match,effect\n"));
        QVERIFY(csv.contains("split changed,exp,split,one piece,"));
        QCOMPARE(runMemplan({"compare", a, b, "--out", folder.path("no/such/c.csv")}).status, 4);
    }

    /// A figure that one of two machines does not have is no metric of both, and the plans say whose they are.
    void compare_ofTwoMachines_leavesOutWhatOneHasNot() {
        const Folder folder;
        QCOMPARE(runMemplan({"compile", "S1", "--out", folder.path("a.json")}).status, 0);
        QCOMPARE(runMemplan({"compile", "S7", "--out", folder.path("b.json")}).status, 0);
        const Finished f = runMemplan({"compare", folder.path("a.json"), folder.path("b.json")});
        QVERIFY2(f.status == 0 && f.out.startsWith("A and B are plans of different inputs ("), f.out.constData());
        QVERIFY2(f.out.contains(") for different machines (spyre, torchwright).\nA  "), f.out.constData());
        for (const char* figure : {"Off-chip traffic", "Core utilisation", "off-chip traffic", "\nPeak "})
            QVERIFY2(!f.out.contains(figure), figure);
        QVERIFY(f.out.contains("\nErrors and warnings "));
        // Nor does one of them win.
        QVERIFY2(f.out.contains("\n\nPlans of two machines: "), f.out.constData());
        QVERIFY(!f.out.contains("B keeps") && !f.out.contains(" better\n") && !f.out.contains(" worse\n"));
    }

    void compare_badInput() {
        const Folder folder;
        const QString a = planFile(folder, "a.json", {});
        QCOMPARE(runMemplan({"compare", a}).status, 2);
        QCOMPARE(runMemplan({"compare", a, folder.path("none.json")}).status, 3);
        const Finished graph = runMemplan({"compare", a, folder.path("g.json")});
        QCOMPARE(graph.status, 2);
        QVERIFY(graph.err.contains("no plan"));
        const Finished broken = runMemplan({"compare", folder.write("x.json", "{\"format\":\"memplan-plan\","), a});
        QCOMPARE(broken.status, 3);
        QCOMPARE(broken.errLines().size(), 1);
    }

    void sweep_grid_isTheSameForAnyNumberOfThreads() {
        const Folder folder;
        const QString graph = folder.write("g.json", softmaxGraph());
        const QStringList grid{"--vary", "spyre.cores=1,8,32", "--vary", "spyre.layout_solver=greedy,bestfit"};
        const Finished one =
            runMemplan(QStringList{"sweep", graph, "--out", folder.path("s.csv"), "--set", "engine.threads=1"} + grid);
        QCOMPARE(one.status, 0);
        QVERIFY(one.out.isEmpty() && one.err.isEmpty());
        const QByteArray csv = folder.read("s.csv");
        QCOMPARE(csv.count('\n'), 7);
        QVERIFY(csv.startsWith("spyre.cores,spyre.layout_solver,status,buffers_on_chip,"));
        QVERIFY(csv.contains("\n8,bestfit,ok,"));
        const Finished four = runMemplan(QStringList{"sweep", graph, "--out", "-", "--set", "engine.threads=4"} + grid);
        QCOMPARE(four.out, csv);
    }

    void sweep_usage_data() {
        QTest::addColumn<QStringList>("args");
        QTest::addColumn<QString>("mentions");
        QTest::newRow("no out") << QStringList{"--vary", "spyre.cores=1"} << "--out";
        QTest::newRow("nothing varied") << QStringList{"--out", "-"} << "--vary";
        QTest::newRow("no values") << QStringList{"--out", "-", "--vary", "spyre.cores"} << "KEY=V1";
        QTest::newRow("unknown key") << QStringList{"--out", "-", "--vary", "spyre.core=1"} << "spyre.cores";
        QTest::newRow("out of range") << QStringList{"--out", "-", "--vary", "spyre.cores=1,33"} << "1..32";
        QTest::newRow("another machine") << QStringList{"--out", "-", "--vary", "torchwright.d_head=8,16"}
                                         << "this sweep plans for spyre";
        QTest::newRow("backwards") << QStringList{"--out", "-", "--vary", "spyre.cores=4..1"}
                                   << "\"4..1\" runs backwards";
        QTest::newRow("no step") << QStringList{"--out", "-", "--vary", "spyre.cores=1..32:0"} << "has a step of 0";
        QTest::newRow("no hints") << QStringList{"--out", "-", "--vary", "hint:0=1"} << "--hints";
        QTest::newRow("too many") << QStringList{"--out", "-", "--vary", "spyre.cores=1" + QString(",2").repeated(400)}
                                  << "400";
    }
    void sweep_usage() {
        QFETCH(QStringList, args);
        QFETCH(QString, mentions);
        const Folder folder;
        const Finished f = runMemplan(QStringList{"sweep", folder.write("g.json", softmaxGraph())} + args);
        QVERIFY2(f.status == 2, f.err.constData());
        QCOMPARE(f.errLines().size(), 1);
        QVERIFY2(QString::fromUtf8(f.err).contains(mentions), f.err.constData());
        QVERIFY(f.out.isEmpty());
    }

    void sweep_hintOfTheFile() {
        const Folder folder;
        const QString graph = folder.write("g.json", softmaxGraph());
        const QString hints =
            folder.write("h.json", "{\"format\":\"memplan-hints\",\"version\":1,\"hints\":["
                                   "{\"target\":\"spyre\",\"scope\":\"tensor:exp\",\"key\":\"address\",\"value\":0}]}");
        const Finished f = runMemplan({"sweep", graph, "--hints", hints, "--vary", "hint:0=0,131072", "--out", "-"});
        QVERIFY2(f.status == 0, f.err.constData());
        QVERIFY(f.out.contains("\n131072,ok,"));
        QVERIFY(f.out.startsWith("hint:0,status,"));
    }

    void sweep_plan_isNoProgram() {
        const Folder folder;
        const QString plan = planFile(folder, "a.json", {});
        const Finished f = runMemplan({"sweep", plan, "--vary", "spyre.cores=1,2", "--out", folder.path("s.csv")});
        QCOMPARE(f.status, 2);
        QVERIFY(!folder.has("s.csv"));
    }
};

MEMPLAN_TEST(TestCliCompare)
#include "tst_cli_compare.moc"
