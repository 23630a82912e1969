// SPDX-License-Identifier: Apache-2.0
// Step 16.2: Strategy B on the specification's example, sample S3, guards and trace (spyre-scratchpad 11, 17.5).
#include "engine/graph/builder.h"
#include "engine/io/graph/graph_json.h"
#include "engine/io/plan/plan_json.h"
#include "engine/plan/spyre_data.h"
#include "engine/spyre/compile/pipeline.h"
#include "engine/spyre/compile/plan_builder.h"
#include "engine/spyre/cost/model_settings.h"
#include "engine/spyre/scratchpad/rings/ring_transfers.h"
#include "engine/spyre/scratchpad/search/co_optimize.h"
#include "engine/spyre/state.h"
#include "engine/target/verify.h"
#include "tests/support/compile_support.h"
#include "tests/support/hint_support.h"
#include "tests/support/program.h"

#include <QTest>

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace memplan;
using namespace memplan::test;

class CoOptimizeTest : public QObject {
    Q_OBJECT

private slots:
    void workedExample_flipRemovesTheMismatch();
    void score_fallsByExactlyTheBufferThatIsPinned();
    void allEqual_keepsTheCommittedSplits();
    void options_stopAtTheCap();
    void tooManyLeaves_saysSoAndDescends();
    void sampleS3_mismatchIsFixed_data();
    void sampleS3_mismatchIsFixed();
    void splitHint_isNotOverruled();
    void trace_survivesThePlanFile();
    void never_worseThanWithout_data();
    void never_worseThanWithout();
    void ring_keepsASourceOnChip();
    void ring_gatherIntoPointwise_isRefused();
    void ring_brokenShuffle_isFoundByTheValidator();
    void estimate_standsInEveryPlan();
};

namespace {

Graph sampleS3() {
    std::ifstream file(MEMPLAN_SOURCE_DIR "/samples/split-mismatch/graph.json");
    std::stringstream text;
    text << file.rdbuf();
    auto read = io::readGraphJson(text.str(), {}, {});
    return read ? std::move(read).value().graph : Graph{};
}

/// State after work distribution, as co-optimisation finds it.
struct Divided {
    Settings settings;
    SpyreMachine machine;
    RunControl control;
    spyre::State state;

    explicit Divided(const Graph& graph, const Pairs& pairs) : settings(Settings::fromPairs(pairs).value()) {
        state.graph = std::make_shared<Graph>(graph);
        for (const spyre::Pass& pass : spyre::pipeline()) {
            if (pass.run == nullptr) continue;
            if (pass.info.id.starts_with("scratchpad_planning")) break;
            const bool on = pass.info.switchKey.empty() || settings.boolean(pass.info.switchKey);
            spyre::PassContext context(pass.info.id, settings, machine, {}, control);
            if (on && !pass.run(state, context).ok()) qFatal("pass failed");
        }
    }

    spyre::Splits& splits(const std::string& op) {
        for (std::size_t i = 0; i < state.program.ops.size(); ++i) {
            if (state.program.ops[i].name == op) return state.program.divisions[i].splits;
        }
        qFatal("no such op");
    }

    CoOptimization search(std::vector<Diagnostic>* said = nullptr) {
        spyre::PassContext context("scratchpad_planning.co_optimize", settings, machine, {}, control);
        auto outcome = spyre::coOptimize(state, context);
        if (!outcome) qFatal("search failed");
        if (said != nullptr) *said = context.diagnostics;
        return *state.scratchpad.coOptimization;
    }
};

/// x > exp > b0 > neg > out, 512 x 1024 fp16.
Graph twoSteps() {
    GraphBuilder b("two-steps");
    const TensorId x = b.input("x", {512, 1024});
    const TensorId b0 = b.pointwise("b0", "exp", {x});
    b.output(b.pointwise("out", "neg", {b0}));
    return b.build();
}

const Pairs kFourCores{{"spyre.cores", "4"}, {"spyre.co_optimize", "true"}};

}  // namespace

void CoOptimizeTest::workedExample_flipRemovesTheMismatch() {
    Divided d(twoSteps(), kFourCores);
    QCOMPARE(d.splits("b0"), (spyre::Splits{4, 1}));
    d.splits("out") = {1, 4};
    const CoOptimization trace = d.search();
    QCOMPARE(trace.method, std::string("exhaustive"));
    QCOMPARE(trace.combinations, std::int64_t{4});
    QCOMPARE(trace.evaluated, std::int64_t{4});
    QCOMPARE(trace.committedScore, Bytes{2'097'152});
    QCOMPARE(trace.winnerScore, Bytes{1'048'576});
    QCOMPARE(trace.committedTraffic, Bytes{4'194'304});
    QCOMPARE(trace.winnerTraffic, Bytes{2'097'152});
    // The leaf (rows, rows) comes before (columns, columns), which is equal and so not kept.
    QCOMPARE(trace.kept.size(), std::size_t{1});
    QCOMPARE(trace.changes.size(), std::size_t{1});
    QCOMPARE(trace.changes[0].op, std::string("out"));
    QCOMPARE(trace.changes[0].from, std::string("sd1/4"));
    QCOMPARE(trace.changes[0].to, std::string("sd0/4"));
    QCOMPARE(trace.kept[0].notPinned, (std::vector<std::string>{"out"}));
    QCOMPARE(d.splits("out"), (spyre::Splits{4, 1}));
}

void CoOptimizeTest::score_fallsByExactlyTheBufferThatIsPinned() {
    Divided d(twoSteps(), kFourCores);
    d.splits("out") = {1, 4};
    const CoOptimization trace = d.search();
    QCOMPARE(trace.committedScore - trace.winnerScore, Bytes{1'048'576});
    QVERIFY(trace.committedTraffic - trace.winnerTraffic >= 2 * Bytes{1'048'576});
}

void CoOptimizeTest::allEqual_keepsTheCommittedSplits() {
    Divided d(twoSteps(), kFourCores);
    const CoOptimization trace = d.search();
    QVERIFY(trace.kept.empty());
    QVERIFY(trace.changes.empty());
    QCOMPARE(trace.winnerScore, trace.committedScore);
}

void CoOptimizeTest::options_stopAtTheCap() {
    GraphBuilder b("many-axes");
    const TensorId x = b.input("x", {4, 4, 4, 4, 4, 256});
    b.output(b.pointwise("y", "exp", {b.pointwise("z", "neg", {x})}));
    const auto labels = [&](const char* cap) {
        Pairs pairs = kFourCores;
        pairs.emplace_back("spyre.co_optimize_variants", cap);
        return Divided(b.build(), pairs).search().options.front().labels.size();
    };
    QCOMPARE(labels("6"), std::size_t{6});
    QCOMPARE(labels("3"), std::size_t{3});
}

void CoOptimizeTest::tooManyLeaves_saysSoAndDescends() {
    Pairs pairs = kFourCores;
    pairs.emplace_back("spyre.co_optimize_leaves", "3");
    Divided d(twoSteps(), pairs);
    d.splits("out") = {1, 4};
    std::vector<Diagnostic> said;
    const CoOptimization trace = d.search(&said);
    QCOMPARE(said.size(), std::size_t{1});
    QCOMPARE(said[0].code, std::string("LX-022"));
    QVERIFY(said[0].message.find("4 combinations") != std::string::npos);
    QCOMPARE(trace.method, std::string("coordinate_descent"));
    QCOMPARE(trace.winnerScore, Bytes{1'048'576});
}

void CoOptimizeTest::sampleS3_mismatchIsFixed_data() {
    QTest::addColumn<QString>("solver");
    for (const char* solver : {"greedy", "firstfit", "bestfit", "annealing", "exact"})
        QTest::newRow(solver) << QString(solver);
}

void CoOptimizeTest::sampleS3_mismatchIsFixed() {
    QFETCH(QString, solver);
    const Pairs base{{"spyre.cores", "8"}, {"spyre.layout_solver", solver.toStdString()}};
    Pairs on = base;
    on.emplace_back("spyre.co_optimize", "true");
    const PlanPtr before = planOf(sampleS3(), base);
    const PlanPtr after = planOf(sampleS3(), on);
    QVERIFY(before && after);
    QCOMPARE(reasonName(*before, "exp"), std::string("core_div_mismatch"));
    QCOMPARE(after->metrics.mismatches, 0);
    for (const char* name : {"max", "sub", "exp", "sum"})
        QCOMPARE(reasonName(*after, name), std::string());
    // Input once, output once: nothing less is possible.
    QCOMPARE(traffic(*after), Bytes{2'097'152});
    QVERIFY(traffic(*after) < traffic(*before));
    QVERIFY(spyreData(*after).coOptimization && !spyreData(*after).coOptimization->changes.empty());
}

void CoOptimizeTest::splitHint_isNotOverruled() {
    Hint hint;
    hint.target = "spyre";
    hint.scopes = {"op:exp"};
    hint.key = "split";
    hint.value = test::hintValue(R"({"d0": 8})");
    CompileRequest request;
    request.graph = std::make_shared<Graph>(sampleS3());
    const Pairs pairs{{"spyre.cores", "8"}, {"spyre.co_optimize", "true"}};
    request.settings = Settings::fromPairs(pairs).value();
    request.hints = {hint};
    const CompileOutcome outcome = compile(request, {});
    QVERIFY(outcome.plan);
    const PlanOp* exp = findOp(*outcome.plan, "exp");
    QVERIFY(exp != nullptr);
    QCOMPARE(exp->iterationSpace[0].slices, std::int64_t{8});
}

void CoOptimizeTest::trace_survivesThePlanFile() {
    const PlanPtr plan = planOf(sampleS3(), {{"spyre.cores", "8"}, {"spyre.co_optimize", "true"}});
    QVERIFY(plan && spyreData(*plan).coOptimization);
    const std::string text = io::writePlanJson(*plan);
    const auto again = io::readPlanJson(text);
    QVERIFY(again.ok());
    QVERIFY(spyreData(again.value()).coOptimization == spyreData(*plan).coOptimization);
    QVERIFY(spyreData(again.value()).costEstimate == spyreData(*plan).costEstimate);
    QCOMPARE(io::writePlanJson(again.value()), text);
}

void CoOptimizeTest::never_worseThanWithout_data() {
    QTest::addColumn<QString>("cores");
    QTest::addColumn<QString>("solver");
    for (const char* cores : {"1", "4", "32"}) {
        for (const char* solver : {"greedy", "bestfit", "exact"})
            QTest::addRow("%s cores, %s", cores, solver) << QString(cores) << QString(solver);
    }
}

void CoOptimizeTest::never_worseThanWithout() {
    QFETCH(QString, cores);
    QFETCH(QString, solver);
    for (const int axis : {0, 1}) {
        const Pairs base{{"spyre.cores", cores.toStdString()}, {"spyre.layout_solver", solver.toStdString()}};
        Pairs on = base;
        on.emplace_back("spyre.co_optimize", "true");
        for (const auto& [rows, columns] : {std::pair(512, 1024), std::pair(1024, 2048), std::pair(96, 192)}) {
            const PlanPtr without = planOf(softmax(rows, columns, axis), base);
            const PlanPtr with = planOf(softmax(rows, columns, axis), on);
            QVERIFY(without && with);
            QVERIFY(traffic(*with) <= traffic(*without));
        }
    }
}

namespace {

/// Runs the steps of scratchpad planning on the divisions as they are and freezes a plan.
std::shared_ptr<Plan> frozen(Divided& d) {
    CompileRequest request;
    request.target = "spyre";
    request.graph = d.state.graph;
    request.settings = d.settings;
    for (const spyre::Pass& pass : spyre::pipeline()) {
        const PassInfo& info = pass.info;
        if (info.parent != "scratchpad_planning") continue;
        if (info.id == "scratchpad_planning.co_optimize") continue;
        if (!info.switchKey.empty() && !d.settings.boolean(info.switchKey)) continue;
        spyre::PassContext context(info.id, d.settings, d.machine, {}, d.control);
        if (!pass.run(d.state, context).ok()) qFatal("pass failed");
    }
    RunFacts facts;
    facts.provided.insert("splits");
    return spyre::buildSpyrePlan(
        {request, d.machine, spyre::cost::builtInCalibration(d.settings), d.state, std::move(facts)});
}

const Pairs kRing{{"spyre.cores", "8"}, {"spyre.ring_transfers", "true"}};

}  // namespace

void CoOptimizeTest::ring_keepsASourceOnChip() {
    Divided d(twoSteps(), kRing);
    QCOMPARE(d.splits("b0"), (spyre::Splits{8, 1}));
    d.splits("out") = {2, 4};
    const auto rules = spyre::BufferRules::from(d.settings, d.machine);
    const spyre::RingPlan ring = spyre::planRing(d.state.program, rules, d.state.program.ops[0].write.buffer);
    QVERIFY(ring.refusal.isEmpty());
    QCOMPARE(ring.transfers.size(), std::size_t{1});
    QCOMPARE(ring.transfers[0].kind, std::string("permutation"));
    QCOMPARE(ring.transfers[0].fanIn, std::int64_t{4});
    const auto plan = frozen(d);
    QCOMPARE(fileFault(*plan), std::string());
    const std::string copy = "__spyre_lx_relayout__:copy:b0:g0";
    QCOMPARE(reasonName(*plan, "b0"), std::string());
    QCOMPARE(reasonName(*plan, copy), std::string());
    QCOMPARE(traffic(*plan), Bytes{2'097'152});
    const PlanOp* shuffle = findOp(*plan, copy);
    QVERIFY(shuffle != nullptr);
    QCOMPARE(shuffle->kind, std::string("relayout"));
    QCOMPARE(shuffle->cores, std::int64_t{8});
    // Source and copy are live together and do not share a byte.
    const PlanBuffer* from = findBuffer(*plan, "b0");
    const PlanBuffer* to = findBuffer(*plan, copy);
    QVERIFY(*from->address + from->sizePerCore <= *to->address || *to->address + to->sizePerCore <= *from->address);
    QVERIFY(spyreData(*plan).costEstimate->kernels.size() == 1);
    const auto& terms = spyreData(*plan).costEstimate->kernels.front().termsNs;
    QVERIFY(std::any_of(terms.begin(), terms.end(), [](const auto& t) { return t.first == "relayouts"; }));
}

void CoOptimizeTest::ring_gatherIntoPointwise_isRefused() {
    // max leaves one slice on each core; sub reads the whole vector on every core.
    const Pairs pairs{{"spyre.cores", "8"}, {"spyre.ring_transfers", "true"}};
    Divided d(softmax(512, 1024, 0), pairs);
    const auto plan = frozen(d);
    QCOMPARE(fileFault(*plan), std::string());
    QCOMPARE(reasonName(*plan, "max"), std::string("core_div_mismatch"));
    QVERIFY(std::none_of(plan->ops.begin(), plan->ops.end(), [](const PlanOp& o) { return o.kind == "relayout"; }));
}

void CoOptimizeTest::ring_brokenShuffle_isFoundByTheValidator() {
    Divided d(twoSteps(), kRing);
    d.splits("out") = {2, 4};
    const auto plan = frozen(d);
    for (PlanOp& op : plan->ops) {
        if (op.name != "b0") continue;
        for (PlanAccess& a : op.accesses) {
            if (a.isWrite) a.sliceDims[0].second = 4;
        }
    }
    const auto found = verifyPlan(*plan);
    QVERIFY(std::any_of(found.begin(), found.end(), [](const Diagnostic& f) {
        return f.code == "VER-008" && f.where.find("relayout") != std::string::npos;
    }));
}

void CoOptimizeTest::estimate_standsInEveryPlan() {
    const PlanPtr on = planOf(softmax(512, 1024, 1), {{"spyre.cores", "32"}});
    const PlanPtr off = planOf(softmax(512, 1024, 1), {{"spyre.cores", "32"}, {"spyre.lx_planning", "false"}});
    QVERIFY(on && off && spyreData(*on).costEstimate && spyreData(*off).costEstimate);
    QCOMPARE(spyreData(*on).costEstimate->edition, std::string("B"));
    QCOMPARE(*on->metrics.estimatedMicroseconds, spyreData(*on).costEstimate->totalMicroseconds);
    QVERIFY(*on->metrics.estimatedMicroseconds < *off->metrics.estimatedMicroseconds);
    for (const CostEstimate::Kernel& k : spyreData(*on).costEstimate->kernels)
        QVERIFY(k.statedErrorPercent.has_value() && !k.category.empty());
    std::shared_ptr<Plan> wrong = std::make_shared<Plan>(*on);
    editSpyreData(*wrong).costEstimate->kernels[0].shares[0].microseconds += 1;
    QVERIFY(!verifyPlan(*wrong).empty());
}

MEMPLAN_TEST(CoOptimizeTest)
#include "tst_co_optimize.moc"
