// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/plan_hash.h"

#include "engine/base/hash.h"

namespace memplan {

std::string planHash(const Plan& plan) {
    std::string key = plan.inputHash;
    const auto add = [&key](std::string_view text) { key.append(text).push_back('\0'); };
    for (const PlanOp& op : plan.ops) {
        add(op.name);
        add(op.type);
        for (const IterationDim& d : op.iterationSpace)
            add(std::to_string(d.extent) + "/" + std::to_string(d.slices));
    }
    for (const PlanBuffer& b : plan.buffers) {
        add(b.name);
        add(std::to_string(b.sizePerCore));
        add(b.address ? std::to_string(*b.address) : std::string(b.reason ? reasonInfo(b.reason->code).name : ""));
    }
    return hex16(fnv1a(key));
}

}  // namespace memplan
