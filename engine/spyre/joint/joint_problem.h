// SPDX-License-Identifier: Apache-2.0
// The joint problem: buffers with menus of divisions, tables of matching (producer, consumer) divisions, and
// one scratchpad (spyre-cost-and-co-optimisation 12, 13). Input of every joint search.
#pragma once

#include "engine/base/ids.h"
#include "engine/solve/solver.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memplan::spyre::joint {

/// Factors above 1 of one division; what a search needs to know about it.
struct JointDivision {
    std::vector<std::int64_t> output, reduction;
    std::int64_t outputTiles = 1;       ///< tiles that coarse loops cut the output into
    std::vector<std::int64_t> perLoop;  ///< factor of every loop where they are known, else empty

    [[nodiscard]] std::int64_t outputPartition() const;  ///< product of the output factors
    [[nodiscard]] std::int64_t cores() const;            ///< product of all factors
    [[nodiscard]] std::int64_t shape() const;            ///< sum of squared factors above 1
};

using DivisionPair = std::pair<int, int>;  ///< (division of the producer, of the consumer)

struct JointParent {
    int buffer = -1;                  ///< position of the producer in the problem
    std::vector<DivisionPair> pairs;  ///< that match, producer outer, consumer inner
};

enum class Boundary { Intermediate, Input, Output };

struct JointBuffer {
    std::string name;
    Bytes size = 0;  ///< of all cores
    std::vector<Step> uses;
    std::vector<JointDivision> divisions;  ///< menu, the committed one first
    std::vector<JointParent> parents;      ///< producers inside the problem
    std::vector<int> inPlaceParents;
    bool ineligible = false;  ///< has a residency reason
    Boundary boundary = Boundary::Intermediate;
    bool isPinned = false;                ///< a hint wants it resident: worth more than any traffic
    std::optional<Address> addressLimit;  ///< a hint: the address is at most this

    /// Main-memory bytes that the buffer costs when it is not resident (10); those of a pinned one exceed all others.
    [[nodiscard]] Bytes spillCost() const;
};

struct JointProblem {
    Bytes capacity = 0;
    Bytes alignment = 128;
    std::vector<JointBuffer> buffers;

    [[nodiscard]] std::vector<std::vector<int>> consumers() const;  ///< per buffer, in list order
    [[nodiscard]] bool matches(int producer, int producerDivision, int consumer, int consumerDivision) const;
};

/// Which buffer a pair outside the table bars. `Producer` is the contract; `Consumer` reproduces the original,
/// which may keep a producer in LX that a consumer reads with another slicing.
enum class MismatchBars { Producer, Consumer };

/// Buffers that the chosen divisions bar from LX, residency reasons included.
[[nodiscard]] std::vector<bool> ineligibleUnder(const JointProblem& problem, const std::vector<int>& chosen,
                                                MismatchBars rule);

/// The address problem at one choice of divisions: sizes per core, ineligible buffers, in-place parents that are
/// large enough (13).
[[nodiscard]] solve::Problem addressProblem(const JointProblem& problem, const std::vector<int>& chosen,
                                            const std::vector<bool>& ineligible);

}  // namespace memplan::spyre::joint
