// SPDX-License-Identifier: Apache-2.0
// Joint choice of loop nests, divisions and addresses (spyre-cost-and-co-optimisation 16).
//   1 nests worth a look: from the first writer to the last reader of results that find no room, such nests joined,
//     and whole runs of adjacent operations that may be tiled
//   2 every option of a nest gets its bound; those above the best so far are passed over
//   3 the others are valued, the least bound first, and the best nest stays; nests are looked at again until a round
//     brings nothing
// Large programs are searched run by run, each with the operations that share buffers with it: what lives on chip
// across a run is left out there, and the whole plan confirms the choice (16.5).
// Bounds in work, not in seconds: the choice does not depend on the machine.
#pragma once

#include "engine/spyre/tiling/joint/tiling_model.h"

namespace memplan::spyre {

[[nodiscard]] Result<PassOutcome> tileJointly(State& state, PassContext& context);

struct ChosenNest {
    NestRange nest;
    NestLevels levels;
    TilingScore before, after;  ///< of all nests chosen until then
};

struct TilingChoice {
    std::vector<ChosenNest> chosen;  ///< in the order in which they were chosen
    std::int64_t looked = 0;         ///< options that got a bound
    std::int64_t refused = 0;        ///< of them those that cannot be
    std::int64_t passedOver = 0;     ///< of them those whose bound was no better than the best plan
    std::int64_t valued = 0;         ///< of them those that were valued
    Bytes leastBound = 0;            ///< of all options looked at
    bool exhausted = false;          ///< a bound on work ended the search
    bool stopped = false;            ///< the time limit ended the search
    bool byRuns = false;             ///< bytes are those of the parts that were searched, one after the other

    [[nodiscard]] std::vector<TileGroup> groups(const Program& program) const;  ///< in program order
};

struct TilingBudget {
    TilingLimits limits;
    std::size_t wholeOps = 64;    ///< larger programs are searched run by run
    std::int64_t structures = 0;  ///< options that get a bound; 0 = by the number of operations
    std::int64_t values = 0;      ///< options that are valued; 0 = by the number of operations
};

/// Never worse than no loops under the model. Cancelling is an error.
[[nodiscard]] Result<TilingChoice> chooseTilings(const State& base, const PassContext& context,
                                                 const TilingBudget& budget = {});

}  // namespace memplan::spyre
