// SPDX-License-Identifier: Apache-2.0
// Local search over the order in which the items of one part are stacked: good plans where nothing is proved soon.
#pragma once

#include "engine/base/random.h"
#include "engine/base/run_control.h"
#include "engine/base/search_trace.h"
#include "engine/solve/exact/search.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace memplan::solve {

/// Each item in turn rests on the highest top among the earlier ones that it meets in time; one that does not fit there
/// is left out and disturbs nothing. Every placement sorted by address is such an order. The search moves one item next
/// to another that it meets, or exchanges the two, and takes the change by simulated annealing.
/// For parts without handoffs and hints. No clock: as many column steps as it is given.
class OrderSearch {
public:
    OrderSearch(const Problem& problem, const Part& part, const RunControl& control);

    /// Raises `best` in value, starting from it, until it is worth `bound` or the work is done.
    void improve(PartPlan& best, std::int64_t bound, std::int64_t work, std::uint64_t seed);
    /// Moves tried by the last run, and the values that it found with the moves done by then.
    [[nodiscard]] std::int64_t moves() const { return moves_; }
    [[nodiscard]] const std::vector<SearchPoint>& found() const { return found_; }

private:
    struct Flat {
        std::uint32_t firstColumn = 0;
        std::uint32_t endColumn = 0;
        Bytes size = 0;
        Bytes alignment = 1;
        Address last = 0;
        std::int64_t value = 0;
    };
    struct Move {
        std::size_t low = 0;   ///< first position that changes
        std::size_t high = 0;  ///< last one
    };

    void findNeighbours();
    void startFrom(const PartPlan& plan);
    [[nodiscard]] bool draw(Move& move);
    void moveItem(std::size_t from, std::size_t target, Move& move);
    bool rest(int item, Address* tops, std::int64_t& value) const;
    [[nodiscard]] std::int64_t evaluate(const Move& move);
    void keep(const Move& move);
    void recompute(std::size_t position);
    [[nodiscard]] PartPlan planOfOrder(const std::vector<int>& order) const;
    [[nodiscard]] Address* topsAt(std::size_t block) { return tops_.data() + block * columns_; }

    const Part& part_;
    const RunControl& control_;
    std::size_t count_ = 0;
    std::size_t columns_ = 0;
    bool alwaysAligned_ = false;  ///< sizes are multiples of the one alignment
    std::vector<Flat> flat_;
    std::vector<std::vector<int>> neighbours_;  ///< per item: those that it meets in time
    std::vector<int> order_, trial_;
    std::vector<std::size_t> place_;     ///< per item: position in order_
    std::vector<std::uint8_t> isIn_;     ///< per item: placed by order_
    std::vector<Address> tops_;          ///< per block of positions: tops before it; then those of all
    std::vector<std::int64_t> valueAt_;  ///< the same for values
    std::vector<Address> scratch_;
    std::int64_t value_ = 0;  ///< of order_
    Random random_{0};
    std::int64_t moves_ = 0;
    std::int64_t workLeft_ = 0;
    std::vector<SearchPoint> found_;
};

}  // namespace memplan::solve
