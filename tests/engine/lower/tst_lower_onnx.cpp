// SPDX-License-Identifier: Apache-2.0
// Rows of the lowering table on models of one node, and its worked numbers (inputs-and-interchange 6).
#include "tests/engine/lower/lower_support.h"
#include "tests/support/program.h"
#include "tests/support/time_guard.h"

using namespace memplan;
using namespace memplan::lowertest;

Q_DECLARE_METATYPE(std::string)
Q_DECLARE_METATYPE(Ints)

class TstLowerOnnx : public QObject {
    Q_OBJECT

    static GraphText on(Dims dims, int type = kFloat) {
        GraphText g;
        g.input("x", type, dims);
        return g;
    }
    static void row(const char* name, const GraphText& g, const char* ops, const char* groups = "",
                    std::int64_t version = 17) {
        QTest::newRow(name) << model(g, version, wire::bytes(8, opset("com.microsoft", 1))) << QString(ops)
                            << QString(groups);
    }
    static GraphText one(Dims dims, const char* op, std::vector<std::string> attributes = {}) {
        GraphText g = on(std::move(dims));
        return g.add(op, {"x"}, {"y"}, std::move(attributes)).output("y");
    }
    static NodeText contrib(const char* op, Names in, Names out, std::vector<std::string> attributes) {
        return {op, std::move(in), std::move(out), std::move(attributes), "n", "com.microsoft"};
    }

private slots:
    void table_data() {
        QTest::addColumn<std::string>("bytes");
        QTest::addColumn<QString>("ops");
        QTest::addColumn<QString>("groups");
        elementwiseRows();
        normRows();
        moveRows();
        attentionRows();
    }

    void table() {
        QFETCH(std::string, bytes);
        QFETCH(QString, ops);
        QFETCH(QString, groups);
        const Lowered l = lower(bytes);
        QCOMPARE(QString::fromStdString(l.error), QString());
        QCOMPARE(QString::fromStdString(l.ops()), ops);
        QCOMPARE(QString::fromStdString(l.groups()), groups);
    }

    void workedNumber_layerNorm() {
        GraphText g = on({1, 128, 384});
        g.weight("g", {384}).weight("b", {384});
        g.add("LayerNormalization", {"x", "g", "b"}, {"y"}).output("y");
        const Lowered l = lower(g);
        QCOMPARE(l.error, std::string());
        int pointwise = 0, rows = 0;
        for (const Op& op : l.graph.ops) {
            pointwise += op.kind == OpKind::Pointwise ? 1 : 0;
            rows += l.graph.tensor(op.outputs[0]).shape == std::vector<std::int64_t>{1, 128, 1} ? 1 : 0;
            if (op.kind != OpKind::Reduction) continue;
            QCOMPARE(QString::fromStdString(loopText(op)), QString("o0 1, o1 128 | o2 384"));
        }
        QCOMPARE(pointwise, 7);
        QCOMPARE(rows, 4);
    }

    void workedNumber_conv() {
        GraphText g = on({1, 3, 224, 224});
        g.weight("w", {64, 3, 3, 3}).weight("b", {64});
        g.add("Conv", {"x", "w", "b"}, {"y"}, {attrInts("strides", {2, 2}), attrInts("pads", {1, 1, 1, 1})});
        g.output("y");
        const Lowered l = lower(g);
        QCOMPARE(l.error, std::string());
        const Op& op = *l.op("conv2d");
        QCOMPARE(QString::fromStdString(loopText(op)), QString("n 1, g 1, oc 64, oh 112, ow 112 | ic 3, kh 3, kw 3"));
        QCOMPARE(QString::fromStdString(mapText(op, op.inMaps[0])), QString("n,3*g+ic,2*oh+kh-1,2*ow+kw-1"));
        QCOMPARE(QString::fromStdString(mapText(op, op.inMaps[1])), QString("64*g+oc,ic,kh,kw"));
        QCOMPARE(QString::fromStdString(mapText(op, op.outMaps[0])), QString("n,64*g+oc,oh,ow"));
        std::int64_t products = 1;
        for (const IterDim& d : op.iter)
            products *= d.size;
        QCOMPARE(products, std::int64_t{21'676'032});
    }

    void workedNumber_groupedKeys() {
        GraphText g;
        g.input("q", kFloat, Dims{1, 4, 2048}).input("k", kFloat, Dims{1, 4, 256}).input("v", kFloat, Dims{1, 4, 256});
        g.add(contrib("GroupQueryAttention", {"q", "k", "v"}, {"y"},
                      {attrInt("num_heads", 32), attrInt("kv_num_heads", 4)}));
        const Lowered l = lowerContrib(g.output("y"));
        QCOMPARE(l.error, std::string());
        const Op& op = *l.op("matmul");
        QCOMPARE(QString::fromStdString(loopText(op)), QString("b 1, h 4, r 8, i 4, j 4 | c 64"));
        QCOMPARE(QString::fromStdString(mapText(op, op.inMaps[1])), QString("b,h,j,c"));
    }

    void batchNorm_joinsTheConvolution() {
        GraphText g = on({1, 3, 8, 8});
        g.weight("w", {4, 3, 1, 1}).weight("s", {4}).weight("b", {4}).weight("m", {4}).weight("v", {4});
        g.add("Conv", {"x", "w"}, {"c"}).add("BatchNormalization", {"c", "s", "b", "m", "v"}, {"y"}).output("y");
        const Lowered l = lower(g);
        QCOMPARE(l.ops(), std::string("conv:conv2d"));
        QCOMPARE(l.graph.tensor(l.graph.outputs[0]).id, std::string("y"));  // output names are kept (3.5)
        QCOMPARE(l.graph.ops[0].inputs.size(), std::size_t{3});             // its shift is the bias
    }

    void batchNorm_staysBehindASharedConvolution() {
        GraphText g = on({1, 3, 8, 8});
        g.weight("w", {4, 3, 1, 1}).weight("s", {4}).weight("b", {4}).weight("m", {4}).weight("v", {4});
        g.add("Conv", {"x", "w"}, {"c"}).add("BatchNormalization", {"c", "s", "b", "m", "v"}, {"y"});
        g.add("Relu", {"c"}, {"z"}).output("y").output("z");
        QCOMPARE(lower(g).count("conv2d"), 1);
        QCOMPARE(lower(g).count("mul"), 1);
    }

    void names_followTheNodes() {
        GraphText g = on({4});
        g.add({"Exp", {"x"}, {"a"}, {}, "same", ""}).add({"Exp", {"a"}, {"b"}, {}, "same", ""});
        g.add({"Exp", {"b"}, {"c"}, {}, "alone", ""}).output("c");
        const Lowered l = lower(g);
        QCOMPARE(l.graph.ops[0].id, std::string("Exp_0"));
        QCOMPARE(l.graph.ops[1].id, std::string("Exp_1"));
        QCOMPARE(l.graph.ops[2].id, std::string("alone"));
        QCOMPARE(l.graph.ops[0].origin.node, std::string("same"));
        QCOMPARE(l.graph.tensor(l.graph.ops[1].outputs[0]).id, std::string("b"));
    }

    void unusedMask_isNoReasonForAFallback() {
        GraphText g = on({4});
        g.add("Dropout", {"x"}, {"a", "mask"}).add("Exp", {"a"}, {"y"}).output("y");
        const Lowered l = lower(g);
        QCOMPARE(l.report.fallbacks, std::int64_t{0});
        QCOMPARE(l.ops(), std::string("pointwise:exp"));
    }

    void symbols_areSpelledForTheGraphFile() {
        GraphText g;
        g.input("x", kFloat, Dims{"batch size", 4}).add("Exp", {"x"}, {"y"}).output("y");
        io::OpenOptions options;
        options.bindings.dims = {{"batch size", 3}};
        const auto read = io::onnx::readOnnx(model(g), options, {});
        QVERIFY(read.ok());
        const auto lowered = io::onnx::lowerOnnx(read.value().model, {}, {});
        QVERIFY(lowered.ok());
        const Graph& graph = lowered.value().graph;
        QCOMPARE(graph.dims.at(0).name, std::string("batch_size"));
        QCOMPARE(graph.tensor(graph.inputs[0]).symbols.at(0).symbol, std::string("batch_size"));
        QVERIFY(io::readGraphJson(io::writeGraphJson(graph), {}, {}).ok());
    }

    /// A sum over nothing is a product as well; an extent of 1 beside 0 broadcasts to 0.
    void products_overNothing_data() {
        QTest::addColumn<Ints>("a");
        QTest::addColumn<Ints>("b");
        QTest::addColumn<bool>("isWeight");
        QTest::newRow("matrix") << Ints{3, 0} << Ints{0, 2} << false;
        QTest::newRow("batched") << Ints{2, 3, 0} << Ints{2, 0, 5} << false;
        QTest::newRow("weight") << Ints{2, 3, 0} << Ints{0, 5} << true;
        QTest::newRow("broadcast") << Ints{1, 3, 4} << Ints{0, 4, 5} << false;
    }

    void products_overNothing() {
        QFETCH(Ints, a);
        QFETCH(Ints, b);
        QFETCH(bool, isWeight);
        GraphText g;
        g.input("a", kFloat, Dims(a.begin(), a.end()));
        if (isWeight) {
            g.weight("b", b);
        } else {
            g.input("b", kFloat, Dims(b.begin(), b.end()));
        }
        g.add("MatMul", {"a", "b"}, {"y"}).output("y");
        QCOMPARE(lower(g).error, std::string());
    }

    void tenThousandNodes_inLinearTime() {
        GraphText g = on({4, 64});
        std::string last = "x";
        for (int i = 0; i < 10'000; ++i) {
            const std::string next = "t" + std::to_string(i);
            g.add(i % 2 == 0 ? "Exp" : "Tanh", {last}, {next});
            last = next;
        }
        g.output(last);
        const auto read = io::onnx::readOnnx(model(g), {}, {});
        QVERIFY(read.ok());
        const double begin = test::processorSeconds();
        const auto lowered = io::onnx::lowerOnnx(read.value().model, {}, {});
        QVERIFY(lowered.ok());
        QVERIFY2(test::processorSeconds() - begin < test::kHostileSeconds, "not linear in the length");
    }

private:
    void elementwiseRows() {
        row("Relu", one({4, 8}, "Relu"), "pointwise:relu");
        row("HardSwish", one({4, 8}, "HardSwish"), "pointwise:hardsigmoid pointwise:mul", "hardswish(2)");
        row("Softmax", one({4, 8}, "Softmax"), "reduction:max pointwise:sub pointwise:exp reduction:sum pointwise:div",
            "softmax(5)");
        row("LogSoftmax", one({4, 8}, "LogSoftmax"),
            "reduction:max pointwise:sub pointwise:exp reduction:sum pointwise:log pointwise:sub", "log_softmax(6)");
        row("ReduceL2", one({4, 8}, "ReduceL2"), "pointwise:square reduction:sum pointwise:sqrt");
        row("GlobalAveragePool", one({1, 4, 8, 8}, "GlobalAveragePool"), "reduction:mean");
        row("ArgMax", one({4, 8}, "ArgMax"), "reduction:argmax");
        row("Sum of 3", on({4, 8}).add("Sum", {"x", "x", "x"}, {"y"}).output("y"), "pointwise:add pointwise:add");
        row("Gelu", one({4, 8}, "Gelu"), "pointwise:div pointwise:erf pointwise:add pointwise:mul pointwise:mul",
            "gelu(5)", 20);
        GraphText p = on({4, 8});
        p.initializer(tensor("e", kFloat, {}, rawOf(std::vector<float>{2.0F})));
        row("Pow 2", p.add("Pow", {"x", "e"}, {"y"}).output("y"), "pointwise:square");
        row("unknown",
            on({4})
                .add(NodeText{"Foo", {"x"}, {"y"}, {}, "", "acme"})
                .output("y", kFloat, Dims{4})
                .declare("y", kFloat, Dims{4}),
            "fallback:foo");
    }

    void normRows() {
        GraphText g = on({2, 8, 4, 4});
        g.weight("s", {8}).weight("b", {8});
        row("GroupNormalization",
            g.add("GroupNormalization", {"x", "s", "b"}, {"y"}, {attrInt("num_groups", 2)}).output("y"),
            "reduction:mean pointwise:sub pointwise:square reduction:mean pointwise:add pointwise:rsqrt pointwise:mul "
            "pointwise:mul pointwise:add",
            "instance_norm(13)", 21);
        GraphText i = on({2, 8, 4, 4});
        i.weight("s", {8}).weight("b", {8});
        row("InstanceNormalization", i.add("InstanceNormalization", {"x", "s", "b"}, {"y"}).output("y"),
            "reduction:mean pointwise:sub pointwise:square reduction:mean pointwise:add pointwise:rsqrt pointwise:mul "
            "pointwise:mul pointwise:add",
            "instance_norm(11)");
        GraphText e;
        e.input("ids", kInt32, Dims{1, 4}).weight("w", {10, 8}).weight("p", {16, 8}).weight("s", {8}).weight("b", {8});
        e.add(contrib("EmbedLayerNormalization", {"ids", "", "w", "p", "", "s", "b"}, {"y", ""}, {}));
        row("EmbedLayerNormalization", e.output("y"),
            "gather:embedding copy:slice pointwise:add reduction:mean pointwise:sub pointwise:square reduction:mean "
            "pointwise:add pointwise:rsqrt pointwise:mul pointwise:mul pointwise:add",
            "layer_norm(9)");
    }

    void moveRows() {
        row("Transpose", one({4, 8}, "Transpose"), "copy:transpose");
        row("Transpose of ones", one({1, 8}, "Transpose"), "");
        row("Concat", on({4, 8}).add("Concat", {"x", "x"}, {"y"}, {attrInt("axis", 1)}).output("y"),
            "copy:concat copy:concat");
        row("Split",
            on({4, 8}).add("Split", {"x"}, {"a", "b"}, {attrInt("axis", 1)}).add("Exp", {"b"}, {"y"}).output("y"),
            "copy:slice pointwise:exp", "", 11);
        GraphText t = on({4, 8});
        row("Tile", t.ints("r", {2, 3}).add("Tile", {"x", "r"}, {"y"}).output("y"), "copy:tile");
        GraphText r = on({1, 2, 4, 4});
        r.reals("scales", {1, 1, 2, 2});
        row("Resize nearest", r.add("Resize", {"x", "", "scales"}, {"y"}).output("y"), "copy:resize");
        GraphText linear = on({1, 2, 4, 4});
        linear.reals("scales", {1, 1, 2, 2});
        row("Resize linear", linear.add("Resize", {"x", "", "scales"}, {"y"}, {attrText("mode", "linear")}).output("y"),
            "fallback:resize");
        row("Trilu", one({4, 4}, "Trilu"), "constant:triu pointwise:where");
        GraphText s = on({8, 4});
        s.input("i", kInt64, Dims{2, 1}).input("u", kFloat, Dims{2, 4});
        row("ScatterND", s.add("ScatterND", {"x", "i", "u"}, {"y"}).output("y"), "scatter:scatter_nd");
        GraphText e;
        e.input("i", kInt64, Dims{2, 3}).weight("table", {10, 8});
        row("Gather rows", e.add("Gather", {"table", "i"}, {"y"}).output("y"), "gather:embedding");
        GraphText p = on({1, 8});
        p.ints("pads", {0, 2, 0, 2});
        row("Pad reflect", p.add("Pad", {"x", "pads"}, {"y"}, {attrText("mode", "reflect")}).output("y"), "copy:pad");
        GraphText c = on({1, 4, 5, 5});
        c.weight("w", {4, 3, 2, 2});
        row("ConvTranspose in groups",
            c.add("ConvTranspose", {"x", "w"}, {"y"}, {attrInt("group", 2), attrInts("strides", {2, 2})}).output("y"),
            "conv:conv_transpose2d");
        row("empty", one({Dim{std::int64_t{0}}, 8}, "Relu"), "fallback:relu");
    }

    void attentionRows() {
        GraphText g;
        g.input("x", kFloat, Dims{1, 4, 8}).input("mask", kInt32, Dims{1, 4}).weight("w", {8, 24});
        g.add(contrib("Attention", {"x", "w", "", "mask"}, {"y"},
                      {attrInt("num_heads", 2), attrInt("unidirectional", 1)}));
        row("Attention with masks", g.output("y"),
            "pointwise:cast pointwise:sub pointwise:mul constant:causal_mask matmul:matmul copy:slice copy:transpose "
            "copy:slice copy:transpose copy:slice copy:transpose bmm:matmul pointwise:mul pointwise:add pointwise:add "
            "reduction:max pointwise:sub pointwise:exp reduction:sum pointwise:div bmm:matmul copy:transpose",
            "attention(24) softmax(5)");
        GraphText r;
        r.input("x", kFloat, Dims{1, 2, 4, 8}).input("p", kInt64, Dims{1, 4}).weight("c", {16, 4}).weight("s", {16, 4});
        r.add(contrib("RotaryEmbedding", {"x", "p", "c", "s"}, {"y"}, {}));
        row("RotaryEmbedding", r.output("y"),
            "gather:embedding gather:embedding copy:slice copy:slice pointwise:mul pointwise:mul pointwise:sub "
            "pointwise:mul pointwise:mul pointwise:add copy:concat copy:concat",
            "rotary(15)");
    }
};

MEMPLAN_TEST(TstLowerOnnx)
#include "tst_lower_onnx.moc"
