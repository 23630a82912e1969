// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/export_plan.h"

#include "engine/io/files/folder.h"
#include "engine/target/compile.h"
#include "engine/target/verify.h"

namespace memplan::cli {

Result<void> exportPlan(const Plan& plan, const std::string& folder, bool force) {
    if (auto sound = requireSound(plan); !sound) return sound;
    Diagnostics notes;  // reported by the passes already
    auto files = planArtefacts(plan, notes);
    if (!files) return std::move(files).error();
    if (files.value().empty())
        return makeError("EXP-006", "", "the target " + plan.target + " has no files of its own to export",
                         "leave --export out: --out writes the plan");
    return io::writeFolder(folder, files.value(), force);
}

}  // namespace memplan::cli
