// SPDX-License-Identifier: Apache-2.0
// Spyre bundles on the command line: compile --export, and bundles and wrapper sources as input.
#include "tests/app/cli/cli_support.h"
#include "tests/support/program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QJsonValue>
#include <QTest>

using cli_test::fileText;
using cli_test::Finished;
using cli_test::Folder;
using cli_test::parsed;
using cli_test::runMemplan;

namespace {

/// y = neg(x) over 4 tiles of 128 rows, the tile of y in LX, then z = abs(y).
QByteArray wrapper() {
    const auto arg = [](const char* head, const char* size, const char* place, const char* tail) {
        return QByteArray("            TensorArg(\n                ") + head +
               ", device_dtype=DataFormats.SEN169_FP16,\n                device_size=" + size +
               ",\n                device_coordinates=[sympify('floor(c1/64)'), sympify('c0'), sympify('Mod(c1, "
               "64)')],\n"
               "                allocation={" +
               place + "},\n                stride_map=[64, 256, 1],\n" + tail + "            ),\n";
    };
    const auto op = [](const char* name, const QByteArray& args) {
        return QByteArray("    OpSpec(\n        op='") + name +
               "',\n        is_reduction=False,\n"
               "        iteration_space={sympify('c0'): (sympify('128'), 32), sympify('c1'): (sympify('256'), 1)},\n"
               "        op_info={},\n        tiled_symbols=[sympify('c0')],\n        args=[\n" +
               args + "        ]\n    ),\n";
    };
    const QByteArray fixed = "                per_tile_fixed=True,\n";
    return "from sympy import sympify\n\nsdsc_k = async_compile.sdsc('sdsc_k', [LoopSpec(count=sympify('4'), body=[\n" +
           op("neg", arg("is_input=True, arg_index=0", "[4, 512, 64]", "'hbm': 0", "") +
                         arg("is_input=False, arg_index=-1", "[4, 128, 64]", "'lx': 0", fixed)) +
           op("abs", arg("is_input=True, arg_index=-1", "[4, 128, 64]", "'lx': 0", fixed) +
                         arg("is_input=False, arg_index=1", "[4, 512, 64]", "'hbm': 17179869184", "")) +
           "], tiled_symbols=[sympify('c0')])])\n\ndef call(args):\n    x, = args\n    sdsc_k.run(x, z)\n    return "
           "(z,)\n";
}

}  // namespace

class TestCliBundle : public QObject {
    Q_OBJECT

private slots:
    void exportWritesOneFolderPerKernel() {
        const Folder folder;
        const QString source = folder.write("output_code.py", wrapper());
        const QString out = folder.path("out");
        const Finished f = runMemplan({"compile", source, "--out", folder.path("plan.json"), "--export", out});
        QVERIFY2(f.status == 0, describe(f).constData());
        QCOMPARE(QDir(out).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
                 (QStringList{"output_code.py", "sdsc_k"}));
        QCOMPARE(QDir(out + "/sdsc_k").entryList(QDir::Files),
                 (QStringList{"bundle.mlir", "sdsc_0.json", "sdsc_1.json"}));
        const QByteArray mlir = fileText(out + "/sdsc_k/bundle.mlir");
        // 128 rows of the device layout are 128 sticks of 128 bytes.
        QVERIFY2(mlir.contains("(s0 + 16384*d0)"), mlir.constData());
        QCOMPARE(mlir.count("sdscbundle.sdsc_execute"), 2);
        const QJsonObject plan = parsed(folder.read("plan.json"));
        QVERIFY(plan["target_data"].toObject()["op_specs"].toObject().contains("sdsc_k"));
    }

    void exportIsDeterministicAndKeepsWhatIsThere() {
        const Folder folder;
        const QString source = folder.write("w.py", wrapper());
        const QStringList args{"compile", source, "--out", folder.path("p.json"), "--export"};
        QCOMPARE(runMemplan(args + QStringList{folder.path("a")}).status, 0);
        QCOMPARE(runMemplan(args + QStringList{folder.path("b")}).status, 0);
        for (const char* file :
             {"/output_code.py", "/sdsc_k/bundle.mlir", "/sdsc_k/sdsc_0.json", "/sdsc_k/sdsc_1.json"}) {
            const QByteArray text = fileText(folder.path("a") + file);
            QVERIFY(!text.isEmpty());
            QCOMPARE(fileText(folder.path("b") + file), text);
        }
        const Finished refused = runMemplan(args + QStringList{folder.path("a")});
        QCOMPARE(refused.status, 4);
        QVERIFY2(refused.err.contains("not empty"), refused.err.constData());
        QCOMPARE(runMemplan(args + QStringList{folder.path("a"), "--force"}).status, 0);
        QCOMPARE(folder.entries(), (QStringList{"a", "b", "p.json", "w.py"}));  // nothing half-made is left
    }

    void anExportIsAnInput() {
        const Folder folder;
        const QString source = folder.write("w.py", wrapper());
        const QString first = folder.path("first");
        QCOMPARE(runMemplan({"compile", source, "--out", folder.path("p.json"), "--export", first}).status, 0);
        for (const QString& input : {first, first + "/sdsc_k"}) {
            const Finished f = runMemplan(
                {"compile", input, "--out", folder.path("q.json"), "--export", folder.path("again"), "--force"});
            QVERIFY2(f.status == 0, describe(f).constData());
            QCOMPARE(fileText(folder.path("again/sdsc_k/bundle.mlir")), fileText(first + "/sdsc_k/bundle.mlir"));
            const QJsonObject plan = parsed(folder.read("q.json"));
            QCOMPARE(plan["ops"].toArray().size(), 2);
            QCOMPARE(plan["ops"].toArray()[0].toObject()["loop_counts"].toArray()[0].toInt(), 4);
        }
        const Finished stats = runMemplan({"explain", first, "--stats"});
        QVERIFY2(stats.status == 0, describe(stats).constData());
    }

    /// Folders as the original writes them hold no layouts and no names: what is rebuilt contradicts itself nowhere.
    void foldersWithoutTheWrapper_verify_data() {
        QTest::addColumn<QString>("sample");
        for (const char* sample : {"S1", "N1", "N2"})
            QTest::newRow(sample) << QString::fromLatin1(sample);
    }
    void foldersWithoutTheWrapper_verify() {
        QFETCH(QString, sample);
        const Folder folder;
        const QString bundle = folder.path("b");
        QCOMPARE(runMemplan({"compile", sample, "--out", folder.path("p.json"), "--export", bundle}).status, 0);
        QVERIFY(QFile::remove(bundle + "/output_code.py"));
        const Finished opened = runMemplan({"compile", bundle, "--out", folder.path("q.json")});
        QVERIFY2(opened.status == 0, describe(opened).constData());
        QVERIFY2(!opened.err.contains("BND-106"), opened.err.constData());
        const Finished verified = runMemplan({"verify", folder.path("q.json")});
        QVERIFY2(verified.status == 0, describe(verified).constData());
        const auto placed = [](const QJsonObject& plan) {
            int count = 0;
            for (const QJsonValue& b : plan["buffers"].toArray())
                count += b.toObject()["address"].isDouble() ? 1 : 0;
            return count;
        };
        QVERIFY(placed(parsed(folder.read("q.json"))) >= placed(parsed(folder.read("p.json"))));
    }

    /// Files are not to blame for a graph that they were not made of; of a graph with other functions they are.
    void verify_ofAnotherGraph_namesWhatDiffers() {
        const Folder folder;
        const QString plan = folder.path("plan.json"), own = folder.path("own"), bare = folder.path("bare");
        QCOMPARE(runMemplan({"compile", "S1", "--out", plan, "--export", bare}).status, 0);
        QCOMPARE(runMemplan({"convert", plan, own, "--to", "bundle"}).status, 0);
        for (const QString& bundle : {own, bare}) {
            QCOMPARE(runMemplan({"verify", bundle, "--graph", "S1"}).status, 0);
            for (const char* other : {"S2", "S4"}) {
                const Finished f = runMemplan({"verify", bundle, "--graph", other});
                QVERIFY2(f.status == 2 && f.errLines().size() == 1 && f.out.isEmpty(), describe(f).constData());
                QVERIFY2(f.err.contains("--graph: CLI-001 this is another graph: ") &&
                             f.err.contains("name the graph that the bundle was made of"),
                         describe(f).constData());
            }
        }
        QVERIFY(runMemplan({"verify", bare, "--graph", "S4"}).err.contains("the bundle takes no \"w\""));
        const Finished size = runMemplan({"verify", bare, "--graph", "S2"});
        QVERIFY2(size.err.contains("its \"x\" is 1024 x 2048, that of the bundle has 524"), size.err.constData());
        // The same tensors, another function: that is what is wrong then.
        QFile file(own + "/graph.mpg.json");
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray log = file.readAll();
        log.replace("\"fn\":\"exp\"", "\"fn\":\"log\"").replace("\"fn\": \"exp\"", "\"fn\": \"log\"");
        for (const QString& bundle : {own, bare}) {
            const Finished f = runMemplan({"verify", bundle, "--graph", folder.write("log.mpg.json", log)});
            QVERIFY2(f.status == 1 && f.err.contains("VER-015"), describe(f).constData());
        }
    }

    void damagedBundlesOpenWithProblems() {
        const Folder folder;
        const QString source = folder.write("w.py", wrapper());
        QCOMPARE(runMemplan({"compile", source, "--out", folder.path("p.json"), "--export", folder.path("o")}).status,
                 0);
        QVERIFY(QFile::remove(folder.path("o/sdsc_k/sdsc_1.json")));
        const Finished f = runMemplan({"compile", folder.path("o/sdsc_k"), "--out", folder.path("q.json")});
        QVERIFY2(f.status == 0, describe(f).constData());
        QVERIFY2(f.err.contains("sdsc_1.json"), f.err.constData());
    }

    void hostileSourcesAreOneError() {
        const Folder folder;
        const QString source = folder.write("w.py", "k = async_compile.sdsc('k', " + QByteArray(100000, '['));
        const Finished f =
            runMemplan({"compile", source, "--out", folder.path("q.json"), "--export", folder.path("o")});
        QCOMPARE(f.status, 3);
        QCOMPARE(f.errLines().size(), 1);
        QCOMPARE(folder.entries(), (QStringList{"w.py"}));
    }
};

MEMPLAN_TEST(TestCliBundle)
#include "tst_cli_bundle.moc"
