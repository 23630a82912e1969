// SPDX-License-Identifier: Apache-2.0
// What verify lets pass, and why: changes of values one by one, missing keys by rule.
#include "tests/engine/pipeline/damages.h"

namespace memplan::test {

std::vector<FreeChange> freeChanges() {
    using enum Subject;
    const char* lacks = "a plan file may lack the key: the contract does not ask for it, or it has a default";
    const char* label = "a label that nothing else names";
    const char* set = "a set, in whatever order";
    const char* model = "of a model whose constants no plan file holds: its bounds are compared";
    const char* trial =
        "of trial plans that are kept nowhere: the winner bounds the score from below, all buffers above";
    return {
        {"users of a buffer removed", OneCore, [](Json& p) { bufferOf(p, "exp").erase("x_uses"); }, lacks},
        {"arrangement removed", OneCore, [](Json& p) { bufferOf(p, "exp")["layout"].erase("element_arrangement"); },
         lacks},
        {"stop removed", OneCore, [](Json& p) { p.erase("x_stopped_after"); }, lacks},
        {"hash removed", OneCore, [](Json& p) { p.erase("x_plan_hash"); }, lacks},
        {"estimate removed", OneCore, [](Json& p) { p["target_data"].erase("cost_estimate"); }, lacks},
        {"price of a boundary removed", Kernels, [](Json& p) { kernelOf(p, 1).erase("boundary_bytes"); }, lacks},
        {"record removed", OneCore, [](Json& p) { p.erase("execution"); }, lacks},
        {"tensor of a buffer", OneCore, [](Json& p) { p["execution"]["buffers"][0].erase("denotes"); },
         "it names faults and decides nothing (proof-and-search A3.3)"},
        {"loop variable", Tiled, [](Json& p) { p["execution"]["steps"][1]["loop"]["var"] = "other"; }, label},
        {"name of the graph", OneCore, [](Json& p) { p["execution"]["graph"]["name"] = "other"; }, label},
        {"purpose of the estimate", OneCore, [](Json& p) { estimateOf(p)["purpose"] = "other"; }, label},
        {"sentence of a reason", OneCore, [](Json& p) { bufferOf(p, "x")["reason"]["text"] = "because"; },
         "a sentence for people; its code and its numbers are compared"},
        {"comment of a hint", Tiled, [](Json& p) { p["hints"][0]["comment"] = "why not"; },
         "a comment has no effect (hints.md 1)"},
        {"setting that decides no plan", OneCore, [](Json& p) { p["settings"]["engine.threads"] = 2; },
         "the same plan comes out with as many threads as there are"},
        {"buffers behind a kernel exchanged", Kernels,
         [](Json& p) {
             for (Json& kernel : p["target_data"]["kernels"]) {
                 if (kernel["live_across"].size() > 1) return swapFirst(kernel["live_across"]);
             }
         },
         set},
        {"score of the committed divisions", Searched,
         [](Json& p) { raise(p["target_data"]["co_optimization"]["committed_score"]); }, trial},
        {"traffic of the committed divisions", Searched,
         [](Json& p) { raise(p["target_data"]["co_optimization"]["committed_traffic"]); }, trial},
        {"traffic of the winner", Searched,
         [](Json& p) { raise(p["target_data"]["co_optimization"]["winner_traffic"]); }, trial},
        {"combinations scored", Searched, [](Json& p) { raise(p["target_data"]["co_optimization"]["evaluated"], -1); },
         "of the work of the search, which a time limit or a bound ends early: no more than there are is asked"},
        {"note of the search", Searched, [](Json& p) { p["target_data"]["co_optimization"]["note"] = "why not"; },
         "a sentence for people"},
        {"buffers not pinned exchanged", Searched,
         [](Json& p) {
             for (Json& leaf : p["target_data"]["co_optimization"]["kept"]) {
                 if (leaf["not_pinned"].size() > 1) return swapFirst(leaf["not_pinned"]);
             }
         },
         set},
        {"name of the constants", OneCore, [](Json& p) { estimateOf(p)["calibration"] = "other"; },
         "a label: which file they are of says its hash"},
        {"stated error", OneCore, [](Json& p) { estimateOf(p)["kernels"][0]["stated_error_percent"] = 99.0; }, model},
    };
}

std::vector<DeletionRule> deletionRules() {
    return {
        {"(.*/)?x_.*", "keys of this program alone, which the contract does not ask for"},
        {"(input|passes|version)(/.*)?", "where the plan comes from and what its making said, nothing of the plan"},
        {"metrics/.*", "a figure that is not there is not claimed"},
        {"target_data/(cost_estimate|co_optimization)(/.*)?", "a claim of a model or a search that is not made"},
        {"settings/.*",
         "a setting that is not there has its default; the hash of the inputs says whether the plan was made with it"},
        {"execution(/buffers/\\*/denotes)?", "without a record nothing is executed; names of tensors only name faults"},
        {"execution/graph/(name|source|hints|groups|ops/\\*/(attrs|group))(/.*)?",
         "labels of the graph, and attributes that do not change a function"},
        {"target_data/op_specs/.*/(op_info|stride_map|tiled_symbols(_per_level)?)",
         "said a second time: the layouts of buffers, the operations of target_data and the record have it"},
        {"target_data/ops/[^/]+/(named_dims|dim_hints/\\*/(is_reduction|range_size))",
         "what a hint found in an operation, which is not claimed; the loops and their counts are compared"},
    };
}

}  // namespace memplan::test
