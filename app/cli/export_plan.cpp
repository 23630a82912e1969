// SPDX-License-Identifier: Apache-2.0
#include "cli/export_plan.h"

#include "io/folder.h"
#include "pipeline/artefacts.h"
#include "verify/verify.h"

namespace memplan::cli {

Result<void> exportPlan(const Plan& plan, const std::string& folder, bool force) {
    if (auto sound = requireSound(plan); !sound) return sound;
    Diagnostics notes;  // told by the passes already
    auto files = planArtefacts(plan, notes);
    if (!files) return std::move(files).error();
    return io::writeFolder(folder, files.value(), force);
}

}  // namespace memplan::cli
