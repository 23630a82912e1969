// SPDX-License-Identifier: Apache-2.0
// Damage of the passes that a plan file names, of what it says was forced, and of what is said only once, which only
// its hashes show.
#include "tests/engine/ttnn/advice_modules.h"
#include "tests/engine/ttnn/plan_damage.h"

#include <cmath>

using namespace memplan::ttnn;

namespace memplan::test {
namespace {

PassRun& pass(Plan& plan, const char* name) {
    const auto it = std::ranges::find(plan.passes, name, &PassRun::name);
    if (it == plan.passes.end()) qFatal("no pass %s", name);
    return *it;
}
void set(Plan& plan, const char* key, const char* text) {
    if (!plan.settings.set(key, text)) qFatal("no setting %s", key);
}
/// The same in the pass and in the list of all.
Diagnostic& found(Plan& plan) {
    for (PassRun& run : plan.passes)
        if (!run.diagnostics.empty()) return run.diagnostics.front();
    qFatal("no pass has found anything");
}

std::vector<Alternative>& choices(Plan& plan) {
    const auto it = std::ranges::find_if(plan.decisions, [](const Decision& d) { return d.alternatives.size() == 32; });
    if (it == plan.decisions.end()) qFatal("nothing was chosen of 32");
    return it->alternatives;
}

constexpr const char* kWhole = "memory_layout_analysis";
constexpr const char* kMerging = "memory_layout_analysis.merge_chains";

}  // namespace

const std::vector<PlanDamage>& passDamages() {
    static const std::vector<PlanDamage> kCases{
        {"title", "VER-013 passes fuse_ops: its title is \"The weather\"",
         [](Plan& p, TtnnData&) { pass(p, "fuse_ops").title = "The weather"; }},
        {"mandatory", "VER-013 passes check_overrides: it is said to be optional",
         [](Plan& p, TtnnData&) { pass(p, "check_overrides").mandatory = false; }},
        {"optional", "VER-013 passes fuse_ops: it is said to be mandatory",
         [](Plan& p, TtnnData&) { pass(p, "fuse_ops").mandatory = true; }},
        {"negative time", "VER-013 passes fuse_ops: it took -1 seconds",
         [](Plan& p, TtnnData&) { pass(p, "fuse_ops").seconds = -1; }},
        {"endless time", "VER-013 passes fuse_ops: it took inf seconds",
         [](Plan& p, TtnnData&) { pass(p, "fuse_ops").seconds = HUGE_VAL; }},
        {"time of the steps", "VER-013 passes memory_layout_analysis seconds: says 3, the plan gives 0",
         [](Plan& p, TtnnData&) { pass(p, kWhole).seconds = 3; }},
        {"change that is none", "VER-013 passes check_overrides: it is said to have changed the program",
         [](Plan& p, TtnnData&) { pass(p, "check_overrides").changed = true; }},
        {"change of a step", "VER-013 passes memory_layout_analysis.merge_chains: it is said to have changed nothing",
         [](Plan& p, TtnnData&) { pass(p, kMerging).changed = false; }},
        {"change of the whole", "VER-013 passes memory_layout_analysis: it is said to have changed nothing",
         [](Plan& p, TtnnData&) { pass(p, kWhole).changed = false; }},
        {"pass that is switched off", "VER-013 passes fuse_ops: it ran, and ttnn.fusing switches it off",
         [](Plan& p, TtnnData&) { set(p, "ttnn.fusing", "false"); }},
        {"pass left out", "VER-013 passes fuse_ops: it did not run, and nothing switches it off",
         [](Plan& p, TtnnData&) { std::erase_if(p.passes, [](const PassRun& r) { return r.name == "fuse_ops"; }); }},
        {"configuration of an edge", "VER-008 edge to matmul_0: it chose configuration",
         [](Plan&, TtnnData& d) { ++d.record.edges.front().selected.second; }},
        {"order of the choices", "VER-013 decision of matmul_0: choice 0 is l1",
         [](Plan& p, TtnnData&) { std::swap(choices(p)[0].label, choices(p)[1].label); }},
        {"choice left out", "VER-013 decision of matmul_0: has 31 choices, the operation has 64",
         [](Plan& p, TtnnData&) { choices(p).pop_back(); }},
        {"kind of a decision", "VER-013 decision of pass memory_layout_analysis: it is of kind split, and no layout",
         [](Plan& p, TtnnData&) { p.decisions[0].kind = DecisionKind::Split; }},
        {"pass of a decision", "VER-013 decision of matmul_0: is said to be made by pass weather",
         [](Plan& p, TtnnData&) { p.decisions[0].pass = "weather"; }},
        {"value of a decision", "VER-013 decision of matmul_0: is about another value than the result",
         [](Plan& p, TtnnData&) { p.decisions[0].buffer = p.decisions[1].buffer; }},
        {"decision left out", "VER-013 op matmul_0: has 0 decisions",
         [](Plan& p, TtnnData&) { p.decisions.erase(p.decisions.begin()); }},
        {"decision twice", "VER-013 op matmul_0: has 2 decisions",
         [](Plan& p, TtnnData&) { p.decisions.push_back(p.decisions[0]); }},
        {"pass of a refusal", "VER-013 problem RES-006 of matmul_0_spill: it is said to be of pass weather",
         [](Plan& p, TtnnData&) {
             std::ranges::find_if(p.problems, [](const Diagnostic& d) { return d.code == "RES-006"; })->pass =
                 "weather";
         }},
        {"finding that no problem repeats", "VER-013 finding TT-0",
         [](Plan& p, TtnnData&) { std::erase(p.problems, Diagnostic(found(p))); }},
        {"operations of a problem", "VER-013 problem TT-0",
         [](Plan& p, TtnnData&) { std::ranges::find(p.problems, found(p))->ops.push_back(OpId{1}); }},
        {"domain of an operation", "VER-013 op matmul_0 origin domain: says weather",
         [](Plan& p, TtnnData&) { p.ops[0].origin.domain = "weather"; }},
        {"group of an operation", "VER-013 op matmul_0 group: says weather",
         [](Plan& p, TtnnData&) { p.ops[0].groupPath = "weather"; }},
        {"pass that ended it", "VER-013 x_stopped_after: says fuse_ops, which is not the last pass that ran",
         [](Plan& p, TtnnData&) { p.stoppedAfter = "fuse_ops"; }},
        {"scalar types", "VER-013 passes scalar_data_type_analysis scalar_types: says 0, the plan gives 1 to 14",
         [](Plan& p, TtnnData&) { pass(p, "scalar_data_type_analysis").counts["scalar_types"] = 0; }},
        {"tensors", "VER-013 passes legal_tensor_layout_analysis tensors: says 7, the plan gives 6",
         [](Plan& p, TtnnData&) { ++pass(p, "legal_tensor_layout_analysis").counts["tensors"]; }},
        {"legal layouts", "VER-013 passes legal_tensor_layout_analysis layouts: says",
         [](Plan& p, TtnnData&) { --pass(p, "legal_tensor_layout_analysis").counts["layouts"]; }},
        {"layouts of operations", "VER-013 passes legal_op_layout_analysis sharded_layouts: says",
         [](Plan& p, TtnnData&) { ++pass(p, "legal_op_layout_analysis").counts["sharded_layouts"]; }},
        {"layouts that are cut", "VER-013 passes legal_op_layout_analysis cut_by_the_limit: says",
         [](Plan& p, TtnnData&) { ++pass(p, "legal_op_layout_analysis").counts["cut_by_the_limit"]; }},
        {"limit of layouts", "VER-013 passes legal_op_layout_analysis sharded_layouts: says",
         [](Plan& p, TtnnData&) { set(p, "ttnn.max_legal_layouts", "8"); }},
        {"row-major layouts", "VER-013 passes legal_op_layout_analysis sharded_layouts: says",
         [](Plan& p, TtnnData&) { set(p, "ttnn.row_major", "true"); }},
        {"configurations", "VER-013 passes legal_op_config_analysis configurations: says",
         [](Plan& p, TtnnData&) { pass(p, "legal_op_config_analysis").counts["configurations"] *= 3; }},
        {"sharded configurations", "VER-013 passes legal_op_config_analysis sharded: says",
         [](Plan& p, TtnnData&) { pass(p, "legal_op_config_analysis").counts["sharded"] /= 2; }},
        {"conversions", "VER-013 passes graph_transformation conversions: says",
         [](Plan& p, TtnnData&) { ++pass(p, "graph_transformation").counts["conversions"]; }},
        {"calls of the model", "VER-013 passes update_function_types: the model was asked 1 times",
         [](Plan& p, TtnnData&) { pass(p, "update_function_types").counts["model_calls"] = 1; }},
    };
    return kCases;
}

const Plan& forcedPlan() {
    static const PlanPtr kPlan = [] {
        SmallCase small{sketch(),
                        {{"ttnn.override_output_layout", "gelu_3=interleaved:dram,abs_2=dram"},
                         {"ttnn.insert_memreconfig", "matmul_5=0"}}};
        small.hints = {opHint("add_4", "output_layout", R"({"buffer": "l1", "grid": [8, 8], "mem": "block_sharded"})"),
                       opHint("abs_2", "output_layout", R"({"buffer": "l1"})")};
        return memplan::compile(requestOf(small), {}).plan;
    }();
    return *kPlan;
}

const std::vector<PlanDamage>& overrideDamages() {
    static const std::vector<PlanDamage> kCases{
        {"all left out", "VER-013 overrides override-output-layout: does not force add_4, as a setting or a hint does",
         [](Plan&, TtnnData& d) { d.overrides.clear(); }},
        {"option left out", "VER-013 overrides insert-memreconfig: does not force matmul_5",
         [](Plan&, TtnnData& d) { d.overrides.erase(0, d.overrides.find(' ') + 1); }},
        {"entry that nobody wants", "VER-013 overrides override-output-layout: forces softmax_6, as no setting and no",
         [](Plan&, TtnnData& d) { d.overrides += ",softmax_6=l1"; }},
        {"word of a setting", "VER-013 overrides override-output-layout: forces gelu_3, as no setting and no hint does",
         [](Plan& p, TtnnData&) { set(p, "ttnn.override_output_layout", "gelu_3=l1:interleaved,abs_2=dram"); }},
        {"setting taken back",
         "VER-013 overrides override-output-layout: forces gelu_3, as no setting and no hint does",
         [](Plan& p, TtnnData&) { set(p, "ttnn.override_output_layout", ""); }},
        {"operand of a conversion", "VER-013 overrides insert-memreconfig: forces matmul_5, as no setting and no hint",
         [](Plan& p, TtnnData&) { set(p, "ttnn.insert_memreconfig", "matmul_5=1"); }},
        {"value of a hint", "VER-013 overrides override-output-layout: forces add_4, as no setting and no hint does",
         [](Plan& p, TtnnData&) { p.hints[0].value = *HintValue::parse(R"({"buffer": "l1", "grid": [4, 8]})"); }},
        {"hint taken back", "VER-013 overrides override-output-layout: forces add_4, as no setting and no hint does",
         [](Plan& p, TtnnData&) { p.hints[0].enabled = false; }},
        {"hint over a setting",
         "VER-013 overrides override-output-layout: forces abs_2, as no setting and no hint does",
         [](Plan& p, TtnnData&) { p.hints[1].enabled = false; }},
    };
    return kCases;
}

const std::vector<PlanDamage>& hashDamages() {
    static const std::vector<PlanDamage> kCases{
        {"hash of the decisions", "VER-013 x_plan_hash: what was decided gives",
         [](Plan& p, TtnnData&) { p.planHash.back() = p.planHash.back() == '0' ? '1' : '0'; }},
        {"hash of the input", "VER-013 x_input_hash: graph, settings and hints give",
         [](Plan& p, TtnnData&) { p.inputHash.back() = p.inputHash.back() == '0' ? '1' : '0'; }},
        {"hash of a part", "VER-013 hash of input: it was changed after the plan was made",
         [](Plan&, TtnnData& d) { d.hashes.front().second = "0123456789abcdef"; }},
        {"hash left out", "VER-013 hash of input: there is none, and of other parts there is",
         [](Plan&, TtnnData& d) { d.hashes.erase(d.hashes.begin()); }},
        {"part that is not there", "VER-013 hash of x_more: the plan has no such part",
         [](Plan&, TtnnData& d) { d.hashes.emplace_back("x_more", "0123456789abcdef"); }},
        {"file of the input", "VER-013 hash of input: it was changed",
         [](Plan& p, TtnnData&) { p.input.sha256 = std::string(64, '0'); }},
        {"name of the input", "VER-013 hash of input: it was changed", [](Plan& p, TtnnData&) { p.input.name += "x"; }},
        {"format of the input", "VER-013 hash of input: it was changed",
         [](Plan& p, TtnnData&) { p.input.format = "onnx"; }},
        {"setting without a trace", "VER-013 hash of settings: it was changed",
         [](Plan& p, TtnnData&) { set(p, "engine.seed", "77"); }},
        {"setting of the advice", "VER-013 hash of settings: it was changed",
         [](Plan& p, TtnnData&) { set(p, "ttnn.advice_trials", "3"); }},
        {"hint without a trace", "VER-013 hash of hints: it was changed",
         [](Plan& p, TtnnData&) { p.hints.emplace_back(); }},
        {"override text", "VER-013 hash of target_data overrides: there is none",
         [](Plan&, TtnnData& d) { d.overrides = "override-output-layout=relu_1=l1"; }},
        {"function", "VER-013 hash of target_data function: it was changed",
         [](Plan&, TtnnData& d) { d.function += "x"; }},
        {"location of an operation", "VER-013 hash of target_data layouts: it was changed",
         [](Plan&, TtnnData& d) { d.ops.front().locationText += "x"; }},
        {"circular buffers of the device", "VER-013 hash of target_data device: it was changed",
         [](Plan&, TtnnData& d) { ++d.device.circularBuffers; }},
        {"alignment of DRAM", "VER-013 hash of target_data device: it was changed",
         [](Plan&, TtnnData& d) { d.device.dramAlignment *= 2; }},
        {"architecture", "VER-013 hash of target_data device: it was changed",
         [](Plan&, TtnnData& d) { d.device.arch += "x"; }},
        {"size of a channel", "VER-013 hash of target_data device: it was changed",
         [](Plan&, TtnnData& d) { ++d.device.dramChannelSize; }},
        {"model calls of a chain", "VER-013 hash of target_data chains: it was changed",
         [](Plan&, TtnnData& d) { --d.record.chains.front().counters.modelCalls; }},
        {"cache hits of a chain", "VER-013 hash of target_data chains: it was changed",
         [](Plan&, TtnnData& d) { ++d.record.chains.front().counters.cacheHits; }},
        {"configurations of an edge", "VER-013 hash of target_data edges: it was changed",
         [](Plan&, TtnnData& d) {
             const auto it =
                 std::ranges::find_if(d.record.edges, [](const EdgeInfo& e) { return e.producerConfigs > 1; });
             if (it == d.record.edges.end()) qFatal("no edge has two configurations");
             --it->producerConfigs;
         }},
        {"message of a refused merge", "VER-013 hash of target_data merges: it was changed",
         [](Plan&, TtnnData& d) { d.record.merges.front().message += "x"; }},
        {"calls of the model", "VER-013 hash of passes: it was changed",
         [](Plan& p, TtnnData&) { ++pass(p, "update_function_types").counts["model_calls"]; }},
        {"layouts of the search space", "VER-013 hash of passes: it was changed",
         [](Plan& p, TtnnData&) { ++pass(p, "legal_tensor_layout_analysis").counts["layouts"]; }},
        {"text of a finding, twice", "VER-013 hash of x_problems: it was changed",
         [](Plan& p, TtnnData&) {
             const auto same = std::ranges::find(p.problems, found(p));
             if (same == p.problems.end()) qFatal("the plan does not list what a pass has found");
             same->message = found(p).message = "The weather";
         }},
        {"score of an alternative", "VER-013 hash of x_decisions: it was changed",
         [](Plan& p, TtnnData&) {
             for (Decision& d : p.decisions)
                 for (Alternative& a : d.alternatives)
                     a.score += 1;
         }},
    };
    return kCases;
}

}  // namespace memplan::test
