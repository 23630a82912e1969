// SPDX-License-Identifier: Apache-2.0
// The toy alone, for builds of what knows no machine (MEMPLAN_TARGET_LIST): readers under the sanitizers.
#include "engine/solve/machine_solvers.h"
#include "engine/target/format_writer.h"
#include "tests/engine/target/toy/toy.h"

#include <array>

namespace memplan {

std::span<const Target* const> allTargets() {
    static const std::array<const Target*, 1> kTargets{&toy::target()};
    return kTargets;
}

std::span<const MachineSettings* const> machineSettings() {
    static const std::array<const MachineSettings*, 1> kSettings{&toy::settings()};
    return kSettings;
}

std::span<const hints::MachineHints* const> hints::machineHints() {
    return {};
}

std::span<const solve::MachineSolvers* const> solve::machineSolvers() {
    return {};
}

std::span<const FormatWriter* const> formatWriters() {
    return {};
}

}  // namespace memplan
