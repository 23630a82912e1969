// SPDX-License-Identifier: Apache-2.0
// Work division of single operations: the worked examples of spyre-layouts-and-work-division 18 and the
// conditions of 17.
#include "engine/spyre/division/matmul_cost.h"
#include "engine/spyre/division/plan_op.h"
#include "engine/spyre/layout/stick_layout.h"
#include "tests/engine/spyre/spyre_fixture.h"
#include "tests/support/program.h"

#include <QTest>

using namespace memplan;
using namespace memplan::spyre;
using namespace memplan::spyre::test;

using Sizes = std::vector<std::int64_t>;

Q_DECLARE_METATYPE(Sizes)

namespace {

struct Planned {
    Program program;
    IterationSpace space;
    Result<OpDivision> division = OpDivision();
};

/// Plans the last op; buffers without a layout get the natural one.
Planned plan(ProgramBuilder& b, int cores, bool kFast = true) {
    Planned out;
    for (Buffer& x : b.program.buffers) {
        if (!x.layout) x.layout = genericLayout(x).value();
    }
    out.program = std::move(b.program);
    const spyre::Op& op = out.program.ops.back();
    out.space = iterationSpace(out.program, op).value();
    out.division = planOp(op, out.space, {{cores, 268'435'456}, kFast});
    return out;
}

Planned planPointwise(const Sizes& size, HostType type, int cores) {
    ProgramBuilder b;
    b.input("a", size, type);
    b.buffer("o", size, type);
    Dims dims;
    for (std::size_t d = 0; d < size.size(); ++d)
        dims.push_back(static_cast<int>(d));
    b.op({"o", "exp", size, 0, {{"a", dims}}, dims, OpClass::Pointwise});
    return plan(b, cores);
}

/// [batch.., M, N, K]; a batch of 0 means none.
Planned planMatmul(const Sizes& bmnk, int cores, bool kFast) {
    const bool batched = bmnk.size() == 4;
    const std::int64_t m = bmnk[bmnk.size() - 3], n = bmnk[bmnk.size() - 2], k = bmnk[bmnk.size() - 1];
    ProgramBuilder b;
    if (batched) {
        b.input("x", {bmnk[0], m, k});
        b.input("y", {bmnk[0], k, n});
        b.buffer("o", {bmnk[0], m, n});
        b.op({"o",
              "batchmatmul",
              {bmnk[0], m, n, k},
              1,
              {{"x", {0, 1, 3}}, {"y", {0, 3, 2}}},
              {0, 1, 2},
              OpClass::Reduction});
    } else {
        b.input("x", {m, k});
        b.input("y", {k, n});
        b.buffer("o", {m, n});
        b.op({"o", "batchmatmul", {m, n, k}, 1, {{"x", {0, 2}}, {"y", {2, 1}}}, {0, 1}, OpClass::Reduction});
    }
    return plan(b, cores, kFast);
}

}  // namespace

class TestDivision : public QObject {
    Q_OBJECT

private slots:
    void pointwise_data() {
        QTest::addColumn<Sizes>("size");
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("cores");
        QTest::addColumn<Sizes>("splits");
        const auto row = [](const char* name, const Sizes& s, HostType t, int c, const Sizes& splits) {
            QTest::newRow(name) << s << static_cast<int>(t) << c << splits;
        };
        const Sizes a{1024, 4096};
        row("18.1 1 core", a, HostType::Float16, 1, {1, 1});
        row("18.1 2 cores", a, HostType::Float16, 2, {2, 1});
        row("18.1 4 cores", a, HostType::Float16, 4, {4, 1});
        row("18.1 7 cores", a, HostType::Float16, 7, {4, 1});
        row("18.1 8 cores", a, HostType::Float16, 8, {8, 1});
        row("18.1 16 cores", a, HostType::Float16, 16, {16, 1});
        row("18.1 24 cores", a, HostType::Float16, 24, {16, 1});
        row("18.1 32 cores", a, HostType::Float16, 32, {32, 1});
        row("18.2 [100,100]", {100, 100}, HostType::Float16, 32, {25, 1});
        row("18.2 [97,8191]", {97, 8191}, HostType::Float16, 32, {1, 32});
        row("18.2 [63,65] float32", {63, 65}, HostType::Float32, 32, {21, 1});
        row("18.2 [31,64] bool", {31, 64}, HostType::Bool, 32, {31, 1});
        row("18.9 512 MiB", {16384, 16384}, HostType::Float16, 32, {16, 2});
        row("18.9 float32", {16384, 16384}, HostType::Float32, 32, {8, 4});
        row("18.9 [32768,32768]", {32768, 32768}, HostType::Float16, 32, {4, 8});
        row("18.9 on one core nothing fits", {16384, 16384}, HostType::Float16, 1, {1, 1});
        row("18.9 8193 = 3 * 2731", {32, 8193, 1740}, HostType::Float16, 32, {8, 3, 1});
    }

    void pointwise() {
        QFETCH(Sizes, size);
        QFETCH(int, type);
        QFETCH(int, cores);
        const Planned p = planPointwise(size, static_cast<HostType>(type), cores);
        QVERIFY(p.division.ok());
        QTEST(p.division.value().splits, "splits");
    }

    void spanOfRows() {
        const Planned p = planPointwise({1024, 4096}, HostType::Float16, 32);
        for (const DividedTensor& t : p.space.tensors) {
            QCOMPARE(perCoreSpan(t, p.space.loops, {}), Bytes{8388608});
            // 18.1: rows do not shorten the span, the outermost device dimension is the column tile.
            QCOMPARE(perCoreSpan(t, p.space.loops, p.division.value().splits), Bytes{8388608});
        }
        const SplitEncoding e = encodeSplits(p.division.value().splits, splitIndices(p.program.ops.back()));
        QCOMPARE(e.output, (std::map<std::int64_t, std::int64_t>{{4096, 32}}));
        QVERIFY(e.reduction.empty());
    }

    void softmax_data() {
        QTest::addColumn<bool>("overRows");
        QTest::addColumn<int>("cores");
        QTest::addColumn<Sizes>("splits");
        QTest::newRow("18.3 axis 1, 1 core") << false << 1 << Sizes{1, 1};
        QTest::newRow("18.3 axis 1, 4 cores") << false << 4 << Sizes{4, 1};
        QTest::newRow("18.3 axis 1, 32 cores") << false << 32 << Sizes{32, 1};
        QTest::newRow("18.3 axis 0, 4 cores") << true << 4 << Sizes{4, 1};
        QTest::newRow("18.3 axis 0, 32 cores") << true << 32 << Sizes{16, 2};
    }

    void softmax() {
        QFETCH(bool, overRows);
        QFETCH(int, cores);
        ProgramBuilder b;
        b.input("x", {512, 1024});
        if (overRows) {
            b.buffer("m", {1, 1024});
            b.op({"m", "max", {1024, 512}, 1, {{"x", {1, 0}}}, {-1, 0}, OpClass::Reduction});
        } else {
            b.inputInOrder("m", {512, 1}, {0, 1, -1});
            b.op({"m", "max", {512, 1024}, 1, {{"x", {0, 1}}}, {0, -1}, OpClass::Reduction});
        }
        QTEST(plan(b, cores).division.value().splits, "splits");
    }

    void reductions_data() {
        QTest::addColumn<Sizes>("size");
        QTest::addColumn<Sizes>("order");  // loops: input dimensions, output ones first
        QTest::addColumn<int>("reduced");
        QTest::addColumn<Sizes>("splits");
        QTest::newRow("18.4 [8,16,4096] over 2") << Sizes{8, 16, 4096} << Sizes{0, 1, 2} << 1 << Sizes{2, 16, 1};
        QTest::newRow("18.4 [8,16,4096] over 1") << Sizes{8, 16, 4096} << Sizes{0, 2, 1} << 1 << Sizes{1, 32, 1};
        QTest::newRow("18.4 [8,16,4096] over 0,1") << Sizes{8, 16, 4096} << Sizes{2, 0, 1} << 2 << Sizes{32, 1, 1};
        QTest::newRow("18.4 [3,4096] over 1") << Sizes{3, 4096} << Sizes{0, 1} << 1 << Sizes{3, 8};
        QTest::newRow("18.4 [7,100] over 1") << Sizes{7, 100} << Sizes{0, 1} << 1 << Sizes{7, 2};
        QTest::newRow("18.9 sum over the last axis")
            << Sizes{4, 8195, 256, 64} << Sizes{0, 1, 2, 3} << 1 << Sizes{1, 5, 4, 1};
    }

    void reductions() {
        QFETCH(Sizes, size);
        QFETCH(Sizes, order);
        QFETCH(int, reduced);
        ProgramBuilder b;
        b.input("x", size);
        Dims read(size.size());
        Sizes loops;
        Sizes outSize;
        Dims write;
        for (std::size_t v = 0; v < order.size(); ++v) {
            read[static_cast<std::size_t>(order[v])] = static_cast<int>(v);
            loops.push_back(size[static_cast<std::size_t>(order[v])]);
            if (v + static_cast<std::size_t>(reduced) < order.size()) {
                outSize.push_back(loops.back());
                write.push_back(static_cast<int>(v));
            }
        }
        const BufferId out = b.buffer("o", outSize);
        // The stick was reduced: the result is sparse.
        DimOrder sparse = naturalOrder(outSize.size());
        sparse.push_back(-1);
        Buffer& o = b.program.buffers[out.at()];
        if (order.back() == static_cast<std::int64_t>(size.size()) - 1) {
            o.layout = buildStickLayout(o.size, o.stride, o.dtype, sparse).value();
        }
        b.op({"o", "sum", loops, reduced, {{"x", read}}, write, OpClass::Reduction});
        QTEST(plan(b, 32).division.value().splits, "splits");
    }

    void reductionOfOneRow() {
        ProgramBuilder b;
        b.input("x", {1, 4096});
        b.buffer("o", {1, 1});
        b.op({"o", "sum", {4096}, 1, {{"x", {-1, 0}}}, {-1, -1}, OpClass::Reduction});
        const Planned p = plan(b, 32);
        const SplitEncoding e = encodeSplits(p.division.value().splits, splitIndices(p.program.ops.back()));
        QVERIFY(e.output.empty());
        QCOMPARE(e.reduction, (std::map<std::int64_t, std::int64_t>{{1, 32}}));
    }

    void matmuls_data() {
        QTest::addColumn<Sizes>("bmnk");
        QTest::addColumn<int>("cores");
        QTest::addColumn<bool>("kFast");
        QTest::addColumn<bool>("claimed");
        QTest::addColumn<Sizes>("splits");
        QTest::newRow("18.5") << Sizes{4096, 4096, 4096} << 32 << true << false << Sizes{32, 1, 1};
        QTest::newRow("18.6") << Sizes{8192, 4096, 32768} << 32 << true << false << Sizes{16, 1, 2};
        QTest::newRow("18.7 k-fast") << Sizes{64, 1024, 4096} << 32 << true << true << Sizes{1, 16, 2};
        QTest::newRow("18.7 off") << Sizes{64, 1024, 4096} << 32 << false << false << Sizes{32, 1, 1};
        QTest::newRow("11 (128,512,4096)") << Sizes{128, 512, 4096} << 32 << true << true << Sizes{1, 8, 4};
        QTest::newRow("18.8 batch 8") << Sizes{8, 512, 512, 128} << 32 << true << false << Sizes{1, 32, 1, 1};
        QTest::newRow("18.8 batch 3") << Sizes{3, 5, 64, 4096} << 32 << true << false << Sizes{3, 5, 1, 2};
        QTest::newRow("18.8 batch 12 on 24") << Sizes{12, 128, 64, 64} << 24 << true << false << Sizes{1, 16, 1, 1};
    }

    void matmuls() {
        QFETCH(Sizes, bmnk);
        QFETCH(int, cores);
        QFETCH(bool, kFast);
        const Planned p = planMatmul(bmnk, cores, kFast);
        QVERIFY(p.division.ok());
        QTEST(p.division.value().splits, "splits");
        QTEST(p.division.value().kFastApplied, "claimed");
    }

    /// 18.8: M of extent 1 disappears and k-fast sees the batch as its second output loop.
    void kFastOfOneRow() {
        ProgramBuilder b;
        b.input("x", {32, 1, 2048});
        b.input("y", {32, 2048, 128});
        b.buffer("o", {32, 1, 128});
        b.op({"o",
              "batchmatmul",
              {32, 128, 2048},
              1,
              {{"x", {0, -1, 2}}, {"y", {0, 2, 1}}},
              {0, -1, 1},
              OpClass::Reduction});
        const Planned p = plan(b, 32);
        QVERIFY(p.division.value().kFastApplied);
        QCOMPARE(p.division.value().splits, (Sizes{1, 2, 16}));
    }

    void transposedCopy() {
        ProgramBuilder b;
        b.input("a", {16384, 16384});
        b.buffer("o", {16384, 16384});
        b.op({"o", "clone", {16384, 16384}, 0, {{"a", {0, 1}}}, {1, 0}, OpClass::Pointwise});
        const Planned p = plan(b, 32);
        QCOMPARE(p.division.value().splits, (Sizes{2, 2}));
        QVERIFY(p.division.value().notices.empty());

        ProgramBuilder large;
        large.input("a", {32768, 32768});
        large.buffer("o", {32768, 32768});
        large.op({"o", "clone", {32768, 32768}, 0, {{"a", {0, 1}}}, {1, 0}, OpClass::Pointwise});
        const Planned q = plan(large, 32);
        QCOMPARE(q.division.value().splits, (Sizes{4, 8}));
        QCOMPARE(q.division.value().notices.size(), std::size_t{2});
        QCOMPARE(q.division.value().notices[0].code, std::string("SPN-003"));
        QCOMPARE(q.division.value().notices[1].code, std::string("WDV-003"));
    }

    /// 18.11: the first reduced loop is not enough and the next coordinate needs another one.
    void twoReductionLoops() {
        ProgramBuilder b = twoReducedLoops();
        const Planned p = plan(b, 32);
        QVERIFY(!p.division.ok());
        QCOMPARE(p.division.error().primary().code, std::string("SPN-004"));
        QVERIFY(p.division.error().primary().message.find("Cannot satisfy hardware memory span limit (256MB)") !=
                std::string::npos);
    }

    void mixedTypes() {
        ProgramBuilder b;
        b.input("x", {128, 4096});
        b.buffer("o", {4096}, HostType::Int64);
        b.op({"o", "argmax", {4096, 128}, 1, {{"x", {1, 0}}}, {0}, OpClass::Reduction});
        const Planned p = plan(b, 32);
        QCOMPARE(p.space.adjusted, (Sizes{64, 128}));
        QCOMPARE(p.division.value().splits, (Sizes{32, 1}));
    }

    void topkIsNotDivided() {
        ProgramBuilder b;
        b.input("x", {128, 4096});
        b.buffer("o", {4096});
        b.op({"o", "topkvalue", {4096, 128}, 1, {{"x", {1, 0}}}, {0}, OpClass::Reduction});
        QCOMPARE(plan(b, 32).division.value().splits, (Sizes{1, 1}));
    }

    void coresOutOfRange() {
        for (const int cores : {0, 33, -1}) {
            const Planned p = planPointwise({64, 64}, HostType::Float16, cores);
            QVERIFY(!p.division.ok());
            QCOMPARE(p.division.error().primary().code, std::string("WDV-001"));
            QVERIFY(p.division.error().primary().message.find("invalid SENCORES value " + std::to_string(cores)) !=
                    std::string::npos);
        }
    }

    /// 17 S2: what is committed already needs more cores than there are.
    void noCombination() {
        const Planned p = planPointwise({16384, 16384}, HostType::Float16, 32);
        const auto forced = mustSplit(p.space, {4, 268'435'456}, {8, 0});
        QVERIFY(forced.ok());
        QCOMPARE(forced.value().notices.front().code, std::string("SPN-002"));
        QVERIFY(forced.value().notices.front().message.starts_with("No valid split combo found"));
        QCOMPARE(forced.value().splits, (Splits{8, 0}));
    }

    /// 17 S1, 19.2: only a count that somebody committed by hand can exceed every divisor.
    void committedAboveEveryDivisor() {
        const Planned p = planPointwise({16384, 16384}, HostType::Float16, 32);
        const auto forced = mustSplit(p.space, {32, 1000}, {0, 257});
        QVERIFY(!forced.ok());
        QCOMPARE(forced.error().primary().code, std::string("SPN-001"));
        QVERIFY(forced.error().primary().message.find("No valid split for variable d1") != std::string::npos);
    }

    /// 17 S3: 700001 positions have no divisor that helps.
    void limitOutOfReach() {
        const Planned q = planPointwise({3, 700001, 65}, HostType::Float16, 32);
        QCOMPARE(q.division.value().notices.front().code, std::string("SPN-003"));
        QVERIFY(q.division.value().notices.front().message.find("Cannot satisfy span limit for tensor") !=
                std::string::npos);
    }

    /// 17 W2: a committed split larger than the cores that are left is skipped.
    void committedLargerThanCores() {
        const auto d = distribute({{16, 16}, 8, {}, {4, 4}});
        QVERIFY(d.ok());
        QCOMPARE(d.value().splits, (Splits{4, 1}));
        QCOMPARE(d.value().skipped, (std::vector<int>{1}));
        QVERIFY(!distribute({{16, 16}, 8, {{0}, {}}, {4, 1}}).ok());
    }

    void spaceOfOtherKinds() {
        ProgramBuilder b;
        b.input("a", {64, 64});
        b.buffer("o", {64, 64});
        b.op({"o", "scan", {64, 64}, 0, {{"a", {0, 1}}}, {0, 1}, OpClass::Extern});
        const auto space = iterationSpace(b.program, b.program.ops.back());
        QVERIFY(!space.ok());
        QCOMPARE(space.error().primary().code, std::string("WDV-005"));
        QVERIFY(space.error().primary().message.find("Unexpected node type") != std::string::npos);
    }

    void matmulCost() {
        const auto us = matmulMicroseconds({{1, 1}, {4096, 16}, {4096, 2}, {4096, 1}, 32, true});
        QVERIFY(us.has_value());
        QVERIFY(std::abs(*us - 2274.736145) < 1e-3);
        QVERIFY(!matmulMicroseconds({{1, 1}, {4096, 32}, {4096, 2}, {4096, 1}, 32, true}).has_value());
    }
};

MEMPLAN_TEST(TestDivision)
#include "tst_division.moc"
