// SPDX-License-Identifier: GPL-3.0-or-later
// What the inspector says about the selection (user-experience 10), as plain values; the widget only
// shows them. Links are "buffer:3" or "op:2" in an <a href>.
#pragma once

#include "widgets/views/inspector/inspector_facts.h"

#include <vector>

namespace memplan::ui {

[[nodiscard]] InspectorContent inspectorContent(const InspectorInput& input);
/// The section "Now" depends on the time cursor only; it is part of "lifetime".
[[nodiscard]] std::vector<InspectorRow> nowRows(const Plan& plan, BufferId buffer, Step cursor);

/// The S1 sample: four stages with their traffic and the reference medians (scratchpad 12).
/// `currentTraffic` marks the stage of the shown plan.
[[nodiscard]] MeasuredComparison softmaxMeasurements(Bytes currentTraffic);

}  // namespace memplan::ui
