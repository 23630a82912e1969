// SPDX-License-Identifier: Apache-2.0
// The list of machines with the toy in it, in place of engine/targets.cpp.
#include "engine/solve/machine_solvers.h"
#include "engine/spyre/compile/target.h"
#include "engine/spyre/hint_kinds.h"
#include "engine/spyre/settings.h"
#include "engine/target/format_writer.h"
#include "tests/engine/target/toy/toy.h"

#include <array>

namespace memplan {

std::span<const Target* const> allTargets() {
    static const std::array<const Target*, 2> kTargets{&spyre::target(), &toy::target()};
    return kTargets;
}

std::span<const MachineSettings* const> machineSettings() {
    static const std::array<const MachineSettings*, 2> kSettings{&spyre::settings(), &toy::settings()};
    return kSettings;
}

std::span<const hints::MachineHints* const> hints::machineHints() {
    static const std::array<const MachineHints*, 1> kHints{&spyre::hintKinds()};
    return kHints;
}

std::span<const solve::MachineSolvers* const> solve::machineSolvers() {
    return {};
}

std::span<const FormatWriter* const> formatWriters() {
    return {};
}

}  // namespace memplan
