// SPDX-License-Identifier: Apache-2.0
// The JSON form of a machine: {"format": "memplan-machine", "version": 1, "target": .., "name": .., "values": {..}}.
#pragma once

#include "engine/base/result.h"
#include "engine/json/json_tape.h"
#include "engine/json/json_text.h"
#include "engine/machine/machine.h"

#include <string>
#include <string_view>

namespace memplan {

/// A machine of this kind. Figures that the file leaves out are the default ones. MCH-001 names the place and the fix
/// of the first thing that is wrong: broken JSON, another format, version or target, an unknown key, a figure out of
/// its range or that another one forbids.
[[nodiscard]] Result<MachineDescription> readMachine(std::string_view json, const MachineKind& kind);

/// The same from a part of a document; `where` of an error is the pointer in the whole document.
[[nodiscard]] Result<MachineDescription> readMachine(const io::Tape& tape, io::TapeIndex at, const MachineKind& kind);

/// Every figure, those by default too: the text says what was planned for when a later version has other defaults.
void writeMachine(io::JsonWriter& writer, const MachineDescription& machine, const MachineKind& kind);
[[nodiscard]] std::string machineText(const MachineDescription& machine, const MachineKind& kind);

}  // namespace memplan
