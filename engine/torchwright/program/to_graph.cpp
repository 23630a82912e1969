// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/program/to_graph.h"

#include "engine/hints/scope.h"

#include <map>
#include <utility>

namespace memplan::torchwright {
namespace {

TensorRole roleOf(const Node& node) {
    if (!isInputLike(node.kind)) return TensorRole::Activation;
    return node.is(NodeKind::LiteralValue) ? TensorRole::Constant : TensorRole::Input;
}

class Builder {
public:
    explicit Builder(const NodeGraph& graph) : graph_(graph) {}

    Graph build(const std::string& name) {
        out_.name = name;
        out_.source = memplan::GraphSource{"torchwright-graph", name, ""};
        for (const Node& node : graph_.nodes)
            addTensor(node);
        for (const NodeId id : topologicalOrder(graph_)) {
            if (!isInputLike(graph_.at(id).kind)) addOperation(id);
        }
        for (std::size_t i = 0; i < graph_.size(); ++i) {
            if (out_.tensors[i].role == TensorRole::Input) out_.inputs.push_back(TensorId::of(i));
        }
        for (const NodeId id : graph_.outputs())
            out_.outputs.push_back(TensorId::of(id.at()));
        return std::move(out_);
    }

private:
    const NodeGraph& graph_;
    std::map<std::string, GroupId> groups_;
    Graph out_;

    void addTensor(const Node& node) {
        memplan::Tensor tensor;
        tensor.id = std::to_string(node.number);
        tensor.name = node.name;
        tensor.dtype = DType::F32;
        tensor.shape = {node.width};
        tensor.role = roleOf(node);
        out_.tensors.push_back(std::move(tensor));
    }

    void addOperation(NodeId id) {
        const Node& node = graph_.at(id);
        const GraphOpId position = GraphOpId::of(out_.ops.size());
        Op op;
        op.id = std::to_string(node.number);
        op.kind = OpKind::Fallback;
        op.fn = kindName(node.kind);
        op.origin = {std::string(kindName(node.kind)), node.name, "torchwright"};
        for (const NodeId input : node.inputs)
            op.inputs.push_back(TensorId::of(input.at()));
        op.outputs.push_back(TensorId::of(id.at()));
        if (!node.annotation.empty()) {
            op.group = groupOf(node.annotation);
            out_.groups[op.group.at()].ops.push_back(position);
        }
        out_.ops.push_back(std::move(op));
    }

    GroupId groupOf(const std::string& annotation) {
        const auto known = groups_.find(annotation);
        if (known != groups_.end()) return known->second;
        const std::size_t slash = annotation.rfind('/');
        Group group;
        group.id = annotation;
        group.kind = hints::scopeWord(hints::ScopeKind::Annotation);
        if (slash != std::string::npos && slash > 0) group.parent = groupOf(annotation.substr(0, slash));
        const GroupId id = GroupId::of(out_.groups.size());
        out_.groups.push_back(std::move(group));
        groups_.emplace(annotation, id);
        return id;
    }
};

}  // namespace

std::shared_ptr<const Graph> graphOfNodes(const NodeGraph& graph, const std::string& name) {
    return std::make_shared<const Graph>(Builder(graph).build(graph.name.empty() ? name : graph.name));
}

}  // namespace memplan::torchwright
