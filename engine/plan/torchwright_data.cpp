// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/torchwright_data.h"

namespace memplan {

const TorchwrightData& torchwrightData(const Plan& plan) {
    static const TorchwrightData kNone;
    const auto* own = targetDataAs<TorchwrightData>(plan.targetData);
    return own != nullptr ? *own : kNone;
}

}  // namespace memplan
