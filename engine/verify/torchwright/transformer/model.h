// SPDX-License-Identifier: Apache-2.0
// An exported transformer, read: what its manifest says and its arrays.
#pragma once

#include "engine/verify/torchwright/transformer/array.h"

#include <map>
#include <optional>

namespace memplan::verify::transformer {

/// Columns of the residual stream, in the order of a node's components.
using ColumnList = std::vector<std::int32_t>;

struct BundleNode {
    std::string type, name;
    std::int64_t width = 0;
    int layer = -1;  ///< that computes it, -1 = none
};

/// What stands in the stream before layer 0.
struct Start {
    std::int64_t node = 0;
    std::string type;   ///< "InputNode", "Embedding", "PosEncoding", "LiteralValue"
    std::string input;  ///< what the host calls it; of an InputNode and an Embedding
    ColumnList columns;
    Array table;  ///< of an Embedding
};

struct Held {
    std::int64_t node = 0;
    ColumnList columns;
    int firstLayer = -1, lastLayer = -1;  ///< -1 = from the start
};

struct BundleOutput {
    std::int64_t node = 0;
    ColumnList columns;
};

struct BundleOp {
    std::string op;
    bool isAttention = false;
    std::optional<std::int64_t> node;
    std::int64_t heads = 0;                     ///< in attention
    std::int64_t firstSlot = 0, slotCount = 0;  ///< in the MLP
    ColumnList target, source, sourceB, query, key, value;
};

struct BundleLayer {
    std::int64_t heads = 1;  ///< of the arrays
    std::int64_t headsUsed = 0, slotsUsed = 0;
    std::int64_t occupiedBefore = 0, occupiedAfter = 0;  ///< columns
    std::vector<std::int64_t> released;                  ///< nodes that lost their columns
    std::vector<BundleOp> ops;
    Array query, key, value, output, first, firstBias, second, secondBias;
};

struct Bundle {
    std::string graph;
    std::int64_t d = 0, dHead = 0, slotsMost = 1;
    std::string result;                           ///< of the schedule, "ok"
    std::string routing;                          ///< local_in_attention: "always", "never"
    std::map<std::string, std::string> settings;  ///< of the compile, as they are written
    bool assumesZeros = false;                    ///< free columns must be zero at the start
    std::string whyNoWeights;                     ///< empty where the weights are here
    std::map<std::int64_t, BundleNode> nodes;
    std::vector<Start> start;
    Array constants;  ///< [d]
    std::vector<BundleOutput> outputs;
    std::vector<Held> held;
    std::vector<BundleLayer> layers;

    [[nodiscard]] bool hasWeights() const { return whyNoWeights.empty(); }
};

}  // namespace memplan::verify::transformer
