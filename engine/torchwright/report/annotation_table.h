// SPDX-License-Identifier: Apache-2.0
// What each annotation costs (torchwright.md 14): the estimate that the original printed beside what the schedule
// really allocates.
#pragma once

#include "engine/torchwright/graph/node_graph.h"
#include "engine/torchwright/schedule/schedule.h"

#include <optional>

namespace memplan::torchwright {

/// Layers in which nodes of one annotation were computed.
struct LayerSpan {
    int first = 0, last = 0;
    int distinct = 0;
    friend bool operator==(const LayerSpan&, const LayerSpan&) = default;
    [[nodiscard]] int size() const { return last - first + 1; }
};

struct AnnotationRow {
    std::string annotation;  ///< "(none)" without one, "(cancel)" for the heads that clear columns
    int nodes = 0;
    std::int64_t neurons = 0;           ///< sum of the widths of its ReLUs
    std::int64_t heads = 0;             ///< by the original's estimate
    std::int64_t graphParams = 0;       ///< dense sizes
    std::int64_t nonZeros = 0;          ///< entries of its weights that are not zero, where the graph has them
    std::int64_t upstreamEstimate = 0;  ///< allocated parameters by the original's estimate
    std::int64_t scheduledHeads = 0, scheduledSlots = 0, scheduledParams = 0;
    std::optional<LayerSpan> span;
    friend bool operator==(const AnnotationRow&, const AnnotationRow&) = default;

    /// Graph parameters for each allocated one; 0 where nothing is allocated.
    [[nodiscard]] double density() const;
};

/// By annotation, "(cancel)" among them.
[[nodiscard]] std::vector<AnnotationRow> annotationTable(const NodeGraph& graph, const Schedule& schedule);
/// Rows that share what stands before the first '/', summed. "(none)" and "(cancel)" stand for themselves.
[[nodiscard]] std::vector<AnnotationRow> annotationGroups(const std::vector<AnnotationRow>& rows);
/// All rows summed.
[[nodiscard]] AnnotationRow annotationTotal(const std::vector<AnnotationRow>& rows);

}  // namespace memplan::torchwright
