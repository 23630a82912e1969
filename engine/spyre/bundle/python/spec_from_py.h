// SPDX-License-Identifier: Apache-2.0
// OpSpec entries out of parsed wrapper source (spyre-coarse-tiling-and-bundle 9.2).
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/base/result.h"
#include "engine/plan/op_spec/op_spec.h"

#include <string>

namespace memplan::bundle {

/// `list` is the value behind the kernel's name, `path` its name for messages. Errors: BND-105 with a path
/// such as sdsc_x[0].body[1].args[2].device_size, BND-101.
[[nodiscard]] Result<SpecTree> specsFromPy(const PyValue& list, const std::string& path, Diagnostics& notes);

}  // namespace memplan::bundle
