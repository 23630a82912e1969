// SPDX-License-Identifier: Apache-2.0
// Whether a graph that a plan or a bundle is compared with can be the one that it was made of: of another graph every
// value is another one, and that is no fault of the plan or the files.
#pragma once

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/verify/spyre/artefact/bundle/proof.h"

#include <string>

namespace memplan::cli {

/// Inputs and outputs of `own`, the graph of a `subject` ("plan", "bundle"), are those of `other`. Errors: CLI-001.
[[nodiscard]] Result<void> checkGraph(const Graph& own, const Graph& other, const std::string& subject);

/// For files that do not hold their graph, after they were found wrong: what they take is what the graph gives.
/// Errors: CLI-001.
[[nodiscard]] Result<void> checkFiles(const sim::artefact::BundleText& files, const Graph& other);

}  // namespace memplan::cli
