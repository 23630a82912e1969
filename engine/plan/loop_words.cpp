// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/loop_words.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/plan/dimension_name.h"

#include <algorithm>
#include <vector>

namespace memplan {
namespace {

/// Empty when the loop does not move along the buffer. An inner block of a dimension counts as that dimension.
std::string dimensionsUnder(const Plan& plan, const PlanAccess& access, std::size_t loop, std::int64_t extent) {
    const PlanBuffer& buffer = plan.buffer(access.buffer);
    if (!buffer.layout || loop >= access.coefficients.size() || access.coefficients[loop] <= 0) return {};
    const BufferLayout& layout = *buffer.layout;
    const std::int64_t step = access.coefficients[loop];
    std::vector<std::string> names;
    for (std::size_t d = 0; d < layout.size.size() && d < layout.stride.size(); ++d) {
        if (layout.size[d] <= 1 || layout.stride[d] <= 0) continue;
        const bool isReached = layout.stride[d] < saturatedMul(step, extent);
        const bool isPassed = saturatedMul(layout.stride[d], layout.size[d]) <= step;
        if (isReached && !isPassed) names.push_back(dimensionName(d, layout.size.size(), declaredDims(plan, buffer)));
    }
    return text::join(names, " x ");
}

}  // namespace

const std::vector<std::string>& declaredDims(const Plan& plan, const PlanBuffer& buffer) {
    static const std::vector<std::string> none;
    const bool isWritten = buffer.producer.isValid() && buffer.producer.at() < plan.ops.size();
    return isWritten ? plan.op(buffer.producer).namedDims : none;
}

std::string loopName(const Plan& plan, OpId id, std::size_t loop, BufferId of) {
    const PlanOp& op = plan.op(id);
    const IterationDim& dim = op.iterationSpace[loop];
    std::vector<const PlanAccess*> accesses;
    for (const PlanAccess& a : op.accesses)
        accesses.push_back(&a);
    const auto rank = [of](const PlanAccess* a) { return a->buffer == of ? 0 : a->isWrite ? 1 : 2; };
    std::stable_sort(accesses.begin(), accesses.end(),
                     [&](const PlanAccess* a, const PlanAccess* b) { return rank(a) < rank(b); });
    for (const PlanAccess* a : accesses) {
        const std::string words = a->isIndirect ? std::string() : dimensionsUnder(plan, *a, loop, dim.extent);
        if (!words.empty()) return words;
    }
    return dim.name;
}

}  // namespace memplan
