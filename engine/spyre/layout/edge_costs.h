// SPDX-License-Identifier: Apache-2.0
// Cost of one operation for every pair of input and output candidate; LayoutAnswers keeps them
// (spyre-layouts-and-work-division 5.3).
#pragma once

#include "engine/base/result.h"
#include "engine/spyre/layout/layout_graph.h"
#include "engine/spyre/layout/restickify.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace memplan::spyre {

/// Edges of one node. Input candidates are those of `LayoutGraph::values` at construction.
class EdgeCosts {
public:
    /// LAY-003 when an input or the output has a stick that no kernel can address. Points into `graph` and
    /// `candidates`.
    [[nodiscard]] static Result<EdgeCosts> create(const LayoutGraph& graph, const LayoutGraph::Node& node,
                                                  const OpCandidates& candidates);

    [[nodiscard]] std::size_t edgeCount() const { return edges_.size(); }
    [[nodiscard]] std::size_t inputCount(std::size_t edge) const { return edges_[edge].in.size(); }
    [[nodiscard]] int argument(std::size_t edge) const { return edges_[edge].argument; }
    /// Elements to move; kInfiniteCost when the stick cannot get there.
    [[nodiscard]] EdgeCost cost(std::size_t edge, std::size_t in, std::size_t out) const;
    /// The layout that the read needs, for a pair of finite non-zero cost.
    [[nodiscard]] std::optional<StickLayout> target(std::size_t edge, std::size_t in, std::size_t out) const;
    /// Inputs, candidates and what blocks each pair, in one line.
    [[nodiscard]] std::string triage() const;

private:
    /// A layout under the index of its access. Only the roles are kept: nearly all pairs agree, and the
    /// coordinates are derived again for those that do not.
    struct Side {
        const StickLayout* layout = nullptr;
        const Index* index = nullptr;
        StickRoles roles;
    };
    struct Edge {
        int argument = 0;
        std::vector<Side> in;          ///< one per candidate of the input
        std::optional<Side> required;  ///< FixedInOut
    };

    [[nodiscard]] Coordinates deviceOf(const Side& side) const;
    [[nodiscard]] std::optional<StickLayout> moved(const Edge& edge, std::size_t in, std::size_t out) const;
    [[nodiscard]] const Side& other(const Edge& edge, std::size_t out) const;

    const LayoutGraph* graph_ = nullptr;
    const LayoutGraph::Node* node_ = nullptr;
    std::vector<Side> out_;
    std::vector<Edge> edges_;
};

}  // namespace memplan::spyre
