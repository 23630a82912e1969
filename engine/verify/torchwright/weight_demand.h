// SPDX-License-Identifier: Apache-2.0
// What the weights of a layer have to be, entry by entry (torchwright.md 9): worked out from its operations and the
// weights of the graph, without any code of what writes exports.
#pragma once

#include "engine/torchwright/schedule/schedule.h"
#include "engine/verify/torchwright/program.h"

#include <vector>

namespace memplan::verify::torchwright {

/// Entries of one array; those of the same place add up, every other place is zero.
struct Demand {
    struct Part {
        std::int64_t row = 0, column = 0;
        double value = 0;
        int op = -1;  ///< position in its sublayer, -1 = of no operation
    };
    std::vector<Part> parts;

    void add(std::int64_t row, std::int64_t column, double value, int op = -1) {
        if (value != 0) parts.push_back({row, column, value, op});
    }
    [[nodiscard]] std::int64_t rowsUsed() const;     ///< one more than the last row with an entry
    [[nodiscard]] std::int64_t columnsUsed() const;  ///< the same of columns
};

/// Heads stand side by side, d_head lanes each; arrays of one dimension are one row.
struct LayerDemand {
    Demand query, key, value, output;             ///< attention: WQ, WK, WV, WO
    Demand first, firstBias, second, secondBias;  ///< MLP: W1, b1, W2, b2
};

/// Of a schedule that replays without a finding, and a graph with weights.
[[nodiscard]] LayerDemand demandOf(const Program& program, const memplan::torchwright::Schedule& schedule,
                                   const memplan::torchwright::Layer& layer);

}  // namespace memplan::verify::torchwright
