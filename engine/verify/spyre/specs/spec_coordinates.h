// SPDX-License-Identifier: Apache-2.0
// Do the device coordinates of an OpSpec lead to the element that the access of the operation names
// (spyre-layouts-and-work-division 3): compared at the corners of the loops and at scattered points.
#pragma once

#include "engine/plan/op_spec/op_spec.h"
#include "engine/plan/plan.h"

#include <map>
#include <string>
#include <vector>

namespace memplan::verify {

/// Programs repeat their tensors: what was found right once is not evaluated again.
class CoordinateCheck {
public:
    explicit CoordinateCheck(const Plan& plan) : plan_(plan) {}

    /// The first point at which a coordinate is not that of the access, in words; empty where there is none.
    [[nodiscard]] std::string firstWrong(OpId op, const PlanAccess& access, const bundle::TensorArg& arg);

private:
    [[nodiscard]] std::string evaluate(const PlanAccess& access, const bundle::TensorArg& arg,
                                       const std::vector<std::int64_t>& extents) const;

    const Plan& plan_;
    /// Layout, index and loops in numbers -> coordinates that are right for them.
    std::map<std::vector<std::int64_t>, std::vector<std::vector<bundle::Expr>>> right_;
};

/// Device size of the tile that one iteration of the loops around the op accesses: the layout of the buffer cut by the
/// loops that are tiled (spyre-coarse-tiling-and-bundle 3.3).
[[nodiscard]] std::vector<std::int64_t> tileSize(const Plan& plan, OpId op, const PlanAccess& access);

}  // namespace memplan::verify
