// SPDX-License-Identifier: Apache-2.0
// What a Spyre machine has: capacities, counts, limits with their units. No algorithm holds a constant of the machine
// (architecture 4.5, spyre-scratchpad 1). Planner and validator see it, and it knows neither.
#pragma once

#include "engine/base/ids.h"
#include "engine/machine/machine.h"

namespace memplan {

struct SpyreMachine {
    Bytes lxBytesPerCore = 2'097'152;  ///< scratchpad of one core
    Bytes lxAlignment = 128;           ///< one stick
    Bytes stickBytes = 128;            ///< fixed: device layouts are made of such sticks
    std::int64_t maxCores = 32;
    Bytes spanLimitSeed = 268'435'456;    ///< device memory one core may address (256 MiB)
    Bytes spanLimitLate = 268'431'360;    ///< 65535 * 4096
    Bytes reservedForRuntime = 65'536;    ///< only under the capacity rule reserved64k
    Bytes hbmPoolBytes = 17'179'869'184;  ///< 16 GiB segment of intermediates
    friend bool operator==(const SpyreMachine&, const SpyreMachine&) = default;
};

/// The figures that a machine file may give; all of SpyreMachine but the size of a stick.
[[nodiscard]] const MachineKind& spyreMachineKind();
/// A description of that kind as the planner and the validator use it.
[[nodiscard]] SpyreMachine spyreMachine(const MachineDescription& description);

enum class LxCapacityRule { Seed, Reserved64k };

/// Bytes of LX usable by the planner. `reservedFraction` in 0..1. At 0.20: 1 677 721 under Seed,
/// 1 625 344 under Reserved64k (spyre-scratchpad 1).
[[nodiscard]] Bytes usableLxBytes(const SpyreMachine& machine, double reservedFraction, LxCapacityRule rule);

}  // namespace memplan
