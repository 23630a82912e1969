// SPDX-License-Identifier: Apache-2.0
// Dead operations and equal constants (spyre-layouts-and-work-division 6.2, 6.3), over plain numbers so
// that programs and recorded lists share the rules.
#pragma once

#include "engine/base/result.h"

#include <string>
#include <utility>
#include <vector>

namespace memplan::spyre {

struct LivenessOp {
    bool hasSideEffects = false;     ///< writes in place, or an impure fallback
    std::vector<int> reads, writes;  ///< buffer numbers
};

/// For each op whether it stays: it has side effects, or writes something that is read or returned.
[[nodiscard]] std::vector<bool> liveOps(const std::vector<LivenessOp>& ops, const std::vector<int>& outputs,
                                        int buffers);

struct ConstantOp {
    enum class Kind { Constant, Compute, Other };
    Kind kind = Kind::Compute;
    std::string key;         ///< Constant: value, dtype and device
    std::vector<int> reads;  ///< buffer numbers
    int writes = -1;
};

/// One consumer of a duplicate that now reads the kept constant, in the order of application.
struct ConstantRedirect {
    int op = 0;
    int from = 0, to = 0;  ///< buffer numbers
};

struct ConstantPlan {
    std::vector<int> order;  ///< positions of the ops that stay: constants first
    std::vector<ConstantRedirect> redirects;
    std::vector<int> removed;  ///< positions of the duplicates
};

/// Keeps the first of equal constants and moves constants to the front. A duplicate that is a graph output
/// stays (19.4). Error INT-001 when something else than a compute op reads a duplicate.
[[nodiscard]] Result<ConstantPlan> dedupConstants(const std::vector<ConstantOp>& ops, const std::vector<int>& outputs);

}  // namespace memplan::spyre
