// SPDX-License-Identifier: Apache-2.0
// Canonical text of a neutral graph (inputs-and-interchange 2.8): keys in the order of the tables,
// two blanks per level, arrays of scalars on one line, one loop per line.
#include "engine/io/graph/graph_json.h"
#include "engine/io/graph/index_expr.h"
#include "engine/json/json_text.h"

namespace memplan::io {

namespace {

void writeUnknown(JsonWriter& w, const UnknownMembers& unknown) {
    for (const auto& [key, json] : unknown) {
        w.key(key);
        w.raw(json);
    }
}

void writeIfGiven(JsonWriter& w, std::string_view key, const std::string& value) {
    if (!value.empty()) w.member(key, value);
}

void writeOrigin(JsonWriter& w, const Origin& o) {
    if (o == Origin{}) return;
    w.key("origin");
    w.beginObject();
    writeIfGiven(w, "op", o.op);
    writeIfGiven(w, "node", o.node);
    writeIfGiven(w, "domain", o.domain);
    writeUnknown(w, o.unknown);
    w.endObject();
}

void writeDims(JsonWriter& w, const std::vector<DimSymbol>& dims) {
    if (dims.empty()) return;
    w.key("dims");
    w.beginObject();
    for (const DimSymbol& d : dims) {
        w.key(d.name);
        w.beginObject();
        w.member("value", d.value);
        if (d.min) w.member("min", *d.min);
        if (d.max) w.member("max", *d.max);
        if (d.multipleOf) w.member("multiple_of", *d.multipleOf);
        writeUnknown(w, d.unknown);
        w.endObject();
    }
    w.endObject();
}

void writeHead(JsonWriter& w, const Graph& g) {
    w.member("format", "memplan-graph");
    w.member("version", 1);
    if (g.minor != 0) w.member("minor", g.minor);
    w.member("name", g.name);
    if (g.producer) {
        w.key("producer");
        w.beginObject();
        w.member("name", g.producer->first);
        w.member("version", g.producer->second);
        writeUnknown(w, g.producerUnknown);
        w.endObject();
    }
    if (g.source) {
        w.key("source");
        w.beginObject();
        writeIfGiven(w, "kind", g.source->kind);
        writeIfGiven(w, "file", g.source->file);
        writeIfGiven(w, "sha256", g.source->sha256);
        writeUnknown(w, g.source->unknown);
        w.endObject();
    }
    writeDims(w, g.dims);
}

void writeShape(JsonWriter& w, const Tensor& t) {
    w.key("shape");
    w.beginArray(true);
    auto symbol = t.symbols.begin();
    for (std::size_t d = 0; d < t.shape.size(); ++d) {
        if (symbol != t.symbols.end() && static_cast<std::size_t>(symbol->axis) == d) {
            w.string(symbol->symbol);
            ++symbol;
        } else {
            w.integer(t.shape[d]);
        }
    }
    w.endArray();
}

void writeValue(JsonWriter& w, const Tensor& t) {
    if (t.value.empty() && t.valueText.empty()) return;
    w.key("value");
    if (!t.valueText.empty()) {
        w.raw(t.valueText);
        return;
    }
    w.numbers(t.value);
}

void writeTensor(JsonWriter& w, const Graph& g, const Tensor& t) {
    w.beginObject();
    w.member("id", t.id);
    writeIfGiven(w, "name", t.name);
    w.member("dtype", dtypeName(t.dtype));
    writeShape(w, t);
    w.member("role", roleName(t.role));
    writeValue(w, t);
    if (t.aliasOf.isValid()) w.member("alias_of", g.tensor(t.aliasOf).id);
    if (t.aliasOffset != 0) w.member("alias_offset", t.aliasOffset);
    if (!t.layout.empty()) {
        w.key("layout");
        w.raw(t.layout);
    }
    writeUnknown(w, t.unknown);
    w.endObject();
}

void writeIds(JsonWriter& w, std::string_view key, const Graph& g, const std::vector<TensorId>& ids) {
    w.key(key);
    w.beginArray(true);
    for (const TensorId id : ids) {
        if (id.isValid()) {
            w.string(g.tensor(id).id);
        } else {
            w.null();
        }
    }
    w.endArray();
}

void writeIter(JsonWriter& w, const Op& op) {
    w.key("iter");
    w.beginArray();
    for (const IterDim& d : op.iter) {
        w.beginInlineObject();
        w.member("d", d.d);
        if (d.symbol.empty()) {
            w.member("size", d.size);
        } else {
            w.member("size", d.symbol);
        }
        w.member("kind", d.kind == IterKind::Parallel ? "parallel" : "reduction");
        w.endObject();
    }
    w.endArray();
}

void writeMaps(JsonWriter& w, const Op& op) {
    const auto side = [&](std::string_view key, const std::vector<OperandMap>& maps) {
        w.key(key);
        w.beginArray();
        for (const OperandMap& map : maps) {
            if (!map) {
                w.null();
                continue;
            }
            w.beginArray(true);
            for (const IndexExpr& e : *map)
                w.string(indexExprText(e, op.iter));
            w.endArray();
        }
        w.endArray();
    };
    w.key("maps");
    w.beginObject();
    side("in", op.inMaps);
    side("out", op.outMaps);
    w.endObject();
}

/// One attribute value; whole doubles keep a point, so that they stay real numbers.
struct AttrWriter {
    JsonWriter& w;
    void operator()(bool v) const { w.boolean(v); }
    void operator()(std::int64_t v) const { w.integer(v); }
    void operator()(double v) const { w.real(v); }
    void operator()(const std::string& v) const { w.string(v); }
    template <class T> void operator()(const std::vector<T>& list) const {
        w.beginArray(true);
        for (const auto& v : list)
            (*this)(static_cast<T>(v));
        w.endArray();
    }
};

void writeOp(JsonWriter& w, const Graph& g, const Op& op) {
    w.beginObject();
    w.member("id", op.id);
    w.member("kind", opKindName(op.kind));
    w.member("fn", op.fn);
    writeIds(w, "inputs", g, op.inputs);
    writeIds(w, "outputs", g, op.outputs);
    if (op.hasIter || !op.iter.empty()) writeIter(w, op);
    if (op.hasIter) writeMaps(w, op);
    if (!op.attrs.empty()) {
        w.key("attrs");
        w.beginObject();
        for (const auto& [name, value] : op.attrs) {
            w.key(name);
            std::visit(AttrWriter{w}, value);
        }
        w.endObject();
    }
    if (op.group.isValid()) w.member("group", g.groups[op.group.at()].id);
    writeOrigin(w, op.origin);
    writeUnknown(w, op.unknown);
    w.endObject();
}

void writeGroup(JsonWriter& w, const Graph& g, const Group& group) {
    w.beginObject();
    w.member("id", group.id);
    w.member("kind", group.kind);
    if (group.parent.isValid()) w.member("parent", g.groups[group.parent.at()].id);
    w.key("ops");
    w.beginArray(true);
    for (const GraphOpId op : group.ops)
        w.string(g.ops[op.at()].id);
    w.endArray();
    writeOrigin(w, group.origin);
    writeUnknown(w, group.unknown);
    w.endObject();
}

template <class T, class F>
void writeList(JsonWriter& w, std::string_view key, const std::vector<T>& items, F&& writeItem) {
    w.key(key);
    w.beginArray();
    for (const T& item : items)
        writeItem(item);
    w.endArray();
}

void writeGraph(JsonWriter& w, const Graph& g) {
    w.beginObject();
    writeHead(w, g);
    writeList(w, "tensors", g.tensors, [&](const Tensor& t) { writeTensor(w, g, t); });
    writeList(w, "ops", g.ops, [&](const Op& op) { writeOp(w, g, op); });
    writeIds(w, "inputs", g, g.inputs);
    writeIds(w, "outputs", g, g.outputs);
    if (!g.groups.empty()) writeList(w, "groups", g.groups, [&](const Group& group) { writeGroup(w, g, group); });
    if (!g.hints.empty()) writeList(w, "hints", g.hints, [&](const Hint& h) { writeHintJson(w, h); });
    if (!g.targetsJson.empty()) {
        w.key("targets");
        w.raw(g.targetsJson);
    }
    writeUnknown(w, g.unknown);
    w.endObject();
}

}  // namespace

void writeHintJson(JsonWriter& w, const Hint& h, HintText form) {
    w.beginObject();
    w.member("target", h.target);
    w.key("scope");
    if (h.scopeIsArray || h.scopes.size() != 1) {
        w.beginArray(true);
        for (const std::string& s : h.scopes)
            w.string(s);
        w.endArray();
    } else {
        w.string(h.scopes[0]);
    }
    w.member("key", h.key);
    w.key("value");
    w.raw(h.value.json());
    if (!h.enabled || form == HintText::OfHintFile) w.member("enabled", h.enabled);
    writeIfGiven(w, "comment", h.comment);
    writeUnknown(w, h.unknown);
    w.endObject();
}

std::string writeGraphJson(const Graph& g) {
    constexpr std::size_t kBytesPerTensor = 200, kBytesPerOp = 900;
    JsonWriter w(4096 + g.tensors.size() * kBytesPerTensor + g.ops.size() * kBytesPerOp);
    writeGraph(w, g);
    return w.finish();
}

void appendGraphJson(TextBuffer& out, const Graph& g) {
    JsonWriter w = JsonWriter::compactBehind(std::move(out));
    writeGraph(w, g);
    out = std::move(w).text();
}

}  // namespace memplan::io
