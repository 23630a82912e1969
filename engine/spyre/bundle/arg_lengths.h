// SPDX-License-Identifier: Apache-2.0
// First consistency check of a tensor of a bundle, a wrapper source or a plan's op specs
// (spyre-coarse-tiling-and-bundle 8.5, check 1): everything behind the readers takes the lists as equally long.
#pragma once

#include "engine/plan/op_spec/op_spec.h"

#include <optional>
#include <string>

namespace memplan::bundle {

/// What does not fit: no device size, a negative one, or another number of coordinates or strides than of device sizes.
/// Nothing for a tensor that is in order.
[[nodiscard]] std::optional<std::string> lengthProblem(const TensorArg& arg);

/// The first tensor of the op with a problem, as an error CT-025 at `path` + ".args[N]". Ops without tensors or loops
/// are stubs, which are not checked.
[[nodiscard]] Result<void> checkLengths(const OpSpec& op, const std::string& path);

}  // namespace memplan::bundle
