// SPDX-License-Identifier: Apache-2.0
// Trace of the joint search of divisions and residency: target_data.co_optimization of a plan
// (scratchpad 11). Names, not positions: ops move when clones come and go.
#pragma once

#include "engine/base/ids.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memplan {

struct CoOptimization {
    struct Options {
        std::string op;
        std::vector<std::string> labels;  ///< the committed division first
        friend bool operator==(const Options&, const Options&) = default;
    };
    /// A combination that was kept on the way to the winner.
    struct Leaf {
        std::vector<std::pair<std::string, std::string>> splits;  ///< (op, label) where not the committed one
        Bytes score = 0;                                          ///< total bytes of the buffers not pinned
        std::vector<std::string> notPinned;
        friend bool operator==(const Leaf&, const Leaf&) = default;
    };
    struct Change {
        std::string op, from, to;
        friend bool operator==(const Change&, const Change&) = default;
    };

    std::string method;             ///< exhaustive, coordinate_descent, annealing, exact
    std::vector<Options> options;   ///< of every op with a choice
    std::int64_t combinations = 0;  ///< product of the options, capped at 2^63 - 1
    std::int64_t evaluated = 0;     ///< combinations that were scored
    Bytes committedScore = 0, winnerScore = 0;
    Bytes committedTraffic = 0, winnerTraffic = 0;                    ///< main-memory bytes of the trial plans
    std::optional<double> committedMicroseconds, winnerMicroseconds;  ///< estimates, for ranking only
    std::vector<Leaf> kept;
    std::vector<Change> changes;
    std::string note;  ///< why the search ended where it did, empty for an ordinary end
    friend bool operator==(const CoOptimization&, const CoOptimization&) = default;
};

}  // namespace memplan
