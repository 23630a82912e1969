// SPDX-License-Identifier: Apache-2.0
// Depth-first search over the units of one part (scratchpad 8).
#pragma once

#include "engine/base/run_control.h"
#include "engine/base/search_trace.h"
#include "engine/solve/exact/units.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace memplan::solve {

/// A placement of one part, compared by value, then lower peak, then lower sum of addresses.
struct PartPlan {
    static constexpr Address kNone = -1;
    std::vector<Address> address;  ///< per item of the part
    std::vector<int> slotOf;       ///< per item: the item whose slot it took, -1 = own block
    std::int64_t value = -1;
    Address peak = std::numeric_limits<Address>::max();
    Address addressSum = std::numeric_limits<Address>::max();

    [[nodiscard]] bool betterThan(const PartPlan& o) const {
        if (value != o.value) return value > o.value;
        return peak != o.peak ? peak < o.peak : addressSum < o.addressSum;
    }
};

enum class SearchEnd { Proved, NodeLimit, Interrupted };

class PartSearch {
public:
    PartSearch(const Part& part, const RunControl& control) : part_(part), control_(control) {}

    /// Largest value that any placement of the part can have, by the column bound at the root.
    [[nodiscard]] std::int64_t rootBound();
    /// Improves `best` in value; Proved means that no placement is worth more.
    SearchEnd maximise(PartPlan& best, std::int64_t maxNodes);
    /// Improves peak and addresses at the value of `best`.
    SearchEnd refine(PartPlan& best, std::int64_t maxNodes);
    /// Nodes of the last run, and the values that it found with the nodes done by then.
    [[nodiscard]] std::int64_t nodes() const { return maxNodes_ - std::max<std::int64_t>(nodesLeft_, 0); }
    [[nodiscard]] const std::vector<SearchPoint>& found() const { return found_; }

private:
    struct Option {
        Address address = 0;
        int unit = 0;
    };
    struct Level {
        std::vector<Option> options;
        std::vector<std::pair<Address, int>> singles;  ///< (top when resting now, item) of free single buffers
        std::vector<Address> tops;                     ///< column tops overwritten by the chosen unit
    };

    void reset();
    SearchEnd run(PartPlan& best, std::int64_t maxNodes, bool refining);
    void descend(std::size_t depth);
    [[nodiscard]] bool isStopped();
    void record();
    [[nodiscard]] bool canImprove();
    [[nodiscard]] std::int64_t columnBound();
    [[nodiscard]] std::int64_t columnLoss(std::size_t column) const;
    void listOptions(Level& level);
    [[nodiscard]] Address restingAddress(const Unit& unit) const;
    [[nodiscard]] bool isFree(const Unit& unit) const;
    void place(const Option& option, Level& level);
    void takeBack(const Option& option, const Level& level);

    const Part& part_;
    const RunControl& control_;
    std::vector<Address> top_;      ///< per column
    std::vector<Address> address_;  ///< per item, kNone = not placed
    std::vector<int> slotOf_;
    std::vector<std::uint8_t> viable_;  ///< per item: not placed, and could still be
    std::vector<std::int64_t> loss_;    ///< scratch of columnBound
    std::vector<Level> levels_;
    Address lastAddress_ = 0;
    int lastUnit_ = -1;
    std::int64_t value_ = 0;
    Address peak_ = 0;
    Address addressSum_ = 0;
    PartPlan* best_ = nullptr;
    bool refining_ = false;
    std::int64_t maxNodes_ = 0;
    std::int64_t nodesLeft_ = 0;
    std::vector<SearchPoint> found_;
    SearchEnd end_ = SearchEnd::Proved;
};

}  // namespace memplan::solve
