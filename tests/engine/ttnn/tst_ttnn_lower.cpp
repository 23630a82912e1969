// SPDX-License-Identifier: Apache-2.0
// From TTIR, StableHLO and neutral graphs to TTNN (ttnn-optimizer 11, inputs-and-interchange 6).
#include "engine/graph/builder.h"
#include "engine/ttnn/lower/from_graph.h"
#include "engine/ttnn/lower/lower.h"
#include "tests/engine/ttnn/modules.h"
#include "tests/support/program.h"

using namespace memplan;
using namespace memplan::ttnn;
using test::ownModule;
using test::q;

namespace {

Lowered loweredModule(const Module& module, bool fusing = true) {
    LowerOptions options;
    options.fusing = fusing;
    return lowerToTtnn(module, options).value();
}

Lowered lowered(const std::string& text, bool fusing = true) {
    return loweredModule(test::read(text).value().module, fusing);
}

/// Kinds of the first function's operations in order, without their dialect.
QString kinds(const Lowered& lowered) {
    QStringList out;
    const Function& f = lowered.module.functions.front();
    for (const OperationId id : f.order)
        out << q(std::string(f.operation(id).kind()));
    return out.join(' ');
}

const Operation* firstOf(const Lowered& lowered, std::string_view kind) {
    const Function& f = lowered.module.functions.front();
    for (const OperationId id : f.order) {
        if (f.operation(id).is(kind)) return &f.operation(id);
    }
    return nullptr;
}

QString propertyOf(const Lowered& lowered, std::string_view kind, std::string_view name) {
    const Operation* op = firstOf(lowered, kind);
    const std::string* text = op == nullptr ? nullptr : op->find(name);
    return text == nullptr ? QString("none") : q(*text);
}

std::string function(const std::string& arguments, const std::string& body, const std::string& result) {
    return "func.func @f(" + arguments + ") -> " + result + " {\n" + body + "\n}\n";
}

const std::string kTensor = "tensor<32x64xbf16>";

}  // namespace

class TestTtnnLower : public QObject {
    Q_OBJECT

private slots:
    void init() { NEEDS_MLIR(); }

    void convolutionWithBiasAndActivation() {
        const Lowered out = lowered(ownModule("wrapped.mlir"));
        QCOMPARE(kinds(out), QString("get_device reshape conv2d reshape argsort"));
        QVERIFY(!out.module.inDeviceModule);
        QCOMPARE(propertyOf(out, "conv2d", "conv2d_config"),
                 QString("#ttnn.conv2d_config<activation = <op_type = relu>>"));
        QCOMPARE(propertyOf(out, "conv2d", "input_height"), QString("8 : i32"));
        QCOMPARE(propertyOf(out, "conv2d", "kernel_size"), QString("array<i32: 3, 3>"));
        const Function& f = out.module.functions.front();
        const Operation& conv = *firstOf(out, "conv2d");
        QCOMPARE(q(conv.location.name), QString("conv"));
        QCOMPARE(conv.operands.size(), std::size_t{4});  // image, weights, bias, device
        QCOMPARE(f.typeOf(conv.operands[0]).shape, (std::vector<std::int64_t>{1, 1, 128, 64}));
        QCOMPARE(f.typeOf(conv.results[0]).shape, (std::vector<std::int64_t>{1, 1, 32, 32}));
        QVERIFY(f.typeOf(conv.operands[1]).layout->buffer == BufferType::SystemMemory);
        QVERIFY(f.typeOf(conv.operands[1]).layout->page == PageLayout::RowMajor);
        QVERIFY(f.typeOf(f.arguments[0]).layout->isInDram());
        QCOMPARE(out.opaque.size(), std::size_t{1});
        QCOMPARE(q(out.opaque[0].name), QString("ttir.argsort"));
        QCOMPARE(q(out.notes[0].code), QString("TT-030"));
    }

    void withoutFusing() {
        QCOMPARE(kinds(lowered(ownModule("wrapped.mlir"), false)),
                 QString("get_device reshape conv2d reshape add relu argsort"));
    }

    void stableHlo() {
        const Lowered out = lowered(ownModule("pretty_forms.mlir"));
        QCOMPARE(kinds(out), QString("matmul add sum max permute slice_static lt where reshape repeat concat "
                                     "typecast custom_call exp add"));
        QCOMPARE(out.module.functions.size(), std::size_t{1});
        QCOMPARE(q(out.opaque.at(0).name), QString("stablehlo.custom_call"));
        QCOMPARE(propertyOf(out, "slice_static", "step"), QString("[1 : i32, 2 : i32]"));
        QCOMPARE(propertyOf(out, "concat", "dim"), QString("0 : si32"));
    }

    /// A call in what runs per device is part of the function as any other.
    void callPerDevice() {
        const std::string t = "tensor<16x64xf32>";
        const Lowered out =
            lowered("sdy.mesh @m = <[\"x\"=2]>\nfunc.func @f(%a: tensor<32x64xf32>) -> tensor<32x64xf32> {\n  %0 = "
                    "sdy.manual_computation(%a) in_shardings=[<@m, [{\"x\"}, {}]>] out_shardings=[<@m, [{\"x\"}, {}]>] "
                    "manual_axes={\"x\"} (%b: " +
                    t + ") {\n    %1 = func.call @g(%b) : (" + t + ") -> " + t + "\n    sdy.return %1 : " + t +
                    "\n  } : (tensor<32x64xf32>) -> tensor<32x64xf32>\n  return %0 : "
                    "tensor<32x64xf32>\n}\nfunc.func private @g(%a: " +
                    t + ") -> " + t + " {\n  %0 = stablehlo.tanh %a : " + t + "\n  return %0 : " + t + "\n}\n");
        QCOMPARE(kinds(out), QString("mesh_shard tanh mesh_shard"));
        QCOMPARE(out.module.functions.size(), std::size_t{1});
    }

    /// Convolutions, bounds and what only marks values; a private function that a loop calls stays.
    void stableHloOfFrameworks() {
        const Lowered out = lowered(ownModule("sharded_training.mlir"));
        QCOMPARE(kinds(out), QString("constant constant get_device permute reshape conv2d reshape permute clamp_scalar "
                                     "erf while arange reduce complex real tuple mesh_shard add mesh_shard"));
        QCOMPARE(propertyOf(out, "conv2d", "padding"), QString("array<i32: 1, 1, 1, 1>"));
        QCOMPARE(propertyOf(out, "clamp_scalar", "max"), QString("6.00000000e+00 : f32"));
        QCOMPARE(q(firstOf(out, "conv2d")->location.name), QString("conv"));
        QCOMPARE(out.module.functions.size(), std::size_t{2});
        QCOMPARE(q(out.module.functions[1].name), QString("half"));
    }

    /// Kernels as [rows, columns, in, out] and images with channels last; groups; sides that differ.
    void stableHloConvolutions() {
        const Lowered out = lowered(
            "func.func @f(%a: tensor<1x16x16x8xf32>, %w: tensor<3x2x1x8xf32>) -> tensor<1x8x16x8xf32> {\n"
            "  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = "
            "{stride = [2, 1], pad = [[0, 1], [0, 1]], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, "
            "feature_group_count = 8 : i64} : (tensor<1x16x16x8xf32>, tensor<3x2x1x8xf32>) -> tensor<1x8x16x8xf32>\n"
            "  return %0 : tensor<1x8x16x8xf32>\n}\n");
        QCOMPARE(kinds(out), QString("permute get_device reshape conv2d reshape"));
        QCOMPARE(propertyOf(out, "permute", "permutation"), QString("array<i64: 3, 2, 0, 1>"));
        QCOMPARE(propertyOf(out, "conv2d", "kernel_size"), QString("array<i32: 3, 2>"));
        QCOMPARE(propertyOf(out, "conv2d", "padding"), QString("array<i32: 0, 0, 1, 1>"));
        QCOMPARE(propertyOf(out, "conv2d", "stride"), QString("array<i32: 2, 1>"));
        QCOMPARE(propertyOf(out, "conv2d", "groups"), QString("8 : i32"));
    }

    /// The largest of a window, channels in front or behind.
    void stableHloPools() {
        for (const bool isLast : {false, true}) {
            const std::string in = isLast ? "tensor<1x16x18x8xf32>" : "tensor<1x8x16x18xf32>";
            const std::string out = isLast ? "tensor<1x8x9x8xf32>" : "tensor<1x8x8x9xf32>";
            const std::string window = isLast ? "1, 3, 2, 1" : "1, 1, 3, 2",
                              step = isLast ? "1, 2, 2, 1" : "1, 1, 2, 2";
            const std::string sides = isLast ? "[0, 0], [1, 0], [0, 0], [0, 0]" : "[0, 0], [0, 0], [1, 0], [0, 0]";
            const Lowered made = lowered(
                "func.func @f(%a: " + in + ") -> " + out +
                " {\n  %c = stablehlo.constant dense<0xFF800000> : tensor<f32>\n" +
                "  %0 = \"stablehlo.reduce_window\"(%a, %c) <{padding = dense<[" + sides + "]> : tensor<4x2xi64>, " +
                "window_dimensions = array<i64: " + window + ">, window_strides = array<i64: " + step + ">}> ({\n" +
                "  ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n    %1 = stablehlo.maximum %x, %y : tensor<f32>\n" +
                "    stablehlo.return %1 : tensor<f32>\n  }) : (" + in + ", tensor<f32>) -> " + out +
                "\n  return %0 : " + out + "\n}\n");
            QCOMPARE(kinds(made), isLast ? QString("reshape max_pool2d reshape")
                                         : QString("permute reshape max_pool2d reshape permute"));
            QCOMPARE(propertyOf(made, "max_pool2d", "kernel_size"), QString("array<i32: 3, 2>"));
            QCOMPARE(propertyOf(made, "max_pool2d", "padding"), QString("array<i32: 1, 0, 0, 0>"));
            QVERIFY(made.opaque.empty());
        }
    }

    /// Buffers of several results, the groups of operands, and the empty tensors of older files.
    void buffersOfOlderFiles() {
        const std::string t = "tensor<32x64xbf16>", i = "tensor<32x64xi32>";
        const Lowered out =
            lowered("func.func @f(%a: " + t + ") -> (" + t + ", " + i + ") {\n  %0 = tensor.empty() : " + t +
                    "\n  %1 = \"ttir.add\"(%a, %a, %0) <{operandSegmentSizes = array<i32: 2, 1>}> : (" + t + ", " + t +
                    ", " + t + ") -> " + t + "\n  %2 = ttir.empty() : " + t + "\n  %3 = ttir.empty() : " + i +
                    "\n  %4, %5 = \"ttir.sort\"(%1, %2, %3) <{dim = 1 : " + "si32}> : (" + t + ", " + t + ", " + i +
                    ") -> (" + t + ", " + i + ")\n  return %4, %5 : " + t + ", " + i + "\n}\n");
        QCOMPARE(kinds(out), QString("add sort"));
        QCOMPARE(propertyOf(out, "add", "operandSegmentSizes"), QString("none"));
        QCOMPARE(firstOf(out, "sort")->operands.size(), std::size_t{1});
    }

    /// A function that is only declared runs on the host: its call stays, and both agree about types.
    void callOfTheHost() {
        const std::string t = "tensor<32x64xi64>";
        const Lowered out =
            lowered("func.func @f(%a: " + t + ") -> " + t + " {\n  %0 = call @host(%a) : (" + t + ") -> " + t +
                    "\n  return %0 : " + t + "\n}\nfunc.func private @host(" + t + ") -> " + t + "\n");
        QCOMPARE(kinds(out), QString("call"));
        const Function& host = out.module.functions.at(1);
        QVERIFY(!host.hasBody);
        QVERIFY(host.typeOf(host.arguments[0]) == out.module.functions[0].typeOf(firstOf(out, "call")->operands[0]));
        QVERIFY(host.resultTypes[0] == out.module.functions[0].typeOf(firstOf(out, "call")->results[0]));
    }

    void rules_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const std::string& text, const char* expected) {
            QTest::newRow(name) << q(text) << expected;
        };
        const std::string two = "%a: " + kTensor + ", %b: " + kTensor;
        const auto unary = [](const std::string& kind, const std::string& x, const std::string& r) {
            return "%" + r + " = \"ttir." + kind + "\"(%" + x + ") : (" + kTensor + ") -> " + kTensor + "\n";
        };
        const auto binary = [](const std::string& kind, const std::string& x, const std::string& y,
                               const std::string& r) {
            return "%" + r + " = \"ttir." + kind + "\"(%" + x + ", %" + y + ") : (" + kTensor + ", " + kTensor +
                   ") -> " + kTensor + "\n";
        };
        const std::string end = "return %r : " + kTensor;
        row("silu", function(two, unary("sigmoid", "a", "0") + binary("multiply", "a", "0", "r") + end, kTensor),
            "silu");
        row("sigmoid read twice",
            function(two,
                     unary("sigmoid", "a", "0") + binary("multiply", "a", "0", "1") + binary("add", "1", "0", "r") +
                         end,
                     kTensor),
            "sigmoid multiply add");
        row("relu",
            function(two,
                     "%z = \"ttir.constant\"() <{value = dense<0.0> : " + kTensor + "}> : () -> " + kTensor + "\n" +
                         binary("maximum", "z", "a", "r") + end,
                     kTensor),
            "relu");
        row("maximum with one",
            function(two,
                     "%z = \"ttir.constant\"() <{value = dense<1.0> : " + kTensor + "}> : () -> " + kTensor + "\n" +
                         binary("maximum", "z", "a", "r") + end,
                     kTensor),
            "constant maximum");
        row("linear and gelu",
            function("%a: tensor<32x16xbf16>, %w: tensor<16x64xbf16>, %b: tensor<64xbf16>",
                     "%0 = \"ttir.matmul\"(%a, %w) : (tensor<32x16xbf16>, tensor<16x64xbf16>) -> " + kTensor +
                         "\n%1 = \"ttir.add\"(%b, %0) : (tensor<64xbf16>, " + kTensor + ") -> " + kTensor + "\n" +
                         unary("gelu", "1", "r") + end,
                     kTensor),
            "linear");
        row("sum that is no bias",
            function("%a: tensor<32x16xbf16>, %w: tensor<16x64xbf16>, %b: " + kTensor,
                     "%0 = \"ttir.matmul\"(%a, %w) : (tensor<32x16xbf16>, tensor<16x64xbf16>) -> " + kTensor + "\n" +
                         binary("add", "0", "b", "r") + end,
                     kTensor),
            "matmul add");
        row("broadcast folded",
            function(
                "%a: " + kTensor + ", %b: tensor<1x64xbf16>",
                "%0 = \"ttir.broadcast\"(%b) <{broadcast_dimensions = array<i64: 32, 1>}> : (tensor<1x64xbf16>) -> " +
                    kTensor + "\n" + binary("add", "a", "0", "r") + end,
                kTensor),
            "add");
        row("broadcast kept for softmax",
            function(
                "%b: tensor<1x64xbf16>",
                "%0 = \"ttir.broadcast\"(%b) <{broadcast_dimensions = array<i64: 32, 1>}> : (tensor<1x64xbf16>) -> " +
                    kTensor + "\n%r = \"ttir.softmax\"(%0) <{dimension = 1 : si32}> : (" + kTensor + ") -> " + kTensor +
                    "\n" + end,
                kTensor),
            "repeat softmax");
        row("nothing to do",
            function("%a: " + kTensor,
                     "%0 = \"ttir.reshape\"(%a) <{shape = [32 : i32, 64 : i32]}> : (" + kTensor + ") -> " + kTensor +
                         "\n%r = \"ttir.permute\"(%0) <{permutation = array<i64: 0, 1>}> : (" + kTensor + ") -> " +
                         kTensor + "\n" + end,
                     kTensor),
            "");
        row("dot, transposed right",
            function(
                "%a: tensor<2x32x16xbf16>, %b: tensor<2x64x16xbf16>",
                "%r = \"ttir.dot_general\"(%a, %b) <{batch_dims_lhs = array<i64: 0>, batch_dims_rhs = array<i64: 0>, "
                "contract_dims_lhs = array<i64: 2>, contract_dims_rhs = array<i64: 2>}> : (tensor<2x32x16xbf16>, "
                "tensor<2x64x16xbf16>) -> tensor<2x32x64xbf16>\nreturn %r : tensor<2x32x64xbf16>",
                "tensor<2x32x64xbf16>"),
            "matmul");
        row("dot, several free dimensions",
            function("%a: tensor<16x4x8xbf16>, %b: tensor<16x64xbf16>",
                     "%r = \"ttir.dot_general\"(%a, %b) <{batch_dims_lhs = array<i64>, batch_dims_rhs = array<i64>, "
                     "contract_dims_lhs = array<i64: 0>, contract_dims_rhs = array<i64: 0>}> : (tensor<16x4x8xbf16>, "
                     "tensor<16x64xbf16>) -> tensor<4x8x64xbf16>\nreturn %r : tensor<4x8x64xbf16>",
                     "tensor<4x8x64xbf16>"),
            "permute reshape matmul reshape");
        row("dot that does not fit",
            function("%a: tensor<32x16xbf16>, %b: tensor<8x64xbf16>",
                     "%r = \"ttir.dot_general\"(%a, %b) <{batch_dims_lhs = array<i64>, batch_dims_rhs = array<i64>, "
                     "contract_dims_lhs = array<i64: 1>, contract_dims_rhs = array<i64: 0>}> : (tensor<32x16xbf16>, "
                     "tensor<8x64xbf16>) -> " +
                         kTensor + "\n" + end,
                     kTensor),
            "dot_general");
    }
    void rules() {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        const auto read = test::read(text.toStdString());
        QVERIFY2(read.ok(), qPrintable(test::outcomeOf(text.toStdString())));
        QCOMPARE(kinds(loweredModule(read.value().module)), expected);
    }

    void elementTypes() {
        const Lowered out = lowered(
            function("%i: tensor<1x8xi64>, %t: tensor<100x64xf64>",
                     "%e = \"ttir.embedding\"(%i, %t) : (tensor<1x8xi64>, tensor<100x64xf64>) -> tensor<1x8x64xf64>\n"
                     "%c = \"ttir.eq\"(%e, %e) : (tensor<1x8x64xf64>, tensor<1x8x64xf64>) -> tensor<1x8x64xi1>\n"
                     "return %c : tensor<1x8x64xi1>",
                     "tensor<1x8x64xi1>"));
        const Function& f = out.module.functions.front();
        QCOMPARE(q(f.typeOf(f.arguments[0]).element), QString("si32"));
        QVERIFY(f.typeOf(f.arguments[0]).layout->page == PageLayout::RowMajor);
        QCOMPARE(q(f.typeOf(f.arguments[1]).element), QString("f32"));
        QCOMPARE(q(f.resultTypes.front().element), QString("bf16"));
        QVERIFY(f.resultTypes.front().layout->isInDram());
    }

    /// The function that is planned stays, though others call it and it is private.
    void privateFunctionThatIsPlannedStays() {
        const auto read = test::read(
            "func.func private @c(%a: " + kTensor + ") -> " + kTensor + " {\n  %0 = \"ttir.gelu\"(%a) : (" + kTensor +
            ") -> " + kTensor + "\n  return %0 : " + kTensor + "\n}\nfunc.func @f(%a: " + kTensor + ") -> " + kTensor +
            " {\n  %0 = call @c(%a) : (" + kTensor + ") -> " + kTensor + "\n  return %0 : " + kTensor + "\n}\n");
        QVERIFY(read.ok());
        const auto namesWith = [&](const std::string& planned) {
            LowerOptions options;
            options.planned = planned;
            const Lowered out = lowerToTtnn(read.value().module, options).value();
            QStringList names;
            for (const Function& f : out.module.functions)
                names << q(f.name);
            return names.join(' ');
        };
        QCOMPARE(namesWith("c"), QString("c f"));
        QCOMPARE(namesWith("f"), QString("f"));
    }

    void callsThatDoNotEnd() {
        const auto read = test::read("func.func @f(%a: " + kTensor + ") -> " + kTensor + " {\n  %0 = call @f(%a) : (" +
                                     kTensor + ") -> " + kTensor + "\n  return %0 : " + kTensor + "\n}\n");
        QVERIFY(read.ok());
        const auto out = lowerToTtnn(read.value().module, {});
        QVERIFY(!out.ok());
        QCOMPARE(q(out.error().primary().code), QString("MLIR-008"));
    }

    void graphs() {
        GraphBuilder b("g");
        const TensorId x = b.input("x", {8, 64}), w = b.parameter("w", {64, 32});
        const TensorId product = b.matmul("product", x, w);
        const TensorId half = b.pointwise("half", "mul", {product, b.constant("c", 0.5)});
        const TensorId max = b.reduction("max", "max", half, {1});
        b.output(b.transpose("turned", b.pointwise("sub", "sub", {half, max}), {1, 0}));
        const auto module = moduleOfGraph(b.build());
        QVERIFY(module.ok());
        const Lowered out = loweredModule(module.value());
        QCOMPARE(kinds(out), QString("matmul constant multiply max subtract permute"));
        QCOMPARE(q(firstOf(out, "multiply")->location.name), QString("half"));
        QVERIFY(out.opaque.empty());
        const auto none = moduleOfGraph(Graph{});
        QVERIFY(!none.ok());
    }

    void models() {
        NEEDS_MODELS();
        for (const auto& file : test::modelFiles()) {
            const Lowered out = lowered(test::contentOf(file));
            QVERIFY2(out.opaque.empty(), file.c_str());
            for (const Function& f : out.module.functions) {
                for (const OperationId id : f.order) {
                    for (const ValueId v : f.operation(id).results)
                        QVERIFY(!f.typeOf(v).isTensor || f.typeOf(v).layout);
                }
            }
        }
    }
};

MEMPLAN_TEST(TestTtnnLower)
#include "tst_ttnn_lower.moc"
