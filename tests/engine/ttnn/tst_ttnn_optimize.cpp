// SPDX-License-Identifier: Apache-2.0
// Graph transformation, the interleaved fallback, policies and the optimizer as a whole (ttnn-optimizer 2, 7, 8, 12).
#include "engine/ttnn/beam/score.h"
#include "engine/ttnn/global/residency_search.h"
#include "engine/ttnn/optimize/optimize.h"
#include "engine/ttnn/policies/interleaved.h"
#include "engine/ttnn/policies/policies.h"
#include "engine/ttnn/transform/order.h"
#include "engine/ttnn/transform/transform.h"
#include "tests/engine/ttnn/function_builder.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QTest>

#include <algorithm>

using namespace memplan;
using namespace memplan::ttnn;
using test::FunctionBuilder;
using test::q;

namespace {

Module moduleOf(FunctionBuilder builder) {
    Module module;
    Function& function = builder.function;
    function.name = "forward";
    for (const ValueId value : function.returned)
        function.resultTypes.push_back(function.typeOf(value));
    module.functions.push_back(std::move(function));
    return module;
}

Options with(Policy policy) {
    Options options;
    options.policy = policy;
    return options;
}

OptimizeState optimized(FunctionBuilder builder, const Options& options) {
    auto state = optimize(moduleOf(std::move(builder)), options);
    if (!state) qFatal("%s", state.error().primary().message.c_str());
    return std::move(state).value();
}

/// "l1 interleaved" of the result of each operation of the input, in its order.
QStringList placesOf(const OptimizeState& state) {
    QStringList places;
    const Function& function = state.module.functions.front();
    for (std::size_t i = 0; i < function.operations.size(); ++i) {
        const Layout& layout = *function.typeOf(function.operations[i].results.front()).layout;
        places << q(wordOf(layout.buffer)) + (layout.isSharded() ? " sharded" : "");
    }
    return places;
}

QStringList namesInOrder(const Function& function) {
    QStringList names;
    for (const OperationId id : function.order)
        names << q(function.operation(id).kind());
    return names;
}

Layout sharded(const Function& function, ValueId value, Grid grid) {
    return makeLayout(function.typeOf(value).shape,
                      {DataType::BF16, PageLayout::Tile, BufferType::L1, MemLayout::BlockSharded, grid}, Device{});
}

/// relu, then gelu and neg of it; the sum is returned.
struct Fork {
    FunctionBuilder builder;
    ValueId relu, gelu, neg, sum;
    Fork() {
        const ValueId x = builder.argument({256, 512});
        relu = builder.add("relu", {x}, {256, 512});
        gelu = builder.add("gelu", {relu}, {256, 512});
        neg = builder.add("neg", {relu}, {256, 512});
        sum = builder.add("add", {gelu, neg}, {256, 512});
        builder.giveBack(sum);
    }
    /// relu sharded and spilled, gelu with a conversion to that layout.
    [[nodiscard]] Solution solution(Grid grid) const {
        const Function& f = builder.function;
        Solution solution;
        for (const Operation& op : f.operations)
            solution.configs.push_back(OpConfig{f.typeOf(op.results.front()).layout, {}});
        const Layout layout = sharded(f, relu, {8, 8});
        solution.configs[0]->output = layout;
        solution.configs[1]->output = sharded(f, gelu, grid);
        solution.reshards.push_back({OperationId{1}, 0, {sharded(f, relu, grid)}, ReshardOrigin::Forced});
        solution.spillToDram.push_back(OperationId{0});
        solution.spillToDram.push_back(OperationId{1});
        return solution;
    }
};

}  // namespace

class TestTtnnOptimize : public QObject {
    Q_OBJECT

private slots:
    void fallbackOfChapter_7_1();
    void closestReshardReadsL1();
    void reshardOfTheSameLayoutGoes();
    void returnedValuesEndInDram();
    void deallocationsWaitForReaders();
    void subsetsOfChapter_8_6();
    void unknownOverrideNames();
    void overrideReshardsAreInserted();
    void operandIndexOutsideIsAnError();
    void sumOfTwoStaysInL1_12_1();
    void residentsAreChosenExactly_12_5();
    void everyPolicyIsLegal_data();
    void everyPolicyIsLegal();
    void beyondIsNoWorse();
};

void TestTtnnOptimize::fallbackOfChapter_7_1() {
    FunctionBuilder b;
    const Shape shape{64, 128};
    const ValueId x = b.argument(shape), y = b.argument(shape);
    const ValueId a = b.add("add", {x, y}, shape), second = b.add("add", {x, y}, shape);
    const ValueId c = b.add("add", {a, second}, shape), d = b.add("relu", {c}, shape);
    const ValueId e = b.add("neg", {d}, shape), f = b.add("abs", {d}, shape);
    const ValueId g = b.add("add", {e, f}, shape);
    b.giveBack(b.add("abs", {g}, shape));
    Options options;
    options.memoryLayoutAnalysis = false;
    options.l1InterleavedFallback = true;
    const OptimizeState state = optimized(std::move(b), options);
    QCOMPARE(placesOf(state), (QStringList{"dram", "l1", "l1", "dram", "dram", "l1", "l1", "dram"}));
    QCOMPARE(state.functions.front().transformed.upgraded.size(), std::size_t{4});
}

void TestTtnnOptimize::closestReshardReadsL1() {
    const Fork fork;
    const Transformed t = transformGraph(fork.builder.function, fork.solution({4, 8}), Device{}, {});
    QCOMPARE(namesInOrder(t.function),
             (QStringList{"relu", "to_layout", "to_layout", "gelu", "to_layout", "neg", "add"}));
    QCOMPARE(t.conversions.size(), std::size_t{3});
    QVERIFY(t.conversions[0].kind == ConversionKind::Spill && t.conversions[1].kind == ConversionKind::Forced);
    QVERIFY(t.function.operation(t.conversions[1].op).operands.front() == fork.relu);
    const ValueId copy = t.function.resultOf(t.conversions[0].op);
    QVERIFY(t.function.operation(OperationId{2}).operands.front() == copy);
    QCOMPARE(t.function.operation(t.conversions[0].op).location.name, std::string("relu_0_spill"));
    QCOMPARE(t.function.operation(t.conversions[1].op).location.name, std::string("gelu_1_mem_reconfig"));
}

void TestTtnnOptimize::reshardOfTheSameLayoutGoes() {
    const Fork fork;
    const Transformed t = transformGraph(fork.builder.function, fork.solution({8, 8}), Device{}, {});
    QCOMPARE(namesInOrder(t.function), (QStringList{"relu", "to_layout", "gelu", "to_layout", "neg", "add"}));
    QVERIFY(t.function.operation(OperationId{1}).operands.front() == fork.relu);
}

void TestTtnnOptimize::returnedValuesEndInDram() {
    const Fork fork;
    Solution solution = fork.solution({8, 8});
    solution.configs[3]->output = sharded(fork.builder.function, fork.sum, {8, 8});
    const Transformed t = transformGraph(fork.builder.function, solution, Device{}, {});
    QCOMPARE(namesInOrder(t.function).back(), QString("to_layout"));
    QVERIFY(t.function.typeOf(t.function.returned.front()).layout->isInDram());
}

void TestTtnnOptimize::deallocationsWaitForReaders() {
    FunctionBuilder b;
    const ValueId x = b.argument({32, 32});
    const ValueId relu = b.add("relu", {x}, {32, 32});
    b.giveBack(b.add("neg", {relu}, {32, 32}));
    Operation free;
    free.name = "ttnn.deallocate";
    free.operands = {relu};
    b.function.order.push_back(b.function.addOperation(free));
    const auto order = transformedOrder(b.function, {OperationId{0}, OperationId{2}, OperationId{1}});
    QVERIFY(order == (std::vector<OperationId>{OperationId{0}, OperationId{1}, OperationId{2}}));
}

void TestTtnnOptimize::subsetsOfChapter_8_6() {
    // A, B and C before the base D: all stay, computed in the order C, A, B.
    const L1Choice choice = chooseL1({{2, 8}, {3, 7}, {1, 9}}, Bytes{4}, 0, 15);
    QVERIFY(choice.keepsBase);
    QVERIFY(choice.order == (std::vector<std::size_t>{2, 0, 1}));
    QCOMPARE(choice.kept, Bytes{10});
    QCOMPARE(choice.peak, Bytes{10});
    // With less room the subset with most bytes that fits.
    QCOMPARE(chooseL1({{2, 8}, {3, 7}, {1, 9}}, Bytes{4}, 0, 9).kept, Bytes{9});
}

void TestTtnnOptimize::unknownOverrideNames() {
    Options options;
    options.insertMemreconfig.emplace_back("relu_9", std::vector<int>{0});
    const auto state = optimize(moduleOf(Fork().builder), options);
    QVERIFY(!state);
    QCOMPARE(state.error().primary().code, std::string("TT-001"));
    QCOMPARE(state.error().primary().message, std::string("Trying to override non-existing op: relu_9"));
}

void TestTtnnOptimize::overrideReshardsAreInserted() {
    Options options;
    options.memoryLayoutAnalysis = false;
    options.insertMemreconfig.emplace_back("add_3", std::vector<int>{0, 1});
    const OptimizeState state = optimized(Fork().builder, options);
    QCOMPARE(state.functions.front().measures.overridden, std::int64_t{2});
}

void TestTtnnOptimize::operandIndexOutsideIsAnError() {
    Options options;
    options.insertMemreconfig.emplace_back("relu_0", std::vector<int>{1});
    const auto state = optimize(moduleOf(Fork().builder), options);
    QVERIFY(!state);
    QCOMPARE(state.error().primary().code, std::string("TT-013"));
}

void TestTtnnOptimize::sumOfTwoStaysInL1_12_1() {
    FunctionBuilder b;
    const Shape shape{512, 512};
    const ValueId x = b.argument(shape), y = b.argument(shape);
    const ValueId left = b.add("relu", {x}, shape), right = b.add("gelu", {y}, shape);
    b.giveBack(b.add("add", {left, right}, shape));
    for (const Policy policy : {Policy::GreedyBeam, Policy::Global}) {
        const OptimizeState state = optimized(b, with(policy));
        const Measures& m = state.functions.front().measures;
        QCOMPARE(placesOf(state).mid(0, 3), (QStringList{"l1 sharded", "l1 sharded", "l1 sharded"}));
        QCOMPARE(m.reshards(), std::int64_t{0});
        QCOMPARE(m.spills, std::int64_t{1});  // the return
    }
}

void TestTtnnOptimize::residentsAreChosenExactly_12_5() {
    // Five tensors over four positions, against all 32 choices.
    ResidencyProblem problem;
    problem.tensors = {{40, 7, {0, 1}}, {30, 5, {0, 1, 2}}, {50, 9, {1, 2}}, {20, 2, {2, 3}}, {60, 8, {3}}};
    problem.room = {60, 90, 60, 70};
    double least = 1e9;
    for (unsigned bits = 0; bits < 32; ++bits) {
        std::vector<std::int64_t> used(4, 0);
        double loss = 0;
        for (std::size_t t = 0; t < 5; ++t) {
            if (!(bits >> t & 1U)) loss += problem.tensors[t].loss;
            for (const int p : problem.tensors[t].positions)
                used[static_cast<std::size_t>(p)] += bits >> t & 1U ? problem.tensors[t].bytes : 0;
        }
        const bool fits = std::equal(used.begin(), used.end(), problem.room.begin(), std::less_equal<>());
        if (fits) least = std::min(least, loss);
    }
    const ResidencyChoice choice = chooseResidents(problem, 1000);
    QVERIFY(choice.isProved);
    QCOMPARE(choice.loss, least);
}

void TestTtnnOptimize::everyPolicyIsLegal_data() {
    QTest::addColumn<int>("policy");
    for (const PolicyRow& row : policies())
        QTest::newRow(std::string(wordOf(row.policy)).c_str()) << static_cast<int>(row.policy);
}

void TestTtnnOptimize::everyPolicyIsLegal() {
    QFETCH(int, policy);
    Options options = with(static_cast<Policy>(policy));
    for (const double cap : {0.95, 0.1, 0.03}) {
        options.l1UsageCap = cap;
        const OptimizeState state = optimized(Fork().builder, options);
        const Measures& m = state.functions.front().measures;
        QCOMPARE(m.refusedOps, std::int64_t{0});
        QVERIFY(violations(m).empty());
        QVERIFY(m.peakL1 <= m.limit);
    }
}

void TestTtnnOptimize::beyondIsNoWorse() {
    const OptimizeState df = optimized(Fork().builder, with(Policy::DfSharding));
    for (const Policy policy : {Policy::GreedyBeam, Policy::Global}) {
        const OptimizeState state = optimized(Fork().builder, with(policy));
        const Measures &a = state.functions.front().measures, &b = df.functions.front().measures;
        QVERIFY(a.totalNs() <= b.totalNs());
        QVERIFY(a.shardedOps >= b.shardedOps);
    }
}

MEMPLAN_TEST(TestTtnnOptimize)
#include "tst_ttnn_optimize.moc"
