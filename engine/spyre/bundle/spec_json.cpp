// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/bundle/spec_json.h"

#include "engine/spyre/bundle/arg_lengths.h"
#include "engine/spyre/bundle/sdsc/work_division.h"

#include <array>

namespace memplan::bundle {

namespace {

using io::JsonType;
using io::JsonWriter;
using io::Tape;
using io::TapeIndex;

constexpr int kDeepest = 64;

// ---- writing ---------------------------------------------------------------------------------------------

void writeValue(JsonWriter& w, const PyValue& v) {
    switch (v.kind) {
    case PyKind::None:
        return w.null();
    case PyKind::Bool:
        return w.boolean(v.boolean);
    case PyKind::Int:
        return w.integer(v.integer);
    case PyKind::Real:
        return w.real(v.real);
    case PyKind::Str:
        return w.string(v.text);
    case PyKind::Name:
    case PyKind::Call:
        return w.string(pyText(v));
    case PyKind::List:
    case PyKind::Tuple:
        w.beginArray(true);
        for (const PyValue& item : v.items)
            writeValue(w, item);
        return w.endArray();
    case PyKind::Dict:
        w.beginInlineObject();
        for (std::size_t i = 0; i + 1 < v.items.size(); i += 2) {
            w.key(v.items[i].kind == PyKind::Str ? v.items[i].text : pyText(v.items[i]));
            writeValue(w, v.items[i + 1]);
        }
        return w.endObject();
    }
}

void writeNames(JsonWriter& w, const std::vector<std::string>& names) {
    w.beginArray(true);
    for (const std::string& s : names)
        w.string(s);
    w.endArray();
}

void writeIntegers(JsonWriter& w, std::string_view key, const std::vector<std::int64_t>& values) {
    w.key(key);
    w.beginArray(true);
    for (const std::int64_t v : values)
        w.integer(v);
    w.endArray();
}

void writeCount(JsonWriter& w, const Expr& e) {
    if (const auto value = e.integer()) return w.integer(*value);
    w.string(e.text());
}

void writeArg(JsonWriter& w, const TensorArg& a) {
    w.beginInlineObject();
    w.member("is_input", a.isInput);
    w.member("arg_index", a.argIndex);
    w.member("device_dtype", a.deviceDtype);
    writeIntegers(w, "device_size", a.deviceSize);
    w.key("device_coordinates");
    w.beginArray(true);
    for (const Expr& e : a.coordinates)
        w.string(e.text());
    w.endArray();
    w.key("allocation");
    w.beginInlineObject();
    if (a.allocation) w.member(spaceKey(a.allocation->space), a.allocation->address);
    w.endObject();
    if (a.strideMap) writeIntegers(w, "stride_map", *a.strideMap);
    w.member("per_tile_fixed", a.perTileFixed);
    if (const auto division = workDivisionOf(a)) {
        w.key("work_division");
        w.beginInlineObject();
        for (const DividedSymbol& part : *division)
            writeIntegers(w, part.symbol, {part.slices, part.every});
        w.endObject();
    }
    w.endObject();
}

void writeOp(JsonWriter& w, const OpSpec& op) {
    w.beginObject();
    w.member("type", "op");
    w.member("op", op.op);
    w.member("is_reduction", op.isReduction);
    w.key("iteration_space");
    w.beginInlineObject();
    for (const IterationEntry& e : op.iterationSpace) {
        w.key(e.symbol);
        w.beginArray(true);
        writeCount(w, e.extent);
        w.integer(e.split);
        w.endArray();
    }
    w.endObject();
    w.key("op_info");
    writeValue(w, op.opInfo);
    w.key("tiled_symbols");
    writeNames(w, op.tiledSymbols);
    if (op.tiledPerLevel) {
        w.key("tiled_symbols_per_level");
        w.beginArray(true);
        for (const auto& level : *op.tiledPerLevel)
            writeNames(w, level);
        w.endArray();
    }
    w.key("args");
    w.beginArray();
    for (const TensorArg& a : op.args)
        writeArg(w, a);
    w.endArray();
    w.endObject();
}

void writeNode(JsonWriter& w, const SpecNode& node) {
    switch (node.kind) {
    case SpecKind::Op:
        return writeOp(w, node.op);
    case SpecKind::Loop:
        w.beginObject();
        w.member("type", "loop");
        w.key("count");
        writeCount(w, node.count);
        w.key("body");
        writeSpecs(w, node.body);
        if (node.tiledSymbols) {
            w.key("tiled_symbols");
            writeNames(w, *node.tiledSymbols);
        }
        return w.endObject();
    case SpecKind::Unimplemented:
    case SpecKind::Opaque:
        w.beginInlineObject();
        w.member("type", "unimplemented");
        w.member("op", node.kind == SpecKind::Opaque ? node.call.text : node.name);
        if (!node.lost.empty()) w.member("descriptor", node.lost);
        return w.endObject();
    }
}

// ---- reading ---------------------------------------------------------------------------------------------

class Reader {
public:
    explicit Reader(const Tape& tape) : t_(tape) {}

    std::optional<Error> error;

    SpecTree list(TapeIndex at, int depth) {
        SpecTree tree;
        if (depth > kDeepest) return wrong(at, "at most 64 nested loops"), tree;
        if (!is(at, JsonType::Array, "a list of specs")) return tree;
        for (const TapeIndex c : t_.children(at)) {
            if (error) break;
            tree.push_back(node(c, depth));
        }
        return tree;
    }

private:
    void wrong(TapeIndex at, const std::string& expected) {
        if (error) return;
        error = makeError("BND-105", t_.pointer(at), expected + " is expected", "write the plan anew");
    }

    bool is(TapeIndex at, JsonType type, const std::string& expected) {
        if (t_.type(at) == type) return true;
        wrong(at, expected);
        return false;
    }

    TapeIndex required(TapeIndex object, std::string_view key) {
        if (!is(object, JsonType::Object, "an object")) return 0;
        const TapeIndex at = t_.find(object, key);
        if (at == 0) wrong(object, "the key \"" + std::string(key) + "\"");
        return at;
    }

    SpecNode node(TapeIndex at, int depth) {
        SpecNode n;
        const std::string type = string(required(at, "type"));
        if (error) return n;
        if (type == "op") {
            n.op = op(at);
        } else if (type == "loop") {
            n.kind = SpecKind::Loop;
            n.count = expression(required(at, "count"));
            n.body = list(required(at, "body"), depth + 1);
            if (const TapeIndex tiled = t_.find(at, "tiled_symbols"); tiled != 0) n.tiledSymbols = names(tiled);
        } else if (type == "unimplemented") {
            n.kind = SpecKind::Unimplemented;
            n.name = string(required(at, "op"));
            if (const TapeIndex lost = t_.find(at, "descriptor"); lost != 0) n.lost = string(lost);
        } else {
            wrong(at, "type op, loop or unimplemented");
        }
        return n;
    }

    OpSpec op(TapeIndex at) {
        OpSpec op;
        op.op = string(required(at, "op"));
        op.isReduction = boolean(required(at, "is_reduction"));
        const TapeIndex space = required(at, "iteration_space");
        if (error || !is(space, JsonType::Object, "an object")) return op;
        for (const TapeIndex c : t_.children(space)) {
            if (!is(c, JsonType::Array, "[extent, split]") || t_.count(c) != 2) return wrong(c, "[extent, split]"), op;
            IterationEntry e;
            e.symbol = std::string(t_.key(c));
            e.extent = expression(c + 1);
            e.split = integer(t_.at(c + 1).next);
            op.iterationSpace.push_back(std::move(e));
        }
        if (const TapeIndex info = t_.find(at, "op_info"); info != 0 && is(info, JsonType::Object, "an object"))
            op.opInfo = value(info);
        if (const TapeIndex tiled = t_.find(at, "tiled_symbols"); tiled != 0) op.tiledSymbols = names(tiled);
        if (const TapeIndex levels = t_.find(at, "tiled_symbols_per_level"); levels != 0) {
            if (!is(levels, JsonType::Array, "a list of lists")) return op;
            op.tiledPerLevel.emplace();
            for (const TapeIndex c : t_.children(levels))
                op.tiledPerLevel->push_back(names(c));
        }
        const TapeIndex args = required(at, "args");
        if (error || !is(args, JsonType::Array, "a list")) return op;
        for (const TapeIndex c : t_.children(args)) {
            if (error) break;
            op.args.push_back(arg(c));
            const auto problem = error || op.iterationSpace.empty() ? std::nullopt : lengthProblem(op.args.back());
            if (problem) wrong(c, "a tensor whose lists are equally long (" + *problem + ")");
        }
        return op;
    }

    TensorArg arg(TapeIndex at) {
        TensorArg a;
        if (!is(at, JsonType::Object, "an object")) return a;
        if (const TapeIndex c = t_.find(at, "is_input"); c != 0) a.isInput = boolean(c);
        if (const TapeIndex c = t_.find(at, "arg_index"); c != 0) a.argIndex = integer(c);
        a.deviceDtype = string(required(at, "device_dtype"));
        a.deviceSize = integers(required(at, "device_size"));
        const TapeIndex coordinates = required(at, "device_coordinates");
        if (error || !is(coordinates, JsonType::Array, "a list")) return a;
        for (const TapeIndex c : t_.children(coordinates))
            a.coordinates.push_back(expression(c));
        if (const TapeIndex c = t_.find(at, "stride_map"); c != 0 && t_.type(c) != JsonType::Null)
            a.strideMap = integers(c);
        if (const TapeIndex c = t_.find(at, "per_tile_fixed"); c != 0) a.perTileFixed = boolean(c);
        if (const TapeIndex c = t_.find(at, "allocation"); c != 0) allocation(c, a);
        if (const TapeIndex c = t_.find(at, "work_division"); c != 0) division(c, a);
        return a;
    }

    void division(TapeIndex at, TensorArg& a) {
        if (!is(at, JsonType::Object, "an object")) return;
        WorkDivision parts;
        for (const TapeIndex c : t_.children(at)) {
            const std::vector<std::int64_t> pair = integers(c);
            if (error) return;
            if (pair.size() != 2 || pair[0] < 2 || pair[1] < 1) return wrong(c, "[slices, cores]");
            parts.push_back({std::string(t_.key(c)), pair[0], pair[1]});
        }
        setWorkDivision(a, parts);
    }

    void allocation(TapeIndex at, TensorArg& a) {
        if (!is(at, JsonType::Object, "an object")) return;
        constexpr std::array<std::pair<std::string_view, Space>, 4> kKeys = {
            {{"pool", Space::Pool}, {"hbm_pool", Space::Pool}, {"lx", Space::Lx}, {"hbm", Space::Hbm}}};
        for (const auto& [key, space] : kKeys) {
            const TapeIndex c = t_.find(at, key);
            if (c != 0 && !a.allocation) a.allocation = Allocation{space, integer(c)};
        }
    }

    // ---- values --------------------------------------------------------------------------------------

    std::int64_t integer(TapeIndex at) {
        if (error || !is(at, JsonType::Integer, "an integer")) return 0;
        return t_.at(at).integer;
    }

    bool boolean(TapeIndex at) {
        if (error || !is(at, JsonType::Bool, "true or false")) return false;
        return t_.at(at).boolean;
    }

    std::string string(TapeIndex at) {
        if (error || !is(at, JsonType::String, "a text")) return {};
        return std::string(t_.text(at));
    }

    std::vector<std::int64_t> integers(TapeIndex at) {
        std::vector<std::int64_t> out;
        if (error || !is(at, JsonType::Array, "a list of integers")) return out;
        for (const TapeIndex c : t_.children(at))
            out.push_back(integer(c));
        return out;
    }

    std::vector<std::string> names(TapeIndex at) {
        std::vector<std::string> out;
        if (error || !is(at, JsonType::Array, "a list of symbols")) return out;
        for (const TapeIndex c : t_.children(at))
            out.push_back(string(c));
        return out;
    }

    Expr expression(TapeIndex at) {
        if (error) return Expr();
        if (t_.type(at) == JsonType::Integer) return Expr(t_.at(at).integer);
        auto parsed = Expr::parse(string(at));
        if (parsed) return std::move(parsed).value();
        if (!error) {
            error = parsed.error();
            error->diagnostics.front().where = t_.pointer(at);
        }
        return Expr();
    }

    PyValue value(TapeIndex at) {
        PyValue v;
        switch (t_.type(at)) {
        case JsonType::Null:
            break;
        case JsonType::Bool:
            v.kind = PyKind::Bool;
            v.boolean = t_.at(at).boolean;
            break;
        case JsonType::Integer:
            return PyValue::ofInt(t_.at(at).integer);
        case JsonType::Real:
            return PyValue::ofReal(t_.at(at).real);
        case JsonType::String:
            return PyValue::ofText(std::string(t_.text(at)));
        case JsonType::Array:
            v.kind = PyKind::List;
            for (const TapeIndex c : t_.children(at))
                v.items.push_back(value(c));
            break;
        case JsonType::Object:
            v.kind = PyKind::Dict;
            for (const TapeIndex c : t_.children(at))
                v.put(std::string(t_.key(c)), value(c));
            break;
        }
        return v;
    }

    const Tape& t_;
};

}  // namespace

void writeSpecs(JsonWriter& w, const SpecTree& tree) {
    w.beginArray();
    for (const SpecNode& node : tree)
        writeNode(w, node);
    w.endArray();
}

Result<SpecTree> readSpecs(const Tape& tape, TapeIndex at) {
    Reader reader(tape);
    SpecTree tree = reader.list(at, 0);
    if (reader.error) return std::move(*reader.error);
    return tree;
}

}  // namespace memplan::bundle
