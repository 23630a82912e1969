// SPDX-License-Identifier: Apache-2.0
// What a compile is given, out of settings and hints (settings.md 3, hints.md 4.2).
#pragma once

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/settings/settings.h"
#include "engine/ttnn/options/options.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan::ttnn {

/// Options of the settings, override strings included (their errors name the setting). `capOfModule` is the module's
/// own share of L1: it counts where the user set none.
[[nodiscard]] Result<Options> optionsFrom(const Settings& settings, std::optional<double> capOfModule = {});

/// Location name of an operation that a hint names by its id; empty where it has none.
using LocationOf = std::function<std::string(std::string_view id)>;

/// Adds what enabled hints ask for; a hint replaces what an override string says about the same operation. Gives the
/// position of each hint that could not be taken, with the reason (TT-010 to TT-015).
[[nodiscard]] std::vector<std::pair<std::size_t, Diagnostic>> applyHints(Options& options, std::span<const Hint> hints,
                                                                         const LocationOf& locationOf);

}  // namespace memplan::ttnn
