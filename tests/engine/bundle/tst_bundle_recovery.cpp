// SPDX-License-Identifier: Apache-2.0
// What folders say without a wrapper source, and of cores: loops, slices, shuffles
// (spyre-coarse-tiling-and-bundle 12.6, 17.1; spyre-cost-and-co-optimisation 17.6).
#include "engine/io/files/folder.h"
#include "engine/io/input.h"
#include "engine/spyre/bundle/bundle.h"
#include "engine/spyre/bundle/next_live.h"
#include "engine/spyre/bundle/python/wrapper.h"
#include "engine/spyre/bundle/sdsc/work_division.h"
#include "engine/spyre/codegen/codegen_passes.h"
#include "engine/spyre/compile/imported/imported_access.h"
#include "engine/spyre/import/bundle_import.h"
#include "engine/spyre/import/sdsc_reader.h"
#include "engine/target/compile.h"
#include "engine/target/verify.h"
#include "tests/engine/bundle/bundle_fixture.h"
#include "tests/engine/bundle/bundle_support.h"
#include "tests/support/program.h"
#include "tests/support/time_guard.h"

#include <QTemporaryDir>
#include <QTest>

#include <random>

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
            return spyre::importedAccess(op, spec, arg, BufferId{0}, extents);
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
        auto files = spyre::bundleArtefacts({second, tenth}, {}, {"a", "b", "c"}, {"z"}, Settings(), notes);
        QVERIFY(files.ok());
        std::erase_if(files.value(), [](const auto& f) { return f.first == "output_code.py"; });
        QVERIFY(io::writeFolder(folder, files.value(), false).ok());
        QVERIFY(io::isBundleFolder(folder));
        const auto opened = io::openInput(folder, {}, {});
        QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().primary().message.c_str());
        const auto& program = dynamic_cast<const ImportedProgram&>(*opened.value().program);
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
        request.program = program;
        request.graph = graphOf(*program, "k");
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

    /// The pool's first tensor is made before the loop and read in its first step: it lives to the end of the loop,
    /// beside the second one, which is made later and begins where the rounded size of the first has not ended yet.
    void lengthenedLivesCutPoolSizes() {
        const std::vector<std::int64_t> size{16, 512, 64};
        const std::vector<std::int64_t> map{64, 1024, 1};
        const Bytes half = 16 * 512 * 128 / 2;
        const Allocation first{Space::Pool, 0};
        const Allocation second{Space::Pool, half};
        const auto op = [&](const char* name, Allocation from, Allocation to) {
            OpSpec spec = pointwise(name, {tensor(true, size, map, from), tensor(false, size, map, to)});
            spec.tiledSymbols.clear();
            return SpecNode::ofOp(std::move(spec));
        };
        const auto argument = [](std::size_t slot) { return Allocation{Space::Hbm, kSegmentOffsets[slot]}; };
        Kernel kernel;
        kernel.name = "k";
        kernel.specs.push_back(op("exp", argument(0), first));
        kernel.specs.push_back(SpecNode::loop(
            Expr(4), {op("neg", first, argument(1)), op("abs", argument(0), second), op("sqrt", second, argument(2))}));
        kernel.arguments = {"a", "y", "z"};
        kernel.poolSize = 3 * half;
        auto program = std::make_shared<ImportedProgram>();
        program->source = ImportSource::Bundle;
        program->kernels = {kernel};
        CompileRequest request;
        request.program = program;
        request.graph = graphOf(*program, "k");
        const CompileOutcome outcome = compile(request, {});
        QVERIFY(outcome.plan);
        const PlanBuffer& buffer = *std::find_if(outcome.plan->buffers.begin(), outcome.plan->buffers.end(),
                                                 [](const PlanBuffer& b) { return b.poolOffset == Bytes{0}; });
        QCOMPARE(buffer.life.end, 4);
        QCOMPARE(buffer.size, half);
        QVERIFY(hasCode(outcome.plan->problems, "BND-109"));
        for (const Diagnostic& d : verifyPlan(*outcome.plan))
            QVERIFY2(d.code != "VER-003", d.message.c_str());
    }

    /// Against the definition, one pair at a time.
    void nextLiveTensorIsFound() {
        std::mt19937 random(5);
        for (int round = 0; round < 200; ++round) {
            std::vector<PlacedLife> tensors(random() % 40);
            for (PlacedLife& t : tensors) {
                t.begin = static_cast<std::int64_t>(random() % 12) - 3;
                t.life.begin = static_cast<Step>(random() % 20);
                t.life.end = t.life.begin + static_cast<Step>(random() % 6);
            }
            const std::vector<std::int64_t> next = nextLiveAddresses(tensors);
            QCOMPARE(next.size(), tensors.size());
            for (std::size_t i = 0; i < tensors.size(); ++i) {
                std::int64_t wanted = INT64_MAX;
                for (const PlacedLife& o : tensors) {
                    const bool isEmpty = o.life.begin == o.life.end || tensors[i].life.begin == tensors[i].life.end;
                    if (!isEmpty && o.life.overlaps(tensors[i].life) && o.begin > tensors[i].begin)
                        wanted = std::min(wanted, o.begin);
                }
                QCOMPARE(next[i], wanted);
            }
        }
    }

    /// 100 000 tensors side by side; each pair looked at takes a minute.
    void nextLiveTensorOfManyIsFoundSoon() {
        std::vector<PlacedLife> tensors(100'000);
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            tensors[i].begin = static_cast<std::int64_t>(i) * 128;
            tensors[i].life = {static_cast<Step>(i % 2), 100'000};
        }
        const double before = test::processorSeconds();
        const std::vector<std::int64_t> next = nextLiveAddresses(tensors);
        QVERIFY(test::processorSeconds() - before < test::kHostileSeconds);
        QCOMPARE(next.front(), std::int64_t{128});
        QCOMPARE(next.back(), INT64_MAX);
    }

    /// An address as low as numbers go: nothing is subtracted from it.
    void addressBelowAllOthersIsHeld() {
        Kernel kernel;
        kernel.name = "k";
        const std::vector<std::int64_t> size{16, 512, 64};
        for (const std::int64_t address : {INT64_MIN, INT64_MAX}) {
            OpSpec op = pointwise("neg", {tensor(true, size, {64, 1024, 1}, {Space::Lx, address}),
                                          tensor(false, size, {64, 1024, 1}, {Space::Lx, 0})});
            op.args[0].strideMap.reset();
            kernel.specs.push_back(SpecNode::ofOp(std::move(op)));
        }
        const std::vector<LxTensor> tensors = lxTensors(kernel);
        QCOMPARE(tensors.size(), std::size_t{4});
        QVERIFY(tensors.front().bytes > 0 && !tensors.front().isCut);
    }
};

MEMPLAN_TEST(TestBundleRecovery)
#include "tst_bundle_recovery.moc"
