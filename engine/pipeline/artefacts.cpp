// SPDX-License-Identifier: Apache-2.0
#include "pipeline/artefacts.h"

#include "spyre/codegen/codegen_passes.h"

namespace memplan {

Result<std::vector<std::pair<std::string, std::string>>> planArtefacts(const Plan& plan, Diagnostics& notes) {
    if (!plan.spyre.opSpecs) {
        return makeError("EXP-006", "", "the plan holds no kernels to write", "compile without --stop-after");
    }
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    for (const PlanBuffer& b : plan.buffers) {
        if (b.role == BufferRole::GraphInput || b.role == BufferRole::Parameter) inputs.push_back(b.name);
        if (b.role == BufferRole::GraphOutput) outputs.push_back(b.name);
    }
    return spyre::bundleArtefacts(*plan.spyre.opSpecs, inputs, outputs, plan.settings, notes);
}

}  // namespace memplan
