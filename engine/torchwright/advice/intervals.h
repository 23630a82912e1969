// SPDX-License-Identifier: Apache-2.0
// Which values each column of a node can take, by interval arithmetic (torchwright.md 19.3, TW-107). Wider than the
// truth where columns depend on each other, never narrower. Needs tensors.
#pragma once

#include "engine/torchwright/graph/node_graph.h"

namespace memplan::torchwright {

struct ValueRange {
    double low = 0, high = 0;  ///< may be infinite
    friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

/// By node and column.
[[nodiscard]] std::vector<std::vector<ValueRange>> valueRanges(const NodeGraph& graph);

}  // namespace memplan::torchwright
