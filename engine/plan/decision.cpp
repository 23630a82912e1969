// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/decision.h"

#include <algorithm>
#include <array>
#include <utility>

namespace memplan {
namespace {

/// In the order of the enumeration.
constexpr std::array<std::string_view, 29> kKindNames{
    "",          "candidate",       "placed",         "in_place",  "spilled",
    "split",     "layout",          "restickify",     "clone",     "chunk",
    "dead_code", "constant",        "padding",        "dim_hint",  "tile",
    "propagate", "tiling_search",   "tiling",         "read_copy", "pool",
    "order",     "boundary",        "boundary_price", "renamed",   "evicted",
    "ring",      "division_search", "plan_variant",   "search"};
static_assert(static_cast<std::size_t>(DecisionKind::Search) + 1 == kKindNames.size());

}  // namespace

std::optional<double> Decision::figure(const Wording& label) const {
    const auto found =
        std::find_if(alternatives.begin(), alternatives.end(), [&](const Alternative& a) { return a.label.is(label); });
    return found == alternatives.end() ? std::nullopt : std::optional(found->score);
}

std::string_view kindName(const Decision& decision) {
    const bool isKnown = decision.kind != DecisionKind::Other;
    return isKnown ? kKindNames.at(static_cast<std::size_t>(decision.kind)) : std::string_view(decision.otherKind);
}

void setKind(Decision& decision, std::string word) {
    const auto* name = std::find(kKindNames.begin() + 1, kKindNames.end(), word);
    if (name == kKindNames.end())
        decision.otherKind = std::move(word);
    else
        decision.kind = static_cast<DecisionKind>(name - kKindNames.begin());
}

}  // namespace memplan
