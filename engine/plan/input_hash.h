// SPDX-License-Identifier: Apache-2.0
// The hash over everything that a plan is made of: plan key `x_input_hash`. A plan that holds its graph, settings and
// hints can be held against it.
#pragma once

#include "engine/graph/graph.h"
#include "engine/plan/plan.h"
#include "engine/settings/settings.h"

#include <optional>
#include <string>
#include <vector>

namespace memplan {

/// What is hashed; nothing may be null.
struct HashedInput {
    TargetId target;
    const Graph* graph = nullptr;
    const Settings* settings = nullptr;
    const std::vector<Hint>* hints = nullptr;  ///< those that are not enabled count for nothing
    /// Of the files that settings name, in the order of their keys; empty for no file, none where it is not known.
    std::optional<std::string> filesSha256;
    std::string stopAfter;     ///< pass id, empty for a whole compile
    std::string machine = {};  ///< machineKey(), empty for the built-in one
};

/// 16 hexadecimal digits, the same on every machine. How many threads work, whether the execution is recorded and how
/// it is simulated do not count.
[[nodiscard]] std::string inputHash(const HashedInput& input);

}  // namespace memplan
