// SPDX-License-Identifier: Apache-2.0
// Plans of TTNN as a whole: compiled, checked by the validator, written and read (issue 14; codes.md 7).
#include "engine/io/plan/plan_json.h"
#include "engine/ttnn/layout/arithmetic.h"
#include "engine/ttnn/measure/addresses.h"
#include "engine/ttnn/model/op_kinds.h"
#include "engine/verify/ttnn/verify.h"
#include "tests/engine/ttnn/advice_modules.h"
#include "tests/engine/ttnn/plan_sketch.h"
#include "tests/support/program.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace memplan;
using namespace memplan::ttnn;
using namespace memplan::test;

namespace {

class TestTtnnPlan : public QObject {
    Q_OBJECT

private slots:
    void sketchCompilesSound() {
        const Plan& plan = sketchPlan();
        const TtnnData& data = ttnnData(plan);
        QVERIFY(verify::ttnn::checkPlan(plan).empty());
        QCOMPARE(data.ops.size(), plan.ops.size());
        QVERIFY(data.goals.shardedOps > 0);
        QVERIFY(data.goals.spills > 0);
        QVERIFY(std::ranges::count(data.record.chains, ChainState::Completed, &ChainInfo::state) > 1);
        QCOMPARE(plan.memory.capacity, Bytes{1423206});
    }

    void everyPolicyIsSound_data() { addPolicyRows(); }
    void everyPolicyIsSound() {
        QFETCH(QByteArray, policy);
        verifyFound(compileFunction(sketch(), {{"ttnn.policy", policy.constData()}}));
    }

    void everyPolicyIsSoundWithRowMajor_data() { addPolicyRows(); }
    /// Row-major layouts take their slots by the width of the shard, in the model as in the validator.
    void everyPolicyIsSoundWithRowMajor() {
        QFETCH(QByteArray, policy);
        FunctionBuilder b;
        const ValueId x = b.argument({1, 1, 3136, 64});
        const std::vector<Attribute> pointwise{{"batch_size", "1 : i32"},        {"in_channels", "64 : i32"},
                                               {"out_channels", "256 : i32"},    {"input_height", "56 : i32"},
                                               {"input_width", "56 : i32"},      {"kernel_size", "array<i32: 1, 1>"},
                                               {"stride", "array<i32: 1, 1>"},   {"padding", "array<i32: 0, 0>"},
                                               {"dilation", "array<i32: 1, 1>"}, {"groups", "1 : i32"}};
        const ValueId neg = b.add("neg", {b.add("relu", {x}, {1, 1, 3136, 64})}, {1, 1, 3136, 64});
        const ValueId wide = b.add("conv2d", {neg, b.argument({256, 64, 1, 1})}, {1, 1, 3136, 256}, pointwise);
        b.giveBack(b.add("relu", {b.add("abs", {wide}, {1, 1, 3136, 256})}, {1, 1, 3136, 256}));
        verifyFound(compileFunction(b.function, {{"ttnn.policy", policy.constData()}, {"ttnn.row_major", "true"}}));
    }

    void everyKindIsSound_data() { addPolicyRows(); }
    /// The model and the validator agree about every kind of operation that the model knows.
    void everyKindIsSound() {
        QFETCH(QByteArray, policy);
        const Shape shape{64, 128};
        for (const std::string_view kind : model::opKindWords()) {
            const model::OpKind& known = *model::opKind(kind);
            if (known.family == model::Family::Conv || known.family == model::Family::Nothing) continue;
            FunctionBuilder b;
            const ValueId x = b.add("relu", {b.argument(shape)}, shape);
            std::vector<ValueId> operands(static_cast<std::size_t>(std::max(known.minOperands, 1)), x);
            if (known.family == model::Family::Creation) operands.clear();
            const bool isSquare = known.family == model::Family::Matmul;
            const std::vector<Attribute> attributes =
                isSquare ? std::vector<Attribute>{{"transpose_b", "true"}} : std::vector<Attribute>{};
            const Shape result = isSquare ? Shape{64, 64} : kind == "concat" ? Shape{64, 128} : shape;
            const ValueId made = b.add(std::string(kind), operands, result, attributes);
            b.giveBack(b.add("neg", {made}, result));
            const CompileOutcome outcome = compileFunction(b.function, {{"ttnn.policy", policy.constData()}});
            const std::string code = outcome.failure ? outcome.failure->error.primary().code : std::string();
            // A kind may run nowhere with these operands; INT-003 says that the validator does not agree.
            QVERIFY2(code.empty() || code == "TT-031", (std::string(kind) + " " + code).c_str());
            if (outcome.plan) QVERIFY2(verify::ttnn::checkPlan(*outcome.plan).empty(), std::string(kind).c_str());
        }
    }

    void everyKindSurvivesWrongShapes_data() { addPolicyRows(); }
    /// Shapes that fit neither each other nor the kind, without elements among them: a plan that the validator agrees
    /// with, or an error of the input.
    void everyKindSurvivesWrongShapes() {
        QFETCH(QByteArray, policy);
        static const std::vector<Shape> kShapes{{64, 128},       {0, 128},      {64, 0},   {1},
                                                {33, 7},         {4096},        {128, 64}, {2, 3, 64, 64},
                                                {1, 1, 784, 64}, {64, 64, 3, 3}};
        std::mt19937 random(7);
        const auto below = [&](std::size_t count) { return static_cast<std::size_t>(random()) % count; };
        int plans = 0;
        QStringList wrong;
        for (const std::string_view kind : model::opKindWords()) {
            if (model::opKind(kind)->family == model::Family::Nothing) continue;  // it has no result
            for (const char* level : {"0", "1", "2"}) {
                FunctionBuilder b;
                std::vector<ValueId> operands(std::max<std::size_t>(below(4), 1));
                for (ValueId& operand : operands) {
                    const Shape& shape = kShapes[below(kShapes.size())];
                    operand = b.add("relu", {b.argument(shape)}, shape);
                }
                const Shape& result = kShapes[below(kShapes.size())];
                b.giveBack(b.add("neg", {b.add(std::string(kind), operands, result)}, result));
                const CompileOutcome outcome = compileFunction(
                    b.function, {{"ttnn.policy", policy.constData()}, {"ttnn.optimization_level", level}});
                const auto findings = outcome.plan ? verify::ttnn::checkFile(*outcome.plan)
                                                   : std::vector<Diagnostic>{outcome.failure->error.primary()};
                plans += outcome.plan ? 1 : 0;
                for (const Diagnostic& d : findings)
                    if (outcome.plan || !d.code.starts_with("TT-"))
                        wrong +=
                            QString::fromStdString(std::string(kind) + " " + d.code + " " + d.where + " " + d.message);
            }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
        QVERIFY2(plans > 100, qPrintable(QString::number(plans)));
    }

    /// What has no elements costs its launch only.
    void emptyTensors() {
        FunctionBuilder b;
        const ValueId x = b.argument({0, 64});
        b.giveBack(b.add("add", {b.add("relu", {x}, {0, 64}), x}, {0, 64}));
        const CompileOutcome outcome = compileFunction(b.function);
        verifyFound(outcome);
        QCOMPARE(ttnnData(*outcome.plan).ops.front().dramRead, Bytes{0});
    }

    /// An argument in L1 that nobody reads takes no room of the plan.
    void unreadArgumentInL1() {
        FunctionBuilder b;
        const Shape shape{64, 128};
        const ValueId read = b.argument(shape), unread = b.argument(shape);
        const LayoutChoice inL1{DataType::BF16, PageLayout::Tile, BufferType::L1, MemLayout::Interleaved, Grid{8, 8}};
        for (const ValueId argument : {read, unread})
            b.function.value(argument).type.layout = makeLayout(shape, inL1, *builtInDevice("wormhole_b0"));
        const ValueId sum = b.add("add", {read, b.argument(shape)}, shape);
        b.giveBack(b.add("exp", {b.add("softmax", {sum}, shape)}, shape));
        verifyFound(compileFunction(b.function));
    }

    /// An argument in L1 that is returned is copied to DRAM as results are, whether an operation reads it or not.
    void returnedArgumentInL1_data() { addPolicyRows(); }
    void returnedArgumentInL1() {
        QFETCH(QByteArray, policy);
        FunctionBuilder b;
        const Shape shape{64, 128};
        const ValueId read = b.argument(shape), unread = b.argument(shape);
        const LayoutChoice inL1{DataType::BF16, PageLayout::Tile, BufferType::L1, MemLayout::BlockSharded, Grid{2, 4}};
        for (const ValueId argument : {read, unread})
            b.function.value(argument).type.layout = makeLayout(shape, inL1, *builtInDevice("wormhole_b0"));
        const ValueId relu = b.add("relu", {read}, shape);
        b.giveBack(b.add("exp", {b.add("softmax", {relu}, shape)}, shape));
        for (const ValueId value : {read, unread, read})
            b.giveBack(value);
        for (const char* level : {"0", "1", "2"}) {
            const CompileOutcome outcome =
                compileFunction(b.function, {{"ttnn.policy", policy.constData()}, {"ttnn.optimization_level", level}});
            verifyFound(outcome);
            if (!outcome.plan) return;
            const Plan& plan = *outcome.plan;
            const auto copies = std::ranges::count_if(plan.ops, [&](const PlanOp& op) {
                return op.name.starts_with("arg") && op.name.ends_with("_spill") &&
                       plan.buffer(op.outputs.front()).role == BufferRole::GraphOutput &&
                       plan.buffer(op.outputs.front()).space == MemorySpace::Dram;
            });
            QCOMPARE(copies, 2);
        }
    }

    /// Arguments that do not fit into L1 together are a matter of the module, not of the planner.
    void argumentsBeyondL1_data() { addPolicyRows(); }
    void argumentsBeyondL1() {
        QFETCH(QByteArray, policy);
        FunctionBuilder b;
        const Shape shape{512, 1024};
        const ValueId first = b.argument(shape), second = b.argument(shape);
        const LayoutChoice onOneCore{DataType::BF16, PageLayout::Tile, BufferType::L1, MemLayout::HeightSharded,
                                     Grid{1, 1}};
        for (const ValueId argument : {first, second})
            b.function.value(argument).type.layout = makeLayout(shape, onOneCore, *builtInDevice("wormhole_b0"));
        b.giveBack(b.add("to_memory_config", {first}, shape));
        b.giveBack(b.add("to_memory_config", {second}, shape));
        const CompileOutcome outcome = compileFunction(b.function, {{"ttnn.policy", policy.constData()}});
        QVERIFY(outcome.failure);
        QCOMPARE(outcome.failure->error.primary().code, std::string("TT-033"));
    }

    /// An argument that is sharded in L1 comes from no beam, and further results count as the first does.
    void shardedArgument_data() { addPolicyRows(); }
    void shardedArgument() {
        QFETCH(QByteArray, policy);
        FunctionBuilder b;
        const ValueId x = b.argument({64, 128});
        const Device& device = *builtInDevice("wormhole_b0");
        b.function.value(x).type.layout =
            makeLayout({{64, 128}},
                       {DataType::BF16, PageLayout::Tile, BufferType::L1, MemLayout::BlockSharded, Grid{2, 4}}, device);
        const ValueId top = b.add("topk", {b.add("relu", {x}, {64, 128})}, {64, 32});
        Operation& op = b.function.operation(b.function.value(top).producer);
        const ValueId indices = b.function.addValue(b.function.typeOf(top));
        op.results.push_back(indices);
        b.function.value(indices).producer = b.function.value(top).producer;
        b.function.value(indices).result = 1;
        b.giveBack(b.add("add", {top, indices}, {64, 32}));
        verifyFound(compileFunction(b.function, {{"ttnn.policy", policy.constData()}}));
    }

    /// A view needs nothing, but what it shows still takes its room.
    void viewTakesItsRoom() {
        FunctionBuilder b;
        const ValueId relu = b.add("relu", {b.argument({64, 256})}, {64, 256});
        const ValueId view = b.add("reshape", {relu}, {1, 64, 256}, {{"shape", "[1 : i32, 64 : i32, 256 : i32]"}});
        b.giveBack(b.add("neg", {view}, {1, 64, 256}));
        const CompileOutcome outcome = compileFunction(b.function, {{"ttnn.policy", "BFInterleaved"}});
        verifyFound(outcome);
        const std::vector<TtnnOp>& ops = ttnnData(*outcome.plan).ops;
        const auto reshape = std::ranges::find(ops, "ttnn.reshape", &TtnnOp::name);
        QVERIFY(reshape->results[0].layout.isInL1() && reshape->need == 0);
        QCOMPARE(outcome.plan->memory.occupancy[static_cast<std::size_t>(reshape - ops.begin())].bytes,
                 reshape->results[0].layout.shardBytes());
    }

    /// A value and a view of it are one storage to an operation that reads both.
    void valueBesideItsViewCountsOnce() {
        FunctionBuilder b;
        const Shape shape{2048, 32}, other{1, 2048, 32};
        const ValueId root = b.add("exp", {b.argument(shape)}, shape);
        const ValueId view = b.add("reshape", {root}, other, {{"shape", "[1 : i32, 2048 : i32, 32 : i32]"}});
        const ValueId back = b.add("reshape", {view}, shape, {{"shape", "[2048 : i32, 32 : i32]"}});
        b.giveBack(b.add("concat", {back, root}, {2048, 64}, {{"dim", "1 : si32"}}));
        verifyFound(compileFunction(b.function, {{"ttnn.policy", "BFInterleaved"}}));
        verifyFound(compileFunction(b.function, {{"ttnn.policy", "DFSharding"}}));
    }

    /// A product that writes one of the layouts beside those that are kept has the program of that layout.
    void programIsThatOfTheLayout_data() { addPolicyRows(); }
    void programIsThatOfTheLayout() {
        QFETCH(QByteArray, policy);
        FunctionBuilder b;
        const Shape shape{256, 32};
        const ValueId product = b.add("matmul", {b.argument({256, 33}), b.argument({33, 32})}, shape);
        const ValueId inner = b.add("neg", {product}, shape);
        b.giveBack(b.add("concat", {b.add("relu", {inner}, shape), product}, {256, 64}, {{"dim", "1 : si32"}}));
        for (const char* most : {"1", "4"})
            verifyFound(
                compileFunction(b.function, {{"ttnn.policy", policy.constData()}, {"ttnn.max_legal_layouts", most}}));
    }

    /// 12.4: first fit from the top, buffers from the bottom; room in pieces is none.
    void ch12_4_roomInPieces() {
        const auto fragmentedWith = [](Bytes lastSize, Bytes buffers) {
            Measures m;
            m.limit = 1000;
            m.residency.tensors = {
                {ValueId{0}, 400, {0, 2}}, {ValueId{1}, 400, {0, 4}}, {ValueId{2}, lastSize, {2, 4}}};
            m.residency.live = {800, 800, 400 + lastSize, 400 + lastSize};
            for (std::size_t at = 0; at < 4; ++at) {
                OpMeasure op;
                op.position = at;
                op.cb = at == 3 ? buffers : 0;
                op.need = m.residency.live[at] + op.cb;
                m.ops.push_back(op);
            }
            return firstFragmented(m, 16);
        };
        // The first lies at 600, the second at 192; the third has the place of the first, or none.
        QVERIFY(!fragmentedWith(400, 192).has_value());
        QCOMPARE(fragmentedWith(512, 0).value().position, std::size_t{2});
        QCOMPARE(fragmentedWith(400, 193).value().position, std::size_t{3});
        QCOMPARE(fragmentedWith(400, 193).value().free, Bytes{192});
    }

    void everyPolicyIsSoundByAddress_data() { addPolicyRows(); }
    void everyPolicyIsSoundByAddress() {
        QFETCH(QByteArray, policy);
        for (const char* cap : {"0.95", "0.2", "0.1"})
            verifyFound(compileFunction(sketch(), {{"ttnn.policy", policy.constData()},
                                                   {"ttnn.address_simulation", "true"},
                                                   {"ttnn.l1_usage_cap", cap}}));
    }

    void figuresOfTheMachineCount() {
        const auto nsWith = [](std::int64_t launch) {
            CompileRequest request = requestOf({sketch()});
            request.machine.target = "ttnn";
            request.machine.name = "measured";
            request.machine.values["launch_ns"] = launch;
            request.machine.values["dram_utilisation_percent"] = 90;
            const CompileOutcome outcome = memplan::compile(request, {});
            if (outcome.plan == nullptr) qFatal("%s", outcome.failure->error.primary().message.c_str());
            if (!verify::ttnn::checkPlan(*outcome.plan).empty()) qFatal("not sound");
            return ttnnData(*outcome.plan).goals.estimatedNs;
        };
        QVERIFY(nsWith(5000) > nsWith(1000));
    }

    /// An operation without a model wants L1 empty: no value is kept across it, and the plan says so.
    void nothingIsKeptAcrossAnUnmodelledOperation() {
        FunctionBuilder b;
        const Shape shape{512, 512};
        const ValueId x = b.argument(shape), y = b.argument(shape), z = b.argument(shape);
        const ValueId product = b.add("multiply", {x, z}, shape);
        const ValueId odd = b.add("frobnicate", {x, y}, shape);
        b.giveBack(b.add("relu", {b.add("add", {odd, product}, shape)}, shape));
        for (const char* policy : {"DFSharding", "GreedyBeam", "Global"})
            verifyFound(compileFunction(b.function, {{"ttnn.policy", policy}}));
        const PlanPtr chains = compileFunction(b.function).plan;
        const std::vector<MergeInfo>& merges = ttnnData(*chains).record.merges;
        QCOMPARE(merges.size(), std::size_t{1});
        QCOMPARE(merges.front().rejectedBy, std::string("range"));
        const PlanPtr taken = compileFunction(b.function, {{"ttnn.policy", "Global"}}).plan;
        QVERIFY(std::ranges::any_of(taken->problems, [](const Diagnostic& d) {
            return d.code == "TT-030" && d.message.find("its result goes to DRAM") != std::string::npos;
        }));
    }

    /// What no configuration can run is the program's fault, not the planner's.
    void programThatRunsNowhereIsRefused() {
        FunctionBuilder b;
        b.giveBack(b.add("matmul", {b.argument({544, 2048}), b.argument({16384, 2048})}, {544, 16384}));
        const CompileOutcome outcome = compileFunction(b.function);
        QVERIFY(outcome.failure.has_value());
        QCOMPARE(outcome.failure->error.primary().code, std::string("TT-031"));
        QVERIFY(outcome.failure->error.primary().message.find("do not multiply") != std::string::npos);
        FunctionBuilder sum;
        sum.giveBack(sum.add("add", {sum.argument({256, 512}), sum.argument({256, 512})}, {256, 492}));
        const CompileOutcome other = compileFunction(sum.function);
        QVERIFY(other.failure.has_value());
        QCOMPARE(other.failure->error.primary().code, std::string("TT-031"));
    }

    void partsOf2_0CanBeLeftOut() {
        const CompileOutcome outcome = compileFunction(sketch(), {{"ttnn.concat_chains", "false"},
                                                                  {"ttnn.reshape_reservations", "false"},
                                                                  {"ttnn.fork_reservations", "false"},
                                                                  {"ttnn.chain_merging", "false"}});
        QVERIFY(outcome.plan != nullptr);
        const TtnnData& data = ttnnData(*outcome.plan);
        QVERIFY(data.record.reservations.empty());
        QVERIFY(data.goals.residentBytes <= ttnnData(sketchPlan()).goals.residentBytes);
    }

    void planFileHoldsEverythingThatIsChecked() {
        const std::string text = io::writePlanJson(sketchPlan());
        const Result<Plan> read = io::readPlanJson(text);
        QVERIFY(read.ok());
        QVERIFY(verify::ttnn::checkPlan(read.value()).empty());
        QCOMPARE(io::writePlanJson(read.value()), text);
        for (const char* key : {"layouts", "chains", "reservations", "merges", "reshards", "schedule"})
            QVERIFY2(text.find('"' + std::string(key) + "\":") != std::string::npos, key);
        QCOMPARE(ttnnData(read.value()).goals, ttnnData(sketchPlan()).goals);
    }

    void equalInputsGiveEqualBytes() {
        const std::string first = io::writePlanJson(*compileFunction(sketch()).plan);
        const std::string second = io::writePlanJson(*compileFunction(sketch()).plan);
        QCOMPARE(second, first);
    }

    void unknownArchitectureIsRefused() {
        const CompileOutcome outcome = compileFunction(sketch(), {{"ttnn.arch", "quasar"}});
        QVERIFY(outcome.failure.has_value());
        QCOMPARE(outcome.failure->error.primary().code, std::string("TT-040"));
    }

    void moreReservedThanThereIsIsRefused() {
        const CompileOutcome outcome =
            compileFunction(sketch(), {{"ttnn.l1_reserved_bytes", "1572864"}, {"ttnn.l1_usage_cap", "0.5"}});
        QVERIFY(outcome.failure.has_value());
        QCOMPARE(outcome.failure->error.primary().code, std::string("TT-003"));
    }
};

}  // namespace

MEMPLAN_TEST(TestTtnnPlan)
#include "tst_ttnn_plan.moc"
