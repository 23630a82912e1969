// SPDX-License-Identifier: Apache-2.0
// MLIR text in and out (inputs-and-interchange 4.4, ttnn-optimizer 10).
#include "engine/ttnn/mlir/library.h"
#include "engine/ttnn/mlir/prepass.h"
#include "engine/ttnn/mlir/writer.h"
#include "tests/engine/ttnn/modules.h"
#include "tests/support/program.h"

#include <cmath>

using namespace memplan;
using namespace memplan::ttnn;
using test::ownModule;
using test::q;

namespace {

const Operation& opOf(const Module& module, std::size_t i) {
    const Function& f = module.functions.front();
    return f.operation(f.order[i]);
}

std::string inFunction(const std::string& body) {
    return "func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {\n" + body +
           "\n  return %a : tensor<4x8xf32>\n}\n";
}

std::string nested(int depth) {
    const auto n = static_cast<std::size_t>(depth);
    return "module { func.func @f() { \"a.b\"() {x = " + std::string(n, '[') + std::string(n, ']') +
           "} : () -> () return } }";
}

/// Sixty aliases, each twice the one before.
std::string doubling(const std::string& first, const std::string& open, const std::string& close) {
    std::string out = "#a0 = " + first + "\n";
    for (int i = 1; i < 60; ++i) {
        const std::string before = "#a" + std::to_string(i - 1);
        out += "#a" + std::to_string(i) + " = " + open + before + ", " + before + close + "\n";
    }
    return out + "func.func @f() { \"a.b\"() {x = #a59} : () -> () return }\n";
}

/// Written, read and written again; empty when the two texts are the same.
QString roundTrip(const Module& module, const WriteOptions& options) {
    const auto first = writeModule(module, options);
    if (!first) return q(first.error().primary().message);
    const auto again = test::read(first.value());
    if (!again) return "reads back: " + q(again.error().primary().where + " " + again.error().primary().message);
    const auto second = writeModule(again.value().module, options);
    if (!second || second.value() != first.value()) return "the second text differs";
    if (options.debugInfo && plainText(module, false) != plainText(again.value().module, false))
        return "the module differs";
    return {};
}

}  // namespace

class TestTtnnMlir : public QObject {
    Q_OBJECT

private slots:
    void init() { NEEDS_MLIR(); }

    void wrapperDeviceAndNames() {
        const auto read = test::read(ownModule("wrapped.mlir"));
        QVERIFY2(read.ok(), qPrintable(test::outcomeOf(ownModule("wrapped.mlir"))));
        const Module& m = read.value().module;
        QVERIFY(m.inDeviceModule);
        QCOMPARE(q(m.name), QString("wrapped"));
        QVERIFY(m.l1UsageCap && std::abs(*m.l1UsageCap - 0.9) < 1e-6);
        QCOMPARE(m.devices.size(), std::size_t{1});
        QCOMPARE(m.device.workers.rows, 7);
        QVERIFY(m.hasDevice);
        const Function& f = m.functions.front();
        QCOMPARE(q(f.value(f.arguments[0]).name), QString("image"));
        QCOMPARE(q(*findAttribute(f.value(f.arguments[0]).attributes, "ttir.name")), QString("\"image\""));
        QCOMPARE(q(opOf(m, 1).location.name), QString("conv"));
        QCOMPARE(q(opOf(m, 4).attributes.front().text), QString("#other.kept<\"a > b\", [1, 2]>"));
        QCOMPARE(opOf(m, 4).results.size(), std::size_t{2});
    }

    void prettyForms() {
        const auto read = test::read(ownModule("pretty_forms.mlir"));
        QVERIFY2(read.ok(), qPrintable(test::outcomeOf(ownModule("pretty_forms.mlir"))));
        const Module& m = read.value().module;
        QCOMPARE(m.functions.size(), std::size_t{2});
        QCOMPARE(q(opOf(m, 1).name), QString("stablehlo.dot_general"));
        QCOMPARE(q(opOf(m, 1).location.name), QString("dot"));
        QCOMPARE(q(*opOf(m, 3).find("dimensions")), QString("array<i64: 1>"));
        QCOMPARE(q(opOf(m, 4).regions[0].blocks[0].operations[0].name), QString("stablehlo.maximum"));
        QCOMPARE(q(*opOf(m, 6).find("strides")), QString("array<i64: 1, 2>"));
        QCOMPARE(q(*opOf(m, 7).find("comparison_direction")), QString("#stablehlo<comparison_direction LT>"));
        QCOMPARE(q(*opOf(m, 12).find("call_target_name")), QString("\"foo\""));
    }

    /// What compilers and frameworks print: caches of results, parts for the host, meshes, loops, several reductions.
    void compiledForms() {
        const auto read = test::read(ownModule("compiled.mlir"));
        QVERIFY2(read.ok(), qPrintable(test::outcomeOf(ownModule("compiled.mlir"))));
        const Module& m = read.value().module;
        QCOMPARE(m.functions.size(), std::size_t{3});
        QCOMPARE(m.outerOthers.size(), std::size_t{1});
        QCOMPARE(m.device.workers.rows, 7);
        const Operation& cached = m.functions[1].operation(m.functions[1].order[0]);
        QCOMPARE(q(cached.name), QString("ttcore.load_cached"));
        QCOMPARE(q(*cached.find("callee")), QString("@main_const_eval_0"));
        QCOMPARE(cached.operands.size(), std::size_t{1});
        QCOMPARE(cached.results.size(), std::size_t{2});
        QCOMPARE(q(cached.location.name), QString("weights"));
    }

    void frameworkForms() {
        const auto read = test::read(ownModule("sharded_training.mlir"));
        QVERIFY2(read.ok(), qPrintable(test::outcomeOf(ownModule("sharded_training.mlir"))));
        const Module& m = read.value().module;
        QCOMPARE(m.others.size(), std::size_t{1});
        QCOMPARE(q(*opOf(m, 3).find("call_target_name")), QString("\"tt.mark_argument\""));
        QCOMPARE(q(*opOf(m, 4).find("padding")), QString("dense<1> : tensor<2x2xi64>"));
        QCOMPARE(q(*opOf(m, 4).find("feature_group_count")), QString("1 : i64"));
        const Operation& loop = opOf(m, 7);
        QCOMPARE(loop.regions.size(), std::size_t{2});
        QCOMPARE(loop.regions[1].blocks[0].arguments.size(), std::size_t{2});
        QCOMPARE(q(loop.location.name), QString("loop"));
        QVERIFY(loop.find("note") != nullptr);
        const Operation& reduce = opOf(m, 9);
        QCOMPARE(reduce.operands.size(), std::size_t{4});
        QCOMPARE(reduce.regions[0].blocks[0].arguments.size(), std::size_t{4});
        QCOMPARE(q(m.functions[0].typeOf(reduce.regions[0].blocks[0].arguments[1]).element), QString("i32"));
        QCOMPARE(opOf(m, 10).results.size(), std::size_t{2});
        QCOMPARE(q(*opOf(m, 14).find("manual_axes")), QString("#sdy<manual_axes{\"x\"}>"));
    }

    /// The dialect of devices was called tt before May 2025.
    void olderDialect() {
        const auto read = test::read(
            "module {\n  tt.device_module {\n    builtin.module attributes {tt.system_desc = #tt.system_desc<[{role = "
            "host}], "
            "[{arch = <wormhole_b0>, grid = 8x8, l1_size = 1499136, num_cbs = 16}], [0]>} {\n      tt.device @d = "
            "<workerGrid = #tt.grid<7x8, (d0, d1) -> (0, d0, d1)>, chipIds = [0]>\n      func.func @f(%a: "
            "tensor<4x8xf32>) -> tensor<4x8xf32> {\n        return %a : tensor<4x8xf32>\n      }\n    }\n  }\n}\n");
        QVERIFY(read.ok());
        const Module& m = read.value().module;
        QVERIFY(m.inDeviceModule && m.hasDevice);
        QCOMPARE(m.device.workers.rows, 7);
        QCOMPARE(m.device.circularBuffers, 16);
        const auto text = writeModule(m, {});
        QVERIFY(text.ok() && q(text.value()).contains("\"tt.device_module\""));
        QCOMPARE(roundTrip(m, {}), QString());
    }

    void layoutsAndTheirWarnings() {
        const auto read = test::read(ownModule("layouts.mlir"));
        QVERIFY(read.ok());
        const Function& f = read.value().module.functions.front();
        const Type& sharded = f.typeOf(f.resultOf(f.order[0]));
        QVERIFY(sharded.layout && sharded.layout->isL1Sharded());
        QVERIFY(sharded.layout->cores.has_value());
        QCOMPARE(read.value().warnings.size(), std::size_t{1});
        QCOMPARE(q(read.value().warnings[0].code), QString("TT-024"));
        QCOMPARE(q(read.value().warnings[0].where), QString("7:10"));
    }

    void errors_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("outcome");
        const auto row = [](const char* name, const std::string& text, const char* outcome) {
            QTest::newRow(name) << q(text) << outcome;
        };
        row("no function", "module {\n}\n", "MLIR-001 1:1");
        row("only a declaration", "func.func private @f()\n", "MLIR-001 1:1");
        row("syntax", inFunction("  %0 = \"ttir.abs\"(%a : (tensor<4x8xf32>) -> tensor<4x8xf32>"), "MLIR-005 4:1");
        row("unknown type", inFunction("  %0 = \"ttir.abs\"(%a) : (tenser<4x8xf32>) -> tensor<4x8xf32>"),
            "MLIR-002 2:26");
        row("undefined value", inFunction("  %0 = \"ttir.abs\"(%c) : (tensor<4x8xf32>) -> tensor<4x8xf32>"),
            "MLIR-003 2:19");
        row("used before",
            inFunction("  %0 = \"ttir.abs\"(%1) : (tensor<4x8xf32>) -> tensor<4x8xf32>\n"
                       "  %1 = \"ttir.abs\"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>"),
            "MLIR-003 2:8");
        row("defined twice",
            inFunction("  %0 = \"ttir.abs\"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>\n"
                       "  %0 = \"ttir.abs\"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>"),
            "MLIR-003 3:3");
        row("another type", inFunction("  %0 = \"ttir.abs\"(%a) : (tensor<4x9xf32>) -> tensor<4x9xf32>"),
            "MLIR-004 2:19");
        row("types and operands", inFunction("  %0 = \"ttir.add\"(%a, %b) : (tensor<4x8xf32>) -> tensor<4x8xf32>"),
            "MLIR-004 2:29");
        row("operands of a kind", inFunction("  %0 = \"ttir.add\"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>"),
            "MLIR-004 2:8");
        row("operand behind a rewritten one",
            inFunction(
                "  %0 = ttir.empty() : tensor<4x8xf32> %1 = \"ttir.add\"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>"),
            "MLIR-004 2:44");
        row("custom form", inFunction("  %0 = arith.addf %a, %b : tensor<4x8xf32>"), "MLIR-006 2:8");
        row("loop without a second body",
            inFunction("  %0 = stablehlo.while(%i = %a) : tensor<4x8xf32> cond {\n    stablehlo.return %i : "
                       "tensor<4x8xf32>\n  }"),
            "MLIR-002 5:3");
        row("several modules in a file", inFunction("") + "// -----\n" + inFunction(""), "MLIR-003 6:1");
        row("blocks", inFunction("  \"cf.br\"()[^bb1] : () -> ()\n^bb1:"), "MLIR-006 4:3");
        row("dynamic", "func.func @f(%a: tensor<?x8xf32>) { return }\n", "MLIR-008 1:1");
        row("elements", "func.func @f(%a: tensor<4294967296x4294967296xf32>) { return }\n", "MPG-311 1:1");
        row("unbalanced", "module {\n  func.func @f() { return )\n}\n", "MLIR-005 2:27");
        row("open", "module {\n", "MLIR-005 2:1");
        row("nesting at the limit", nested(60), "ok");
        row("nesting bomb", nested(100000), "MLIR-005 1:101");
        row("many aliases", doubling("[1, 2]", "[", "]"), "MLIR-005 24:9");
        row("many opaque aliases", doubling("#x.y<1>", "#x.y<", ">"), "MLIR-005 24:1");
        row("alias of itself", "#a = #x.y<#a>\nfunc.func @f() { \"a.b\"() {x = #a} : () -> () return }\n",
            "MLIR-005 1:1");
    }
    void errors() {
        QFETCH(QString, text);
        QFETCH(QString, outcome);
        QCOMPARE(test::outcomeOf(text.toStdString()), outcome);
    }

    void damagedText() {
        for (const char* name :
             {"wrapped.mlir", "pretty_forms.mlir", "layouts.mlir", "compiled.mlir", "sharded_training.mlir"}) {
            const std::string whole = ownModule(name);
            for (std::size_t size = 0; size < whole.size(); size += 50) {
                const auto cut = test::read(whole.substr(0, size));
                if (!cut) QVERIFY2(q(cut.error().primary().where).contains(':'), name);
            }
        }
    }

    void writtenTextReadsBack_data() {
        QTest::addColumn<QString>("file");
        for (const char* name :
             {"wrapped.mlir", "pretty_forms.mlir", "layouts.mlir", "compiled.mlir", "sharded_training.mlir"})
            QTest::newRow(name) << name;
    }
    void writtenTextReadsBack() {
        QFETCH(QString, file);
        const auto read = test::read(ownModule(file.toStdString()));
        QVERIFY(read.ok());
        for (const bool names : {false, true}) {
            for (const bool places : {false, true})
                QCOMPARE(roundTrip(read.value().module, {names, places}), QString());
        }
    }

    void chapter_10_4_writtenForm() {
        const auto read = test::read(ownModule("layouts.mlir"));
        const auto text = writeModule(read.value().module, {});
        QVERIFY(text.ok());
        QVERIFY(q(text.value()).startsWith("#ttnn_layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>"));
        QVERIFY(q(text.value()).contains("  func.func @forward(%arg0: tensor<256x512xbf16, #ttnn_layout>)"));
        QVERIFY(q(text.value())
                    .contains("    %1 = \"ttnn.to_layout\"(%0) : (tensor<256x512xbf16, #ttnn_layout1>) -> "
                              "tensor<256x512xbf16, #ttnn_layout>\n"));
        QVERIFY(!q(text.value()).contains("loc("));
        QVERIFY(q(writeModule(read.value().module, {false, true}).value()).contains("= loc(\"act_in\")"));
        const auto named = writeModule(test::read(ownModule("wrapped.mlir")).value().module, {true, false});
        const QString image = ir::mlirVersion() >= 20 ? "image" : "arg0";
        QVERIFY(q(named.value()).contains("@main(%" + image + ": tensor"));
    }

    void resourcesStay() {
        const std::string text =
            "func.func @f() { return }\n{-#\n  external_resources: { mine: { key: \"value\" } }\n#-}\n";
        const auto read = test::read(text);
        QVERIFY(read.ok());
        QVERIFY(q(writeModule(read.value().module, {}).value())
                    .contains("external_resources: { mine: { key: \"value\" } }"));
    }

    void models() {
        NEEDS_MODELS();
        for (const auto& file : test::modelFiles()) {
            const auto read = test::read(test::contentOf(file));
            QVERIFY2(read.ok(), file.c_str());
            QCOMPARE(roundTrip(read.value().module, {}), QString());
            QCOMPARE(roundTrip(read.value().module, {true, true}), QString());
        }
    }

    void damagedModels() {
        NEEDS_MODELS();
        for (const auto& file : test::modelFiles()) {
            const std::string whole = test::contentOf(file);
            const std::size_t step = std::max<std::size_t>(200, whole.size() / 200);
            for (std::size_t size = 0; size < whole.size(); size += step) {
                const auto cut = test::read(whole.substr(0, size));
                if (!cut) QVERIFY2(q(cut.error().primary().where).contains(':'), file.c_str());
            }
        }
    }
};

MEMPLAN_TEST(TestTtnnMlir)
#include "tst_ttnn_mlir.moc"
