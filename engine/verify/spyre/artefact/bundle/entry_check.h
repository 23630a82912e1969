// SPDX-License-Identifier: Apache-2.0
// Does the wrapper source say of the operations what the files of the kernels do (proof-and-search A5, VER-020):
// number, order and loops, functions, extents and slices, tensors, their memories, places and layouts, constants.
#pragma once

#include "engine/sim/outcome.h"
#include "engine/verify/spyre/artefact/bundle/loaded.h"

#include <optional>

namespace memplan::sim::artefact {

/// The first contradiction between the OpSpecs and the files, with the line of the source; nothing where they agree or
/// where there is no wrapper source. What the source leaves open, such as the levels of a loop that several symbols are
/// tiled in, is not compared.
[[nodiscard]] std::optional<Fault> checkEntries(const LoadedBundle& bundle);

}  // namespace memplan::sim::artefact
