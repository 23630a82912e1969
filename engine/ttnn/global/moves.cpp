// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/global/moves.h"

namespace memplan::ttnn {

LayoutId Moves::source(OperationId op, std::size_t operand) const {
    const TensorOperand& read = evaluator_.flow().operands(op)[operand];
    if (!read.producer.isValid()) return evaluator_.given(read.value);
    const OpChoice& producer = now_.ops[read.producer.at()];
    return now_.ops[op.at()].edges[operand].fromCopy ? producer.copy : producer.output;
}

std::vector<LayoutId> Moves::inputs(OperationId op) const {
    std::vector<LayoutId> layouts;
    const auto& edges = now_.ops[op.at()].edges;
    for (std::size_t k = 0; k < edges.size(); ++k)
        layouts.push_back(edges[k].reshard >= 0 ? edges[k].reshard : source(op, k));
    return layouts;
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
