// SPDX-License-Identifier: Apache-2.0
// One name for a dimension of a buffer, in texts and in views.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace memplan {

/// The declared name of dimension `dim` of a buffer with `rank` dimensions (layouts-and-work-division 7); without
/// one "columns" and "rows" for the two innermost, "elements" for the only one, "dimension n" (from 0) for others.
/// `declared` counts when it has a name for each dimension.
[[nodiscard]] std::string dimensionName(std::size_t dim, std::size_t rank,
                                        const std::vector<std::string>& declared = {});

}  // namespace memplan
