// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/hash_rules.h"

#include "engine/plan/input_hash.h"
#include "engine/plan/plan_hash.h"
#include "engine/plan/ttnn_data.h"
#include "engine/plan/ttnn_hashes.h"

#include <algorithm>

namespace memplan::verify::ttnn {
namespace {

/// Of the decisions, and of the input where the plan has its graph and no file is named whose content counts too.
void checkOwnHashes(const Plan& plan, Report& report) {
    if (!plan.planHash.empty() && plan.planHash != planHash(plan))
        report.add("VER-013", "x_plan_hash", "the operations and sizes give " + planHash(plan));
    if (plan.inputHash.empty() || !plan.graph || !plan.settings.text("ttnn.system_desc").empty()) return;
    HashedInput input{plan.target, plan.graph.get(), &plan.settings, &plan.hints, std::string(), plan.stoppedAfter};
    input.machine = machineKey(plan.machine);
    if (plan.inputHash != inputHash(input))
        report.add("VER-013", "x_input_hash", "graph, settings and hints give " + inputHash(input));
}

}  // namespace

void checkHashes(const Plan& plan, Report& report) {
    checkOwnHashes(plan, report);
    const PartHashes& stated = ttnnData(plan).hashes;
    if (stated.empty()) return;
    for (const auto& [part, hash] : ttnnHashes(plan)) {
        // A version with fewer settings hashed fewer: the reader has emptied the hash of the input for the same reason.
        if (part == "settings" && plan.inputHash.empty()) continue;
        const auto found = std::ranges::find(stated, part, &PartHashes::value_type::first);
        if (found == stated.end())
            report.add("VER-013", "hash of " + part, "there is none, and of other parts there is");
        else if (found->second != hash)
            report.add("VER-013", "hash of " + part,
                       "it was changed after the plan was made: its content gives " + hash);
    }
}

}  // namespace memplan::verify::ttnn
