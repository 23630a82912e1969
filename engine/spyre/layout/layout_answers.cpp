// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/layout/layout_answers.h"

#include "engine/spyre/layout/candidates.h"
#include "engine/spyre/layout/edge_costs.h"

#include <algorithm>
#include <span>
#include <type_traits>

namespace memplan::spyre {
namespace {

/// Appends values as bytes; every list is preceded by its length, so that no two questions read alike.
class KeyWriter {
public:
    explicit KeyWriter(std::string& out) : out_(out) {}

    template <class T> void number(T value) {
        static_assert(std::is_trivially_copyable_v<T>);
        out_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void list(std::span<const std::int64_t> values) {
        number(static_cast<std::uint32_t>(values.size()));
        out_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    }
    void word(std::string_view text) {
        number(static_cast<std::uint32_t>(text.size()));
        out_.append(text);
    }
    void index(const Index& index) {
        list(index.coefficients);
        number(index.offset);
    }
    void shape(const Buffer& buffer) {
        number(buffer.dtype);
        list(buffer.size);
        list(buffer.stride);
    }
    void layout(const StickLayout& layout) {
        number(layout.dtype);
        number(layout.arrangement);
        list(layout.deviceSize);
        list(layout.strideMap);
    }

private:
    std::string& out_;
};

}  // namespace

Result<const EdgeTable*> LayoutAnswer::costs(const LayoutGraph& graph, const LayoutGraph::Node& node) {
    if (costs_) return costs_.get();
    const Result<EdgeCosts> made = EdgeCosts::create(graph, node, candidates_);
    if (!made) return made.error();
    const EdgeCosts& all = made.value();
    auto table = std::make_unique<EdgeTable>();
    table->outputs = candidates_.layouts.size();
    table->edges.reserve(all.edgeCount());
    for (std::size_t e = 0; e < all.edgeCount(); ++e) {
        EdgeTable::Edge& edge = table->edges.emplace_back();
        edge.argument = all.argument(e);
        edge.costs.reserve(all.inputCount(e) * table->outputs);
        for (std::size_t in = 0; in < all.inputCount(e); ++in) {
            for (std::size_t out = 0; out < table->outputs; ++out)
                edge.costs.push_back(all.cost(e, in, out));
        }
        edge.isFree = std::all_of(edge.costs.begin(), edge.costs.end(), [](EdgeCost c) { return c == 0; });
    }
    costs_ = std::move(table);
    return costs_.get();
}

void LayoutAnswers::describe(const LayoutGraph& graph, const LayoutGraph::Node& node) {
    key_.clear();
    KeyWriter key(key_);
    const Op& op = *node.op;
    key.number(op.kind);
    key.number(graph.asOriginal);
    key.word(op.fn);
    key.number(static_cast<std::uint32_t>(op.loops.size()));
    for (const LoopVar& loop : op.loops) {
        key.number(loop.extent);
        key.number(loop.isReduction);
    }
    key.shape(*node.output);
    key.index(op.write.index);
    key.number(static_cast<std::uint32_t>(node.reads.size()));
    for (const LayoutGraph::Read& read : node.reads) {
        key.number(read.isScalarConstant);
        key.shape(*read.buffer);
        key.index(*read.index);
        const std::span<const StickLayout> layouts = graph.layoutsOf(read.value);
        key.number(static_cast<std::uint32_t>(layouts.size()));
        for (const StickLayout& layout : layouts)
            key.layout(layout);
    }
}

Result<LayoutAnswerPtr> LayoutAnswers::of(const LayoutGraph& graph, const LayoutGraph::Node& node) {
    describe(graph, node);
    const auto found = known_.find(key_);
    if (found != known_.end()) return found->second;
    Result<OpCandidates> candidates = layoutCandidates(questionOf(graph, node));
    if (!candidates) return std::move(candidates).error();
    return known_.emplace(key_, std::make_shared<LayoutAnswer>(std::move(candidates).value())).first->second;
}

}  // namespace memplan::spyre
