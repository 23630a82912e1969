// SPDX-License-Identifier: Apache-2.0
// Groups of a neutral graph that TTNN has a single operation for.
#pragma once

#include "engine/graph/graph.h"

#include <optional>
#include <string>
#include <vector>

namespace memplan::ttnn::lower {

/// What a group computes as one operation.
struct GroupOperation {
    std::string kind;              ///< of TTIR: "softmax"
    std::vector<TensorId> inputs;  ///< the value, then scale and offset
    TensorId output;
    std::vector<int> axes;  ///< along which
    double epsilon = 0;
    bool hasScale = false, hasOffset = false;
};

/// Operations that read each tensor, by position; -1 for the outputs of the graph.
using Readers = std::vector<std::vector<std::int32_t>>;
[[nodiscard]] Readers readersOf(const Graph& graph);

/// Nothing where the group has another form than the one that a single operation stands for, or where something outside
/// reads what is inside.
[[nodiscard]] std::optional<GroupOperation> groupOperation(const Graph& graph, const Readers& readers,
                                                           const Group& group);

/// Axes that an operation reduces; nothing for one whose loops are not its input's dimensions.
[[nodiscard]] std::optional<std::vector<int>> reducedAxes(const Graph& graph, const Op& op);

}  // namespace memplan::ttnn::lower
