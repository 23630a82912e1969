// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/given_name.h"

namespace memplan {

std::string_view givenName(const Plan& plan, BufferId id) {
    const PlanBuffer& b = plan.buffer(id);
    const bool isKnown = plan.graph && b.graphTensor.isValid() && b.graphTensor.at() < plan.graph->tensors.size();
    if (!isKnown || b.cloneOf.isValid()) return {};
    const std::string& given = plan.graph->tensor(b.graphTensor).id;
    return given == b.name ? std::string_view() : std::string_view(given);
}

std::string shownName(const Plan& plan, BufferId id) {
    const std::string_view given = givenName(plan, id);
    const std::string& own = plan.buffer(id).name;
    return given.empty() ? own : std::string(given) + " (" + own + ")";
}

std::optional<BufferId> bufferNamed(const Plan& plan, std::string_view name) {
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        if (plan.buffers[i].name == name) return BufferId::of(i);
    }
    for (std::size_t i = 0; i < plan.buffers.size() && !name.empty(); ++i) {
        if (givenName(plan, BufferId::of(i)) == name) return BufferId::of(i);
    }
    return std::nullopt;
}

}  // namespace memplan
