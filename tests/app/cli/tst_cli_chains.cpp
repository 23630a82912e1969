// SPDX-License-Identifier: Apache-2.0
// Plans of L1 chains on the command line: what `verify` says of them, and of the modules that they are exported as.
#include "tests/app/cli/cli_support.h"
#include "tests/support/program.h"

#include <QFile>
#include <QTest>

using namespace cli_test;

class TestCliChains : public QObject {
    Q_OBJECT

private slots:
    /// One true sentence where a machine has nothing to run, and what was verified where a module was given.
    void verify_chains_saysWhyItRunsNothing() {
        const Folder folder;
        const QString plan = folder.path("p.json");
        const Finished made = runMemplan({"compile", "S6", "--out", plan});
        if (made.err.contains("IN-012")) QSKIP("the MLIR library is not here");
        const Finished run = runMemplan({"verify", plan, "--simulate"});
        QVERIFY2(run.status == 1 && run.err.contains("VER-025"), describe(run).constData());
        QVERIFY2(run.err.contains("names no addresses") && !run.err.contains("execution record"),
                 describe(run).constData());
        QVERIFY(!runMemplan({"verify", plan}).out.contains("this file"));
        const QString module = folder.path("m.mlir");
        QCOMPARE(runMemplan({"convert", "S6", module}).status, 0);
        const Finished verified = runMemplan({"verify", module});
        QVERIFY2(verified.out.contains("of the plan that this file gives"), describe(verified).constData());
    }

    /// Its export is a module, which nothing runs; folders without one are no export.
    void verify_export_saysWhatToVerify() {
        const Folder folder;
        const QString exported = folder.path("e");
        const Finished made = runMemplan({"compile", "S6", "--out", folder.path("p.json"), "--export", exported});
        if (made.err.contains("IN-012")) QSKIP("the MLIR library is not here");
        for (const QStringList& args :
             {QStringList{"verify", exported}, QStringList{"verify", exported, "--simulate"}}) {
            const Finished f = runMemplan(args);
            QVERIFY2(f.status == 3 && f.errLines().size() == 1 && f.err.contains("cannot be executed"),
                     describe(f).constData());
            QVERIFY2(f.err.contains(("memplan verify " + exported + "/module.mlir").toUtf8()), describe(f).constData());
        }
        QCOMPARE(runMemplan({"verify", exported + "/module.mlir"}).status, 0);
        QVERIFY(QFile::remove(exported + "/module.mlir"));
        QVERIFY(!runMemplan({"verify", exported}).err.contains("executed"));
    }
};

MEMPLAN_TEST(TestCliChains)
#include "tst_cli_chains.moc"
