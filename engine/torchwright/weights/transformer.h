// SPDX-License-Identifier: Apache-2.0
// The compiled transformer: weights of every sublayer (torchwright.md 9). Each layer computes
//   x <- x + sum over heads of softmax_causal((x Q)(x K)^T) (x V) O
//   x <- x + ReLU(x W1 + b1) W2 + b2
#pragma once

#include "engine/base/result.h"
#include "engine/torchwright/graph/node_graph.h"
#include "engine/torchwright/schedule/schedule.h"

namespace memplan::torchwright {

/// Heads stand side by side: head h takes the columns (of `output` the rows) from h * dHead on.
struct LayerWeights {
    int headCount = 1;          ///< at least one, of zeros where the layer uses none
    Slots slotCount = 1;        ///< the same
    Tensor query, key, value;   ///< [d, heads * dHead]
    Tensor output;              ///< [heads * dHead, d]
    Tensor first, firstBias;    ///< [d, slots], [slots]
    Tensor second, secondBias;  ///< [slots, d], [d]
    friend bool operator==(const LayerWeights&, const LayerWeights&) = default;
};

struct Transformer {
    Columns d = 0, dHead = 0;
    std::vector<LayerWeights> layers;
    friend bool operator==(const Transformer&, const Transformer&) = default;
};

/// Why no weights can be made; empty where they can. A graph with stubs computes other values and has none.
[[nodiscard]] std::string whyNoWeights(const NodeGraph& graph, const Schedule& schedule);
/// `graph` is the one that was scheduled. Error: TW-023 with whyNoWeights().
[[nodiscard]] Result<Transformer> weightsOf(const NodeGraph& graph, const Schedule& schedule);

}  // namespace memplan::torchwright
