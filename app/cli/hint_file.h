// SPDX-License-Identifier: Apache-2.0
// Reads and writes hint files (hints.md 1); reads one for a graph that is open already. Values of hints are not judged
// here: the passes that read a hint do that.
#pragma once

#include "base/result.h"
#include "graph/graph.h"
#include "io/limits.h"
#include "plan/plan.h"

#include <string>
#include <vector>

namespace memplan::cli {

struct HintContext {
    const Graph& graph;
    const PlanInput& input;
    io::Limits limits;
};

struct ReadHints {
    std::vector<Hint> hints;              ///< in file order
    std::vector<Diagnostic> diagnostics;  ///< HNT-005, HNT-009 (warnings), HNT-011 (notes)
};

/// Errors: HNT-010 with line:column or a JSON pointer; IN-904 and others for the file itself.
[[nodiscard]] Result<ReadHints> readHintFile(const std::string& path, const HintContext& context);
/// The same on text in memory.
[[nodiscard]] Result<ReadHints> readHints(const std::string& text, const HintContext& context);

struct HintedGraph {
    std::string name, sha256;
};

/// A hint file for these hints; reading it back gives equal hints.
[[nodiscard]] std::string hintFileText(const HintedGraph& graph, const std::vector<Hint>& hints);

}  // namespace memplan::cli
