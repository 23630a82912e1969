// SPDX-License-Identifier: Apache-2.0
// Tensors of the graph in main memory: the layout in which the host puts them there and finds them again
// (spyre-layouts-and-work-division 2).
#pragma once

#include "engine/graph/graph.h"
#include "engine/verify/spyre/artefact/access/memory.h"
#include "engine/verify/spyre/artefact/files/wrapper_code.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memplan::sim::artefact {

/// The layout of 2.2 for a host shape; nullopt for ranks and types without one.
[[nodiscard]] std::optional<DeviceLayout> genericLayout(const std::vector<std::int64_t>& shape, DType dtype);

/// Where the host puts its elements, row by row of the last device dimension.
class HostOrder {
public:
    /// Nullopt where `layout` is no layout of `elements` host elements.
    [[nodiscard]] static std::optional<HostOrder> of(const DeviceLayout& layout, std::int64_t elements);

    struct Row {
        std::int64_t first = 0;  ///< host element of the first position
        std::int64_t step = 0;   ///< from a position to the next
        std::int64_t data = 0;   ///< positions with data; those behind are padding
    };
    [[nodiscard]] std::int64_t rows() const { return rows_; }
    [[nodiscard]] std::int64_t rowLength() const { return layout_.size.back(); }
    [[nodiscard]] Row row(std::int64_t number) const;

private:
    DeviceLayout layout_;
    std::int64_t rows_ = 0;
    int tile_ = -1;           ///< device dimension of the stick's number, -1 = the stick is alone
    std::int64_t along_ = 0;  ///< host elements in the direction of the stick
};

/// One argument by its name in the wrapper: a memory of its own.
struct Region {
    Store store{"", 0};
    int tensor = -1;  ///< of the graph, -1 = a buffer that the graph does not have
    DeviceLayout layout;
    std::optional<HostOrder> host;  ///< nullopt where nothing says it
    bool isFilled = false;          ///< by the host or by a kernel
};

/// Puts values there; padding lanes hold no data.
void fill(Region& region, const std::vector<Value>& values, std::uint32_t event);
/// The same for `elements` values of a tensor that nobody computes, from its element `offset` on, without storing
/// them. `key`: see inputValue. The rows of the layout are whole sticks.
void fillNamed(Region& region, std::uint64_t key, std::int64_t offset, std::int64_t elements, std::uint32_t event);
/// Rows of the layout are sticks.
[[nodiscard]] bool hasStickRows(const Region& region);

/// Host element of element `at` of a view, in row-major order; -1 where it has none.
[[nodiscard]] std::int64_t hostElement(const ReturnedView& view, std::int64_t at);

/// What a region should hold and does not.
struct Difference {
    std::int64_t missing = 0, missingSticks = 0, wrong = 0;
    std::int64_t firstMissing = -1;                       ///< element, the lowest address
    std::int64_t firstWrong = -1;                         ///< the lowest element
    std::int64_t addressMissing = -1, addressWrong = -1;  ///< bytes in the region
    Cell found;                                           ///< of the first wrong element
};
/// Compares element `offset` + i of the region with `wanted`[i]; an element that the region does not have is missing.
[[nodiscard]] Difference compare(const Region& region, const std::vector<Value>& wanted, std::int64_t offset);
/// The same for the elements of a view, in row-major order; as many as are wanted.
[[nodiscard]] Difference compare(const Region& region, const std::vector<Value>& wanted, const ReturnedView& view);

/// "tensor[1,2]"
[[nodiscard]] std::string elementText(const memplan::Tensor& tensor, std::int64_t element);

}  // namespace memplan::sim::artefact
