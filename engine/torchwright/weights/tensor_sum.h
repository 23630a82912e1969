// SPDX-License-Identifier: Apache-2.0
// A weight that is written entry by entry: what meets in one place is added up, never overwritten.
#pragma once

#include "engine/torchwright/graph/tensor.h"

namespace memplan::torchwright {

class TensorSum {
public:
    void add(std::int64_t row, std::int64_t column, double value);
    void add(std::int64_t column, double value) { add(0, column, value); }

    /// One more than the largest row and column that hold something other than zero.
    [[nodiscard]] std::int64_t usedRows() const;
    [[nodiscard]] std::int64_t usedColumns() const;
    /// Rounded to float32 once, after all was added up. What lies outside of the shape is left out.
    [[nodiscard]] Tensor tensor(std::int64_t rows, std::int64_t columns) const;

private:
    struct Part {
        std::int64_t row = 0, column = 0;
        double value = 0;
    };
    std::vector<Part> parts_;
};

}  // namespace memplan::torchwright
