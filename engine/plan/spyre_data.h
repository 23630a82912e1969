// SPDX-License-Identifier: Apache-2.0
// What only a plan for Spyre has: target_data of its plan file.
#pragma once

#include "engine/base/ids.h"
#include "engine/plan/co_optimization.h"
#include "engine/plan/cost_estimate.h"
#include "engine/plan/kernel.h"
#include "engine/plan/loop_node.h"
#include "engine/plan/operation_order.h"
#include "engine/plan/plan.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memplan::bundle {
struct Kernel;  // plan/op_spec/op_spec.h
}

namespace memplan {

/// A dimension of an op that a hint cuts into a counted loop.
struct DimCut {
    std::vector<std::string> names;     ///< that the loop walks; the first is the hinted one
    std::int64_t range = 0, count = 0;  ///< positions, iterations
    std::int64_t index = -1;            ///< output dimension, or among the reduced ones; -1 = none
    std::string loop;                   ///< empty where the op does not iterate over it
    bool isReduction = false;
    std::int64_t hint = 0;  ///< number of the hint
    friend bool operator==(const DimCut&, const DimCut&) = default;
};

/// target_data.ops of a Spyre plan (spyre-coarse-tiling-and-bundle 19).
struct SpyreOpData {
    std::vector<std::int64_t> ranges, reductionRanges;
    std::vector<std::pair<std::string, std::int64_t>> committedSplits;
    std::vector<std::pair<std::int64_t, std::int64_t>> outputSplits, reductionSplits;  ///< coefficient -> slices
    std::vector<DimCut> dimHints;
    std::vector<std::vector<int>> loopTiledDims;  ///< per level, positions in `ranges`
    std::vector<std::string> tiledSymbols;        ///< loop variables that the levels tile, outermost level first
    std::vector<std::vector<int>> tiledLoops;     ///< the same per level, positions in PlanOp::iterationSpace
};

/// target_data.propagation: the result of a tiled op and where its values go. The tile of a rewired op
/// is no buffer of the plan, so these are names; empty = null.
struct PlanPropagation {
    std::string buffer, kind, fullBuffer, copyOp;  ///< kind: loop_internal, copy, rewire
    friend bool operator==(const PlanPropagation&, const PlanPropagation&) = default;
};

/// What only a Spyre plan has (spyre-coarse-tiling-and-bundle 19); a part is an empty optional when its pass did not
/// run.
struct SpyreData final : TargetData {
    std::vector<SpyreOpData> ops;  ///< parallel to the operations of the plan
    std::optional<std::vector<PlanPropagation>> propagation;
    std::optional<std::vector<LoopNode>> loops;
    std::optional<std::vector<PlanKernel>> kernels;
    std::optional<std::pair<Bytes, Bytes>> pool;  ///< size, peak
    /// OpSpec trees of the kernels before unrolling, in run order; null when pass 20 did not run.
    std::shared_ptr<const std::vector<bundle::Kernel>> opSpecs;
    std::optional<CoOptimization> coOptimization;  ///< target_data.co_optimization, when that step ran
    std::optional<CostEstimate> costEstimate;      ///< target_data.cost_estimate, a ranking aid
    std::optional<OperationOrder> operationOrder;  ///< target_data.operation_order, when ops were re-ordered

    [[nodiscard]] std::span<const PlanKernel> programs() const override;
    [[nodiscard]] const CoOptimization* jointSearch() const override;
    [[nodiscard]] const OperationOrder* newOrder() const override;
    [[nodiscard]] std::span<const std::vector<int>> tiledLoops(OpId op) const override;
    [[nodiscard]] bool hasArtefacts() const override { return opSpecs != nullptr; }
};

/// Of a plan of another machine, and of one without such data: empty.
[[nodiscard]] const SpyreData& spyreData(const Plan& plan);
/// For who makes or changes a plan.
[[nodiscard]] SpyreData& editSpyreData(Plan& plan);

}  // namespace memplan
