// SPDX-License-Identifier: Apache-2.0
// Types of values and their MLIR text.
#pragma once

#include "engine/ttnn/layout/layout_attribute.h"
#include "engine/ttnn/module/module.h"

#include <string>
#include <string_view>
#include <vector>

namespace memplan::ttnn {

struct ReadType {
    Type type;
    std::vector<Diagnostic> warnings;  ///< of its layout
};

/// The type that a text without aliases means. A tensor that is not ranked, and everything that is no tensor, keeps its
/// text. MLIR-008 for a dimension without a size, MPG-311 for more elements than can be counted; those of
/// `parseLayoutAttribute`.
[[nodiscard]] Result<ReadType> typeOfText(std::string_view text, const LayoutReading& reading);

/// The text of a type, layouts in full.
[[nodiscard]] std::string typeText(const Type& type);

/// `{name = text, unit}`; names that are no words stand between quotes.
[[nodiscard]] std::string dictionaryText(const Attributes& attributes);

/// A ranked tensor.
[[nodiscard]] Type tensorType(std::vector<std::int64_t> shape, std::string element);

/// Elements of a shape that `typeOfText` accepted.
[[nodiscard]] std::int64_t elementsOf(const std::vector<std::int64_t>& shape);

}  // namespace memplan::ttnn
