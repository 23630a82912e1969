// SPDX-License-Identifier: Apache-2.0
// What is shown of a finding, and what takes it over in a document. The sentences of its statements are made by
// sentence() (engine/plan/statement.h).
#pragma once

#include "engine/graph/graph.h"
#include "engine/torchwright/advice/finding.h"

#include <optional>

namespace memplan::torchwright {

[[nodiscard]] std::string findingText(const Finding& finding);  ///< "x 9: what is there"
/// "tried: 15 -> 14 layers, ...", "predicted: 1 024 parameters saved"; empty where there is neither.
[[nodiscard]] std::string trialText(const Finding& finding);

struct AdviceChange {
    std::pair<std::string, std::string> setting;  ///< key and value; empty key = none
    std::optional<Hint> hint;
};
/// Empty where the user's program is to be changed: the rewritten graph, if there is one, is in the trial.
[[nodiscard]] AdviceChange changeOf(const AdviceReport& report, const Finding& finding);

}  // namespace memplan::torchwright
