// SPDX-License-Identifier: Apache-2.0
// The weights of one layer while they are written, operation by operation.
#pragma once

#include "engine/torchwright/graph/node_graph.h"
#include "engine/torchwright/schedule/schedule.h"
#include "engine/torchwright/weights/tensor_sum.h"

namespace memplan::torchwright {

struct LayerSums {
    TensorSum query, key, value, output;
    TensorSum first, firstBias, second, secondBias;
};

/// The attention operations of a layer; gives the heads that they took.
int writeAttention(const NodeGraph& graph, const Schedule& schedule, const Layer& layer, LayerSums& into);
/// The MLP operations of a layer.
void writeMlp(const NodeGraph& graph, const Layer& layer, LayerSums& into);

}  // namespace memplan::torchwright
