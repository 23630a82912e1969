// SPDX-License-Identifier: Apache-2.0
// Index expressions of the neutral graph as text (inputs-and-interchange 2.3).
#pragma once

#include "engine/graph/graph.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::io {

/// Grammar: expr := ['-'] term { ('+'|'-') term }, term := INT | NAME | INT '*' NAME, or "?".
/// nullopt when the text does not parse, names no loop of `iter`, or an integer exceeds 32 bits.
[[nodiscard]] std::optional<IndexExpr> parseIndexExpr(std::string_view text, const std::vector<IterDim>& iter);
/// Terms in their order, then the constant when it is not zero; "0" for nothing.
[[nodiscard]] std::string indexExprText(const IndexExpr& expr, const std::vector<IterDim>& iter);
/// `[A-Za-z_][A-Za-z0-9_]*`
[[nodiscard]] bool isIdentifier(std::string_view s);

}  // namespace memplan::io
