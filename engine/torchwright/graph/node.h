// SPDX-License-Identifier: Apache-2.0
// One node of a torchwright graph (torchwright.md 2, 3). Values only; node_graph.h holds them together.
#pragma once

#include "engine/base/ids.h"
#include "engine/torchwright/graph/tensor.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace memplan::torchwright {

/// Position in NodeGraph::nodes. Nodes stand by ascending number, so that the order of these ids is the canonical
/// order of torchwright.md 7.
using NodeId = Id<struct NodeTag>;

using Columns = std::int32_t;  ///< a width, or a position in the residual stream
using Slots = std::int32_t;    ///< hidden slots of an MLP sublayer

enum class NodeKind {
    InputNode,
    LiteralValue,
    PosEncoding,
    Embedding,
    Linear,
    ReLU,
    Attn,
    Add,
    Concatenate,
    Assert,       ///< passes its input through; gone after strip()
    DebugWatch,   ///< the same
    Placeholder,  ///< no columns; dropped where a Concatenate is flattened
};

[[nodiscard]] std::string_view kindName(NodeKind kind);  ///< as the files write it
[[nodiscard]] std::optional<NodeKind> kindOf(std::string_view name);
/// Placed before layer 0: embedding, position encoding, input, literal.
[[nodiscard]] bool isInputLike(NodeKind kind);
[[nodiscard]] bool isPassThrough(NodeKind kind);
/// Inputs that a node of this kind has; nullopt for Concatenate, which has one or more.
[[nodiscard]] std::optional<std::size_t> inputCount(NodeKind kind);

struct InputData {
    double low = -1, high = 1;  ///< value_range, -1 to 1 where the file gives none; low <= high
    friend bool operator==(const InputData&, const InputData&) = default;
};

struct LiteralData {
    std::vector<float> value;  ///< one entry a column
    friend bool operator==(const LiteralData&, const LiteralData&) = default;
};

struct EmbeddingData {
    std::int64_t maxVocab = 0;       ///< rows of the table in the user's program
    std::string inputName;           ///< of the token ids
    std::vector<std::string> vocab;  ///< text of each row that the file carries
    TensorPtr table;                 ///< [rows carried, width]
    friend bool operator==(const EmbeddingData&, const EmbeddingData&) = default;
};

struct LinearData {
    Columns inputWidth = 0;
    bool hasBias = false;        ///< an entry of the bias is not zero: it alone decides about bias operations
    std::int64_t nonZeros = -1;  ///< entries of the matrix that are not zero, -1 = not known
    TensorPtr matrix;            ///< [inputWidth, width]
    TensorPtr bias;              ///< [width]
    friend bool operator==(const LinearData&, const LinearData&) = default;
};

struct AttnData {
    Columns qk = 0;  ///< columns of query and key matrix
    Columns v = 0;   ///< columns of the value matrix
    Columns queryWidth = 0, keyWidth = 0, valueWidth = 0;
    TensorPtr queryMatrix;   ///< [queryWidth, qk]
    TensorPtr keyMatrix;     ///< [keyWidth, qk]
    TensorPtr valueMatrix;   ///< [valueWidth, v]
    TensorPtr outputMatrix;  ///< [v, width]
    friend bool operator==(const AttnData&, const AttnData&) = default;
};

using NodeData = std::variant<std::monostate, InputData, LiteralData, EmbeddingData, LinearData, AttnData>;

struct Node {
    std::int64_t number = 0;  ///< `id` of the file, what the user and every hint call the node
    NodeKind kind = NodeKind::InputNode;
    Columns width = 0;           ///< d_output
    std::vector<NodeId> inputs;  ///< in order; Attn: query, key, value
    std::vector<NodeId> after;   ///< to be computed before, without being read
    /// Numbers in `after` of nodes that nothing computes: the node can never be scheduled (TW-011, TW-013).
    std::vector<std::int64_t> afterMissing;
    std::string name, annotation;  ///< may be empty
    std::int64_t params = 0;       ///< dense sizes
    NodeData data;                 ///< what its kind asks for

    friend bool operator==(const Node&, const Node&) = default;

    [[nodiscard]] bool is(NodeKind k) const { return kind == k; }
    [[nodiscard]] const LinearData& linear() const { return std::get<LinearData>(data); }
    [[nodiscard]] const AttnData& attn() const { return std::get<AttnData>(data); }
    [[nodiscard]] const LiteralData& literal() const { return std::get<LiteralData>(data); }
    [[nodiscard]] const EmbeddingData& embedding() const { return std::get<EmbeddingData>(data); }
    [[nodiscard]] const InputData& input() const { return std::get<InputData>(data); }
};

/// Dense sizes of the weights: `params` of a node (torchwright.md 2).
[[nodiscard]] std::int64_t denseParams(const Node& node);
/// A Linear whose bias is not all zero.
[[nodiscard]] bool hasBias(const Node& node);
/// The listing's word for a node: its kind, "Zero" for a literal of zeros.
[[nodiscard]] std::string_view listedKind(const Node& node);

}  // namespace memplan::torchwright
