// SPDX-License-Identifier: Apache-2.0
// Whether the layers of an annotation lie apart because of its depth or because of the schedule (torchwright.md 14).
#pragma once

#include "engine/torchwright/analysis/asap.h"
#include "engine/torchwright/report/annotation_table.h"

namespace memplan::torchwright {

enum class SpanOutcome { BoundByDepth, BoundByScheduling };
[[nodiscard]] std::string_view spanOutcomeName(SpanOutcome outcome);  ///< "bound by depth", "bound by scheduling"

struct AnnotationSpan {
    std::string annotation;
    int span = 0;      ///< layers from the first to the last of its nodes in the schedule
    int asapSpan = 0;  ///< the same where each node has its earliest layer
    int reach = 0;     ///< layers by which the bound falls when its nodes take no time
    SpanOutcome outcome = SpanOutcome::BoundByDepth;
    friend bool operator==(const AnnotationSpan&, const AnnotationSpan&) = default;
};

/// Of every row with layers, in the order of the rows.
[[nodiscard]] std::vector<AnnotationSpan> spansOf(const AsapQuestion& question, const std::vector<AnnotationRow>& rows);
/// Nodes of exactly this annotation, marked by id.
[[nodiscard]] std::vector<bool> nodesOfAnnotation(const NodeGraph& graph, std::string_view annotation);

}  // namespace memplan::torchwright
