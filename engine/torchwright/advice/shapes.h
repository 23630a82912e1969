// SPDX-License-Identifier: Apache-2.0
// Shapes of the op library that are recognised (torchwright.md 15, 19.2). Silence is no proof that one is absent.
#pragma once

#include "engine/torchwright/advice/question.h"

#include <optional>

namespace memplan::torchwright {

/// A Linear with a diagonal matrix: negate, multiply_const, add_const. Needs tensors.
struct Scaling {
    NodeId input;
    std::vector<float> factors;
};
[[nodiscard]] std::optional<Scaling> scalingOf(const NodeGraph& graph, NodeId id);

/// compare(x; t, lo, hi): a step from `low` to `high` at `threshold`.
struct Compare {
    const Chain* chain = nullptr;
    NodeId input;
    double sharpness = 0;  ///< weight of x in both hidden slots
    double threshold = 0;
    double low = 0, high = 0;

    [[nodiscard]] bool hasLevels(double lo, double hi) const;
    [[nodiscard]] bool isAt(double t) const;
    [[nodiscard]] bool isNot() const { return isAt(0) && hasLevels(1, -1); }
};
/// Of a scalar input; needs tensors.
[[nodiscard]] std::optional<Compare> compareOf(const AdviceFacts& facts, const Chain& chain);
/// The one that ends in this node.
[[nodiscard]] std::optional<Compare> compareEndingIn(const AdviceFacts& facts, NodeId id);

/// A compare over a sum of scalars.
struct BooleanFold {
    Compare compare;
    NodeId sum;                    ///< Linear of ones
    std::vector<NodeId> operands;  ///< leaves of its Concatenate
};
[[nodiscard]] std::optional<BooleanFold> allTrueOf(const AdviceFacts& facts, const Chain& chain);
/// The operands are compares with levels 1 and 0; these are given by their ends.
[[nodiscard]] std::optional<BooleanFold> anyTrueOf(const AdviceFacts& facts, const Chain& chain);

/// select(c, t, f): t where c holds, else f.
struct Select {
    const Chain* chain = nullptr;
    NodeId condition, whenTrue, whenFalse;
};
[[nodiscard]] std::optional<Select> selectOf(const AdviceFacts& facts, const Chain& chain);

}  // namespace memplan::torchwright
