// SPDX-License-Identifier: Apache-2.0
// Plans of TTNN as a whole: compiled, checked by the validator, written, read, and damaged in every way that a file can
// be (issue 14; codes.md 7).
#include "engine/io/plan/plan_json.h"
#include "engine/plan/ttnn_data.h"
#include "engine/target/compile.h"
#include "engine/ttnn/compile/target.h"
#include "engine/ttnn/module/source.h"
#include "engine/verify/ttnn/verify.h"
#include "tests/engine/ttnn/function_builder.h"
#include "tests/support/program.h"

#include <QTest>

#include <functional>

using namespace memplan;
using namespace memplan::ttnn;
using test::FunctionBuilder;

namespace {

/// A chain, a fork whose branches meet, a product and a reduction: chains that complete, reservations, spills.
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

/// A product that needs more than a core has while all of it is in DRAM.
Function tooLargeInDram() {
    FunctionBuilder b;
    b.giveBack(b.add("matmul", {b.argument({544, 2048}), b.argument({2048, 16384})}, {544, 16384}));
    return b.function;
}

CompileOutcome compileFunction(const Function& function,
                               const std::vector<std::pair<const char*, const char*>>& values = {},
                               std::vector<Hint> hints = {}) {
    Module module;
    module.functions.push_back(function);
    module.functions.back().name = "main";
    const auto source = std::make_shared<const ModuleSource>(std::move(module));
    Settings settings;
    for (const auto& [key, value] : values)
        if (!settings.set(key, value)) qFatal("no setting %s", key);
    CompileRequest request =
        requestFor(ttnn::target().graphOf(*source, "sketch"), source, {}, std::move(settings), std::move(hints));
    return memplan::compile(request, {});
}

/// There is a plan, and the validator has no objection.
void verifyFound(const CompileOutcome& outcome) {
    const std::string why = outcome.failure ? outcome.failure->error.primary().message : std::string();
    QVERIFY2(outcome.plan != nullptr, why.c_str());
    QVERIFY(verify::ttnn::checkPlan(*outcome.plan).empty());
}

const Plan& sketchPlan() {
    static const PlanPtr kPlan = compileFunction(sketch()).plan;
    return *kPlan;
}

using Damage = std::function<void(Plan& plan, TtnnData& data)>;
struct Case {
    const char* name;
    Damage damage;
};

/// First operation for which `isIt` holds.
TtnnOp& find(TtnnData& data, const std::function<bool(const TtnnOp&)>& isIt) {
    const auto it = std::ranges::find_if(data.ops, isIt);
    if (it == data.ops.end()) qFatal("the sketch has no such operation");
    return *it;
}
TtnnOp& named(TtnnData& data, const char* name) {
    return find(data, [&](const TtnnOp& op) { return op.name == name; });
}
TtnnOp& sharded(TtnnData& data) {
    return find(data, [](const TtnnOp& op) {
        return op.conversion == TtnnConversion::None && !op.results.empty() && op.results.front().layout.isL1Sharded();
    });
}
TtnnOp& spill(TtnnData& data) {
    return find(data, [](const TtnnOp& op) { return op.conversion == TtnnConversion::SpillToDram; });
}
ChainInfo& completed(TtnnData& data) {
    return *std::ranges::find(data.record.chains, ChainState::Completed, &ChainInfo::state);
}

double& figure(Plan& plan, const char* key) {
    const auto it = std::ranges::find(plan.metrics.own, key, &std::pair<std::string, double>::first);
    if (it == plan.metrics.own.end()) qFatal("no figure %s", key);
    return it->second;
}

const std::vector<Case>& cases() {
    static const std::vector<Case> kCases{
        // ---- layouts
        {"shard", [](Plan&, TtnnData& d) { d.ops[0].results[0].layout.shard[0] += 1; }},
        {"grid of a sharded result", [](Plan&, TtnnData& d) { sharded(d).results[0].layout.grid.rows += 1; }},
        {"grid beyond the workers",
         [](Plan&, TtnnData& d) {
             sharded(d).results[0].layout.grid = {9, 9};
         }},
        {"empty grid",
         [](Plan&, TtnnData& d) {
             sharded(d).results[0].layout.grid = {0, 8};
         }},
        {"core ranges gone", [](Plan&, TtnnData& d) { sharded(d).results[0].layout.cores.reset(); }},
        {"core ranges elsewhere",
         [](Plan&, TtnnData& d) { sharded(d).results[0].layout.cores->inside[0].first.x += 1; }},
        {"core ranges of an interleaved tensor",
         [](Plan&, TtnnData& d) { d.ops[0].operands[0].layout.cores.emplace(); }},
        {"memory layout gone", [](Plan&, TtnnData& d) { d.ops[0].results[0].layout.mem.reset(); }},
        {"memory layout changed",
         [](Plan&, TtnnData& d) { sharded(d).results[0].layout.mem = MemLayout::Interleaved; }},
        {"DRAM block sharded", [](Plan&, TtnnData& d) { d.ops[0].operands[0].layout.mem = MemLayout::BlockSharded; }},
        {"page layout", [](Plan&, TtnnData& d) { sharded(d).results[0].layout.page = PageLayout::RowMajor; }},
        {"data type", [](Plan&, TtnnData& d) { sharded(d).results[0].layout.dtype = DataType::F32; }},
        {"buffer type of a result", [](Plan&, TtnnData& d) { sharded(d).results[0].layout.buffer = BufferType::Dram; }},
        {"reader sees another layout",
         [](Plan&, TtnnData& d) {
             d.ops[1].operands[0].layout.grid = {1, 1};
         }},
        {"spill that stays in L1", [](Plan&, TtnnData& d) { spill(d).results[0].layout.buffer = BufferType::L1; }},
        // ---- order and values
        {"read before written",
         [](Plan& p, TtnnData& d) { std::swap(d.ops[0], d.ops[1]), std::swap(p.ops[0], p.ops[1]); }},
        {"operand of another buffer", [](Plan&, TtnnData& d) { d.ops[1].operands[0].buffer = BufferId{0}; }},
        {"result written twice", [](Plan&, TtnnData& d) { d.ops[1].results[0].buffer = d.ops[0].results[0].buffer; }},
        {"operand left out", [](Plan&, TtnnData& d) { named(d, "ttnn.add").operands.pop_back(); }},
        {"input of the operation left out", [](Plan& p, TtnnData&) { p.ops[1].inputs.clear(); }},
        {"output of the operation left out", [](Plan& p, TtnnData&) { p.ops[1].outputs.clear(); }},
        {"an operation less", [](Plan&, TtnnData& d) { d.ops.pop_back(); }},
        {"producer of a buffer", [](Plan& p, TtnnData&) { p.buffers.back().producer = OpId{0}; }},
        // ---- needs
        {"circular buffers", [](Plan&, TtnnData& d) { named(d, "ttnn.matmul").cb += 64; }},
        {"bytes of its tensors", [](Plan&, TtnnData& d) { sharded(d).tensorL1 -= 2048; }},
        {"inputs in L1", [](Plan&, TtnnData& d) { d.ops[1].residentInputs += 16; }},
        {"reserved bytes", [](Plan&, TtnnData& d) { named(d, "ttnn.gelu").reserved += 16; }},
        {"need", [](Plan&, TtnnData& d) { named(d, "ttnn.softmax").need -= 1; }},
        {"status", [](Plan&, TtnnData& d) { d.ops[0].status = "OutOfMemoryError"; }},
        {"not modelled but in L1", [](Plan&, TtnnData& d) { sharded(d).status = "NotImplemented"; }},
        {"program of the product",
         [](Plan&, TtnnData& d) { named(d, "ttnn.matmul").attributes.emplace_back("transpose_a", "true"); }},
        {"reduction dimension", [](Plan&, TtnnData& d) { named(d, "ttnn.softmax").name = "ttnn.rms_norm"; }},
        // ---- time
        {"time", [](Plan&, TtnnData& d) { named(d, "ttnn.matmul").ns *= 0.5; }},
        {"bound by", [](Plan&, TtnnData& d) { named(d, "ttnn.matmul").boundBy = "noc"; }},
        {"DRAM bytes read", [](Plan&, TtnnData& d) { d.ops[0].dramRead += 1; }},
        {"DRAM bytes written", [](Plan&, TtnnData& d) { spill(d).dramWritten = 0; }},
        {"cores of an operation", [](Plan& p, TtnnData&) { p.ops[0].cores += 1; }},
        // ---- buffers and memory
        {"size", [](Plan& p, TtnnData&) { p.buffers[0].size += 32; }},
        {"size of a core", [](Plan& p, TtnnData& d) { p.buffers[sharded(d).results[0].buffer.at()].sizePerCore = 0; }},
        {"space", [](Plan& p, TtnnData& d) { p.buffers[sharded(d).results[0].buffer.at()].space = MemorySpace::Dram; }},
        {"reason gone", [](Plan& p, TtnnData&) { p.buffers[0].reason.reset(); }},
        {"address", [](Plan& p, TtnnData& d) { p.buffers[sharded(d).results[0].buffer.at()].address = 0; }},
        {"life", [](Plan& p, TtnnData& d) { p.buffers[sharded(d).results[0].buffer.at()].life.end += 5; }},
        {"capacity", [](Plan& p, TtnnData&) { p.memory.capacity += 1; }},
        {"cap", [](Plan&, TtnnData& d) { d.l1UsageCap = 1; }},
        {"L1 of the device", [](Plan&, TtnnData& d) { d.device.l1Size -= 16; }},
        {"peak", [](Plan& p, TtnnData&) { p.memory.peak -= 1; }},
        {"occupancy", [](Plan& p, TtnnData&) { p.memory.occupancy[2].bytes += 1; }},
        // ---- chains
        {"chain state", [](Plan&, TtnnData& d) { completed(d).state = ChainState::Resolved; }},
        {"failed without a place", [](Plan&, TtnnData& d) { completed(d).state = ChainState::Failed; }},
        {"chain without operations", [](Plan&, TtnnData& d) { completed(d).ops.clear(); }},
        {"chain of others", [](Plan&, TtnnData& d) { completed(d).ops.push_back(OpId{0}); }},
        {"spill location",
         [](Plan&, TtnnData& d) {
             for (ChainInfo& c : d.record.chains)
                 c.spill = c.spill == SpillLocation::Dram ? SpillLocation::None : SpillLocation::L1Interleaved;
         }},
        {"core usage of a chain", [](Plan&, TtnnData& d) { completed(d).coreUsage += 1; }},
        {"chain of an operation", [](Plan&, TtnnData& d) { d.record.ops[0].chain = 99; }},
        {"reservation of a value elsewhere",
         [](Plan&, TtnnData& d) {
             d.record.reservations.push_back({OpId{0}, {0, 1}, 7, "fork"});
         }},
        // ---- figures
        {"resident bytes", [](Plan&, TtnnData& d) { d.goals.residentBytes += 1; }},
        {"sharded operations", [](Plan&, TtnnData& d) { ++d.goals.shardedOps; }},
        {"spills", [](Plan&, TtnnData& d) { --d.goals.spills; }},
        {"reshards", [](Plan&, TtnnData& d) { ++d.goals.forcedReshards; }},
        {"utilisation", [](Plan&, TtnnData& d) { d.goals.coreUtilisation *= 0.5; }},
        {"validated operations", [](Plan&, TtnnData& d) { --d.goals.validatedOps; }},
        {"estimate", [](Plan&, TtnnData& d) { d.goals.estimatedNs -= 1; }},
        {"bound above the estimate", [](Plan&, TtnnData& d) { d.goals.lowerBoundNs = d.goals.estimatedNs * 2; }},
        {"main memory bytes", [](Plan& p, TtnnData&) { p.metrics.mainMemoryReadBytes += 1; }},
        {"figure of the metrics gone", [](Plan& p, TtnnData&) { p.metrics.own.pop_back(); }},
        {"share of sharded operations", [](Plan& p, TtnnData&) { figure(p, "sharded_share") += 0.01; }},
        {"share that stays in L1", [](Plan& p, TtnnData&) { figure(p, "l1_residency_share") -= 0.01; }},
        {"reshards of the metrics", [](Plan& p, TtnnData&) { figure(p, "reshards") += 1; }},
        {"spills of the metrics", [](Plan& p, TtnnData&) { figure(p, "spills") += 1; }},
        {"mean cores", [](Plan& p, TtnnData&) { figure(p, "mean_cores") += 0.5; }},
        {"DRAM bytes of the metrics", [](Plan& p, TtnnData&) { figure(p, "dram_bytes") -= 1; }},
    };
    return kCases;
}

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

    void everyPolicyIsSound_data() {
        QTest::addColumn<QByteArray>("policy");
        for (const char* policy : {"DFSharding", "GreedyL1Interleaved", "BFInterleaved", "GreedyBeam", "Global"})
            QTest::newRow(policy) << QByteArray(policy);
    }
    void everyPolicyIsSound() {
        QFETCH(QByteArray, policy);
        const CompileOutcome outcome = compileFunction(sketch(), {{"ttnn.policy", policy.constData()}});
        QVERIFY(outcome.plan != nullptr);
        QVERIFY(verify::ttnn::checkPlan(*outcome.plan).empty());
    }

    void everyPolicyIsSoundWithRowMajor_data() { everyPolicyIsSound_data(); }
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
        const CompileOutcome outcome =
            compileFunction(b.function, {{"ttnn.policy", policy.constData()}, {"ttnn.row_major", "true"}});
        const std::string why = outcome.failure ? outcome.failure->error.primary().message : std::string();
        QVERIFY2(outcome.plan != nullptr, why.c_str());
        QVERIFY(verify::ttnn::checkPlan(*outcome.plan).empty());
    }

    void figuresOfTheMachineCount() {
        const auto nsWith = [](std::int64_t launch) {
            Module module;
            module.functions.push_back(sketch());
            module.functions.back().name = "main";
            const auto source = std::make_shared<const ModuleSource>(std::move(module));
            CompileRequest request = requestFor(ttnn::target().graphOf(*source, "sketch"), source, {}, {}, {});
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

    /// An operation without a model wants L1 empty: a merge across it is taken back, and the plan says so.
    void mergeAcrossUnmodelledOperationIsTakenBack() {
        FunctionBuilder b;
        const Shape shape{512, 512};
        const ValueId x = b.argument(shape), y = b.argument(shape), z = b.argument(shape);
        const ValueId odd = b.add("frobnicate", {x, y}, shape);
        const ValueId product = b.add("multiply", {x, z}, shape);
        b.giveBack(b.add("relu", {b.add("add", {odd, product}, shape)}, shape));
        for (const char* policy : {"DFSharding", "GreedyBeam", "Global"}) {
            const CompileOutcome outcome = compileFunction(b.function, {{"ttnn.policy", policy}});
            const std::string why = outcome.failure ? outcome.failure->error.primary().message : std::string();
            QVERIFY2(outcome.plan != nullptr, why.c_str());
            QVERIFY(verify::ttnn::checkPlan(*outcome.plan).empty());
        }
    }

    /// A view has the data type of what it shows; a reservation is as large as the layout that was chosen.
    void overriddenDataTypesAreSound_data() { everyPolicyIsSound_data(); }
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
        TtnnData data = ttnnData(*outcome.plan);
        const Layout layout = named(data, "ttnn.reshape").results[0].layout;
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

    /// Without the optimizer a convolution keeps the configuration that the module gives it.
    void givenConfigurationOfAConvolutionCounts() {
        FunctionBuilder b;
        const Shape shape{1, 1, 784, 64};
        const ValueId x = b.argument(shape);
        b.function.value(x).type.layout = makeLayout(
            shape, {DataType::BF16, PageLayout::Tile, BufferType::L1, MemLayout::HeightSharded, {25, 1}}, Device{});
        b.giveBack(
            b.add("conv2d", {x, b.argument({64, 64, 3, 3})}, shape,
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
                   {"conv2d_config", "#ttnn.conv2d_config<weights_dtype = bf16, deallocate_activation = true>"}}));
        verifyFound(compileFunction(b.function, {{"ttnn.optimization_level", "0"}}));
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

    /// Without the memory layout analysis what does not run in DRAM as it stands is made legal all the same (8.1).
    void levelOneFindsWhatRuns() {
        for (const char* key : {"ttnn.optimization_level", "ttnn.memory_layout_analysis"}) {
            const bool isLevel = std::string_view(key) == "ttnn.optimization_level";
            const CompileOutcome outcome = compileFunction(tooLargeInDram(), {{key, isLevel ? "1" : "false"}});
            const std::string why = outcome.failure ? outcome.failure->error.primary().message : std::string();
            QVERIFY2(outcome.plan != nullptr, why.c_str());
            QVERIFY(verify::ttnn::checkPlan(*outcome.plan).empty());
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
        const CompileOutcome outcome = compileFunction(b.function, {{"ttnn.optimization_level", "0"}});
        const std::string why = outcome.failure ? outcome.failure->error.primary().message : std::string();
        QVERIFY2(outcome.plan != nullptr, why.c_str());
        QVERIFY(verify::ttnn::checkPlan(*outcome.plan).empty());
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
            const CompileOutcome outcome = compileFunction(b.function, {{"ttnn.override_output_layout", layout}});
            const std::string why = outcome.failure ? outcome.failure->error.primary().message : std::string();
            QVERIFY2(outcome.plan != nullptr, why.c_str());
            QVERIFY(verify::ttnn::checkPlan(*outcome.plan).empty());
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

    /// A forced reshard that its operation does not run with is left out.
    void impossibleForcedReshardIsLeftOut() {
        FunctionBuilder b;
        const ValueId product =
            b.add("matmul", {b.argument({2, 12, 4096, 32}), b.argument({32, 100})}, {2, 12, 4096, 100});
        b.function.operation(b.function.value(product).producer).location.name = "matmul_0";
        b.giveBack(product);
        for (const char* policy : {"DFSharding", "GreedyBeam", "Global"}) {
            const CompileOutcome outcome =
                compileFunction(b.function, {{"ttnn.policy", policy}, {"ttnn.insert_memreconfig", "matmul_0=0:1"}});
            const std::string why = outcome.failure ? outcome.failure->error.primary().message : std::string();
            QVERIFY2(outcome.plan != nullptr, why.c_str());
            QVERIFY(verify::ttnn::checkPlan(*outcome.plan).empty());
        }
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

    void damageIsSeen_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < cases().size(); ++i)
            QTest::newRow(cases()[i].name) << static_cast<int>(i);
    }
    void damageIsSeen() {
        QFETCH(int, index);
        Plan plan = sketchPlan();
        TtnnData& data = editTargetData<TtnnData>(plan.targetData);
        cases()[static_cast<std::size_t>(index)].damage(plan, data);
        QVERIFY(!verify::ttnn::checkPlan(plan).empty());
    }

    void optimizerOffKeepsTheModule() {
        const CompileOutcome outcome = compileFunction(sketch(), {{"ttnn.optimization_level", "0"}});
        QVERIFY(outcome.plan != nullptr);
        for (const TtnnOp& op : ttnnData(*outcome.plan).ops)
            for (const TtnnTensor& t : op.results)
                QVERIFY(t.layout.isInDram());
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
