// SPDX-License-Identifier: Apache-2.0
// An execution record as a part of a document that was read already: plans of many operations are not read twice.
#pragma once

#include "base/result.h"
#include "io/json/json_tape.h"
#include "sim/record.h"

#include <string_view>

namespace memplan::sim {

/// The record at a place of the tape. `place`: JSON pointer of the tape's outermost value, for messages.
[[nodiscard]] Result<ExecutionRecord> recordFromTape(const io::Tape& tape, io::TapeIndex at,
                                                     std::string_view place = {});

}  // namespace memplan::sim
