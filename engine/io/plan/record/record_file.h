// SPDX-License-Identifier: Apache-2.0
// Execution records as JSON (proof-and-search A3), a part of the plan file. The simulation itself reads and writes no
// files.
#pragma once

#include "engine/json/json_text.h"
#include "engine/plan/file/plan_fields.h"
#include "engine/sim/record/record.h"

namespace memplan::io {

/// Members of the open object on one line: the record without the graph, one line per op and buffer. Deterministic.
void writeRecord(JsonWriter& writer, const sim::ExecutionRecord& record);

/// The record at a place of the file, without its graph. What is wrong with it is kept by the fields.
[[nodiscard]] sim::ExecutionRecord readRecord(PlanFields& fields, TapeIndex at);

}  // namespace memplan::io
