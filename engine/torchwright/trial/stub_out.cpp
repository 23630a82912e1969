// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/trial/stub_out.h"

#include "engine/torchwright/cut/cut.h"

#include <algorithm>

namespace memplan::torchwright {

Result<StubOut> stubOut(const NodeGraph& graph, const Schedule& whole, std::string_view annotation,
                        const RunControl& control) {
    const auto without = stubbed(graph, annotation);
    if (!without) return without.error();
    ScheduleOptions options = whole.options;
    options.layerMin.clear();  // they count the nodes of the whole graph
    options.priority.clear();
    const Schedule schedule = scheduleLayers(without.value(), options, control);
    StubOut out;
    out.annotation = annotation;
    out.result = schedule.result;
    out.layersBefore = whole.layerCount();
    out.layersAfter = schedule.layerCount();
    out.peakOccupiedAfter = schedule.peakOccupied;
    out.nodesAfter = static_cast<int>(std::ranges::count(neededNodes(without.value()), true));
    return out;
}

}  // namespace memplan::torchwright
