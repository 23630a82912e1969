// SPDX-License-Identifier: Apache-2.0
// Operands of multiplies whose stick no restickify can put on the wanted loop (LAY-006). The remedy is what
// a user of the original writes by hand, a contiguous copy: a copy takes its input in any layout and gives
// a row-major one (spyre-layouts-and-work-division 5.2, "clone").
#pragma once

#include "engine/spyre/pass.h"
#include "engine/spyre/program.h"

#include <string>
#include <vector>

namespace memplan::spyre {

struct OperandRepair {
    OpId op;
    int argument = 0;     ///< position in Op::reads
    int loop = 0;         ///< the loop that must become the stick
    std::string problem;  ///< the message that the layout rule gave
};

/// Puts a copy with the wanted loop as its last dimension in front of each op, or, for a weight that nobody
/// else reads, transfers it in that order. Returns the number of copies. Reports each as a note.
[[nodiscard]] std::int64_t repairOperands(Program& program, const std::vector<OperandRepair>& repairs,
                                          PassContext& context);

}  // namespace memplan::spyre
