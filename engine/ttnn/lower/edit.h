// SPDX-License-Identifier: Apache-2.0
// Questions and small edits that the steps of lowering share.
#pragma once

#include "engine/ttnn/module/module.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::ttnn::lower {

using Shape = std::vector<std::int64_t>;

/// Keeps the operations of `function.order` that `keep` accepts.
template <class Keep> void filterOrder(Function& function, const Keep& keep) {
    std::erase_if(function.order, [&](OperationId id) { return !keep(id); });
}

/// The operation that a value is the result of; null for arguments and values inside regions.
[[nodiscard]] const Operation* producerOf(const Function& function, ValueId value);
[[nodiscard]] bool isKind(const Operation* operation, std::string_view kind);

/// The number that all elements of a constant are; nothing for another operation.
[[nodiscard]] std::optional<double> splatOf(const Function& function, ValueId value);

/// Shape that two tensors have together where sizes of 1 are repeated; nothing where they do not fit.
[[nodiscard]] std::optional<Shape> broadcastShape(const Shape& a, const Shape& b);

/// Location of an operation that helps another one: same place, name with a suffix.
[[nodiscard]] Location withSuffix(const Location& location, std::string_view suffix);

// Texts of attributes: `[1 : i32, 2 : i32]`, `array<i32: 1, 2>`, `array<i64: 1, 2>`, `3 : i32`.
[[nodiscard]] std::string listText(const Shape& values);
[[nodiscard]] std::string array32Text(const Shape& values);
[[nodiscard]] std::string array64Text(const Shape& values);
[[nodiscard]] std::string i32Text(std::int64_t value);

/// Dimension counted from the front; nothing outside the rank.
[[nodiscard]] std::optional<std::size_t> dimensionOf(std::int64_t dim, std::size_t rank);

}  // namespace memplan::ttnn::lower
