// SPDX-License-Identifier: Apache-2.0
// Damage of what a plan file says of the work of the compile: counters, figures of passes, sentences, switches.
#include "tests/engine/ttnn/plan_damage.h"

using namespace memplan::ttnn;

namespace memplan::test {
namespace {

constexpr Wording kWeather{"the weather"};

ChainInfo& chainOf(TtnnData& data, std::size_t chain) {
    return data.record.chains.at(chain);
}
EdgeInfo& edgeBetween(TtnnData& data) {
    const auto it = std::ranges::find_if(data.record.edges, [](const EdgeInfo& e) { return e.producer.isValid(); });
    if (it == data.record.edges.end()) qFatal("no edge joins two operations");
    return *it;
}
PassRun& pass(Plan& plan, const char* name) {
    const auto it = std::ranges::find(plan.passes, name, &PassRun::name);
    if (it == plan.passes.end()) qFatal("no pass %s", name);
    return *it;
}
Reason& reasonOf(Plan& plan, ReasonCode code) {
    const auto it =
        std::ranges::find_if(plan.buffers, [&](const PlanBuffer& b) { return b.reason && b.reason->code == code; });
    if (it == plan.buffers.end()) qFatal("no value has that reason");
    return *it->reason;
}
Diagnostic& refusal(Plan& plan) {
    const auto it = std::ranges::find_if(plan.problems, [](const Diagnostic& d) { return d.code.starts_with("RES-"); });
    if (it == plan.problems.end()) qFatal("no value is refused");
    return *it;
}
/// What a pass has found about an operation.
Diagnostic& found(Plan& plan) {
    for (PassRun& run : plan.passes)
        for (Diagnostic& d : run.diagnostics)
            if (d.where.starts_with("op ") && !d.ops.empty()) return d;
    qFatal("no pass has found anything");
}
Decision& choice(Plan& plan) {
    const auto it = std::ranges::find_if(plan.decisions, [](const Decision& d) { return d.alternatives.size() > 1; });
    if (it == plan.decisions.end()) qFatal("nothing was chosen of several");
    return *it;
}
void switchOff(Plan& plan, const char* key) {
    if (!plan.settings.set(key, "false")) qFatal("no setting %s", key);
}

}  // namespace

const std::vector<PlanDamage>& workDamages() {
    static const std::vector<PlanDamage> kCases{
        {"merges switched off", "VER-013 settings ttnn.chain_merging: it is off, but the plan has merges",
         [](Plan& p, TtnnData&) { switchOff(p, "ttnn.chain_merging"); }},
        {"reshards switched off", "VER-013 settings ttnn.memreconfig: it is off, but the plan has reshards",
         [](Plan& p, TtnnData&) { switchOff(p, "ttnn.memreconfig"); }},
        {"limit of layouts", "VER-008 edge to matmul_3: it says 64 configurations, there are at most 2",
         [](Plan& p, TtnnData&) {
             if (!p.settings.set("ttnn.max_legal_layouts", "2")) qFatal("no such setting");
         }},
        {"analysis switched off", "VER-013 settings ttnn.memory_layout_analysis: it is off, but the plan has chains",
         [](Plan& p, TtnnData&) { switchOff(p, "ttnn.memory_layout_analysis"); }},
        {"operations of a pass", "VER-013 passes ttir_to_ttnn operations: says",
         [](Plan& p, TtnnData&) { ++pass(p, "ttir_to_ttnn").counts["operations"]; }},
        {"conversions of a pass", "VER-013 passes graph_transformation conversions: says",
         [](Plan& p, TtnnData&) { pass(p, "graph_transformation").counts["conversions"] = 0; }},
        {"chains of the analysis", "VER-013 passes memory_layout_analysis chains: says",
         [](Plan& p, TtnnData&) { ++pass(p, "memory_layout_analysis").counts["chains"]; }},
        {"code of a finding", "VER-013 finding TT-999: there is no such code",
         [](Plan& p, TtnnData&) { found(p).code = "TT-999"; }},
        {"pass of a finding", "VER-013 finding TT-0", [](Plan& p, TtnnData&) { found(p).pass = "weather"; }},
        {"place of a finding", "VER-013 finding TT-0", [](Plan& p, TtnnData&) { found(p).where = "op weather"; }},
        {"problem that nobody found", "VER-013 problem TT-0", [](Plan& p, TtnnData&) { found(p).message += "!"; }},
        {"word of a purpose", "VER-008 reservation of matmul_1: its purpose is weather, which is none",
         [](Plan&, TtnnData& d) { d.record.reservations.front().purpose = "weather"; }},
        {"rounds", "VER-008 chain 0: its counters have 100 rounds",
         [](Plan&, TtnnData& d) { chainOf(d, 0).counters.rounds = 100; }},
        {"no round", "VER-008 chain 0: its counters have 0 rounds",
         [](Plan&, TtnnData& d) { chainOf(d, 0).counters.rounds = 0; }},
        {"edges checked", "VER-008 chain 0: its counters have 9 edges checked",
         [](Plan&, TtnnData& d) { chainOf(d, 0).counters.edgesChecked = 9; }},
        {"no edge checked", "VER-008 chain 2: its counters have 0 edges checked",
         [](Plan&, TtnnData& d) { chainOf(d, 2).counters.edgesChecked = 0; }},
        {"no question to the model", "VER-008 chain 0: its counters have no question to the model",
         [](Plan&, TtnnData& d) { chainOf(d, 0).counters.modelCalls = chainOf(d, 0).counters.cacheHits = 0; }},
        {"operation without a visit", "VER-008 chain 2: its counters have an operation that propagation never came to",
         [](Plan&, TtnnData& d) { chainOf(d, 2).counters.visits.back() = 0; }},
        {"chain of a concatenation", "VER-008 chain 0: it is said to be of a concatenation, and is not",
         [](Plan&, TtnnData& d) { chainOf(d, 0).isConcat = true; }},
        {"configurations of a producer", "VER-008 edge to matmul_3: it says 600 configurations",
         [](Plan&, TtnnData& d) { edgeBetween(d).producerConfigs = 600; }},
        {"no configuration of a producer", "VER-008 edge to matmul_3: its chain is completed, but its producer has no",
         [](Plan&, TtnnData& d) { edgeBetween(d).producerConfigs = 0; }},
        {"no pair of an edge", "VER-008 edge to matmul_3: its chain is completed, but no pair was chosen",
         [](Plan&, TtnnData& d) {
             edgeBetween(d).selected = {-1, -1};
         }},
        {"choice of an operation", "VER-008 edge to matmul_3: it chose configuration 63 of multiply_2",
         [](Plan&, TtnnData& d) { edgeBetween(d).selected.first = 63; }},
        {"name of a pass", "VER-013 passes weather: there is no such pass",
         [](Plan& p, TtnnData&) { pass(p, "fuse_ops").name = "weather"; }},
        {"order of the passes", "VER-013 passes ttir_to_ttnn: it ran before the one that stands before it",
         [](Plan& p, TtnnData&) { std::swap(pass(p, "ttir_to_ttnn"), pass(p, "fuse_ops")); }},
        {"parent of a pass", "VER-013 passes memory_layout_analysis.build_chains: it is said to be a step of",
         [](Plan& p, TtnnData&) { pass(p, "memory_layout_analysis.build_chains").parent.clear(); }},
        {"chains of a pass", "VER-013 passes memory_layout_analysis.build_chains chains: says",
         [](Plan& p, TtnnData&) { ++pass(p, "memory_layout_analysis.build_chains").counts["chains"]; }},
        {"merges of a pass", "VER-013 passes memory_layout_analysis merges: says",
         [](Plan& p, TtnnData&) { ++pass(p, "memory_layout_analysis").counts["merges"]; }},
        {"spills of a pass", "VER-013 passes update_function_types spills: says",
         [](Plan& p, TtnnData&) { ++pass(p, "update_function_types").counts["spills"]; }},
        {"peak of a pass", "VER-013 passes update_function_types peak_l1: says",
         [](Plan& p, TtnnData&) { --pass(p, "update_function_types").counts["peak_l1"]; }},
        {"sharded configurations of a pass", "VER-013 passes legal_op_config_analysis: it has more sharded",
         [](Plan& p, TtnnData&) { pass(p, "legal_op_config_analysis").counts["configurations"] = 1; }},
        {"why an argument is off chip", "VER-013 buffer arg0: says it is off chip since the weather",
         [](Plan& p, TtnnData&) { reasonOf(p, ReasonCode::GraphInput).stated = {kWeather}; }},
        {"why a result is off chip", "VER-013 buffer matmul_3_spill: says it is off chip since the weather",
         [](Plan& p, TtnnData&) { reasonOf(p, ReasonCode::GraphOutput).stated = {kWeather}; }},
        {"why a merge was refused", "VER-013 buffer matmul_0_spill: says it is off chip since the weather",
         [](Plan& p, TtnnData&) { reasonOf(p, ReasonCode::MergeRejected).stated = {kWeather}; }},
        {"message of a problem", "VER-013 problem RES-006 of matmul_0_spill: its message is not why",
         [](Plan& p, TtnnData&) { refusal(p).message += "!"; }},
        {"place of a problem", "VER-013 problem RES-006 of matmul_0_spill: it is said to be at buffer weather",
         [](Plan& p, TtnnData&) { refusal(p).where = "buffer weather"; }},
        {"code of a problem", "VER-013 problem RES-003 of matmul_0_spill: its code is not that of the reason",
         [](Plan& p, TtnnData&) { refusal(p).code = "RES-003"; }},
        {"layout of a decision", "VER-013 decision of matmul_0: chose the weather, the result is l1",
         [](Plan& p, TtnnData&) { choice(p).chosen = {kWeather}; }},
        {"words of a choice", "VER-013 decision of matmul_0: has a choice that is no sharded layout: the weather",
         [](Plan& p, TtnnData&) { choice(p).alternatives[1].label = {kWeather}; }},
        {"cores of a choice", "VER-013 decision of matmul_0: says that l1",
         [](Plan& p, TtnnData&) { choice(p).alternatives[0].score = 0.5; }},
        {"reason of a decision", "VER-013 decision of matmul_0: says the weather, the plan: ",
         [](Plan& p, TtnnData&) { choice(p).why = {kWeather}; }},
        {"dimension of a shape", "VER-008 buffer arg0: a dimension of its shape is -1",
         [](Plan& p, TtnnData&) { p.buffers[0].shape[0] = -1; }},
        {"convolution of no rows", "VER-008 buffer conv2d_4: a dimension of its shape is 0",
         [](Plan& p, TtnnData& d) {
             for (const TtnnTensor& t : named(d, "ttnn.conv2d").results)
                 p.buffers[t.buffer.at()].shape = {1, 1, 0, 64};
         }},
    };
    return kCases;
}

/// A product with a batch takes interleaved operands only.
const Plan& failedPlan() {
    static const PlanPtr kPlan = [] {
        FunctionBuilder b;
        const ValueId first = b.add("relu", {b.argument({8, 128, 256})}, {8, 128, 256});
        b.giveBack(b.add("matmul", {first, b.argument({8, 256, 128})}, {8, 128, 128}));
        return compileFunction(b.function).plan;
    }();
    return *kPlan;
}

const std::vector<PlanDamage>& failureDamages() {
    static const std::vector<PlanDamage> kCases{
        {"stage", "VER-008 chain 0: it failed at the stage weather, which is none",
         [](Plan&, TtnnData& d) { chainOf(d, 0).failure->stage = "weather"; }},
        {"stage of another edge", "VER-008 chain 0: it failed at the stage entry, but not there",
         [](Plan&, TtnnData& d) { chainOf(d, 0).failure->stage = "entry"; }},
        {"operand", "VER-008 chain 0: it failed at operand 1, but follows operand 0",
         [](Plan&, TtnnData& d) { chainOf(d, 0).failure->operand = 1; }},
        {"producer", "VER-008 chain 0: it failed at an edge that is none of its own",
         [](Plan&, TtnnData& d) { chainOf(d, 0).failure->producer = chainOf(d, 0).failure->consumer; }},
        {"times of a reason", "VER-008 chain 0: it failed for a reason that was given no time",
         [](Plan&, TtnnData& d) { chainOf(d, 0).failure->reasons.front().second = 0; }},
        {"reason of the chain", "VER-013 buffer relu_0: says it is off chip since its chain failed",
         [](Plan&, TtnnData& d) {
             for (auto& reason : chainOf(d, 0).failure->reasons)
                 reason.first = "the weather";
         }},
        {"why its value is off chip", "VER-013 buffer relu_0: says it is off chip since the weather",
         [](Plan& p, TtnnData&) { reasonOf(p, ReasonCode::ChainFailed).stated = {kWeather}; }},
    };
    return kCases;
}

}  // namespace memplan::test
