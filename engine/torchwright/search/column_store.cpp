// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/search/column_store.h"

#include <algorithm>

namespace memplan::torchwright {

ColumnList ColumnStore::take(Columns width, ColumnList& cancelled) {
    std::vector<Columns> chosen;
    const auto pick = [&](State wanted) {
        for (std::size_t c = 0; c < state_.size() && static_cast<Columns>(chosen.size()) < width; ++c) {
            if (state_[c] != wanted) continue;
            state_[c] = State::Taken;
            chosen.push_back(static_cast<Columns>(c));
        }
    };
    pick(State::Clean);
    const auto clean = static_cast<std::ptrdiff_t>(chosen.size());
    pick(State::Dirty);
    std::for_each(chosen.begin() + clean, chosen.end(), [&](Columns c) { cancelled.append(c); });
    std::ranges::sort(chosen);
    ColumnList list;
    for (const Columns c : chosen)
        list.append(c);
    free_ -= list.size();
    return list;
}

void ColumnStore::release(const ColumnList& columns) {
    columns.forEach([this](Columns c) { state_[static_cast<std::size_t>(c)] = State::Dirty; });
    free_ += columns.size();
}

void ColumnStore::clean() {
    std::ranges::replace(state_, State::Dirty, State::Clean);
}

}  // namespace memplan::torchwright
