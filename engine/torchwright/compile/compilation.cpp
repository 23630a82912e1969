// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/compile/compilation.h"

#include "engine/base/text.h"
#include "engine/torchwright/compile/options.h"
#include "engine/torchwright/compile/plan_builder.h"
#include "engine/torchwright/compile/snapshot_text.h"
#include "engine/torchwright/program/source.h"

#include <algorithm>
#include <utility>

namespace memplan::torchwright {
namespace {

Error noGraph() {
    return makeError("TW-001", "", "there is no graph to plan",
                     "open a graph exported from torchwright, a neutral graph or an ONNX model");
}

}  // namespace

std::string Compilation::snapshot() const {
    return snapshotText(state_);
}

std::shared_ptr<Plan> Compilation::freeze(RunFacts facts) const {
    return buildPlan(request_, state_, std::move(facts));
}

std::vector<std::string> Compilation::makeNames() const {
    std::vector<std::string> names;
    if (state_.schedule) {
        for (const PlannedOp& op : state_.ops)
            names.push_back(op.name);
    } else {
        for (const Node& node : state_.graph.nodes)
            names.push_back(std::to_string(node.number));
    }
    return names;
}

std::vector<OpId> Compilation::opsOf(GraphOpId graphOp) const {
    std::vector<OpId> found;
    const auto isIt = [&](NodeId id) {
        const auto it = state_.graphOps.find(graph().at(id).number);
        return it != state_.graphOps.end() && it->second == graphOp;
    };
    if (!state_.schedule) {
        for (std::size_t i = 0; i < state_.graph.size(); ++i) {
            if (isIt(NodeId::of(i))) found.push_back(OpId::of(i));
        }
        return found;
    }
    for (std::size_t i = 0; i < state_.ops.size(); ++i) {
        const PlannedOp& op = state_.ops[i];
        if (!op.node.isValid()) continue;
        std::vector<NodeId> nodes{op.node};
        if (op.mlp != nullptr) {
            for (const NodeId member : chainMembers(graph(), *op.mlp))
                nodes.push_back(member);
        }
        if (std::ranges::any_of(nodes, isIt)) found.push_back(OpId::of(i));
    }
    return found;
}

std::vector<BufferId> Compilation::buffersOf(TensorId graphTensor) const {
    if (!request_.graph || graphTensor.at() >= request_.graph->tensors.size()) return {};
    const auto number = text::parseInt(request_.graph->tensor(graphTensor).id);
    NodeId id = number && !state_.neutral ? graph().find(*number) : NodeId{};
    for (const auto& [node, tensor] : state_.graphTensors)
        if (tensor == graphTensor) id = graph().find(node);
    return id.isValid() ? std::vector<BufferId>{BufferId::of(id.at())} : std::vector<BufferId>{};
}

Bytes Compilation::bytesOnCore(BufferId buffer) const {
    return buffer.at() < graph().size() ? 4 * Bytes{graph().nodes[buffer.at()].width} : 0;
}

Result<std::unique_ptr<memplan::Compilation>> beginCompile(const CompileRequest& request) {
    const auto* source = dynamic_cast<const GraphSource*>(request.program.get());
    if (source == nullptr && (request.program || !request.graph)) return noGraph();
    State state;
    state.options = optionsOf(request.settings);
    if (source == nullptr)
        state.neutral = request.graph;
    else
        state.graph = *source->graph;
    for (std::size_t i = 0; source != nullptr && request.graph && i < request.graph->ops.size(); ++i) {
        if (const auto number = text::parseInt(request.graph->ops[i].id))
            state.graphOps.emplace(*number, GraphOpId::of(i));
    }
    std::unique_ptr<memplan::Compilation> begun = std::make_unique<Compilation>(request, std::move(state));
    return begun;
}

}  // namespace memplan::torchwright
