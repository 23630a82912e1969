// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/spyre_data.h"

namespace memplan {

const SpyreData& spyreData(const Plan& plan) {
    static const SpyreData kNone;
    const auto* own = targetDataAs<SpyreData>(plan.targetData);
    return own != nullptr ? *own : kNone;
}

std::span<const PlanKernel> SpyreData::programs() const {
    return kernels ? std::span<const PlanKernel>(*kernels) : std::span<const PlanKernel>();
}

const CoOptimization* SpyreData::jointSearch() const {
    return coOptimization ? &*coOptimization : nullptr;
}

const OperationOrder* SpyreData::newOrder() const {
    return operationOrder ? &*operationOrder : nullptr;
}

std::span<const std::vector<int>> SpyreData::tiledLoops(OpId op) const {
    const bool has = op.isValid() && op.at() < ops.size();
    return has ? std::span<const std::vector<int>>(ops[op.at()].tiledLoops) : std::span<const std::vector<int>>();
}

SpyreData& editSpyreData(Plan& plan) {
    return editTargetData<SpyreData>(plan.targetData);
}

}  // namespace memplan
