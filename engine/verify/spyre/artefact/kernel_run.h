// SPDX-License-Identifier: Apache-2.0
// Runs the kernels of a bundle on the memories of the machine (proof-and-search A5).
#pragma once

#include "engine/base/run_control.h"
#include "engine/verify/spyre/artefact/bundle/loaded.h"

#include <optional>
#include <unordered_set>
#include <vector>

namespace memplan::sim::artefact {

/// Which op instance wrote a cell: position in Machine::events, from 1.
struct Event {
    std::string op;  ///< "the host", or "kernel/sdsc_3.json add"
    std::vector<std::int64_t> loop;
};

struct Machine {
    std::uint64_t seed = 0;
    std::int64_t memoryBytes = std::int64_t{1} << 30;
    std::int64_t lxBytes = 0;  ///< scratchpad of one core
    std::vector<Store> lx;     ///< per core
    std::vector<Event> events;
    InstanceCounts counts;
    std::int64_t instances = 0;
    /// Values that the graph has. Where it is set, the first operation that makes another one is kept, products left
    /// out: a convolution has its bias added by an operation of its own.
    const std::unordered_set<Value>* known = nullptr;
    std::string firstUnknown;  ///< operation, iteration and address

    /// Number of a new event.
    [[nodiscard]] std::uint32_t begin(std::string op, std::vector<std::int64_t> loop = {});
    [[nodiscard]] std::string writerOf(const Cell& cell) const;
    void wipeLx();
};

/// What a kernel is bound to: slot 0 is the pool where there is one, then the arguments; null = nothing.
using Slots = std::vector<Store*>;

/// Slot that an address of a tensor meets in the first iteration of all loops, -1 = none.
struct SlotUse {
    int slot = -1;
    bool isWritten = false;
};
/// In the order of execution: which slots the tensors of the kernel are in. `hasPool`: slot 0 is the pool.
[[nodiscard]] std::vector<SlotUse> slotUses(const LoadedKernel& kernel, bool hasPool);

/// Runs a kernel. The first fault ends it. Error: CANCELLED, VER-026.
[[nodiscard]] Result<std::optional<Fault>> runKernel(Machine& machine, const LoadedKernel& kernel, const Slots& slots,
                                                     bool hasPool, bool isPerTensor, const RunControl& control);

/// Fingerprint of everything that a run of the kernels depends on: functions, operands, and the address of every
/// element that is read or written. `anyCores`: operations without tensors in LX count alike whichever core works which
/// piece.
[[nodiscard]] std::uint64_t traceOf(const LoadedBundle& bundle, const std::vector<KernelCall>& calls, bool anyCores);

}  // namespace memplan::sim::artefact
