// SPDX-License-Identifier: Apache-2.0
// Plans of TTNN with layouts and conversions that are forced by hand (ttnn-optimizer 8.2, 8.3).
#include "engine/verify/ttnn/verify.h"
#include "tests/engine/ttnn/advice_modules.h"
#include "tests/engine/ttnn/plan_sketch.h"
#include "tests/support/program.h"

#include <QTest>

#include <algorithm>

using namespace memplan;
using namespace memplan::ttnn;
using namespace memplan::test;

namespace {

/// Codes of the notes that say this.
std::vector<std::string> notesWith(const CompileOutcome& outcome, std::string_view text) {
    std::vector<std::string> codes;
    if (outcome.plan == nullptr) return codes;
    for (const Diagnostic& d : outcome.plan->problems)
        if (d.message.find(text) != std::string::npos) codes.push_back(d.code);
    return codes;
}

class TestTtnnPlanOverrides : public QObject {
    Q_OBJECT

private slots:
    /// A view has the data type of what it shows; a reservation is as large as the layout that was chosen.
    void overriddenDataTypesAreSound_data() { addPolicyRows(); }
    void overriddenDataTypesAreSound() {
        QFETCH(QByteArray, policy);
        FunctionBuilder views, fork;
        const ValueId relu = views.add("relu", {views.argument({64, 256})}, {64, 256});
        const ValueId view = views.add("reshape", {relu}, {1, 64, 256}, {{"shape", "[1 : i32, 64 : i32, 256 : i32]"}});
        const ValueId cut = views.add("reshape", {view}, {8, 8, 256}, {{"shape", "[8 : i32, 8 : i32, 256 : i32]"}});
        views.giveBack(views.add("neg", {cut}, {8, 8, 256}));
        const ValueId root = fork.add("relu", {fork.argument({256, 512})}, {256, 512});
        fork.giveBack(fork.add("neg", {root}, {256, 512}));
        fork.giveBack(fork.add("gelu", {root}, {256, 512}));
        for (const Function* function : {&views.function, &fork.function})
            for (const char* layout : {"relu_0=f32", "relu_0=1x8:width_sharded:f32", "relu_0=f32:row_major"})
                verifyFound(compileFunction(
                    *function, {{"ttnn.policy", policy.constData()}, {"ttnn.override_output_layout", layout}}));
    }

    /// A reservation of a reshape does not take back a layout that was forced.
    void forcedLayoutOfAReshapeStays() {
        FunctionBuilder b;
        const ValueId relu = b.add("relu", {b.argument({64, 256})}, {64, 256});
        const ValueId view = b.add("reshape", {relu}, {1, 64, 256}, {{"shape", "[1 : i32, 64 : i32, 256 : i32]"}});
        b.giveBack(b.add("neg", {view}, {1, 64, 256}));
        const CompileOutcome outcome =
            compileFunction(b.function, {{"ttnn.override_output_layout", "reshape_1=dram:f32"}});
        verifyFound(outcome);
        const std::vector<TtnnOp>& ops = ttnnData(*outcome.plan).ops;
        const Layout layout = std::ranges::find(ops, "ttnn.reshape", &TtnnOp::name)->results[0].layout;
        QVERIFY(layout.isInDram() && layout.dtype == DataType::F32);
    }

    /// Of an operation that reads a value twice, in two ways, the last operand says where the value is.
    void conversionOfOneOfTwoEqualOperandsIsSound() {
        FunctionBuilder b;
        const ValueId x = b.argument({64, 96});
        const ValueId tanh = b.add("tanh", {x}, {64, 96});
        b.giveBack(b.add("subtract", {tanh, tanh}, {64, 96}));
        b.giveBack(b.add("matmul", {x, b.argument({96, 64})}, {64, 64}));
        for (const char* operand : {"subtract_1=0", "subtract_1=1"})
            verifyFound(
                compileFunction(b.function, {{"ttnn.policy", "BFInterleaved"}, {"ttnn.insert_memreconfig", operand}}));
    }

    /// Forced into L1, interleaved or sharded, a value goes to DRAM for a reader that is not modelled (9.1).
    void unmodelledReaderGetsForcedLayoutFromDram() {
        FunctionBuilder b;
        const Shape shape{64, 96};
        const ValueId x = b.argument(shape);
        const ValueId forced = b.add("subtract", {b.add("relu", {x}, shape), x}, shape);
        b.function.operation(b.function.value(forced).producer).location.name = "s1";
        b.giveBack(b.add("add", {b.add("frobnicate", {forced}, shape), forced}, shape));
        for (const char* layout : {"s1=l1", "s1=l1:height_sharded"}) {
            verifyFound(compileFunction(b.function, {{"ttnn.override_output_layout", layout}}));
        }
    }

    /// The wrong grid for banks of DRAM is as wrong as for cores (1.4).
    void forcedDramGridIsOneLine() {
        FunctionBuilder b;
        const ValueId result = b.add("relu", {b.argument({64, 96})}, {64, 96});
        b.function.operation(b.function.value(result).producer).location.name = "s1";
        b.giveBack(result);
        for (const char* layout : {"s1=2x4:dram:height_sharded:tile", "s1=1x2:dram:height_sharded:tile"}) {
            const CompileOutcome outcome = compileFunction(b.function, {{"ttnn.override_output_layout", layout}});
            QVERIFY(outcome.failure.has_value());
            QCOMPARE(outcome.failure->error.primary().code, std::string("TT-021"));
        }
    }

    /// A solver that counts on reshards left them in the record, and the compile ended as a defect of the program.
    void reshardsSwitchedOff_areNotInTheRecord() {
        FunctionBuilder b;
        b.giveBack(b.add("relu", {addConvolution(b, b.argument({1, 1, 784, 64}))}, {1, 1, 784, 64}));
        for (const bool isOn : {true, false}) {
            const CompileOutcome outcome = compileFunction(b.function, {{"ttnn.memreconfig", isOn ? "true" : "false"}});
            verifyFound(outcome);
            const auto& edges = ttnnData(*outcome.plan).record.edges;
            QCOMPARE(std::ranges::count(edges, true, &EdgeInfo::isResharded) > 0, isOn);
        }
    }

    /// A forced layout that cannot hold is not dropped in silence, whatever the policy: it has the code of what refused
    /// it.
    void forcedLayoutThatCannotHoldIsReported_data() { addPolicyRows(); }
    void forcedLayoutThatCannotHoldIsReported() {
        QFETCH(QByteArray, policy);
        FunctionBuilder b;
        const ValueId product = b.add("matmul", {b.argument({64, 96}), b.argument({96, 64})}, {64, 64});
        b.giveBack(b.add("neg", {product}, {64, 64}));
        for (const char* layout : {"matmul_0=l1:row_major", "matmul_0=dram:row_major"}) {
            const CompileOutcome outcome = compileFunction(b.function, {{"ttnn.policy", policy.constData()},
                                                                        {"ttnn.row_major", "true"},
                                                                        {"ttnn.override_output_layout", layout}});
            verifyFound(outcome);
            QCOMPARE(notesWith(outcome, "does not hold here: the result is written dram interleaved, bf16"),
                     std::vector<std::string>{"TT-031"});
        }
    }
    void forcedLayoutThatHoldsIsNotReported_data() { addPolicyRows(); }
    void forcedLayoutThatHoldsIsNotReported() {
        QFETCH(QByteArray, policy);
        const CompileOutcome outcome =
            compileFunction(sketch(), {{"ttnn.policy", policy.constData()},
                                       {"ttnn.override_output_layout", "relu_1=l1:interleaved,matmul_5=dram"},
                                       {"ttnn.insert_memreconfig", "abs_2=0"}});
        verifyFound(outcome);
        QVERIFY(notesWith(outcome, "does not hold here").empty());
        QVERIFY(notesWith(outcome, "forced reshard").empty());
    }

    /// A conversion of the module that becomes the forced reshard of its only reader is none that the plan adds.
    void reshardInPlace_data() { addPolicyRows(); }
    void reshardInPlace() {
        QFETCH(QByteArray, policy);
        FunctionBuilder b;
        const Shape shape{64, 128};
        const ValueId relu = b.add("relu", {b.argument(shape)}, shape);
        const ValueId converted = b.add("to_layout", {relu}, shape, {{"layout", "#ttnn.layout<tile>"}});
        b.giveBack(b.add("neg", {b.add("abs", {converted}, shape)}, shape));
        const CompileOutcome outcome =
            compileFunction(b.function, {{"ttnn.policy", policy.constData()}, {"ttnn.insert_memreconfig", "abs_2=0"}});
        verifyFound(outcome);
        const std::vector<PassRun>& passes = outcome.plan->passes;
        const auto last = std::ranges::find(passes, "update_function_types", &PassRun::name);
        QVERIFY(last != passes.end());
        QCOMPARE(last->counts.at("reshards"), ttnnData(*outcome.plan).goals.reshards());
    }

    /// An override whose effect an option takes away is reported at its operation, with the option.
    void overrideWithoutEffect_data() {
        QTest::addColumn<QByteArray>("setting");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("off");
        QTest::addColumn<QStringList>("where");
        const QByteArray off = "ttnn.optimization_level";
        QTest::newRow("layouts") << QByteArray("override_output_layout") << QByteArray("relu_1=l1,abs_2=2x2:l1") << off
                                 << QStringList{"op relu_1", "op abs_2"};
        QTest::newRow("a layout that holds") << QByteArray("override_output_layout")
                                             << QByteArray("relu_1=dram,abs_2=l1") << off << QStringList{"op abs_2"};
        QTest::newRow("no such name") << QByteArray("override_output_layout") << QByteArray("reul=l1") << off
                                      << QStringList{"op reul"};
        QTest::newRow("reshard") << QByteArray("insert_memreconfig") << QByteArray("abs_2=0") << off
                                 << QStringList{"op abs_2"};
        QTest::newRow("reshards off") << QByteArray("insert_memreconfig") << QByteArray("abs_2=0,relu_1=0")
                                      << QByteArray("ttnn.memreconfig") << QStringList{"op abs_2", "op relu_1"};
        QTest::newRow("configuration of another kind")
            << QByteArray("override_conv2d_config") << QByteArray("abs_2=act_block_h_override#32") << off
            << QStringList{"op abs_2"};
    }
    void overrideWithoutEffect() {
        QFETCH(QByteArray, setting);
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, off);
        QFETCH(QStringList, where);
        const CompileOutcome outcome =
            compileFunction(sketch(), {{("ttnn." + setting).constData(), text.constData()},
                                       {off.constData(), off == "ttnn.memreconfig" ? "false" : "0"}});
        verifyFound(outcome);
        QStringList found;
        for (const Diagnostic& d : outcome.plan->problems) {
            if (d.code != "TT-015") continue;
            found += QString::fromStdString(d.where);
            QVERIFY2(d.message.find(off.constData()) != std::string::npos, d.message.c_str());
        }
        QCOMPARE(found, where);
        Plan silent = *outcome.plan;
        silent.problems.clear();
        const bool isSeen = std::ranges::any_of(verify::ttnn::checkFile(silent), [](const Diagnostic& d) {
            return d.message.find("does not hold, and no problem says so") != std::string::npos;
        });
        const bool isOfAnOperation = setting != "override_conv2d_config" && !text.startsWith("reul");
        QCOMPARE(isSeen, isOfAnOperation);
    }

    /// A problem of another operation, whose name begins alike, is no report of an override.
    void problemOfALongerNameIsNoReport() {
        Plan plan =
            *compileFunction(sketch(), {{"ttnn.override_output_layout", "relu_1=l1"}, {"ttnn.optimization_level", "0"}})
                 .plan;
        const auto isSilent = [&] {
            return std::ranges::any_of(verify::ttnn::checkFile(plan), [](const Diagnostic& d) {
                return d.message.find("the override of relu_1 does not hold, and no problem") != std::string::npos;
            });
        };
        QVERIFY(!isSilent());
        for (Diagnostic& d : plan.problems) {
            if (d.code == "TT-015") d.where = "op relu_12", d.message = "the forced layout of relu_12 does not hold";
        }
        QVERIFY(isSilent());
    }

    /// The same for hints: what an option takes away is ignored, and the option is named.
    void hintWithoutEffect_data() {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("off");
        const QByteArray off = "ttnn.optimization_level";
        QTest::newRow("layout") << QByteArray("output_layout") << QByteArray(R"({"buffer": "l1"})") << off;
        QTest::newRow("reshard") << QByteArray("input_reshard") << QByteArray("[0]") << off;
        QTest::newRow("configuration") << QByteArray("conv2d_config") << QByteArray(R"({"act_block_h_override": 32})")
                                       << off;
        QTest::newRow("chain") << QByteArray("break_chain") << QByteArray(R"("before")") << off;
        QTest::newRow("reshards off") << QByteArray("input_reshard") << QByteArray("[0]")
                                      << QByteArray("ttnn.memreconfig");
    }
    void hintWithoutEffect() {
        QFETCH(QByteArray, key);
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, off);
        FunctionBuilder b;
        b.giveBack(b.add("relu", {addConvolution(b, b.argument({1, 1, 784, 64}))}, {1, 1, 784, 64}));
        const char* scope = key == "conv2d_config" ? "conv2d_0" : "relu_1";
        const CompileOutcome outcome =
            memplan::compile(requestOf({b.function,
                                        {{off.constData(), off == "ttnn.memreconfig" ? "false" : "0"}},
                                        {opHint(scope, key.constData(), value.constData())}}),
                             {});
        verifyFound(outcome);
        QCOMPARE(outcome.plan->hintStates, std::vector<std::string>{"ignored"});
        QCOMPARE(notesWith(outcome, off.toStdString()), std::vector<std::string>{"HNT-007"});
    }

    /// Configurations are looked at as layouts are: a field that does not hold is no applied hint.
    void hintOfAConfigurationThatHoldsIsApplied() {
        FunctionBuilder b;
        b.giveBack(b.add("relu", {addConvolution(b, b.argument({1, 1, 784, 64}))}, {1, 1, 784, 64}));
        const CompileOutcome outcome = memplan::compile(
            requestOf({b.function, {}, {opHint("conv2d_0", "conv2d_config", R"({"act_block_h_override": 32})")}}), {});
        verifyFound(outcome);
        QCOMPARE(outcome.plan->hintStates, std::vector<std::string>{"applied"});
    }

    /// A field that is forced on a convolution stands in its configuration, and nothing is reported.
    void forcedConfigurationIsKept() {
        FunctionBuilder b;
        b.giveBack(b.add("relu", {addConvolution(b, b.argument({1, 1, 784, 64}))}, {1, 1, 784, 64}));
        const CompileOutcome outcome =
            compileFunction(b.function, {{"ttnn.override_conv2d_config", "conv2d_0=act_block_h_override#32"}});
        verifyFound(outcome);
        const std::vector<TtnnOp>& ops = ttnnData(*outcome.plan).ops;
        const auto conv = std::ranges::find(ops, "ttnn.conv2d", &TtnnOp::name);
        const auto* attrs = std::get_if<Conv2dAttrs>(&conv->config);
        QVERIFY(attrs != nullptr && attrs->config);
        QCOMPARE(attrs->config->actBlockHOverride.value_or(0), std::int64_t{32});
        QVERIFY(notesWith(outcome, "forced configuration").empty());
    }

    /// A result counts with its own bytes, not with those of the tiles that a conversion makes of it (15.1).
    void convertedResultCountsAsWritten() {
        FunctionBuilder b;
        const ValueId rows =
            b.add("transpose", {b.argument({96, 40})}, {40, 96}, {{"dim0", "0 : si32"}, {"dim1", "1 : si32"}});
        b.giveBack(b.add("softmax", {rows}, {40, 96}, {{"dimension", "1 : si32"}}));
        const CompileOutcome outcome = compileFunction(
            b.function, {{"ttnn.policy", "Global"},
                         {"ttnn.override_output_layout", "transpose_0=dram:row_major,softmax_1=l1:interleaved"},
                         {"ttnn.insert_memreconfig", "softmax_1=0"}});
        verifyFound(outcome);
        const TtnnData& data = ttnnData(*outcome.plan);
        const auto softmax = std::ranges::find(data.ops, "ttnn.softmax", &TtnnOp::name);
        QVERIFY(softmax->operands[0].layout.isTiled() && softmax->operands[0].layout.isInL1());
        QCOMPARE(data.goals.readBytes, Bytes{40 * 96 * 2});
        QCOMPARE(data.goals.residentBytes, Bytes{40 * 96 * 2});
    }

    /// A forced reshard that its operation does not run with is left out, and every policy says so.
    void impossibleForcedReshardIsLeftOut_data() { addPolicyRows(); }
    void impossibleForcedReshardIsLeftOut() {
        QFETCH(QByteArray, policy);
        FunctionBuilder b;
        b.giveBack(b.add("matmul", {b.argument({2, 12, 4096, 32}), b.argument({32, 100})}, {2, 12, 4096, 100}));
        const CompileOutcome outcome = compileFunction(
            b.function, {{"ttnn.policy", policy.constData()}, {"ttnn.insert_memreconfig", "matmul_0=0:1"}});
        verifyFound(outcome);
        QCOMPARE(notesWith(outcome, "its forced reshards are left out"), std::vector<std::string>{"TT-031"});
    }
};

}  // namespace

MEMPLAN_TEST(TestTtnnPlanOverrides)
#include "tst_ttnn_plan_overrides.moc"
