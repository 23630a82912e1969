// SPDX-License-Identifier: Apache-2.0
// A plan with all that belongs to it in one folder, under a manifest with hashes (inputs-and-interchange 5.1).
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/io/files/folder.h"
#include "engine/json/limits.h"
#include "engine/plan/plan.h"

#include <string>
#include <vector>

namespace memplan::io {

struct PlanBundleParts {
    const Plan& plan;
    const Graph* graph = nullptr;         ///< null for inputs that are no graph: graph.mpg.json is left out
    std::string hintsText;                ///< a hint file
    std::vector<FolderFile> targetFiles;  ///< the target's own, put below its name
};

/// manifest.json, graph.mpg.json, plan.json, hints.json, report.txt and the target's folder. Equal plans give equal
/// bytes: no time stamp, no name of a user or a machine.
[[nodiscard]] std::vector<FolderFile> planBundle(const PlanBundleParts& parts);

/// True for a folder with the manifest of a bundle.
[[nodiscard]] bool isPlanBundle(const std::string& folder);

/// Text of plan.json after every file of the manifest was compared with its hash. Errors: BND-002 the first file
/// that is missing or differs, BND-003 a path that leaves the folder, BND-004 a file above the limits, BND-105 a
/// manifest that is not as it must be. Files that the manifest does not list are warnings in `notes`.
[[nodiscard]] Result<std::string> readPlanBundle(const std::string& folder, const Limits& limits,
                                                 const RunControl& control, Diagnostics& notes);

}  // namespace memplan::io
