// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/weights/transformer.h"

#include "engine/torchwright/weights/layer_sums.h"

#include <algorithm>

namespace memplan::torchwright {
namespace {

/// Without the slots behind the last that does something.
LayerWeights trimmed(const LayerSums& sums, const Schedule& schedule, int heads) {
    const std::int64_t d = schedule.options.d;
    LayerWeights out;
    out.headCount = std::max(1, heads);
    const std::int64_t lanes = std::int64_t{out.headCount} * schedule.options.dHead;
    out.query = sums.query.tensor(d, lanes);
    out.key = sums.key.tensor(d, lanes);
    out.value = sums.value.tensor(d, lanes);
    out.output = sums.output.tensor(lanes, d);
    out.slotCount = static_cast<Slots>(std::max({std::int64_t{1}, sums.first.usedColumns(), sums.second.usedRows()}));
    out.first = sums.first.tensor(d, out.slotCount);
    out.firstBias = sums.firstBias.tensor(1, out.slotCount);
    out.second = sums.second.tensor(out.slotCount, d);
    out.secondBias = sums.secondBias.tensor(1, d);
    return out;
}

}  // namespace

std::string whyNoWeights(const NodeGraph& graph, const Schedule& schedule) {
    if (!schedule.ok()) return "the schedule was not completed";
    if (!graph.hasTensors) return "the graph has no tensors, or stubs stand for a part of it";
    return {};
}

Result<Transformer> weightsOf(const NodeGraph& graph, const Schedule& schedule) {
    if (const std::string why = whyNoWeights(graph, schedule); !why.empty())
        return makeError("TW-023", "weights", "there are no weights: " + why);
    Transformer out;
    out.d = schedule.options.d;
    out.dHead = schedule.options.dHead;
    for (const Layer& layer : schedule.layers) {
        LayerSums sums;
        const int heads = writeAttention(graph, schedule, layer, sums);
        writeMlp(graph, layer, sums);
        out.layers.push_back(trimmed(sums, schedule, heads));
    }
    return out;
}

}  // namespace memplan::torchwright
