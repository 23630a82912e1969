// SPDX-License-Identifier: Apache-2.0
// What an operation of the host puts into memory: its result, or a part of it, such as the second half of a
// concatenation that begins inside of a stick (proof-and-search A5, A8).
#pragma once

#include "engine/graph/graph.h"
#include "engine/verify/spyre/artefact/access/regions.h"

#include <cstdint>
#include <vector>

namespace memplan::sim::artefact {

/// Elements of its result, row-major, that one operation writes.
struct Part {
    bool isPartial = false;              ///< false: all of them
    std::vector<std::int64_t> elements;  ///< of a part, ascending
};

/// What op `number` writes of its result `output`; all of it where its index depends on data.
[[nodiscard]] Part partOf(const Graph& graph, int number, TensorId output);

/// Puts the values of the part there; `values` are those of the whole result, whose first element is element `offset`
/// of the region. Lanes behind the data of its sticks that nobody wrote hold no data.
void fillPart(Region& region, const Part& part, std::int64_t offset, const std::vector<Value>& values,
              std::uint32_t host);

}  // namespace memplan::sim::artefact
