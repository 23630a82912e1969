// SPDX-License-Identifier: Apache-2.0
// `memplan solve` (command-line.md): buffer lists that must fit, instances that are pinned, wrong options.
#include "tests/app/cli/cli_support.h"
#include "tests/support/program.h"

#include <QJsonObject>
#include <QTest>

using namespace cli_test;

class TestCliSolve : public QObject {
    Q_OBJECT

private slots:
    void solve_fit_writesOffsets_orStatus1WithProof() {
        const Folder folder;
        const QString csv = folder.write("b.csv", kCsv);
        const Finished fits = runMemplan({"solve", csv, "--solver", "exact", "--capacity", "200"});
        QVERIFY2(fits.status == 0, describe(fits).constData());
        QVERIFY(fits.out.startsWith("id,lower,upper,size,offset\n"));
        QCOMPARE(fits.out.count('\n'), 4);
        const Finished none =
            runMemplan({"solve", csv, "--solver", "greedy", "--capacity", "199", "--out", folder.path("o.csv")});
        QCOMPARE(none.status, 1);
        QVERIFY2(none.err.contains("proved"), none.err.constData());
        QVERIFY(!folder.has("o.csv"));
    }

    void solve_freeRenaming_placesThePartsOfABuffer() {
        const Folder folder;
        const QString csv = folder.write("g.csv", "id,lower,upper,size,gaps\na,0,9,100,3-6\nb,3,6,100,\n");
        const QStringList args{"solve", csv, "--solver", "greedy", "--capacity", "100", "--objective", "pin"};
        const Finished whole = runMemplan(args);
        QCOMPARE(whole.status, 0);
        const Finished cut = runMemplan(args + QStringList{"--free-renaming"});
        QVERIFY2(cut.status == 0, describe(cut).constData());
        const QJsonObject greedy = parsed(cut.out)["results"].toObject()["greedy"].toObject();
        QCOMPARE(greedy["pinned_bytes"].toInt(), 300);
        QCOMPARE(greedy["addresses"].toObject().keys(), (QStringList{"a.0", "a.1", "b"}));
        const Finished fit = runMemplan({"solve", csv, "--solver", "greedy", "--capacity", "100", "--free-renaming"});
        QCOMPARE(fit.status, 2);
        QVERIFY(fit.err.contains("--objective pin"));
    }

    void solve_pin_givesOneLineAnInstance_aliasesBecomeCanonical() {
        const Folder folder;
        const QString lines = folder.write("i.jsonl", QByteArray(kInstance) + kInstance);
        const Finished f = runMemplan({"solve", lines, "--solver", "greedy,cpsat"});
        QVERIFY2(f.status == 0, describe(f).constData());
        QCOMPARE(f.out.count('\n'), 2);
        const QJsonObject results = parsed(f.out.split('\n').first())["results"].toObject();
        QCOMPARE(results.keys(), (QStringList{"exact", "greedy"}));
        const QJsonObject exact = results["exact"].toObject();
        QCOMPARE(exact["pinned_bytes"].toInt(), 256);
        QCOMPARE(exact["upper_bound_bytes"].toInt(), 256);
        QVERIFY(exact["optimal"].toBool());
        QCOMPARE(exact["addresses"].toObject().size(), 3);
    }

    void solve_usage_data() {
        QTest::addColumn<QStringList>("more");
        QTest::newRow("no solver") << QStringList{"--capacity", "200"};
        QTest::newRow("unknown solver") << QStringList{"--capacity", "200", "--solver", "simplex"};
        QTest::newRow("no capacity") << QStringList{"--solver", "greedy"};
        QTest::newRow("capacity no number") << QStringList{"--solver", "greedy", "--capacity", "2MB"};
        QTest::newRow("objective") << QStringList{"--solver", "greedy", "--capacity", "200", "--objective", "best"};
        QTest::newRow("timeout") << QStringList{"--solver", "greedy", "--capacity", "200", "--timeout", "-1"};
    }
    void solve_usage() {
        QFETCH(QStringList, more);
        const Folder folder;
        const Finished f = runMemplan(QStringList{"solve", folder.write("b.csv", kCsv)} + more);
        QVERIFY2(f.status == 2, describe(f).constData());
    }
};

MEMPLAN_TEST(TestCliSolve)
#include "tst_cli_solve.moc"
