// SPDX-License-Identifier: Apache-2.0
// An operation of a plan: its loops, how they are cut, what it accesses.
#pragma once

#include "engine/base/ids.h"
#include "engine/graph/graph.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace memplan {

/// One loop variable of an op and how the plan cuts it.
struct IterationDim {
    std::string name;
    std::int64_t extent = 1;         ///< elements
    std::int64_t adjusted = 1;       ///< extent, or sticks for a stick variable
    std::int64_t elemsPerStick = 0;  ///< 0 when it is no stick variable
    bool isReduction = false;
    std::int64_t slices = 1;  ///< equal slices
    friend bool operator==(const IterationDim&, const IterationDim&) = default;
};

/// How one op touches one buffer: linear index over the op's loops into the host tensor.
struct PlanAccess {
    BufferId buffer;
    std::vector<std::int64_t> coefficients;  ///< one per entry of iterationSpace
    std::int64_t offset = 0;                 ///< elements
    bool isWrite = false;
    bool isIndirect = false;  ///< data-dependent index
    /// Per-core view: (device dimension, slices) pairs and for each the slice index of every core.
    std::vector<std::pair<int, std::int64_t>> sliceDims;
    std::vector<std::vector<int>> coreSlots;
    friend bool operator==(const PlanAccess&, const PlanAccess&) = default;
};

struct PlanOp {
    std::string name;  ///< plan key `id`
    std::string type;  ///< function: exp, add, batchmatmul, ...
    std::string kind;  ///< pointwise, reduction, matmul, restickify, clone, extern, constant, ...
    std::vector<BufferId> inputs, outputs;
    std::vector<std::string> namedDims;  ///< declared names of the dimensions of its result, may be empty
    std::vector<IterationDim> iterationSpace;
    std::vector<PlanAccess> accesses;  ///< reads in read order, then the write
    std::int64_t cores = 1;
    bool kAdjacent = false;  ///< core map numbers the K slices first
    std::vector<int> loopPath;
    std::vector<std::int64_t> loopCounts;
    Origin origin;
    std::string groupPath;             ///< annotation path, "/" between levels, may be empty
    std::string addedBy;               ///< pass id that added the op, empty for the input's own
    std::vector<GraphOpId> sourceOps;  ///< positions of the ops of the input graph that it stands for
    double fillValue = 0;              ///< of a constant: the number that it writes everywhere
    Bytes offChipRead = 0;             ///< device bytes of all cores read from main memory by this op
    Bytes offChipWrite = 0;
    Bytes maxSpan = 0;  ///< largest per-core span of its tensors, bytes

    [[nodiscard]] Bytes traffic() const { return offChipRead + offChipWrite; }
};

}  // namespace memplan
