// SPDX-License-Identifier: Apache-2.0
// The search over richer menus with the performance model as judge (spyre-cost-and-co-optimisation 10 - 15): the
// relaxation, single changes, and a joint search over buffers where the graph is small enough.
#pragma once

#include "engine/spyre/scratchpad/search/division_price.h"
#include "engine/spyre/scratchpad/search/division_search.h"

#include <optional>
#include <string>
#include <vector>

namespace memplan::spyre {

/// What is lowered first: the estimate, or main-memory bytes as long as the estimate does not rise.
enum class Objective { Time, Traffic };

struct RichRule {
    Objective objective = Objective::Time;
    bool exact = false;             ///< the joint search of small graphs: exact, else annealing
    std::size_t sweepOptions = 96;  ///< options per op that a descent looks at
};

/// What one part of the search brought.
struct SearchPart {
    std::string name;            ///< elimination, coordinate_descent, annealing, exact
    std::int64_t evaluated = 0;  ///< combinations that were scored
    Bytes traffic = 0;           ///< main-memory bytes of the best plan after it
    double microseconds = 0;     ///< its estimate
    bool improved = false;
    bool exhausted = false;  ///< ended at its bound on combinations
};

struct RichTrace {
    std::vector<SearchPart> parts;      ///< in run order
    std::optional<Bytes> trafficBound;  ///< no choice of these divisions moves fewer bytes, were all buffers to fit
    double committedMicroseconds = 0;

    [[nodiscard]] std::string method() const;  ///< the last part that improved, else the first
};

/// Runs the parts one after the other, each from the best so far.
[[nodiscard]] Result<DivisionSearch> searchRichMenus(const DivisionTrial& trial, const DivisionPrice& price,
                                                     SearchTools tools, const RichRule& rule, const RunControl& control,
                                                     RichTrace& trace);

}  // namespace memplan::spyre
