// SPDX-License-Identifier: Apache-2.0
// How many operands and results the operations have that this program knows. The MLIR library does not know their
// dialects and takes any number.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace memplan::ttnn {

/// What is wrong with the counts, as a sentence; empty where nothing is, or the operation is not known. `hasBuffer`:
/// the last operand is an empty tensor that older modules name as the place of the result.
[[nodiscard]] std::string wrongCount(std::string_view name, std::size_t operands, std::size_t results, bool hasBuffer);

}  // namespace memplan::ttnn
