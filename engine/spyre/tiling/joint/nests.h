// SPDX-License-Identifier: Apache-2.0
// What the joint search of tilings chooses from: nests of adjacent operations and the loops around them
// (spyre-cost-and-co-optimisation 16.1, 16.2).
#pragma once

#include "engine/spyre/program.h"

#include <cstdint>
#include <string>
#include <vector>

namespace memplan::spyre {

/// One counted loop over an output dimension. Reduced dimensions are never tiled: no pass accumulates over them.
struct NestLevel {
    int dim = 0;  ///< position in the output ranges of the nest's leader; others have it where their accesses put it
    std::int64_t count = 1;
    friend bool operator==(const NestLevel&, const NestLevel&) = default;
    friend bool operator<(const NestLevel& a, const NestLevel& b) {
        return a.dim != b.dim ? a.dim < b.dim : a.count < b.count;
    }
};

using NestLevels = std::vector<NestLevel>;  ///< outermost first; empty = not tiled

struct TilingLimits {
    std::size_t countsPerDimension = 16;
    std::int64_t mostTrips = 64;   ///< of one level
    std::size_t mostLevels = 3;    ///< nested
    std::size_t mostOptions = 96;  ///< of one nest; those of fewer levels stay
    /// Beyond 16.1: the stick's dimension too, where every tile has whole sticks. Off = as the chapter has it.
    bool wholeSticks = true;
    /// Tiles of operands may end inside a stick (stick_cuts.h).
    bool sharedSticks = false;
};

/// A run of adjacent operations, by position in the program.
struct NestRange {
    std::size_t first = 0, last = 0;  ///< both inclusive
    friend bool operator==(const NestRange&, const NestRange&) = default;
};

/// Multiplies, restickifies, mutations, operations of a loop already and those that write no whole buffer stay out of
/// loops.
[[nodiscard]] bool mayBeTiled(const Program& program, std::size_t op);

/// Maximal runs of adjacent operations that may be tiled, in order.
[[nodiscard]] std::vector<NestRange> tileableRuns(const Program& program);

/// Loops that one operation can have: exact divisors of its output dimensions, of the stick's whole sticks or none,
/// fewer levels first, then by (dimension, count); cut off at the end. The empty option comes first and stays (16.1).
[[nodiscard]] std::vector<NestLevels> tileOptions(const Program& program, std::size_t op, const TilingLimits& limits);

/// The operation of the nest whose result has the most dimensions of more than one element, the first of them.
[[nodiscard]] std::size_t leaderOf(const Program& program, const NestRange& nest);

/// Options of the leader that every operation of the nest can have where its accesses put them, and that its reads
/// allow: the same trip counts, not the same positions (16.2). The empty one first.
[[nodiscard]] std::vector<NestLevels> nestOptions(const Program& program, const NestRange& nest,
                                                  const TilingLimits& limits);

/// The nest with these loops, as coarse_tile takes it. A dimension is followed from the leader along what one operation
/// reads of another, in both directions; what shares nothing with the others is cut at the leader's positions, and a
/// result that does not have the dimension is made anew in every iteration.
[[nodiscard]] TileGroup groupOf(const Program& program, const NestRange& nest, const NestLevels& levels);

/// "4 along dimension 0 and 2 along dimension 1".
[[nodiscard]] std::string levelsText(const NestLevels& levels);

}  // namespace memplan::spyre
