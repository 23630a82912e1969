// SPDX-License-Identifier: Apache-2.0
// Replaces counted loops by copies of their bodies (spyre-coarse-tiling-and-bundle 11).
#pragma once

#include "engine/base/result.h"
#include "engine/spyre/bundle/strides.h"

namespace memplan::bundle {

/// Copies that one kernel may become; more is an error, because every copy is a file.
inline constexpr std::int64_t kMostCopies = 100'000;

/// The flat list of copies. Errors: CT-010 symbolic count (names the free symbols), BND-107 too many copies,
/// BND-105 a stride that cannot be computed.
[[nodiscard]] Result<SpecTree> unrolled(const SpecTree& tree, StrideModel model, Diagnostics& notes);

/// Whether the address of some tensor moves with a loop around its op (chapter 10). Errors: BND-105 a stride that
/// cannot be computed.
[[nodiscard]] Result<bool> hasMovingAddress(const SpecTree& tree, StrideModel model);

}  // namespace memplan::bundle
