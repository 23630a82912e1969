// SPDX-License-Identifier: Apache-2.0
// Which results stay in L1, exactly, with all configurations fixed (ttnn-optimizer 12.5 b): a 0/1 programme over
// intervals, one capacity per position.
#pragma once

#include <cstdint>
#include <vector>

namespace memplan::ttnn {

struct ResidencyProblem {
    struct Tensor {
        std::int64_t bytes = 0;
        double loss = 0;             ///< nanoseconds if it does not stay
        std::vector<int> positions;  ///< that it would take room at, ascending
    };
    std::vector<Tensor> tensors;
    std::vector<std::int64_t> room;  ///< by position
};

struct ResidencyChoice {
    std::vector<bool> stays;  ///< by tensor
    double loss = 0;
    bool isProved = true;  ///< false: the number of nodes ran out
    std::int64_t nodes = 0;
};

/// The choice with the least loss, by branch and bound; the bound at a node is the largest of the fractional knapsacks
/// of the positions that are too full.
[[nodiscard]] ResidencyChoice chooseResidents(const ResidencyProblem& problem, std::int64_t mostNodes);

}  // namespace memplan::ttnn
