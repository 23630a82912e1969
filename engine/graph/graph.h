// SPDX-License-Identifier: Apache-2.0
// The neutral graph: what is computed, with loop spaces and index maps, before any target acts
// (inputs-and-interchange 2). Plain values; reading and writing is io/graph/graph_json.
#pragma once

#include "engine/base/ids.h"
#include "engine/graph/dtype.h"
#include "engine/graph/hint_value.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace memplan {

enum class TensorRole { Input, Parameter, Constant, State, Activation };
enum class OpKind {
    Pointwise,
    Reduction,
    MatMul,
    BMM,
    Conv,
    Pool,
    Gather,
    Scatter,
    Recurrent,
    View,
    Copy,
    Constant,
    Fallback
};
enum class IterKind { Parallel, Reduction };

[[nodiscard]] std::string_view roleName(TensorRole r);
[[nodiscard]] std::optional<TensorRole> roleFromName(std::string_view name);
[[nodiscard]] std::string_view opKindName(OpKind k);  ///< "pointwise", "bmm", ...
[[nodiscard]] std::optional<OpKind> opKindFromName(std::string_view name);

/// A member of a JSON object that this version does not know: key and its JSON text, kept and
/// written back unchanged.
using UnknownMembers = std::vector<std::pair<std::string, std::string>>;

/// An extent that came from a symbol of `dims`: position in the shape and the symbol's name.
struct SymbolicExtent {
    int axis = 0;
    std::string symbol;
    friend bool operator==(const SymbolicExtent&, const SymbolicExtent&) = default;
};

struct Tensor {
    std::string id;    ///< unique among tensors, 1..256 bytes
    std::string name;  ///< display name, may be empty
    DType dtype = DType::F32;
    std::vector<std::int64_t> shape;      ///< resolved extents, at most 8; empty = scalar
    std::vector<SymbolicExtent> symbols;  ///< which extents are symbols (for writing back)
    TensorRole role = TensorRole::Activation;
    std::vector<double> value;  ///< row major, only for constants of at most 4096 elements
    std::string valueText;      ///< the JSON text of `value` as read, for exact writing back
    TensorId aliasOf;           ///< tensor that owns the storage, invalid = own storage
    Bytes aliasOffset = 0;
    std::string layout;  ///< JSON text of the per-target hint, empty = none
    UnknownMembers unknown;
    friend bool operator==(const Tensor&, const Tensor&) = default;
};

struct IterDim {
    std::string d;  ///< loop name, unique in its op
    std::int64_t size = 0;
    std::string symbol;  ///< non-empty when `size` came from `dims`
    IterKind kind = IterKind::Parallel;
    friend bool operator==(const IterDim&, const IterDim&) = default;
};

/// One index expression: sum of coefficient * loop plus constant, or data dependent ("?").
struct IndexExpr {
    struct Term {
        int loop = 0;  ///< position in the op's `iter`
        std::int64_t coefficient = 1;
        friend bool operator==(const Term&, const Term&) = default;
    };
    std::vector<Term> terms;  ///< in written order
    std::int64_t constant = 0;
    bool dataDependent = false;  ///< the single character ?
    friend bool operator==(const IndexExpr&, const IndexExpr&) = default;
};

/// One expression per operand dimension; nullopt for an omitted operand.
using OperandMap = std::optional<std::vector<IndexExpr>>;

using AttrValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>,
                               std::vector<std::string>, std::vector<bool>>;

struct Origin {
    std::string op, node, domain;  ///< source op type, node name, domain; empty = unknown
    UnknownMembers unknown = {};
    friend bool operator==(const Origin&, const Origin&) = default;
};

struct Op {
    std::string id;  ///< unique among ops
    OpKind kind = OpKind::Pointwise;
    std::string fn;                ///< function within the kind: exp, add, max, conv2d, ...
    std::vector<TensorId> inputs;  ///< invalid id = omitted optional operand
    std::vector<TensorId> outputs;
    std::vector<IterDim> iter;
    bool hasIter = false;            ///< `iter` and `maps` were given
    std::vector<OperandMap> inMaps;  ///< one per input when hasIter
    std::vector<OperandMap> outMaps;
    std::vector<std::pair<std::string, AttrValue>> attrs;
    GroupId group;
    Origin origin;
    UnknownMembers unknown;
    friend bool operator==(const Op&, const Op&) = default;
};

struct Group {
    std::string id;
    std::string kind;  ///< softmax, layer_norm, attention, ... (2.5)
    std::vector<GraphOpId> ops;
    GroupId parent;
    Origin origin;
    UnknownMembers unknown;
    friend bool operator==(const Group&, const Group&) = default;
};

struct DimSymbol {
    std::string name;
    std::int64_t value = 0;
    std::optional<std::int64_t> min, max, multipleOf;
    UnknownMembers unknown;
    friend bool operator==(const DimSymbol&, const DimSymbol&) = default;
};

/// A hint as written in a file (hints.md 1); its meaning is checked by the target.
struct Hint {
    std::string target = "any";
    std::vector<std::string> scopes;  ///< "graph", "op:<id>", "tensor:<id>", "group:<id>"
    bool scopeIsArray = false;
    std::string key;
    HintValue value;
    bool enabled = true;
    std::string comment;
    UnknownMembers unknown;
    friend bool operator==(const Hint&, const Hint&) = default;
};

struct GraphSource {
    std::string kind, file, sha256;
    UnknownMembers unknown = {};
    friend bool operator==(const GraphSource&, const GraphSource&) = default;
};

struct Graph {
    std::string name;
    std::int64_t minor = 0;
    std::optional<std::pair<std::string, std::string>> producer;  ///< name, version
    UnknownMembers producerUnknown;
    std::optional<GraphSource> source;
    std::vector<DimSymbol> dims;
    std::vector<Tensor> tensors;
    std::vector<Op> ops;  ///< a valid execution order
    std::vector<TensorId> inputs, outputs;
    std::vector<Group> groups;
    std::vector<Hint> hints;
    std::string targetsJson;  ///< JSON text of `targets`, empty = absent
    UnknownMembers unknown;

    [[nodiscard]] const Tensor& tensor(TensorId id) const { return tensors[id.at()]; }
    friend bool operator==(const Graph&, const Graph&) = default;
};

/// Element count; nullopt on 64-bit overflow.
[[nodiscard]] std::optional<std::int64_t> elementCount(const std::vector<std::int64_t>& shape);
/// Host bytes of a tensor of this type and shape (2.2), 0 for Str; nullopt on overflow.
[[nodiscard]] std::optional<Bytes> tensorBytes(DType dtype, const std::vector<std::int64_t>& shape);
/// Attribute by name, nullptr when absent.
[[nodiscard]] const AttrValue* findAttr(const Op& op, std::string_view name);
/// Storage owner of a tensor: follows aliasOf to the root (cycles are refused by the reader).
[[nodiscard]] TensorId aliasRoot(const Graph& graph, TensorId id);
/// Position of the op that writes each tensor, -1 for none.
[[nodiscard]] std::vector<GraphOpId> producers(const Graph& graph);

}  // namespace memplan
