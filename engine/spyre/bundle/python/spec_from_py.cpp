// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/bundle/python/spec_from_py.h"

#include "engine/spyre/bundle/arg_lengths.h"

#include <algorithm>
#include <functional>
#include <map>

namespace memplan::bundle {

namespace {

/// Walks the keyword arguments of one call; keeps the first error.
class Reader {
public:
    explicit Reader(Diagnostics& notes) : notes_(notes) {}

    std::optional<Error> error;

    SpecTree list(const PyValue& v, const std::string& path) {
        SpecTree tree;
        if (v.kind != PyKind::List) return wrong(path, "a list of specs"), tree;
        tree.reserve(v.items.size());
        for (std::size_t i = 0; i < v.items.size() && !error; ++i)
            tree.push_back(entry(v.items[i], path + "[" + std::to_string(i) + "]"));
        return tree;
    }

private:
    using Handler = std::function<void(const PyValue&, const std::string&)>;

    void wrong(const std::string& path, const std::string& expected) {
        if (error) return;
        error = makeError("BND-105", path, expected + " is expected", "correct the source or compile it anew");
    }

    void eachKeyword(const PyValue& call, const std::string& path, const std::map<std::string, Handler>& known,
                     Extra& extra) {
        for (std::size_t i = 0; i < call.items.size() && !error; ++i) {
            const std::string& key = call.keywords[i];
            if (key.empty()) return wrong(path, "only arguments with a name");
            const auto it = known.find(key);
            if (it == known.end()) {
                extra.emplace_back(key, call.items[i]);
            } else {
                it->second(call.items[i], path + "." + key);
            }
        }
    }

    SpecNode entry(const PyValue& v, const std::string& path) {
        SpecNode node;
        if (v.kind != PyKind::Call) return wrong(path, "a LoopSpec, OpSpec or UnimplementedOp"), node;
        if (v.text == "OpSpec") {
            node.op = op(v, path);
        } else if (v.text == "LoopSpec") {
            loop(v, path, node);
        } else if (v.text == "UnimplementedOp") {
            node.kind = SpecKind::Unimplemented;
            if (const PyValue* name = v.find("op")) node.name = string(*name, path + ".op");
        } else {
            node.kind = SpecKind::Opaque;
            node.call = v;
            notes_.warning("CT-025", path, "entry \"" + v.text + "\" is not known; it is kept as it is", "");
        }
        return node;
    }

    void loop(const PyValue& call, const std::string& path, SpecNode& node) {
        node.kind = SpecKind::Loop;
        bool hasCount = false;
        eachKeyword(
            call, path,
            {{"count",
              [&](const PyValue& v, const std::string& at) {
                  node.count = expression(v, at);
                  hasCount = true;
              }},
             {"body", [&](const PyValue& v, const std::string& at) { node.body = list(v, at); }},
             {"tiled_symbols", [&](const PyValue& v, const std::string& at) { node.tiledSymbols = names(v, at); }}},
            node.extra);
        if (!hasCount) wrong(path, "a count");
    }

    OpSpec op(const PyValue& call, const std::string& path) {
        OpSpec op;
        eachKeyword(
            call, path,
            {{"op", [&](const PyValue& v, const std::string& at) { op.op = string(v, at); }},
             {"is_reduction", [&](const PyValue& v, const std::string& at) { op.isReduction = boolean(v, at); }},
             {"iteration_space", [&](const PyValue& v, const std::string& at) { iterationSpace(v, at, op); }},
             {"op_info",
              [&](const PyValue& v, const std::string& at) {
                  if (v.kind != PyKind::Dict && v.kind != PyKind::None) wrong(at, "a dict");
                  op.opInfo = v.kind == PyKind::None ? PyValue::dict() : v;
              }},
             {"tiled_symbols", [&](const PyValue& v, const std::string& at) { tiledSymbols(v, at, op); }},
             {"args",
              [&](const PyValue& v, const std::string& at) {
                  if (v.kind != PyKind::List) return wrong(at, "a list of TensorArg");
                  for (std::size_t i = 0; i < v.items.size() && !error; ++i)
                      op.args.push_back(arg(v.items[i], at + "[" + std::to_string(i) + "]"));
              }}},
            op.extra);
        if (auto fits = checkLengths(op, path); !fits && !error) error = std::move(fits).error();
        return op;
    }

    void iterationSpace(const PyValue& v, const std::string& path, OpSpec& op) {
        if (v.kind != PyKind::Dict) return wrong(path, "a dict of symbol to (extent, split)");
        for (std::size_t i = 0; i + 1 < v.items.size() && !error; i += 2) {
            const PyValue& pair = v.items[i + 1];
            const bool isPair = pair.kind == PyKind::Tuple && pair.items.size() == 2;
            if (!isPair) return wrong(path, "(extent, split) for each symbol");
            IterationEntry e;
            e.symbol = symbol(v.items[i], path);
            e.extent = expression(pair.items[0], path);
            e.split = integer(pair.items[1], path);
            if (op.find(e.symbol) != nullptr) return wrong(path, "each symbol once");
            op.iterationSpace.push_back(std::move(e));
        }
    }

    /// A flat list, or one list per level, innermost first.
    void tiledSymbols(const PyValue& v, const std::string& path, OpSpec& op) {
        const bool nested = v.kind == PyKind::List && !v.items.empty() && v.items.front().kind == PyKind::List;
        if (!nested) {
            op.tiledSymbols = names(v, path);
            return;
        }
        op.tiledPerLevel.emplace();
        for (auto it = v.items.rbegin(); it != v.items.rend(); ++it)
            op.tiledPerLevel->push_back(names(*it, path));
        for (const auto& level : *op.tiledPerLevel)
            op.tiledSymbols.insert(op.tiledSymbols.end(), level.begin(), level.end());
    }

    TensorArg arg(const PyValue& call, const std::string& path) {
        TensorArg a;
        if (call.kind != PyKind::Call || call.text != "TensorArg") return wrong(path, "a TensorArg"), a;
        eachKeyword(
            call, path,
            {{"is_input", [&](const PyValue& v, const std::string& at) { a.isInput = boolean(v, at); }},
             {"arg_index", [&](const PyValue& v, const std::string& at) { a.argIndex = integer(v, at); }},
             {"device_dtype", [&](const PyValue& v, const std::string& at) { a.deviceDtype = enumerator(v, at); }},
             {"device_size", [&](const PyValue& v, const std::string& at) { a.deviceSize = integers(v, at); }},
             {"device_coordinates",
              [&](const PyValue& v, const std::string& at) {
                  if (v.kind != PyKind::List) return wrong(at, "a list");
                  for (const PyValue& c : v.items)
                      a.coordinates.push_back(expression(c, at));
              }},
             {"allocation", [&](const PyValue& v, const std::string& at) { allocation(v, at, a); }},
             {"stride_map",
              [&](const PyValue& v, const std::string& at) {
                  if (v.kind != PyKind::None) a.strideMap = integers(v, at);
              }},
             {"per_tile_fixed", [&](const PyValue& v, const std::string& at) { a.perTileFixed = boolean(v, at); }}},
            a.extra);
        return a;
    }

    /// Exactly one of pool (later spelled hbm_pool), lx, hbm; where there are more, the first of these counts.
    void allocation(const PyValue& v, const std::string& path, TensorArg& a) {
        if (v.kind == PyKind::None || v.isEmptyDict()) return;
        if (v.kind != PyKind::Dict) return wrong(path, "a dict");
        const std::pair<const char*, Space> known[] = {
            {"pool", Space::Pool}, {"hbm_pool", Space::Pool}, {"lx", Space::Lx}, {"hbm", Space::Hbm}};
        for (const auto& [key, space] : known) {
            const PyValue* address = v.find(key);
            if (address == nullptr || a.allocation) continue;
            const auto value = expression(*address, path).integer();
            if (!value) return wrong(path, "an address in bytes");
            a.allocation = Allocation{space, *value};
        }
        if (a.allocation && v.items.size() == 2) return;
        notes_.warning("CT-025", path,
                       a.allocation ? "check 8: more than one place is given; \"" +
                                          std::string(spaceKey(a.allocation->space)) + "\" counts"
                                    : "check 8: the place is none of hbm, lx, pool");
    }

    // ---- values ------------------------------------------------------------------------------------------

    bool boolean(const PyValue& v, const std::string& path) {
        if (v.kind == PyKind::Bool) return v.boolean;
        wrong(path, "True or False");
        return false;
    }

    std::int64_t integer(const PyValue& v, const std::string& path) {
        if (v.kind == PyKind::Int) return v.integer;
        const auto value = v.kind == PyKind::Call ? expression(v, path).integer() : std::nullopt;
        if (!value) wrong(path, "an integer");
        return value.value_or(0);
    }

    std::vector<std::int64_t> integers(const PyValue& v, const std::string& path) {
        std::vector<std::int64_t> out;
        if (v.kind != PyKind::List && v.kind != PyKind::Tuple) return wrong(path, "a list of integers"), out;
        for (const PyValue& item : v.items)
            out.push_back(integer(item, path));
        return out;
    }

    std::string string(const PyValue& v, const std::string& path) {
        if (v.kind != PyKind::Str) wrong(path, "a string");
        return v.text;
    }

    /// DataFormats.SEN169_FP16 gives SEN169_FP16.
    std::string enumerator(const PyValue& v, const std::string& path) {
        if (v.kind != PyKind::Name) return wrong(path, "a member of DataFormats"), std::string();
        return v.text.substr(v.text.rfind('.') + 1);
    }

    Expr expression(const PyValue& v, const std::string& path) {
        if (v.kind == PyKind::Int) return Expr(v.integer);
        const bool isSympify =
            v.kind == PyKind::Call && v.text == "sympify" && v.items.size() == 1 && v.items.front().kind == PyKind::Str;
        if (!isSympify) return wrong(path, "sympify('...')"), Expr();
        auto parsed = Expr::parse(v.items.front().text);
        if (parsed) return std::move(parsed).value();
        if (!error) {
            error = parsed.error();
            error->diagnostics.front().where = path;
        }
        return Expr();
    }

    std::string symbol(const PyValue& v, const std::string& path) {
        const Expr e = expression(v, path);
        const auto names = e.symbols();
        if (names.size() != 1 || e.text() != names.front()) return wrong(path, "a symbol"), std::string();
        return names.front();
    }

    std::vector<std::string> names(const PyValue& v, const std::string& path) {
        std::vector<std::string> out;
        if (v.kind != PyKind::List && v.kind != PyKind::Tuple) return wrong(path, "a list of symbols"), out;
        for (const PyValue& item : v.items)
            out.push_back(symbol(item, path));
        return out;
    }

    Diagnostics& notes_;
};

}  // namespace

Result<SpecTree> specsFromPy(const PyValue& list, const std::string& path, Diagnostics& notes) {
    Reader reader(notes);
    SpecTree tree = reader.list(list, path);
    if (reader.error) return std::move(*reader.error);
    return tree;
}

}  // namespace memplan::bundle
