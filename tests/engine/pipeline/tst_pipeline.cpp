// SPDX-License-Identifier: Apache-2.0
// The runner: order, needs, stopping, cancelling, snapshots, hashes, determinism (architecture 5).
#include "engine/graph/generate.h"
#include "engine/io/plan/plan_json.h"
#include "engine/plan/spyre_data.h"
#include "engine/solve/solver_settings.h"
#include "tests/support/compile_support.h"
#include "tests/support/program.h"

#include <QTest>

#include <set>

using namespace memplan;
using namespace memplan::test;

class PipelineTest : public QObject {
    Q_OBJECT

private slots:
    void passes_followThePipelineTable();
    void needs_areProvidedByEarlierPasses();
    void stopAfter_keepsEarlierResults();
    void stopAfter_unknownStepOfScratchpad();
    void cancelled_givesNoPlan();
    void failedAfterPlacing_leavesTheMemory();
    void snapshots_areSharedWhenNothingChanged();
    void snapshots_followTheSetting();
    void sameInput_samePlan();
    void threads_changeNoPlan();
    void inputHash_changesWithInputs();
    void timeLimit_boundsTheWholeCompile_data();
    void timeLimit_boundsTheWholeCompile();
    void deadlines_theEarlierOneCounts();
    void observer_seesEveryPassOnce();
};

void PipelineTest::passes_followThePipelineTable() {
    // pipeline.md 1, rows 1 to 19 that this version has
    const std::vector<std::string> expected = {"lower_to_spyre",
                                               "deadcode_elimination",
                                               "propagate_spyre_tensor_layouts",
                                               "optimize_restickify_locations",
                                               "finalize_layouts",
                                               "insert_restickify",
                                               "insert_bmm_padding",
                                               "dedup_and_promote_constants",
                                               "chunk_large_tensors",
                                               "propagate_named_dims",
                                               "assign_dim_hints",
                                               "coarse_tile",
                                               "coarse_tile.reorder_interlopers",
                                               "coarse_tile.groups",
                                               "coarse_tile.joint_tiling",
                                               "coarse_tile.read_copies",
                                               "coarse_tile.stamp",
                                               "coarse_tile.propagate",
                                               "span_reduction",
                                               "k_fast_division",
                                               "matmul_cost_model",
                                               "work_distribution",
                                               "scratchpad_planning",
                                               "scratchpad_planning.clone_inputs",
                                               "scratchpad_planning.co_optimize",
                                               "scratchpad_planning.free_renaming",
                                               "scratchpad_planning.reorder_ops",
                                               "scratchpad_planning.solver_clones",
                                               "scratchpad_planning.buffers",
                                               "scratchpad_planning.solve",
                                               "scratchpad_planning.evict_reload",
                                               "scratchpad_planning.output_clones",
                                               "scratchpad_planning.ring_transfers",
                                               "scratchpad_planning.elide_read_copies",
                                               "scratchpad_planning.boundaries",
                                               "scratchpad_planning.push",

                                               "memory_planning",
                                               "build_loop_scheduler_nodes",
                                               "spyre_fuse_nodes",
                                               "build_op_specs",
                                               "unroll_loops",
                                               "write_bundle"};
    std::vector<std::string> got;
    for (const PassInfo& info : passList("spyre"))
        got.emplace_back(info.id);
    QCOMPARE(got, expected);
    const PlanPtr plan = planOf(softmax(64, 128, 1));
    QVERIFY(plan);
    std::vector<std::string> ran;
    for (const PassRun& run : plan->passes)
        ran.push_back(run.name);
    QCOMPARE(ran, expected);
}

void PipelineTest::needs_areProvidedByEarlierPasses() {
    std::set<std::string, std::less<>> there = {"graph"};
    for (const PassInfo& info : passList("spyre")) {
        for (const auto need : info.needs) {
            QVERIFY2(there.contains(need), (std::string(info.id) + " needs " + std::string(need)).c_str());
        }
        if (info.parent.empty() && info.id == "scratchpad_planning") continue;
        for (const auto tag : info.provides)
            there.emplace(tag);
    }
}

void PipelineTest::stopAfter_keepsEarlierResults() {
    const CompileOutcome outcome = compileGraph(softmax(512, 1024, 1), {}, "span_reduction");
    QVERIFY(outcome.plan);
    QCOMPARE(outcome.plan->passes.back().name, std::string("span_reduction"));
    QCOMPARE(findOp(*outcome.plan, "sub")->cores, std::int64_t{1});
    QVERIFY(findBuffer(*outcome.plan, "sub")->layout);
}

void PipelineTest::stopAfter_unknownStepOfScratchpad() {
    const CompileOutcome outcome = compileGraph(softmax(512, 1024, 1), {}, "scratchpad_planning");
    QVERIFY(outcome.plan);
    QCOMPARE(outcome.plan->passes.back().name, std::string("scratchpad_planning.push"));
}

void PipelineTest::cancelled_givesNoPlan() {
    CompileRequest request;
    request.graph = std::make_shared<Graph>(softmax(64, 64, 1));
    std::stop_source source;
    source.request_stop();
    RunControl control;
    control.stop = source.get_token();
    const CompileOutcome outcome = compile(request, control);
    QVERIFY(!outcome.plan);
    QCOMPARE(outcome.failure->error.primary().code, std::string(kCancelledCode));
}

void PipelineTest::snapshots_followTheSetting() {
    CompileRequest request;
    request.graph = std::make_shared<const Graph>(softmax(64, 128, 1));
    QVERIFY(request.settings.set("engine.snapshots", "off").ok());
    const CompileOutcome off = compile(request, {});
    QVERIFY(off.plan);
    for (const PassRun& run : off.plan->passes)
        QVERIFY2(!run.snapshot, run.name.c_str());
    QVERIFY(request.settings.set("engine.snapshots", "all").ok());
    const CompileOutcome all = compile(request, {});
    QVERIFY(all.plan);
    for (const PassRun& run : all.plan->passes) {
        const bool isStep = run.ran && run.name != "coarse_tile" && run.name != "scratchpad_planning";
        if (isStep) QCOMPARE(run.snapshot->pass, run.name);
    }
}

/// user-experience 19.4: a pass that failed after placing leaves the places, and says what did not fit.
void PipelineTest::failedAfterPlacing_leavesTheMemory() {
    const CompileOutcome outcome = compileGraph(softmax(66560, 65536, 0), {{"spyre.cores", "32"}});
    QVERIFY(!outcome.plan && outcome.failure);
    const Diagnostic& d = outcome.failure->error.primary();
    QCOMPARE(d.code, std::string("LX-017"));
    QCOMPARE(outcome.failure->pass, std::string("memory_planning"));
    QVERIFY(outcome.failure->memory && d.buffers.size() == 1);
    const Plan& memory = *outcome.failure->memory;
    QCOMPARE(memory.passes.size(), outcome.failure->passes.size());
    const PlanBuffer& blamed = memory.buffer(d.buffers.front());
    QVERIFY(blamed.poolOffset.has_value());
    for (const PlanBuffer& other : memory.buffers)
        QVERIFY2(!other.poolOffset || other.size <= blamed.size, other.name.c_str());
}

void PipelineTest::snapshots_areSharedWhenNothingChanged() {
    const PlanPtr plan = planOf(softmax(64, 128, 1));
    QVERIFY(plan);
    std::shared_ptr<const Snapshot> last;
    int shared = 0;
    for (const PassRun& run : plan->passes) {
        QVERIFY(run.snapshot);
        if (last && !run.changed) {
            QCOMPARE(run.snapshot, last);
            ++shared;
        }
        last = run.snapshot;
    }
    QVERIFY(shared > 3);
    QVERIFY(last->text.find("exp = exp[pointwise](sub) over d0:64 d1:128") != std::string::npos);
}

void PipelineTest::sameInput_samePlan() {
    const PlanPtr a = planOf(softmax(512, 1024, 0));
    const PlanPtr b = planOf(softmax(512, 1024, 0));
    QVERIFY(a && b);
    QCOMPARE(a->planHash, b->planHash);
    QCOMPARE(a->inputHash, b->inputHash);
    QCOMPARE(a->planHash.size(), std::size_t{16});
}

/// Large programs are worked on by several threads (architecture 10.4).
void PipelineTest::threads_changeNoPlan() {
    CompileRequest request;
    request.graph = std::make_shared<Graph>(generateChainModel(6000, 3));
    request.recordTimes = false;
    std::string first;
    for (const char* threads : {"1", "2", "5"}) {
        QVERIFY(request.settings.set("engine.threads", threads).ok());
        const CompileOutcome outcome = compile(request, RunControl{});
        QVERIFY(outcome.plan);
        Plan plan = *outcome.plan;
        QVERIFY(plan.ops.size() > 5000 && spyreData(plan).kernels->size() >= 300);
        // The setting itself is part of the plan file and of both hashes.
        plan.settings = Settings{};
        plan.inputHash.clear();
        plan.planHash.clear();
        const std::string text = io::writePlanJson(plan);
        if (first.empty()) first = text;
        QVERIFY2(text == first, threads);
    }
}

void PipelineTest::timeLimit_boundsTheWholeCompile_data() {
    QTest::addColumn<QString>("preset");
    QTest::newRow("product") << "product";
    QTest::newRow("best") << "best";
}

/// A limit that is over at once: no step searches any more, the plan is that of the heuristics and says so.
void PipelineTest::timeLimit_boundsTheWholeCompile() {
    QFETCH(QString, preset);
    const Graph graph = generateChainModel(400, 3);
    const Pairs searching{{"preset", preset.toStdString()},
                          {"spyre.co_optimize", "true"},
                          {"spyre.reorder_ops", "true"},
                          {"spyre.eviction", "true"},
                          {"spyre.layout_solver", "exact"},
                          {"spyre.solver_clones", "true"},
                          {"engine.time_limit_seconds", "0.000001"}};
    const PlanPtr plan = planOf(graph, searching);
    QVERIFY(plan);
    QVERIFY(plan->metrics.buffersOnChip > 0);
    const Bytes unplaced = traffic(*planOf(graph, {{"spyre.lx_planning", "false"}}));
    QVERIFY(traffic(*plan) < unplaced);
    int notes = 0;
    for (const PassRun& run : plan->passes) {
        const bool searches =
            run.name == "scratchpad_planning.co_optimize" || run.name == "scratchpad_planning.reorder_ops" ||
            run.name == "scratchpad_planning.evict_reload" || run.name == "scratchpad_planning.solver_clones";
        QVERIFY2(!searches || !run.ran, run.name.c_str());
        for (const Diagnostic& d : run.diagnostics)
            notes += d.code == "LX-020" ? 1 : 0;
    }
    QCOMPARE(notes, 1);
    const auto variants = std::count_if(plan->decisions.begin(), plan->decisions.end(),
                                        [](const Decision& d) { return d.kind == DecisionKind::PlanVariant; });
    QCOMPARE(variants, std::ptrdiff_t{preset == "best" ? 1 : 0});
}

void PipelineTest::deadlines_theEarlierOneCounts() {
    const auto now = std::chrono::steady_clock::now();
    RunControl control;
    control.deadline = now;
    Settings settings;
    QVERIFY(settings.set("preset", "best").ok());
    QCOMPARE(solve::withTimeLimit(control, settings).deadline, control.deadline);
    QVERIFY(solve::withTimeLimit(RunControl{}, settings).deadline > now);
    // The preset's limit is one of single solver runs.
    QVERIFY(!solve::withCompileLimit(RunControl{}, settings).deadline);
    QVERIFY(settings.set("engine.time_limit_seconds", "3").ok());
    QVERIFY(solve::withCompileLimit(RunControl{}, settings).deadline > now);
    QVERIFY(!solve::withoutDeadline(control).deadline);
}

void PipelineTest::inputHash_changesWithInputs() {
    CompileRequest request;
    request.graph = std::make_shared<Graph>(softmax(64, 64, 1));
    const std::string base = inputHash(request);
    CompileRequest other = request;
    QVERIFY(other.settings.set("spyre.cores", "4").ok());
    QVERIFY(inputHash(other) != base);
    other = request;
    other.graph = std::make_shared<Graph>(softmax(64, 128, 1));
    QVERIFY(inputHash(other) != base);
    other = request;
    Hint hint;
    hint.key = "pin";
    other.hints.push_back(hint);
    QVERIFY(inputHash(other) != base);
    other.hints.front().enabled = false;
    QCOMPARE(inputHash(other), base);
}

namespace {

class Counter : public PipelineObserver {
public:
    void beforePass(const PassInfo& info) override { before.emplace_back(info.id); }
    void afterPass(const PassRun& run) override { after.push_back(run.name); }
    std::vector<std::string> before, after;
};

}  // namespace

void PipelineTest::observer_seesEveryPassOnce() {
    CompileRequest request;
    request.graph = std::make_shared<Graph>(softmax(64, 64, 1));
    Counter counter;
    const CompileOutcome outcome = compile(request, RunControl{}, &counter);
    QVERIFY(outcome.plan);
    QCOMPARE(counter.before, counter.after);
    const std::set<std::string> distinct(counter.before.begin(), counter.before.end());
    QCOMPARE(distinct.size(), counter.before.size());
    QVERIFY(distinct.contains("work_distribution"));
}

MEMPLAN_TEST(PipelineTest)
#include "tst_pipeline.moc"
