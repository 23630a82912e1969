// SPDX-License-Identifier: Apache-2.0
// Items of a plan by their names.
#pragma once

#include "engine/plan/plan.h"

#include <string>
#include <vector>

namespace memplan::test {

namespace detail {

template <class Id, class Item> [[nodiscard]] Id idOf(const std::vector<Item>& items, const std::string& name) {
    for (std::size_t i = 0; i < items.size(); ++i)
        if (items[i].name == name) return Id::of(i);
    return {};
}

}  // namespace detail

/// The first of this name; an invalid id where there is none.
[[nodiscard]] inline BufferId bufferNamed(const Plan& plan, const std::string& name) {
    return detail::idOf<BufferId>(plan.buffers, name);
}

[[nodiscard]] inline OpId opNamed(const Plan& plan, const std::string& name) {
    return detail::idOf<OpId>(plan.ops, name);
}

}  // namespace memplan::test
