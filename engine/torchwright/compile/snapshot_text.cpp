// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/compile/snapshot_text.h"

namespace memplan::torchwright {
namespace {

std::string numbers(const NodeGraph& graph, const std::vector<NodeId>& ids) {
    std::string list;
    for (const NodeId id : ids)
        list += (list.empty() ? "" : ", ") + std::to_string(graph.at(id).number);
    return list;
}

std::string nodeLine(const NodeGraph& graph, const Node& node) {
    std::string line = std::to_string(node.number) + " = " + std::string(listedKind(node)) + "(" +
                       numbers(graph, node.inputs) + ") : " + std::to_string(node.width);
    if (!node.annotation.empty()) line += " | " + node.annotation;
    if (!node.after.empty()) line += " after " + numbers(graph, node.after);
    return line + "\n";
}

std::string opLine(const PlannedOp& op) {
    const ColumnList& target = op.attention != nullptr ? op.attention->target : op.mlp->target;
    std::string line = "layer " + std::to_string(op.layer) + " " +
                       std::string(op.attention != nullptr ? opName(op.attention->kind) : opName(op.mlp->kind)) + " " +
                       op.name + " -> " + columnsText(target);
    if (op.attention != nullptr) return line + ", heads " + std::to_string(op.attention->heads) + "\n";
    const SlotRange& slots = op.mlp->slotRange;
    if (slots.count > 0)
        line += ", slots " + std::to_string(slots.first) + "-" + std::to_string(slots.first + slots.count - 1);
    return line + "\n";
}

}  // namespace

std::string columnsText(const ColumnList& columns) {
    std::string words;
    for (const ColumnRun& run : columns.runs()) {
        words += (words.empty() ? "" : ", ") + std::to_string(run.first);
        if (run.count > 1) words += "-" + std::to_string(run.first + run.count - 1);
    }
    return words;
}

std::string snapshotText(const State& state) {
    std::string out;
    if (state.schedule) {
        for (const PlannedOp& op : state.ops)
            out += opLine(op);
        return out;
    }
    for (const Node& node : state.graph.nodes)
        out += nodeLine(state.graph, node);
    return out;
}

}  // namespace memplan::torchwright
