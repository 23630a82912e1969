// SPDX-License-Identifier: Apache-2.0
// Which values a bundle leaves in its outputs, by name: every operation makes a value that is named after its file and
// the values that it reads. Lines of call() may change without changing these names.
#pragma once

#include "engine/verify/spyre/artefact/binding.h"

#include <cstdint>

namespace memplan::sim::artefact {

/// Fingerprint of the names of all outputs, whole pieces of memory at a time. Two calls with the same fingerprint run
/// the same operations on the same values as far as the outputs need them.
[[nodiscard]] std::uint64_t namedOutputs(const LoadedBundle& bundle, const Binding& binding, const Graph& graph);

}  // namespace memplan::sim::artefact
