// SPDX-License-Identifier: Apache-2.0
#include "pipeline/artefacts.h"

#include "sim/record.h"
#include "spyre/codegen/codegen_passes.h"

#include <algorithm>

namespace memplan {

namespace {

/// Buffers that hold the outputs of the graph, in its order: the last line of the wrapper source returns them by place.
/// An output without a known buffer, or a plan without its graph, leaves the order of the buffers.
std::vector<std::string> outputBuffers(const Plan& plan) {
    std::vector<std::string> names;
    if (plan.graph) {
        for (const BufferId tensor : plan.graph->outputs) {
            const auto view = std::find_if(plan.views.begin(), plan.views.end(),
                                           [&](const PlanView& v) { return v.tensor == tensor; });
            if (view != plan.views.end()) names.push_back(plan.buffer(view->buffer).name);
        }
        if (names.size() == plan.graph->outputs.size()) return names;
    } else if (plan.execution) {
        for (const sim::RecordOutput& o : plan.execution->outputs)
            names.push_back(plan.execution->buffers[static_cast<std::size_t>(o.buffer)].name);
        if (!names.empty()) return names;
    }
    names.clear();
    for (const PlanBuffer& b : plan.buffers) {
        if (b.role == BufferRole::GraphOutput) names.push_back(b.name);
    }
    return names;
}

}  // namespace

Result<std::vector<std::pair<std::string, std::string>>> planArtefacts(const Plan& plan, Diagnostics& notes) {
    if (!plan.spyre.opSpecs) {
        return makeError("EXP-006", "", "the plan holds no kernels to write", "compile without --stop-after");
    }
    std::vector<std::string> inputs;
    for (const PlanBuffer& b : plan.buffers) {
        if (b.role == BufferRole::GraphInput || b.role == BufferRole::Parameter) inputs.push_back(b.name);
    }
    return spyre::bundleArtefacts(*plan.spyre.opSpecs, inputs, outputBuffers(plan), plan.settings, notes);
}

}  // namespace memplan
