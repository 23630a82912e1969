// SPDX-License-Identifier: Apache-2.0
// Values of one node: a row for each token position, a column for each component.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace memplan::torchwright {

struct Rows {
    std::size_t positions = 0, width = 0;
    std::vector<double> values;  ///< row after row

    Rows() = default;
    Rows(std::size_t p, std::size_t w) : positions(p), width(w), values(p * w, 0.0) {}

    [[nodiscard]] std::span<double> row(std::size_t p) { return {values.data() + p * width, width}; }
    [[nodiscard]] std::span<const double> row(std::size_t p) const { return {values.data() + p * width, width}; }
    [[nodiscard]] double at(std::size_t p, std::size_t column) const { return values[p * width + column]; }

    friend bool operator==(const Rows&, const Rows&) = default;
};

}  // namespace memplan::torchwright
