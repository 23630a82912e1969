// SPDX-License-Identifier: Apache-2.0
// Copies into a part of a tensor that no kernel makes while kernels write its other parts, such as the second half of a
// concatenation that begins inside of a stick: the host makes them between the kernels (proof-and-search A5, A8).
#pragma once

#include "sim/artefact/binding.h"
#include "sim/artefact/regions.h"

#include <cstdint>
#include <set>
#include <vector>

namespace memplan::sim::artefact {

/// Elements of its result, row-major, that one copy writes; empty for an index that depends on data.
struct Part {
    int op = -1;  ///< of the graph
    std::vector<std::int64_t> elements;
};

/// Copies that write less than the whole of a storage that some kernel writes, in the order of the graph.
[[nodiscard]] std::set<int> partialCopies(const Graph& graph, const Binding& binding);
/// The elements of one of them.
[[nodiscard]] Part partOf(const Graph& graph, int op);

/// Some element of the part holds data of an event other than `host`. Element `offset` of the region is the first one
/// of the result.
[[nodiscard]] bool isWrittenByKernels(const Region& region, const Part& part, std::int64_t offset, std::uint32_t host);
/// Puts the values of the part there; `values` are those of the whole result. Lanes behind the data of its sticks that
/// nobody wrote hold no data.
void fillPart(Region& region, const Part& part, std::int64_t offset, const std::vector<Value>& values,
              std::uint32_t host);

}  // namespace memplan::sim::artefact
