// SPDX-License-Identifier: Apache-2.0
// Recognition of what several nodes mean together (inputs-and-interchange 6, passes 2 and 4): the parts
// stay, a group says what they are.
#pragma once

#include "engine/io/onnx/model.h"

#include <string>
#include <vector>

namespace memplan::io::onnx {

struct PatternMatch {
    std::string kind;        ///< gelu, layer_norm, rms_norm, silu, rotary, attention
    std::vector<int> nodes;  ///< positions in Model::nodes, ascending
    int last = -1;           ///< the node that writes the result
};

/// Matches without common nodes, largest kinds first; every inner value has one reader and is no graph
/// output.
[[nodiscard]] std::vector<PatternMatch> findPatterns(const Model& model);

/// For each BatchNormalization that directly follows a convolution with one reader: the convolution's node,
/// else -1; parallel to Model::nodes.
[[nodiscard]] std::vector<int> foldableBatchNorms(const Model& model);

/// Members of a group must stand together: an order of the live nodes that keeps dependencies and, for
/// every match that can be made one block, its nodes consecutive. Matches that cannot are dropped.
[[nodiscard]] std::vector<int> executionOrder(const Model& model, std::vector<PatternMatch>& matches);

[[nodiscard]] bool isLive(const Node& node);

}  // namespace memplan::io::onnx
