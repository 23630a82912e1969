// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/memory/results.h"

#include "engine/sim/record/record.h"

#include <algorithm>

namespace memplan::verify {
namespace {

struct Place {
    TensorId tensor;
    std::size_t buffer = 0;
};

TensorId tensorNamed(const Graph& graph, const std::string& id) {
    const auto it =
        std::find_if(graph.tensors.begin(), graph.tensors.end(), [&](const Tensor& t) { return t.id == id; });
    return it == graph.tensors.end() ? TensorId() : TensorId::of(static_cast<std::size_t>(it - graph.tensors.begin()));
}

std::vector<Place> placesOfRecord(const Plan& plan) {
    std::vector<Place> places;
    for (const sim::RecordOutput& o : plan.execution->outputs)
        places.push_back({tensorNamed(*plan.graph, o.tensor), static_cast<std::size_t>(o.buffer)});
    return places;
}

std::vector<Place> placesOfViews(const Plan& plan) {
    std::vector<Place> places;
    for (const TensorId tensor : plan.graph->outputs) {
        const auto it =
            std::find_if(plan.views.begin(), plan.views.end(), [&](const TensorView& v) { return v.tensor == tensor; });
        if (it != plan.views.end()) places.push_back({tensor, it->buffer.at()});
    }
    return places;
}

}  // namespace

std::optional<std::vector<Returned>> returnedBuffers(const Plan& plan) {
    if (!plan.graph || (!plan.execution && plan.views.empty())) return std::nullopt;
    const std::vector<Place> places = plan.execution ? placesOfRecord(plan) : placesOfViews(plan);
    if (places.size() != plan.graph->outputs.size()) return std::nullopt;
    std::vector<Returned> found(plan.buffers.size(), Returned::No);
    for (const Place& place : places) {
        if (place.buffer >= found.size()) return std::nullopt;
        const TensorId held = plan.buffers[place.buffer].graphTensor;
        Returned& how = found[place.buffer];
        if (!held.isValid()) {
            how = Returned::Unclear;
        } else if (held != place.tensor) {
            how = Returned::View;
        } else if (how == Returned::No) {
            how = Returned::Whole;
        }
    }
    return found;
}

}  // namespace memplan::verify
