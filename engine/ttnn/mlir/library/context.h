// SPDX-License-Identifier: Apache-2.0
// What reading and printing share of the MLIR library: a context that knows functions and modules and takes every other
// dialect as it comes, and its messages with their places.
#pragma once

#include "engine/ttnn/mlir/ir.h"

#include <mlir/IR/MLIRContext.h>

#include <memory>
#include <string_view>
#include <vector>

namespace mlir {
class Block;
class AsmParserState;
}  // namespace mlir

namespace memplan::ttnn::ir {

/// Name of the buffer that is read: a location in it is where an operation stands, not one that the text names.
inline constexpr const char* kBufferName = "<memplan>";

[[nodiscard]] std::unique_ptr<mlir::MLIRContext> makeContext();

/// Parses into `block`; what the library says about it is in `problems`. With `state` it records where things stand.
void parseInto(mlir::MLIRContext& context, std::string_view text, mlir::Block& block, mlir::AsmParserState* state,
               std::vector<Problem>& problems);

}  // namespace memplan::ttnn::ir
