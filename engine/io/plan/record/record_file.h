// SPDX-License-Identifier: Apache-2.0
// Execution records as JSON (proof-and-search A3), of a text or as a part of a document that was read already: plans of
// many operations are not read twice. The simulation itself reads and writes no files.
#pragma once

#include "engine/base/result.h"
#include "engine/base/text_buffer.h"
#include "engine/json/json_tape.h"
#include "engine/sim/record/record.h"

#include <string>
#include <string_view>

namespace memplan::io {

/// The JSON form without the graph; one line per op and buffer. Deterministic.
void appendRecordJson(TextBuffer& out, const sim::ExecutionRecord& record);
[[nodiscard]] std::string recordJson(const sim::ExecutionRecord& record);

/// The record at a place of the tape, without its graph. `place`: JSON pointer of the tape's outermost value, for
/// messages. Errors: IN-008 with a JSON pointer.
[[nodiscard]] Result<sim::ExecutionRecord> recordFromTape(const Tape& tape, TapeIndex at, std::string_view place = {});

/// The record that recordJson() writes. Errors: IN-008 with a JSON pointer below `/execution`.
[[nodiscard]] Result<sim::ExecutionRecord> recordFromJson(std::string_view json);

}  // namespace memplan::io
