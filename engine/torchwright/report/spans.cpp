// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/report/spans.h"

#include "engine/torchwright/analysis/paths.h"

#include <algorithm>

namespace memplan::torchwright {
namespace {

/// Layers from the first to the last of these nodes under the bound; nodes without an own layer left out.
int asapSpan(const NodeGraph& graph, const Asap& asap, const std::vector<bool>& nodes) {
    int first = INT32_MAX, last = -1;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Node& node = graph.nodes[i];
        if (!nodes[i] || isInputLike(node.kind) || node.is(NodeKind::Concatenate)) continue;
        const int layer = asap.layerOf(NodeId::of(i));
        first = std::min(first, layer);
        last = std::max(last, layer);
    }
    return last < 0 ? 0 : last - first + 1;
}

}  // namespace

std::string_view spanOutcomeName(SpanOutcome outcome) {
    return outcome == SpanOutcome::BoundByDepth ? "bound by depth" : "bound by scheduling";
}

std::vector<bool> nodesOfAnnotation(const NodeGraph& graph, std::string_view annotation) {
    std::vector<bool> nodes(graph.size(), false);
    for (std::size_t i = 0; i < graph.size(); ++i)
        nodes[i] = annotationName(graph.nodes[i]) == annotation;
    return nodes;
}

std::vector<AnnotationSpan> spansOf(const AsapQuestion& question, const std::vector<AnnotationRow>& rows) {
    const Asap asap = asapOf(question);
    std::vector<AnnotationSpan> spans;
    for (const AnnotationRow& row : rows) {
        if (!row.span) continue;
        const std::vector<bool> nodes = nodesOfAnnotation(question.graph, row.annotation);
        AnnotationSpan span;
        span.annotation = row.annotation;
        span.span = row.span->size();
        span.asapSpan = asapSpan(question.graph, asap, nodes);
        span.reach = reachOf(question, asap, nodes);
        const bool isApart = 2 * span.span > 3 * span.asapSpan;  // more than 1.5 times
        span.outcome = isApart ? SpanOutcome::BoundByScheduling : SpanOutcome::BoundByDepth;
        spans.push_back(std::move(span));
    }
    return spans;
}

}  // namespace memplan::torchwright
