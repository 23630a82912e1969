// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/record/record_steps.h"

#include "engine/plan/spyre_data.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

/// `variables` counts the loops so far: each has a variable of its own.
std::vector<sim::RecordStep> stepsOf(const std::vector<LoopNode>& nodes, int& variables) {
    std::vector<sim::RecordStep> out;
    for (const LoopNode& n : nodes) {
        sim::RecordStep step;
        if (n.op.isValid()) {
            step.op = n.op.index;
        } else {
            step.count = n.count;
            step.variable = "i" + std::to_string(variables++);
            step.body = stepsOf(n.body, variables);
        }
        out.push_back(std::move(step));
    }
    return out;
}

int firstOp(const sim::RecordStep& step) {
    return step.op >= 0 || step.body.empty() ? step.op : firstOp(step.body.front());
}

}  // namespace

bool isAllocation(const PlanOp& op) {
    return op.kind == "extern" && op.type == "empty";
}

std::vector<sim::RecordStep> recordSteps(const Plan& plan) {
    int variables = 0;
    std::vector<sim::RecordStep> steps = stepsOf(*spyreData(plan).loops, variables);
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        if (!isAllocation(plan.ops[i])) continue;
        sim::RecordStep step;
        step.op = static_cast<int>(i);
        const auto behind = std::find_if(steps.begin(), steps.end(),
                                         [&](const sim::RecordStep& s) { return firstOp(s) > static_cast<int>(i); });
        steps.insert(behind, std::move(step));
    }
    return steps;
}

}  // namespace memplan::spyre
