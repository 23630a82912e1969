// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/spyre_data.h"

namespace memplan {

const SpyreData& spyreData(const Plan& plan) {
    static const SpyreData kNone;
    const auto* own = targetDataAs<SpyreData>(plan.targetData);
    return own != nullptr ? *own : kNone;
}

SpyreData& editSpyreData(Plan& plan) {
    return editTargetData<SpyreData>(plan.targetData);
}

}  // namespace memplan
