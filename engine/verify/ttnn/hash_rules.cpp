// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/hash_rules.h"

#include "engine/plan/ttnn_data.h"
#include "engine/ttnn/plan_file/codec.h"
#include "engine/verify/plan_hashes.h"

#include <algorithm>

namespace memplan::verify::ttnn {
namespace {

void checkPartHashes(const Plan& plan, Report& report) {
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

}  // namespace

void checkHashes(const Plan& plan, Report& report) {
    checkPlanHash(plan, report);
    // The content of that file counts too.
    if (plan.settings.text("ttnn.system_desc").empty()) checkInputHash(plan, report);
    checkPartHashes(plan, report);
}

}  // namespace memplan::verify::ttnn
