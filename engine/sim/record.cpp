// SPDX-License-Identifier: Apache-2.0
#include "sim/record.h"

#include "base/text.h"
#include "sim/record_text.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace memplan::sim {
namespace {

std::string quoted(const std::string& s) {
    return nlohmann::json(s).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// One JSON object or array on one line.
class Line {
public:
    explicit Line(char open) : out_(1, open), close_(open == '{' ? '}' : ']') {}

    void raw(std::string_view value) {
        if (out_.size() > 1) out_ += ", ";
        out_ += value;
    }
    void member(const char* key, std::string_view value) { raw('"' + std::string(key) + "\": " + std::string(value)); }
    void text(const char* key, const std::string& value) { member(key, quoted(value)); }
    void number(const char* key, std::int64_t value) { member(key, std::to_string(value)); }

    /// Left out where the value is the default.
    void optionalText(const char* key, const std::string& value) {
        if (!value.empty()) text(key, value);
    }
    void optionalNumber(const char* key, std::int64_t value, std::int64_t otherwise) {
        if (value != otherwise) number(key, value);
    }
    void optionalFlag(const char* key, bool value) {
        if (value) member(key, "true");
    }
    [[nodiscard]] std::string finish() && { return std::move(out_ += close_); }

private:
    std::string out_;
    char close_;
};

template <class T> std::string list(const std::vector<T>& values) {
    Line line('[');
    for (const T v : values)
        line.raw(std::to_string(v));
    return std::move(line).finish();
}

/// JSON has no word for what is not finite.
std::string numberText(double value) {
    return std::isfinite(value) ? text::number(value) : quoted(text::number(value));
}

std::string bufferText(const RecordBuffer& b) {
    Line line('{');
    line.text("name", b.name);
    line.text("role", b.role);
    line.number("bytes", b.itemBytes);
    line.member("host_size", list(b.hostSize));
    if (!b.deviceSize.empty()) {
        Line layout('{');
        layout.member("device_size", list(b.deviceSize));
        layout.member("stride_map", list(b.strideMap));
        line.member("layout", std::move(layout).finish());
    }
    line.text("mem", std::string(recordMemoryName(b.memory)));
    line.optionalNumber("address", b.address, 0);
    line.member("live", list(std::vector<std::int64_t>{b.start, b.end}));
    line.optionalNumber("in_place_of", b.inPlaceOf, -1);
    line.optionalText("denotes", b.denotes);
    return std::move(line).finish();
}

std::string baseText(const RecordArg& a) {
    Line line('{');
    line.text("mem", std::string(recordMemoryName(a.memory)));
    line.number("address", a.base);
    return std::move(line).finish();
}

std::string argText(const RecordArg& a, const std::vector<RecordSymbol>& space) {
    Line line('{');
    line.number("buffer", a.buffer);
    if (!a.isInput) line.member("input", "false");
    if (a.index != LinearIndex{}) line.text("index", indexText(a.index, space));
    line.member("base", baseText(a));
    if (!a.advance.empty()) line.member("advance", list(a.advance));
    line.optionalFlag("per_tile_fixed", a.perTileFixed);
    line.optionalFlag("indirect", a.isIndirect);
    if (!a.viewStrides.empty()) line.member("view_strides", list(a.viewStrides));
    if (!a.writerSlices.empty()) {
        Line slices('[');
        for (const auto& [symbol, count] : a.writerSlices)
            slices.raw(list(std::vector<std::int64_t>{symbol, count}));
        line.member("writer_slices", std::move(slices).finish());
    }
    if (a.element) line.text("element", indexText(*a.element, space));
    if (!a.elementAdvance.empty()) line.member("element_advance", list(a.elementAdvance));
    return std::move(line).finish();
}

std::string symbolText(const RecordSymbol& s) {
    Line line('[');
    line.raw(quoted(s.name));
    line.raw(std::to_string(s.extent));
    if (s.isReduction) line.raw("true");
    return std::move(line).finish();
}

/// What of the symbols is not 1, by name.
std::string bySymbol(const std::vector<RecordSymbol>& space, std::int64_t RecordSymbol::*value) {
    Line line('{');
    for (const RecordSymbol& s : space) {
        if (s.*value != 1) line.member(s.name.c_str(), std::to_string(s.*value));
    }
    return std::move(line).finish();
}

std::string opText(const RecordOp& op) {
    Line line('{');
    line.text("name", op.name);
    line.text("kind", op.kind);
    line.text("fn", op.fn);
    line.text("role", std::string(recordRoleName(op.role)));
    line.optionalText("attrs", op.attributes);
    if (op.role == RecordRole::Fill) line.member("value", numberText(op.fillValue));
    Line space('[');
    for (const RecordSymbol& s : op.space)
        space.raw(symbolText(s));
    line.member("space", std::move(space).finish());
    if (const std::string split = bySymbol(op.space, &RecordSymbol::slices); split != "{}") line.member("split", split);
    if (const std::string unit = bySymbol(op.space, &RecordSymbol::unit); unit != "{}") line.member("unit", unit);
    if (op.kFirst) line.text("core_map", std::string(kLastFirst));
    line.optionalNumber("cores", op.cores, 1);
    Line args('[');
    for (const RecordArg& a : op.args)
        args.raw(argText(a, op.space));
    line.member("args", std::move(args).finish());
    if (!op.source.empty()) {
        Line source('[');
        for (const std::string& id : op.source)
            source.raw(quoted(id));
        line.member("source", std::move(source).finish());
    }
    return std::move(line).finish();
}

std::string stepsText(const std::vector<RecordStep>& steps) {
    Line line('[');
    for (const RecordStep& s : steps) {
        Line one('{');
        if (s.op >= 0) {
            one.number("op", s.op);
        } else {
            Line loop('{');
            loop.number("count", s.count);
            loop.text("var", s.variable);
            loop.member("body", stepsText(s.body));
            one.member("loop", std::move(loop).finish());
        }
        line.raw(std::move(one).finish());
    }
    return std::move(line).finish();
}

std::string kernelText(const RecordKernel& k) {
    Line line('{');
    line.text("name", k.name);
    line.member("ops", list(k.ops));
    line.member("arguments", list(k.arguments));
    line.optionalFlag("non_terminal", k.nonTerminal);
    return std::move(line).finish();
}

std::string outputText(const RecordOutput& o) {
    Line line('{');
    line.text("tensor", o.tensor);
    line.number("buffer", o.buffer);
    line.member("strides", list(o.strides));
    line.optionalNumber("offset", o.offset, 0);
    return std::move(line).finish();
}

/// A member that is a list with one entry per line.
template <class T, class F> std::string block(const char* key, const std::vector<T>& items, F&& itemText) {
    std::string out = '"' + std::string(key) + "\": [";
    for (std::size_t i = 0; i < items.size(); ++i)
        out += (i == 0 ? "\n" : ",\n") + itemText(items[i]);
    return out + ']';
}

}  // namespace

std::string_view recordMemoryName(RecordMemory m) {
    switch (m) {
    case RecordMemory::Lx:
        return "lx";
    case RecordMemory::Hbm:
        return "hbm";
    case RecordMemory::Pool:
        return "pool";
    }
    return "hbm";
}

std::string_view recordRoleName(RecordRole r) {
    switch (r) {
    case RecordRole::Compute:
        return "compute";
    case RecordRole::Move:
        return "move";
    case RecordRole::Fill:
        return "fill";
    case RecordRole::Outside:
        return "outside";
    case RecordRole::Allocate:
        return "allocate";
    }
    return "compute";
}

std::string recordJson(const ExecutionRecord& r) {
    std::string out = "{\"target\": " + quoted(r.target);
    const auto number = [&out](const char* key, std::int64_t value) {
        out += ", \"" + std::string(key) + "\": " + std::to_string(value);
    };
    number("cores", r.cores);
    number("lx_bytes", r.lxBytes);
    number("lx_capacity", r.lxCapacity);
    number("alignment", r.alignment);
    if (r.hasPool) out += ", \"pool\": true";
    number("claimed_read_bytes", r.claimedReadBytes);
    number("claimed_write_bytes", r.claimedWriteBytes);
    out += ",\n" + block("buffers", r.buffers, bufferText);
    out += ",\n" + block("ops", r.ops, opText);
    out += ",\n\"steps\": " + stepsText(r.steps);
    out += ",\n" + block("kernels", r.kernels, kernelText);
    out += ",\n" + block("outputs", r.outputs, outputText);
    return out + '}';
}

}  // namespace memplan::sim
