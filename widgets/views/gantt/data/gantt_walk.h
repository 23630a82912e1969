// SPDX-License-Identifier: GPL-3.0-or-later
// From one item of the memory map to the next: in schedule order, by address, from peak to peak (user-experience 2.7,
// 21); and which buffers a list of items means.
#pragma once

#include "widgets/plan/loop_groups.h"
#include "widgets/plan/selection_hub.h"
#include "widgets/views/gantt/data/gantt_data.h"

namespace memplan::ui {

/// The buffer before (-1) or after (+1), by first step, then id.
[[nodiscard]] std::optional<BufferId> nextInSchedule(const Plan& plan, BufferId from, int direction);
/// The buffer next above or below in addresses while `from` lives; of several at one address the first.
[[nodiscard]] std::optional<BufferId> nextInAddresses(const Plan& plan, BufferId from, bool higher);
/// The local peak of the live bytes before (-1) or after (+1) a step; without one, the last or the first.
[[nodiscard]] std::optional<Step> nextPeak(const GanttData& data, std::optional<Step> from, int direction);
[[nodiscard]] StepRange stepsOf(const Plan& plan, const LoopGroups& loops, ItemId id);
/// Ascending, with the clones: a hint on a tensor moves the clone that stands for it on chip.
[[nodiscard]] std::vector<BufferId> hintedBuffers(const PlanPtr& plan, const std::vector<ItemId>& items);

}  // namespace memplan::ui
