// SPDX-License-Identifier: Apache-2.0
// Room on chip between two kernel boundaries (spyre-scratchpad 14.6): placement of what lives in one kernel.
#pragma once

#include "engine/spyre/pass.h"
#include "engine/spyre/scratchpad/eviction/residency_segments.h"
#include "engine/spyre/state.h"

#include <set>
#include <vector>

namespace memplan::spyre {

/// Every use of the buffer is in one kernel.
[[nodiscard]] bool staysInOneKernel(const ScratchpadState::Entry& entry, const KernelMap& kernels);

/// A candidate without an address or a hint, and the bytes that an address would save.
struct Waiting {
    Bytes saving = 0;
    BufferId buffer;
};
/// Those that live in one kernel, or (`inOneKernel` false) in several; the greatest saving first.
[[nodiscard]] std::vector<Waiting> waitingForRoom(const State& state, const PassContext& context,
                                                  const KernelMap& kernels, bool inOneKernel);

/// Gives those that live in one kernel the lowest address that is free during their whole life, and returns it. Bytes
/// saved.
[[nodiscard]] Bytes fillRoom(State& state, PassContext& context, const KernelMap& kernels);

/// Addresses of all candidates that live in one kernel anew, by the solver of `settings`; others leave the chip. What
/// the ring shuffles keeps its address. False when a buffer with a hint loses its place or its address.
[[nodiscard]] Result<bool> placeInKernels(State& state, const PassContext& context, const Settings& settings,
                                          const KernelMap& kernels);

}  // namespace memplan::spyre
