// SPDX-License-Identifier: GPL-3.0-or-later
// What the original compiler recorded of an item, as sections of the inspector: one for each attached file
// (coarse tiling and bundle 17.2 to 17.4).
#pragma once

#include "widgets/views/inspector/inspector_facts.h"

namespace memplan::ui {

/// Appends the sections of a buffer, an op, or an op with its one output; an invalid id stands for nothing. Where the
/// plan says something else of the same thing, the row says what.
void addRecorded(const InspectorInput& input, BufferId buffer, OpId op, std::vector<InspectorSection>& sections);

}  // namespace memplan::ui
