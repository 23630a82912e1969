// SPDX-License-Identifier: Apache-2.0
// lower_to_spyre: loops, views, constants, extern kernels (inputs-and-interchange 6, column "Spyre").
#include "engine/spyre/lower/lower_to_spyre.h"
#include "engine/spyre/lower/strided_view.h"
#include "tests/support/compile_support.h"
#include "tests/support/program.h"

#include <QTest>

using namespace memplan;
using namespace memplan::test;
using spyre::OpClass;
using List = QList<qlonglong>;

class LoweringTest : public QObject {
    Q_OBJECT

private slots:
    void reduction_outputDimsComeFirst();
    void broadcast_hasZeroCoefficient();
    void matmul_isBatchmatmulWithKLast();
    void extentOne_loopsDisappear();
    void reshape_hasNoOperation();
    void reshape_acrossSticks_isMaterialised();
    void transpose_isAViewWhenBothAreWholeSticks();
    void transpose_isACopyWhenNot();
    void cast_ofAnotherOrder_isPlanned_data();
    void cast_ofAnotherOrder_isPlanned();
    void scalarConstant_isAnOperation();
    void fallback_isExtern();
    void outputOfAView_marksItsBuffer();
    void reshaped_data();
    void reshaped();
};

namespace {

const spyre::Op& opNamed(const spyre::Program& p, const std::string& name) {
    for (const spyre::Op& op : p.ops) {
        if (op.name == name) return op;
    }
    qFatal("no op %s", name.c_str());
}

bool hasOp(const spyre::Program& p, const std::string& name) {
    return std::any_of(p.ops.begin(), p.ops.end(), [&](const spyre::Op& op) { return op.name == name; });
}

}  // namespace

void LoweringTest::reduction_outputDimsComeFirst() {
    const spyre::Program p = spyre::lowerToSpyre(softmax(512, 1024, 0));
    const spyre::Op& max = opNamed(p, "max");
    QCOMPARE(max.loops.size(), std::size_t{2});
    QCOMPARE(max.loops[0].extent, std::int64_t{1024});
    QVERIFY(!max.loops[0].isReduction && max.loops[1].isReduction);
    QCOMPARE(max.reads[0].index.coefficients, (std::vector<std::int64_t>{1, 1024}));
    QCOMPARE(max.write.index.coefficients, (std::vector<std::int64_t>{1, 0}));
}

void LoweringTest::broadcast_hasZeroCoefficient() {
    const spyre::Program p = spyre::lowerToSpyre(softmax(512, 1024, 0));
    const spyre::Op& sub = opNamed(p, "sub");
    QCOMPARE(sub.reads[1].index.coefficients, (std::vector<std::int64_t>{0, 1}));
}

void LoweringTest::matmul_isBatchmatmulWithKLast() {
    GraphBuilder b("mm");
    const TensorId x = b.input("x", {64, 128});
    const TensorId y = b.parameter("y", {128, 256});
    b.output(b.matmul("mm", x, y));
    const spyre::Program p = spyre::lowerToSpyre(b.build());
    const spyre::Op& mm = opNamed(p, "mm");
    QVERIFY(mm.isMatmul());
    QCOMPARE(mm.loops[0].extent, std::int64_t{64});
    QCOMPARE(mm.loops[1].extent, std::int64_t{256});
    QCOMPARE(mm.loops[2].extent, std::int64_t{128});
    QVERIFY(mm.loops[2].isReduction);
    QCOMPARE(p.inputs.size(), std::size_t{2});
    QCOMPARE(p.buffers[p.inputs[1].at()].kind, spyre::BufferKind::Parameter);
}

void LoweringTest::extentOne_loopsDisappear() {
    GraphBuilder b("ones");
    const TensorId x = b.input("x", {1, 64, 1, 128});
    b.output(b.pointwise("y", "exp", {x}));
    const spyre::Program p = spyre::lowerToSpyre(b.build());
    QCOMPARE(opNamed(p, "y").loops.size(), std::size_t{2});
}

void LoweringTest::reshape_hasNoOperation() {
    GraphBuilder b("reshape");
    const TensorId x = b.input("x", {4, 32, 128});
    const TensorId e = b.pointwise("e", "exp", {x});
    const TensorId v = b.reshape("v", e, {128, 128});
    b.output(b.pointwise("y", "neg", {v}));
    const spyre::Program p = spyre::lowerToSpyre(b.build());
    QVERIFY(!hasOp(p, "v"));
    const spyre::Op& y = opNamed(p, "y");
    QCOMPARE(p.buffers[y.reads[0].buffer.at()].name, std::string("e"));
    QCOMPARE(y.reads[0].index.coefficients, (std::vector<std::int64_t>{128, 1}));
}

void LoweringTest::reshape_acrossSticks_isMaterialised() {
    // Rows of 48 cut out of rows of 96: two loops would meet inside one stick of 64.
    GraphBuilder b("reshape");
    const TensorId x = b.input("x", {8, 96});
    const TensorId e = b.pointwise("e", "exp", {x});
    const TensorId v = b.reshape("v", e, {8, 2, 48});
    b.output(b.pointwise("y", "neg", {v}));
    const spyre::Program p = spyre::lowerToSpyre(b.build());
    QVERIFY(hasOp(p, "v"));
    QCOMPARE(opNamed(p, "v").fn, std::string("clone"));
}

void LoweringTest::transpose_isAViewWhenBothAreWholeSticks() {
    GraphBuilder b("t");
    const TensorId x = b.input("x", {128, 256});
    const TensorId t = b.transpose("t", x, {1, 0});
    b.output(b.pointwise("y", "exp", {t}));
    const spyre::Program p = spyre::lowerToSpyre(b.build());
    QVERIFY(!hasOp(p, "t"));
    QCOMPARE(opNamed(p, "y").reads[0].index.coefficients, (std::vector<std::int64_t>{1, 256}));
}

void LoweringTest::transpose_isACopyWhenNot() {
    GraphBuilder b("t");
    const TensorId x = b.input("x", {100, 256});
    const TensorId t = b.transpose("t", x, {1, 0});
    b.output(b.pointwise("y", "exp", {t}));
    const spyre::Program p = spyre::lowerToSpyre(b.build());
    QVERIFY(hasOp(p, "t"));
    QCOMPARE(opNamed(p, "t").fn, std::string("clone"));
}

namespace {

/// x of f16 becomes y of f32, whose elements stand in another order or repeat those of x.
Graph castGraph(const List& from, const List& to, bool isTransposed, bool isOneOp) {
    GraphBuilder b("cast");
    TensorId x = b.input("x", {from[0], from[1]});
    if (isTransposed && !isOneOp) x = b.transpose("t", x, {1, 0});
    const TensorId y = b.pointwise("y", "cast", {x});
    b.output(y);
    Graph g = b.build();
    Op& cast = g.ops.back();
    g.tensors[y.at()].dtype = DType::F32;
    g.tensors[y.at()].shape.assign(to.begin(), to.end());
    for (std::size_t d = 0; d < 2; ++d)
        cast.iter[d].size = to[static_cast<qsizetype>(d)];
    if (isTransposed && isOneOp) std::swap((*cast.inMaps[0])[0], (*cast.inMaps[0])[1]);
    if (from[1] == 1) (*cast.inMaps[0])[1] = {};
    return g;
}

}  // namespace

void LoweringTest::cast_ofAnotherOrder_isPlanned_data() {
    QTest::addColumn<List>("from");
    QTest::addColumn<List>("to");
    QTest::addColumn<bool>("isTransposed");
    QTest::addColumn<bool>("isOneOp");
    QTest::newRow("transposed") << List{512, 40} << List{40, 512} << true << true;
    QTest::newRow("transposed, then cast") << List{512, 40} << List{40, 512} << true << false;
    QTest::newRow("transposed, then cast, rows of 100") << List{100, 512} << List{512, 100} << true << false;
    QTest::newRow("broadcast") << List{512, 1} << List{512, 1000} << false << true;
}

/// The layout of the result has room for the result, whatever the shape of the input is.
void LoweringTest::cast_ofAnotherOrder_isPlanned() {
    QFETCH(List, from);
    QFETCH(List, to);
    QFETCH(bool, isTransposed);
    QFETCH(bool, isOneOp);
    const PlanPtr plan = planOf(castGraph(from, to, isTransposed, isOneOp));
    QVERIFY(plan);
    QCOMPARE(fileFault(*plan), std::string());
}

void LoweringTest::scalarConstant_isAnOperation() {
    GraphBuilder b("c");
    const TensorId x = b.input("x", {64, 64});
    const TensorId c = b.constant("half", 0.5);
    b.output(b.pointwise("y", "mul", {x, c}));
    const spyre::Program p = spyre::lowerToSpyre(b.build());
    const spyre::Op& half = opNamed(p, "half");
    QCOMPARE(half.kind, OpClass::Constant);
    QCOMPARE(half.constantValue.value_or(0), 0.5);
    QCOMPARE(opNamed(p, "y").reads[1].index.coefficients, (std::vector<std::int64_t>{0, 0}));
}

void LoweringTest::fallback_isExtern() {
    GraphBuilder b("f");
    const TensorId x = b.input("x", {64, 64});
    b.output(b.fallback("f", "topk", {x}, {64, 8}));
    const spyre::Program p = spyre::lowerToSpyre(b.build());
    QCOMPARE(opNamed(p, "f").kind, OpClass::Extern);
    QVERIFY(opNamed(p, "f").loops.empty());
}

void LoweringTest::outputOfAView_marksItsBuffer() {
    GraphBuilder b("v");
    const TensorId x = b.input("x", {4, 64});
    const TensorId e = b.pointwise("e", "exp", {x});
    b.output(b.reshape("v", e, {256}));
    const spyre::Program p = spyre::lowerToSpyre(b.build());
    const spyre::Buffer& buffer = p.buffers[p.outputs.front().at()];
    QCOMPARE(buffer.name, std::string("e"));
    QVERIFY(buffer.isOutput && buffer.outputIsView);
}

void LoweringTest::reshaped_data() {
    QTest::addColumn<List>("shape");
    QTest::addColumn<List>("strides");
    QTest::addColumn<List>("to");
    QTest::addColumn<List>("expected");  // empty = no strides express it
    QTest::newRow("split") << List{128, 384} << List{384, 1} << List{128, 12, 32} << List{384, 32, 1};
    QTest::newRow("merge") << List{2, 3, 4} << List{12, 4, 1} << List{6, 4} << List{4, 1};
    QTest::newRow("merge transposed") << List{3, 2} << List{1, 3} << List{6} << List{};
    QTest::newRow("split transposed") << List{6, 4} << List{1, 6} << List{2, 3, 4} << List{3, 1, 6};
    QTest::newRow("ones") << List{1, 6, 1} << List{6, 1, 1} << List{6, 1} << List{1, 1};
    QTest::newRow("broadcast") << List{4, 5} << List{0, 1} << List{2, 2, 5} << List{0, 0, 1};
}

void LoweringTest::reshaped() {
    QFETCH(List, shape);
    QFETCH(List, strides);
    QFETCH(List, to);
    QFETCH(List, expected);
    const auto vector = [](const List& l) { return std::vector<std::int64_t>(l.begin(), l.end()); };
    const auto view = spyre::reshaped({BufferId{0}, vector(shape), vector(strides), 0}, vector(to));
    QCOMPARE(view.has_value(), !expected.isEmpty());
    if (!view) return;
    QCOMPARE(view->shape, vector(to));
    for (std::size_t d = 0; d < view->shape.size(); ++d) {
        if (view->shape[d] > 1)
            QCOMPARE(view->strides[d], static_cast<std::int64_t>(expected[static_cast<qsizetype>(d)]));
    }
}

MEMPLAN_TEST(LoweringTest)
#include "tst_lowering.moc"
