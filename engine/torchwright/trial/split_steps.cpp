// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/trial/split_steps.h"

#include "engine/torchwright/cut/cut.h"

#include <algorithm>
#include <utility>

namespace memplan::torchwright {
namespace {

/// Outputs that need none of the nodes.
std::vector<NodeId> independentOutputs(const NodeGraph& graph, const std::vector<NodeId>& nodes) {
    std::vector<NodeId> independent;
    for (const NodeId output : graph.outputs()) {
        NodeGraph part = graph;
        part.output = output;
        part.extraOutputs.clear();
        const std::vector<bool> needed = neededNodes(part);
        if (std::ranges::none_of(nodes, [&needed](NodeId id) { return needed[id.at()]; }))
            independent.push_back(output);
    }
    return independent;
}

}  // namespace

Result<StepSplit> splitAcrossSteps(const NodeGraph& graph, const std::vector<NodeId>& nodes,
                                   const ScheduleOptions& options, const RunControl& control) {
    auto second = withInputs(graph, nodes);
    if (!second) return second.error();
    std::vector<NodeId> wanted = nodes;
    for (const NodeId output : independentOutputs(graph, nodes))
        wanted.push_back(output);
    auto first = isolated(graph, wanted);
    if (!first) return first.error();

    ScheduleOptions plain = options;
    plain.layerMin.clear();  // they count the nodes of the whole graph
    plain.priority.clear();
    StepSplit out;
    out.before = scheduleLayers(graph, options, control);
    out.one = scheduleLayers(first.value(), plain, control);
    out.two = scheduleLayers(second.value(), plain, control);
    out.first = std::move(first).value();
    out.second = std::move(second).value();
    for (const NodeId id : nodes)
        out.widthPerToken += graph.at(id).width;
    return out;
}

}  // namespace memplan::torchwright
