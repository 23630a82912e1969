// SPDX-License-Identifier: Apache-2.0
// Machines of any registered target, which the file itself names.
#pragma once

#include "engine/base/result.h"
#include "engine/json/json_tape.h"
#include "engine/machine/machine.h"

#include <string>

namespace memplan::io {

/// MCH-001 names what is wrong, also for a file larger than 1 MiB and for a target that is not registered; IN-904 for
/// one that cannot be read. The place is a pointer into the file.
[[nodiscard]] Result<MachineDescription> readMachineFile(const std::string& path);

/// The same from a part of a document.
[[nodiscard]] Result<MachineDescription> readMachineOf(const Tape& tape, TapeIndex at);

}  // namespace memplan::io
