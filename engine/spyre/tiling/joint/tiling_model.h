// SPDX-License-Identifier: Apache-2.0
// Value of a set of loop nests with the divisions and addresses that go with it, without compiling
// (spyre-cost-and-co-optimisation 15.4, 16.1 - 16.4). The nests are applied to a copy of the program: tiles, full
// buffers, copies at the cuts and lifetimes are those of the rules of coarse tiling. Every operation of the nests has a
// menu of divisions on its divided ranges; one elimination over the menus chooses them, and one placement finds which
// tiles have room.
#pragma once

#include "engine/spyre/pass.h"
#include "engine/spyre/scratchpad/buffers.h"
#include "engine/spyre/state.h"
#include "engine/spyre/tiling/joint/nests.h"

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace memplan::spyre {

/// Smaller is better, each figure before the next (15.4).
struct TilingScore {
    std::int64_t brokenWishes = 0;  ///< pins and fixed addresses without place
    Bytes traffic = 0;              ///< main-memory bytes, copies at cuts included
    std::int64_t cuts = 0;          ///< tiled results that someone outside of their nest needs
    std::int64_t cores = 0;         ///< in all; more is better
    std::int64_t squares = 0;       ///< sum of squared factors
    std::int64_t tiles = 0;         ///< iterations of all tiled operations

    [[nodiscard]] auto rank() const { return std::tuple(brokenWishes, traffic, cuts, -cores, squares, tiles); }
    friend bool operator==(const TilingScore&, const TilingScore&) = default;
};

/// A program with nests, divided as the pipeline would divide it.
struct TiledProgram {
    State state;
    Bytes bound = 0;  ///< main-memory bytes were every candidate to fit and to be divided alike: no plan moves fewer
};

class TilingModel {
public:
    /// `base` is the state before loops are stamped; both have to outlive the model.
    TilingModel(const State& base, const PassContext& context);

    /// Nothing when these nests cannot be: an operation refuses, or a tile breaks a stick. Cancelling is an error.
    [[nodiscard]] Result<std::optional<TiledProgram>> tiled(const std::vector<TileGroup>& nests) const;

    /// Best of the committed divisions and of those that agree; only operations in loops or named in `region` choose.
    [[nodiscard]] Result<TilingScore> score(const TiledProgram& tiled, const std::vector<std::string>& region) const;

    /// Results that could live on chip but find no room, with the committed divisions; by buffer.
    [[nodiscard]] Result<std::vector<BufferId>> lost(const TiledProgram& untiled) const;

private:
    [[nodiscard]] Result<bool> runSteps(State& trial) const;

    const State& base_;
    const PassContext& context_;
    BufferRules rules_;
};

}  // namespace memplan::spyre
