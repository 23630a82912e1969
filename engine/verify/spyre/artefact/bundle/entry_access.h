// SPDX-License-Identifier: Apache-2.0
// Where an OpSpec finds the elements of its tensors, and where its file does (spyre-coarse-tiling-and-bundle 10, 13).
#pragma once

#include "engine/verify/spyre/artefact/bundle/loaded.h"

#include <string>
#include <vector>

namespace memplan::sim::artefact {

/// Stride models that explain all addresses so far: one holds for the whole bundle.
struct StrideModels {
    bool device = true, host = true;
};

/// How the address of a tensor moves with the loops around its operation.
struct TensorSteps {
    bool areKnown = false;             ///< the source says which symbols the loops tile
    std::int64_t first = 0;            ///< bytes from the address to element 0
    std::vector<std::int64_t> device;  ///< bytes per iteration of each loop, outermost first
    std::vector<std::int64_t> host;    ///< the same by the strides of the host
};

/// One per tensor; `loops` are those around the operation, outermost first.
[[nodiscard]] std::vector<TensorSteps> stepsOf(const OpEntry& op, const std::vector<const OpEntry*>& loops);

/// What extents, slices, layouts and coordinates say otherwise than the file; empty = nothing.
[[nodiscard]] std::string accessDifference(const OpEntry& op, const std::vector<const OpEntry*>& loops,
                                           const LoadedFile& file);

}  // namespace memplan::sim::artefact
