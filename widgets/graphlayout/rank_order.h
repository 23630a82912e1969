// SPDX-License-Identifier: Apache-2.0
// Items in ranks, connected only between neighbouring ranks: the ordering and coordinate steps of the
// built-in layout (user-experience appendix B.3 to B.5).
#pragma once

#include <cstdint>
#include <vector>

namespace memplan::graphlayout {

class RankedNet {
public:
    /// Adds an item to a rank (>= 0) and returns its id; ids count up from 0.
    int addItem(int rank);
    /// Connects an item with one of the next rank.
    void connect(int upper, int lower);

    [[nodiscard]] int itemCount() const { return static_cast<int>(rank_.size()); }
    [[nodiscard]] int rankOf(int item) const { return rank_[static_cast<std::size_t>(item)]; }
    [[nodiscard]] const std::vector<std::vector<int>>& ranks() const { return ranks_; }

    /// Crossings of the present order, O(E log V).
    [[nodiscard]] std::int64_t crossings() const;
    /// Barycentre sweeps, downward first, then in turn; keeps the best order seen.
    void orderByBarycentre(int sweeps);
    /// Across coordinate of every item: index times pitch, ranks centred, then `passes` passes towards
    /// the neighbours' median with the order kept and items at least `pitch` apart.
    [[nodiscard]] std::vector<double> coordinates(double pitch, int passes) const;

private:
    using Order = std::vector<std::vector<int>>;

    void sweep(bool downward);
    void sortRank(std::size_t rank, bool byUpper);
    void renumber(std::size_t rank);
    [[nodiscard]] std::int64_t crossingsBelow(std::size_t rank) const;

    std::vector<int> rank_;                // of each item
    std::vector<int> position_;            // of each item in its rank
    std::vector<std::vector<int>> upper_;  // neighbours one rank up
    std::vector<std::vector<int>> lower_;  // neighbours one rank down
    Order ranks_;                          // items of each rank in order
};

}  // namespace memplan::graphlayout
