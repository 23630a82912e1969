// SPDX-License-Identifier: Apache-2.0
// Layers that no schedule of a graph goes below (torchwright.md 17), worked out by the validator itself: by the order
// of the operations with the hints that keep nodes back, and by what a layer has of slots, heads and columns.
//
// An operation that cannot stand in the first a layers nor in the last b takes its share of what the layers between
// have. All operations with at least a and b together need ceil(sum / capacity of a layer) layers beside a + b; a bound
// is the largest of these numbers.
#pragma once

#include "engine/torchwright/schedule/options.h"
#include "engine/verify/torchwright/program.h"

#include <optional>

namespace memplan::verify::torchwright {

struct LayerBounds {
    int ofOrder = 0, ofSlots = 0, ofHeads = 0, ofColumns = 0;
};

/// `layerMin`: by node the first layer that hints allow it. Nothing where no schedule exists (operations wait for each
/// other) or where a schedule may join Linears to other chains than these, so that nothing is known.
[[nodiscard]] std::optional<LayerBounds> layerBoundsOf(const Program& program,
                                                       const memplan::torchwright::ScheduleOptions& options,
                                                       const std::vector<int>& layerMin);

}  // namespace memplan::verify::torchwright
