// SPDX-License-Identifier: Apache-2.0
// Reads execution records, of a text or as a part of a document that was read already: plans of many operations are not
// read twice.
#pragma once

#include "engine/base/result.h"
#include "engine/json/json_tape.h"
#include "engine/sim/record/record.h"

#include <string_view>

namespace memplan::io {

/// The record at a place of the tape (proof-and-search A3), without its graph. `place`: JSON pointer of the tape's
/// outermost value, for messages. Errors: IN-008 with a JSON pointer.
[[nodiscard]] Result<sim::ExecutionRecord> recordFromTape(const Tape& tape, TapeIndex at, std::string_view place = {});

/// The record that sim::recordJson() writes. Errors: IN-008 with a JSON pointer below `/execution`.
[[nodiscard]] Result<sim::ExecutionRecord> recordFromJson(std::string_view json);

}  // namespace memplan::io
