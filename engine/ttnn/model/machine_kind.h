// SPDX-License-Identifier: Apache-2.0
// The figures that a machine file may change (architecture 4.5).
#pragma once

#include "engine/machine/machine.h"
#include "engine/ttnn/machine/device.h"
#include "engine/ttnn/model/figures.h"

namespace memplan::ttnn {

[[nodiscard]] const MachineKind& deviceKind();
/// Figures of the description in place of the device's; nothing for the built-in machine.
void applyMachine(const MachineDescription& machine, Device& device);
/// Figures of the operation model that somebody has measured on the machine; the others are built in (9.5).
[[nodiscard]] ModelFigures figuresOf(const MachineDescription& machine);

}  // namespace memplan::ttnn
