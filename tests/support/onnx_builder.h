// SPDX-License-Identifier: Apache-2.0
// Writes small ONNX files byte by byte for tests: well-formed ones by the classes below, broken ones with the
// functions of `wire`. Independent of the importer's own tables (inputs-and-interchange 3.1).
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan::onnxtest {

namespace wire {

inline std::string varint(std::uint64_t v) {
    std::string out;
    for (; v >= 0x80; v >>= 7U)
        out += static_cast<char>((v & 0x7fU) | 0x80U);
    return out + static_cast<char>(v);
}
inline std::string key(std::uint32_t field, std::uint32_t type) {
    return varint((std::uint64_t{field} << 3U) | type);
}
inline std::string integer(std::uint32_t field, std::int64_t v) {
    return key(field, 0) + varint(static_cast<std::uint64_t>(v));
}
inline std::string bytes(std::uint32_t field, std::string_view v) {
    return key(field, 2) + varint(v.size()) + std::string(v);
}
inline std::string real(std::uint32_t field, float v) {
    std::string raw(4, '\0');
    std::memcpy(raw.data(), &v, 4);
    return key(field, 5) + raw;
}

}  // namespace wire

using Ints = std::vector<std::int64_t>;
using Names = std::vector<std::string>;

enum Type { kFloat = 1, kUint8 = 2, kInt32 = 6, kInt64 = 7, kString = 8, kBool = 9, kFloat16 = 10 };

/// A value that a graph has from the start, of whole numbers or of real ones.
struct Constant {
    std::string name;
    Ints ints = {};
    std::vector<float> reals = {};
};

inline Constant i64(const std::string& name, const Ints& v) {
    return {name, v, {}};
}
inline Constant f32(const std::string& name, const std::vector<float>& v) {
    return {name, {}, v};
}

/// A dimension of a declared shape: number, symbol, or neither.
struct Dim {
    Dim(std::int64_t v) : value(v) {}
    Dim(const char* s) : symbol(s) {}
    Dim() = default;
    std::optional<std::int64_t> value;
    std::string symbol;
};
using Dims = std::vector<Dim>;

inline std::string rawOf(const Ints& values) {
    std::string raw;
    for (const std::int64_t v : values) {
        std::string part(8, '\0');
        std::memcpy(part.data(), &v, 8);
        raw += part;
    }
    return raw;
}

inline std::string rawOf(const std::vector<float>& values) {
    std::string raw(values.size() * 4, '\0');
    if (!values.empty()) std::memcpy(raw.data(), values.data(), raw.size());
    return raw;
}

/// A tensor with data in raw_data; `raw` absent: external data.
inline std::string tensor(const std::string& name, int type, const Ints& dims, const std::optional<std::string>& raw) {
    std::string out;
    for (const std::int64_t d : dims)
        out += wire::integer(1, d);
    out += wire::integer(2, type) + wire::bytes(8, name);
    if (raw) return out + wire::bytes(9, *raw);
    const std::string entry = wire::bytes(1, "location") + wire::bytes(2, "../../etc/passwd");
    return out + wire::bytes(13, entry) + wire::integer(14, 1);
}
inline std::string intTensor(const std::string& name, const Ints& values) {
    return tensor(name, kInt64, {static_cast<std::int64_t>(values.size())}, rawOf(values));
}
inline std::string realTensor(const std::string& name, const std::vector<float>& values) {
    return tensor(name, kFloat, {static_cast<std::int64_t>(values.size())}, rawOf(values));
}

inline std::string valueInfo(const std::string& name, int type, const std::optional<Dims>& dims) {
    std::string tensorType = wire::integer(1, type);
    if (dims) {
        std::string shape;
        for (const Dim& d : *dims) {
            const std::string dim = d.value            ? wire::integer(1, *d.value)
                                    : d.symbol.empty() ? std::string()
                                                       : wire::bytes(2, d.symbol);
            shape += wire::bytes(1, dim);
        }
        tensorType += wire::bytes(2, shape);
    }
    return wire::bytes(1, name) + wire::bytes(2, wire::bytes(1, tensorType));
}

// Attributes.
inline std::string attrInt(const std::string& name, std::int64_t v) {
    return wire::bytes(1, name) + wire::integer(3, v) + wire::integer(20, 2);
}
inline std::string attrReal(const std::string& name, float v) {
    return wire::bytes(1, name) + wire::real(2, v) + wire::integer(20, 1);
}
inline std::string attrText(const std::string& name, const std::string& v) {
    return wire::bytes(1, name) + wire::bytes(4, v) + wire::integer(20, 3);
}
inline std::string attrTensor(const std::string& name, const std::string& t) {
    return wire::bytes(1, name) + wire::bytes(5, t) + wire::integer(20, 4);
}
inline std::string attrGraph(const std::string& name, const std::string& g) {
    return wire::bytes(1, name) + wire::bytes(6, g) + wire::integer(20, 5);
}
inline std::string attrRef(const std::string& name, const std::string& of, int type) {
    return wire::bytes(1, name) + wire::bytes(21, of) + wire::integer(20, type);
}
inline std::string attrInts(const std::string& name, const Ints& v) {
    std::string out = wire::bytes(1, name);
    for (const std::int64_t i : v)
        out += wire::integer(8, i);
    return out + wire::integer(20, 7);
}
inline std::string attrReals(const std::string& name, const std::vector<float>& v) {
    std::string out = wire::bytes(1, name);
    for (const float f : v)
        out += wire::real(7, f);
    return out + wire::integer(20, 6);
}

struct NodeText {
    std::string op;
    Names inputs, outputs;
    std::vector<std::string> attributes;
    std::string name, domain;
};

inline std::string node(const NodeText& n) {
    std::string out;
    for (const std::string& s : n.inputs)
        out += wire::bytes(1, s);
    for (const std::string& s : n.outputs)
        out += wire::bytes(2, s);
    if (!n.name.empty()) out += wire::bytes(3, n.name);
    out += wire::bytes(4, n.op);
    for (const std::string& a : n.attributes)
        out += wire::bytes(5, a);
    if (!n.domain.empty()) out += wire::bytes(7, n.domain);
    return out;
}

/// Collects the parts of a graph in the order of the calls.
class GraphText {
public:
    GraphText& add(const NodeText& n) { return field(1, node(n)); }
    GraphText& add(std::string op, Names inputs, Names outputs, std::vector<std::string> attributes = {}) {
        return add(NodeText{std::move(op), std::move(inputs), std::move(outputs), std::move(attributes), {}, {}});
    }
    GraphText& input(const std::string& name, int type, const std::optional<Dims>& dims) {
        return field(11, valueInfo(name, type, dims));
    }
    GraphText& output(const std::string& name) { return field(12, wire::bytes(1, name)); }
    GraphText& output(const std::string& name, int type, const std::optional<Dims>& dims) {
        return field(12, valueInfo(name, type, dims));
    }
    GraphText& declare(const std::string& name, int type, const std::optional<Dims>& dims) {
        return field(13, valueInfo(name, type, dims));
    }
    GraphText& initializer(const std::string& encoded) { return field(5, encoded); }
    GraphText& ints(const std::string& name, const Ints& values) { return initializer(intTensor(name, values)); }
    GraphText& reals(const std::string& name, const std::vector<float>& values) {
        return initializer(realTensor(name, values));
    }
    GraphText& constant(const Constant& c) { return c.reals.empty() ? ints(c.name, c.ints) : reals(c.name, c.reals); }
    GraphText& weight(const std::string& name, const Ints& dims, int type = kFloat) {
        return initializer(tensor(name, type, dims, std::nullopt));
    }
    GraphText& field(std::uint32_t number, const std::string& bytes) {
        text_ += wire::bytes(number, bytes);
        return *this;
    }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string text_ = wire::bytes(2, "g");
};

inline std::string opset(const std::string& domain, std::int64_t version) {
    return (domain.empty() ? std::string() : wire::bytes(1, domain)) + wire::integer(2, version);
}

/// A whole file with one opset of the default domain.
inline std::string model(const GraphText& graph, std::int64_t version = 17, const std::string& more = {}) {
    return wire::integer(1, 8) + wire::bytes(8, opset("", version)) + wire::bytes(7, graph.text()) + more;
}

/// A model-local function; give it to model() as wire::bytes(25, function(..)).
inline std::string function(const std::string& domain, const std::string& name, const Names& inputs,
                            const Names& outputs, const std::vector<NodeText>& nodes, const Names& attributes = {}) {
    std::string out = wire::bytes(1, name) + wire::bytes(10, domain);
    for (const std::string& s : inputs)
        out += wire::bytes(4, s);
    for (const std::string& s : outputs)
        out += wire::bytes(5, s);
    for (const std::string& s : attributes)
        out += wire::bytes(6, s);
    for (const NodeText& n : nodes)
        out += wire::bytes(7, node(n));
    return out + wire::bytes(9, opset("", 17));
}

}  // namespace memplan::onnxtest
