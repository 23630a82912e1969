// SPDX-License-Identifier: Apache-2.0
// Graphs with weights, the inputs that were recorded for them, and what is compared with what.
#pragma once

#include "engine/torchwright/eval/inputs.h"
#include "engine/torchwright/schedule/schedule.h"
#include "tests/engine/torchwright/node_sketch.h"

namespace memplan::test {

/// Graphs of tests/data/torchwright that carry weights and a recorded evaluation.
[[nodiscard]] std::vector<std::string> weightedGraphs();

struct RecordedRun {
    torchwright::GraphInputs inputs;
    torchwright::Rows output;
};
[[nodiscard]] RecordedRun recordedRun(const std::string& name, const torchwright::NodeGraph& graph);

/// Small random weights for every Linear and Attn that has none.
[[nodiscard]] torchwright::NodeGraph withWeights(torchwright::NodeGraph graph, std::uint64_t seed = 1);
[[nodiscard]] torchwright::TensorPtr matrixOf(const std::vector<std::vector<float>>& rows);

/// Options of a recorded compile; `fuse` is not one of them.
[[nodiscard]] torchwright::ScheduleOptions recordedOptions(const nlohmann::json& config);
/// The graph that the configuration schedules: fused if it says so, with a position encoding.
[[nodiscard]] torchwright::NodeGraph scheduledGraph(const torchwright::NodeGraph& graph, const nlohmann::json& config);

[[nodiscard]] double largestDifference(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace memplan::test
