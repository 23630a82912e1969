// SPDX-License-Identifier: Apache-2.0
// Damaged and hostile bundles and wrapper sources (spyre-coarse-tiling-and-bundle 17.1, inputs-and-interchange 7).
#include "engine/io/files/folder.h"
#include "engine/io/input.h"
#include "engine/spyre/bundle/bundle.h"
#include "engine/spyre/bundle/python/wrapper.h"
#include "engine/spyre/bundle/unroll.h"
#include "engine/spyre/codegen/codegen_passes.h"
#include "engine/spyre/import/bundle_import.h"
#include "engine/spyre/import/mlir_reader.h"
#include "engine/spyre/import/sdsc_reader.h"
#include "engine/target/compile.h"
#include "tests/engine/bundle/bundle_support.h"
#include "tests/support/program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace memplan;
using namespace memplan::bundle;

namespace {

PlanPtr planOf(const ImportedProgram& program) {
    CompileRequest request;
    request.program = std::make_shared<const ImportedProgram>(program);
    request.graph = graphOf(program, "k");
    return compile(request, {}).plan;
}

}  // namespace

class TestBundleDamage : public QObject {
    Q_OBJECT

private slots:
    // ---- damage ------------------------------------------------------------------------------------------

    void damagedBundlesOpen_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("ops");
        QTest::newRow("a file is missing") << "sdsc_1.json" << QByteArray() << "BND-104" << 1;
        QTest::newRow("broken JSON") << "sdsc_0.json" << QByteArray("{\"0_add\": {") << "BND-104" << 1;
        QTest::newRow("other JSON") << "sdsc_0.json" << QByteArray("[1, 2]") << "BND-104" << 1;
        QTest::newRow("no program") << "bundle.mlir" << QByteArray() << "BND-104" << 2;
        QTest::newRow("broken program") << "bundle.mlir" << QByteArray("module {") << "BND-103" << 2;
    }

    void damagedBundlesOpen() {
        QFETCH(QString, file);
        QFETCH(QByteArray, text);
        QFETCH(QString, code);
        QFETCH(int, ops);
        QTemporaryDir dir;
        const std::string folder = pathIn(dir, "k");
        const BundleFiles files = filesOf(seedKernel().specs, options(StrideModel::HostStrideMap));
        QVERIFY(io::writeFolder(folder, withNames(files), false).ok());
        const std::string path = folder + "/" + file.toStdString();
        QVERIFY(QFile::remove(QString::fromStdString(path)));
        if (!text.isEmpty()) QVERIFY(io::writeFileAtomically(path, text.toStdString()).ok());
        const ImportedProgram program = imported(folder);
        QCOMPARE(static_cast<int>(opsOf(program.kernels[0].specs).size()), ops);
        QVERIFY(hasCode(program.problems, code.toStdString()));
        // What is left is a plan, and says so.
        const PlanPtr plan = planOf(program);
        QVERIFY(plan != nullptr);
        QVERIFY(hasCode(plan->problems, code.toStdString()));
    }

    /// What is lost is an operation that says so, and the problem leads to it.
    void lostDescriptorsAreNamed_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("type");
        QTest::newRow("missing") << QByteArray() << "op1_sdsc_1_missing"
                                 << "missing descriptor";
        QTest::newRow("broken") << QByteArray("{\"1_mul\": {") << "op1_sdsc_1_unreadable"
                                << "unreadable descriptor";
    }

    void lostDescriptorsAreNamed() {
        QFETCH(QByteArray, text);
        QTemporaryDir dir;
        const std::string folder = pathIn(dir, "k");
        const BundleFiles files = filesOf(seedKernel().specs, options(StrideModel::HostStrideMap));
        QVERIFY(io::writeFolder(folder, withNames(files), false).ok());
        QVERIFY(QFile::remove(QString::fromStdString(folder + "/sdsc_1.json")));
        if (!text.isEmpty()) QVERIFY(io::writeFileAtomically(folder + "/sdsc_1.json", text.toStdString()).ok());
        const PlanPtr plan = planOf(imported(folder));
        QCOMPARE(plan->ops.size(), std::size_t{2});
        QTEST(QString::fromStdString(plan->ops[1].name), "name");
        QTEST(QString::fromStdString(plan->ops[1].type), "type");
        const auto reported = std::find_if(plan->problems.begin(), plan->problems.end(),
                                           [](const Diagnostic& d) { return d.where.starts_with("k/sdsc_1.json"); });
        QVERIFY(reported != plan->problems.end());
        QCOMPARE(reported->ops, std::vector<OpId>{OpId::of(1)});
    }

    /// One finding for each pair: with both buffers, the place in the source and what to do.
    void overlappingScratchpadIsToldOnce() {
        ImportedProgram program;
        program.kernels = {seedKernel()};
        Kernel& k = program.kernels.front();
        // c comes from LX too, 16 KiB into the tile of y, which is live at the same op.
        opsOf(k.specs)[1]->args[1].allocation = Allocation{Space::Lx, 16384};
        const PlanPtr plan = planOf(program);
        std::vector<Diagnostic> reported;
        for (const Diagnostic& d : plan->problems) {
            if (d.code == "BND-106" || d.code == "VER-003") reported.push_back(d);
        }
        QCOMPARE(reported.size(), std::size_t{1});
        QCOMPARE(reported[0].code, std::string("BND-106"));
        QCOMPARE(reported[0].buffers.size(), std::size_t{2});
        for (const BufferId id : reported[0].buffers)
            QVERIFY2(reported[0].message.find("\"" + plan->buffer(id).name + "\"") != std::string::npos,
                     reported[0].message.c_str());
        QVERIFY2(reported[0].where.starts_with("sdsc_fused_add_mul_0[0].body[0].body["), reported[0].where.c_str());
        QVERIFY(!reported[0].hint.empty());
        opsOf(k.specs)[1]->args[1].allocation = Allocation{Space::Lx, 65536};
        QVERIFY(!hasCode(planOf(program)->problems, "BND-106"));
    }

    void symbolIdsAreCompared() {
        QTemporaryDir dir;
        const std::string folder = pathIn(dir, "k");
        BundleFiles files = filesOf(seedKernel().specs, options(StrideModel::HostStrideMap));
        const std::size_t at = files.mlir.find("[-1, -2]");
        files.mlir.replace(at, 8, "[-1, -7]");
        QVERIFY(io::writeFolder(folder, withNames(files), false).ok());
        QVERIFY(hasCode(imported(folder).problems, "CT-024"));
    }

    void pathsStayInside() {
        QTemporaryDir dir;
        const std::string folder = pathIn(dir, "k");
        BundleFiles files = filesOf(seedKernel().specs, options(StrideModel::HostStrideMap));
        const std::size_t at = files.mlir.find("sdsc_0.json");
        files.mlir.replace(at, 11, "../secret.json");
        QVERIFY(io::writeFolder(folder, withNames(files), false).ok());
        QVERIFY(hasCode(imported(folder).problems, "BND-003"));
    }

    /// The folder may be reached by a link and hold links to its own files; what a link outside names is not read.
    void linksStayInside() {
        QTemporaryDir dir;
        const std::string folder = pathIn(dir, "k");
        const BundleFiles files = filesOf(seedKernel().specs, options(StrideModel::HostStrideMap));
        QVERIFY(io::writeFolder(folder, withNames(files), false).ok());
        const QString inside = QString::fromStdString(folder);
        QVERIFY(QFile::link(inside, dir.filePath("way")));
        QVERIFY(io::importBundleFolder(pathIn(dir, "way"), {}, {}).ok());
        QVERIFY(QFile::rename(inside + "/sdsc_1.json", inside + "/other.json"));
        QVERIFY(QFile::link(inside + "/other.json", inside + "/sdsc_1.json"));
        QVERIFY(!hasCode(imported(folder).problems, "BND-104"));
        for (const char* name : {"sdsc_1.json", "bundle.mlir", "output_code.py"}) {
            QTemporaryDir outside;
            const QString link = inside + "/" + name;
            const QString target = outside.filePath("secret");
            const bool isNew = !QFile::exists(link);
            QVERIFY(isNew ? io::writeFileAtomically(target.toStdString(), "secret").ok() : QFile::copy(link, target));
            QVERIFY(isNew || QFile::remove(link));
            QVERIFY(QFile::link(target, link));
            const auto refused = io::importBundleFolder(folder, {}, {});
            QVERIFY2(!refused.ok(), name);
            QCOMPARE(refused.error().primary().code, std::string("BND-003"));
            QVERIFY(refused.error().primary().where.ends_with(name));
            QVERIFY(QFile::remove(link));
            QVERIFY(isNew || QFile::copy(target, link));
        }
    }

    /// A folder of kernels, one of which is a link to a kernel elsewhere.
    void linkedKernelsStayInside() {
        QTemporaryDir dir;
        QTemporaryDir outside;
        const BundleFiles files = filesOf(seedKernel().specs, options(StrideModel::HostStrideMap));
        QVERIFY(io::writeFolder(pathIn(outside, "k_1"), withNames(files), false).ok());
        QVERIFY(io::writeFolder(pathIn(dir, "b/k_0"), withNames(files), false).ok());
        QVERIFY(io::importBundleFolder(pathIn(dir, "b"), {}, {}).ok());
        QVERIFY(QFile::link(outside.filePath("k_1"), dir.filePath("b/k_1")));
        const auto refused = io::importBundleFolder(pathIn(dir, "b"), {}, {});
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().primary().code, std::string("BND-003"));
    }

    /// Sizes, coordinates and strides of a tensor that differ in number are an error with the tensor's place.
    void lengthsAreCompared_data() {
        QTest::addColumn<QByteArray>("what");
        QTest::addColumn<QByteArray>("by");
        QTest::newRow("no sizes") << QByteArray("device_size=[") << QByteArray("device_sizw=[");
        QTest::newRow("no coordinates") << QByteArray("device_coordinates=[") << QByteArray("coordinates=[");
        QTest::newRow("a size more") << QByteArray("device_size=[") << QByteArray("device_size=[1, ");
        QTest::newRow("a stride more") << QByteArray("stride_map=[") << QByteArray("stride_map=[1, ");
        QTest::newRow("a coordinate more")
            << QByteArray("device_coordinates=[") << QByteArray("device_coordinates=[sympify('0'), ");
        QTest::newRow("a negative size") << QByteArray("device_size=[") << QByteArray("device_size=[-");
    }

    void lengthsAreCompared() {
        QFETCH(QByteArray, what);
        QFETCH(QByteArray, by);
        WrapperFile wrapper;
        wrapper.kernels = {seedKernel()};
        const QByteArray source = QByteArray::fromStdString(wrapperText(wrapper));
        int places = 0;
        for (qsizetype at = source.indexOf(what); at >= 0; at = source.indexOf(what, at + 1), ++places) {
            QByteArray text = source;
            text.replace(at, what.size(), by);
            const auto read = io::importWrapper(text.toStdString());
            QVERIFY(!read.ok());
            QCOMPARE(read.error().primary().code, std::string("CT-025"));
            QVERIFY2(read.error().primary().where.find(".args[") != std::string::npos,
                     read.error().primary().where.c_str());
        }
        QVERIFY(places > 0);
    }

    // ---- hostile texts -----------------------------------------------------------------------------------

    void truncatedTexts() {
        const BundleFiles files = filesOf(seedKernel().specs, options(StrideModel::HostStrideMap));
        for (std::size_t n = 0; n < files.mlir.size(); ++n)
            QVERIFY(isCalm(io::readBundleMlir(std::string_view(files.mlir).substr(0, n))));
        WrapperFile wrapper;
        wrapper.kernels = {seedKernel()};
        const std::string source = wrapperText(wrapper);
        for (std::size_t n = 0; n < source.size(); n += 3) {
            Diagnostics notes;
            QVERIFY(isCalm(readWrapper(std::string_view(source).substr(0, n), notes)));
        }
        const std::string& sdsc = files.operations[0].second;
        for (std::size_t n = 0; n < sdsc.size(); n += 37)
            QVERIFY(isCalm(io::readSdsc(std::string_view(sdsc).substr(0, n), {}, {})));
    }

    /// Every byte replaced in turn: an answer or an error, never a crash.
    void alteredTexts() {
        const BundleFiles files = filesOf(seedKernel().specs, options(StrideModel::HostStrideMap));
        WrapperFile wrapper;
        wrapper.kernels = {seedKernel()};
        const std::string source = wrapperText(wrapper);
        for (const char c : {'9', '-', '(', '}', '"', '\\', '\xff'}) {
            for (std::size_t n = 0; n < files.mlir.size(); n += 2) {
                std::string text = files.mlir;
                text[n] = c;
                QVERIFY(isCalm(io::readBundleMlir(text)));
            }
            for (std::size_t n = 0; n < source.size(); n += 11) {
                std::string text = source;
                text[n] = c;
                QVERIFY(isCalm(io::importWrapper(text)));
            }
            const std::string& sdsc = files.operations[0].second;
            for (std::size_t n = 0; n < sdsc.size(); n += 61) {
                std::string text = sdsc;
                text[n] = c;
                QVERIFY(isCalm(io::importSdsc(text, "x", {}, {})));
            }
        }
    }

    void hostileTexts_data() {
        QTest::addColumn<QByteArray>("text");
        const auto wrapper = [](const std::string& list) {
            return QByteArray::fromStdString("k = async_compile.sdsc('k', " + list + ")\n");
        };
        QTest::newRow("deep lists") << wrapper(nested("[", "", "]", 100000));
        QTest::newRow("deep calls") << wrapper("[" + nested("LoopSpec(count=1, body=[", "", "])", 5000) + "]");
        QTest::newRow("huge number") << wrapper("[OpSpec(op='a', is_reduction=False, iteration_space={sympify('c'): "
                                                "(sympify('99999999999999999999999'), 1)}, args=[])]");
        QTest::newRow("list for a string") << wrapper("[OpSpec(op=[1], is_reduction=False)]");
        QTest::newRow("number for a list") << wrapper("7");
        QTest::newRow("sizes for coordinates") << wrapper("[OpSpec(op='a', args=[TensorArg(device_coordinates=3)])]");
        QTest::newRow("symbol for an extent") << wrapper("[OpSpec(op='a', iteration_space={3: (1, 1)})]");
        QTest::newRow("no kernel") << QByteArray("import os\n# async_compile.sdsc( is not here\n");
        QTest::newRow("open string") << wrapper("[OpSpec(op='a");
        QTest::newRow("no count") << wrapper("[LoopSpec(body=[])]");
    }

    void hostileTexts() {
        QFETCH(QByteArray, text);
        const auto read = io::importWrapper(text.toStdString());
        QVERIFY(!read.ok());
        QVERIFY(read.error().primary().code.starts_with("BND-10"));
        QVERIFY(!read.error().primary().where.empty());
    }

    /// Sizes that no machine has: a plan with problems, no overflow.
    void absurdNumbers() {
        Kernel k = seedKernel();
        for (OpSpec* op : opsOf(k.specs)) {
            op->iterationSpace[0].extent = Expr(std::int64_t{1} << 62);
            op->iterationSpace[0].split = std::int64_t{1} << 40;
            for (TensorArg& a : op->args) {
                a.deviceSize = {std::int64_t{1} << 40, std::int64_t{1} << 40, 64};
                a.allocation->address = INT64_MAX - 5;
            }
        }
        ImportedProgram program;
        program.kernels = {k};
        Diagnostics notes;
        checkKernel(k, 32, notes);
        QVERIFY(hasCode(notes.kept(), "CT-025"));
        QVERIFY(lxOverlaps(lxTensors(k)).size() <= opsOf(k.specs).size());
        CompileRequest request;
        request.program = std::make_shared<const ImportedProgram>(program);
        request.graph = graphOf(program, "x");
        const CompileOutcome outcome = compile(request, {});
        QVERIFY(outcome.plan != nullptr || outcome.failure.has_value());
        Diagnostics more;
        QVERIFY(isCalm(bundleFiles(k.specs, options(StrideModel::DeviceRowMajor), more)));
        QVERIFY(isCalm(unrolled(k.specs, StrideModel::HostStrideMap, more)));
    }
};

MEMPLAN_TEST(TestBundleDamage)
#include "tst_bundle_damage.moc"
