// SPDX-License-Identifier: Apache-2.0
// Policy Global: the cost that follows every step, annealing, exchanges in the order, its promises against DFSharding
// (ttnn-optimizer 12.3, 12.5).
#include "engine/ttnn/beam/eviction.h"
#include "engine/ttnn/global/annealing.h"
#include "engine/ttnn/global/local_search.h"
#include "engine/ttnn/global/moves.h"
#include "engine/ttnn/global/partial_chains.h"
#include "engine/ttnn/global/start.h"
#include "engine/ttnn/global/tuple_search.h"
#include "engine/ttnn/lower/lower.h"
#include "engine/ttnn/optimize/optimize.h"
#include "engine/ttnn/sharding/df_sharding.h"
#include "engine/ttnn/transform/legality.h"
#include "tests/engine/ttnn/function_builder.h"
#include "tests/engine/ttnn/modules.h"
#include "tests/support/program.h"

#include <QTest>

#include <algorithm>

using namespace memplan;
using namespace memplan::ttnn;
using test::FunctionBuilder;

namespace {

/// Blocks of a transformer without its weights: forks, sums of two, products, a softmax and views.
Function blocks(int count) {
    FunctionBuilder b;
    const Shape shape{256, 512};
    ValueId x = b.argument(shape);
    for (int i = 0; i < count; ++i) {
        const ValueId wide = b.add("matmul", {x, b.argument({512, 1024})}, {256, 1024});
        const ValueId gate = b.add("silu", {wide}, {256, 1024});
        const ValueId both = b.add("multiply", {gate, wide}, {256, 1024});
        const ValueId flat = b.add("reshape", {both}, {1, 256, 1024});
        const ValueId back = b.add("reshape", {flat}, {256, 1024});
        const ValueId narrow = b.add("matmul", {back, b.argument({1024, 512})}, shape);
        const ValueId soft = b.add("softmax", {narrow}, shape, {{"dimension", "1 : si32"}});
        x = b.add("add", {b.add("gelu", {soft}, shape), x}, shape);
    }
    b.giveBack(x);
    return b.function;
}

/// A function with everything that a search is given.
struct Fixture {
    OptimizeState state;
    PolicyInput input;
    Evaluator evaluator;
    Candidate start;

    explicit Fixture(Function function, double cap = 0.95)
        : state(stateOf(std::move(function), cap)), input(policyInput(state, state.functions.front())),
          evaluator(input) {
        Solution solution = dfSharding(input);
        makeLegal(input, solution);
        start = candidateOf(evaluator, solution);
    }

    static OptimizeState stateOf(Function function, double cap) {
        Module module;
        function.name = "forward";
        for (const ValueId value : function.returned)
            function.resultTypes.push_back(function.typeOf(value));
        module.functions.push_back(std::move(function));
        Options options;
        options.l1UsageCap = cap;
        OptimizeState state(std::move(module), options, {}, 0);
        if (!stageCheckOptions(state)) qFatal("options");
        stageScalarTypes(state);
        if (!stageSearchSpace(state) || !stageOverrideReshards(state)) qFatal("search space");
        return state;
    }
};

bool isSame(const Evaluation& live, const Evaluation& whole) {
    return live.isLegal == whole.isLegal && live.sharded == whole.sharded && live.reshards == whole.reshards &&
           std::abs(live.ns - whole.ns) <= 1e-6 * whole.ns;
}

}  // namespace

class TestTtnnGlobal : public QObject {
    Q_OBJECT

private slots:
    void costFollowsEveryStep_data() {
        QTest::addColumn<double>("cap");
        QTest::newRow("much room") << 0.95;
        QTest::newRow("little room") << 0.12;
    }
    void costFollowsEveryStep();
    void annealingIsDeterministicAndNeverWorse();
    void orderMakesRoom_12_5();
    void beyondKeepsItsPromise_data() { costFollowsEveryStep_data(); }
    void beyondKeepsItsPromise();
    void beamBeatsDfShardingOnAResidualNetwork();
    void searchStopsWhenAsked();
    void sumOfTwoChainsNeedsNoConversion_12_1();
    void failedChainIsCut_12_2();
    void mergeOfASpilledValue_isRefused();
    void chainThatFailsAtAPosition_hasNoChoice();
};

/// Random steps, kept and taken back, against the cost of the whole.
void TestTtnnGlobal::costFollowsEveryStep() {
    QFETCH(double, cap);
    Fixture f(blocks(3), cap);
    Moves moves(f.evaluator, f.start.assignment);
    AssignmentCost whole(f.evaluator);
    QVERIFY(isSame(moves.evaluation(), whole(moves.now())));
    std::uint32_t random = 7;
    const auto below = [&](std::size_t n) {
        random = random * 1664525u + 1013904223u;
        return (random >> 8) % n;
    };
    const auto isHopeful = [](const AssignmentEditor::Change&) { return true; };
    int kept = 0, refused = 0;
    for (int step = 0; step < 4000; ++step) {
        const std::size_t at = below(moves.now().order.size());
        const OperationId op = moves.now().order[at];
        const auto accept = [&](const Evaluation&) { return below(2) == 0; };
        const auto& operands = f.evaluator.flow().operands(op);
        const std::size_t kind = below(5);
        if (kind == 0) {
            if (at + 1 < moves.now().order.size()) (void)moves.swap(at);
        } else if (kind == 1 && !operands.empty()) {
            const std::size_t k = below(operands.size());
            const LayoutId like = moves.source(op, k);
            if (like < 0) continue;
            const auto targets = f.evaluator.targets(operands[k].value, like);
            const std::size_t chosen = below(targets.size() + 2);
            LayoutId to = f.evaluator.interleavedL1Of(operands[k].value, like);
            if (chosen < targets.size()) to = targets[chosen];
            if (chosen == targets.size() || to == like) to = -1;
            (void)moves.attempt([&](auto& editor) { editor.setEdge(op, k, {below(2) == 0, to}); }, isHopeful, accept);
        } else if (kind == 2) {
            const int from = static_cast<int>(below(moves.now().order.size()));
            (void)moves.attempt([&](auto& editor) { editor.evict(op, from); }, isHopeful, accept);
        } else if (kind == 3) {
            (void)moves.attempt([&](auto& editor) { editor.keep(op); }, isHopeful, accept);
        } else {
            const std::vector<Option> options = f.evaluator.options(op, moves.inputs(op));
            if (options.empty()) continue;
            const Option option = options[below(options.size())];
            (void)moves.attempt([&](auto& editor) { editor.setOption(op, option); }, isHopeful, accept);
        }
        const Evaluation live = moves.evaluation();
        QVERIFY2(isSame(live, whole(moves.now())), qPrintable(QStringLiteral("step %1").arg(step)));
        ++(live.isLegal ? kept : refused);
    }
    QVERIFY(kept > 100 || cap < 0.5);
    QVERIFY(refused > 100);
}

void TestTtnnGlobal::annealingIsDeterministicAndNeverWorse() {
    Fixture f(blocks(2));
    Candidate first = f.start, second = f.start;
    anneal(f.evaluator, first, {f.start.evaluation.sharded, 3000, 5});
    anneal(f.evaluator, second, {f.start.evaluation.sharded, 3000, 5});
    QVERIFY(first.assignment.order == second.assignment.order && first.assignment.ops == second.assignment.ops);
    QVERIFY(first.evaluation.ns < f.start.evaluation.ns);
    QVERIFY(first.evaluation.sharded >= f.start.evaluation.sharded);
    QVERIFY(isSame(first.evaluation, AssignmentCost(f.evaluator)(first.assignment)));
}

/// Four values that are made long before their readers have room only once they are made right before them.
void TestTtnnGlobal::orderMakesRoom_12_5() {
    FunctionBuilder b;
    const Shape shape{1024, 4096};
    std::vector<ValueId> made;
    for (int i = 0; i < 4; ++i)
        made.push_back(b.add("relu", {b.argument(shape)}, shape));
    for (const ValueId value : made)
        b.giveBack(b.add("gelu", {value}, shape));
    Fixture f(b.function, 0.35);
    Candidate fixed{tupleSearch(f.evaluator), {}};
    evictUntilFits(f.evaluator, fixed.assignment);
    fixed.evaluation = AssignmentCost(f.evaluator)(fixed.assignment);
    improve(f.evaluator, fixed, {});
    Candidate moved = fixed;
    improveOrder(f.evaluator, moved, {});
    QVERIFY(moved.evaluation.isLegal);
    QVERIFY(moved.evaluation.ns < fixed.evaluation.ns);
    QVERIFY(moved.assignment.order != fixed.assignment.order);
}

void TestTtnnGlobal::beyondKeepsItsPromise() {
    QFETCH(double, cap);
    Options options;
    options.l1UsageCap = cap;
    std::vector<Measures> measures;
    for (const Policy policy : {Policy::DfSharding, Policy::GreedyBeam, Policy::Global}) {
        Module module;
        module.functions.push_back(blocks(3));
        for (const ValueId value : module.functions.front().returned)
            module.functions.front().resultTypes.push_back(module.functions.front().typeOf(value));
        options.policy = policy;
        const auto state = optimize(std::move(module), options);
        QVERIFY(state.ok());
        measures.push_back(state.value().functions.front().measures);
        QVERIFY(violations(measures.back()).empty());
        QVERIFY(measures.back().totalNs() <= measures.front().totalNs());
        QVERIFY(measures.back().shardedOps >= measures.front().shardedOps);
    }
    QVERIFY(measures[2].totalNs() <= measures[1].totalNs());
}

/// The sweep over what the beam left interleaved reaches the end of a large program.
void TestTtnnGlobal::beamBeatsDfShardingOnAResidualNetwork() {
    NEEDS_MLIR();
    NEEDS_MODELS();
    const auto files = test::modelFiles();
    const auto file = std::ranges::find(files, "resnet_hf", [](const auto& path) { return path.stem(); });
    QVERIFY(file != files.end());
    const Module module = lowerToTtnn(test::read(test::contentOf(*file)).value().module, {}).value().module;
    Options options;
    options.policy = Policy::DfSharding;
    const auto sharding = optimize(Module(module), options);
    options.policy = Policy::GreedyBeam;
    const auto beam = optimize(Module(module), options);
    QVERIFY(sharding.ok() && beam.ok());
    const Measures &a = beam.value().functions.front().measures, &b = sharding.value().functions.front().measures;
    QVERIFY(a.totalNs() < 0.7 * b.totalNs());
    QVERIFY(a.shardedOps >= b.shardedOps);
}

void TestTtnnGlobal::searchStopsWhenAsked() {
    Module module;
    module.functions.push_back(blocks(6));
    module.functions.front().resultTypes.push_back(
        module.functions.front().typeOf(module.functions.front().returned[0]));
    Options options;
    options.policy = Policy::Global;
    RunControl control;
    control.deadline = std::chrono::steady_clock::now();
    const auto state = optimize(std::move(module), options, control);
    QVERIFY(state.ok());
    QVERIFY(violations(state.value().functions.front().measures).empty());
}

void TestTtnnGlobal::sumOfTwoChainsNeedsNoConversion_12_1() {
    FunctionBuilder b;
    const Shape shape{512, 512};
    const ValueId left = b.add("relu", {b.add("neg", {b.argument(shape)}, shape)}, shape);
    const ValueId right = b.add("matmul", {b.argument({512, 256}), b.argument({256, 512})}, shape);
    b.giveBack(b.add("gelu", {b.add("add", {left, right}, shape)}, shape));
    Fixture f(b.function);
    const Assignment a = tupleSearch(f.evaluator);
    const Evaluation cost = AssignmentCost(f.evaluator)(a);
    QVERIFY(cost.isLegal);
    QCOMPARE(cost.sharded, std::int64_t{5});
    for (const OperationId op : a.order)
        for (const EdgeChoice& edge : a.ops[op.at()].edges)
            QVERIFY(!edge.fromCopy && (edge.reshard < 0 || f.evaluator.flow().operands(op)[0].producer.index < 0));
}

/// A value of one element is broadcast in both dimensions, which no sharded layout allows: the seed loses four
/// operations to one dead edge.
void TestTtnnGlobal::failedChainIsCut_12_2() {
    FunctionBuilder b;
    const Shape one{1, 1}, wide{4, 256, 512};
    const ValueId small = b.add("relu", {b.add("neg", {b.argument(one)}, one)}, one);
    b.giveBack(b.add("gelu", {b.add("add", {small, b.argument(wide)}, wide)}, wide));
    Fixture f(b.function);
    const Solution seed = dfSharding(f.input);
    const auto pieces = partialChains(f.input);
    const auto shardedOf = [&](Solution solution) {
        makeLegal(f.input, solution);
        return candidateOf(f.evaluator, solution).evaluation.sharded;
    };
    const auto failed = [](const Solution& solution) {
        return std::ranges::count(solution.record.chains, ChainState::Failed, &ChainInfo::state);
    };
    QVERIFY(failed(seed) > 0);
    QVERIFY(pieces.has_value());
    QVERIFY(shardedOf(*pieces) > shardedOf(seed));
}

/// A solution on a device with less room: a value that has to make room for an operation between its chain and the one
/// that joins it goes to DRAM, and its merge is refused.
void TestTtnnGlobal::mergeOfASpilledValue_isRefused() {
    FunctionBuilder b;
    const Shape shape{64, 4096};
    const ValueId x = b.argument(shape);
    const ValueId left = b.add("relu", {x}, shape);
    const ValueId soft = b.add("softmax", {x}, shape, {{"dimension", "1 : si32"}});
    b.giveBack(b.add("add", {b.add("gelu", {soft}, shape), left}, shape));
    const Fixture wide(b.function);
    const Solution solution = dfSharding(wide.input);
    QCOMPARE(std::ranges::count(solution.record.merges, true, &MergeInfo::isAccepted), 1);
    int refused = 0;
    for (double cap = 0.95; cap > 0.02; cap -= 0.002) {
        OptimizeState narrow = Fixture::stateOf(b.function, cap);
        Solution revised = solution;
        makeLegal(policyInput(narrow, narrow.functions.front()), revised);
        const MergeInfo& merge = revised.record.merges.front();
        const ChainInfo& from = revised.record.chains[static_cast<std::size_t>(merge.sources.front())];
        const bool isSpilled = std::ranges::count(revised.spillToDram, from.ops.back()) > 0;
        QVERIFY2(!(merge.isAccepted && isSpilled), "it takes from L1 what is in DRAM");
        refused += from.state == ChainState::Completed && merge.rejectedBy == "position" ? 1 : 0;
    }
    QVERIFY(refused > 0);
}

/// Chains that fail at a position of theirs have chosen nothing.
void TestTtnnGlobal::chainThatFailsAtAPosition_hasNoChoice() {
    FunctionBuilder b;
    const Shape shape{2048, 2048};
    b.giveBack(b.add("silu", {b.add("gelu", {b.argument(shape)}, shape)}, shape));
    const Fixture wide(b.function);
    const Solution solution = dfSharding(wide.input);
    int failed = 0;
    for (double cap = 0.5; cap > 0.02; cap *= 0.9) {
        OptimizeState narrow = Fixture::stateOf(b.function, cap);
        Solution revised = solution;
        makeLegal(policyInput(narrow, narrow.functions.front()), revised);
        for (const ChainInfo& chain : revised.record.chains) {
            if (!chain.failure || chain.failure->stage != "position") continue;
            ++failed;
            QCOMPARE(chain.coreUsage, std::int64_t{0});
            for (const OperationId op : chain.ops)
                QCOMPARE(revised.record.ops[op.at()].selected, -1);
        }
    }
    QVERIFY(failed > 0);
}

MEMPLAN_TEST(TestTtnnGlobal)
#include "tst_ttnn_global.moc"
