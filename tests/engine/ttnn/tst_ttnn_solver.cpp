// SPDX-License-Identifier: Apache-2.0
// ShardSolver (ttnn-optimizer 5): the worked figure of 5.6, propagation, reshards, overrides; on tables and on the
// model.
#include "engine/ttnn/solver/shard_solver.h"
#include "engine/ttnn/solver/test_configs.h"
#include "tests/engine/ttnn/function_builder.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QTest>

using namespace memplan;
using namespace memplan::ttnn;
using test::FunctionBuilder;
using test::Planned;
using test::q;

namespace {

constexpr auto kHeight = MemLayout::HeightSharded;
constexpr auto kWidth = MemLayout::WidthSharded;
constexpr auto kBlock = MemLayout::BlockSharded;

/// Answers that are given beforehand; `asked` notes the questions.
class Tables final : public ShardChecks {
public:
    ConfigSet entry = ConfigSet::firstOf(ConfigSet::kCapacity);
    std::map<int, std::vector<ConfigPath>> pathsOf;
    std::map<int, ReshardTable> tablesOf;
    QStringList asked;

    ConfigSet entryConfigs() override {
        asked << "entry";
        return entry;
    }
    std::vector<ConfigPath> paths(int edge, const ConfigSet& producers) override {
        asked << QString("paths %1").arg(edge);
        std::vector<ConfigPath> paths;
        for (const ConfigPath& path : pathsOf[edge])
            if (producers.has(path.first)) paths.push_back(path);
        return paths;
    }
    ReshardTable reshards(int edge) override {
        asked << QString("reshards %1").arg(edge);
        return tablesOf[edge];
    }
};

SolverProblem chainOf(std::vector<std::vector<SolverConfig>> configs) {
    SolverProblem problem;
    for (std::size_t i = 0; i < configs.size(); ++i) {
        problem.ops.push_back({OpId::of(i), std::move(configs[i])});
        if (i > 0) problem.edges.push_back({i - 1, i, 0, false});
    }
    return problem;
}

std::vector<int> selectedOf(const SolverResult& result) {
    std::vector<int> selected;
    for (const SolvedOp& op : result.ops)
        selected.push_back(op.selected);
    return selected;
}

const std::vector<ConfigPath> kSame{{0, 0}, {1, 1}, {2, 2}};

}  // namespace

class TestTtnnSolver : public QObject {
    Q_OBJECT
private slots:
    void figure_5_6() {
        const auto configs = [](std::int64_t a, std::int64_t b, std::int64_t c) {
            return std::vector<SolverConfig>{{a, kWidth}, {b, kHeight}, {c, kBlock}};
        };
        SolverProblem problem;
        for (const auto& op : {configs(4, 8, 4), configs(8, 4, 4), configs(4, 4, 1), configs(4, 4, 1), configs(2, 1, 1),
                               configs(2, 1, 1)})
            problem.ops.push_back({OpId::of(problem.ops.size()), op});
        problem.edges = {{0, 1, 0, false}, {1, 2, 0, false}, {1, 3, 0, false},
                         {2, 4, 0, false}, {3, 4, 1, false}, {4, 5, 0, false}};
        Tables tables;
        for (int e = 0; e < 6; ++e)
            tables.pathsOf[e] = kSame;
        const SolverResult result = solveShards(problem, tables);
        QVERIFY(result.isSolved);
        const std::vector<std::vector<double>> acc{{24, 22, 12}, {20, 14, 8}, {6, 5, 2},
                                                   {6, 5, 2},    {4, 2, 2},   {2, 1, 1}};
        for (std::size_t op = 0; op < acc.size(); ++op)
            QCOMPARE(result.ops[op].acc, acc[op]);
        QCOMPARE(selectedOf(result), std::vector<int>(6, 0));
        QCOMPARE(result.cores, std::int64_t{24});
    }

    /// What the last edge does not allow goes back through the chain; edge, round and counters say how.
    void propagatesBack() {
        const SolverProblem problem =
            chainOf({{{64, kHeight}, {32, kWidth}, {16, kBlock}}, {{64, kHeight}, {32, kWidth}}, {{8, kWidth}}});
        Tables tables;
        tables.pathsOf = {{0, {{0, 0}, {1, 1}, {2, 1}}}, {1, {{1, 0}}}};
        const SolverResult result = solveShards(problem, tables);
        QVERIFY(result.isSolved);
        QCOMPARE(selectedOf(result), std::vector<int>({1, 1, 0}));
        QCOMPARE(result.ops[0].clearedEdge, std::vector<std::int32_t>({1, -1, -1}));
        QCOMPARE(result.ops[1].clearedEdge, std::vector<std::int32_t>({2, -1}));
        QCOMPARE(result.ops[1].clearedRound, std::vector<std::int32_t>({0, 0}));
        QCOMPARE(result.ops[0].clearedRound, std::vector<std::int32_t>({1, 0, 0}));
        QCOMPARE(result.edges[1].info.dropped, std::vector<std::int32_t>({1, 0, 0}));
        QCOMPARE(result.edgesChecked, std::int64_t{3});
        QCOMPARE(result.edges[1].info.selected, std::pair(1, 1));
        QVERIFY(result.rounds >= 2 && result.visits[1] >= 1);
    }

    void preference() {
        SolverProblem problem = chainOf({{{64, kHeight}, {32, kWidth}}, {{64, kHeight}, {32, kWidth}}});
        Tables tables;
        tables.pathsOf = {{0, {{0, 0}, {1, 1}}}};
        problem.preferred = kWidth;
        QCOMPARE(selectedOf(solveShards(problem, tables)), std::vector<int>({1, 1}));
        problem.preferred = kBlock;  // there is none: passed over
        QCOMPARE(selectedOf(solveShards(problem, tables)), std::vector<int>({0, 0}));
    }

    void blockShardedLosesTies() {
        Tables tables;
        QCOMPARE(selectedOf(solveShards(chainOf({{{64, kBlock}, {64, kWidth}, {64, kHeight}}}), tables)),
                 std::vector<int>{1});
    }

    /// Ends that meet the paths one by one, and yet not together, fail only in propagation.
    void failures_data() {
        QTest::addColumn<bool>("isEntryOpen");
        QTest::addColumn<std::vector<ConfigPath>>("first");
        QTest::addColumn<std::vector<ConfigPath>>("second");
        QTest::addColumn<QString>("stage");
        QTest::addColumn<int>("edge");
        using Paths = std::vector<ConfigPath>;
        QTest::newRow("entry") << false << kSame << kSame << "entry" << 0;
        QTest::newRow("edge") << true << kSame << Paths{} << "edge" << 2;
        QTest::newRow("edge, first") << true << Paths{} << kSame << "edge" << 1;
    }
    void failures() {
        QFETCH(bool, isEntryOpen);
        QFETCH(std::vector<ConfigPath>, first);
        QFETCH(std::vector<ConfigPath>, second);
        const std::vector<SolverConfig> configs{{8, kHeight}, {8, kWidth}, {8, kBlock}};
        Tables tables;
        if (!isEntryOpen) tables.entry = {};
        tables.pathsOf = {{0, first}, {1, second}};
        const SolverResult result = solveShards(chainOf({configs, configs, configs}), tables);
        QVERIFY(!result.isSolved);
        QTEST(q(result.failedStage), "stage");
        QTEST(result.failedEdge, "edge");
        QCOMPARE(result.trace.back().kind, TraceKind::ChainFailed);
    }

    /// An operation that no edge reaches fails the chain too when it has no configuration.
    void operationWithoutConfigurations() {
        SolverProblem problem = chainOf({{{8, kHeight}}, {}});
        problem.edges.clear();
        Tables tables;
        const SolverResult result = solveShards(problem, tables);
        QVERIFY(!result.isSolved);
        QCOMPARE(q(result.failedStage), QString("entry"));
    }

    /// Two ways from one operation to another that agree with no common configuration.
    void diamondWithoutCommonGround() {
        const std::vector<SolverConfig> two{{8, kHeight}, {8, kWidth}};
        SolverProblem problem;
        for (std::size_t i = 0; i < 4; ++i)
            problem.ops.push_back({OpId::of(i), two});
        problem.edges = {{0, 1, 0, false}, {0, 2, 0, false}, {1, 3, 0, false}, {2, 3, 1, false}};
        Tables tables;
        tables.pathsOf = {{0, {{0, 0}, {1, 1}}}, {1, {{0, 0}, {1, 1}}}, {2, {{0, 0}, {1, 1}}}, {3, {{0, 1}, {1, 0}}}};
        const SolverResult result = solveShards(problem, tables);
        QVERIFY(!result.isSolved);
        QCOMPARE(q(result.failedStage), QString("selection"));
    }

    void reshards() {
        SolverProblem problem = chainOf({{{32, kHeight}, {16, kWidth}}, {{16, kWidth}, {8, kBlock}}});
        Tables tables;
        tables.tablesOf = {{0, {{1, {4, 7}}}}, {kEntryEdge, {{1, {2}}}}};
        const SolverResult result = solveShards(problem, tables);
        QVERIFY(result.isSolved);
        QCOMPARE(tables.asked.join(", "), QString("entry, paths 0, reshards 0"));
        QCOMPARE(selectedOf(result), std::vector<int>({0, 1}));
        QVERIFY(result.edges[1].info.isResharded && !result.edges[0].info.isResharded);
        QCOMPARE(*result.edges[1].candidates(), std::vector<int>({4, 7}));
        QCOMPARE(result.ops[1].clearedEdge, std::vector<std::int32_t>({1, -1}));

        tables.asked.clear();
        problem.forcesEntryReshard = true;
        problem.edges[0].isOverride = true;
        const SolverResult forced = solveShards(problem, tables);
        QVERIFY(forced.isSolved);
        QCOMPARE(tables.asked.join(", "), QString("reshards -1, reshards 0"));
        QCOMPARE(selectedOf(forced), std::vector<int>({1, 1}));
        QCOMPARE(forced.edges[0].info.origin, ReshardOrigin::Forced);
        QCOMPARE(forced.edges[1].info.origin, ReshardOrigin::Override);
    }

    /// Configurations beyond the capacity are never valid.
    void capacity() {
        std::vector<SolverConfig> many(600, SolverConfig{1, kHeight});
        many.back().cores = 64;
        Tables tables;
        const SolverResult result = solveShards(chainOf({many}), tables);
        QVERIFY(result.isSolved);
        QCOMPARE(result.ops[0].selected, 0);
        QCOMPARE(result.ops[0].clearedEdge[512], -2);
    }

    void testConfigsOfKinds() {
        Operation operation;
        const auto config = [](MemLayout mem, std::int32_t rows, std::optional<std::int64_t> block) {
            Layout layout;
            layout.buffer = BufferType::L1;
            layout.mem = mem;
            layout.grid = {rows, 1};
            MatmulAttrs attrs;
            if (block) attrs.program.emplace().in0BlockW = *block;
            return OpConfig{layout, attrs};
        };
        const std::vector<OpConfig> sharded{config(kWidth, 8, 1), config(kHeight, 8, 1), config(kWidth, 4, 1),
                                            config(kHeight, 4, 2)};
        operation.name = "ttnn.matmul";
        const auto open = testConfigs(operation, sharded);
        QCOMPARE(open.size(), std::size_t{3});  // height with two programs, width with one
        QCOMPARE(open[0].config.output->mem, std::optional(kHeight));
        QVERIFY(open[0].config.output->ignorePhysicalLayout);
        QCOMPARE(open[2].consumers, std::vector<int>({0, 2}));
        QCOMPARE(matchingConfig(open[2], sharded, *sharded[2].output), 2);
        QCOMPARE(matchingConfig(open[2], sharded, *sharded[1].output), -1);

        operation.properties = {{"activation", "\"relu\""}};
        const auto asked = testConfigs(operation, sharded);
        QCOMPARE(asked.size(), std::size_t{2});
        QVERIFY(!asked[0].config.output);
        operation.name = "ttnn.d2m_subgraph";
        QCOMPARE(testConfigs(operation, sharded).size(), std::size_t{4});
    }

    /// Example B of 10.4: block sharded on all 64 cores.
    void chainOnTheModel() {
        FunctionBuilder b;
        const ValueId act = b.add("relu", {b.argument({256, 512})}, {256, 512});
        b.giveBack(b.add("gelu", {act}, {256, 512}));
        const Planned p(b.function);
        QVERIFY(p.isPlanned);
        for (std::size_t op = 0; op < 2; ++op) {
            QCOMPARE(p.layout(op).mem, std::optional(kBlock));
            QCOMPARE(p.layout(op).grid.rows * 100 + p.layout(op).grid.cols, 808);
        }
        QCOMPARE(p.solution.spillToDram, std::vector<OpId>{OpId::of(1)});
        QVERIFY(p.solution.reshards.empty());
        QCOMPARE(p.chain(0).coreUsage, std::int64_t{128});
        QCOMPARE(p.chain(0).counters.edgesChecked, std::int64_t{2});
        const OpRecord& record = p.solution.record.ops[1];
        QCOMPARE(record.sharded.size(), record.clearedEdge.size());
        QCOMPARE(record.acc[static_cast<std::size_t>(record.selected)], 64.0);
        QCOMPARE(p.solution.record.edges.size(), std::size_t{2});
        QVERIFY(!p.solution.record.edges[0].producer.isValid());
    }

    /// A product that is asked with memory layout alone gives tiles, also where the first layout of the group has rows.
    void productAmongRowMajorLayouts() {
        FunctionBuilder b;
        const ValueId act = b.add("multiply", {b.argument({1024, 128}), b.argument({1024, 128})}, {1024, 128});
        b.giveBack(b.add("matmul", {act, b.argument({128, 1792})}, {1024, 1792}));
        Options options;
        options.rowMajor = true;
        const Planned p(b.function, options);
        QVERIFY(p.isPlanned);
        QCOMPARE(p.chain(0).state, ChainState::Completed);
        QVERIFY(p.layout(1).isTiled() && p.layout(1).isL1Sharded());
    }

    void overrideOnTheModel() {
        FunctionBuilder b;
        const ValueId act = b.add("relu", {b.argument({256, 512})}, {256, 512});
        b.giveBack(b.add("gelu", {act}, {256, 512}));
        Planned p(b.function);
        p.overrides = {{OpId::of(1), 0, {}, ReshardOrigin::Override}, {OpId::of(0), 0, {}, ReshardOrigin::Override}};
        p.solution = dfSharding({p.function, p.space, p.table, p.model, p.options, p.overrides, {}, 0});
        QCOMPARE(p.solution.reshards.size(), std::size_t{2});
        QCOMPARE(p.solution.reshards[0].consumer, OpId::of(0));
        for (const Reshard& reshard : p.solution.reshards) {
            QCOMPARE(reshard.origin, ReshardOrigin::Override);
            QVERIFY(!reshard.candidates.empty());
        }
        QVERIFY(p.solution.record.edges[0].isResharded && p.solution.record.edges[1].reshard.has_value());
    }

    /// A chain whose operations cannot follow each other names the edge and the model's words.
    void failureOnTheModel() {
        FunctionBuilder b;
        const ValueId act = b.add("relu", {b.argument({256, 512})}, {256, 512});
        b.giveBack(b.add("rotary_embedding", {act, b.argument({1, 7})}, {256, 512}));
        Options options;
        options.l1Reserved = 1423206 - 9000;
        const Planned p(b.function, options);
        QVERIFY(p.isPlanned);
        QCOMPARE(p.chain(0).state, ChainState::Failed);
        QVERIFY(p.chain(0).failure && !p.chain(0).failure->reasons.empty());
        QVERIFY(!p.solution.configs[0] && p.solution.spillToDram.empty());
    }
};

MEMPLAN_TEST(TestTtnnSolver)
#include "tst_ttnn_solver.moc"
