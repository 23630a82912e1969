// SPDX-License-Identifier: GPL-3.0-or-later
// Plans to compare with, from files (UX 16.1).
#pragma once

#include "app/gui/document/parts/document_parts.h"
#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/graph/cut.h"
#include "engine/plan/plan.h"

#include <string>
#include <utility>
#include <vector>

namespace memplan::app {

/// A file and what a compile of it takes.
struct FileToPlan {
    std::string path;
    Settings settings;
    std::vector<std::pair<std::string, std::string>> bindings = {};
    GraphCut cut = {};
    HintLists hints = {};
    TargetId target = {};  ///< empty = the natural one
};

/// A plan file as it is, anything else that compiles with these inputs.
[[nodiscard]] Result<PlanPtr> planOfFile(const FileToPlan& file, const RunControl& control);

}  // namespace memplan::app
