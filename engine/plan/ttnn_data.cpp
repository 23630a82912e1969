// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/ttnn_data.h"

#include <algorithm>
#include <array>

namespace memplan {
namespace {

constexpr std::array<std::string_view, 6> kConversions{"",          "forced", "override",
                                                       "proactive", "spill",  "to_l1_interleaved"};

}  // namespace

std::string_view wordOf(TtnnConversion kind) {
    return kConversions[static_cast<std::size_t>(kind)];
}

std::optional<TtnnConversion> ttnnConversionOf(std::string_view word) {
    const auto it = std::ranges::find(kConversions, word);
    if (it == kConversions.end()) return std::nullopt;
    return static_cast<TtnnConversion>(it - kConversions.begin());
}

const TtnnData& ttnnData(const Plan& plan) {
    static const TtnnData kNone;
    const auto* own = targetDataAs<TtnnData>(plan.targetData);
    return own != nullptr ? *own : kNone;
}

}  // namespace memplan
