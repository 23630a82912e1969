// SPDX-License-Identifier: Apache-2.0
// The values of a schedule as a plan file has them: numbers of nodes in place of positions, columns as runs.
#pragma once

#include "engine/plan/file/record.h"
#include "engine/plan/torchwright_data.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memplan::torchwright::file {

using Runs = std::vector<std::pair<std::int32_t, std::int32_t>>;  ///< [first, count]

struct Op {
    std::string op;
    std::optional<std::int64_t> node;
    int heads = 0;
    Runs target, source, sourceB, query, key, value;
    std::optional<std::pair<std::int32_t, std::int32_t>> slotRange;  ///< [first, count]
};

struct Refusal {
    std::int64_t node = 0;
    Cause cause = Cause::Order;
};

struct Layer {
    int heads = 0, slotsUsed = 0;
    std::int64_t params = 0;
    int occupiedBefore = 0, occupiedAfter = 0;
    std::vector<Op> attention, mlp;
    std::vector<std::int64_t> released;
    std::vector<std::pair<std::string, std::int32_t>> liveByAnnotation;
    Cause binding = Cause::Order;
    std::vector<Refusal> refused;
    bool isForcedByOrder = false;
};

struct Holding {
    Runs columns;
    int firstLayer = -1, lastLayer = -1;
};

struct Node {
    std::int64_t number = 0;
    std::string type;
    int width = 0;
    std::vector<std::int64_t> inputs, after, afterMissing;
    std::string name, annotation;
    std::int64_t params = 0;
    std::vector<std::int32_t> widths;  ///< Linear: input; Attn: qk, v, query, key, value
    bool hasBias = false;
    std::int64_t nonZeros = -1;
    std::vector<double> value;  ///< of a literal
    std::pair<double, double> range{-1, 1};
    std::int64_t maxVocab = 0;
    std::string inputName;
};

struct Graph {
    std::string name;
    std::int64_t output = 0;
    std::vector<std::int64_t> extraOutputs;
    std::int64_t position = 0;
    std::vector<Node> nodes;
};

}  // namespace memplan::torchwright::file
