// SPDX-License-Identifier: Apache-2.0
// Plans of TTNN with layouts and conversions that are forced by hand (ttnn-optimizer 8.2, 8.3).
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

    /// What an option takes the effect of says which one.
    void overridesWithoutEffectNameTheOption() {
        const std::pair<const char*, const char*> layout{"ttnn.override_output_layout", "relu_1=l1:interleaved"};
        const CompileOutcome off = compileFunction(sketch(), {layout, {"ttnn.optimization_level", "0"}});
        QCOMPARE(notesWith(off, "the optimizer is off"), std::vector<std::string>{"TT-015"});
        const CompileOutcome still =
            compileFunction(sketch(), {{"ttnn.insert_memreconfig", "abs_2=0"}, {"ttnn.memreconfig", "false"}});
        QCOMPARE(notesWith(still, "reshards are switched off"), std::vector<std::string>{"TT-015"});
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
