// SPDX-License-Identifier: Apache-2.0
// What a plan file holds of a Spyre plan alone: the key target_data (spyre-coarse-tiling-and-bundle 19).
#pragma once

#include "engine/plan/file/record.h"

namespace memplan::spyre {

/// Members of target_data.
void writeData(const Plan& plan, io::RecordWriter& file);
/// The same back; `at` is target_data, 0 where the file has none. Ops, buffers and decisions are there already.
void readData(io::PlanFields& fields, io::TapeIndex at, Plan& plan);
/// What a file of another program leaves out and the rest says: origin, reduced loops, size of the memory.
void deriveData(const io::PlanFields& fields, Plan& plan);

}  // namespace memplan::spyre
