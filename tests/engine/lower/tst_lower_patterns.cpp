// SPDX-License-Identifier: Apache-2.0
// Patterns of several nodes become groups, exactly when their inner values stay inside
// (inputs-and-interchange 6, order of the passes).
#include "tests/engine/lower/lower_support.h"
#include "tests/support/program.h"

using namespace memplan;
using namespace memplan::lowertest;

namespace {

GraphText start(Dims dims = {2, 8, 16}) {
    GraphText g;
    g.input("x", kFloat, dims);
    return g;
}

void scalar(GraphText& g, const std::string& name, float v) {
    g.initializer(tensor(name, kFloat, {}, rawOf(std::vector<float>{v})));
}

GraphText geluErf(float root, const std::string& extraOutput = {}) {
    GraphText g = start();
    scalar(g, "root", root);
    scalar(g, "one", 1.0F);
    scalar(g, "half", 0.5F);
    g.add("Div", {"x", "root"}, {"d"}).add("Erf", {"d"}, {"e"}).add("Add", {"e", "one"}, {"a"});
    g.add("Mul", {"x", "a"}, {"m"}).add("Mul", {"m", "half"}, {"y"}).output("y");
    if (!extraOutput.empty()) g.output(extraOutput);
    return g;
}

}  // namespace

class TstLowerPatterns : public QObject {
    Q_OBJECT

private slots:
    void gelu_erf() {
        const Lowered l = lower(geluErf(1.41421F));
        QCOMPARE(l.error, std::string());
        QCOMPARE(l.groups(), std::string("gelu(5)"));
    }

    void gelu_needsItsConstant() {
        QCOMPARE(lower(geluErf(1.4135F)).groups(), std::string("gelu(5)"));  // within 1e-3
        QCOMPARE(lower(geluErf(1.43F)).groups(), std::string());
    }

    void gelu_innerValueMayNotBeAnOutput() {
        const Lowered l = lower(geluErf(1.41421F, "e"));
        QCOMPARE(l.error, std::string());
        QCOMPARE(l.groups(), std::string());
    }

    void gelu_tanh_data() {
        QTest::addColumn<bool>("power");
        QTest::newRow("power") << true;
        QTest::newRow("products") << false;
    }

    void gelu_tanh() {
        QFETCH(bool, power);
        GraphText g = start();
        scalar(g, "c", 0.044715F);
        scalar(g, "s", 0.79788F);
        scalar(g, "three", 3.0F);
        scalar(g, "one", 1.0F);
        scalar(g, "half", 0.5F);
        if (power) {
            g.add("Pow", {"x", "three"}, {"p"}).add("Mul", {"c", "p"}, {"q"});
        } else {
            g.add("Mul", {"c", "x"}, {"p0"}).add("Mul", {"x", "p0"}, {"p"}).add("Mul", {"p", "x"}, {"q"});
        }
        g.add("Add", {"x", "q"}, {"u"}).add("Mul", {"u", "s"}, {"v"}).add("Tanh", {"v"}, {"t"});
        g.add("Add", {"one", "t"}, {"a"}).add("Mul", {"half", "a"}, {"m"}).add("Mul", {"x", "m"}, {"y"}).output("y");
        const Lowered l = lower(g);
        QCOMPARE(l.error, std::string());
        QCOMPARE(l.groups(), std::string(power ? "gelu(8)" : "gelu(9)"));
    }

    void silu() {
        GraphText g = start();
        g.add("Sigmoid", {"x"}, {"s"}).add("Mul", {"x", "s"}, {"y"}).output("y");
        QCOMPARE(lower(g).groups(), std::string("silu(2)"));
    }

    void silu_sigmoidWithTwoReaders() {
        GraphText g = start();
        g.add("Sigmoid", {"x"}, {"s"}).add("Mul", {"x", "s"}, {"y"}).add("Neg", {"s"}, {"z"}).output("y").output("z");
        QCOMPARE(lower(g).groups(), std::string());
    }

    void layerNorm() {
        GraphText g = start();
        scalar(g, "two", 2.0F);
        scalar(g, "eps", 1e-5F);
        g.weight("gamma", {16}).weight("beta", {16});
        g.add("ReduceMean", {"x"}, {"m"}, {attrInts("axes", {-1})}).add("Sub", {"x", "m"}, {"d"});
        g.add("Pow", {"d", "two"}, {"p"}).add("ReduceMean", {"p"}, {"v"}, {attrInts("axes", {-1})});
        g.add("Add", {"v", "eps"}, {"e"}).add("Sqrt", {"e"}, {"r"}).add("Div", {"d", "r"}, {"n"});
        g.add("Mul", {"n", "gamma"}, {"s"}).add("Add", {"s", "beta"}, {"y"}).output("y");
        const Lowered l = lower(g);
        QCOMPARE(l.error, std::string());
        QCOMPARE(l.groups(), std::string("layer_norm(9)"));
    }

    void rmsNorm() {
        GraphText g = start();
        scalar(g, "two", 2.0F);
        scalar(g, "one", 1.0F);
        scalar(g, "eps", 1e-5F);
        g.weight("gamma", {16});
        g.add("Pow", {"x", "two"}, {"p"}).add("ReduceMean", {"p"}, {"v"}, {attrInts("axes", {-1})});
        g.add("Add", {"v", "eps"}, {"e"}).add("Sqrt", {"e"}, {"r"}).add("Div", {"one", "r"}, {"i"});
        g.add("Mul", {"x", "i"}, {"n"}).add("Mul", {"n", "gamma"}, {"y"}).output("y");
        const Lowered l = lower(g);
        QCOMPARE(l.error, std::string());
        QCOMPARE(l.groups(), std::string("rms_norm(7)"));
    }

    void linear() {
        GraphText g = start();
        g.weight("w", {16, 32}).weight("b", {32});
        g.add("MatMul", {"x", "w"}, {"p"}).add("Add", {"p", "b"}, {"y"}).output("y");
        const Lowered l = lower(g);
        QCOMPARE(l.error, std::string());
        QCOMPARE(l.graph.groups.size(), std::size_t{1});
        QCOMPARE(l.graph.groups[0].kind, std::string("linear"));
        QCOMPARE(l.ops(), std::string("matmul:matmul pointwise:add"));
        QCOMPARE(QString::fromStdString(loopText(*l.op("matmul"))), QString("i 16, j 32 | k 16"));
    }

    void attention() {
        GraphText g;
        for (const char* name : {"q", "k", "v"})
            g.input(name, kFloat, Dims{1, 4, 8, 16});
        g.input("mask", kFloat, Dims{1, 1, 8, 8});
        scalar(g, "scale", 4.0F);
        g.add("Transpose", {"k"}, {"kt"}, {attrInts("perm", {0, 1, 3, 2})}).add("MatMul", {"q", "kt"}, {"s"});
        g.add("Div", {"s", "scale"}, {"d"}).add("Add", {"d", "mask"}, {"a"}).add("Softmax", {"a"}, {"p"});
        g.add("MatMul", {"p", "v"}, {"y"}).output("y");
        const Lowered l = lower(g);
        QCOMPARE(l.error, std::string());
        QCOMPARE(l.groups(), std::string("attention(4) softmax(5)"));
        QVERIFY(l.graph.groups[1].parent == GroupId::of(0));
        QCOMPARE(l.ops(), std::string("copy:transpose bmm:matmul pointwise:div pointwise:add reduction:max "
                                      "pointwise:sub pointwise:exp reduction:sum pointwise:div bmm:matmul"));
    }

    /// An unrelated node between the members moves out of the way.
    void members_standTogether() {
        GraphText g = start();
        g.add("Sigmoid", {"x"}, {"s"}).add("Exp", {"x"}, {"e"}).add("Mul", {"x", "s"}, {"y"});
        g.output("y").output("e");
        const Lowered l = lower(g);
        QCOMPARE(l.groups(), std::string("silu(2)"));
        const auto& ops = l.graph.groups[0].ops;
        QCOMPARE(ops[1].index - ops[0].index, 1);
    }

    void rotary() {
        GraphText g = start({1, 4, 8, 16});
        g.input("cos", kFloat, Dims{1, 1, 8, 16}).input("sin", kFloat, Dims{1, 1, 8, 16});
        g.ints("zero", {0}).ints("half", {8}).ints("end", {16}).ints("axis", {3});
        g.add("Slice", {"x", "zero", "half", "axis"}, {"lo"}).add("Slice", {"x", "half", "end", "axis"}, {"hi"});
        g.add("Neg", {"hi"}, {"n"}).add("Concat", {"n", "lo"}, {"r"}, {attrInt("axis", -1)});
        g.add("Mul", {"x", "cos"}, {"a"}).add("Mul", {"r", "sin"}, {"b"}).add("Add", {"a", "b"}, {"y"}).output("y");
        const Lowered l = lower(g);
        QCOMPARE(l.error, std::string());
        QCOMPARE(l.groups(), std::string("rotary(8)"));
    }
};

MEMPLAN_TEST(TstLowerPatterns)
#include "tst_lower_patterns.moc"
