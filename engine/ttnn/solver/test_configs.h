// SPDX-License-Identifier: Apache-2.0
// Test configurations (ttnn-optimizer 5.2): an operation is not asked once for each of its configurations, but once for
// each question that can have another answer.
#pragma once

#include "engine/ttnn/machine/op_config.h"
#include "engine/ttnn/module/module.h"

#include <span>
#include <vector>

namespace memplan::ttnn {

struct TestConfig {
    OpConfig config;             ///< without output: the model decides; or one whose grid is left open
    std::vector<int> consumers;  ///< configurations with the same attributes, ascending: the answer may be any of these
};
[[nodiscard]] std::vector<TestConfig> testConfigs(const Operation& operation, std::span<const OpConfig> sharded);

/// The first of the test's configurations with that layout; -1 where there is none.
[[nodiscard]] int matchingConfig(const TestConfig& test, std::span<const OpConfig> sharded, const Layout& actual);

/// The layout with grid and shard left to the model.
[[nodiscard]] Layout withoutGrid(Layout layout);

}  // namespace memplan::ttnn
