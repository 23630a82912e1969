// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/document/parts/hint_lists.h"

#include <algorithm>

namespace memplan::app {

std::vector<Hint> missingIn(const std::vector<Hint>& list, std::vector<Hint> other) {
    std::vector<Hint> missing;
    for (const Hint& hint : list) {
        const auto it = std::find(other.begin(), other.end(), hint);
        if (it == other.end()) {
            missing.push_back(hint);
        } else {
            other.erase(it);
        }
    }
    return missing;
}

std::vector<Hint> hintsInForce(const std::vector<Hint>& file, const HintLists& lists) {
    std::vector<Hint> all = missingIn(file, lists.takenOver);
    all.insert(all.end(), lists.own.begin(), lists.own.end());
    return all;
}

HintLists withTakenOver(HintLists lists, const std::vector<Hint>& graph, std::size_t first) {
    const auto from = graph.begin() + static_cast<std::ptrdiff_t>(std::min(first, graph.size()));
    lists.own.insert(lists.own.begin(), from, graph.end());
    lists.takenOver.insert(lists.takenOver.end(), from, graph.end());
    return lists;
}

HintLists listsOf(const std::vector<Hint>& file, const std::vector<Hint>& all) {
    const auto [inFile, inAll] = std::mismatch(file.begin(), file.end(), all.begin(), all.end());
    return {{inAll, all.end()}, {inFile, file.end()}};
}

}  // namespace memplan::app
