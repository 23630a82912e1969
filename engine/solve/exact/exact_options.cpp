// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/exact/exact_options.h"

namespace memplan::solve {

std::int64_t valueOf(const Item& item, Goal goal) {
    if (goal == Goal::Bytes) return item.size;
    const auto uses = static_cast<std::int64_t>(item.uses.size());
    if (goal == Goal::Quality) return (2 * uses + (item.firstUseIsRead ? 0 : 1)) * item.size;
    if (item.spillTraffic) return *item.spillTraffic;
    // A graph input must be read once to get on chip; without a use list, one write and one read are certain.
    if (item.firstUseIsRead) return std::max<std::int64_t>(uses - 1, 0) * item.size;
    return std::max<std::int64_t>(uses, item.uses.empty() ? 2 : 1) * item.size;
}

}  // namespace memplan::solve
