// SPDX-License-Identifier: Apache-2.0
// Whether the finished function has what was forced by hand (ttnn-optimizer 8.2 to 8.5): overrides and hints are two
// spellings of the same wishes (hints.md 4.2), so their reports ask the same questions.
#pragma once

#include "engine/ttnn/compile/state.h"

#include <optional>
#include <string>
#include <string_view>

namespace memplan::ttnn {

/// How the optimizer is switched on, whichever of both settings has switched it off.
inline constexpr std::string_view kSwitchOptimizerOn =
    "set ttnn.optimization_level to 1 or 2 and leave ttnn.enable_optimizer out";

/// An option takes away the effect of what is forced.
struct SwitchedOff {
    std::string why, fix;
};
/// For wishes of this hint kind; nothing where they are in force.
[[nodiscard]] std::optional<SwitchedOff> switchedOff(const Options& options, std::string_view hintKind);

[[nodiscard]] bool isMet(const LayoutOverride& wanted, const Layout& got);

/// Names of the fields that are forced on a convolution and that its configuration does not have, separated by commas.
[[nodiscard]] std::string missedFields(const State& state, OperationId op);

}  // namespace memplan::ttnn
