// SPDX-License-Identifier: Apache-2.0
// The operations that layouts are chosen for (layouts-and-work-division 5.3).
#pragma once

#include "engine/spyre/layout/layout_question.h"

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace memplan::spyre {

/// The operations to decide, over values that are written once. A value that no node writes has its
/// layouts given (graph inputs: exactly one).
struct LayoutGraph {
    struct Read {
        const Buffer* buffer = nullptr;  ///< the tensor as this op sees it
        const Index* index = nullptr;
        int value = -1;
        bool isScalarConstant = false;
    };
    struct Node {
        const Op* op = nullptr;
        std::vector<Read> reads;  ///< parallel to op->reads
        const Buffer* output = nullptr;
        int value = -1;
        bool mutates = false;  ///< writes an existing value: handled after the choice
    };
    /// Shared with the answer they come from.
    using Layouts = std::shared_ptr<const std::vector<StickLayout>>;

    std::vector<Node> nodes;      ///< in topological order
    std::vector<Layouts> values;  ///< candidates of each value, null while there are none
    bool asOriginal = false;      ///< see LayoutQuestion

    [[nodiscard]] std::span<const StickLayout> layoutsOf(int value) const {
        const Layouts& layouts = values[static_cast<std::size_t>(value)];
        return layouts ? std::span<const StickLayout>(*layouts) : std::span<const StickLayout>();
    }
    /// Gives a value the one layout it has.
    void give(int value, StickLayout layout) {
        values[static_cast<std::size_t>(value)] =
            std::make_shared<const std::vector<StickLayout>>(1, std::move(layout));
    }
};

/// The node as a question about its candidates, with those of its inputs as they stand.
[[nodiscard]] LayoutQuestion questionOf(const LayoutGraph& graph, const LayoutGraph::Node& node);

}  // namespace memplan::spyre
