// SPDX-License-Identifier: Apache-2.0
// Trials of the passes that change the program to save traffic (spyre-scratchpad 14): buffer analysis and placement
// once more, and the traffic that the finished plan would have.
#pragma once

#include "pipeline/pass.h"
#include "pipeline/state.h"

namespace memplan::spyre {

/// Runs the steps `buffers` and `solve` on `trial`; what they say of it is not kept. `settings` may name another
/// solver than the compile's. Errors are those of the steps.
[[nodiscard]] Result<void> replan(State& trial, const PassContext& context, const Settings& settings);

/// Main-memory traffic of a placed state in bytes, with the clones that found no place counted as taken out again.
[[nodiscard]] Bytes settledTraffic(const State& state);

/// The chosen solver searches and is too slow to judge many trials; best-fit in scored order screens them first.
[[nodiscard]] bool needsScreening(const Settings& settings);
[[nodiscard]] Settings screeningSettings(const Settings& settings);

}  // namespace memplan::spyre
