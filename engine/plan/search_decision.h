// SPDX-License-Identifier: Apache-2.0
// The trace of a solver's search inside a plan: one decision without a subject, kind "search", whose alternatives are
// the plan's figures by name and the best values by the step that found them (user-experience 12.2).
#pragma once

#include "engine/base/search_trace.h"
#include "engine/plan/plan.h"

#include <optional>
#include <string_view>

namespace memplan {

/// SearchTrace::measure of a search for fewer layers of a schedule.
inline constexpr std::string_view kLayersSaved = "layers_saved";

/// At most 32 alternatives: of a longer way the first, the last and evenly chosen values between them stay.
[[nodiscard]] Decision searchDecision(const SearchTrace& trace);
/// Gives a decision of kind search that was read from a file the facts that its words hold.
void restoreSearchFacts(Decision& decision);
/// The search of the plan's solver; nullopt when it did not search or the trace cannot be read.
[[nodiscard]] std::optional<SearchTrace> searchOf(const Plan& plan);

}  // namespace memplan
