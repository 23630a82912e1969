// SPDX-License-Identifier: GPL-3.0-or-later
// The operation graph of a plan as boxes and edges to be grouped and laid out: operations, graph
// inputs (optionally parameters) and graph outputs (user-experience 5.1). Built once per plan.
#pragma once

#include "engine/plan/plan.h"
#include "widgets/graphlayout/reachability.h"
#include "widgets/graphlayout/visible_graph.h"
#include "widgets/kit/theme/theme.h"

#include <QString>

#include <string>
#include <vector>

namespace memplan::ui {

enum class GraphNodeKind { Op, Input, Output };

struct GraphNode {
    GraphNodeKind kind = GraphNodeKind::Op;
    OpId op;          ///< the operation, or the producer of a graph output
    BufferId buffer;  ///< first output of the operation, or the graph input or output
    QString verb;     ///< "max", "input": drawn strong
    QString name;     ///< "axis 0", "x"; may be empty
    QString detail;   ///< "512 × 1024 · fp16"
    Residency residency = Residency::OffChip;
    bool isAdded = false;   ///< by a pass: dotted outline (5.12)
    bool isOpaque = false;  ///< of an unknown kind, never tiled nor divided: drawn grey (19.6)
};

struct GraphEdge {
    int from = 0;
    int to = 0;
    BufferId buffer;
    bool isOffChip = false;
};

enum class Grouping { None, Annotation, Loop, Bundle };

struct GraphOptions {
    bool showParameters = false;
    friend bool operator==(const GraphOptions&, const GraphOptions&) = default;
};

/// Flat arrays; nodes are ordered so that ids follow the schedule (inputs stand before their first user).
struct GraphModel {
    PlanPtr plan;
    std::vector<GraphNode> nodes;
    std::vector<GraphEdge> edges;
    std::vector<graphlayout::SourceEdge> sourceEdges;  ///< parallel to edges
    std::vector<int> nodeOfOp;                         ///< by OpId
    std::vector<int> inputNodeOfBuffer;                ///< by BufferId, -1 = none
    graphlayout::Adjacency adjacency;

    [[nodiscard]] int nodeFor(OpId op) const;
    [[nodiscard]] int nodeFor(BufferId buffer) const;  ///< its producer or its input box, -1 = none
};

/// Extents as "512 × 1024": whole numbers without groups, because they are names rather than amounts.
[[nodiscard]] QString shapeLabel(const std::vector<std::int64_t>& shape);

[[nodiscard]] GraphModel buildGraphModel(PlanPtr plan, const GraphOptions& options);

/// Path of every node under a grouping, "" = top level. Inputs go where all their users are.
[[nodiscard]] std::vector<std::string> groupPaths(const GraphModel& model, Grouping grouping);
/// Groupings that part the nodes of this plan into anything; None is always there.
[[nodiscard]] std::vector<Grouping> usefulGroupings(const GraphModel& model);
/// The grouping that a plan opens with: the input's own groups where it has some, loops where the only group is the
/// kernel around all of them, none where it has none (5.4).
[[nodiscard]] Grouping openingGrouping(const GraphModel& model);
[[nodiscard]] QString groupingName(Grouping grouping);  ///< "annotation"
/// Kind, type and output shape of every node in one string, for the search for identical groups.
[[nodiscard]] std::vector<std::string> nodeSignatures(const GraphModel& model);
/// Serial work of every node: points of the iteration space a core walks through; inputs weigh nothing.
[[nodiscard]] std::vector<std::int64_t> nodeWeights(const GraphModel& model);

}  // namespace memplan::ui
