// SPDX-License-Identifier: Apache-2.0
// Which item of one plan is which item of another (user-experience 16.2): by the same id, by the same
// name and kind, by the same kind, shapes and matched neighbours. Every pair says by which rule.
#pragma once

#include "engine/plan/plan.h"

#include <optional>
#include <string_view>
#include <vector>

namespace memplan::compare {

enum class MatchRule {
    SameId,           ///< both plans come from one input and the plan ids are equal
    SameNameAndKind,  ///< plans of different inputs: equal names of the same kind
    SameSurroundings  ///< same kind and shapes, and at least one neighbour is matched already
};

[[nodiscard]] std::string_view ruleText(MatchRule rule);  ///< "same id"

/// One direction of a matching: the partner of each item and the rule that found it.
template <class IdType> struct Partners {
    std::vector<IdType> inB;         ///< per item of A, invalid = removed
    std::vector<IdType> inA;         ///< per item of B, invalid = added
    std::vector<MatchRule> ruleOfB;  ///< per item of B; meaningless where inA is invalid
    [[nodiscard]] std::size_t matched() const {
        std::size_t n = 0;
        for (const IdType id : inA)
            if (id.isValid()) ++n;
        return n;
    }
    friend bool operator==(const Partners&, const Partners&) = default;
};

struct PlanMatch {
    bool isSameInput = false;  ///< then names are ids
    Partners<OpId> ops;
    Partners<BufferId> buffers;
    friend bool operator==(const PlanMatch&, const PlanMatch&) = default;
};

/// One-to-one. Ties go to the item that comes first in schedule order.
[[nodiscard]] PlanMatch matchPlans(const Plan& a, const Plan& b);

}  // namespace memplan::compare
