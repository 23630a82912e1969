// SPDX-License-Identifier: Apache-2.0
// A question about the layouts of one operation, and its answer (layouts-and-work-division 5.2).
#pragma once

#include "engine/spyre/layout/stick_layout.h"
#include "engine/spyre/program.h"

#include <memory>
#include <span>
#include <vector>

namespace memplan::spyre {

enum class CostNode {
    AcceptsAnything,  ///< inputs in any layout, cost 0
    AllSame,          ///< every input's stick agrees with the result's
    FixedInOut        ///< every input has its own required layout
};

/// One read with the layouts its tensor may have.
struct LayoutRead {
    const Buffer* buffer = nullptr;
    const Index* index = nullptr;
    std::span<const StickLayout> layouts;
    bool isScalarConstant = false;  ///< 0-d constant: asks for nothing and is not counted (19.9)
};

struct LayoutQuestion {
    const Op* op = nullptr;
    std::vector<LayoutRead> reads;  ///< parallel to op->reads
    const Buffer* output = nullptr;
    /// Refuse more than six dimensions, where ours merges some, and give a cast that ends inside a stick one stick of
    /// its input, where ours gives it as many as it fills.
    bool asOriginal = false;
};

struct OpCandidates {
    std::vector<StickLayout> layouts;  ///< at least one
    CostNode node = CostNode::AllSame;
    std::vector<int> args;              ///< positions in op->reads that take part in the cost
    std::vector<StickLayout> required;  ///< FixedInOut: parallel to args
};

using OpCandidatesPtr = std::shared_ptr<const OpCandidates>;

}  // namespace memplan::spyre
