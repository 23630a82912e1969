// SPDX-License-Identifier: Apache-2.0
// A graph of a file as the source of a compile.
#pragma once

#include "engine/pipeline/source.h"
#include "engine/torchwright/graph/node_graph.h"

#include <memory>
#include <utility>

namespace memplan::torchwright {

class GraphSource final : public Source {
public:
    explicit GraphSource(NodeGraph read) : graph(std::make_shared<const NodeGraph>(std::move(read))) {}

    std::shared_ptr<const NodeGraph> graph;  ///< with Assert and DebugWatch

    [[nodiscard]] std::string_view kind() const override { return "a torchwright graph"; }
    [[nodiscard]] std::string_view target() const override { return "torchwright"; }
    [[nodiscard]] std::size_t opCount() const override { return graph->size(); }
};

}  // namespace memplan::torchwright
