// SPDX-License-Identifier: Apache-2.0
// One run of a loaded bundle against the graph; the mutation test runs many with one evaluation.
#pragma once

#include "engine/verify/spyre/artefact/binding.h"
#include "engine/verify/spyre/artefact/bundle/proof.h"
#include "engine/verify/spyre/artefact/oracle.h"

#include <optional>
#include <unordered_set>

namespace memplan::sim::artefact {

/// Runs the bundle. `oracle` is prepared for `binding`. `known`: see Machine; what it finds is added to the first
/// fault.
[[nodiscard]] Result<Outcome> runBundle(const LoadedBundle& bundle, const Binding& binding, Oracle& oracle,
                                        const ProofOptions& options, const RunControl& control,
                                        const std::unordered_set<Value>* known = nullptr);

}  // namespace memplan::sim::artefact
