// SPDX-License-Identifier: Apache-2.0
// A neutral graph where a program is asked for: what an Executor compares with when the plan was made of one.
#pragma once

#include "engine/graph/graph.h"
#include "engine/pipeline/source.h"

#include <memory>
#include <utility>

namespace memplan {

class NeutralSource final : public Source {
public:
    explicit NeutralSource(std::shared_ptr<const Graph> read) : graph(std::move(read)) {}

    std::shared_ptr<const Graph> graph;

    [[nodiscard]] std::string_view kind() const override { return "a neutral graph"; }
    [[nodiscard]] std::string_view target() const override { return {}; }
    [[nodiscard]] std::size_t opCount() const override { return graph->ops.size(); }
};

}  // namespace memplan
