// SPDX-License-Identifier: Apache-2.0
// Where the levels of a loop nest cut its operands (spyre-coarse-tiling-and-bundle 4.4): under the device stride model
// an operand advances by the same whole number of sticks in every iteration, or the nest cannot be.
#pragma once

#include "engine/settings/settings.h"
#include "engine/spyre/program.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memplan::spyre {

/// An operand that the iterations of a nest do not move through evenly.
struct UnevenCut {
    enum class Kind {
        PartSticks,   ///< a tile ends inside a stick
        CarriesOver,  ///< tiles of a reshaped operand do not follow each other at one distance
        TwoLevels     ///< two levels cut one dimension, and one step cannot be the advance of both
    };
    Kind kind = Kind::PartSticks;
    OpId op;
    BufferId buffer;
    std::int64_t tile = 0;  ///< elements of the loop in one iteration
    int elemsPerStick = 0;

    /// Sentence with the names of the program.
    [[nodiscard]] std::string why(const Program& program) const;
    [[nodiscard]] std::string fix() const;
};

/// Whether tiles may end inside a stick: under spyre.stride_model=host_stride_map, the original's listing, that is a
/// warning (CT-026) and no refusal.
[[nodiscard]] bool mayShareSticks(const Settings& settings);

/// The first operand of the group that its levels do not cut evenly; nullopt when all are. Buffers without a device
/// layout, data-dependent accesses and levels of one iteration are not looked at.
[[nodiscard]] std::optional<UnevenCut> unevenCut(const Program& program, const TileGroup& group);

}  // namespace memplan::spyre
