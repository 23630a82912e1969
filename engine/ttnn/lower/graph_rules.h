// SPDX-License-Identifier: Apache-2.0
// Operations of a neutral graph as operations of TTIR (inputs-and-interchange 6, column TTNN).
#pragma once

#include "engine/ttnn/lower/graph_writer.h"

#include <span>

namespace memplan::ttnn::lower {

/// Adds what an operation becomes; one that has no form there keeps its name and its operands.
void writeOp(GraphWriter& w, const memplan::Op& op);
/// The parts of one concatenation as one operation.
void writeConcat(GraphWriter& w, std::span<const memplan::Op> parts);

// Rules that have a file of their own; false where the operation has another form than they know.
[[nodiscard]] bool writeCopy(GraphWriter& w, const memplan::Op& op);
[[nodiscard]] bool writeView(GraphWriter& w, const memplan::Op& op);
[[nodiscard]] bool writeImageOp(GraphWriter& w, const memplan::Op& op);
[[nodiscard]] bool writeProduct(GraphWriter& w, const memplan::Op& op);

/// "1.0e-05 : f32"
[[nodiscard]] std::string floatText(double number);
[[nodiscard]] std::optional<std::vector<std::int64_t>> integersAttr(const memplan::Op& op, std::string_view name);
/// A result is made: of an operation with one.
void finish(GraphWriter& w, const memplan::Op& op, std::string_view kind, std::vector<ValueId> operands,
            Attributes properties);

/// The loop that an index expression is, alone and in steps of one; nothing for any other.
[[nodiscard]] std::optional<int> plainLoop(const IndexExpr& index);

}  // namespace memplan::ttnn::lower
