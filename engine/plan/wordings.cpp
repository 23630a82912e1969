// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/wordings.h"

#include <algorithm>
#include <array>
#include <utility>

namespace memplan {

Statement recorded(std::string words) {
    static constexpr std::array kKnown{
        &say::kMainMemoryBytes,  &say::kEstimatedMicroseconds, &say::kBuffersOnChip, &say::kEveryPass,
        &say::kProductDivisions, &say::kProductSettings,       &say::kKept,          &say::kNotKept,
        &say::kSearchSteps,      &say::kSearchPlannedSteps,    &say::kSearchBound};
    const auto* known = std::find_if(kKnown.begin(), kKnown.end(), [&](const Wording* w) { return w->text == words; });
    return known != kKnown.end() ? Statement(**known) : Statement(say::kRecorded, std::move(words));
}

}  // namespace memplan
