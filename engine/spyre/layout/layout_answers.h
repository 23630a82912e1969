// SPDX-License-Identifier: Apache-2.0
// Networks repeat their layers: operations with the same loops, tensors and input candidates get the same
// candidates and the same costs, which are derived once (spyre-layouts-and-work-division 5.2, 5.3).
#pragma once

#include "engine/base/result.h"
#include "engine/spyre/layout/layout_graph.h"
#include "engine/spyre/layout/restickify.h"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace memplan::spyre {

/// What the inputs of an op cost for every pair of input and output candidate.
struct EdgeTable {
    struct Edge {
        int argument = 0;               ///< position in Op::reads
        std::vector<EdgeCost> costs{};  ///< input candidate x output candidate; kInfiniteCost = impossible
        bool isFree = true;             ///< no pair costs anything
    };
    std::size_t outputs = 0;  ///< output candidates
    std::vector<Edge> edges;

    [[nodiscard]] EdgeCost cost(const Edge& edge, std::size_t in, std::size_t out) const {
        return edge.costs[in * outputs + out];
    }
};

/// The candidates of an op with their costs; shared by all ops that ask the same question.
class LayoutAnswer {
public:
    explicit LayoutAnswer(OpCandidates candidates) : candidates_(std::move(candidates)) {}

    [[nodiscard]] const OpCandidates& candidates() const { return candidates_; }
    /// Derived when it is asked for first. LAY-003 when a stick cannot be addressed; such an answer is not kept.
    [[nodiscard]] Result<const EdgeTable*> costs(const LayoutGraph& graph, const LayoutGraph::Node& node);

private:
    OpCandidates candidates_;
    std::unique_ptr<const EdgeTable> costs_;
};
using LayoutAnswerPtr = std::shared_ptr<LayoutAnswer>;

/// The answers of one run over a graph. The key of a question holds all that an answer depends on, names
/// excepted: they stand in errors only, and errors are not kept.
class LayoutAnswers {
public:
    /// Candidates of the node with the values of its inputs as they stand; errors of layoutCandidates().
    [[nodiscard]] Result<LayoutAnswerPtr> of(const LayoutGraph& graph, const LayoutGraph::Node& node);

private:
    void describe(const LayoutGraph& graph, const LayoutGraph::Node& node);

    std::string key_;
    std::unordered_map<std::string, LayoutAnswerPtr> known_;
};

}  // namespace memplan::spyre
