// SPDX-License-Identifier: Apache-2.0
#include "engine/base/text.h"
#include "engine/hints/kinds.h"
#include "engine/io/graph/graph_fields.h"

#include <algorithm>

namespace memplan::io {

namespace {

constexpr std::array<std::string_view, 14> kGroupKinds = {
    "softmax", "log_softmax", "layer_norm", "rms_norm", "instance_norm", "batch_norm",  "gelu",
    "silu",    "attention",   "rotary",     "lstm",     "hardswish",     "hardsigmoid", "linear"};
constexpr std::array<std::string_view, 6> kSourceKinds = {"handmade", "onnx", "pt2", "mlir", "inductor", "csv"};
constexpr FieldReader::TextRule kText{0, 65'536, false};

template <std::size_t N> bool contains(const std::array<std::string_view, N>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

void readProducer(FieldReader& in, Graph& g) {
    if (!in.expect(0, JsonType::Object)) return;
    static constexpr std::array<std::string_view, 2> kKeys = {"name", "version"};
    const auto [name, version] = in.members(0, kKeys, &g.producerUnknown);
    g.producer.emplace();
    if (name != 0) g.producer->first = in.string(name, kText).value_or("");
    if (version != 0) g.producer->second = in.string(version, kText).value_or("");
}

bool isSha256(std::string_view s) {
    return s.size() == 64 && std::all_of(s.begin(), s.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
           });
}

void readSource(FieldReader& in, Graph& g) {
    if (!in.expect(0, JsonType::Object)) return;
    GraphSource& s = g.source.emplace();
    static constexpr std::array<std::string_view, 3> kKeys = {"kind", "file", "sha256"};
    const auto [kind, file, sha256] = in.members(0, kKeys, &s.unknown);
    if (kind != 0) s.kind = in.string(kind, kText).value_or("");
    if (!s.kind.empty() && !contains(kSourceKinds, s.kind)) {
        in.error("MPG-107", kind, "unknown source kind " + text::quoted(s.kind),
                 "one of handmade onnx pt2 mlir inductor csv");
    }
    if (file != 0) s.file = in.string(file, kText).value_or("");
    if (s.file.find_first_of("/\\") != std::string::npos) {
        in.error("MPG-107", file, "the file is a base name without separators", "remove the folder");
    }
    if (sha256 != 0) s.sha256 = in.string(sha256, kText).value_or("");
    if (!s.sha256.empty() && !isSha256(s.sha256)) in.error("MPG-107", sha256, "a SHA-256 has 64 hexadecimal digits");
}

void checkDim(FieldReader& in, TapeIndex value, const DimSymbol& d) {
    if (d.min && d.max && *d.min > *d.max) in.error("MPG-107", value, "min is above max");
    const bool outside = (d.min && d.value < *d.min) || (d.max && d.value > *d.max);
    if (outside) in.error("MPG-107", value, "the value " + text::grouped(d.value) + " is outside min and max");
    if (d.multipleOf && d.value % *d.multipleOf != 0) {
        in.error("MPG-107", value,
                 "the value " + text::grouped(d.value) + " is no multiple of " + text::grouped(*d.multipleOf));
    }
}

void readDim(FieldReader& in, TapeIndex at, Graph& g) {
    DimSymbol d;
    d.name = in.tape.key(at);
    if (!isSymbolName(d.name)) {
        in.error("MPG-107", at, text::quoted(d.name) + " is no symbol name",
                 "a letter or _, then letters, digits, _ and ., at most 64 bytes");
    }
    if (!in.expect(at, JsonType::Object)) return;
    static constexpr std::array<std::string_view, 4> kKeys = {"value", "min", "max", "multiple_of"};
    const auto [value, min, max, multipleOf] = in.members(at, kKeys, &d.unknown);
    if (!in.require(at, {{"value", value}})) return;
    const auto v = in.integer(value, 0, kMaxExtent);
    d.value = v.value_or(0);
    if (min != 0) d.min = in.integer(min);
    if (max != 0) d.max = in.integer(max);
    if (multipleOf != 0) d.multipleOf = in.integer(multipleOf, 1, INT64_MAX);
    if (v) checkDim(in, value, d);
    g.dims.push_back(std::move(d));
}

bool isScope(std::string_view s) {
    if (s == "graph") return true;
    const std::size_t colon = s.find(':');
    if (colon == std::string_view::npos || colon + 1 == s.size()) return false;
    const std::string_view kind = s.substr(0, colon);
    return kind == "op" || kind == "tensor" || kind == "group" || kind == "annotation";
}

void readScope(FieldReader& in, TapeIndex at, Hint& h) {
    h.scopeIsArray = in.tape.type(at) == JsonType::Array;
    if (h.scopeIsArray) {
        h.scopes = in.strings(at, {1, 1024, true});
        for (const TapeIndex c : in.tape.children(at)) {
            if (in.tape.type(c) == JsonType::String && !isScope(in.tape.text(c))) {
                in.error("MPG-107", c, "no scope: " + text::quoted(in.tape.text(c)),
                         "graph, op:ID, tensor:ID or group:ID");
            }
        }
        return;
    }
    const auto s = in.string(at, {1, 1024, true});
    if (!s) return;
    if (!isScope(*s)) {
        in.error("MPG-107", at, "no scope: " + text::quoted(*s), "graph, op:ID, tensor:ID or group:ID");
    }
    h.scopes = {*s};
}

}  // namespace

void readGroup(FieldReader& in, RawGraph& out) {
    Group& g = out.graph.groups.emplace_back();
    RawGraph::GroupRefs& refs = out.groups.emplace_back();
    if (!in.expect(0, JsonType::Object)) return;
    static constexpr std::array<std::string_view, 5> kKeys = {"id", "kind", "parent", "ops", "origin"};
    const auto [id, kind, parent, ops, origin] = in.members(0, kKeys, &g.unknown);
    if (!in.require(0, {{"id", id}, {"kind", kind}, {"ops", ops}})) return;
    g.id = in.string(id, kIdRule).value_or("");
    g.kind = in.string(kind, {1, 256, false}).value_or("");
    if (!g.kind.empty() && !contains(kGroupKinds, g.kind)) {
        in.error(
            "MPG-107", kind, "unknown group kind " + text::quoted(g.kind),
            "one of softmax log_softmax layer_norm rms_norm instance_norm batch_norm gelu silu attention rotary lstm "
            "hardswish hardsigmoid linear");
    }
    if (parent != 0) refs.parent = in.string(parent, kIdRule);
    refs.ops = in.strings(ops, kIdRule);
    if (origin != 0) g.origin = in.origin(origin);
}

std::optional<Hint> readHint(FieldReader& in, TapeIndex object) {
    Hint h;
    if (!in.expect(object, JsonType::Object)) return std::nullopt;
    static constexpr std::array<std::string_view, 6> kKeys = {"target", "scope", "key", "value", "enabled", "comment"};
    const auto [target, scope, key, value, enabled, comment] = in.members(object, kKeys, &h.unknown);
    if (!in.require(object, {{"target", target}, {"scope", scope}, {"key", key}, {"value", value}}))
        return std::nullopt;
    h.target = in.string(target, {0, 256, false}).value_or("any");
    if (!hints::isTargetWord(h.target)) {
        in.error("MPG-107", target, "unknown target " + text::quoted(h.target), hints::targetWords());
    }
    readScope(in, scope, h);
    h.key = in.string(key, {1, 256, true}).value_or("");
    h.value = HintValue(jsonValue(in.tape, value));
    if (enabled != 0) h.enabled = in.boolean(enabled).value_or(true);
    if (comment != 0) h.comment = in.string(comment, {0, 4096, false}).value_or("");
    return h;
}

void readTopMember(std::string_view key, FieldReader& in, RawGraph& out) {
    Graph& g = out.graph;
    if (key == "name") {
        g.name = in.string(0, {1, 256, false}).value_or("");
    } else if (key == "minor") {
        g.minor = in.integer(0, 0, INT64_MAX).value_or(0);
    } else if (key == "producer") {
        readProducer(in, g);
    } else if (key == "source") {
        readSource(in, g);
    } else if (key == "dims") {
        if (!in.expect(0, JsonType::Object)) return;
        for (const TapeIndex c : in.tape.children(0))
            readDim(in, c, g);
    } else if (key == "inputs") {
        out.inputs = in.strings(0, kIdRule);
    } else if (key == "outputs") {
        out.outputs = in.strings(0, kIdRule);
        if (in.tape.type(0) == JsonType::Array && in.tape.count(0) == 0) {
            in.error("MPG-107", 0, "a graph has at least one output", "name one");
        }
    } else if (key == "targets") {
        if (in.expect(0, JsonType::Object)) g.targetsJson = in.tape.json(0);
    }
}

}  // namespace memplan::io
