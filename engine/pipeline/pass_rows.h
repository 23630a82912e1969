// SPDX-License-Identifier: Apache-2.0
// The table of a machine's passes as the list that others see.
#pragma once

#include "engine/pipeline/compilation.h"

#include <vector>

namespace memplan {

template <class State, class Context>
[[nodiscard]] PassList passListOf(const std::vector<PassOver<State, Context>>& rows) {
    PassList list;
    for (const PassOver<State, Context>& row : rows)
        list.push_back(row.info);
    return list;
}

}  // namespace memplan
