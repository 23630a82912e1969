// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/optimize/optimize.h"

#include <utility>

namespace memplan::ttnn {
namespace {

/// The stages of which each can end the run.
Result<void> analyse(OptimizeState& state) {
    if (auto checked = stageCheckOptions(state); !checked) return checked;
    stageScalarTypes(state);
    if (auto space = stageSearchSpace(state); !space) return space;
    if (auto reshards = stageOverrideReshards(state); !reshards) return reshards;
    if (!state.options.memoryLayoutAnalysis) return {};
    if (auto policy = stageMemoryLayout(state); !policy) return policy;
    stageLegality(state);
    return {};
}

}  // namespace

Result<OptimizeState> optimize(Module lowered, const Options& options, const RunControl& control, std::uint32_t seed) {
    OptimizeState state(std::move(lowered), options, control, seed);
    if (!options.enableOptimizer) return state;
    if (auto analysed = analyse(state); !analysed) return std::move(analysed).error();
    stageApplyOverrides(state);
    stageCompleteConfigs(state);
    stageTransform(state);
    if (options.l1InterleavedFallback) stageL1Fallback(state);
    stageFinish(state);
    return state;
}

}  // namespace memplan::ttnn
