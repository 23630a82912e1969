// SPDX-License-Identifier: Apache-2.0
// Bundles and wrapper sources in and out (spyre-coarse-tiling-and-bundle 9, 12.6, 17.1).
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

#include <QDir>
#include <QLatin1Char>
#include <QTemporaryDir>
#include <QTest>

using namespace memplan;
using namespace memplan::bundle;

class TestBundleImport : public QObject {
    Q_OBJECT

private slots:
    void expressions_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("printed");
        QTest::addColumn<int>("at");  // with c0 = 7, c1 = 130
        QTest::newRow("floor") << "floor(c1/64)"
                               << "floor(c1/64)" << 2;
        QTest::newRow("mod") << "Mod(c1,64)"
                             << "Mod(c1, 64)" << 2;
        QTest::newRow("negative mod has the sign of the divisor") << "Mod(-c0, 4)"
                                                                  << "Mod(-c0, 4)" << 1;
        QTest::newRow("negative floor") << "floor(-c0/2)"
                                        << "floor(-c0/2)" << -4;
        QTest::newRow("precedence") << "2*c0+3"
                                    << "2*c0 + 3" << 17;
        QTest::newRow("parentheses") << "2*(c0 - 3)"
                                     << "2*(c0 - 3)" << 8;
        QTest::newRow("difference of a sum") << "c1-(c0+1)"
                                             << "c1 - (c0 + 1)" << 122;
        QTest::newRow("power") << "c0**2"
                               << "c0**2" << 49;
        QTest::newRow("exact division") << "c1/2/5*10"
                                        << "c1/2/5*10" << 130;
    }

    void expressions() {
        QFETCH(QString, text);
        QFETCH(QString, printed);
        QFETCH(int, at);
        const auto e = Expr::parse(text.toStdString());
        QVERIFY(e.ok());
        QCOMPARE(QString::fromStdString(e.value().text()), printed);
        const auto value = e.value().evaluate([](std::string_view s) { return s == "c0" ? 7 : 130; });
        QVERIFY(value.has_value());
        QCOMPARE(static_cast<int>(*value), at);
    }

    void brokenExpressions_data() {
        QTest::addColumn<QString>("text");
        const std::string deep = nested("(", "c0", ")", 1000);
        for (const char* text : {"", "c0 +", "floor(c0", "sin(c0)", "c0 c1", "99999999999999999999", "Mod(c0)",
                                 "2**9999", "c0 // 2", "\xff", "()"})
            QTest::newRow(text) << QString::fromLatin1(text);
        QTest::newRow("deep") << QString::fromStdString(deep);
        QTest::newRow("long") << QString(5000, QLatin1Char('1'));
    }

    void brokenExpressions() {
        QFETCH(QString, text);
        const auto e = Expr::parse(text.toLatin1().toStdString());
        QVERIFY(!e.ok());
        QCOMPARE(e.error().primary().code, std::string("BND-101"));
    }

    void overflowIsNoValue() {
        QVERIFY(!Expr::parse("9223372036854775807*9223372036854775807").value().integer().has_value());
        QVERIFY(!Expr::parse("c0**64").value().evaluate([](std::string_view) { return 100; }).has_value());
        QVERIFY(!Expr::parse("1/0").value().integer().has_value());
        QVERIFY(!Expr::parse("1/2").value().integer().has_value());
    }

    // ---- bundle.mlir -------------------------------------------------------------------------------------

    void readsWhatIsWritten() {
        const BundleFiles files = filesOf(seedKernel().specs, options(StrideModel::HostStrideMap));
        const auto read = io::readBundleMlir(files.mlir);
        QVERIFY(read.ok());
        const io::BundleProgram& p = read.value();
        QCOMPARE(p.loops.size(), std::size_t{2});
        QCOMPARE(p.loops[0].trips, std::int64_t{2});
        QCOMPARE(p.loops[1].trips, std::int64_t{4});
        QCOMPARE(p.loops[1].parent, 0);
        QCOMPARE(p.order, std::string("llee}}"));
        QCOMPARE(p.executes[1].file, std::string("sdsc_1.json"));
        QCOMPARE(p.executes[1].symbols.size(), std::size_t{2});
        QCOMPARE(p.executes[1].symbols[1].first, std::int64_t{-4});
        const io::AddressExpr& z = p.executes[1].symbols[1].second;
        QCOMPARE(z.base, std::int64_t{51539607552});
        QVERIFY((z.strides == std::vector<std::pair<int, std::int64_t>>{{0, 4194304}, {1, 2048}}));
    }

    void readsOtherSpellings() {
        const char* text = R"(// a comment
#m = affine_map<(i, j)[base, o] -> (o*1 + 2*i*8 - 4 + base + j * 3)>
module @x attributes {a.b = 1 : i32} {
  func.func private @other(%p: !sdscbundle.input_arg<index, granularity=64>) attributes { k = "v" } {
    %zero = arith.constant 0 : index %two = arith.constant 2 : index %ten = arith.constant 10 : index
    %v = sdscbundle.input_arg_extract value from %p : !sdscbundle.input_arg<index, granularity=64> -> index
    %w = arith.addi %v, %ten : index
    scf.for %i = %two to %ten step %two {
      scf.for %j = %zero to %two step %two {
        %a = affine.apply #m(%i, %j)[%w, %two]
        %b = affine.apply affine_map<(d0)[s0] -> (d0*7 + s0)>(%i)[%ten]
        sdscbundle.sdsc_execute (%a,
            %b) { symbol_ids = [-1, -2], sdsc_filename = "sdsc_9.json", more = [1, 2] }
      }
    }
    func.return
  }
})";
        const auto read = io::readBundleMlir(text);
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().primary().message.c_str());
        const io::BundleProgram& p = read.value();
        QCOMPARE(p.function, std::string("other"));
        QCOMPARE(p.loops[0].trips, std::int64_t{4});
        QCOMPARE(p.loops[1].trips, std::int64_t{1});
        const io::AddressExpr& a = p.executes[0].symbols[0].second;
        QVERIFY(a.origin == io::AddressExpr::Origin::Argument);
        QCOMPARE(a.base, std::int64_t{10 + 2 + 32 - 4});  // base, o, 16 * lower bound, constant
        QVERIFY((a.strides == std::vector<std::pair<int, std::int64_t>>{{0, 32}, {1, 6}}));
        const io::AddressExpr& b = p.executes[0].symbols[1].second;
        QCOMPARE(b.base, std::int64_t{24});
        QVERIFY((b.strides == std::vector<std::pair<int, std::int64_t>>{{0, 14}}));
    }

    void illegalPrograms_data() {
        QTest::addColumn<QString>("body");
        QTest::newRow("branch") << "scf.if %c0 { }";
        QTest::newRow("carried") << "scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %c0) { }";
        QTest::newRow("bound moves") << "scf.for %i = %c0 to %c1 step %c1 { scf.for %j = %c0 to %i step %c1 { } }";
        QTest::newRow("step 0") << "scf.for %i = %c0 to %c1 step %c0 { }";
        QTest::newRow("undefined") << "%a = arith.addi %nope, %c0 : index";
        QTest::newRow("twice") << "%c0 = arith.constant 3 : index";
        QTest::newRow("no file") << "sdscbundle.sdsc_execute () {}";
        QTest::newRow("ids and operands") << "sdscbundle.sdsc_execute () {sdsc_filename=\"a\", symbol_ids=[-1]}";
        QTest::newRow("huge") << "%a = arith.constant 99999999999999999999 : index";
        QTest::newRow("overflow") << "%a = arith.constant 9223372036854775807 : index %b = arith.addi %a, %a : index";
        QTest::newRow("product") << "%a = affine.apply affine_map<(d0, d1) -> (d0*d1)>(%c0, %c1)";
        QTest::newRow("too few operands") << "%a = affine.apply affine_map<(d0, d1) -> (d0)>(%c0)";
        QTest::newRow("open string") << "sdscbundle.sdsc_execute () {sdsc_filename=\"a";
        QTest::newRow("deep") << QString::fromStdString(
            nested("scf.for %i = %c0 to %c1 step %c1 {", "", "}", 70).replace(0, 0, ""));
    }

    void illegalPrograms() {
        QFETCH(QString, body);
        const std::string text =
            "module { func.func @f() { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index " +
            body.toStdString() + " return } }";
        const auto read = io::readBundleMlir(text);
        QVERIFY(!read.ok());
        QCOMPARE(read.error().primary().code, std::string("BND-103"));
        QVERIFY(!read.error().primary().where.empty());
    }

    // ---- round trips -------------------------------------------------------------------------------------

    void bundleComesBack_data() {
        QTest::addColumn<int>("model");
        QTest::addColumn<int>("mode");
        for (const StrideModel m : {StrideModel::HostStrideMap, StrideModel::DeviceRowMajor}) {
            for (const AddressMode a :
                 {AddressMode::PerTensorConstants, AddressMode::PerCoreConstants, AddressMode::PerCoreInputArgs}) {
                QTest::addRow("%s %s", std::string(strideModelName(m)).c_str(), std::string(addressModeName(a)).c_str())
                    << static_cast<int>(m) << static_cast<int>(a);
            }
        }
    }

    /// Exported, imported and exported again: the same loops, addresses and text.
    void bundleComesBack() {
        QFETCH(int, model);
        QFETCH(int, mode);
        const BundleOptions o = options(static_cast<StrideModel>(model), static_cast<AddressMode>(mode));
        const Kernel kernel = seedKernel();
        const BundleFiles files = filesOf(kernel.specs, o);
        QTemporaryDir dir;
        const std::string folder = pathIn(dir, "sdsc_fused_add_mul_0");
        QVERIFY(io::writeFolder(folder, withNames(files), false).ok());
        const ImportedProgram program = imported(folder);
        QCOMPARE(program.kernels.size(), std::size_t{1});
        QCOMPARE(program.kernels[0].name, kernel.name);
        QVERIFY(program.strideModel == o.strideModel);
        const SpecTree& tree = program.kernels[0].specs;
        QCOMPARE(depthOf(tree), 2);
        QCOMPARE(tree[0].count.integer().value(), std::int64_t{2});
        QCOMPARE(tree[0].body[0].count.integer().value(), std::int64_t{4});
        const auto before = opsOf(kernel.specs);
        const auto after = opsOf(tree);
        QCOMPARE(after.size(), before.size());
        for (std::size_t i = 0; i < after.size(); ++i) {
            QCOMPARE(after[i]->op, before[i]->op);
            QCOMPARE(after[i]->args.size(), before[i]->args.size());
            for (std::size_t a = 0; a < after[i]->args.size(); ++a) {
                QVERIFY(after[i]->args[a].allocation == before[i]->args[a].allocation);
                QCOMPARE(after[i]->args[a].argIndex, before[i]->args[a].argIndex);
                // The founding listing shows the sizes of a slice where the files say in what it stands (4.4).
                const bool isListed = o.strideModel == StrideModel::HostStrideMap && i == 1 && a == 2;
                const std::vector<std::int64_t> whole{64, 1024, 64};
                QVERIFY(after[i]->args[a].deviceSize == (isListed ? whole : before[i]->args[a].deviceSize));
                QCOMPARE(after[i]->args[a].perTileFixed, before[i]->args[a].perTileFixed);
            }
        }
        const BundleFiles again = filesOf(tree, o);
        QCOMPARE(QString::fromStdString(again.mlir), QString::fromStdString(files.mlir));
        QVERIFY(again.operations == files.operations);
    }

    void wrapperComesBack() {
        WrapperFile file;
        file.kernels = {seedKernel()};
        file.calls = {{"sdsc_fused_add_mul_0", {"a", "b", "c", "z"}, false}};
        file.hostCalls = {{"/layer.0/it's sort", {"a"}, {"b", "c"}, 0}, {"rand\n", {}, {"y"}, 1}};
        file.hostCalls.push_back({"pad", {"zero"}, {"w"}, 1, HostFill{"w", {{16, 3}, {3, 1}, 48}, -0.5}});
        file.inputs = {"a", "b", "c"};
        file.outputs = {"z"};
        const std::string text = wrapperText(file);
        QVERIFY(
            text.find(
                "    # fallback kernel \"/layer.0/it's sort\": a -> b, c\n    sdsc_fused_add_mul_0.run(a, b, c, z)\n"
                "    # fallback kernel 'rand\\n': -> y\n    # fallback kernel 'pad': zero -> w; "
                "fills reinterpret_tensor(w, (16, 3), (3, 1), 48) with -0.5\n    return") != std::string::npos);
        Diagnostics notes;
        const auto read = readWrapper(text, notes);
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().primary().message.c_str());
        QVERIFY(read.value() == file);
        QVERIFY(notes.kept().empty());
        QCOMPARE(QString::fromStdString(wrapperText(read.value())), QString::fromStdString(text));
    }

    void wrapperKeepsWhatItDoesNotKnow() {
        const std::string text =
            "[\n    OpSpec(op='add', is_reduction=False, iteration_space={}, op_info={'constants': "
            "{'clipMin': 0.5, 'n': 3}}, debug_handle=Handle(3, x='y'), args=[]), # why\n]";
        Diagnostics notes;
        const auto read = readSpecList(text, notes);
        QVERIFY(read.ok());
        const std::string out = specListText(read.value());
        QVERIFY(out.find("debug_handle=Handle(3, x='y'),") != std::string::npos);
        QVERIFY(out.find("op_info={'constants': {'clipMin': 0.5, 'n': 3}},") != std::string::npos);
    }

    /// The example of chapter 15 unrolled: 16 files, addresses add up, LX stays (11).
    void unrolledExample() {
        Diagnostics notes;
        const auto flat = unrolled(seedKernel().specs, StrideModel::HostStrideMap, notes);
        QVERIFY(flat.ok());
        QCOMPARE(flat.value().size(), std::size_t{16});
        QCOMPARE(flat.value()[14].op.args[0].allocation->address, std::int64_t{4200448});
        QCOMPARE(flat.value()[14].op.args[2].allocation->address, std::int64_t{0});
        const BundleFiles files = filesOf(flat.value(), options(StrideModel::HostStrideMap));
        QCOMPARE(files.operations.size(), std::size_t{16});
        QVERIFY(files.mlir.find("scf.for") == std::string::npos);
    }

    void tooManyCopies() {
        Kernel k = seedKernel();
        k.specs[0].count = Expr(std::int64_t{1} << 40);
        Diagnostics notes;
        const auto flat = unrolled(k.specs, StrideModel::HostStrideMap, notes);
        QVERIFY(!flat.ok());
        QCOMPARE(flat.error().primary().code, std::string("BND-107"));
    }

    // ---- as a plan ---------------------------------------------------------------------------------------

    void becomesAPlan() {
        ImportedProgram program;
        program.source = ImportSource::Wrapper;
        program.kernels = {seedKernel()};
        program.outputs = {"z"};
        CompileRequest request;
        request.program = std::make_shared<const ImportedProgram>(program);
        request.graph = graphOf(program, "x");
        request.makeArtefacts = true;
        QVERIFY(request.settings.set("spyre.stride_model", "host_stride_map").ok());
        const CompileOutcome outcome = compile(request, {});
        QVERIFY(outcome.plan != nullptr);
        const Plan& plan = *outcome.plan;
        QCOMPARE(plan.ops.size(), std::size_t{2});
        QVERIFY((plan.ops[0].loopCounts == std::vector<std::int64_t>{2, 4}));
        QCOMPARE(plan.ops[0].cores, std::int64_t{32});
        int onChip = 0;
        for (const PlanBuffer& b : plan.buffers) {
            if (!isOnChip(b.space)) continue;
            ++onChip;
            QCOMPARE(b.address.value(), Address{0});
            QCOMPARE(b.sizePerCore, Bytes{32768});
            QCOMPARE(b.cores, std::int64_t{32});
        }
        QCOMPARE(onChip, 1);
        QCOMPARE(plan.buffers.size(), std::size_t{5});
        Diagnostics notes;
        const auto files = planArtefacts(plan, notes);
        QVERIFY(files.ok());
        QCOMPARE(files.value().size(), std::size_t{4});
        QCOMPARE(files.value()[0].first, std::string("output_code.py"));
        QCOMPARE(files.value()[1].first, std::string("sdsc_fused_add_mul_0/bundle.mlir"));
        QCOMPARE(files.value()[1].second, filesOf(seedKernel().specs, options(StrideModel::HostStrideMap)).mlir);
    }

    void exportedFolderOpensAsAWhole() {
        QTemporaryDir dir;
        const std::string folder = pathIn(dir, "out");
        Diagnostics notes;
        const auto files = spyre::bundleArtefacts({seedKernel()}, {}, {"a", "b", "c"}, {"z"}, Settings(), notes);
        QVERIFY(files.ok());
        QVERIFY(io::writeFolder(folder, files.value(), false).ok());
        const auto opened = io::openInput(folder, {}, {});
        QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().primary().message.c_str());
        QVERIFY(opened.value().program != nullptr);
        const auto& program = dynamic_cast<const ImportedProgram&>(*opened.value().program);
        QVERIFY(program.kernels == std::vector<Kernel>{seedKernel()});
        QVERIFY(program.inputs == (std::vector<std::string>{"a", "b", "c"}));
        QVERIFY(program.strideModel == StrideModel::DeviceRowMajor);
        QVERIFY(!hasCode(program.problems, "BND-104"));
    }

    // ---- folders -----------------------------------------------------------------------------------------

    void foldersAreWrittenWholeOrNot() {
        QTemporaryDir dir;
        const std::string folder = pathIn(dir, "out");
        const std::vector<io::FolderFile> files{{"a.txt", "1"}, {"sub/b.txt", "2"}};
        QVERIFY(io::writeFolder(folder, files, false).ok());
        QCOMPARE(io::readFile(folder + "/sub/b.txt", 10, "X").value(), std::string("2"));
        const auto refused = io::writeFolder(folder, files, false);
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().primary().code, std::string("EXP-005"));
        QVERIFY(io::writeFileAtomically(folder + "/mine.txt", "keep").ok());
        QVERIFY(io::writeFolder(folder, {{"a.txt", "3"}}, true).ok());
        QCOMPARE(io::readFile(folder + "/a.txt", 10, "X").value(), std::string("3"));
        QCOMPARE(io::readFile(folder + "/mine.txt", 10, "X").value(), std::string("keep"));
        const auto unsafe = io::writeFolder(folder, {{"../x", "3"}}, true);
        QCOMPARE(unsafe.error().primary().code, std::string("BND-003"));
        QCOMPARE(QDir(dir.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).size(), 1);
    }
};

MEMPLAN_TEST(TestBundleImport)
#include "tst_bundle_import.moc"
