// SPDX-License-Identifier: Apache-2.0
// The immutable result of one compile. Views, the command line and the validator read it; nobody
// changes it. Heavy parts are shared between plans (architecture 4.6; command-line "Plan file").
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/base/ids.h"
#include "engine/graph/graph.h"
#include "engine/machine/machine.h"
#include "engine/plan/buffer.h"
#include "engine/plan/decision.h"
#include "engine/plan/metrics.h"
#include "engine/plan/op.h"
#include "engine/plan/pass_run.h"
#include "engine/plan/target_data.h"
#include "engine/plan/tensor_view.h"
#include "engine/settings/settings.h"

#include <memory>
#include <string>
#include <vector>

namespace memplan::sim {
struct ExecutionRecord;  // sim/record.h
}

namespace memplan {

/// Id of a machine that graphs are planned for, the word of `--target`. Which there are: target/target.h.
using TargetId = std::string;

struct PlanInput {
    std::string path, format, sha256, name;
    friend bool operator==(const PlanInput&, const PlanInput&) = default;
};

struct Plan {
    TargetId target;
    PlanInput input;
    std::shared_ptr<const Graph> graph;  ///< the input
    Settings settings;
    MachineDescription machine;           ///< of the target; the built-in one by default
    std::vector<Hint> hints;              ///< as given
    std::vector<std::string> hintStates;  ///< applied, ignored, ... parallel to hints
    std::vector<std::string> hintStateReasons;
    std::vector<PlanOp> ops;          ///< schedule order; OpId = position
    std::vector<PlanBuffer> buffers;  ///< BufferId = position
    PlanMemory memory;
    PlanMetrics metrics;
    std::vector<PassRun> passes;
    std::vector<Decision> decisions;
    std::vector<Diagnostic> problems;  ///< all passes' findings and the refusals, ordered
    /// What only its machine has: plan/<machine>_data.h. Null where there is nothing.
    std::shared_ptr<const TargetData> targetData;
    /// Of the graph's outputs, and of what kernels outside the planner read and write through a view. Not in a plan
    /// file: `execution` holds what follows from it.
    std::vector<TensorView> views;
    std::string stoppedAfter;         ///< pass id when stopped early, else empty
    std::string inputHash, planHash;  ///< 16 hex digits
    std::string solver;               ///< greedy, firstfit, ...

    /// Key `execution` of a plan file: what a simulation runs. Null in a plan that was just made (io writes it from
    /// the plan's other parts) and in a file without it.
    std::shared_ptr<const sim::ExecutionRecord> execution;

    [[nodiscard]] const PlanOp& op(OpId id) const { return ops[id.at()]; }
    [[nodiscard]] const PlanBuffer& buffer(BufferId id) const { return buffers[id.at()]; }
};

using PlanPtr = std::shared_ptr<const Plan>;

/// What only its machine has, seen through what plans of any machine may have; empty for a plan without it.
[[nodiscard]] const TargetData& targetDataOf(const Plan& plan);

}  // namespace memplan
