// SPDX-License-Identifier: Apache-2.0
// What a torchwright plan records beside its layers: fields of other machines, passes, findings, decisions, the probe.
// Each claim that is changed by hand is seen by the validator.
#include "engine/verify/torchwright/verify.h"
#include "tests/engine/torchwright/compiled_graphs.h"
#include "tests/support/program.h"

#include <QtTest>

#include <functional>

using namespace memplan;

namespace {

using D = TorchwrightData;
using Damage = std::function<void(Plan&, D&)>;

Plan soundPlan() {
    static const Plan plan = memplan::test::planNamed(
        "adder", {{"torchwright.d", "256"}, {"torchwright.optimize", "1"}, {"torchwright.verify", "true"}});
    return plan;
}

Decision& decision(Plan& plan, std::string_view kind) {
    const auto it = std::ranges::find_if(plan.decisions, [&](const Decision& d) { return kindName(d) == kind; });
    if (it == plan.decisions.end()) qFatal("no decision");
    return *it;
}

PassRun& pass(Plan& plan, std::string_view name) {
    return *std::ranges::find(plan.passes, name, &PassRun::name);
}

std::string otherHash(std::string hash) {
    hash[3] = hash[3] == '0' ? '1' : '0';
    return hash;
}

torchwright::Layer& refusing(D& data) {
    const auto it =
        std::ranges::find_if(data.schedule.layers, [](const auto& layer) { return !layer.refused.empty(); });
    if (it == data.schedule.layers.end()) qFatal("no layer refuses a node");
    return *it;
}

const std::vector<std::pair<const char*, Damage>>& damages() {
    static const std::vector<std::pair<const char*, Damage>> kAll{
        {"cores of an operation", [](Plan& p, D&) { p.ops[3].cores = 2; }},
        {"adjacent slices", [](Plan& p, D&) { p.ops[3].kAdjacent = true; }},
        {"bytes read off chip", [](Plan& p, D&) { p.ops[3].offChipRead = 1; }},
        {"span", [](Plan& p, D&) { p.ops[3].maxSpan = 1; }},
        {"origin", [](Plan& p, D&) { p.ops[3].origin.op += "x"; }},
        {"annotation", [](Plan& p, D&) { p.ops[3].groupPath = "x"; }},
        {"added by", [](Plan& p, D&) { p.ops[3].addedBy = "schedule"; }},
        {"shape", [](Plan& p, D&) { p.buffers[3].shape = {1}; }},
        {"role", [](Plan& p, D&) { p.buffers[3].role = BufferRole::Parameter; }},
        {"cores of a buffer", [](Plan& p, D&) { p.buffers[3].cores = 2; }},
        {"traffic saved", [](Plan& p, D&) { p.buffers[3].trafficSaved = 4; }},
        {"uses", [](Plan& p, D&) { p.buffers[0].uses.pop_back(); }},
        {"reason",
         [](Plan& p, D&) {
             const auto it = std::ranges::find_if(p.buffers, [](const PlanBuffer& b) { return b.reason.has_value(); });
             it->reason->stated = {};
         }},
        {"physical memory", [](Plan& p, D&) { ++p.memory.physical; }},
        {"alignment", [](Plan& p, D&) { p.memory.alignment = 8; }},
        {"step of the peak", [](Plan& p, D&) { ++p.memory.livePeakStep; }},
        {"core utilisation", [](Plan& p, D&) { p.metrics.coreUtilisation = 1; }},
        {"estimated time", [](Plan& p, D&) { p.metrics.estimatedMicroseconds = 1; }},
        {"elements of main memory", [](Plan& p, D&) { p.metrics.mainMemoryElements = 1; }},
        {"fragmentation", [](Plan& p, D&) { p.metrics.fragmentationMax = 1; }},
        {"mismatches", [](Plan& p, D&) { p.metrics.mismatches = 1; }},
        {"operations below half", [](Plan& p, D&) { p.metrics.opsBelowHalf = 1; }},
        {"operations over the span", [](Plan& p, D&) { p.metrics.opsOverSpan = 1; }},
        {"bound of the peak", [](Plan& p, D&) { p.metrics.peakLowerBound = 4; }},
        {"bound of the spills", [](Plan& p, D&) { p.metrics.spillLowerBound = 4; }},
        {"padding", [](Plan& p, D&) { p.metrics.paddingShare = 1; }},
        {"restickify", [](Plan& p, D&) { p.metrics.restickifyShare = 1; }},
        {"solver", [](Plan& p, D&) { p.solver = "heuristic"; }},
        {"a pass is gone", [](Plan& p, D&) { p.passes.erase(p.passes.begin()); }},
        {"name of a pass", [](Plan& p, D&) { p.passes[1].name += "x"; }},
        {"stopped after", [](Plan& p, D&) { p.stoppedAfter = "x"; }},
        {"layers of a pass", [](Plan& p, D&) { ++pass(p, "schedule").counts["layers"]; }},
        {"layers of the weights", [](Plan& p, D&) { ++pass(p, "write_weights").counts["layers"]; }},
        {"fused pairs", [](Plan& p, D&) { ++pass(p, "fuse_linears").counts["fused_pairs"]; }},
        {"hints of a pass", [](Plan& p, D&) { ++pass(p, "apply_scopes").counts["hints"]; }},
        {"tied paths", [](Plan& p, D&) { ++pass(p, "analyse").counts["tied_paths"]; }},
        {"a finding of a pass", [](Plan& p, D&) { pass(p, "diagnostics").diagnostics.front().code += "x"; }},
        {"a finding of the plan", [](Plan& p, D&) { p.problems.front().message += "x"; }},
        {"a finding is gone", [](Plan& p, D&) { p.problems.pop_back(); }},
        {"columns of a decision", [](Plan& p, D&) { decision(p, "placed").chosen = {}; }},
        {"layer of a decision", [](Plan& p, D&) { decision(p, "placed").why = {}; }},
        {"subject of a decision", [](Plan& p, D&) { ++decision(p, "placed").op.index; }},
        {"a decision is gone",
         [](Plan& p, D&) {
             std::erase_if(p.decisions, [](const Decision& d) { return d.kind == DecisionKind::Placed; });
         }},
        {"a bound above the plan", [](Plan& p, D&) { decision(p, "layer_bounds").alternatives[1].score += 1; }},
        {"a bound is gone", [](Plan& p, D&) { decision(p, "layer_bounds").alternatives.pop_back(); }},
        {"proof", [](Plan& p, D&) { decision(p, "layer_bounds").why = {}; }},
        {"kind of a decision", [](Plan& p, D&) { decision(p, "layer_bounds").otherKind += "x"; }},
        {"steps of the search", [](Plan& p, D&) { decision(p, "search").alternatives.front().score += 1; }},
        {"nodes that were compared", [](Plan&, D& d) { ++d.probe->compared; }},
        {"nodes that were not", [](Plan&, D& d) { ++d.probe->notProbed.front().second; }},
        {"seed of the probe", [](Plan&, D& d) { ++d.probe->seed; }},
        {"a value of the probe", [](Plan&, D& d) { d.probe->worst.front().got += 1; }},
        {"an operation of the probe", [](Plan&, D& d) { d.probe->worst.front().op += "x"; }},
        {"a node of the probe", [](Plan&, D& d) { d.probe->worst.front().node = 999; }},
        {"a node of the probe is gone", [](Plan&, D& d) { d.probe->worst.pop_back(); }},
        {"positions of the probe", [](Plan&, D& d) { d.probe->positions = 3; }},
        {"hash of the plan", [](Plan& p, D&) { p.planHash = otherHash(soundPlan().planHash); }},
        {"hash of the input", [](Plan& p, D&) { p.inputHash = otherHash(soundPlan().inputHash); }},
        {"number of findings", [](Plan& p, D&) { ++pass(p, "diagnostics").counts["advice"]; }},
        {"number of trials", [](Plan& p, D&) { pass(p, "diagnostics").counts["advice_trials"] = 999; }},
        {"bound by order", [](Plan& p, D&) { decision(p, "layer_bounds").alternatives[0].score -= 1; }},
        {"bound by slots", [](Plan& p, D&) { decision(p, "layer_bounds").alternatives[1].score -= 1; }},
        {"bound by heads", [](Plan& p, D&) { decision(p, "layer_bounds").alternatives[2].score -= 1; }},
        {"bound by columns", [](Plan& p, D&) { decision(p, "layer_bounds").alternatives[3].score -= 1; }},
        {"bound of the search",
         [](Plan& p, D&) {
             for (Alternative& a : decision(p, "search").alternatives)
                 if (sentence(a.label) == "bound") ++a.score;
         }},
        {"bounds are gone",
         [](Plan& p, D&) {
             std::erase_if(p.decisions, [](const Decision& d) { return kindName(d) == "layer_bounds"; });
         }},
        {"cause of a refusal",
         [](Plan&, D& d) {
             for (auto& r : refusing(d).refused)
                 r.cause = torchwright::Cause::Admission;
             refusing(d).binding = torchwright::Cause::Admission;
         }},
        {"remaining nodes", [](Plan&, D& d) { ++d.schedule.remainingNodes; }},
        {"position encoding",
         [](Plan&, D& d) {
             auto graph = std::make_shared<torchwright::NodeGraph>(*d.graph);
             graph->position = graph->output;
             d.graph = graph;
         }},
    };
    return kAll;
}

}  // namespace

class TestPlanRecord : public QObject {
    Q_OBJECT

private slots:
    void plan_isSound() { QVERIFY(verify::torchwright::checkPlan(soundPlan()).empty()); }

    void damage_isSeen_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < damages().size(); ++i)
            QTest::newRow(damages()[i].first) << static_cast<int>(i);
    }
    void damage_isSeen() {
        QFETCH(int, index);
        Plan plan = soundPlan();
        memplan::test::dropHashes(plan);
        damages()[static_cast<std::size_t>(index)].second(plan, editTargetData<D>(plan.targetData));
        QVERIFY(!verify::torchwright::checkPlan(plan).empty());
    }

    /// A column that nobody left and nobody is born in.
    void cancelForNobody_isSeen() {
        Plan plan = memplan::test::planNamed("unit_add_free", {{"torchwright.d", "64"}});
        D& data = editTargetData<D>(plan.targetData);
        auto& op = data.schedule.layers.front().attention.back();
        QCOMPARE(op.kind, torchwright::AttentionKind::Cancel);
        op.target.append(torchwright::Columns{60});
        const auto findings = verify::torchwright::checkPlan(plan);
        QVERIFY(std::ranges::any_of(
            findings, [](const Diagnostic& d) { return d.message.find("cancelled for nobody") != std::string::npos; }));
    }
};

MEMPLAN_TEST(TestPlanRecord)
#include "tst_plan_record.moc"
