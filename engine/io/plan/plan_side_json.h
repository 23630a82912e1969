// SPDX-License-Identifier: Apache-2.0
// target_data.side_information of a plan file: sources, and by name what they say of ops, buffers and kernels.
#pragma once

#include "engine/base/result.h"
#include "engine/plan/file/record.h"
#include "engine/plan/side_info.h"

#include <memory>
#include <string>
#include <string_view>

namespace memplan::io {

/// The plan file with target_data.side_information at the end of the target's data; without it for nullptr.
[[nodiscard]] std::string writePlanJson(const Plan& plan, const SideInformation* side);
/// The side information of a plan file; null when it has none. Errors: IN-008 with a pointer.
[[nodiscard]] Result<std::shared_ptr<const SideInformation>> readPlanSide(std::string_view bytes);

/// Into the open object target_data. Whole numbers are numbers, all else is text.
void writeSideInformation(RecordWriter& targetData, const SideInformation& side);

}  // namespace memplan::io
