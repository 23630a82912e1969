// SPDX-License-Identifier: Apache-2.0
// Plans of L1 chains on the command line: what `verify` says of them, and of the modules that they are exported as.
#include "tests/app/cli/cli_support.h"
#include "tests/support/program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
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

    /// command-line.md: NAME is a buffer, an operation, a chain or a node; all of several alike stand in the JSON.
    void explain_chains() {
        const Folder folder;
        const QString plan = folder.path("p.json");
        const Finished made = runMemplan({"compile", "S6", "--out", plan});
        if (made.err.contains("IN-012")) QSKIP("the MLIR library is not here");
        const QByteArray stats = runMemplan({"explain", plan, "--stats"}).out;
        QVERIFY2(stats.contains("policy") && stats.contains(" by time, ") && stats.contains("chain 0  "), stats);
        const Finished chain = runMemplan({"explain", plan, "chain 0"});
        QVERIFY2(chain.status == 0 && chain.out.startsWith("chain chain 0\n") && chain.out.contains("  ends "),
                 describe(chain).constData());
        // Each message of the model stands in the text and in the JSON.
        const Finished failed = runMemplan({"explain", plan, "chain 12"});
        const QJsonObject found =
            parsed(runMemplan({"explain", plan, "chain 12", "--json"}).out)["found"][0].toObject();
        const QJsonArray messages = found["facts"]["the model said"].toArray();
        QVERIFY2(messages.size() > 1 && failed.out.count("\n  the model said ") == messages.size(),
                 describe(failed).constData());
        const Finished none = runMemplan({"explain", plan, "chain 99"});
        QVERIFY2(none.status == 2 && none.err.contains("nothing named \"chain 99\""), describe(none).constData());
    }

    /// Layouts are what an operation without loops is divided by.
    void compare_layouts() {
        const Folder folder;
        const QString a = folder.path("a.json"), b = folder.path("b.json");
        const QString module = folder.write("m.mlir", R"(module @m {
  func.func @forward(%a: tensor<512x1024xbf16>) -> tensor<512x1024xbf16> {
    %0 = "ttnn.relu"(%a) : (tensor<512x1024xbf16>) -> tensor<512x1024xbf16> loc("root")
    %1 = "ttnn.neg"(%0) : (tensor<512x1024xbf16>) -> tensor<512x1024xbf16> loc("end")
    return %1 : tensor<512x1024xbf16>
  }
}
)");
        const Finished made = runMemplan({"compile", module, "--out", a});
        if (made.err.contains("IN-012")) QSKIP("the MLIR library is not here");
        const QStringList other{"compile", module, "--set", "ttnn.override_output_layout=root=1x32:l1:width_sharded",
                                "--out",   b};
        QCOMPARE(runMemplan(other).status, 0);
        const Finished compared = runMemplan({"compare", a, b});
        QVERIFY2(compared.out.contains("l1 block_sharded 8x8  l1 width_sharded 1x32"), describe(compared).constData());
        QVERIFY2(!compared.out.contains("one piece"), describe(compared).constData());
    }

    /// The source has the operation, and another one does its work.
    void fusedOperations_areNoMisspellings() {
        const Folder folder;
        const QString module = folder.write("m.mlir", R"(module @m {
  func.func @f(%x: tensor<32x512xbf16>, %w: tensor<512x1024xbf16>, %b: tensor<1024xbf16>) -> tensor<32x1024xbf16> {
    %0 = "ttir.matmul"(%x, %w) : (tensor<32x512xbf16>, tensor<512x1024xbf16>) -> tensor<32x1024xbf16> loc("fc1")
    %1 = "ttir.add"(%0, %b) : (tensor<32x1024xbf16>, tensor<1024xbf16>) -> tensor<32x1024xbf16> loc("bias1")
    %2 = "ttir.gelu"(%1) : (tensor<32x1024xbf16>) -> tensor<32x1024xbf16> loc("gelu1")
    return %2 : tensor<32x1024xbf16>
  }
}
)");
        const QString plan = folder.path("p.json");
        const Finished made = runMemplan({"compile", module, "--out", plan});
        if (made.err.contains("IN-012")) QSKIP("the MLIR library is not here");
        const Finished fused = runMemplan({"explain", plan, "fc1"});
        QVERIFY2(fused.status == 2 && fused.err.contains("another one does its work"), describe(fused).constData());
        const Finished kept = runMemplan({"explain", plan, "bias1"});
        QVERIFY2(kept.out.contains("gelu, fused into it") && kept.out.contains("why: it was placed as l1 "),
                 describe(kept).constData());
        const Finished forced = runMemplan({"compile", module, "--set", "ttnn.override_output_layout=fc1=tile"});
        QVERIFY2(forced.status == 2 && forced.err.contains("fused into another one or lowered away"),
                 describe(forced).constData());
    }

    /// Values between operations are open before the pass that decides about them.
    void stoppedEarly_isNotDecided() {
        const Folder folder;
        const QString plan = folder.path("p.json");
        const Finished made = runMemplan({"compile", "S6", "--out", plan, "--stop-after", "fuse_ops"});
        if (made.err.contains("IN-012")) QSKIP("the MLIR library is not here");
        QCOMPARE(runMemplan({"verify", plan}).status, 0);
        const Finished stats = runMemplan({"explain", plan, "--stats"});
        QVERIFY2(stats.out.contains("not decided") && !stats.out.contains("chain_end_spilled"),
                 describe(stats).constData());
    }

    /// The last pass writes files, and none where no folder is named for them.
    void stoppedAfterTheExport_isAWholePlan() {
        const Folder folder;
        const QString plan = folder.path("p.json");
        QStringList compile{"compile", "S6", "--out", plan, "--stop-after", "write_module"};
        if (runMemplan(compile).err.contains("IN-012")) QSKIP("the MLIR library is not here");
        const Finished without = runMemplan({"verify", plan});
        QVERIFY2(without.status == 0, describe(without).constData());
        QCOMPARE(runMemplan(compile << "--export" << folder.path("files")).status, 0);
        const Finished with = runMemplan({"verify", plan});
        QVERIFY2(with.status == 0, describe(with).constData());
    }

    /// What lies in L1 is an allocation instance, with or without addresses.
    void convert_toBufferList() {
        const Folder folder;
        const QString plan = folder.path("p.json"), list = folder.path("l.csv");
        const Finished made = runMemplan({"compile", "S6", "--out", plan});
        if (made.err.contains("IN-012")) QSKIP("the MLIR library is not here");
        QCOMPARE(runMemplan({"convert", plan, list}).status, 0);
        const Finished solved = runMemplan({"solve", list, "--solver", "bestfit", "--capacity", "1423206"});
        QVERIFY2(solved.status == 0 && solved.out.startsWith("id,lower,upper,size,"), describe(solved).constData());
        QVERIFY2(solved.out.count('\n') > 5, describe(solved).constData());
    }

    /// Two arguments of one wrong layout stand in one place.
    void warnings_areSaidOnce() {
        const Folder folder;
        const QString module = folder.write("m.mlir", R"(#dram = #ttnn.buffer_type<dram>
#lay = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#lay1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
module @m {
  func.func @forward(%a: tensor<64x64xbf16, #lay>, %b: tensor<64x64xf32, #lay1>) -> tensor<64x64xbf16> {
    %0 = "ttnn.add"(%a, %a) : (tensor<64x64xbf16, #lay>, tensor<64x64xbf16, #lay>) -> tensor<64x64xbf16>
    return %0 : tensor<64x64xbf16>
  }
}
)");
        const QString plan = folder.path("p.json");
        const Finished made = runMemplan({"compile", module, "--out", plan});
        if (made.err.contains("IN-012")) QSKIP("the MLIR library is not here");
        QVERIFY2(made.status == 0 && made.err.count("TT-023") == 1, describe(made).constData());
        QVERIFY(runMemplan({"compile", module, "--out", plan, "--json-errors"}).err.count("TT-023") > 1);
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
