// SPDX-License-Identifier: Apache-2.0
// The spec tree as JSON: `target_data.op_specs` of plan files and the vectors (spyre-coarse-tiling-and-bundle
// 18, "Spec tree encoding").
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/base/result.h"
#include "engine/json/json_tape.h"
#include "engine/json/json_text.h"
#include "engine/plan/op_spec/op_spec.h"

#include <string>

namespace memplan::bundle {

void writeSpecs(io::JsonWriter& writer, const SpecTree& tree);
/// `at` is the array. Errors: BND-105 with a JSON pointer.
[[nodiscard]] Result<SpecTree> readSpecs(const io::Tape& tape, io::TapeIndex at);

}  // namespace memplan::bundle
