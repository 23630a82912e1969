// SPDX-License-Identifier: Apache-2.0
// The three tiers of parameters and what the figures of a schedule say beside its lower bound (torchwright.md 6, 14).
#pragma once

#include "engine/torchwright/graph/node_graph.h"
#include "engine/torchwright/schedule/schedule.h"

#include <array>

namespace memplan::torchwright {

struct ParameterTiers {
    std::int64_t graph = 0;      ///< dense sizes of the nodes
    std::int64_t allocated = 0;  ///< heads and slots that are used, entries of biases
    std::int64_t capacity = 0;   ///< of all layers
    std::int64_t cancel = 0;     ///< of `allocated`: heads that clear columns
    friend bool operator==(const ParameterTiers&, const ParameterTiers&) = default;

    [[nodiscard]] double density() const;      ///< graph / allocated
    [[nodiscard]] double utilisation() const;  ///< allocated / capacity
    [[nodiscard]] double overall() const;      ///< graph / capacity
    [[nodiscard]] double cancelShare() const;  ///< cancel / allocated
};

[[nodiscard]] ParameterTiers tiersOf(const NodeGraph& graph, const Schedule& schedule);

/// Slots that the parameters of one head would buy.
[[nodiscard]] double exchangeRate(const ScheduleOptions& options);
/// Layers by what bound them, in the order of Cause.
[[nodiscard]] std::array<int, 5> bindingsOf(const Schedule& schedule);
/// Share of the value columns of all heads that operations use (torchwright.md 19.4, TW-148).
[[nodiscard]] double headWidthUsed(const NodeGraph& graph, const Schedule& schedule);

}  // namespace memplan::torchwright
