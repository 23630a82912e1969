// SPDX-License-Identifier: GPL-3.0-or-later
// How long nodes hold their columns and for whom, who owns a layer, and the longest paths over the layers
// (user-experience 9.2, 9.5, 9.6).
#pragma once

#include "widgets/views/residual/data/residual_data.h"

namespace memplan::ui {

/// A node that reads the value.
struct ResidualReader {
    torchwright::NodeId node;
    int layer = -1;  ///< that computes it
    int held = 0;    ///< layers for which the value was held for it
};

struct ResidualLife {
    int birth = -1;     ///< layer that computes it; -1: there before layer 0
    int lastRead = -1;  ///< layer of the last reader; -1: nothing reads it
    int lastHeld = -1;  ///< last layer after which it still owns columns
    int width = 0;
    std::int64_t columnLayers = 0;        ///< width x layers after which it owns columns
    bool isOutput = false;                ///< never given back
    std::vector<ResidualReader> readers;  ///< latest first, then by node
};

/// Of a node without columns its readers alone.
[[nodiscard]] ResidualLife lifeOf(const ResidualData& data, torchwright::NodeId node);

struct ResidualOwner {
    int holding = -1;
    int width = 0;
};

/// Widest first, then by node: who owns columns after a layer.
[[nodiscard]] std::vector<ResidualOwner> ownersAfter(const ResidualData& data, int layer);

/// One node of the example path, in order, on the layers of the schedule.
struct PathBar {
    torchwright::NodeId node;
    int layer = -1;                  ///< that computes it; -1: there before layer 0
    int next = 0;                    ///< layer of the node after it; of the last one the number of layers
    int earliest = -1, latest = -1;  ///< layers of the nodes at this place of any path that is as long
};

/// Empty where the plan has no path, or not of the nodes that were scheduled.
[[nodiscard]] std::vector<PathBar> pathBars(const ResidualData& data);

}  // namespace memplan::ui
