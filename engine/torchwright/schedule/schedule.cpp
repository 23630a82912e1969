// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/schedule/schedule.h"

#include <algorithm>
#include <array>

namespace memplan::torchwright {

std::string_view opName(AttentionKind kind) {
    constexpr std::array<std::string_view, 6> kNames{"compute_attn", "compute_linear", "compute_add",
                                                     "add_into",     "cancel",         "delta_transfer"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string_view opName(MlpKind kind) {
    constexpr std::array<std::string_view, 5> kNames{"compute_relu", "compute_standalone_relu", "compute_linear_bypass",
                                                     "compute_literal_value", "compute_bias"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string_view causeName(Cause cause) {
    constexpr std::array<std::string_view, 5> kNames{"order", "heads", "columns", "slots", "admission"};
    return kNames[static_cast<std::size_t>(cause)];
}

std::string_view resultName(ScheduleResult result) {
    constexpr std::array<std::string_view, 6> kNames{
        "ok", "no_progress", "inputs_do_not_fit", "d_head_too_small", "not_converged", "after_never_met"};
    return kNames[static_cast<std::size_t>(result)];
}

int Schedule::holdingOf(NodeId id) const {
    const auto found = std::ranges::find(holdings, id, &Holding::owner);
    return found == holdings.end() ? -1 : static_cast<int>(found - holdings.begin());
}

}  // namespace memplan::torchwright
