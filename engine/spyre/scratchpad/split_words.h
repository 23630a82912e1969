// SPDX-License-Identifier: Apache-2.0
// How an operation divides a buffer over the cores, in the dimensions of that buffer, so that what its writer and
// its readers do can be compared.
#pragma once

#include "engine/plan/statement.h"
#include "engine/spyre/program.h"

#include <vector>

namespace memplan::spyre {

/// What `op` does to `buffer`, with its verb: "divides it into 4 pieces along rows (512)", "reads it whole on each
/// of 32 cores", "divides it into 2 pieces along rows (512), each on 16 cores".
[[nodiscard]] Statement divisionClause(const Program& program, OpId op, BufferId buffer);

/// The same without the verb, "one piece" for a buffer that is not divided.
[[nodiscard]] Statement piecesOf(const Program& program, OpId op, BufferId buffer);

/// The split reductions of a writer, which leave parts of a sum on its cores; empty when there are none: "4 pieces of
/// the reduced columns of "x" (384)".
[[nodiscard]] std::vector<Statement> splitReductions(const Program& program, OpId op);

}  // namespace memplan::spyre
