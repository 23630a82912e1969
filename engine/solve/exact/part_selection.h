// SPDX-License-Identifier: Apache-2.0
// Selection and placement of one part by turns: what to keep by selection.h, where to put it by stacking.h
// (performance-and-toolchain 5, "Exact solver").
#pragma once

#include "engine/base/search_trace.h"
#include "engine/solve/exact/search.h"
#include "engine/solve/exact/selection.h"
#include "engine/solve/exact/stacking.h"

#include <cstdint>
#include <vector>

namespace memplan::solve {

/// All items of a part as single shapes.
[[nodiscard]] StackingProblem shapesOf(const Problem& problem, const Part& part);
/// `address` is parallel to `set` , which hands no slot on.
[[nodiscard]] PartPlan planOfSet(const Part& part, const std::vector<int>& set, const std::vector<Address>& address);

/// For parts without handoffs and hints.
class PartSelection {
public:
    PartSelection(const Problem& problem, const Part& part, const ExactOptions& options, const RunControl& control);

    /// Raises `best` by sets for a little less room than there is until it is worth `goal`.
    void raise(PartPlan& best, std::int64_t goal, std::int64_t maxNodes);
    /// The same once more from the start by other sets: thrift aside.
    void raiseOtherwise(PartPlan& best, std::int64_t goal, std::int64_t maxNodes);
    /// Raises `best` by sets that use all of the room and proves; the bound holds for every placement of the part. Of
    /// sets of the same value thrift tries those that take less of the memory.
    [[nodiscard]] SelectionResult prove(PartPlan& best, std::int64_t maxPivots, bool isThrifty);
    /// The bound of the integer programme (selection_programme.h), where this build has one; raises `best` when its set
    /// can be placed.
    [[nodiscard]] std::int64_t proveByProgramme(PartPlan& best, std::int64_t maxNodes, std::int64_t maxSteps);
    /// Nodes of both searches since the last raise() or prove(), and the values that were found with the nodes done by
    /// then.
    [[nodiscard]] std::int64_t nodes() const { return nodes_; }
    [[nodiscard]] const std::vector<SearchPoint>& found() const { return found_; }

private:
    static constexpr double kThriftToClimb = 1e-3;
    static constexpr double kFirstMissing = 0.03;

    [[nodiscard]] SetEnd place(const std::vector<int>& set, std::vector<int>& conflict);
    [[nodiscard]] Stacking stack(const std::vector<int>& set, std::int64_t maxNodes);
    [[nodiscard]] std::vector<int> conflictIn(const std::vector<int>& set);
    void take(PartPlan& best);
    void climb(std::int64_t goal, std::int64_t maxNodes);
    [[nodiscard]] std::vector<int> bestSetIn(Bytes room);
    [[nodiscard]] bool adopt(const std::vector<int>& set, const Stacking& placed);
    [[nodiscard]] SelectionResult search(const SelectionLimits& limits);

    const Part& part_;
    const ExactOptions& options_;
    const RunControl& control_;
    StackingProblem shapes_;
    PartPlan* best_ = nullptr;
    std::int64_t nodes_ = 0;
    std::vector<SearchPoint> found_;
    std::int64_t value_ = 0;  ///< of *best_
    double thrift_ = kThriftToClimb;
    double missing_ = kFirstMissing;  ///< part of the room that the next set does without
    int undecided_ = 0;               ///< sets in a row
    std::int64_t stackingNodes_ = 0;  ///< left for all sets
};

}  // namespace memplan::solve
