// SPDX-License-Identifier: Apache-2.0
// Coarse tiling end to end: the acceptance example and the other cases of the original's suite
// (spyre-coarse-tiling-and-bundle 15, 15.1), loops in scratchpad planning (spyre-scratchpad 3.1, 12).
#include "engine/plan/spyre_data.h"
#include "tests/support/program.h"
#include "tests/support/tiling_support.h"

#include <QTest>

#include <set>

using namespace memplan;
using namespace memplan::test;

class TestCoarseTiling : public QObject {
    Q_OBJECT

private slots:
    void acceptance_stampsAndTiles() {
        const PlanPtr p = plan(addMul(), addMulHints());
        QVERIFY(p);
        for (const char* name : {"add", "mul"}) {
            const PlanOp* op = findOp(*p, name);
            QVERIFY(op);
            QCOMPARE(op->loopPath, (std::vector<int>{0, 0}));
            QCOMPARE(op->loopCounts, (Ints{2, 4}));
            QCOMPARE(dataOf(*p, name).loopTiledDims, (Dims{{0}, {1}}));
            QCOMPARE(dataOf(*p, name).ranges, (Ints{512, 1024}));
            QVERIFY(std::ranges::count(dataOf(*p, name).dimHints, "d1", &DimCut::loop) >= 1);
            QCOMPARE(op->iterationSpace[0].extent, 512);
            QCOMPARE(op->iterationSpace[0].slices, 32);
            QCOMPARE(op->iterationSpace[1].extent, 1024);
            QCOMPARE(op->iterationSpace[1].slices, 1);
        }
        const PlanBuffer* y = findBuffer(*p, "add");
        QVERIFY(y && y->layout);
        QCOMPARE(y->layout->size, (Ints{512, 1024}));
        QCOMPARE(y->layout->stride, (Ints{1024, 1}));
        QCOMPARE(y->layout->deviceSize, (Ints{16, 512, 64}));
        QCOMPARE(y->layout->strideMap, (Ints{64, 1024, 1}));
        QVERIFY(y->layout->perTileFixed);
        QCOMPARE(y->size, 1'048'576);
        QCOMPARE(y->sizePerCore, 32'768);
        QVERIFY(isOnChip(y->space));
        QCOMPARE(*y->address, 0);
        QCOMPARE(dataOf(*p, "add").outputSplits, (std::vector<std::pair<std::int64_t, std::int64_t>>{{1024, 32}}));
    }

    void acceptance_propagation() {
        const PlanPtr p = plan(addMul(), addMulHints());
        QVERIFY(p);
        const PlanPropagation* y = caseOf(*p, "add");
        const PlanPropagation* z = caseOf(*p, "mul");
        QVERIFY(y && z);
        QCOMPARE(y->kind, std::string("loop_internal"));
        QCOMPARE(z->kind, std::string("rewire"));
        const PlanBuffer* full = findBuffer(*p, z->fullBuffer);
        QVERIFY(full && full->layout);
        QCOMPARE(full->role, BufferRole::GraphOutput);
        QCOMPARE(full->layout->size, (Ints{1024, 4096}));
        QCOMPARE(full->layout->deviceSize, (Ints{64, 1024, 64}));
        QCOMPARE(full->layout->strideMap, (Ints{64, 4096, 1}));
        QVERIFY(!isOnChip(full->space));
        QCOMPARE(p->ops[0].name, z->fullBuffer);  // allocated in front of the group
        QCOMPARE(p->ops[2].outputs.front(), p->ops[0].outputs.front());
        QVERIFY(!findBuffer(*p, "mul"));
    }

    void acceptance_treeKernelsTraffic() {
        const PlanPtr p = plan(addMul(), addMulHints());
        QVERIFY(p && spyreData(*p).loops && spyreData(*p).kernels && spyreData(*p).pool);
        QCOMPARE(spyreData(*p).loops->size(), std::size_t{1});
        const LoopNode& outer = spyreData(*p).loops->front();
        QCOMPARE(outer.count, 2);
        QCOMPARE(outer.body.size(), std::size_t{1});
        QCOMPARE(outer.body[0].count, 4);
        QCOMPARE(outer.body[0].path, (std::vector<int>{0, 0}));
        QCOMPARE(outer.body[0].body.size(), std::size_t{2});
        QCOMPARE(spyreData(*p).kernels->size(), std::size_t{1});
        const PlanKernel& k = spyreData(*p).kernels->front();
        QCOMPARE(k.name, std::string("sdsc_fused_add_mul_0"));
        QCOMPARE(namesOf(*p, k.arguments), (std::vector<std::string>{"a", "b", "c", caseOf(*p, "mul")->fullBuffer}));
        QCOMPARE(k.externalTensors, 4);
        QCOMPARE(k.tensorLimit, 6);
        QVERIFY(!k.nonTerminal);
        QCOMPARE(spyreData(*p).pool->first, 0);
        QCOMPARE(p->metrics.mainMemoryReadBytes, 3 * 8'388'608);
        QCOMPARE(p->metrics.mainMemoryWriteBytes, 8'388'608);
        QCOMPARE(findBuffer(*p, "add")->trafficSaved, 2 * 8 * 1'048'576);
        QCOMPARE(fileFault(*p), std::string());
        QCOMPARE(p->hintStates, (std::vector<std::string>(4, "applied")));
    }

    void withoutLx_theTileGoesToThePool_andCountsEveryIteration() {
        const PlanPtr p = plan(addMul(), addMulHints(), with({{"spyre.lx_planning", "false"}}));
        QVERIFY(p);
        QCOMPARE(traffic(*p), 33'554'432 + 16'777'216);
        QCOMPARE(*findBuffer(*p, "add")->poolOffset, 0);
        QCOMPARE(spyreData(*p).pool->first, 1'048'576);
        QCOMPARE(spyreData(*p).kernels->front().tensorLimit, 5);
    }

    void rowVectorReadInALoop_countsOncePerIteration_andLivesToItsEnd() {
        GraphBuilder b("row");
        const TensorId a = b.input("a", {1024, 4096});
        const TensorId r = b.input("r", {1, 4096});
        b.output(b.pointwise("add", "add", {a, r}));
        const PlanPtr p =
            plan(b.build(), {hint({"graph"}, "dim_sizes", R"({"A": 1024, "B": 4096})"),
                             hint({"tensor:a"}, "dim_names", R"(["A", "B"])"), slices({"add"}, R"({"A": 2})")});
        QVERIFY(p);
        const PlanBuffer* row = findBuffer(*p, "r");
        QCOMPARE(p->metrics.mainMemoryReadBytes, 8'388'608 + 2 * row->size);
    }

    void bufferWrittenBeforeALoop_livesToTheLoopsEnd() {
        GraphBuilder b("before");
        const TensorId m0 = b.input("r", {1, 128});
        const TensorId x = b.input("x", {256, 128});
        const TensorId m = b.pointwise("m", "exp", {m0});
        const TensorId s = b.pointwise("s", "sub", {x, m});
        const TensorId e = b.pointwise("e", "exp", {s});
        b.output(b.pointwise("t", "abs", {e}));
        const PlanPtr p =
            plan(b.build(), {hint({"graph"}, "dim_sizes", R"({"B": 256, "D": 128})"),
                             hint({"tensor:x"}, "dim_names", R"(["B", "D"])"), slices({"s", "e", "t"}, R"({"B": 4})")});
        QVERIFY(p);
        const auto last = static_cast<Step>(p->ops.size());
        QCOMPARE(findBuffer(*p, "m")->life.end, last);
        QCOMPARE(findBuffer(*p, "s")->life.end, last - 1);
        QCOMPARE(fileFault(*p), std::string());
    }

    void baseline_noHint_noLoop_samePlanWithTilingOnAndOff() {
        GraphBuilder b("abs");
        b.output(b.pointwise("abs", "abs", {b.input("x", {256, 128})}));
        const PlanPtr on = plan(b.build(), {});
        const PlanPtr off = plan(b.build(), {}, with({{"spyre.coarse_tiling", "false"}}));
        QVERIFY(on && off);
        QCOMPARE(on->ops.size(), off->ops.size());
        QVERIFY(on->ops[0].loopPath.empty());
        QCOMPARE(spyreData(*on).loops->size(), std::size_t{1});
        QVERIFY(spyreData(*on).propagation && spyreData(*on).propagation->empty());
        QVERIFY(!spyreData(*off).propagation);
        QVERIFY(spyreData(*off).loops && spyreData(*off).kernels);
    }

    void singleGroup() {
        GraphBuilder b("abs");
        b.output(b.pointwise("abs", "abs", {b.input("x", {256, 128})}));
        const PlanPtr p =
            plan(b.build(), {hint({"graph"}, "dim_sizes", R"({"A": 256, "B": 128})"),
                             hint({"tensor:x"}, "dim_names", R"(["A", "B"])"), slices({"abs"}, R"({"A": 4})")});
        QVERIFY(p);
        const PlanOp* op = findOp(*p, "abs");
        QCOMPARE(op->loopPath, (std::vector<int>{0}));
        QCOMPARE(op->loopCounts, (Ints{4}));
        QCOMPARE(dataOf(*p, "abs").loopTiledDims, (Dims{{0}}));
        QCOMPARE(dataOf(*p, "abs").ranges, (Ints{64, 128}));
        QCOMPARE(caseOf(*p, "abs")->kind, std::string("rewire"));
        QCOMPARE(findBuffer(*p, caseOf(*p, "abs")->fullBuffer)->layout->size, (Ints{256, 128}));
    }

    void softmaxShaped() {
        const PlanPtr p = plan(softmax(256, 128, 1), softmaxHints());
        QVERIFY(p);
        for (const char* name : {"max", "sub", "exp", "sum", "div"}) {
            const PlanOp* op = findOp(*p, name);
            QVERIFY(op);
            QCOMPARE(op->loopCounts, (Ints{4}));
            QCOMPARE(op->iterationSpace[0].extent, 64);
            QCOMPARE(op->iterationSpace[0].slices, 32);
            QCOMPARE(dataOf(*p, name).loopTiledDims, (Dims{{0}}));
        }
        for (const char* name : {"max", "sub", "exp", "sum"})
            QCOMPARE(caseOf(*p, name)->kind, std::string("loop_internal"));
        QCOMPARE(caseOf(*p, "div")->kind, std::string("rewire"));
        for (const char* name : {"sub", "exp"}) {
            QCOMPARE(findBuffer(*p, name)->size, 16'384);
            QCOMPARE(findBuffer(*p, name)->sizePerCore, 512);
        }
        for (const char* name : {"max", "sum"}) {
            QCOMPARE(findBuffer(*p, name)->size, 8192);
            QCOMPARE(findBuffer(*p, name)->sizePerCore, 256);
            QVERIFY(isOnChip(findBuffer(*p, name)->space));
        }
        QCOMPARE(spyreData(*p).kernels->size(), std::size_t{1});
        QCOMPARE(namesOf(*p, spyreData(*p).kernels->front().arguments),
                 (std::vector<std::string>{"x", caseOf(*p, "div")->fullBuffer}));
    }

    void twoGroups() {
        GraphBuilder b("two");
        const TensorId x = b.input("x", {256, 128});
        const TensorId y = b.input("y", {256, 128});
        b.output(b.pointwise("abs", "abs", {x}));
        b.output(b.pointwise("neg", "neg", {y}));
        const PlanPtr p = plan(b.build(), {hint({"graph"}, "dim_sizes", R"({"A": 256, "B": 128})"),
                                           hint({"tensor:x", "tensor:y"}, "dim_names", R"(["A", "B"])"),
                                           slices({"abs"}, R"({"A": 4})"), slices({"neg"}, R"({"A": 8})")});
        QVERIFY(p);
        QCOMPARE(spyreData(*p).loops->size(), std::size_t{2});
        QCOMPARE((*spyreData(*p).loops)[0].count, 4);
        QCOMPARE((*spyreData(*p).loops)[1].count, 8);
        QCOMPARE(spyreData(*p).kernels->size(), std::size_t{2});
    }

    void perGroupDims_subStickTileWarns() {
        GraphBuilder b("two");
        const TensorId x = b.input("x", {256, 128});
        const TensorId y = b.input("y", {256, 128});
        b.output(b.pointwise("abs", "abs", {x}));
        b.output(b.pointwise("neg", "neg", {y}));
        // D0, D1 split the last dimension of y: two names cover one dimension.
        const PlanPtr p = plan(
            b.build(), {hint({"graph"}, "dim_sizes", R"({"B": 256, "D": 128, "B0": 4, "B1": 64, "D0": 4, "D1": 32})"),
                        hint({"tensor:x"}, "dim_names", R"(["B", "D"])"),
                        hint({"tensor:y"}, "dim_names", R"(["B0", "B1", "D0", "D1"])"), slices({"abs"}, R"({"B": 4})"),
                        slices({"neg"}, R"({"B0": 4})"), slices({"neg"}, R"({"D0": 4})")});
        QVERIFY(p);
        QCOMPARE(findOp(*p, "abs")->loopPath, (std::vector<int>{0}));
        QCOMPARE(findOp(*p, "neg")->loopPath, (std::vector<int>{1, 0}));
        QCOMPARE(dataOf(*p, "abs").loopTiledDims, (Dims{{0}}));
        QCOMPARE(dataOf(*p, "neg").loopTiledDims, (Dims{{0}, {1}}));
        QCOMPARE(dataOf(*p, "abs").ranges, (Ints{64, 128}));
        QCOMPARE(dataOf(*p, "neg").ranges, (Ints{64, 32}));
        QVERIFY(hasProblem(*p, "CT-026"));
    }

    void copyCase_insideAndOutsideReaders() {
        GraphBuilder b("copy");
        const TensorId x = b.input("x", {256, 128});
        const TensorId p0 = b.pointwise("p", "exp", {x});
        const TensorId q = b.pointwise("q", "abs", {p0});
        b.output(b.pointwise("r", "add", {p0, q}));
        const PlanPtr p =
            plan(b.build(), {hint({"graph"}, "dim_sizes", R"({"A": 256, "B": 128})"),
                             hint({"tensor:x"}, "dim_names", R"(["A", "B"])"), slices({"p", "q"}, R"({"A": 4})")});
        QVERIFY(p);
        QCOMPARE(caseOf(*p, "p")->kind, std::string("copy"));
        QCOMPARE(caseOf(*p, "p")->copyOp, std::string("coarse_tile_copy_p"));
        QCOMPARE(caseOf(*p, "q")->kind, std::string("rewire"));
        const PlanOp* copy = findOp(*p, "coarse_tile_copy_p");
        QVERIFY(copy);
        QCOMPARE(copy->loopCounts, (Ints{4}));
        QVERIFY(isOnChip(findBuffer(*p, "p")->space));  // one tile, its address does not move
        const PlanOp* r = findOp(*p, "r");
        QCOMPARE(namesOf(*p, r->inputs),
                 (std::vector<std::string>{caseOf(*p, "p")->fullBuffer, caseOf(*p, "q")->fullBuffer}));
        QCOMPARE(reasonName(*p, caseOf(*p, "q")->fullBuffer), std::string("tiled_advancing"));
        QCOMPARE(fileFault(*p), std::string());
    }

    void copyWhenInputInternal_givesTheSeedGraphAThirdOp() {
        const PlanPtr p = plan(addMul(), addMulHints(), with({{"spyre.copy_when_input_internal", "true"}}));
        QVERIFY(p);
        QCOMPARE(caseOf(*p, "mul")->kind, std::string("copy"));
        QVERIFY(findOp(*p, "coarse_tile_copy_mul"));
        QVERIFY(isOnChip(findBuffer(*p, "mul")->space));
        QCOMPARE(traffic(*p), 33'554'432);
    }
};

MEMPLAN_TEST(TestCoarseTiling)
#include "tst_coarse_tiling.moc"
