// SPDX-License-Identifier: Apache-2.0
// Branch and bound over the relaxation of selection.h.
#pragma once

#include "engine/base/run_control.h"
#include "engine/solve/exact/packing_lp.h"
#include "engine/solve/exact/place_set.h"
#include "engine/solve/exact/units.h"

#include <map>
#include <vector>

namespace memplan::solve {

/// Best bound first; from each node the search plunges to a choice of whole items before it looks at the next. Items
/// whose reduced gain says that the other choice cannot beat the best known are fixed on the way.
class SelectionSearch {
public:
    SelectionSearch(const Part& part, std::int64_t& best, const SelectionLimits& limits, const PlaceSet& place,
                    const RunControl& control);
    SelectionResult run();

private:
    struct Node {
        std::int64_t bound = 0;
        std::int64_t number = 0;  ///< later ones first among equals: they are nearer to a choice of whole items
        std::vector<std::int8_t> fixed;
    };
    [[nodiscard]] static bool isBehind(const Node& a, const Node& b);
    void addCapacityRows();
    void plunge(Node node);
    /// Fixes in `node` what cannot be otherwise. False when nothing better is left there.
    bool evaluate(Node& node);
    void fixByGains(Node& node, double lpBound);
    void round(const Node& node);
    [[nodiscard]] std::vector<int> wholeItems() const;
    [[nodiscard]] int branchItem(const Node& node) const;
    SetEnd outcomeOf(const std::vector<int>& set);
    [[nodiscard]] bool excludes(const std::vector<int>& set, std::int64_t bound);
    void keep(Node node);
    [[nodiscard]] Node takeBest();
    [[nodiscard]] std::int64_t valueOfSet(const std::vector<int>& set) const;
    [[nodiscard]] std::int64_t whole(double bound) const;
    [[nodiscard]] bool isSpent() const;

    const Part& part_;
    std::int64_t& best_;
    SelectionLimits limits_;
    const PlaceSet& place_;
    const RunControl& control_;
    double scale_ = 1.0;        ///< value of one unit of gain
    std::int64_t granule_ = 1;  ///< divides every value
    PackingLp lp_;
    std::vector<Node> open_;  ///< a heap
    std::map<std::vector<int>, SetEnd> tried_;
    std::int64_t nodes_ = 0;
    std::int64_t undecided_ = -1;  ///< largest bound of the sets that nobody could place or refuse
};

}  // namespace memplan::solve
