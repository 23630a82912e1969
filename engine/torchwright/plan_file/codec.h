// SPDX-License-Identifier: Apache-2.0
// target_data of a torchwright plan (torchwright.md 14, "In the plan file"). Nodes are written as their numbers.
#pragma once

#include "engine/plan/file/record.h"

namespace memplan::torchwright {

void writeData(const Plan& plan, io::RecordWriter& file);
/// `at` is target_data, 0 where the file has none. What it takes is whole: every number names a node, every column lies
/// in the stream, the graph has no cycle.
void readData(io::PlanFields& fields, io::TapeIndex at, Plan& plan);

}  // namespace memplan::torchwright
