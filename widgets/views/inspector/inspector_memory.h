// SPDX-License-Identifier: GPL-3.0-or-later
// What the inspector says about memory: of a core over the plan and at the time cursor (user-experience 6.6, 10.1).
// The rows "Now" of a buffer stand beside it (10.4).
#pragma once

#include "widgets/views/inspector/inspector_facts.h"

namespace memplan::ui {

[[nodiscard]] InspectorContent coreContent(const InspectorInput& input, int core);

}  // namespace memplan::ui
