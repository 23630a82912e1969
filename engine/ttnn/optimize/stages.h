// SPDX-License-Identifier: Apache-2.0
// The optimizer as stages over one state (ttnn-optimizer 2; ids in pipeline.md 2): `optimize` runs them one after the
// other, a pipeline of passes one by one.
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/ttnn/measure/measure.h"
#include "engine/ttnn/search/search_space.h"
#include "engine/ttnn/solution/solution.h"
#include "engine/ttnn/solution/transformed.h"

#include <memory>
#include <string>
#include <vector>

namespace memplan::ttnn {

/// Everything about one function that is optimised.
struct FunctionOutcome {
    std::size_t function = 0;  ///< position in Module::functions
    SearchSpace space;
    std::vector<Reshard> overrides;  ///< forced by hand
    Solution solution;               ///< of the policy; complete after `stageCompleteConfigs`
    Transformed transformed;
    Measures measures;  ///< of `transformed`, after `stageFinish`
};

struct OptimizeState {
    OptimizeState(Module lowered, Options wanted, RunControl run, std::uint32_t searchSeed);

    Module module;    ///< the input; after `stageFinish` the optimised one
    Options options;  ///< the cap of the module is the caller's to put in (settings.md 3)
    RunControl control;
    std::uint32_t seed = 0;
    std::unique_ptr<Device> device;
    std::unique_ptr<OpModel> model;
    std::unique_ptr<LayoutTable> layouts;
    std::vector<DataType> scalars;
    std::vector<FunctionOutcome> functions;  ///< device forward functions only
    std::vector<Diagnostic> notes;
};

/// Device, budget and names of overrides: TT-001, TT-003, TT-004, TT-040.
[[nodiscard]] Result<void> stageCheckOptions(OptimizeState& state);      // check_overrides
void stageScalarTypes(OptimizeState& state);                             // scalar_data_type_analysis
[[nodiscard]] Result<void> stageSearchSpace(OptimizeState& state);       // legal_* analyses: TT-002
[[nodiscard]] Result<void> stageOverrideReshards(OptimizeState& state);  // collect_override_reshards: TT-013
/// What a policy is given for one function.
[[nodiscard]] PolicyInput policyInput(const OptimizeState& state, const FunctionOutcome& outcome);
/// The policy of the options. Cancelled: the code of `kCancelledCode`.
[[nodiscard]] Result<void> stageMemoryLayout(OptimizeState& state);  // memory_layout_analysis
/// The last part of it, whoever ran the policy: what does not hold at every position is taken back.
void stageLegality(OptimizeState& state);
void stageApplyOverrides(OptimizeState& state);   // apply_override_reshards
void stageCompleteConfigs(OptimizeState& state);  // op_config_analysis
void stageTransform(OptimizeState& state);        // graph_transformation
void stageL1Fallback(OptimizeState& state);       // l1_interleaved_fallback
/// Types of functions, figures, what is unmodelled (TT-030) or may not run as it stands (TT-031 to TT-033).
void stageFinish(OptimizeState& state);  // update_function_types

/// A function that runs on the device, not one that computes constants, is a trace or runs on the host.
[[nodiscard]] bool isForwardFunction(const Function& function);

}  // namespace memplan::ttnn
