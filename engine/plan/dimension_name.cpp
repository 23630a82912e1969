// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/dimension_name.h"

namespace memplan {

std::string dimensionName(std::size_t dim, std::size_t rank, const std::vector<std::string>& declared) {
    // Names that the propagation makes up for lack of a declaration start with an underscore.
    if (declared.size() == rank && dim < rank && !declared[dim].empty() && declared[dim].front() != '_')
        return declared[dim];
    if (rank == 1) return "elements";
    if (dim + 1 == rank) return "columns";
    return dim + 2 == rank ? "rows" : "dimension " + std::to_string(dim);
}

}  // namespace memplan
