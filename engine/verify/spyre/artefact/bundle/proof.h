// SPDX-License-Identifier: Apache-2.0
// Proof of an exported bundle: runs its files on memories of their own and compares what they leave with direct
// evaluation of the graph (proof-and-search A5).
#pragma once

#include "engine/base/run_control.h"
#include "engine/graph/graph.h"
#include "engine/sim/mutants/mutation_report.h"
#include "engine/sim/outcome.h"
#include "engine/verify/spyre/artefact/bundle/loaded.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::sim::artefact {

struct ProofOptions {
    SimOptions sim;
    std::map<std::int64_t, std::string> arguments;  ///< --bind-arg: argument of the only kernel -> tensor id
    std::int64_t lxBytes = 2'097'152;               ///< scratchpad of one core; the files do not say it
};

/// Proves the bundle against the graph. A bundle that is damaged, reads what it must not or computes something else is
/// an outcome. Errors: VER-021 arguments that cannot be bound, VER-025 a graph that cannot be evaluated, VER-026 over
/// the limits, CANCELLED.
[[nodiscard]] Result<Outcome> proveBundle(const BundleText& text, const Graph& graph, const ProofOptions& options,
                                          const RunControl& control);

/// A13 on the text: damages copies of the files, `most` of them at most, and expects each to be found wrong.
[[nodiscard]] Result<MutationReport> mutateBundle(const BundleText& text, const Graph& graph,
                                                  const ProofOptions& options, std::int64_t most,
                                                  const RunControl& control);

}  // namespace memplan::sim::artefact
