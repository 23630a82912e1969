// SPDX-License-Identifier: Apache-2.0
// The steps of DFSharding on their shared state, one function each (ttnn-optimizer 4.4).
#pragma once

#include "engine/ttnn/sharding/sharding_state.h"

namespace memplan::ttnn {

/// Chains before and behind a concatenation prefer the layout that it needs (6.2).
void setConcatPreferences(ShardingState& state);
/// ShardSolver on all chains but those of concatenations (5).
void resolveRegularChains(ShardingState& state);
/// Concatenations whose inputs all stay in L1 (6.2).
void resolveConcatChains(ShardingState& state);
/// Wished spill locations (hints.md 4.2), checked as the optimizer's own.
void applySpillWishes(ShardingState& state);
/// Reshape results in L1 (6.3).
void reserveReshapes(ShardingState& state);
/// Values with several readers in L1 (6.4).
void reserveForks(ShardingState& state);
/// Chains into chains (6.5).
void mergeChainOutputs(ShardingState& state);

/// What the record of merges says about a refusal.
void reject(MergeInfo& merge, std::string_view step, const Refusal& refusal);
/// Adds the record with its trace; an accepted merge: the output of each source stays in L1 up to the join operation.
void finishMerge(ShardingState& state, MergeInfo merge);

}  // namespace memplan::ttnn
