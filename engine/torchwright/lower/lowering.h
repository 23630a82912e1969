// SPDX-License-Identifier: Apache-2.0
// One lowering: what each tensor of the neutral graph has become so far.
#pragma once

#include "engine/base/result.h"
#include "engine/torchwright/lower/lowered_graph.h"
#include "engine/torchwright/lower/node_maker.h"

#include <functional>
#include <optional>
#include <set>
#include <variant>

namespace memplan::torchwright::lower {

using Shape = std::vector<std::int64_t>;

constexpr std::int64_t kMostColumns = 65536;  ///< of the stream: no node can be wider

/// Computed: the features of a position are the columns of a node, row major over the axes that count no positions.
struct Value {
    NodeId node;
    int tokenAxis = -1;  ///< the axis that counts positions; -1: there is one
};

/// Does not depend on the inputs.
struct Fixed {
    std::vector<double> values;  ///< row major; empty: not known
    bool isCausal = false;       ///< hides later positions
};

/// Inside of attention, from the product of query and key on: how far the softmax has come.
struct Attention {
    enum class Stage { Scores, Largest, Differences, Powers, Sums, Shares };
    Stage stage = Stage::Scores;
    Value query, key;
    std::int64_t heads = 1;
    double scale = 1;
    bool isMasked = false;
    TensorId scores;  ///< that the softmax began with
    TensorId powers;  ///< of Powers and what follows
};

using Item = std::variant<std::monostate, Value, Fixed, Attention>;

class Lowering {
public:
    explicit Lowering(const Graph& graph);
    [[nodiscard]] Result<LoweredGraph> run();

private:
    // ---- what a tensor is --------------------------------------------------------------------------------------

    [[nodiscard]] const Shape& shapeOf(TensorId id) const { return graph_.tensor(id).shape; }
    [[nodiscard]] const Item& item(TensorId id) const { return items_[id.at()]; }
    [[nodiscard]] const Value* value(TensorId id) const { return std::get_if<Value>(&items_[id.at()]); }
    [[nodiscard]] const Fixed* fixed(TensorId id) const { return std::get_if<Fixed>(&items_[id.at()]); }
    [[nodiscard]] const Attention* attention(TensorId id) const { return std::get_if<Attention>(&items_[id.at()]); }
    /// All features of a position stand in the last axis.
    [[nodiscard]] bool isCanonical(TensorId id) const;
    [[nodiscard]] bool refuse(std::string why);
    /// Refuses more columns than a stream can have: asked before they are made.
    [[nodiscard]] bool fitsStream(std::int64_t columns);
    bool set(TensorId id, Value value);
    /// The result at the place of its operand's positions, counted from the last axis.
    [[nodiscard]] Value like(TensorId result, TensorId operand, NodeId node) const;

    // ---- inputs and results ------------------------------------------------------------------------------------

    bool takeTensors();
    bool takeInput(TensorId id);
    [[nodiscard]] bool isTokenIndex(TensorId id) const;
    bool lowerOp(std::size_t index);
    bool dispatch(const Op& op);
    bool allFixed(const Op& op);
    [[nodiscard]] std::optional<NodeId> nodeOf(TensorId id);
    [[nodiscard]] std::string annotationOf(const Op& op) const;
    [[nodiscard]] Error failure(std::size_t index) const;
    [[nodiscard]] Result<LoweredGraph> finish();

    // ---- element by element ------------------------------------------------------------------------------------

    bool pointwise(const Op& op);
    bool unary(const Op& op, TensorId x);
    bool binary(const Op& op);
    bool withFixed(const Op& op, TensorId x, TensorId other, bool isFixedFirst);
    /// Two computed operands of one width, or of one column, that count positions in the same axis of the result.
    struct Pair {
        NodeId a, b;
        Columns width = 0;
        int tokenAxis = -1;
    };
    bool takePair(const Op& op, Pair& pair);
    bool sumOfValues(const Op& op);
    bool extremeOfValues(const Op& op);
    bool extremeWithFixed(const Op& op, TensorId x, NodeId node, const std::vector<double>& bounds);
    bool prelu(const Op& op, TensorId x, NodeId node, const std::vector<double>& slopes);
    bool clamp(const Op& op, TensorId x, std::optional<double> low, std::optional<double> high);
    [[nodiscard]] bool readsInOrder(const Op& op);
    /// One number a column of the result; nullopt where it depends on the position.
    [[nodiscard]] std::optional<std::vector<double>> columnsOf(TensorId fixed, Columns width);
    NodeId widened(NodeId node, Columns width);
    NodeId plusBias(TensorId x, NodeId node, const std::vector<double>& bias, bool isKnown);
    [[nodiscard]] bool isReadOnce(NodeId node) const;

    // ---- products, moves, sums ---------------------------------------------------------------------------------

    bool product(const Op& op);
    bool productWithFixed(const Op& op);
    bool reduction(const Op& op);
    bool gather(const Op& op);
    bool gatherFeatures(const Op& op);
    [[nodiscard]] std::vector<double> placesOf(const Op& op) const;
    bool view(const Op& op);
    bool copy(const Op& op);
    bool permuted(const Op& op, const std::vector<IndexExpr>& map);
    /// The feature that each feature of a result is, row major over the axes of `result` that count no positions:
    /// `sourceOf` of its place, with 0 at the axis of positions.
    bool picked(TensorId x, TensorId result, int tokenAxis,
                const std::function<std::int64_t(const Shape& at)>& sourceOf);
    /// Of a place in an operand, row major over its axes that count no positions.
    [[nodiscard]] std::int64_t featureAt(TensorId x, const Shape& at) const;
    bool selected(const Op& op, const std::vector<IndexExpr>& map);
    bool padded(const Op& op);
    bool concatenated(const Op& op);

    // ---- attention ---------------------------------------------------------------------------------------------

    bool scores(const Op& op);
    bool softmaxStep(const Op& op, const Attention& from);
    bool attentionStep(const Op& op);
    bool context(const Op& op, const Attention& shares);
    /// Rows are features of x, columns those of one head.
    [[nodiscard]] Affine headMap(const Value& x, std::int64_t head, std::int64_t heads, double factor) const;
    [[nodiscard]] std::optional<std::int64_t> headsOf(TensorId id) const;
    [[nodiscard]] bool isCausalMask(TensorId id) const;

    const Graph& graph_;
    NodeMaker make_;
    std::vector<Item> items_;                          ///< by tensor
    std::vector<int> readers_;                         ///< by tensor: operations that read it, one more for an output
    std::set<TensorId> tokens_;                        ///< inputs that number rows of a table
    std::map<NodeId, std::vector<TensorId>> holders_;  ///< tensors that a node is
    /// Of a concatenation, by its storage: where a part begins, and its node; invalid for one of unknown values.
    std::map<TensorId, std::vector<std::pair<std::int64_t, NodeId>>> parts_;
    LoweredGraph out_;
    std::int64_t positions_ = 1;
    std::string why_;  ///< of the operation that has no form
};

/// Of a tensor that the graph's checks let through; 0 for more than can be counted.
[[nodiscard]] std::int64_t elementsOf(const Shape& shape);
/// A number attribute.
[[nodiscard]] std::optional<double> numberAttr(const Op& op, std::string_view name);
/// The loop of an expression that is one loop and nothing else.
[[nodiscard]] std::optional<int> loopOf(const IndexExpr& index);

}  // namespace memplan::torchwright::lower
