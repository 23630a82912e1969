// SPDX-License-Identifier: Apache-2.0
// Tensors of an imported source that share bytes of the scratchpad while both are live
// (spyre-coarse-tiling-and-bundle 17.1), reported with the names that the plan gives them.
#pragma once

#include "engine/plan/plan.h"
#include "engine/spyre/bundle/imported.h"

#include <set>
#include <string>
#include <vector>

namespace memplan::spyre {

/// Adds one BND-106 for each pair to `notes`. `ids` are the plan's buffers of `tensors` (invalid where it has none),
/// `places` those of the kernel's operations in the source, by step ("sdsc_x[0].body[1]").
void reportLxOverlaps(const Plan& plan, const std::vector<bundle::LxTensor>& tensors, const std::vector<BufferId>& ids,
                      const std::vector<std::string>& places, Diagnostics& notes);

/// The overlaps that BND-106 reports, to recognise the validator's findings about the same pairs.
class ReportedOverlaps {
public:
    explicit ReportedOverlaps(const std::vector<Diagnostic>& reported);
    /// `violation` is a VER-003 about two buffers that a BND-106 names already.
    [[nodiscard]] bool contains(const Diagnostic& violation) const;

private:
    std::set<std::vector<int>> pairs_;  ///< positions of the buffers, ascending
};

}  // namespace memplan::spyre
