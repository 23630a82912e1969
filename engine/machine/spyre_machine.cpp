// SPDX-License-Identifier: Apache-2.0
#include "engine/machine/spyre_machine.h"

#include "engine/base/numeric.h"

namespace memplan {

Bytes usableLxBytes(const SpyreMachine& machine, double reservedFraction, LxCapacityRule rule) {
    const double keep = 1.0 - reservedFraction;
    if (rule == LxCapacityRule::Seed) return static_cast<Bytes>(static_cast<double>(machine.lxBytesPerCore) * keep);
    const auto raw =
        static_cast<Bytes>(static_cast<double>(machine.lxBytesPerCore - machine.reservedForRuntime) * keep);
    return alignUp(raw, machine.lxAlignment);
}

}  // namespace memplan
