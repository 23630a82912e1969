// SPDX-License-Identifier: Apache-2.0
// Items of address problems in one line.
#pragma once

#include "engine/solve/problem/address_problem.h"

#include <string>
#include <utility>
#include <vector>

namespace memplan::testing {

[[nodiscard]] inline solve::Item makeItem(std::string name, Bytes size, Step start, Step end,
                                          std::vector<int> parents = {}) {
    solve::Item item;
    item.name = std::move(name);
    item.size = size;
    item.start = start;
    item.end = end;
    item.inPlaceParents = std::move(parents);
    return item;
}

}  // namespace memplan::testing
