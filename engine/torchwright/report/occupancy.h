// SPDX-License-Identifier: Apache-2.0
// Columns by annotation over the layers, and plateaus: stretches of layers in which the stream is nearly full
// (torchwright.md 14).
#pragma once

#include "engine/torchwright/graph/node_graph.h"
#include "engine/torchwright/schedule/schedule.h"

#include <map>
#include <string>

namespace memplan::torchwright {

using ColumnsByAnnotation = std::map<std::string, Columns>;

/// After each layer: columns of the owners of each annotation, "(none)" for those without.
[[nodiscard]] std::vector<ColumnsByAnnotation> occupancyOf(const NodeGraph& graph, const Schedule& schedule);

struct PlateauRule {
    double share = 0.9;  ///< of d, from which a layer counts as full
    int minLayers = 0;   ///< 0 = max(3, a twentieth of the layers, rounded up)
};

struct Plateau {
    struct Contributor {
        std::string annotation;
        double columns = 0;  ///< mean over the layers
        double share = 0;    ///< of the occupied columns
        friend bool operator==(const Contributor&, const Contributor&) = default;
    };
    int first = 0, last = 0;                ///< layers, both included
    std::vector<Contributor> contributors;  ///< by annotation
    double meanOpsInside = 0;               ///< operations of a layer
    double meanOpsOutside = 0;              ///< 0 where the plateau is the whole schedule
    friend bool operator==(const Plateau&, const Plateau&) = default;

    /// Most columns; ties: first by name.
    [[nodiscard]] const Contributor& largest() const;
    /// One annotation holds at least half.
    [[nodiscard]] bool isDominated() const { return largest().share >= 0.5; }
    /// Few operations while it is full: the layers wait for columns.
    [[nodiscard]] bool isIdle() const { return meanOpsInside < meanOpsOutside / 2; }
};

[[nodiscard]] std::vector<Plateau> plateausOf(const NodeGraph& graph, const Schedule& schedule, PlateauRule rule = {});

}  // namespace memplan::torchwright
