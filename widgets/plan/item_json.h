// SPDX-License-Identifier: GPL-3.0-or-later
// Items of a plan as JSON: what "Copy as JSON" puts on the clipboard and the inspector shows (user-experience 2.13,
// 10.1). Names are those of the plan file.
#pragma once

#include "widgets/plan/selection_hub.h"

namespace memplan::ui {

[[nodiscard]] QString bufferJson(const Plan& plan, BufferId id);
[[nodiscard]] QString opJson(const Plan& plan, OpId id);
/// Any item of the plan; null and ids that do not exist give "{}".
[[nodiscard]] QString itemJson(const Plan* plan, ItemId id);

}  // namespace memplan::ui
