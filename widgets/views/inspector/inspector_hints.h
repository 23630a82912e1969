// SPDX-License-Identifier: GPL-3.0-or-later
// Hints and notes in the inspector: their sections, and which fields a hint can set (user-experience 10.1, 10.2).
#pragma once

#include "widgets/views/inspector/inspector_facts.h"

namespace memplan::ui {

/// `key` where the plan's target has such a kind of hint, else empty.
[[nodiscard]] QString hintKeyFor(const Plan& plan, const char* key);

/// "At or below": the limit that a hint set for the buffer's address, with a pencil (hints.md 4.1 `address_limit`).
[[nodiscard]] InspectorRow addressLimitRow(const Plan& plan, BufferId buffer, const Units& units);

/// The hints of the plan that name the buffer or the op, and those of the whole document, with their states.
/// Links: "edit:3" and "add-hint".
/// Hints on the operations of a loop.
[[nodiscard]] InspectorSection loopHintsSection(const InspectorInput& input, const std::vector<OpId>& ops);
[[nodiscard]] InspectorSection hintsSection(const InspectorInput& input, BufferId buffer, OpId op);

/// The note of the selected item, and those on steps that `steps` touches. Link: "note".
[[nodiscard]] InspectorSection notesSection(const InspectorInput& input, StepRange steps);

}  // namespace memplan::ui
