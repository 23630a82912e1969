// SPDX-License-Identifier: Apache-2.0
// What a plan claims beside its layers, damaged one figure at a time: the validator recomputes each (issue 15,
// torchwright.md 14).
#include "engine/compare/comparison.h"
#include "engine/io/plan/plan_json.h"
#include "engine/io/plan/plan_metric_fields.h"
#include "engine/target/statistics_text.h"
#include "engine/torchwright/compile/target.h"
#include "engine/verify/torchwright/verify.h"
#include "tests/engine/torchwright/compiled_graphs.h"
#include "tests/engine/torchwright/node_sketch.h"
#include "tests/support/program.h"

#include <QTest>

#include <functional>

using namespace memplan;
using namespace memplan::test;
using D = TorchwrightData;

namespace {

/// Its Linears are fused, it has taken-over columns and many annotations.
const Plan& parens() {
    static const Plan kPlan = planNamed("balanced_parens", {{"torchwright.d", "256"}, {"torchwright.fuse", "true"}});
    return kPlan;
}
/// One plateau, one cluster.
const Plan& basin() {
    static const Plan kPlan = planNamed("basin24_k0", {{"torchwright.d", "768"}, {"torchwright.d_hidden", "256"}});
    return kPlan;
}

struct Case {
    const char* name;
    const Plan& (*plan)();
    std::function<void(Plan& plan, D& data)> damage;
};

TorchwrightAnnotation& row(D& d) {
    return *std::ranges::find_if(d.annotations, [](const auto& a) { return !a.layerSpan.empty() && a.reach > 0; });
}
PlanBuffer& owned(Plan& p) {
    return *std::ranges::find_if(
        p.buffers, [](const PlanBuffer& b) { return b.space == MemorySpace::Residual && b.producer.isValid(); });
}
PlanBuffer& inner(Plan& p) {
    return *std::ranges::find_if(
        p.buffers, [](const PlanBuffer& b) { return b.space != MemorySpace::Residual && b.producer.isValid(); });
}
PlanOp& reader(Plan& p) {
    return *std::ranges::find_if(p.ops, [](const PlanOp& op) { return op.inputs.size() == 1; });
}
double& figure(Plan& p, const char* key) {
    const auto it = std::ranges::find(p.metrics.own, key, &std::pair<std::string, double>::first);
    if (it == p.metrics.own.end()) qFatal("no figure %s", key);
    return it->second;
}
torchwright::Node& unfused(D& d, std::size_t at) {
    auto graph = std::make_shared<torchwright::NodeGraph>(*d.unfused);
    d.unfused = graph;
    return graph->nodes[at];
}
std::size_t removedLinear(const D& d) {
    for (std::size_t i = 0; i < d.unfused->size(); ++i)
        if (!d.graph->find(d.unfused->nodes[i].number).isValid()) return i;
    qFatal("nothing was fused");
}

std::vector<Case> pathCases() {
    return {
        {"length of the path", parens, [](Plan&, D& d) { ++d.path.lengthEdges; }},
        {"example path", parens, [](Plan&, D& d) { std::swap(d.path.example[0], d.path.example[1]); }},
        {"example path cut off", parens, [](Plan&, D& d) { d.path.example.pop_back(); }},
        {"real operations", parens, [](Plan&, D& d) { --d.path.realOps; }},
        {"reach of a run", parens, [](Plan&, D& d) { ++d.path.runs.front().reach; }},
        {"length of a run", parens, [](Plan&, D& d) { ++d.path.runs.front().realOps; }},
        {"start of a run", parens, [](Plan&, D& d) { ++d.path.runs.front().start; }},
        {"order of the runs", basin, [](Plan&, D& d) { std::ranges::reverse(d.path.runs); }},
        {"annotation of a run", parens, [](Plan&, D& d) { d.path.runs.front().annotation += "x"; }},
        {"tied paths", basin, [](Plan&, D& d) { --d.path.tiedPaths; }},
        {"nodes on some path", basin, [](Plan&, D& d) { ++d.path.nodesOnSome; }},
        {"the original's figure", parens, [](Plan&, D& d) { ++d.path.upstreamFigure; }},
        {"bound", parens, [](Plan&, D& d) { --d.path.asapLayers; }},
        {"bound in attention", parens, [](Plan&, D& d) { --d.path.asapAlways; }},
        {"bound in the MLP", parens, [](Plan&, D& d) { ++d.path.asapNever; }},
        {"rule of thumb", parens, [](Plan&, D& d) { ++d.path.ruleOfThumb; }},
        {"slack", parens, [](Plan&, D& d) { ++d.path.slack; }},
        {"graph before fusion gone", parens, [](Plan&, D& d) { d.unfused = nullptr; }},
        {"a fused Linear of another width", parens, [](Plan&, D& d) { ++unfused(d, removedLinear(d)).width; }},
        {"a fused node that is no Linear", parens,
         [](Plan&, D& d) { unfused(d, removedLinear(d)).kind = torchwright::NodeKind::ReLU; }},
        {"another annotation before fusion", parens, [](Plan&, D& d) { unfused(d, 20).annotation = "other"; }},
    };
}

std::vector<Case> annotationCases() {
    return {
        {"nodes of an annotation", basin, [](Plan&, D& d) { ++row(d).nodes; }},
        {"neurons", basin, [](Plan&, D& d) { ++row(d).neurons; }},
        {"estimated heads", basin, [](Plan&, D& d) { ++row(d).heads; }},
        {"graph parameters", basin, [](Plan&, D& d) { ++row(d).graphParams; }},
        {"entries", basin, [](Plan&, D& d) { row(d).nonZeros = row(d).graphParams + 1; }},
        {"original's estimate", basin, [](Plan&, D& d) { ++row(d).upstreamEstimate; }},
        {"heads", basin, [](Plan&, D& d) { ++row(d).scheduledHeads; }},
        {"slots", basin, [](Plan&, D& d) { ++row(d).scheduledSlots; }},
        {"allocated parameters", basin, [](Plan&, D& d) { ++row(d).scheduledParams; }},
        {"first layer", basin, [](Plan&, D& d) { ++row(d).layerSpan[0]; }},
        {"layers in all", basin, [](Plan&, D& d) { --row(d).layerSpan[2]; }},
        {"share", basin, [](Plan&, D& d) { row(d).share += 0.01; }},
        {"density", basin, [](Plan&, D& d) { row(d).density *= 1.001; }},
        {"verdict", basin, [](Plan&, D& d) { row(d).spanVerdict += "?"; }},
        {"span at the earliest", basin, [](Plan&, D& d) { ++row(d).asapSpan; }},
        {"reach", basin, [](Plan&, D& d) { --row(d).reach; }},
        {"row gone", basin, [](Plan&, D& d) { d.annotations.pop_back(); }},
        {"row of nobody", basin, [](Plan&, D& d) { d.annotations.back().annotation = "nobody"; }},
    };
}

std::vector<Case> layerCases() {
    return {
        {"columns of an annotation", basin, [](Plan&, D& d) { ++d.occupancy[3].front().second; }},
        {"an annotation too many", basin, [](Plan&, D& d) { d.occupancy[3].emplace_back("nobody", 0); }},
        {"first layer of a plateau", basin, [](Plan&, D& d) { ++d.plateaus.front().first; }},
        {"last layer of a plateau", basin, [](Plan&, D& d) { --d.plateaus.front().last; }},
        {"columns of a plateau", basin, [](Plan&, D& d) { d.plateaus.front().averageColumns.front().second += 1; }},
        {"share of a plateau", basin, [](Plan&, D& d) { d.plateaus.front().share.front().second += 0.01; }},
        {"contributor gone", basin, [](Plan&, D& d) { d.plateaus.front().share.pop_back(); }},
        {"operations inside", basin, [](Plan&, D& d) { d.plateaus.front().meanOpsInside *= 2; }},
        {"operations outside", basin, [](Plan&, D& d) { d.plateaus.front().meanOpsOutside += 1; }},
        {"plateau gone", basin, [](Plan&, D& d) { d.plateaus.clear(); }},
        {"plateau of nothing", parens,
         [](Plan&, D& d) {
             d.plateaus.push_back({0, 4, {}, {}, 1, 1});
         }},
        {"join", basin, [](Plan&, D& d) { ++d.clusters.front().join; }},
        {"peak width", basin, [](Plan&, D& d) { d.clusters.front().peakWidth = 64; }},
        {"end of a chain", basin, [](Plan&, D& d) { --d.clusters.front().chains.front().terminal; }},
        {"node of a chain", basin, [](Plan&, D& d) { d.clusters.front().chains.front().nodes.pop_back(); }},
        {"chain gone", basin, [](Plan&, D& d) { d.clusters.front().chains.pop_back(); }},
        {"in flight", basin, [](Plan&, D& d) { --d.clusters.front().inFlight[5]; }},
        {"natural count", basin, [](Plan&, D& d) { --d.clusters.front().natural; }},
        {"cluster gone", basin, [](Plan&, D& d) { d.clusters.clear(); }},
    };
}

std::vector<Case> planCases() {
    std::vector<Case> cases{
        {"a figure gone", basin, [](Plan& p, D&) { p.metrics.own.pop_back(); }},
        {"buffers on chip", basin, [](Plan& p, D&) { ++p.metrics.buffersOnChip; }},
        {"buffers in all", basin, [](Plan& p, D&) { --p.metrics.buffersTotal; }},
        {"bytes on chip", basin, [](Plan& p, D&) { p.metrics.pinnedBytes += 4; }},
        {"bound of the bytes", basin, [](Plan& p, D&) { p.metrics.upperBoundBytes += 4; }},
        {"traffic", basin, [](Plan& p, D&) { p.metrics.mainMemoryReadBytes = 4; }},
        {"highest column", basin, [](Plan& p, D&) { p.memory.peak -= 4; }},
        {"occupancy", basin, [](Plan& p, D&) { p.memory.occupancy.back().bytes += 4; }},
        {"occupancy of a layer gone", basin, [](Plan& p, D&) { p.memory.occupancy.pop_back(); }},
        {"life begins later", parens, [](Plan& p, D&) { ++owned(p).life.begin; }},
        {"life ends later", parens, [](Plan& p, D&) { ++owned(p).life.end; }},
        {"life of a value without columns", parens, [](Plan& p, D&) { ++inner(p).life.end; }},
        {"bytes of a value without columns", parens, [](Plan& p, D&) { inner(p).sizePerCore = 4; }},
        {"producer", parens, [](Plan& p, D&) { owned(p).producer = OpId{0}, owned(p).life.begin = 0; }},
        {"added onto another", parens,
         [](Plan& p, D&) {
             std::ranges::find_if(p.buffers, [](const PlanBuffer& b) { return b.inPlaceOf.isValid(); })->inPlaceOf = {};
         }},
        {"name of an operation", parens, [](Plan& p, D&) { p.ops[3].name += "x"; }},
        {"type of an operation", parens, [](Plan& p, D&) { p.ops[3].type = "cancel"; }},
        {"sublayer of an operation", parens, [](Plan& p, D&) { p.ops[3].kind = "other"; }},
        {"what an operation reads", parens, [](Plan& p, D&) { reader(p).inputs.clear(); }},
        {"what an operation writes", parens, [](Plan& p, D&) { reader(p).outputs = {BufferId{0}}; }},
        {"pressure of the config", parens, [](Plan&, D& d) { d.schedule.options.pressureThreshold = 0.5; }},
        {"admission of the config", parens, [](Plan&, D& d) { d.schedule.options.admissionControl = true; }},
        {"probe above its tolerance", parens,
         [](Plan&, D& d) {
             d.probe.emplace();
             d.probe->tolerance = 1e-3, d.probe->maxError = 1;
         }},
        {"probe of another tolerance", parens, [](Plan&, D& d) { d.probe.emplace().tolerance = 1; }},
    };
    for (const char* key :
         {"layers", "asap_layers", "layer_ops", "heads", "slots", "peak_columns", "mean_occupancy", "graph_params",
          "allocated_params", "total_capacity", "density", "utilisation", "cancel_share"})
        cases.push_back({key, parens, [key](Plan& p, D&) { figure(p, key) += 0.5; }});
    return cases;
}

const std::vector<Case>& cases() {
    static const std::vector<Case> kCases = [] {
        std::vector<Case> all;
        for (auto* part : {pathCases, annotationCases, layerCases, planCases}) {
            for (Case& c : part())
                all.push_back(std::move(c));
        }
        return all;
    }();
    return kCases;
}

class TestTorchwrightClaims : public QObject {
    Q_OBJECT

private slots:
    void soundPlans_haveWhatIsDamaged() {
        for (const Plan& plan : {parens(), basin()}) {
            const std::vector<Diagnostic> found = verify::torchwright::checkPlan(plan);
            QVERIFY2(found.empty(), found.empty() ? "" : (found.front().where + found.front().message).c_str());
        }
        QVERIFY(torchwrightData(parens()).unfused != nullptr);
        QCOMPARE(torchwrightData(basin()).plateaus.size(), 1U);
        QCOMPARE(torchwrightData(basin()).clusters.size(), 1U);
        QCOMPARE(torchwrightData(basin()).path.tiedPaths, 48);
    }

    /// The file holds all that is recomputed, the graph before fusion too.
    void planFile_passesToo() {
        for (const Plan& plan : {parens(), basin()}) {
            const std::string text = io::writePlanJson(plan);
            const Result<Plan> read = io::readPlanJson(text);
            QVERIFY2(read.ok(), read.ok() ? "" : read.error().primary().message.c_str());
            const std::vector<Diagnostic> found = verify::torchwright::checkPlan(read.value());
            QVERIFY2(found.empty(), found.empty() ? "" : (found.front().where + found.front().message).c_str());
            QCOMPARE(io::writePlanJson(read.value()), text);
        }
    }

    void figures_areMetricsOfTheMachine() {
        const Target& target = torchwright::target();
        const auto& own = basin().metrics.own;
        QCOMPARE(target.figures().size(), own.size());
        for (const FigureInfo& info : target.figures())
            QVERIFY(std::ranges::find(own, info.key, &std::pair<std::string, double>::first) != own.end());
        Plan plan = basin();
        QCOMPARE(figure(plan, "layers"), 28.0);
        QCOMPARE(figure(plan, "asap_layers"), 6.0);
        QCOMPARE(qRound(100 * figure(plan, "cancel_share")), 67);
        const auto fields = io::planMetricFields(plan);
        QVERIFY(std::ranges::find(fields, std::pair<std::string, std::string>("layers", "28")) != fields.end());
    }

    /// The bound is that of the graph which was scheduled: fusion lowers it.
    void boundAfterFusion_isNotAboveTheLayers() {
        Plan plan = planNamed("adder", {{"torchwright.d", "256"}, {"torchwright.fuse", "true"}});
        QCOMPARE(figure(plan, "layers"), 14.0);
        QCOMPARE(figure(plan, "asap_layers"), 14.0);
        QCOMPARE(torchwrightData(plan).path.asapLayers, 15);
        QCOMPARE(torchwrightData(plan).path.slack, 0);
    }

    void comparison_leadsWithTheLayers() {
        const Plan a = planNamed("adder", {{"torchwright.d", "256"}});
        const Plan b = planNamed("adder", {{"torchwright.d", "256"}, {"torchwright.fuse", "true"}});
        const compare::Comparison c = compare::comparePlans(a, b);
        QCOMPARE(c.metrics.front().key, std::string("layers"));
        QVERIFY(c.metrics.front().outcome == compare::Outcome::Better);
        QVERIFY(c.outcome.starts_with("B: layers "));
    }

    /// The highest address in use, in bytes, is no figure of a stream that counts columns.
    void comparison_countsColumns_notBytes() {
        const Plan& a = basin();
        Plan b = a;
        b.memory.peak /= 2;
        figure(b, "heads") -= 1;
        figure(b, "utilisation") /= 2;
        const compare::Comparison c = compare::comparePlans(a, b);
        QCOMPARE(c.outcome, std::string("B: layers unchanged, peak columns unchanged."));
        for (const compare::MetricRow& row : c.metrics) {
            QVERIFY2(row.unit != compare::MetricUnit::Bytes && row.key != "buffers_on_chip", row.key.c_str());
            if (row.key == "utilisation") QCOMPARE(row.outcome, compare::Outcome::Other);
        }
    }

    void statistics_beginWithLayersAndColumns() {
        const std::string text = statisticsText(basin());
        const std::size_t layers = text.find("\n  layers        28\n"), columns = text.find("\n  peak columns  768\n");
        QVERIFY2(layers < columns && columns < text.find("\nbuffers by place\n"), text.c_str());
        QVERIFY2(text.find("columns  at most 768 of 768, ") != std::string::npos, text.c_str());
        QVERIFY2(text.find("28, bound by order alone 6\n") != std::string::npos, text.c_str());
        QCOMPARE(text.find(" bytes"), std::string::npos);
    }

    /// A searched schedule leaves columns as they are where nobody needs them again.
    void searchedSchedules_passToo_data() {
        QTest::addColumn<QByteArray>("d");
        QTest::newRow("balanced_parens") << QByteArray("1024");
        QTest::newRow("adder") << QByteArray("256");
        QTest::newRow("caesar_cipher") << QByteArray("512");
    }
    void searchedSchedules_passToo() {
        QFETCH(QByteArray, d);
        const CompileOutcome outcome =
            compileNamed(QTest::currentDataTag(), {{"torchwright.d", d.constData()}, {"torchwright.optimize", "1"}});
        QVERIFY2(outcome.plan != nullptr,
                 outcome.failure ? outcome.failure->error.primary().message.c_str() : "no plan");
        QVERIFY(verify::torchwright::checkPlan(*outcome.plan).empty());
    }

    /// Stopped after any pass: the file holds what there is, and nothing of it is wrong.
    void stoppedPlans_passToo() {
        for (const PassInfo& pass : torchwright::target().passes()) {
            const auto source = std::make_shared<const torchwright::GraphSource>(graphNamed("adder"));
            Settings settings;
            QVERIFY(settings.set("torchwright.d", "256").ok());
            CompileRequest request =
                requestFor(torchwright::target().graphOf(*source, "adder"), source, {}, std::move(settings), {});
            request.stopAfter = pass.id;
            const CompileOutcome outcome = compile(request, {});
            QVERIFY2(outcome.plan != nullptr, std::string(pass.id).c_str());
            const Result<Plan> read = io::readPlanJson(io::writePlanJson(*outcome.plan));
            QVERIFY2(read.ok(), std::string(pass.id).c_str());
            const std::vector<Diagnostic> found = verify::torchwright::checkPlan(read.value());
            QVERIFY2(found.empty(), (std::string(pass.id) + (found.empty() ? "" : found.front().message)).c_str());
        }
    }

    /// The first Linear of a chain has another reader: attention computes it where it may, the chain computes it again
    /// for itself, and the ReLU belongs to the chain alone.
    void chainWithASharedFirstLinear_computesItsReluOnce_data() {
        QTest::addColumn<QByteArray>("routing");
        QTest::newRow("always") << QByteArray("always");
        QTest::newRow("never") << QByteArray("never");
    }
    void chainWithASharedFirstLinear_computesItsReluOnce() {
        QFETCH(QByteArray, routing);
        NodeSketch sketch;
        const auto first = sketch.linear(sketch.input(4), 4);
        const auto second = sketch.linear(sketch.relu(first), 4);
        expectSound(compileNodes(sketch.build(sketch.concatenate({first, second})),
                                 {{"torchwright.d", "64"},
                                  {"torchwright.d_head", "16"},
                                  {"torchwright.local_in_attention", routing.constData()}}));
    }

    /// Both addends stand in the same columns; the one that owns them is taken over, whichever it is.
    void addOfAValueAndItsConcatenate_takesOverTheValue() {
        for (const bool isValueFirst : {true, false}) {
            NodeSketch sketch;
            const auto x = sketch.input(4);
            const auto join = sketch.concatenate({x});
            expectSound(compileNodes(sketch.build(isValueFirst ? sketch.add(x, join) : sketch.add(join, x)),
                                     {{"torchwright.d", "64"}, {"torchwright.d_head", "16"}}));
        }
    }

    /// A hint that is called applied has to be met by the layers.
    void appliedHints_areChecked() {
        Hint late;
        late.target = "torchwright";
        late.scopes = {"op:222"};
        late.key = "layer_min";
        late.value = *HintValue::parse("4");
        const Plan plan = planNamed("basin24_k0", {{"torchwright.d", "768"}, {"torchwright.d_hidden", "256"}}, {late});
        QCOMPARE(plan.hintStates.front(), std::string("applied"));
        QVERIFY(verify::torchwright::checkPlan(plan).empty());
        Plan changed = plan;
        changed.hints.front().value = *HintValue::parse("90");
        QVERIFY(!verify::torchwright::checkPlan(changed).empty());
        changed = plan;
        changed.hints.front().scopes = {"op:9999"};
        QVERIFY(!verify::torchwright::checkPlan(changed).empty());
        changed = plan;
        changed.hints.front().key = "after";
        changed.hints.front().value = *HintValue::parse("[30]");
        QVERIFY(!verify::torchwright::checkPlan(changed).empty());
    }

    /// A chain is computed with its first Linear: a hint on another of its nodes is kept by chance or not at all.
    void waitingInsideAChain_isImpossible_data() {
        QTest::addColumn<int>("waits");
        QTest::addColumn<QByteArray>("state");
        QTest::newRow("first Linear") << 4 << QByteArray("applied");
        QTest::newRow("ReLU") << 5 << QByteArray("impossible");
        QTest::newRow("second Linear") << 6 << QByteArray("impossible");
        QTest::newRow("Concatenate") << 7 << QByteArray("ignored");
    }
    void waitingInsideAChain_isImpossible() {
        QFETCH(int, waits);
        QFETCH(QByteArray, state);
        NodeSketch sketch;
        const auto a = sketch.input(4), b = sketch.input(4);
        const auto apart = sketch.relu(a);
        const auto chain = sketch.chain(b, 4, 4);
        Hint hint;
        hint.target = "torchwright";
        hint.scopes = {"op:" + std::to_string(waits)};
        hint.key = "after";
        hint.value = *HintValue::parse("[3]");
        const CompileOutcome outcome = compileNodes(sketch.build(sketch.concatenate({apart, chain})),
                                                    {{"torchwright.d", "128"}, {"torchwright.d_head", "16"}}, {hint});
        expectSound(outcome);
        QCOMPARE(QByteArray::fromStdString(outcome.plan->hintStates.front()), state);
        if (waits == 4) return;
        Plan changed = *outcome.plan;
        changed.hintStates.front() = "applied";
        QVERIFY(!verify::torchwright::checkPlan(changed).empty());
    }

    /// A first Linear that chains alone read is computed inside of them, so that what it reads may be taken over.
    void linearInsideOfItsChains_readsNoMore() {
        NodeSketch sketch;
        const auto x = sketch.chain(sketch.input(4), 4, 4);
        const auto first = sketch.linear(x, 4), apart = sketch.linear(sketch.chain(sketch.input(4), 4, 4), 4);
        const auto one = sketch.linear(sketch.relu(first), 4), other = sketch.linear(sketch.relu(first), 4);
        const auto sum = sketch.add(x, sketch.chain(apart, 4, 4));
        expectSound(
            compileNodes(sketch.build(sketch.concatenate({one, other, sum})),
                         {{"torchwright.d", "96"}, {"torchwright.d_head", "16"}, {"torchwright.optimize", "1"}}));
    }

    /// A hint on it holds for the chains.
    void hintOnALinearInsideOfItsChains_isKept_data() {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("value");
        QTest::newRow("layer_min") << QByteArray("layer_min") << QByteArray("3");
        QTest::newRow("after") << QByteArray("after") << QByteArray("[3]");
    }
    void hintOnALinearInsideOfItsChains_isKept() {
        QFETCH(QByteArray, key);
        QFETCH(QByteArray, value);
        NodeSketch sketch;
        const auto a = sketch.input(4), b = sketch.input(4);
        const auto apart = sketch.relu(a), first = sketch.linear(b, 4);  // 3 and 4
        const auto one = sketch.linear(sketch.relu(first), 4), other = sketch.linear(sketch.relu(first), 4);
        Hint hint;
        hint.target = "torchwright";
        hint.scopes = {"op:4"};
        hint.key = key.toStdString();
        hint.value = *HintValue::parse(value.constData());
        const CompileOutcome outcome = compileNodes(
            sketch.build(sketch.concatenate({apart, one, other})),
            {{"torchwright.d", "128"}, {"torchwright.d_head", "16"}, {"torchwright.optimize", "1"}}, {hint});
        expectSound(outcome);
        QCOMPARE(outcome.plan->hintStates.front(), std::string("applied"));
    }

    void damage_isSeen_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < cases().size(); ++i)
            QTest::newRow(cases()[i].name) << static_cast<int>(i);
    }
    void damage_isSeen() {
        QFETCH(int, index);
        const Case& c = cases()[static_cast<std::size_t>(index)];
        Plan plan = c.plan();
        dropHashes(plan);
        c.damage(plan, editTargetData<D>(plan.targetData));
        QVERIFY(!verify::torchwright::checkPlan(plan).empty());
    }

private:
    static void expectSound(const CompileOutcome& outcome) {
        QVERIFY2(!outcome.failure, outcome.failure ? outcome.failure->error.primary().message.c_str() : "");
        QVERIFY(verify::torchwright::checkPlan(*outcome.plan).empty());
    }
};

}  // namespace

MEMPLAN_TEST(TestTorchwrightClaims)
#include "tst_torchwright_claims.moc"
