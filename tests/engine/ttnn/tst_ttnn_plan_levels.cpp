// SPDX-License-Identifier: Apache-2.0
// Plans of TTNN at optimization levels 0 and 1, where the module stays as it is or is only made legal
// (ttnn-optimizer 8.1).
#include "engine/verify/ttnn/verify.h"
#include "tests/engine/ttnn/plan_sketch.h"
#include "tests/support/program.h"

#include <QTest>

#include <algorithm>
#include <tuple>

using namespace memplan;
using namespace memplan::ttnn;
using namespace memplan::test;

namespace {

/// A product that needs more than a core has while all of it is in DRAM.
Function tooLargeInDram() {
    FunctionBuilder b;
    b.giveBack(b.add("matmul", {b.argument({544, 2048}), b.argument({2048, 16384})}, {544, 16384}));
    return b.function;
}

/// Eight users with 32 heads of 64 channels are joined, and written into a cache that reads them as it must.
Function decoding() {
    FunctionBuilder b;
    const Shape heads{1, 8, 32, 64};
    const ValueId relu = b.add("relu", {b.argument(heads)}, heads);
    const ValueId joined = b.add("nlp_concat_heads_decode", {relu}, {1, 1, 8, 2048}, {{"num_heads", "32 : ui32"}});
    b.giveBack(b.add("neg", {joined}, {1, 1, 8, 2048}));
    const ValueId byUser = b.argument(heads);
    b.function.value(byUser).type.layout = makeLayout(
        heads, {DataType::BF16, PageLayout::Tile, BufferType::L1, MemLayout::HeightSharded, {8, 1}}, Device{});
    const Shape cache{8, 32, 64, 64};
    b.giveBack(b.add("paged_update_cache", {b.argument(cache), byUser, b.argument({8})}, cache));
    return b.function;
}

class TestTtnnPlanLevels : public QObject {
    Q_OBJECT

private slots:
    /// Without the optimizer a convolution keeps the configuration that the module gives it.
    void givenConfigurationOfAConvolutionCounts() {
        FunctionBuilder b;
        const Shape shape{1, 1, 784, 64};
        const ValueId x = b.argument(shape);
        b.function.value(x).type.layout = makeLayout(
            shape, {DataType::BF16, PageLayout::Tile, BufferType::L1, MemLayout::HeightSharded, {25, 1}}, Device{});
        b.giveBack(addConvolution(b, x));
        verifyFound(compileFunction(b.function, {{"ttnn.optimization_level", "0"}}));
    }

    /// And a product its program: with the derived one it would not fit.
    void givenProgramOfAProductCounts() {
        FunctionBuilder b;
        const std::string program =
            "#ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config<compute_with_storage_grid_size = "
            "#ttnn.core_coord<8, 8>, in0_block_w = 2, out_subblock_h = 1, out_subblock_w = 7, out_block_h = 1, "
            "out_block_w = 63, per_core_m = 1, per_core_n = 63, fuse_batch = true, mcast_in0 = true>";
        const Shape shape{32, 128256};
        const ValueId product = b.add("matmul", {b.argument({32, 2048}), b.argument({2048, 128256})}, shape,
                                      {{"matmul_program_config", program}});
        b.function.value(product).type.layout = makeLayout(
            shape, {DataType::BF16, PageLayout::Tile, BufferType::L1, MemLayout::WidthSharded, {1, 64}}, Device{});
        b.giveBack(product);
        // One like it without a program has its own circular buffers.
        const ValueId small = b.argument({32, 64}), other = b.argument({64, 64});
        b.giveBack(b.add("matmul", {small, other}, {32, 64}));
        b.giveBack(b.add("matmul", {small, other}, {32, 64},
                         {{"matmul_program_config", "#ttnn.matmul_multi_core_reuse_multi_cast_program_config<"
                                                    "in0_block_w = 1, per_core_m = 1, per_core_n = 1>"}}));
        for (const auto& [key, value] :
             {std::pair("ttnn.optimization_level", "0"), {"ttnn.enable_optimizer", "false"}}) {
            const CompileOutcome outcome = compileFunction(b.function, {{key, value}});
            verifyFound(outcome);
            QCOMPARE(ttnnData(*outcome.plan).ops.front().cb, Bytes{2 * 2 * (1 + 63) * 2048});
        }
    }

    /// A result that goes back to DRAM loses the program for shards that the module gave it.
    void programGoesWithItsShards() {
        FunctionBuilder b;
        const ValueId product = b.add("matmul", {b.argument({64, 96}), b.argument({96, 64})}, {64, 64},
                                      {{"matmul_program_config", "#ttnn.matmul_multi_core_reuse_multi_cast_1d_program_"
                                                                 "config<in0_block_w = 1, per_core_m = 2, "
                                                                 "per_core_n = 1, mcast_in0 = true>"}});
        b.giveBack(product);
        const CompileOutcome outcome = compileFunction(b.function, {{"ttnn.optimization_level", "1"}});
        verifyFound(outcome);
        QVERIFY(ttnnData(*outcome.plan).ops.front().attributes.empty());
    }

    /// Operations without a tensor have no name to be given: what is written again has the location that was read.
    void locationOfTheDeviceStays() {
        FunctionBuilder b;
        const ValueId x = b.argument({64, 96});
        Operation device;
        device.name = "ttnn.get_device";
        device.location.text = "unknown";
        b.function.order.push_back(b.function.addOperation(std::move(device)));
        b.giveBack(b.add("relu", {x}, {64, 96}));
        const CompileOutcome outcome = compileFunction(b.function, {{"ttnn.optimization_level", "0"}});
        verifyFound(outcome);
        QCOMPARE(ttnnData(*outcome.plan).ops.front().locationText, std::string("unknown"));
    }

    /// A tensor whose encoding nobody knows counts as one in DRAM, in the plan as in the validator.
    void tensorWithoutALayoutIsSound() {
        FunctionBuilder b;
        const Shape shape{256, 512};
        const ValueId first = b.add("relu", {b.argument(shape)}, shape);
        b.giveBack(b.add("neg", {b.add("gelu", {first}, shape)}, shape));
        b.function.value(first).type.layout.reset();
        for (const char* level : {"1", "2"})
            verifyFound(compileFunction(b.function, {{"ttnn.optimization_level", level}}));
    }

    /// Without the memory layout analysis what does not run in DRAM as it stands is made legal all the same (8.1).
    void levelOneFindsWhatRuns() {
        for (const char* key : {"ttnn.optimization_level", "ttnn.memory_layout_analysis"}) {
            const bool isLevel = std::string_view(key) == "ttnn.optimization_level";
            verifyFound(compileFunction(tooLargeInDram(), {{key, isLevel ? "1" : "false"}}));
        }
    }

    /// With the optimizer off nothing is changed: what does not run is refused, not called a defect of ours.
    void levelZeroRefusesWhatDoesNotRun() {
        const CompileOutcome outcome = compileFunction(tooLargeInDram(), {{"ttnn.optimization_level", "0"}});
        QVERIFY(outcome.failure.has_value());
        QCOMPARE(outcome.failure->error.primary().code, std::string("TT-033"));
        QVERIFY(outcome.failure->error.primary().where.find("matmul") != std::string::npos);
    }

    /// What the module returns from L1 ends in DRAM without the optimizer too, and a result in DRAM has the size of its
    /// shape, whatever its layout states.
    void levelZeroReturnsFromDram() {
        FunctionBuilder b;
        const Shape shape{64, 96};
        const ValueId inner = b.add("abs", {b.argument(shape)}, shape);
        const ValueId outer = b.add("neg", {inner}, shape), last = b.add("relu", {inner}, shape);
        b.function.value(inner).type.layout->shard = {2, 8};
        b.function.value(outer).type.layout = l1Interleaved(shape, *b.function.typeOf(outer).layout, Device{});
        b.giveBack(outer);
        b.giveBack(last);
        verifyFound(compileFunction(b.function, {{"ttnn.optimization_level", "0"}}));
    }

    /// The plan names the policy that ran, and says of each layout what decided it.
    void planNamesWhatRan_data() {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("policy");
        QTest::addColumn<QByteArray>("why");
        const char *byLevel = "first legal configuration with the page layout it had",
                   *asGiven = "as the module has it: the optimizer is off";
        QTest::newRow("all of it") << QByteArray("ttnn.policy") << QByteArray("GreedyBeam") << QByteArray("GreedyBeam")
                                   << QByteArray("chosen by GreedyBeam");
        for (const auto& [key, value, why] : {std::tuple("ttnn.optimization_level", "1", byLevel),
                                              std::tuple("ttnn.memory_layout_analysis", "false", byLevel),
                                              std::tuple("ttnn.optimization_level", "0", asGiven),
                                              std::tuple("ttnn.enable_optimizer", "false", asGiven)})
            QTest::addRow("%s %s", key, value)
                << QByteArray(key) << QByteArray(value) << QByteArray("none") << QByteArray(why);
    }
    void planNamesWhatRan() {
        QFETCH(QByteArray, key);
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, policy);
        QFETCH(QByteArray, why);
        const CompileOutcome outcome = compileFunction(sketch(), {{key.constData(), value.constData()}});
        verifyFound(outcome);
        QCOMPARE(ttnnData(*outcome.plan).policy, policy.toStdString());
        QCOMPARE(outcome.plan->solver, policy.toStdString());
        QCOMPARE(sentence(outcome.plan->decisions.front().why), why.toStdString());
        Plan other = *outcome.plan;
        other.solver = editTargetData<TtnnData>(other.targetData).policy = "Global";
        QVERIFY(std::ranges::any_of(verify::ttnn::checkPlan(other), [](const Diagnostic& d) {
            return d.message.find("says Global, by the settings it is ") != std::string::npos;
        }));
    }

    /// Kernels that decode a position of each user read them from a core each: the operand is converted where the
    /// module has it elsewhere, once.
    void usersAreReadFromACoreEach_data() { addPolicyRows(); }
    void usersAreReadFromACoreEach() {
        QFETCH(QByteArray, policy);
        const auto isByUser = [](const TtnnTensor& t) {
            return t.layout.isL1Sharded() && t.layout.mem == MemLayout::HeightSharded && t.layout.grid == Grid{8, 1};
        };
        for (const char* level : {"0", "1", "2"}) {
            const CompileOutcome outcome =
                compileFunction(decoding(), {{"ttnn.policy", policy.constData()}, {"ttnn.optimization_level", level}});
            verifyFound(outcome);
            const std::vector<TtnnOp>& ops = ttnnData(*outcome.plan).ops;
            const auto joined = std::ranges::find(ops, "ttnn.nlp_concat_heads_decode", &TtnnOp::name);
            const auto updated = std::ranges::find(ops, "ttnn.paged_update_cache", &TtnnOp::name);
            QVERIFY(joined != ops.end() && isByUser(joined->operands[0]));
            QVERIFY(updated != ops.end() && isByUser(updated->operands[1]));
            QVERIFY(!updated->operands[0].layout.isSharded());
            // That of the cache lies so in the module.
            QCOMPARE(std::ranges::count(ops, "ttnn.to_memory_config", &TtnnOp::name), 1);
        }
    }

    /// The validator wants it too, and takes the result that such a kernel gives by itself.
    void usersElsewhereAreRefused() {
        Function function = decoding();
        const auto heads = std::ranges::find(function.operations, "ttnn.nlp_concat_heads_decode", &Operation::name);
        Type& joined = function.value(heads->results.front()).type;
        joined.layout =
            makeLayout(joined.shape,
                       {DataType::BF16, PageLayout::Tile, BufferType::L1, MemLayout::WidthSharded, {1, 32}}, Device{});
        const CompileOutcome outcome = compileFunction(function, {{"ttnn.optimization_level", "0"}});
        verifyFound(outcome);
        QVERIFY(outcome.plan != nullptr);
        for (const char* name : {"ttnn.nlp_concat_heads_decode", "ttnn.paged_update_cache"}) {
            Plan other = *outcome.plan;
            TtnnData& data = editTargetData<TtnnData>(other.targetData);
            TtnnOp& op = *std::ranges::find(data.ops, name, &TtnnOp::name);
            const bool isFirst = op.operands.size() == 1;
            op.operands[isFirst ? 0 : 1].layout.mem = MemLayout::WidthSharded;
            QVERIFY(std::ranges::any_of(verify::ttnn::checkPlan(other), [](const Diagnostic& d) {
                return d.message.find("from L1, height sharded with a core for each user") != std::string::npos;
            }));
        }
    }

    void optimizerOffKeepsTheModule() {
        const CompileOutcome outcome = compileFunction(sketch(), {{"ttnn.optimization_level", "0"}});
        QVERIFY(outcome.plan != nullptr);
        for (const TtnnOp& op : ttnnData(*outcome.plan).ops)
            for (const TtnnTensor& t : op.results)
                QVERIFY(t.layout.isInDram());
    }
};

}  // namespace

MEMPLAN_TEST(TestTtnnPlanLevels)
#include "tst_ttnn_plan_levels.moc"
