// SPDX-License-Identifier: Apache-2.0
// A weight of a node: float32 values of one or two dimensions, of which the entries that are not zero are kept.
// Memory grows with the entries of the file, never with its shape (torchwright.md 3).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace memplan::torchwright {

/// A matrix [rows, columns]; a vector [n] has one row of n columns.
struct Tensor {
    struct Entry {
        std::int64_t index = 0;  ///< row * columns + column
        float value = 0;

        friend bool operator==(const Entry&, const Entry&) = default;
    };

    std::int64_t rows = 1;
    std::int64_t columns = 0;
    std::vector<Entry> entries;  ///< by ascending index, each index once, no zeros

    friend bool operator==(const Tensor&, const Tensor&) = default;

    [[nodiscard]] std::int64_t rowOf(const Entry& e) const { return e.index / columns; }
    [[nodiscard]] std::int64_t columnOf(const Entry& e) const { return e.index % columns; }
    /// The entries of one row, by ascending column. Binary search.
    [[nodiscard]] std::span<const Entry> row(std::int64_t r) const;
    /// The entry at a place, 0 where none is kept.
    [[nodiscard]] float at(std::int64_t r, std::int64_t column) const;
};

/// Graphs that differ in edges alone share their weights. Null when the file carries no tensors.
using TensorPtr = std::shared_ptr<const Tensor>;

}  // namespace memplan::torchwright
