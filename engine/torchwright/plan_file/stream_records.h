// SPDX-License-Identifier: Apache-2.0
// Members of the graph and of the layers in target_data, in the order of the file. Nodes stand there as their numbers,
// columns as runs [first, count].
#pragma once

#include "engine/torchwright/plan_file/words.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace memplan::torchwright {

/// The numbers that the nodes of a graph have, ascending: the position is the id.
using NodeNumbers = std::vector<std::int64_t>;

/// Ids with the numbers that stand for them, columns with the width of the stream that they lie in.
template <class Id> struct NodeView {
    const NodeNumbers& numbers;
    Id& id;
};
template <class Ids> struct NodesView {
    const NodeNumbers& numbers;
    Ids& ids;
    [[nodiscard]] bool empty() const { return ids.empty(); }
};
template <class List> struct ColumnsView {
    List& columns;
    Columns d;
    [[nodiscard]] bool empty() const { return columns.empty(); }
};

}  // namespace memplan::torchwright

namespace memplan::io {

template <class Id> struct Form<torchwright::NodeView<Id>> {
    using Stored = std::int64_t;
    static Stored stored(const torchwright::NodeView<Id>& view) { return view.numbers[view.id.at()]; }
    static std::string take(Stored number, const torchwright::NodeView<Id>& view) {
        const auto at = std::ranges::lower_bound(view.numbers, number);
        if (at == view.numbers.end() || *at != number) return "the graph has no node " + std::to_string(number);
        view.id = torchwright::NodeId::of(static_cast<std::size_t>(at - view.numbers.begin()));
        return {};
    }
};

template <class Ids> struct Form<torchwright::NodesView<Ids>> {
    using Stored = std::vector<std::int64_t>;
    static Stored stored(const torchwright::NodesView<Ids>& view) {
        Stored list;
        for (const torchwright::NodeId id : view.ids)
            list.push_back(view.numbers[id.at()]);
        return list;
    }
    static std::string take(const Stored& list, const torchwright::NodesView<Ids>& view) {
        using One = torchwright::NodeView<torchwright::NodeId>;
        std::string wrong;
        for (std::size_t i = 0; i < list.size() && wrong.empty(); ++i)
            wrong = Form<One>::take(list[i], One{view.numbers, view.ids.emplace_back()});
        return wrong;
    }
};

template <class List> struct Form<torchwright::ColumnsView<List>> {
    using Stored = std::vector<std::pair<std::int32_t, std::int32_t>>;
    static Stored stored(const torchwright::ColumnsView<List>& view) {
        Stored runs;
        for (const torchwright::ColumnRun& run : view.columns.runs())
            runs.emplace_back(run.first, run.count);
        return runs;
    }
    static std::string take(const Stored& runs, const torchwright::ColumnsView<List>& view) {
        std::int64_t total = 0;
        for (const auto& [first, count] : runs) {
            if (first < 0 || count < 1 || first > view.d - count)
                return "columns [" + std::to_string(first) + ", " + std::to_string(count) +
                       "] do not lie in the stream";
            total += count;
            if (total > std::int64_t{64} * view.d) return "a list of columns is longer than any node can have";
            for (torchwright::Columns c = first; c < first + count; ++c)
                view.columns.append(c);
        }
        return {};
    }
};

template <> struct Form<float> {
    using Stored = double;
    static Stored stored(float v) { return v; }
    static std::string take(double read, float& v) {
        const bool fits = !(std::abs(read) > std::numeric_limits<float>::max()) || std::isinf(read);
        v = fits ? static_cast<float>(read) : 0;
        return fits ? "" : "the number does not fit 32 bits";
    }
};

}  // namespace memplan::io

namespace memplan::torchwright {

/// Names the members of what refers to nodes and columns.
class StreamRecords {
public:
    /// `numbers` outlive it. `d`: columns of the stream; not asked for in a graph.
    explicit StreamRecords(const NodeNumbers& numbers, Columns d = 0) : numbers_(numbers), d_(d) {}

    /// The graph without its nodes.
    void graph(auto& file, auto& g) const {
        file.member("name", g.name);
        file.member("output", node(g.output));
        file.sparse("extra_outputs", nodes(g.extraOutputs));
        file.member("pos_encoding", node(g.position));
    }

    void nodeList(auto& file, std::string_view key, auto& list) const {
        file.objects(key, list, true, [this](auto& entry, auto& n) { ofNode(entry, n); });
    }

    /// `live`: columns by annotation after the layer.
    template <class File> void layer(File& file, auto& l, auto& live) const {
        file.member("heads", l.heads);
        file.member("slots", l.slotsUsed);
        file.member("params", l.params);
        file.member("occupied_before", l.occupiedBefore);
        file.member("occupied_after", l.occupiedAfter);
        file.objects("attn", l.attention, true, [this](auto& entry, auto& op) { attention(entry, op); });
        file.objects("mlp", l.mlp, true, [this](auto& entry, auto& op) { mlp(entry, op); });
        file.member("released", nodes(l.released));
        file.table("live_by_annotation", live);
        file.member("binding", l.binding);
        file.objects("refused", l.refused, true, [this](auto& entry, auto& r) {
            entry.member("node", node(r.node));
            entry.member("cause", r.cause);
        });
        file.member("forced_by_order", l.isForcedByOrder);
    }

    void holding(auto& file, auto& h) const {
        file.member("runs", columns(h.columns));
        file.member("first_layer", h.firstLayer);
        file.member("last_layer", h.lastLayer);
    }

    template <class List> ColumnsView<List> columns(List& list) const { return {list, d_}; }

private:
    const NodeNumbers& numbers_;
    Columns d_;

    template <class Id> NodeView<Id> node(Id& id) const { return {numbers_, id}; }
    template <class Ids> NodesView<Ids> nodes(Ids& ids) const { return {numbers_, ids}; }

    template <class File> void attention(File& file, auto& op) const {
        file.member("op", op.kind);
        file.sparse("node", node(op.node), op.node.isValid());
        if constexpr (File::kReads)
            if (op.node.isValid() == (op.kind == AttentionKind::Cancel))
                file.fail("an operation that computes names its node");
        file.sparse("heads", op.heads, op.heads != 0);
        file.member("target", columns(op.target));
        file.sparse("source", columns(op.source));
        file.sparse("source_b", columns(op.sourceB));
        file.sparse("q", columns(op.query));
        file.sparse("k", columns(op.key));
        file.sparse("v", columns(op.value));
    }

    void mlp(auto& file, auto& op) const {
        file.member("op", op.kind);
        file.member("node", node(op.node));
        file.member("target", columns(op.target));
        file.sparse("source", columns(op.source));
        file.sparse("slots", std::tie(op.slotRange.first, op.slotRange.count), op.kind != MlpKind::Bias);
    }

    template <class File> void ofNode(File& file, auto& n) const {
        file.member("id", n.number);
        file.member("type", n.kind);
        file.atLeast("d_output", n.width, 0);
        file.member("inputs", nodes(n.inputs));
        file.member("params", n.params);
        file.sparse("name", n.name);
        file.sparse("annotation", n.annotation);
        file.sparse("after", nodes(n.after));
        file.sparse("after_missing", n.afterMissing);
        if constexpr (File::kReads) {
            const auto inputs = inputCount(n.kind);
            if (inputs ? n.inputs.size() != *inputs : n.inputs.empty())
                file.fail("node " + std::to_string(n.number) + " has another number of inputs than its type");
            n.data = emptyData(n.kind);
        }
        std::visit([&file](auto& data) { dataOf(file, data); }, n.data);
    }

    static NodeData emptyData(NodeKind kind) {
        switch (kind) {
        case NodeKind::Linear:
            return LinearData();
        case NodeKind::Attn:
            return AttnData();
        case NodeKind::LiteralValue:
            return LiteralData();
        case NodeKind::InputNode:
            return InputData();
        case NodeKind::Embedding:
            return EmbeddingData();
        default:
            return NodeData();
        }
    }

    /// What only nodes of one kind have.
    static void dataOf(auto&, const std::monostate&) {}
    static void dataOf(auto& file, auto& linear) requires requires { linear.nonZeros; }
    {
        file.member("widths", std::tie(linear.inputWidth));
        file.sparse("has_bias", linear.hasBias, linear.hasBias);
        file.sparse("nnz", linear.nonZeros, linear.nonZeros >= 0);
    }
    static void dataOf(auto& file, auto& attn) requires requires { attn.qk; }
    { file.member("widths", std::tie(attn.qk, attn.v, attn.queryWidth, attn.keyWidth, attn.valueWidth)); }
    static void dataOf(auto& file, auto& literal) requires requires { literal.value; }
    { file.sparse("value", literal.value); }
    static void dataOf(auto& file, auto& input) requires requires { input.low; }
    { file.sparse("value_range", std::tie(input.low, input.high), true); }
    static void dataOf(auto& file, auto& embedding) requires requires { embedding.maxVocab; }
    {
        file.sparse("max_vocab", embedding.maxVocab, embedding.maxVocab != 0);
        file.sparse("input_name", embedding.inputName);
    }
};

}  // namespace memplan::torchwright
