// SPDX-License-Identifier: Apache-2.0
// target_data of a TTNN plan: layouts, chains, reservations, merges, reshards and schedule (ttnn-optimizer 13).
#pragma once

#include "engine/plan/file/record.h"
#include "engine/plan/part_hashes.h"
#include "engine/plan/plan.h"

namespace memplan::ttnn {

void writeData(const Plan& plan, io::RecordWriter& file);
void readData(io::PlanFields& fields, io::TapeIndex at, Plan& plan);

/// Of every part of the plan, those of target_data too.
[[nodiscard]] PartHashes partHashes(const Plan& plan);

}  // namespace memplan::ttnn
