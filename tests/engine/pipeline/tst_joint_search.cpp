// SPDX-License-Identifier: Apache-2.0
// The search over rich menus: elimination against enumeration, hints in trials, the calibration file, the preset
// `best` (spyre-cost-and-co-optimisation 9 - 15, settings.md 1).
#include "engine/base/random.h"
#include "engine/graph/builder.h"
#include "engine/io/plan/plan_json.h"
#include "engine/plan/spyre_data.h"
#include "engine/plan/wordings.h"
#include "engine/spyre/joint/elimination.h"
#include "engine/target/statistics_text.h"
#include "engine/target/target.h"
#include "engine/target/verify.h"
#include "tests/support/compile_support.h"
#include "tests/support/hint_support.h"
#include "tests/support/program.h"
#include "tests/support/tiling_support.h"

#include <QFile>
#include <QIODevice>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace memplan;
using namespace memplan::test;
using namespace memplan::spyre::joint;

class JointSearchTest : public QObject {
    Q_OBJECT

private slots:
    void elimination_equalsEnumeration();
    void elimination_withSmallTables_isNeverWorseThanItsStart();
    void elimination_stopsWhenCancelled();
    void gainsOfBest_chain();
    void traffic_isTheObjectiveOfBest_andTheBoundHolds();
    void mlp_keepsItsHiddenLayerOnChip();
    void offChipHint_isSeenByTheSearch();
    void pin_isWorthMoreThanTraffic_data();
    void pin_isWorthMoreThanTraffic();
    void calibration_pricesThePlan();
    void calibration_edition_isSwitchable();
    void calibration_badFile_isOneError_data();
    void calibration_badFile_isOneError();
    void best_neverMovesMoreThanTheProduct_data();
    void best_neverMovesMoreThanTheProduct();
    void best_saysWhatEachVariantWasWorth();
    void best_isReproducible();
    void tiling_bringsWhatIsTooLargeOnChip();
    void tiling_leavesWhatFitsAlone();
    void tiling_userLoopsAreNotTouched();
};

namespace {

EliminationProblem randomProblem(Random& random, int variables) {
    EliminationProblem p;
    for (int v = 0; v < variables; ++v) {
        std::vector<std::int64_t>& unary = p.unary.emplace_back();
        for (std::uint64_t i = 0; i < 2 + random.below(3); ++i)
            unary.push_back(static_cast<std::int64_t>(random.below(50)));
    }
    for (int a = 0; a < variables; ++a) {
        for (int b = 0; b < variables; ++b) {
            if (a == b || random.below(3) != 0) continue;
            PairCost pair{a, b, {}};
            const auto entries =
                p.unary[static_cast<std::size_t>(a)].size() * p.unary[static_cast<std::size_t>(b)].size();
            for (std::size_t i = 0; i < entries; ++i)
                pair.table.push_back(random.below(6) == 0 ? kImpossible : static_cast<std::int64_t>(random.below(50)));
            p.pairs.push_back(std::move(pair));
        }
    }
    return p;
}

std::int64_t leastByEnumeration(const EliminationProblem& p) {
    std::vector<int> values(p.unary.size(), 0);
    std::int64_t least = costOf(p, values);
    for (bool more = true; more;) {
        more = false;
        for (std::size_t v = values.size(); v-- > 0;) {
            if (++values[v] < static_cast<int>(p.unary[v].size())) {
                more = true;
                break;
            }
            values[v] = 0;
        }
        least = std::min(least, costOf(p, values));
    }
    return least;
}

/// x [512, 1024] > linear to 4096 > relu > linear to 1024 (spyre-cost-and-co-optimisation 20.2).
Graph mlp() {
    GraphBuilder b("mlp");
    const TensorId x = b.input("x", {512, 1024});
    const TensorId h = b.matmul("h", x, b.parameter("w1", {1024, 4096}));
    const TensorId g = b.pointwise("g", "relu", {h});
    b.output(b.matmul("y", g, b.parameter("w2", {4096, 1024})));
    return b.build();
}

std::int64_t countOf(const Plan& plan, const std::string& pass, const std::string& key) {
    for (const PassRun& run : plan.passes) {
        if (run.name == pass && run.counts.contains(key)) return run.counts.at(key);
    }
    return -1;
}

constexpr const char* kCoOptimize = "scratchpad_planning.co_optimize";
const Pairs kTraffic{
    {"spyre.co_optimize", "true"}, {"spyre.layout_solver", "annealing"}, {"spyre.co_optimize_objective", "traffic"}};

}  // namespace

void JointSearchTest::elimination_equalsEnumeration() {
    Random random(7);
    for (int i = 0; i < 200; ++i) {
        const EliminationProblem p = randomProblem(random, 2 + static_cast<int>(random.below(5)));
        const auto found = eliminate(p, std::vector<int>(p.unary.size(), 0), {}, {});
        QVERIFY(found.ok());
        QVERIFY(found.value().exact);
        QCOMPARE(found.value().cost, leastByEnumeration(p));
        QCOMPARE(costOf(p, found.value().values), found.value().cost);
    }
}

void JointSearchTest::elimination_withSmallTables_isNeverWorseThanItsStart() {
    Random random(11);
    EliminationLimits limits;
    limits.entries = 16;
    int held = 0;
    for (int i = 0; i < 100; ++i) {
        const EliminationProblem p = randomProblem(random, 6);
        const std::vector<int> start(p.unary.size(), 1);
        const auto found = eliminate(p, start, limits, {});
        QVERIFY(found.ok());
        QVERIFY(found.value().cost <= costOf(p, start));
        QVERIFY(found.value().cost >= leastByEnumeration(p));
        QCOMPARE(costOf(p, found.value().values), found.value().cost);
        held += found.value().exact ? 0 : 1;
    }
    QVERIFY(held > 0);
}

void JointSearchTest::elimination_stopsWhenCancelled() {
    std::stop_source source;
    source.request_stop();
    RunControl control;
    control.stop = source.get_token();
    Random random(3);
    const EliminationProblem p = randomProblem(random, 4);
    const auto found = eliminate(p, {0, 0, 0, 0}, {}, control);
    QVERIFY(!found.ok());
    QCOMPARE(found.error().primary().code, std::string(kCancelledCode));
}

/// What each part of the preset `best` gained begins where the part before it ended, and ends with the plan.
void JointSearchTest::gainsOfBest_chain() {
    const PlanPtr plan = planOf(softmax(512, 1024, 0), {{"preset", "best"}, {"spyre.cores", "8"}});
    QVERIFY(plan);
    std::vector<Gain> steps;
    std::vector<Gain> parts;
    for (const Gain& g : gainsOf(*plan)) {
        if (g.isPart) parts.push_back(g);
        if (g.name.starts_with("scratchpad_planning.")) steps.push_back(g);
    }
    QVERIFY(steps.size() >= 6);  // those that saved nothing stand there too
    for (std::size_t i = 1; i < steps.size(); ++i)
        QVERIFY2(steps[i].before == steps[i - 1].after, steps[i].name.c_str());
    QCOMPARE(steps.back().after, std::optional<Bytes>(traffic(*plan)));
    QVERIFY(parts.size() >= 3);
    QCOMPARE(parts.front().before, steps.front().before);
    for (std::size_t i = 1; i < parts.size(); ++i)
        QCOMPARE(parts[i].before, parts[i - 1].after);
    QCOMPARE(parts.back().after, steps.front().after);
}

void JointSearchTest::traffic_isTheObjectiveOfBest_andTheBoundHolds() {
    for (const auto& [rows, columns, axis] : {std::tuple(512, 1024, 0), std::tuple(1024, 2048, 1)}) {
        const PlanPtr before = planOf(softmax(rows, columns, axis));
        const PlanPtr after = planOf(softmax(rows, columns, axis), kTraffic);
        QVERIFY(before && after);
        QVERIFY(traffic(*after) <= traffic(*before));
        const std::int64_t bound = countOf(*after, kCoOptimize, "traffic_bound");
        QVERIFY(bound > 0);
        QVERIFY(spyreData(*after).coOptimization && bound <= spyreData(*after).coOptimization->winnerTraffic);
        QVERIFY(countOf(*after, kCoOptimize, "traffic_after") <= countOf(*after, kCoOptimize, "traffic_before"));
        const std::string text = statisticsText(*after);
        QVERIFY(text.find("no choice of these divisions moves fewer than") != std::string::npos);
        // Clones that the winner lets be are beyond the bound of the search: the row then says nothing of a best.
        const bool holds = bound <= countOf(*after, kCoOptimize, "traffic_after");
        QCOMPARE(text.find("at best") != std::string::npos, holds);
    }
}

void JointSearchTest::mlp_keepsItsHiddenLayerOnChip() {
    const PlanPtr before = planOf(mlp());
    const PlanPtr after = planOf(mlp(), kTraffic);
    QVERIFY(before && after);
    QVERIFY(traffic(*after) <= traffic(*before));
    QVERIFY(*after->metrics.estimatedMicroseconds <= *before->metrics.estimatedMicroseconds + 1e-6);
}

void JointSearchTest::offChipHint_isSeenByTheSearch() {
    // What may not be on chip is no reason to divide anything differently.
    const Graph graph = mlp();
    std::vector<Hint> hints;
    for (const char* name : {"h", "g"})
        hints.push_back(hint({std::string("tensor:") + name}, "keep_off_chip", "true"));
    const PlanPtr plan = test::plan(graph, hints, kTraffic);
    QVERIFY(plan && spyreData(*plan).coOptimization);
    QCOMPARE(spyreData(*plan).coOptimization->winnerTraffic, spyreData(*plan).coOptimization->committedTraffic);
    QCOMPARE(reasonName(*plan, "h"), std::string("off_by_hint"));
}

void JointSearchTest::pin_isWorthMoreThanTraffic_data() {
    QTest::addColumn<QString>("solver");
    for (const char* solver : {"greedy", "annealing", "exact"})
        QTest::newRow(solver) << QString(solver);
}

void JointSearchTest::pin_isWorthMoreThanTraffic() {
    QFETCH(QString, solver);
    // Two buffers that live together, and room for one of them.
    GraphBuilder b("pins");
    const TensorId x = b.input("x", {512, 1024});
    const TensorId a = b.pointwise("a", "exp", {x});
    const TensorId c = b.pointwise("c", "relu", {x});
    const TensorId d = b.pointwise("d", "add", {a, c});
    b.output(b.pointwise("e", "mul", {d, a}));
    const Pairs pairs{{"spyre.cores", "4"},
                      {"spyre.clone_inputs", "false"},
                      {"spyre.co_optimize", "true"},
                      {"spyre.layout_solver", solver.toStdString()},
                      {"spyre.lx_reserved_fraction", "0.8"}};
    for (const char* name : {"a", "c"}) {
        const PlanPtr plan = test::plan(b.build(), {hint({std::string("tensor:") + name}, "pin", "true")}, pairs);
        QVERIFY(plan);
        QCOMPARE(reasonName(*plan, name), std::string());
        QCOMPARE(plan->hintStates.front(), std::string("applied"));
    }
}

void JointSearchTest::calibration_pricesThePlan() {
    QTemporaryDir folder;
    const QString path = folder.filePath("slow.spyre-cal.json");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"format":"spyre-calibration","version":1,"edition":"A","name":"slow memory",
                   "provenance":{"source":"bench 7","date":"2026-09-01"},"constants":{"bw_peak_gbps":75},
                   "errors":{"softmax":33}})");
    file.close();
    const PlanPtr usual = planOf(softmax(512, 1024, 1));
    const PlanPtr slow = planOf(softmax(512, 1024, 1), {{"spyre.calibration", path.toStdString()}});
    QVERIFY(usual && slow && spyreData(*slow).costEstimate);
    QCOMPARE(spyreData(*slow).costEstimate->edition, std::string("A"));
    QVERIFY(spyreData(*slow).costEstimate->calibration.find("slow memory") != std::string::npos);
    QVERIFY(spyreData(*slow).costEstimate->calibration.find("bench 7") != std::string::npos);
    QCOMPARE(spyreData(*slow).costEstimate->calibrationSha256.size(), std::size_t{64});
    QVERIFY(spyreData(*usual).costEstimate->calibrationSha256.empty());
    const PlanPtr quick = planOf(softmax(512, 1024, 1), {{"spyre.cost_edition", "A"}});
    QVERIFY(quick && *slow->metrics.estimatedMicroseconds > *quick->metrics.estimatedMicroseconds);
    QVERIFY(slow->inputHash != usual->inputHash);
    int stated = 0;
    for (const CostEstimate::Kernel& k : spyreData(*slow).costEstimate->kernels) {
        if (k.category != "softmax") continue;
        QCOMPARE(*k.statedErrorPercent, 33.0);
        ++stated;
    }
    QVERIFY(stated > 0);
    QVERIFY(statisticsText(*slow).find("slow memory") != std::string::npos);
    const auto again = io::readPlanJson(io::writePlanJson(*slow));
    QVERIFY(again.ok());
    QVERIFY(spyreData(again.value()).costEstimate == spyreData(*slow).costEstimate);
}

void JointSearchTest::calibration_edition_isSwitchable() {
    const PlanPtr a = planOf(softmax(512, 1024, 1), {{"spyre.cost_edition", "A"}});
    const PlanPtr b = planOf(softmax(512, 1024, 1));
    QVERIFY(a && b);
    QCOMPARE(spyreData(*a).costEstimate->edition, std::string("A"));
    QCOMPARE(spyreData(*b).costEstimate->edition, std::string("B"));
}

void JointSearchTest::calibration_badFile_isOneError_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("absent") << QByteArray() << QByteArray("no such file");
    QTest::newRow("no JSON") << QByteArray("bandwidth: 150") << QByteArray();
    QTest::newRow("unknown key") << QByteArray(R"({"format":"spyre-calibration","version":1,"edition":"B",
                                                   "constants":{"bw_peek_gbps":150}})")
                                 << QByteArray("bw_peek_gbps");
}

void JointSearchTest::calibration_badFile_isOneError() {
    QFETCH(QByteArray, content);
    QFETCH(QByteArray, says);
    QTemporaryDir folder;
    const QString path = folder.filePath("x.spyre-cal.json");
    if (!content.isEmpty()) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }
    const CompileOutcome outcome = compileGraph(softmax(512, 1024, 1), {{"spyre.calibration", path.toStdString()}});
    QVERIFY(!outcome.plan && outcome.failure);
    const Diagnostic& d = outcome.failure->error.primary();
    QCOMPARE(d.code, std::string("CAL-001"));
    QVERIFY2(d.where.starts_with(path.toStdString()), d.where.c_str());
    QVERIFY2(QByteArray::fromStdString(d.message).contains(says), d.message.c_str());
}

void JointSearchTest::best_neverMovesMoreThanTheProduct_data() {
    QTest::addColumn<QString>("graph");
    QTest::addColumn<QString>("cores");
    for (const char* graph : {"softmax 0", "softmax 1", "mlp"}) {
        for (const char* cores : {"1", "4", "32"})
            QTest::addRow("%s, %s cores", graph, cores) << QString(graph) << QString(cores);
    }
}

void JointSearchTest::best_neverMovesMoreThanTheProduct() {
    QFETCH(QString, graph);
    QFETCH(QString, cores);
    const Graph g = graph == "mlp" ? mlp() : softmax(512, 1024, graph.endsWith("1") ? 1 : 0);
    const PlanPtr product = planOf(g, {{"spyre.cores", cores.toStdString()}});
    const PlanPtr best = planOf(g, {{"preset", "best"}, {"spyre.cores", cores.toStdString()}});
    QVERIFY(product && best);
    QVERIFY(traffic(*best) <= traffic(*product));
    QCOMPARE(fileFault(*best), std::string());
}

void JointSearchTest::best_saysWhatEachVariantWasWorth() {
    const PlanPtr best = planOf(mlp(), {{"preset", "best"}});
    QVERIFY(best);
    int variants = 0;
    int kept = 0;
    for (const Decision& d : best->decisions) {
        if (d.kind != DecisionKind::PlanVariant) continue;
        ++variants;
        if (!d.why.is(say::kKept)) continue;
        ++kept;
        QCOMPARE(static_cast<Bytes>(d.alternatives.front().score), traffic(*best));
    }
    QCOMPARE(variants, 3);
    QCOMPARE(kept, 1);
    QVERIFY(statisticsText(*best).find("plans compared") != std::string::npos);
    // The plan is the one of the request, whichever variant was kept.
    QCOMPARE(best->settings.text("preset"), std::string("best"));
    QVERIFY(best->settings.boolean("spyre.co_optimize"));
    const auto again = io::readPlanJson(io::writePlanJson(*best));
    QVERIFY(again.ok());
    QCOMPARE(io::writePlanJson(again.value()), io::writePlanJson(*best));
}

void JointSearchTest::best_isReproducible() {
    const PlanPtr once = planOf(mlp(), {{"preset", "best"}});
    const PlanPtr twice = planOf(mlp(), {{"preset", "best"}});
    QVERIFY(once && twice);
    QCOMPARE(io::writePlanJson(*once), io::writePlanJson(*twice));
}

void JointSearchTest::tiling_bringsWhatIsTooLargeOnChip() {
    const Pairs off{{"spyre.co_optimize", "true"}, {"spyre.layout_solver", "bestfit"}};
    Pairs on = off;
    on.emplace_back("spyre.co_optimize_tilings", "true");
    const Graph graph = softmax(8192, 8192, 1);
    const PlanPtr without = planOf(graph, off);
    const PlanPtr with = planOf(graph, on);
    QVERIFY(without && with);
    QCOMPARE(reasonName(*without, "sub"), std::string("larger_than_memory"));
    QVERIFY2(traffic(*with) < traffic(*without), std::to_string(traffic(*with)).c_str());
    QVERIFY(std::any_of(with->ops.begin(), with->ops.end(), [](const PlanOp& op) { return !op.loopCounts.empty(); }));
    QCOMPARE(fileFault(*with), std::string());
    // The loops are the search's: the plan has the hints of its request.
    QVERIFY(with->hints.empty() && with->hintStates.empty());
    QCOMPARE(countOf(*with, "coarse_tile", "traffic_before"), traffic(*without));
    QCOMPARE(countOf(*with, "coarse_tile", "traffic_after"), traffic(*with));
    // The step shows the same gain, and the plan's statistics what the search looked at.
    QCOMPARE(countOf(*with, "coarse_tile.joint_tiling", "traffic_before"), traffic(*without));
    QCOMPARE(countOf(*with, "coarse_tile.joint_tiling", "traffic_after"), traffic(*with));
    QVERIFY(countOf(*with, "coarse_tile.joint_tiling", "options_valued") > 0);
    QVERIFY(statisticsText(*with).find("search for loops") != std::string::npos);
    QVERIFY(statisticsText(*with).find("loops found") != std::string::npos);
    QVERIFY(std::any_of(with->decisions.begin(), with->decisions.end(),
                        [](const Decision& d) { return d.kind == DecisionKind::Tiling; }));
    const PlanPtr again = planOf(graph, on);
    QVERIFY(again);
    QCOMPARE(io::writePlanJson(*again), io::writePlanJson(*with));
}

void JointSearchTest::tiling_leavesWhatFitsAlone() {
    const Pairs on{{"spyre.co_optimize", "true"}, {"spyre.co_optimize_tilings", "true"}};
    const PlanPtr plan = planOf(softmax(512, 1024, 1), on);
    QVERIFY(plan);
    QVERIFY(std::all_of(plan->ops.begin(), plan->ops.end(), [](const PlanOp& op) { return op.loopCounts.empty(); }));
}

void JointSearchTest::tiling_userLoopsAreNotTouched() {
    Hint hint;
    hint.target = "spyre";
    hint.scopes = {"graph"};
    hint.key = "manual_groups";
    hint.value = test::hintValue(R"([{"ops": ["sub", "exp"], "levels": [{"count": 4, "dims": [0]}]}])");
    const PlanPtr plan = test::plan(softmax(8192, 8192, 1), {hint},
                                    {{"spyre.co_optimize", "true"}, {"spyre.co_optimize_tilings", "true"}});
    QVERIFY(plan);
    QCOMPARE(plan->hintStates.front(), std::string("applied"));
    QVERIFY(std::none_of(plan->decisions.begin(), plan->decisions.end(),
                         [](const Decision& d) { return d.kind == DecisionKind::Tiling; }));
}

MEMPLAN_TEST(JointSearchTest)
#include "tst_joint_search.moc"
