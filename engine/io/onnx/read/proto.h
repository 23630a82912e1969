// SPDX-License-Identifier: Apache-2.0
// The decoded file before any meaning is given to it: views into the bytes, nothing copied
// (inputs-and-interchange 3.1). Sub-graphs are kept flat, each knows its parent.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace memplan::io::onnx {

struct TensorProto {
    std::string_view name;
    std::vector<std::int64_t> dims;
    std::string_view raw;   ///< raw_data
    std::string_view body;  ///< the whole message, for typed data read later
    std::uint64_t offset = 0;
    std::int64_t typedCount = 0;  ///< elements in the typed data fields
    std::int32_t dataType = 0;
    bool hasRaw = false;
    bool external = false;
    bool sparse = false;
};

struct DimProto {
    enum class Kind { Unnamed, Fixed, Symbol };
    std::string_view symbol;
    std::int64_t value = 0;
    Kind kind = Kind::Unnamed;
};

struct TypeProto {
    enum class Kind : std::uint8_t { None, Tensor, Sequence, Map, Opaque, Sparse, Optional };
    std::vector<DimProto> dims;
    std::int32_t elemType = 0;
    Kind kind = Kind::None;
    bool hasShape = false;
};

struct ValueInfoProto {
    std::string_view name;
    TypeProto type;
    std::uint64_t offset = 0;
};

/// Lists of an attribute, kept apart because most attributes have none.
struct AttributeLists {
    std::vector<double> floats;
    std::vector<std::int64_t> ints;
    std::vector<std::string_view> strings;
    std::vector<std::int32_t> graphs;
    std::int64_t count = 0;  ///< elements in the file; only the first kListKept are kept
    std::string_view refName;
};

struct AttributeProto {
    std::string_view name;
    std::string_view text;     ///< s
    std::int64_t integer = 0;  ///< i
    std::unique_ptr<AttributeLists> lists;
    float real = 0;            ///< f
    std::int32_t tensor = -1;  ///< position in Document::tensors
    std::int32_t graph = -1;   ///< position in Document::graphs
    std::uint8_t type = 0;     ///< 0 = not given (IR 3 and older files)
};

struct NodeProto {
    std::vector<std::string_view> inputs, outputs;
    std::string_view name, opType, domain, overload;
    std::vector<AttributeProto> attributes;
    std::uint64_t offset = 0;
};

struct GraphProto {
    std::string_view name;
    std::vector<NodeProto> nodes;
    std::vector<TensorProto> initializers;
    std::vector<ValueInfoProto> inputs, outputs, valueInfo;
    std::int32_t parent = -1;      ///< graph that holds the node with this sub-graph
    std::int32_t parentNode = -1;  ///< that node
    int depth = 0;                 ///< 0 = main graph or a function's body
    // Filled by the scope check (scopes.h):
    std::vector<std::int32_t> order;         ///< node order when the file's is not valid, else empty
    std::vector<std::string_view> captured;  ///< names it reads from outside, ascending by first use
};

/// Attribute lists longer than this keep their count only; no rule reads more.
inline constexpr std::size_t kListKept = 65'536;

using OpsetMap = std::unordered_map<std::string_view, std::int64_t>;

struct FunctionProto {
    std::string_view name, domain, overload;
    std::vector<std::string_view> attributes;  ///< declared names without default
    std::vector<AttributeProto> defaults;
    std::vector<std::pair<std::string_view, std::int64_t>> opsets;
    std::int32_t body = -1;  ///< position in Document::graphs
};

struct Document {
    std::int64_t irVersion = 0;
    bool hasIrVersion = false;
    std::string_view producer, producerVersion;
    std::vector<std::pair<std::string_view, std::int64_t>> opsets;
    std::int32_t graph = -1;          ///< main graph in `graphs`
    std::deque<GraphProto> graphs;    ///< a sub-graph comes after its parent
    std::deque<TensorProto> tensors;  ///< tensors of attributes
    std::deque<FunctionProto> functions;
    std::int64_t nodes = 0;  ///< of every graph and function
};

}  // namespace memplan::io::onnx
