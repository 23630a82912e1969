// SPDX-License-Identifier: Apache-2.0
// The tools that the lowering of ONNX nodes shares: tensors of values, emission of neutral operations,
// groups (inputs-and-interchange 3.5, 6). One Lowering builds one graph.
#pragma once

#include "engine/graph/graph.h"
#include "engine/io/onnx/model.h"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace memplan::io::onnx {

/// Where the result of an emitted op goes: output `output` of the current node, or a part of its own.
struct Dest {
    std::string suffix;  ///< op id is <node>.<suffix>; empty = <node>
    int output = -1;     ///< >= 0: the node's output value
};

using Attrs = std::vector<std::pair<std::string, AttrValue>>;
using Shape = std::vector<std::int64_t>;

class Lowering {
public:
    explicit Lowering(const Model& source);

    const Model& model;
    Graph graph;
    int decomposed = 0;
    int foldedShift = -1;  ///< value that a batch norm folded into the current convolution adds, -1 = none
    std::vector<std::string> fallbackOps;

    // ---- the current node ----------------------------------------------------------------------------
    void enter(const Node& node, GroupId group);
    [[nodiscard]] const Node& node() const { return *node_; }
    [[nodiscard]] bool has(std::size_t input) const;
    [[nodiscard]] const Value& inValue(std::size_t input) const;
    [[nodiscard]] const Value& outValue(std::size_t output) const;
    /// The output is named and, from the second on, somebody reads it.
    [[nodiscard]] bool hasOut(std::size_t output) const;
    [[nodiscard]] bool isRead(std::size_t output) const {
        const int v = node_->outputs[output];
        return v >= 0 && isRead_[static_cast<std::size_t>(v)];
    }
    [[nodiscard]] TensorId in(std::size_t input);
    [[nodiscard]] const Shape& shape(TensorId t) const { return graph.tensor(t).shape; }
    [[nodiscard]] std::int64_t opset(std::string_view domain = "") const;
    [[nodiscard]] std::int64_t intAttr(std::string_view name, std::int64_t fallback) const;
    [[nodiscard]] double floatAttr(std::string_view name, double fallback) const;
    [[nodiscard]] std::string textAttr(std::string_view name, std::string fallback) const;
    [[nodiscard]] std::vector<std::int64_t> intsAttr(std::string_view name) const;
    /// Known integers or reals of an input, empty when unknown.
    [[nodiscard]] std::vector<std::int64_t> knownInts(std::size_t input) const;
    [[nodiscard]] std::optional<double> knownScalar(std::size_t input) const;

    // ---- emission; each returns the tensor it wrote --------------------------------------------------
    TensorId pointwise(const Dest& dest, std::string fn, std::vector<TensorId> inputs, Attrs attrs = {});
    /// Reduced axes are dropped unless `keep`.
    TensorId reduction(const Dest& dest, std::string fn, TensorId x, const std::set<int>& axes, bool keep);
    /// Product over the dimension pairs named alike in the three texts, for instance "bik", "bkj", "bij".
    TensorId contract(const Dest& dest, TensorId a, TensorId b, std::array<std::string_view, 3> names);
    TensorId view(const Dest& dest, TensorId x, Shape shape);
    TensorId transpose(const Dest& dest, TensorId x, const std::vector<int>& perm);
    TensorId slice(const Dest& dest, TensorId x, const Shape& starts, const Shape& steps, const Shape& counts);
    TensorId sliceAxis(const Dest& dest, TensorId x, std::size_t axis, std::int64_t start, std::int64_t count);
    TensorId expand(const Dest& dest, TensorId x, Shape shape);
    TensorId concat(const Dest& dest, const std::vector<TensorId>& xs, std::size_t axis);
    /// Copy of x into a tensor of another shape; `map` has one index per dimension of x.
    TensorId copy(const Dest& dest, std::string fn, TensorId x, Shape to, std::vector<IndexExpr> map);
    /// Rows of a table [n, ..] at integer positions: positions' dimensions, then the table's own.
    TensorId embedding(const Dest& dest, TensorId table, TensorId positions);
    /// A tensor that a fill makes, for instance a mask: no inputs.
    TensorId constant(const Dest& dest, std::string fn, Shape to, DType dtype);
    void setType(TensorId t, DType dtype) { graph.tensors[t.at()].dtype = dtype; }
    /// An op with its own loops and maps; outputs are the node's from 0 on.
    void emitNode(OpKind kind, std::string fn, std::vector<TensorId> inputs, Op loops);
    void fallback(const std::string& fn);
    TensorId scalar(double value, DType dtype);

    // ---- groups --------------------------------------------------------------------------------------
    GroupId addGroup(std::string kind, const std::string& name, GroupId parent, Origin origin);
    /// The rest of the current node goes into a group of its own, inside the pattern's.
    void openGroup(std::string kind);
    [[nodiscard]] GroupId currentGroup() const { return group_; }
    void closeGroupTo(GroupId outer) { group_ = outer; }  ///< back to the group that was current before

    [[nodiscard]] TensorId tensorOfValue(int value);
    TensorId activationOf(int value);  ///< the tensor that an op is about to write

private:
    TensorId destTensor(const Dest& dest, const Shape& shape, DType dtype);
    Op newOp(OpKind kind, std::string fn, const Dest& dest);
    TensorId push(Op op, const std::vector<TensorId>& inputs, TensorId out);
    std::string uniqueTensor(const std::string& wanted);
    std::string uniqueOp(const std::string& wanted);
    std::string baseName() const;

    const Node* node_ = nullptr;
    GroupId group_;
    std::vector<TensorId> tensorOf_;
    std::vector<bool> isRead_;                           ///< value read by a live node, or a graph output
    std::map<std::string, int, std::less<>> nodeNames_;  ///< how many nodes have a name
    std::unordered_set<std::string> tensorNames_, opNames_, groupNames_;
    std::map<std::pair<double, DType>, TensorId> scalars_;
};

/// Broadcast extent of two shapes, aligned right.
[[nodiscard]] Shape broadcast(const Shape& a, const Shape& b);
[[nodiscard]] IndexExpr loopExpr(int loop, std::int64_t coefficient = 1, std::int64_t constant = 0);
[[nodiscard]] IndexExpr zeroExpr();
[[nodiscard]] IndexExpr anyExpr();
[[nodiscard]] std::vector<IterDim> loopsOver(const Shape& shape, IterKind kind = IterKind::Parallel);
[[nodiscard]] std::vector<IndexExpr> identityMap(const Shape& shape);
[[nodiscard]] int normalAxis(std::int64_t axis, std::size_t rank);
[[nodiscard]] std::int64_t elements(const Shape& shape);

/// Lowers one node if its family knows it; false leaves everything as it was.
bool lowerElementwise(Lowering& l);
bool lowerNormalisation(Lowering& l);
bool lowerReduction(Lowering& l);
bool lowerProduct(Lowering& l);
bool lowerAttention(Lowering& l);
bool lowerWindow(Lowering& l);
bool lowerMove(Lowering& l);
bool lowerSpread(Lowering& l);  ///< scatter, repeat, masks
bool lowerRotary(Lowering& l);

/// Longest prefix of at most `limit` bytes that cuts no character.
[[nodiscard]] std::string cutText(const std::string& text, std::size_t limit);

/// Softmax of a part over its last axis in five steps; used by attention too.
TensorId softmaxParts(Lowering& l, const Dest& dest, TensorId x, const std::set<int>& axes, bool logarithm);

}  // namespace memplan::io::onnx
