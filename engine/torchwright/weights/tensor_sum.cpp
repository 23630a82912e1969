// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/weights/tensor_sum.h"

#include <algorithm>
#include <tuple>

namespace memplan::torchwright {

void TensorSum::add(std::int64_t row, std::int64_t column, double value) {
    if (value != 0) parts_.push_back({row, column, value});
}

std::int64_t TensorSum::usedRows() const {
    std::int64_t used = 0;
    for (const Part& part : parts_)
        used = std::max(used, part.row + 1);
    return used;
}

std::int64_t TensorSum::usedColumns() const {
    std::int64_t used = 0;
    for (const Part& part : parts_)
        used = std::max(used, part.column + 1);
    return used;
}

Tensor TensorSum::tensor(std::int64_t rows, std::int64_t columns) const {
    Tensor out;
    out.rows = rows;
    out.columns = columns;
    std::vector<Part> sorted = parts_;
    const auto place = [](const Part& part) { return std::tuple(part.row, part.column); };
    std::ranges::stable_sort(sorted, {}, place);
    for (auto at = sorted.begin(); at != sorted.end();) {
        const auto end = std::find_if(at, sorted.end(), [&](const Part& p) { return place(p) != place(*at); });
        double sum = 0;
        for (auto part = at; part != end; ++part)
            sum += part->value;
        const auto value = static_cast<float>(sum);
        if (at->row < rows && at->column < columns && value != 0)
            out.entries.push_back({at->row * columns + at->column, value});
        at = end;
    }
    return out;
}

}  // namespace memplan::torchwright
