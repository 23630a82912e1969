// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/global/moves.h"

namespace memplan::ttnn {

LayoutId Moves::source(OperationId op, std::size_t operand) const {
    return cost_.source(now_, evaluator_.flow().operands(op)[operand], now_.ops[op.at()].edges[operand]);
}

std::vector<LayoutId> Moves::inputs(OperationId op) const {
    return cost_.inputs(now_, op);
}

bool Moves::swap(std::size_t position) {
    if (!editor_.swap(position)) return false;
    live_.swapped(position);
    return true;
}

void Moves::replace(const Assignment& assignment) {
    now_ = assignment;
    editor_.takeOrder();
    editor_.begin();
    live_.reset();
}

}  // namespace memplan::ttnn
