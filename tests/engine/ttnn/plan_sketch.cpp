// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/ttnn/plan_sketch.h"

#include "engine/verify/ttnn/verify.h"
#include "tests/engine/ttnn/advice_modules.h"

#include <QTest>

namespace memplan::test {

using namespace memplan::ttnn;

Function sketch() {
    FunctionBuilder b;
    const ValueId x = b.argument({256, 512});
    const ValueId root = b.add("relu", {b.add("neg", {x}, {256, 512})}, {256, 512});
    const ValueId lhs = b.add("abs", {root}, {256, 512}), rhs = b.add("gelu", {root}, {256, 512});
    const ValueId sum = b.add("add", {lhs, rhs}, {256, 512});
    const ValueId product = b.add("matmul", {sum, b.argument({512, 256})}, {256, 256});
    const ValueId soft = b.add("softmax", {product}, {256, 256}, {{"dimension", "1 : si32"}});
    b.giveBack(b.add("multiply", {soft, soft}, {256, 256}));
    return b.function;
}

ValueId addConvolution(FunctionBuilder& b, ValueId operand) {
    return b.add("conv2d", {operand, b.argument({64, 64, 3, 3})}, {1, 1, 784, 64},
                 {{"batch_size", "1 : i32"},
                  {"in_channels", "64 : i32"},
                  {"out_channels", "64 : i32"},
                  {"input_height", "28 : i32"},
                  {"input_width", "28 : i32"},
                  {"kernel_size", "array<i32: 3, 3>"},
                  {"stride", "array<i32: 1, 1>"},
                  {"padding", "array<i32: 1, 1, 1, 1>"},
                  {"dilation", "array<i32: 1, 1>"},
                  {"groups", "1 : i32"},
                  {"conv2d_config", "#ttnn.conv2d_config<weights_dtype = bf16, deallocate_activation = true>"}});
}

CompileOutcome compileFunction(const Function& function,
                               const std::vector<std::pair<std::string, std::string>>& settings) {
    return memplan::compile(requestOf({function, settings}), {});
}

void verifyFound(const CompileOutcome& outcome) {
    const std::string why = outcome.failure ? outcome.failure->error.primary().message : std::string();
    QVERIFY2(outcome.plan != nullptr, why.c_str());
    QVERIFY(verify::ttnn::checkPlan(*outcome.plan).empty());
}

const Plan& sketchPlan() {
    static const PlanPtr kPlan = compileFunction(sketch()).plan;
    return *kPlan;
}

void addPolicyRows() {
    QTest::addColumn<QByteArray>("policy");
    for (const char* policy : {"DFSharding", "GreedyL1Interleaved", "BFInterleaved", "GreedyBeam", "Global"})
        QTest::newRow(policy) << QByteArray(policy);
}

}  // namespace memplan::test
