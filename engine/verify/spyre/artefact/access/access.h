// SPDX-License-Identifier: Apache-2.0
// Where the elements of a tensor of a descriptor are (proof-and-search A5.3, spyre-coarse-tiling-and-bundle 13.4):
// byte = start of the core + word length * sum over labels of local index * stride.
#pragma once

#include "engine/verify/spyre/artefact/files/descriptor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memplan::sim::artefact {

struct Access {
    std::int64_t width = 2;  ///< bytes of an element
    int stick = -1;          ///< label that walks through sticks, -1: one element per stick
    std::int64_t stickSize = 64;
    /// Per label of the op: byte offset of every local index; empty where the tensor does not move along it.
    std::vector<std::vector<std::int64_t>> offset;
    /// Per label: bytes from one slice to the next in main memory.
    std::vector<std::int64_t> sliceBytes;
    /// Per label: global elements that the tensor really has; indices from here on are padding.
    std::vector<std::int64_t> limit;
    /// Per label: indices from here on may lie behind the data, because the extent was raised to whole sticks of
    /// another tensor. What was never written there is a lane without data.
    std::vector<std::int64_t> sure;
    std::int64_t highest = 0;  ///< byte offset of the last element on a core
    std::int64_t sticks = 1;   ///< different sticks over all cores

    [[nodiscard]] bool moves(std::size_t label) const { return !offset[label].empty(); }
};

/// Error text where the layout cannot be walked: sizes that leave 64 bits, a gap inside a stick.
[[nodiscard]] std::optional<std::string> makeAccess(const Descriptor& op, const Tensor& tensor, Access& out);

/// Fills `sure` of all tensors of an op.
void markRaised(const Descriptor& op, std::vector<Access>& list);

}  // namespace memplan::sim::artefact
