// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/lower/from_graph.h"

#include "engine/ttnn/lower/graph_groups.h"
#include "engine/ttnn/lower/graph_rules.h"

#include <set>
#include <utility>

namespace memplan::ttnn {

namespace {

using lower::GraphWriter;
using lower::GroupOperation;

/// Parts of a concatenation follow each other, each a copy into the same result.
bool isConcatPart(const memplan::Op& op) {
    return op.kind == OpKind::Copy && op.fn == "concat" && op.inputs.size() == 1 && op.outputs.size() == 1;
}

class GraphLowering {
public:
    explicit GraphLowering(const Graph& graph) : graph_(graph), writer_(graph), readers_(lower::readersOf(graph)) {
        for (const Group& group : graph.groups) {
            auto whole = lower::groupOperation(graph, readers_, group);
            if (!whole) continue;
            for (const GraphOpId id : group.ops)
                covered_.insert(id.index);
            whole_.emplace(group.ops.back().index, std::move(*whole));
        }
    }

    Function run() {
        for (std::size_t i = 0; i < graph_.ops.size(); ++i) {
            const auto index = static_cast<std::int32_t>(i);
            const memplan::Op& op = graph_.ops[i];
            if (const auto it = whole_.find(index); it != whole_.end())
                writeGroup(op, it->second);
            else if (isConcatPart(op))
                i = writeConcat(i);
            else if (!covered_.contains(index))
                lower::writeOp(writer_, op);
        }
        return writer_.take();
    }

private:
    void writeGroup(const memplan::Op& last, const GroupOperation& group) {
        const lower::Shape shape = writer_.shapeOf(group.output);
        Attributes properties;
        if (group.kind == "softmax")
            properties = {{"dimension", std::to_string(group.axes.front()) + " : si32"}};
        else if (!group.axes.empty())
            properties = normProperties(group, shape);
        std::vector<ValueId> operands;
        for (const TensorId input : group.inputs)
            operands.push_back(writer_.value(input));
        writer_.set(group.output,
                    writer_.emit(last, group.kind, std::move(operands), shape,
                                 lower::elementOf(graph_.tensor(group.output).dtype), std::move(properties)));
    }

    static Attributes normProperties(const GroupOperation& group, const lower::Shape& shape) {
        const lower::Shape last(shape.end() - static_cast<std::ptrdiff_t>(group.axes.size()), shape.end());
        return {{"epsilon", lower::floatText(group.epsilon)},
                {"normalized_shape", lower::array64Text(last)},
                {"operandSegmentSizes", lower::array32Text({1, group.hasScale ? 1 : 0, group.hasOffset ? 1 : 0})}};
    }

    /// All parts from `first` on; the position of the last.
    std::size_t writeConcat(std::size_t first) {
        std::size_t last = first;
        const TensorId root = aliasRoot(graph_, graph_.ops[first].outputs.front());
        while (last + 1 < graph_.ops.size() && isConcatPart(graph_.ops[last + 1]) &&
               aliasRoot(graph_, graph_.ops[last + 1].outputs.front()) == root)
            ++last;
        lower::writeConcat(writer_, {graph_.ops.begin() + static_cast<std::ptrdiff_t>(first),
                                     graph_.ops.begin() + static_cast<std::ptrdiff_t>(last) + 1});
        return last;
    }

    const Graph& graph_;
    GraphWriter writer_;
    lower::Readers readers_;
    std::set<std::int32_t> covered_;                ///< operations of such groups
    std::map<std::int32_t, GroupOperation> whole_;  ///< by the last operation of the group
};

}  // namespace

Result<Module> moduleOfGraph(const Graph& graph) {
    if (graph.ops.empty()) return makeError("MLIR-008", {}, "the graph computes nothing", {});
    Module module;
    module.name = graph.name;
    module.functions.push_back(GraphLowering(graph).run());
    return module;
}

}  // namespace memplan::ttnn
