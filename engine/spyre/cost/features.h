// SPDX-License-Identifier: Apache-2.0
// The feature record: the whole input of the performance model, one record per operation
// (spyre-cost-and-co-optimisation 1). Plain values, so that stored records can be priced again.
#pragma once

#include "engine/base/ids.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memplan::spyre::cost {

enum class Role { Input, Output };
enum class Memory { Hbm, Lx };

struct ArgFeatures {
    std::string name;
    Role role = Role::Input;
    Memory memory = Memory::Hbm;
    std::int64_t elements = 0;             ///< one load of this tensor, padding included
    std::vector<std::int64_t> deviceDims;  ///< device size
    std::vector<std::int64_t> shape;       ///< torch shape, empty = unknown
    bool broadcast = false;                ///< loaded once and reused across a missing dimension
    std::int64_t loopFactor = 1;           ///< how often the traffic is repeated over the loop nest
    // Edition B only.
    std::optional<bool> isBoundary;            ///< read of a graph input, write of a graph output
    bool ownsBoundaryCharge = true;            ///< pays the clone-in of its graph input (8.3)
    std::int64_t replication = 1;              ///< groups of cores that each load a full copy
    std::optional<std::int64_t> readRunBytes;  ///< contiguous bytes that one core reads per run
    friend bool operator==(const ArgFeatures&, const ArgFeatures&) = default;

    [[nodiscard]] bool isInput() const { return role == Role::Input; }
    [[nodiscard]] bool inHbm() const { return memory == Memory::Hbm; }
    /// Names of stored records: inputs called arg... are graph inputs where the record does not say.
    [[nodiscard]] bool boundary() const { return isBoundary.value_or(isInput() && name.starts_with("arg")); }
};

struct OpFeatures {
    std::string name;          ///< origin name: exp, mm, amax
    bool isReduction = false;  ///< multiplies included
    std::int64_t outElements = 0;
    std::int64_t cores = 1;
    std::int64_t dtypeBytes = 2;
    std::vector<ArgFeatures> args;  ///< output first, then reads in read order
    std::int64_t reductionCores = 1;
    std::int64_t loopTrip = 1;  ///< product of the loop counts around it
    bool tilesOutputDim = false;
    bool tilesReductionDim = false;
    double tileRowsPerCore = 0;  ///< 0 = not applicable
    bool isMatmul = false;
    std::int64_t matmulMacs = 0;  ///< over the whole loop
    double matmulRowsPerCore = 0, matmulColsPerCore = 0;
    std::int64_t matmulABytes = 0, matmulBBytes = 0;
    std::int64_t matmulMSplit = 1, matmulNSplit = 1;
    std::string hbmPattern;  ///< restickify, stick_scatter, reduce_outer or empty
    // Edition B only.
    std::optional<std::int64_t> transportReadRunBytes, transportTileElements;
    bool isLxRelayout = false;
    std::int64_t relayoutRunElements = 0;
    std::int64_t relayoutSplit = 0;
    bool isIndirectStore = false;
    friend bool operator==(const OpFeatures&, const OpFeatures&) = default;
};

}  // namespace memplan::spyre::cost
