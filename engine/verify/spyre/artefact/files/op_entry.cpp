// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/files/op_entry.h"

#include <algorithm>

namespace memplan::sim::artefact {
namespace {

using std::int64_t;
using std::string;
using Kind = PythonValue::Kind;

/// Why an entry does not say what an operation is.
struct Incomplete {
    string what;
};

const PythonValue& needed(const PythonValue& call, const char* key) {
    const PythonValue* value = call.keyword(key);
    if (value == nullptr) throw Incomplete{call.text + " without " + key};
    return *value;
}

void need(bool holds, const PythonValue& call, const char* key) {
    if (!holds) throw Incomplete{string(key) + " of " + call.text + " has another form"};
}

bool truth(const PythonValue& call, const char* key) {
    const PythonValue& v = needed(call, key);
    need(v.kind == Kind::Word && (v.text == "True" || v.text == "False"), call, key);
    return v.text == "True";
}

const string& textOf(const PythonValue& call, const char* key) {
    const PythonValue& v = needed(call, key);
    need(v.kind == Kind::Text, call, key);
    return v.text;
}

/// sympify('...')
const string& expression(const PythonValue& v, const PythonValue& call, const char* key) {
    need(v.isCall("sympify") && v.items.size() == 1 && v.items[0].kind == Kind::Text, call, key);
    return v.items[0].text;
}

std::vector<string> expressions(const PythonValue& list, const PythonValue& call, const char* key) {
    std::vector<string> out;
    need(list.kind == Kind::List, call, key);
    for (const PythonValue& v : list.items)
        out.push_back(expression(v, call, key));
    return out;
}

std::vector<int64_t> integers(const PythonValue& list, const PythonValue& call, const char* key) {
    std::vector<int64_t> out;
    need(list.kind == Kind::List, call, key);
    for (const PythonValue& v : list.items) {
        need(v.kind == Kind::Integer, call, key);
        out.push_back(v.integer);
    }
    return out;
}

std::vector<string> tiledSymbols(const PythonValue& call) {
    const PythonValue* list = call.keyword("tiled_symbols");
    return list == nullptr ? std::vector<string>() : expressions(*list, call, "tiled_symbols");
}

EntryTensor tensorOf(const PythonValue& call) {
    need(call.isCall("TensorArg"), call, "args");
    EntryTensor t;
    t.isInput = truth(call, "is_input");
    const PythonValue& index = needed(call, "arg_index");
    need(index.kind == Kind::Integer && index.integer >= -1, call, "arg_index");
    t.argument = index.integer;
    constexpr std::string_view kFormats = "DataFormats.";
    const PythonValue& format = needed(call, "device_dtype");
    need(format.kind == Kind::Word && format.text.starts_with(kFormats), call, "device_dtype");
    t.format = format.text.substr(kFormats.size());
    t.size = integers(needed(call, "device_size"), call, "device_size");
    t.coordinates = expressions(needed(call, "device_coordinates"), call, "device_coordinates");
    need(t.size.size() == t.coordinates.size() && !t.size.empty(), call, "device_coordinates");
    need(std::all_of(t.size.begin(), t.size.end(), [](int64_t s) { return s > 0; }), call, "device_size");
    const PythonValue& allocation = needed(call, "allocation");
    need(allocation.kind == Kind::Dictionary && allocation.items.size() == 2, call, "allocation");
    need(allocation.items[0].kind == Kind::Text && allocation.items[1].kind == Kind::Integer, call, "allocation");
    t.memory = allocation.items[0].text == "hbm_pool" ? "pool" : allocation.items[0].text;
    need(t.memory == "hbm" || t.memory == "pool" || t.memory == "lx", call, "allocation");
    t.address = allocation.items[1].integer;
    if (const PythonValue* map = call.keyword("stride_map")) t.strideMap = integers(*map, call, "stride_map");
    need(t.strideMap.empty() || t.strideMap.size() == t.size.size(), call, "stride_map");
    const auto isStride = [](int64_t stride) { return stride == -1 || stride > 0; };
    need(std::all_of(t.strideMap.begin(), t.strideMap.end(), isStride), call, "stride_map");
    if (call.keyword("per_tile_fixed") != nullptr) t.isFixed = truth(call, "per_tile_fixed");
    t.hasOwnDivision = call.keyword("work_division") != nullptr;
    return t;
}

std::vector<EntryLoop> loopsOf(const PythonValue& call) {
    std::vector<EntryLoop> out;
    const PythonValue& space = needed(call, "iteration_space");
    need(space.kind == Kind::Dictionary, call, "iteration_space");
    for (std::size_t i = 0; i + 1 < space.items.size(); i += 2) {
        const PythonValue& pair = space.items[i + 1];
        need(pair.kind == Kind::List && pair.items.size() == 2 && pair.items[1].kind == Kind::Integer, call,
             "iteration_space");
        const auto extent = text::parseInt(expression(pair.items[0], call, "iteration_space"));
        need(extent && *extent > 0 && pair.items[1].integer > 0, call, "iteration_space");
        out.push_back({expression(space.items[i], call, "iteration_space"), *extent, pair.items[1].integer});
    }
    return out;
}

std::map<string, double> constantsOf(const PythonValue& call) {
    std::map<string, double> out;
    const PythonValue& info = needed(call, "op_info");
    need(info.kind == Kind::Dictionary, call, "op_info");
    for (std::size_t i = 0; i + 1 < info.items.size(); i += 2) {
        if (info.items[i].text != "constants") continue;
        const PythonValue& list = info.items[i + 1];
        need(list.kind == Kind::Dictionary, call, "op_info");
        for (std::size_t k = 0; k + 1 < list.items.size(); k += 2) {
            const auto number = text::parseDouble(list.items[k + 1].text);
            const PythonValue& value = list.items[k + 1];
            if (value.kind == Kind::Integer)
                out[list.items[k].text] = static_cast<double>(value.integer);
            else if (number)
                out[list.items[k].text] = *number;
        }
    }
    return out;
}

void readOp(const PythonValue& call, OpEntry& out) {
    out.op = textOf(call, "op");
    out.isReduction = truth(call, "is_reduction");
    out.loops = loopsOf(call);
    out.constants = constantsOf(call);
    out.tiled = tiledSymbols(call);
    const PythonValue& args = needed(call, "args");
    need(args.kind == Kind::List, call, "args");
    for (const PythonValue& arg : args.items)
        out.tensors.push_back(tensorOf(arg));
}

void readLoop(const PythonValue& call, OpEntry& out) {
    const auto count = text::parseInt(expression(needed(call, "count"), call, "count"));
    need(count && *count > 0, call, "count");
    out.count = *count;
    out.tiled = tiledSymbols(call);
}

/// Lines of ascending positions.
class LineCounter {
public:
    explicit LineCounter(std::string_view text) : text_(text) {}
    string lineOf(std::size_t position) {
        for (; at_ < position; ++at_)
            line_ += text_[at_] == '\n' ? 1U : 0U;
        return std::to_string(line_);
    }

private:
    std::string_view text_;
    std::size_t at_ = 0, line_ = 1;
};

std::vector<OpEntry> read(const PythonValue& list, LineCounter& lines) {
    std::vector<OpEntry> out;
    for (const PythonValue& call : list.items) {
        if (call.isCall("UnimplementedOp")) continue;
        OpEntry& e = out.emplace_back();
        e.isLoop = call.isCall("LoopSpec");
        e.line.number = lines.lineOf(call.position);
        try {
            if (!e.isLoop && !call.isCall("OpSpec")) throw Incomplete{"an entry that is neither LoopSpec nor OpSpec"};
            e.isLoop ? readLoop(call, e) : readOp(call, e);
        } catch (const Incomplete& problem) {
            e.problem = problem.what;
        }
        const PythonValue* body = e.isLoop ? call.keyword("body") : nullptr;
        if (body != nullptr) e.body = read(*body, lines);
    }
    return out;
}

}  // namespace

std::vector<OpEntry> opEntries(const PythonValue& list, std::string_view text) {
    LineCounter lines(text);
    return read(list, lines);
}

}  // namespace memplan::sim::artefact
