// SPDX-License-Identifier: Apache-2.0
// What folders tell without a wrapper source, and what they say of cores: loops, slices, shuffles
// (spyre-coarse-tiling-and-bundle 12.6, 17.1; spyre-cost-and-co-optimisation 17.6).
#include "bundle_fixture.h"
#include "bundle_support.h"
#include "io/folder.h"
#include "io/input.h"
#include "io/spyre_text/bundle_import.h"
#include "io/spyre_text/sdsc_reader.h"
#include "pipeline/imported/imported_access.h"
#include "pipeline/imported/imported_plan.h"
#include "spyre/bundle/bundle.h"
#include "spyre/bundle/work_division.h"
#include "spyre/bundle/wrapper.h"
#include "spyre/codegen/codegen_passes.h"
#include "verify/verify.h"

#include <QtTest>

using namespace memplan;
using namespace memplan::bundle;

class TestBundleRecovery : public QObject {
    Q_OBJECT

private slots:
    /// A loop over 32 heads of a tensor of 4 groups of 8: both ops say the same of the cores, though one has one loop
    /// for it and the other two.
    void slicesOfALoopOverTwoDimensions() {
        TensorArg arg;
        arg.deviceDtype = "IEEE_FP32";
        arg.deviceSize = {4, 8, 256, 2, 32};
        arg.strideMap = std::vector<std::int64_t>{131072, 16384, 64, 32, 1};
        const auto accessOf = [&](std::vector<IterationEntry> space, std::vector<const char*> coordinates) {
            OpSpec spec;
            spec.iterationSpace = std::move(space);
            arg.coordinates.clear();
            for (const char* c : coordinates)
                arg.coordinates.push_back(expr(c));
            PlanOp op;
            std::vector<std::int64_t> extents;
            for (const IterationEntry& e : spec.iterationSpace) {
                extents.push_back(*e.extent.integer());
                const bool isStick = arg.coordinates.back().mentions(e.symbol);
                op.iterationSpace.push_back({e.symbol, extents.back(), isStick ? extents.back() / 32 : extents.back(),
                                             isStick ? 32 : 0, false, e.split});
                op.cores *= e.split;
            }
            return importedAccess(op, spec, arg, BufferId{0}, extents);
        };
        const PlanAccess merged = accessOf({{"c0", Expr(32), 8}, {"c1", Expr(256), 1}, {"c2", Expr(64), 1}},
                                           {"floor(c0/8)", "Mod(c0, 8)", "c1", "floor(c2/32)", "Mod(c2, 32)"});
        QCOMPARE(merged.coefficients, (std::vector<std::int64_t>{16384, 64, 1}));
        QCOMPARE(merged.sliceDims, (std::vector<std::pair<int, std::int64_t>>{{0, 4}, {1, 2}}));
        QCOMPARE(merged.coreSlots, (std::vector<std::vector<int>>{{0, 0, 1, 1, 2, 2, 3, 3}, {0, 1, 0, 1, 0, 1, 0, 1}}));
        const PlanAccess apart =
            accessOf({{"c0", Expr(4), 1}, {"c1", Expr(8), 8}, {"c2", Expr(256), 1}, {"c3", Expr(64), 1}},
                     {"c0", "c1", "c2", "floor(c3/32)", "Mod(c3, 32)"});
        QCOMPARE(apart.sliceDims, (std::vector<std::pair<int, std::int64_t>>{{1, 8}}));
    }

    /// Cost 17.6: a shuffle between cores is an identity from LX to LX with different work divisions, in the wrapper
    /// source and in the SuperDSC file; folders that name the op lx_relayout still say the same.
    void shuffles() {
        const std::vector<std::int64_t> size{16, 512, 64};
        const std::vector<std::int64_t> map{64, 1024, 1};
        OpSpec op = pointwise("identity",
                              {tensor(true, size, map, {Space::Lx, 0}), tensor(false, size, map, {Space::Lx, 65536})});
        op.iterationSpace = {{"c0", Expr(512), 4}, {"c1", Expr(1024), 2}};
        op.tiledSymbols.clear();
        QVERIFY(!isShuffle(op));
        const WorkDivision source{{"c1", 8, 1}};
        setWorkDivision(op.args[0], source);
        QVERIFY(isShuffle(op));
        QVERIFY(workDivisionOf(op) == (WorkDivision{{"c0", 4, 1}, {"c1", 2, 4}}));
        QCOMPARE(slicesOf(op, 0, 0), std::int64_t{1});
        QCOMPARE(slicesOf(op, 1, 1), std::int64_t{2});
        OpSpec same = op;
        setWorkDivision(same.args[0], workDivisionOf(op));
        QVERIFY(!isShuffle(same));
        OpSpec old = op;
        old.op = "lx_relayout";
        old.args[0].extra.clear();
        QVERIFY(isShuffle(old));

        Kernel kernel;
        kernel.name = "sdsc_fused_identity_0";
        kernel.specs = {SpecNode::ofOp(op)};
        const std::string source_text = kernelText(kernel);
        QVERIFY2(source_text.find("work_division={sympify('c1'): (8, 1)}") != std::string::npos, source_text.c_str());

        const BundleFiles files = filesOf(kernel.specs, options(StrideModel::DeviceRowMajor));
        const auto record = io::readSdsc(files.operations.front().second, {}, {});
        QVERIFY(record.ok());
        const OpSpec& read = record.value().op;
        QCOMPARE(read.op, std::string("identity"));
        QVERIFY(isShuffle(read));
        QVERIFY(workDivisionOf(read.args[0]) == std::optional(WorkDivision{{"out", 8, 1}}));
        QVERIFY(!workDivisionOf(read.args[1]));
        QCOMPARE(lxBytesPerCore(op, 0), std::int64_t{16 * 512 * 128 / 8});
    }

    /// Kernel folders without a wrapper source: loops come out of bundle.mlir, the order out of the running numbers.
    void kernelFoldersOpenWithoutWrapper() {
        QTemporaryDir dir;
        const std::string folder = pathIn(dir, "out");
        Kernel tenth = seedKernel();
        tenth.name = "sdsc_fused_add_mul_10";
        Kernel second = seedKernel();
        second.name = "sdsc_fused_mul_2";
        Diagnostics notes;
        auto files = spyre::bundleArtefacts({second, tenth}, {"a", "b", "c"}, {"z"}, Settings(), notes);
        QVERIFY(files.ok());
        std::erase_if(files.value(), [](const auto& f) { return f.first == "output_code.py"; });
        QVERIFY(io::writeFolder(folder, files.value(), false).ok());
        QVERIFY(io::isBundleFolder(folder));
        const auto opened = io::openInput(folder, {}, {});
        QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().primary().message.c_str());
        const ImportedProgram& program = *opened.value().imported;
        QCOMPARE(program.kernels.size(), std::size_t{2});
        QCOMPARE(program.kernels[0].name, second.name);
        QCOMPARE(program.kernels[1].name, tenth.name);
        for (const Kernel& k : program.kernels) {
            QCOMPARE(depthOf(k.specs), 2);
            QVERIFY(k.specs.front().count == Expr(2));
            QVERIFY(k.specs.front().body.front().count == Expr(4));
            QCOMPARE(opsOf(k.specs).front()->tiledPerLevel->size(), std::size_t{2});
        }
    }

    /// Baked addresses: trip counts and nests are in the text, what moves is not, and that is said.
    void bakedLoopsSayWhatIsNotKnown() {
        QTemporaryDir dir;
        const std::string folder = pathIn(dir, "k");
        const auto files = filesOf(seedKernel().specs, options(StrideModel::DeviceRowMajor, AddressMode::Baked));
        QVERIFY(io::writeFolder(folder, withNames(files), false).ok());
        const ImportedProgram program = imported(folder);
        QCOMPARE(depthOf(program.kernels.front().specs), 2);
        QVERIFY(opsOf(program.kernels.front().specs).front()->tiledSymbols.empty());
        const bool said = std::any_of(program.problems.begin(), program.problems.end(), [](const Diagnostic& d) {
            return d.code == "BND-109" && d.message.find("2 operations stand in loops of up to 8") != std::string::npos;
        });
        QVERIFY(said);
    }

    /// A folder rebuilds device sizes op by op, and a reader may show the dimensions in another order: its writer says
    /// how large a tensor in LX is.
    void writerSaysHowLargeATensorInLxIs() {
        const std::vector<std::int64_t> written{16, 512, 64};
        const Allocation lx{Space::Lx, 0};
        OpSpec make = pointwise("exp", {tensor(true, written, {64, 1024, 1}, {Space::Hbm, kSegmentOffsets[0]}),
                                        tensor(false, written, {64, 1024, 1}, lx)});
        OpSpec use = pointwise("neg", {tensor(true, {512, 16, 64}, {1024, 64, 1}, lx),
                                       tensor(false, written, {64, 1024, 1}, {Space::Hbm, kSegmentOffsets[1]})});
        use.args[0].coordinates = {expr("c0"), expr("floor(c1/64)"), expr("Mod(c1, 64)")};
        auto program = std::make_shared<ImportedProgram>();
        program->source = ImportSource::Bundle;
        Kernel kernel;
        kernel.name = "k";
        for (OpSpec* op : {&make, &use}) {
            op->tiledSymbols.clear();
            kernel.specs.push_back(SpecNode::ofOp(*op));
        }
        kernel.arguments = {"a", "z"};
        program->kernels = {kernel};
        CompileRequest request;
        request.imported = program;
        request.graph = graphOfImported(*program, "k");
        const CompileOutcome outcome = compile(request, {});
        QVERIFY(outcome.plan);
        const auto buffer = std::find_if(outcome.plan->buffers.begin(), outcome.plan->buffers.end(),
                                         [](const PlanBuffer& b) { return isOnChip(b.space); });
        QVERIFY(buffer != outcome.plan->buffers.end());
        QCOMPARE(buffer->size, Bytes{16 * 512 * 128});
        QCOMPARE(buffer->layout->deviceSize, written);
        for (const Diagnostic& d : verifyPlan(*outcome.plan))
            QVERIFY2(d.code != "VER-002", d.message.c_str());
    }
};

QTEST_GUILESS_MAIN(TestBundleRecovery)
#include "tst_bundle_recovery.moc"
