// SPDX-License-Identifier: Apache-2.0
// Which nodes have the same value for every input: equal type, width and parameters, recursively equal inputs
// (torchwright.md 19.2). Inputs, embeddings and the position encoding are equal only to themselves.
#pragma once

#include "engine/torchwright/analysis/relations.h"

#include <unordered_map>

namespace memplan::torchwright {

/// Numbers for tensors: the same for bit-equal ones.
class TensorNumbers {
public:
    /// 0 for none.
    [[nodiscard]] int of(const TensorPtr& tensor);

private:
    std::unordered_map<const Tensor*, int> known_;
    std::unordered_map<std::uint64_t, std::vector<const Tensor*>> byHash_;
    int count_ = 0;
};

/// Numbers of the parameters of a node, equal for equal ones: kind, width, sizes, tensors.
[[nodiscard]] std::vector<std::int64_t> parametersKey(const Node& node, TensorNumbers& tensors);

struct SameValues {
    std::vector<int> classOf;                  ///< by node
    std::vector<std::vector<NodeId>> members;  ///< by class, ascending
    TensorNumbers tensors;

    [[nodiscard]] bool areSame(NodeId a, NodeId b) const { return classOf[a.at()] == classOf[b.at()]; }
};

/// Needs tensors.
[[nodiscard]] SameValues sameValuesOf(const NodeGraph& graph);
/// Classes of at least two nodes that are computed, none a Concatenate.
[[nodiscard]] std::vector<std::vector<NodeId>> recomputedClasses(const NodeGraph& graph, const SameValues& values);
/// Those among them of which sharing another one would not share them too.
[[nodiscard]] std::vector<std::vector<NodeId>> maximalClasses(const NodeGraph& graph, const Relations& relations,
                                                              const SameValues& values);

}  // namespace memplan::torchwright
