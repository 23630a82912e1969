// SPDX-License-Identifier: Apache-2.0
// Split encoding, core maps, per-core views, metrics (spyre-layouts-and-work-division 13-15).
#include "engine/spyre/division/core_view.h"
#include "engine/spyre/division/metrics.h"
#include "engine/spyre/layout/stick_layout.h"
#include "tests/engine/spyre/spyre_fixture.h"
#include "tests/support/program.h"

#include <QTest>

using namespace memplan;
using namespace memplan::spyre;
using namespace memplan::spyre::test;

namespace {

void layOut(Program& program) {
    for (Buffer& b : program.buffers) {
        if (!b.layout) b.layout = genericLayout(b).value();
    }
}

ProgramBuilder matmul(std::int64_t m, std::int64_t n, std::int64_t k) {
    ProgramBuilder b;
    b.input("x", {m, k});
    b.input("y", {k, n});
    b.buffer("o", {m, n});
    b.op({"o", "batchmatmul", {m, n, k}, 1, {{"x", {0, 2}}, {"y", {2, 1}}}, {0, 1}, OpClass::Reduction});
    layOut(b.program);
    return b;
}

PerCoreView viewOf(const Program& program, int read, const Splits& splits, bool kFast = true) {
    const spyre::Op& op = program.ops.back();
    const Access& access = read < 0 ? op.write : op.reads[static_cast<std::size_t>(read)];
    return perCoreView(program, op, access, splits, {kFast});
}

}  // namespace

class TestCoreView : public QObject {
    Q_OBJECT

private slots:
    /// 14: the first loop varies fastest; with a split K the K slices of a tile are neighbours.
    void coreMaps() {
        const auto plain = coreToSlice({2, 4, 1}, false);
        QCOMPARE(plain.size(), std::size_t{8});
        QCOMPARE(plain[1], (std::vector<int>{1, 0, 0}));
        QCOMPARE(plain[2], (std::vector<int>{0, 1, 0}));
        const auto adjacent = coreToSlice({2, 2, 2}, true);
        QCOMPARE(adjacent[1], (std::vector<int>{0, 0, 1}));
        QCOMPARE(adjacent[2], (std::vector<int>{1, 0, 0}));
        QVERIFY(kAdjacent(true, {2, 2, 2}, {true}));
        QVERIFY(!kAdjacent(true, {2, 2, 2}, {false}));
        QVERIFY(!kAdjacent(true, {2, 2, 1}, {true}));
        QVERIFY(!kAdjacent(true, {2, 2}, {true}));
        QVERIFY(!kAdjacent(false, {2, 2, 2}, {true}));
    }

    /// 13: two loops with one coefficient collide, the later value stands for both.
    void collidingCoefficients() {
        const Index index{{64, 64}, 0};
        const SplitIndices both{&index, &index};
        const SplitEncoding e = encodeSplits({4, 2}, both);
        const std::vector<LoopVar> loops = {{"d0", 8, false}, {"d1", 8, false}};
        QCOMPARE(recoverSplits(e, both, loops), (Splits{2, 2}));
    }

    /// The mean over a dimension that its input only repeats: no index distinguishes the cores, each holds a part.
    void sumOfAnExpandedTensor_isPartial() {
        ProgramBuilder b;
        b.input("x", {8});
        b.buffer("o", {8});
        b.op({"o", "mean", {8, 2}, 1, {{"x", {0}}}, {0}, OpClass::Reduction});
        layOut(b.program);
        QVERIFY(viewOf(b.program, -1, {4, 2}).partialReduction);
        QVERIFY(!viewOf(b.program, -1, {4, 1}).partialReduction);
    }

    /// The view of an access goes by the recovered splits, though no encoding is made for it.
    void viewOfCollidingCoefficients() {
        ProgramBuilder b;
        b.input("a", {8, 8, 64});
        b.buffer("o", {8, 8, 64});
        b.op({"o", "exp", {8, 8, 64}, 0, {{"a", {0, 1, 2}}}, {0, 1, 2}, OpClass::Pointwise});
        layOut(b.program);
        spyre::Op& op = b.program.ops[0];
        op.write.index.coefficients = {64, 64, 1};
        op.reads[0].index.coefficients = {512, 64, 1};
        const Splits splits{4, 2, 1};
        QCOMPARE(recoverSplits(encodeSplits(splits, splitIndices(op)), splitIndices(op), op.loops), (Splits{2, 2, 1}));
        const PerCoreView v = perCoreView(b.program, op, op.reads[0], splits, {});
        for (const CoreSlice& slice : v.slices)
            QCOMPARE(slice.split, std::int64_t{2});
        QCOMPARE(v.slices.size(), std::size_t{2});
        QCOMPARE(v.cores, std::int64_t{8});
    }

    /// 18.6: core 2i and 2i+1 share M slice i and hold K slice 0 and 1.
    void kSlicesAreNeighbours() {
        const ProgramBuilder b = matmul(8192, 4096, 32768);
        const Splits splits{16, 1, 2};
        const PerCoreView x = viewOf(b.program, 0, splits);
        QCOMPARE(x.dimsAndSplits(), (std::vector<std::pair<int, std::int64_t>>{{0, 2}, {1, 16}}));
        QCOMPARE(x.slices[0].slotOf(0), 0);
        QCOMPARE(x.slices[0].slotOf(1), 1);
        QCOMPARE(x.slices[1].slotOf(0), x.slices[1].slotOf(1));
        QCOMPARE(x.slices[1].slotOf(2), 1);
        QVERIFY(x.partialReduction);
        const PerCoreView o = viewOf(b.program, -1, splits);
        QCOMPARE(o.dimsAndSplits(), (std::vector<std::pair<int, std::int64_t>>{{1, 16}}));
        QVERIFY(o.partialReduction);
        QVERIFY(!viewOf(b.program, 0, {16, 1, 1}).partialReduction);
    }

    void unsplitOpsHaveEmptyViews() {
        const ProgramBuilder b = matmul(64, 64, 64);
        const PerCoreView v = viewOf(b.program, 0, {1, 1, 1});
        QVERIFY(v.slices.empty());
        QVERIFY(!v.partialReduction);
        QCOMPARE(v.cores, std::int64_t{1});
        QVERIFY(v.sameView(viewOf(b.program, 1, {1, 1, 1})));
    }

    /// 14, product decision: of equal strides the dimension that moves with the loop.
    void equalStrides() {
        ProgramBuilder b;
        b.input("a", {2, 8, 128, 64});
        b.buffer("o", {2, 8, 128, 64});
        b.op({"o", "exp", {2, 8, 128, 64}, 0, {{"a", {0, 1, 2, 3}}}, {0, 1, 2, 3}, OpClass::Pointwise});
        layOut(b.program);
        const PerCoreView v = viewOf(b.program, 0, {1, 1, 32, 1});
        QVERIFY(v.representable);
        QCOMPARE(v.dimsAndSplits(), (std::vector<std::pair<int, std::int64_t>>{{1, 32}}));
    }

    /// 14: a split that finds no device dimension of its own equals nothing, not even itself.
    void unrepresentable() {
        ProgramBuilder b;
        b.input("a", {64, 128});
        b.buffer("o", {8, 8, 128});

        b.op({"o", "clone", {8, 8, 128}, 0, {{"a", {-1, 2}}}, {0, 1, 2}, OpClass::Pointwise});
        layOut(b.program);
        b.program.ops.back().reads[0].index.coefficients = {1024, 128, 1};
        const PerCoreView v = viewOf(b.program, 0, {4, 8, 1});
        QVERIFY(!v.representable);
        QVERIFY(!v.sameView(v));
    }

    /// A multiply over 32 heads reads a tensor of 4 groups of 8: its slices lie along the groups first (14).
    void loopOverTwoDimensions() {
        ProgramBuilder b;
        b.input("k", {4, 8, 64, 256});
        b.input("q", {32, 128, 64});
        b.buffer("o", {32, 128, 256});
        b.op({"o",
              "batchmatmul",
              {32, 128, 256, 64},
              1,
              {{"q", {0, 1, 3}}, {"k", {0, -1, 3, 2}}},
              {0, 1, 2},
              OpClass::Reduction});
        b.program.ops.back().reads[1].index.coefficients = {16384, 0, 1, 256};
        layOut(b.program);
        const auto cuts = [&](std::int64_t slices) { return viewOf(b.program, 1, {slices, 1, 1, 1}); };
        const auto dims = b.program.buffers[0].layout->strideMap;
        const auto dimOf = [&](std::int64_t stride) {
            return static_cast<int>(std::find(dims.begin(), dims.end(), stride) - dims.begin());
        };
        const int groups = dimOf(131072);
        const int heads = dimOf(16384);
        QVERIFY(cuts(4).representable);
        QCOMPARE(cuts(4).dimsAndSplits(), (std::vector<std::pair<int, std::int64_t>>{{groups, 4}}));
        const PerCoreView sixteen = cuts(16);
        QCOMPARE(sixteen.slices.size(), std::size_t{2});
        for (const CoreSlice& s : sixteen.slices) {
            QCOMPARE(s.split, std::int64_t{4});
            QCOMPARE(s.stride, s.dim == heads ? std::int64_t{1} : std::int64_t{4});
        }
        const PerCoreView all = cuts(32);
        for (std::int64_t core = 0; core < 32; ++core) {
            for (const CoreSlice& s : all.slices)
                QCOMPARE(static_cast<std::int64_t>(s.slotOf(core)), s.dim == heads ? core % 8 : core / 8);
        }
    }

    /// Two cores of a stick loop over 100 elements hold 64 and 36 of them, two of a row loop 50 each: no equal parts,
    /// so the tensor stays in main memory.
    void wholeSticksOfARaggedExtent() {
        ProgramBuilder b;
        b.input("a", {128, 100});
        b.buffer("t", {100, 128});
        b.op({"t", "exp", {100, 128}, 0, {{"a", {1, 0}}}, {0, 1}, OpClass::Pointwise});
        layOut(b.program);
        const PerCoreView written = viewOf(b.program, -1, {2, 1});
        QVERIFY(!written.representable);
        QVERIFY(viewOf(b.program, 0, {2, 1}).representable);
        QVERIFY(viewOf(b.program, -1, {1, 2}).representable);
    }

    /// Reads of one half along another dimension see the same rows; a read of the upper rows only sees others.
    void offsets() {
        ProgramBuilder b;
        b.input("a", {2, 64, 128});
        b.buffer("o", {64, 128});
        b.op({"o", "exp", {64, 128}, 0, {{"a", {-1, 0, 1}}}, {0, 1}, OpClass::Pointwise});
        layOut(b.program);
        spyre::Op& op = b.program.ops.back();
        op.reads[0].index = {{128, 1}, 8192};
        const PerCoreView half = viewOf(b.program, 0, {4, 1});
        QVERIFY(half.representable && !half.cutsAPart());
        op.loops[0].extent = 32;
        const PerCoreView upper = viewOf(b.program, 0, {4, 1});
        QVERIFY(upper.representable && upper.cutsAPart());
        QVERIFY(!upper.sameView(half));
        op.reads[0].index.offset += 32 * 128;
        QVERIFY(!viewOf(b.program, 0, {4, 1}).sameView(upper));
    }

    void splitsOfAClone_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::newRow("rows") << 32 << 1;
        QTest::newRow("columns") << 1 << 16;
        QTest::newRow("both") << 4 << 8;
        QTest::newRow("none") << 1 << 1;
    }

    /// The view of a reader, asked of an identity copy, comes back with the same core table.
    void splitsOfAClone() {
        QFETCH(int, rows);
        QFETCH(int, columns);
        ProgramBuilder b;
        b.input("a", {512, 1024});
        b.buffer("o", {512, 1024});
        b.op({"o", "exp", {512, 1024}, 0, {{"a", {0, 1}}}, {0, 1}, OpClass::Pointwise});
        layOut(b.program);
        const Splits splits{rows, columns};
        const PerCoreView wanted = viewOf(b.program, 0, splits);
        const auto found = splitsForView(b.program.ops.back(), b.program.buffers[0], wanted, {});
        QVERIFY(found.has_value());
        QCOMPARE(*found, splits);
    }

    /// Readers that cut the columns first number the cores differently: no copy can match both ways.
    void noCloneForAnotherCoreOrder() {
        ProgramBuilder b;
        b.input("a", {512, 1024});
        b.buffer("o", {1024, 512});
        b.op({"o", "clone", {1024, 512}, 0, {{"a", {1, 0}}}, {0, 1}, OpClass::Pointwise});
        b.buffer("c", {512, 1024});
        b.op({"c", "clone", {512, 1024}, 0, {{"a", {0, 1}}}, {0, 1}, OpClass::Pointwise});
        layOut(b.program);
        const spyre::Op& reader = b.program.ops[0];
        const PerCoreView wanted = perCoreView(b.program, reader, reader.reads[0], {8, 4}, {});
        QCOMPARE(wanted.slices.size(), std::size_t{2});
        QVERIFY(!splitsForView(b.program.ops[1], b.program.buffers[0], wanted, {}).has_value());
        const PerCoreView one = perCoreView(b.program, reader, reader.reads[0], {8, 1}, {});
        QVERIFY(splitsForView(b.program.ops[1], b.program.buffers[0], one, {}).has_value());
    }

    /// A user that cuts a loop the tensor does not have leaves it whole on many cores: a copy cannot.
    void noCloneForABroadcast() {
        const ProgramBuilder b = matmul(4096, 4096, 4096);
        const PerCoreView y = viewOf(b.program, 1, {32, 1, 1});
        QVERIFY(y.slices.empty());
        QCOMPARE(y.cores, std::int64_t{32});
        ProgramBuilder c;
        c.input("y", {4096, 4096});
        c.buffer("k", {4096, 4096});
        c.op({"k", "clone", {4096, 4096}, 0, {{"y", {0, 1}}}, {0, 1}, OpClass::Pointwise});
        layOut(c.program);
        QVERIFY(!splitsForView(c.program.ops.back(), c.program.buffers[0], y, {}).has_value());
    }

    void figures() {
        ProgramBuilder b = matmul(8192, 4096, 32768);
        b.program.divisions.resize(1);
        b.program.divisions[0].splits = {16, 1, 2};
        const OpMetrics m = opMetrics(b.program, OpId{0}, {});
        QCOMPARE(m.coresUsed, std::int64_t{32});
        QCOMPARE(m.utilisation, 1.0);
        QCOMPARE(m.idleCores, std::int64_t{0});
        QCOMPARE(m.kHops, std::int64_t{1});
        QCOMPARE(m.tensors[0].span, Bytes{268435456});
        QCOMPARE(m.tensors[0].spanHeadroom, 0.0);
        QCOMPARE(m.tensors[0].perCoreBytes, Bytes{536870912 / 32});
        QCOMPARE(m.tensors[1].broadcast, std::int64_t{16});
        MetricsRule far;
        far.coreMap.kFastEmission = false;
        QCOMPARE(opMetrics(b.program, OpId{0}, far).kHops, std::int64_t{16});
    }

    void raggedFigures() {
        ProgramBuilder b;
        b.input("a", {4, 100});
        b.buffer("o", {4, 100});
        b.op({"o", "exp", {4, 100}, 0, {{"a", {0, 1}}}, {0, 1}, OpClass::Pointwise});
        layOut(b.program);
        b.program.divisions.resize(1);
        b.program.divisions[0].splits = {1, 2};
        const OpMetrics m = opMetrics(b.program, OpId{0}, {});
        QCOMPARE(m.balance, 36.0 / 64.0);
        QCOMPARE(m.stickEfficiency, (std::vector<double>{100.0 / 128.0}));
        QCOMPARE(m.lostFactor, 16.0);
        const DivisionMetrics d = divisionMetrics(b.program, {});
        QCOMPARE(d.opsBelowHalf, 1);
        QCOMPARE(d.utilisation, 2.0 / 32.0);
        QCOMPARE(d.paddingShare, 1.0 - 100.0 / 128.0);
        QCOMPARE(d.mismatches, 0);
    }
};

MEMPLAN_TEST(TestCoreView)
#include "tst_core_view.moc"
