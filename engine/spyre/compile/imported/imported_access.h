// SPDX-License-Identifier: Apache-2.0
// How an imported op touches its tensors: index expressions and whole sizes out of the coordinates of an
// OpSpec (spyre-coarse-tiling-and-bundle 8, 10, 17.1), and what the loops make of them (spyre-scratchpad 3.1, 12).
#pragma once

#include "engine/plan/op_spec/op_spec.h"
#include "engine/plan/plan.h"
#include "engine/plan/spyre_data.h"

#include <cstdint>
#include <vector>

namespace memplan::spyre {

/// Extents of the op's loops over all iterations of the levels that tile them; parallel to its iteration space.
[[nodiscard]] std::vector<std::int64_t> fullExtents(const PlanOp& op, const SpyreOpData& data);

/// The arg with the device size of its whole buffer: an op that writes slices of a tensor shows the size of one
/// slice. Args that hold one tile stay as they are.
[[nodiscard]] bundle::TensorArg wholeTensor(const bundle::OpSpec& op, const bundle::TensorArg& arg,
                                            const std::vector<std::int64_t>& extents);

/// The arg with the device size of what the op touches of it over all iterations: without the gaps beside it.
[[nodiscard]] bundle::TensorArg touchedTensor(const bundle::OpSpec& op, const bundle::TensorArg& arg,
                                              const std::vector<std::int64_t>& extents);

/// Linear index into the host tensor: the coordinates weighed with the stride map, or with row-major strides
/// where the source records none. Data-dependent coordinates have no index. `arg` is a wholeTensor().
[[nodiscard]] PlanAccess importedAccess(const PlanOp& op, const bundle::OpSpec& spec, const bundle::TensorArg& arg,
                                        BufferId buffer, const std::vector<std::int64_t>& extents);

/// What was written before a loop and is read in it without moving lives until the loop ends.
void extendLivesOverLoops(Plan& plan);
/// Main-memory bytes of every op: whole tensors, once for each iteration of the levels at which they do not move.
void fillImportedTraffic(Plan& plan);

}  // namespace memplan::spyre
