// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/advice/order_hint.h"

#include "engine/plan/spyre_data.h"

namespace memplan::spyre {

std::vector<Hint> orderAsHint(const Plan& plan) {
    if (!spyreData(plan).operationOrder || spyreData(plan).operationOrder->graphOrder.empty()) return {};
    Hint hint;
    hint.target = plan.target;
    hint.scopes = {"graph"};
    hint.key = "op_order";
    hint.value = HintValue(spyreData(plan).operationOrder->graphOrder);
    return {std::move(hint)};
}

}  // namespace memplan::spyre
