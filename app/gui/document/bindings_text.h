// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes and values that a model leaves open, as one line of text: "batch=1, sequence=128" (inputs-and-interchange 3.3).
#pragma once

#include <QString>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memplan::app {

using BindingPairs = std::vector<std::pair<std::string, std::string>>;

[[nodiscard]] QString bindingsText(const BindingPairs& pairs);
/// Empty where a part has no form NAME=VALUE; an empty line is no binding at all.
[[nodiscard]] std::optional<BindingPairs> bindingsFromText(const QString& text);
/// What the `--bind` options in the fix of an error propose, or the dimensions that it names as bound; a placeholder is
/// left open: "sr=". Of several that are alternatives ("one of") the first.
[[nodiscard]] QString proposedBindings(const QString& fix);
/// `given` as it stands and what the fix proposes beyond it.
[[nodiscard]] QString withProposed(const QString& given, const QString& fix);

}  // namespace memplan::app
