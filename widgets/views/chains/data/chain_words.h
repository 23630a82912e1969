// SPDX-License-Identifier: GPL-3.0-or-later
// The words of L1 chains (user-experience 8): layouts in their short form, states, ends, merges, refusals.
#pragma once

#include "engine/plan/ttnn_data.h"
#include "widgets/kit/theme/tokens.h"

#include <QString>

namespace memplan::ui {

[[nodiscard]] QString layoutWord(const ttnn::Layout& layout);       ///< "L1 HS", "L1 IL", "DRAM IL"
[[nodiscard]] QString gridWord(const ttnn::Layout& layout);         ///< "64x1"
[[nodiscard]] QString shortLayoutText(const ttnn::Layout& layout);  ///< "L1 HS 64x1", "DRAM IL"

[[nodiscard]] QString stateWord(ttnn::ChainState state);
[[nodiscard]] Token stateToken(ttnn::ChainState state);
[[nodiscard]] QString stateIcon(ttnn::ChainState state);  ///< name of an icon, empty for states on the way

/// Where the last value of a chain goes: "DRAM", "L1 interleaved", "stays in L1".
[[nodiscard]] QString spillWord(const ttnn::ChainInfo& chain);
/// Why a chain stops where it does: "ends: add_7 reads it as operand 1".
[[nodiscard]] QString endSentence(const Plan& plan, const ttnn::ChainInfo& chain);
/// The rule behind it in one sentence: why there is such a limit.
[[nodiscard]] QString endRule(ttnn::EndedBy reason);
/// Why an operation is in no chain.
[[nodiscard]] QString outsideSentence(const Plan& plan, OpId op);
[[nodiscard]] QString mergeWord(const ttnn::MergeInfo& merge);  ///< "merge into operand 1", "three-way merge"
/// "refused at matmul_3: 1 460 288 of 1 423 206 B".
[[nodiscard]] QString mergeSentence(const Plan& plan, const ttnn::MergeInfo& merge);
/// A change as the title of its card: "Break the chain before matmul_3"; a first word that is a name stays as it is.
[[nodiscard]] QString changeTitle(const QString& change);
[[nodiscard]] QString conversionWord(TtnnConversion kind);  ///< "forced reshard", "spill to DRAM"

}  // namespace memplan::ui
