// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/hash_rules.h"

#include "engine/plan/input_hash.h"
#include "engine/plan/plan_hash.h"
#include "engine/plan/ttnn_data.h"
#include "engine/ttnn/plan_file/codec.h"

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
    const PartHashes found = memplan::ttnn::partHashes(plan);
    const auto hashOf = [](const PartHashes& hashes, std::string_view part) {
        const auto it = std::ranges::find(hashes, part, &PartHashes::value_type::first);
        return it != hashes.end() ? it->second : std::string();
    };
    for (const auto& [part, hash] : found) {
        // A version with fewer settings hashed fewer: the reader has emptied the other hashes for the same reason.
        const bool isOfFewer = part == "settings" || part == "x_input_hash" || part == "x_plan_hash";
        if (isOfFewer && plan.inputHash.empty()) continue;
        const std::string said = hashOf(stated, part);
        if (said.empty())
            report.add("VER-013", "hash of " + part, "there is none, and of other parts there is");
        else if (said != hash)
            report.add("VER-013", "hash of " + part,
                       "it was changed after the plan was made: its content gives " + hash);
    }
    for (const auto& [part, hash] : stated) {
        if (hashOf(found, part).empty())
            report.add("VER-013", "hash of " + part, "the plan has no such part: it was taken out after it was made");
    }
}

}  // namespace memplan::verify::ttnn
