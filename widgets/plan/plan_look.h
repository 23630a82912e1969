// SPDX-License-Identifier: GPL-3.0-or-later
// How items of a plan look in every view: residency, badge letter, words (user-experience 2.8, 2.9).
#pragma once

#include "engine/plan/plan.h"
#include "widgets/kit/theme/theme.h"

#include <QString>

namespace memplan::ui {

[[nodiscard]] Residency residencyOf(const PlanBuffer& buffer);
/// Residency that stands for an op: that of its first output, off chip without one.
[[nodiscard]] Residency residencyOf(const Plan& plan, const PlanOp& op);
[[nodiscard]] QChar residencyLetter(Residency r);  ///< L H I C R, '-' for reserved
[[nodiscard]] QString residencyName(Residency r);  ///< "on chip"
/// On-chip memory of the plan's machine; of one that is not registered that of its buffers, without a plan that of the
/// machine that plans first.
[[nodiscard]] MemorySpace onChipSpaceOf(const Plan* plan);
[[nodiscard]] QString spaceLabel(MemorySpace s);                      ///< "LX", "main memory"
[[nodiscard]] QString dtypeLabel(DType t);                            ///< "fp16"
[[nodiscard]] QString bufferSentence(const Plan& plan, BufferId id);  ///< for announcements (22.2)
[[nodiscard]] QString opSentence(const Plan& plan, OpId id);
/// Reason family of the window (codes.md 1), empty when the buffer is on chip.
[[nodiscard]] QString reasonFamily(const PlanBuffer& buffer);
/// Why a buffer is off chip in a word or two: what it is where the graph fixes that, else the
/// family of the reason; empty on chip.
[[nodiscard]] QString whyOffChip(const PlanBuffer& buffer);
/// "7 buffers, 1 clone": what a pass counted, in words; nothing is said of what it counted none of.
[[nodiscard]] QString passCountsText(const PassRun& run);
[[nodiscard]] bool isPlaced(const PlanBuffer& buffer);  ///< on chip with an address

}  // namespace memplan::ui
