// SPDX-License-Identifier: Apache-2.0
#include "engine/base/text.h"
#include "engine/io/graph/graph_fields.h"
#include "engine/io/graph/index_expr.h"

#include <algorithm>

namespace memplan::io {

namespace {

void readIterDim(FieldReader& in, TapeIndex at, std::vector<IterDim>& iter) {
    IterDim d;
    if (!in.expect(at, JsonType::Object)) return;
    static constexpr std::array<std::string_view, 3> kKeys = {"d", "size", "kind"};
    const auto [name, size, kind] = in.members(at, kKeys, nullptr, FieldReader::Unknown::Refuse);
    if (!in.require(at, {{"d", name}, {"size", size}, {"kind", kind}})) return;
    d.d = in.string(name, kIdRule).value_or("");
    if (!d.d.empty() && !isIdentifier(d.d)) {
        in.error("MPG-107", name, text::quoted(d.d) + " is no loop name", "letters, digits and _ only");
    }
    const bool taken = std::any_of(iter.begin(), iter.end(), [&d](const IterDim& other) { return other.d == d.d; });
    if (taken && !d.d.empty()) in.error("MPG-107", name, "the loop " + d.d + " is given twice", "rename one");
    if (in.tape.type(size) == JsonType::String) {
        d.symbol = in.string(size, {1, 64, true}).value_or("");
    } else {
        d.size = in.integer(size, 0, INT64_MAX).value_or(0);
    }
    const std::string word = in.string(kind, {0, 256, false}).value_or("parallel");
    if (word == "reduction") {
        d.kind = IterKind::Reduction;
    } else if (word != "parallel") {
        in.error("MPG-107", kind, "unknown loop kind " + text::quoted(word), "parallel or reduction");
    }
    iter.push_back(std::move(d));
}

/// One operand's map: null, or an array of expressions. A text that does not parse is a finding of
/// stage F; until then it stands as data dependent.
OperandMap readOperandMap(FieldReader& in, TapeIndex at, const std::vector<IterDim>& iter, RawGraph& out) {
    if (in.tape.type(at) == JsonType::Null) return std::nullopt;
    if (!in.expect(at, JsonType::Array)) return std::nullopt;
    std::vector<IndexExpr> map;
    map.reserve(in.tape.count(at));
    for (const TapeIndex c : in.tape.children(at)) {
        if (!in.expect(c, JsonType::String)) continue;
        if (auto expr = parseIndexExpr(in.tape.text(c), iter)) {
            map.push_back(std::move(*expr));
            continue;
        }
        Diagnostic d;
        d.code = "MPG-308";
        d.where = in.pointer(c);
        d.message = "the index expression " + text::quoted(in.tape.text(c)) +
                    " does not parse or names a loop that the op does not have";
        d.hint = "sums of INT, NAME and INT*NAME over the names in iter, or ?";
        out.expressions.push_back(std::move(d));
        map.emplace_back().dataDependent = true;
    }
    return map;
}

std::vector<OperandMap> readMaps(FieldReader& in, TapeIndex at, const Op& op, RawGraph& out) {
    std::vector<OperandMap> maps;
    if (!in.expect(at, JsonType::Array)) return maps;
    maps.reserve(in.tape.count(at));
    for (const TapeIndex c : in.tape.children(at))
        maps.push_back(readOperandMap(in, c, op.iter, out));
    return maps;
}

void readIterAndMaps(FieldReader& in, TapeIndex iter, TapeIndex maps, RawGraph& out) {
    Op& op = out.graph.ops.back();
    if (iter != 0 && in.expect(iter, JsonType::Array)) {
        for (const TapeIndex c : in.tape.children(iter))
            readIterDim(in, c, op.iter);
    }
    if (maps == 0) {
        if (iter != 0 && op.kind != OpKind::Recurrent) in.require(0, {{"maps", maps}});
        return;
    }
    if (!in.require(0, {{"iter", iter}}) || !in.expect(maps, JsonType::Object)) return;
    static constexpr std::array<std::string_view, 2> kKeys = {"in", "out"};
    const auto [inMaps, outMaps] = in.members(maps, kKeys, nullptr, FieldReader::Unknown::Refuse);
    if (!in.require(maps, {{"in", inMaps}, {"out", outMaps}})) return;
    op.inMaps = readMaps(in, inMaps, op, out);
    op.outMaps = readMaps(in, outMaps, op, out);
    op.hasIter = true;
}

std::optional<AttrValue> readAttrArray(FieldReader& in, TapeIndex at) {
    bool allInt = true, allNumber = true, allText = true, allBool = true;
    for (const TapeIndex c : in.tape.children(at)) {
        const JsonType t = in.tape.type(c);
        allInt = allInt && t == JsonType::Integer;
        allNumber = allNumber && (t == JsonType::Integer || t == JsonType::Real);
        allText = allText && t == JsonType::String;
        allBool = allBool && t == JsonType::Bool;
    }
    if (!allNumber && !allText && !allBool) {
        in.error("MPG-106", at, "an attribute's array holds numbers, strings or booleans of one kind");
        return std::nullopt;
    }
    std::vector<std::int64_t> ints;
    std::vector<double> reals;
    std::vector<std::string> texts;
    std::vector<bool> bools;
    for (const TapeIndex c : in.tape.children(at)) {
        if (allInt) {
            ints.push_back(in.tape.at(c).integer);
        } else if (allNumber) {
            reals.push_back(in.tape.number(c));
        } else if (allText) {
            texts.emplace_back(in.tape.text(c));
        } else {
            bools.push_back(in.tape.at(c).boolean);
        }
    }
    if (allInt) return AttrValue(std::move(ints));
    if (allNumber) return AttrValue(std::move(reals));
    if (allText) return AttrValue(std::move(texts));
    return AttrValue(std::move(bools));
}

std::optional<AttrValue> readAttr(FieldReader& in, TapeIndex at) {
    switch (in.tape.type(at)) {
    case JsonType::Bool:
        return AttrValue(in.tape.at(at).boolean);
    case JsonType::Integer:
        return AttrValue(in.tape.at(at).integer);
    case JsonType::Real:
        return AttrValue(in.tape.at(at).real);
    case JsonType::String:
        return AttrValue(std::string(in.tape.text(at)));
    case JsonType::Array:
        return readAttrArray(in, at);
    case JsonType::Null:
    case JsonType::Object:
        break;
    }
    in.error("MPG-106", at, "an attribute is a number, a string, a boolean or an array of those");
    return std::nullopt;
}

void readKind(FieldReader& in, TapeIndex at, Op& op) {
    const auto name = in.string(at, {0, 256, false});
    if (!name) return;
    if (const auto kind = opKindFromName(*name)) {
        op.kind = *kind;
    } else {
        in.error(
            "MPG-107", at, "unknown kind " + text::quoted(*name),
            "one of pointwise reduction matmul bmm conv pool gather scatter recurrent view copy constant fallback");
    }
}

std::vector<std::optional<std::string>> readInputs(FieldReader& in, TapeIndex at) {
    std::vector<std::optional<std::string>> out;
    if (!in.expect(at, JsonType::Array)) return out;
    for (const TapeIndex c : in.tape.children(at)) {
        if (in.tape.type(c) == JsonType::Null) {
            out.emplace_back(std::nullopt);
        } else {
            out.emplace_back(in.string(c, kIdRule));
        }
    }
    return out;
}

}  // namespace

void readOp(FieldReader& in, RawGraph& out) {
    Op& op = out.graph.ops.emplace_back();
    RawGraph::OpRefs& refs = out.ops.emplace_back();
    if (!in.expect(0, JsonType::Object)) return;
    static constexpr std::array<std::string_view, 10> kKeys = {"id",   "kind", "fn",    "inputs", "outputs",
                                                               "iter", "maps", "attrs", "group",  "origin"};
    const auto [id, kind, fn, inputs, outputs, iter, maps, attrs, group, origin] = in.members(0, kKeys, &op.unknown);
    if (!in.require(0, {{"id", id}, {"kind", kind}, {"fn", fn}, {"inputs", inputs}, {"outputs", outputs}})) return;
    op.id = in.string(id, kIdRule).value_or("");
    readKind(in, kind, op);
    op.fn = in.string(fn, {1, 64, true}).value_or("");
    refs.inputs = readInputs(in, inputs);
    refs.outputs = in.strings(outputs, kIdRule);
    if (in.tape.type(outputs) == JsonType::Array && in.tape.count(outputs) == 0) {
        in.error("MPG-107", outputs, "an op has at least one output", "remove the op");
    }
    readIterAndMaps(in, iter, maps, out);
    if (attrs != 0 && in.expect(attrs, JsonType::Object)) {
        for (const TapeIndex c : in.tape.children(attrs)) {
            if (auto value = readAttr(in, c)) op.attrs.emplace_back(std::string(in.tape.key(c)), std::move(*value));
        }
    }
    if (group != 0) refs.group = in.string(group, kIdRule);
    if (origin != 0) op.origin = in.origin(origin);
}

}  // namespace memplan::io
