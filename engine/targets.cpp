// SPDX-License-Identifier: Apache-2.0
// The machines that this program plans for: the one list (architecture 5.9).
#include "engine/solve/machine_solvers.h"
#include "engine/spyre/compile/target.h"
#include "engine/spyre/hint_kinds.h"
#include "engine/spyre/settings.h"
#include "engine/target/format_writer.h"
#include "engine/target/target.h"
#include "engine/torchwright/compile/target.h"
#include "engine/torchwright/compile/writers.h"
#include "engine/torchwright/hint_kinds.h"
#include "engine/torchwright/settings.h"
#include "engine/torchwright/solvers.h"
#include "engine/ttnn/compile/target.h"
#include "engine/ttnn/compile/writers.h"
#include "engine/ttnn/hint_kinds.h"
#include "engine/ttnn/settings.h"
#include "engine/ttnn/solvers.h"

#include <array>

namespace memplan {

std::span<const Target* const> allTargets() {
    static const std::array<const Target*, 3> kTargets{&spyre::target(), &ttnn::target(), &torchwright::target()};
    return kTargets;
}

std::span<const MachineSettings* const> machineSettings() {
    static const std::array<const MachineSettings*, 3> kSettings{&spyre::settings(), &ttnn::settings(),
                                                                 &torchwright::settings()};
    return kSettings;
}

std::span<const hints::MachineHints* const> hints::machineHints() {
    static const std::array<const MachineHints*, 3> kHints{&spyre::hintKinds(), &ttnn::hintKinds(),
                                                           &torchwright::hintKinds()};
    return kHints;
}

std::span<const solve::MachineSolvers* const> solve::machineSolvers() {
    static const MachineSolvers kOfAddresses = addressSolvers("spyre", "spyre.layout_solver");
    static const std::array<const MachineSolvers*, 3> kSolvers{&kOfAddresses, &ttnn::solvers(),
                                                               &torchwright::solvers()};
    return kSolvers;
}

std::span<const FormatWriter* const> formatWriters() {
    static const std::array<const FormatWriter*, 3> kWriters{&ttnn::mlirWriter(), &ttnn::overridesWriter(),
                                                             &torchwright::graphWriter()};
    return kWriters;
}

}  // namespace memplan
