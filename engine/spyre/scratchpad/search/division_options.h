// SPDX-License-Identifier: Apache-2.0
// The divisions that co-optimisation may give each op (spyre-scratchpad 11.1).
#pragma once

#include "engine/spyre/pass.h"
#include "engine/spyre/scratchpad/search/division_trial.h"

#include <string>

namespace memplan::spyre {

struct OptionRule {
    std::size_t cap = 6;                           ///< options per op, the committed one included
    Bytes spanLimit = 268'435'456;                 ///< of one core's device memory
    std::size_t most = 96;                         ///< options per op of the richer menus of small graphs
    const std::vector<bool>* choosable = nullptr;  ///< by op: the others keep their division; null = all may choose
};

/// Committed division, then the only split output loop's factor on each other output loop that can take it.
/// Reductions, mutations, uncomputed ops and ops with a `split` hint keep their division.
[[nodiscard]] DivisionOptions flipOptions(const State& state, const PassContext& context, const OptionRule& rule);

/// Richer menus: several dimensions, the reduced one, fewer cores; divisions that neighbours and multiplies have
/// come first (spyre-cost-and-co-optimisation 11).
[[nodiscard]] DivisionOptions richOptions(const State& state, const PassContext& context, const OptionRule& rule);

/// "rows/4"-like label of a division: `s<loop>/<n>`, `~s<loop>/<n>`, `whole`.
[[nodiscard]] std::string optionLabel(const Op& op, const Splits& splits);

}  // namespace memplan::spyre
