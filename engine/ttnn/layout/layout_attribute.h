// SPDX-License-Identifier: Apache-2.0
// The text of `#ttnn.ttnn_layout<...>` (ttnn-optimizer 10.3), read and printed. The MLIR library hands it over as it
// stands in the file, without a meaning.
#pragma once

#include "engine/base/result.h"
#include "engine/ttnn/layout/arithmetic.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace memplan::ttnn {

struct LayoutReading {
    const Device& device;
    std::string where;  ///< line:column or another place, for findings
    /// The text behind an attribute alias of the file (`#dram`); without it `#dram`, `#l1`, `#l1_` mean what they say.
    std::function<std::optional<std::string>(std::string_view alias)> alias;
};

/// The layout of a tensor of that shape, and what was noticed: TT-023 where the shard in the text is not the one of
/// 1.3 (the text's is kept), TT-024 where a sharded layout has no core ranges (the canonical placement is filled in).
/// Errors: MLIR-002 for a text of another form, TT-020 for one that breaks a rule of 1.2, TT-021 and TT-022 where a
/// placement is missing and there is none.
struct ReadLayout {
    Layout layout;
    std::vector<Diagnostic> warnings;
};
[[nodiscard]] Result<ReadLayout> parseLayoutAttribute(std::string_view text, std::span<const std::int64_t> shape,
                                                      const LayoutReading& reading);

// Scalar types of tensors and row-major memrefs, which spell integers as MLIR does: "ui32", "si32", "bf16", "i1".
// Reading also takes signless and other widths that the device holds as one of them ("i32", "i64", "f64").
[[nodiscard]] std::optional<DataType> dataTypeOfElement(std::string_view element);
[[nodiscard]] std::string_view elementWord(DataType type);

/// How the buffer is spelled: `#ttnn.buffer_type<dram>` or its usual alias `#dram`.
enum class BufferSpelling : std::uint8_t { Inline, Alias };
/// `#ttnn.ttnn_layout<...>` of a tensor of that shape.
[[nodiscard]] std::string layoutAttribute(const Layout& layout, std::span<const std::int64_t> shape,
                                          BufferSpelling spelling = BufferSpelling::Inline);

}  // namespace memplan::ttnn
