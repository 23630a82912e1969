// SPDX-License-Identifier: Apache-2.0
// How operations cut the buffers that they access, and which divisions would make them cut one alike
// (spyre-scratchpad 3.3, 18).
#pragma once

#include "engine/plan/plan.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memplan::spyre {

/// Wanted slices of one operation: loop name -> count. Empty: not divided at all.
using LoopSplits = std::vector<std::pair<std::string, std::int64_t>>;

/// How a buffer is cut: coefficient of the loop in the buffer's storage -> slices, largest coefficient first.
using Cut = std::map<std::int64_t, std::int64_t, std::greater<>>;

/// How an operation cuts a buffer, as it is or with other splits of its loops; loops that do not move in the buffer are
/// left out. nullopt when it does not access the buffer, or by an index from data.
[[nodiscard]] std::optional<Cut> cutOf(const PlanOp& op, BufferId buffer);
[[nodiscard]] std::optional<Cut> cutOf(const PlanOp& op, BufferId buffer, const LoopSplits& splits);
/// Splits that make the operation cut the buffer so; nullopt when it has no such loop or the count does not divide.
[[nodiscard]] std::optional<LoopSplits> splitsFor(const PlanOp& op, BufferId buffer, const Cut& cut);
/// True when the operation is divided exactly so.
[[nodiscard]] bool isDivided(const PlanOp& op, const LoopSplits& splits);

/// New divisions, in schedule order.
using Divisions = std::vector<std::pair<OpId, LoopSplits>>;

/// The users of a buffer that cut it differently from `like` follow it.
/// nullopt when one of them cannot, or when all do already.
[[nodiscard]] std::optional<Divisions> dividedLike(const Plan& plan, BufferId buffer, OpId like);
/// The same, and every operation that shares another buffer with one of them and cuts it alike today goes along, so
/// that no new pair of neighbours differs. Operations that cannot go along stay as they are.
[[nodiscard]] std::optional<Divisions> dividedLikeWithNeighbours(const Plan& plan, BufferId buffer, OpId like);

}  // namespace memplan::spyre
