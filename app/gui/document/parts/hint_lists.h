// SPDX-License-Identifier: GPL-3.0-or-later
// The hints of a document (hints.md 1): those inside its graph file stay there, and come first in a compile; the user's
// own follow. Hints of the file that the user took over are the user's, and out of force where the file has them.
#pragma once

#include "engine/graph/graph.h"

#include <memory>
#include <vector>

namespace memplan::app {

struct HintLists {
    std::vector<Hint> own;        ///< the user's, in list order (order counts)
    std::vector<Hint> takenOver;  ///< as the graph file says them
    friend bool operator==(const HintLists&, const HintLists&) = default;
};
using HintListsPtr = std::shared_ptr<const HintLists>;

/// The entries of `list` that `other` does not have, each as often as it is missing.
[[nodiscard]] std::vector<Hint> missingIn(const std::vector<Hint>& list, std::vector<Hint> other);

/// What a compile gets: the hints of the graph file without those taken over, then the user's.
[[nodiscard]] std::vector<Hint> hintsInForce(const std::vector<Hint>& file, const HintLists& lists);

/// The lists with the hints of `graph` (those of the file that are not taken over) from position `first` on taken over
/// as well, in front of the user's: the hints in force stay what they are.
[[nodiscard]] HintLists withTakenOver(HintLists lists, const std::vector<Hint>& graph, std::size_t first);

/// The lists that make exactly `all` the hints in force: what `all` does not begin with counts as taken over.
[[nodiscard]] HintLists listsOf(const std::vector<Hint>& file, const std::vector<Hint>& all);

}  // namespace memplan::app
