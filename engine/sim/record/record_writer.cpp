// SPDX-License-Identifier: Apache-2.0
// The JSON form of an execution record.
#include "engine/base/text.h"
#include "engine/sim/record/record.h"
#include "engine/sim/record/record_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace memplan::sim {
namespace {

void appendQuoted(TextBuffer& out, std::string_view s) {
    const auto isPlain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
    if (std::all_of(s.begin(), s.end(), isPlain)) {
        out.append('"').append(s).append('"');
        return;
    }
    out.append(nlohmann::json(s).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

/// One JSON object or array on one line, behind the text so far; closed at the end of its life.
class Line {
public:
    Line(TextBuffer& out, char open) : out_(out), close_(open == '{' ? '}' : ']') { out_.append(open); }
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;
    ~Line() { out_.append(close_); }

    /// Where the caller appends the next entry of an array.
    TextBuffer& entry() {
        if (!isEmpty_) out_.append(", ");
        isEmpty_ = false;
        return out_;
    }
    /// Where the caller appends the value.
    TextBuffer& member(std::string_view key) { return entry().append('"').append(key).append("\": "); }
    void text(const char* key, std::string_view value) { appendQuoted(member(key), value); }
    void number(std::string_view key, std::int64_t value) { member(key).appendInteger(value); }
    template <class T> void list(const char* key, const std::vector<T>& values) {
        Line line(member(key), '[');
        for (const T v : values)
            line.entry().appendInteger(v);
    }

    /// Left out where the value is the default.
    void optionalText(const char* key, const std::string& value) {
        if (!value.empty()) text(key, value);
    }
    void optionalNumber(const char* key, std::int64_t value, std::int64_t otherwise) {
        if (value != otherwise) number(key, value);
    }
    void optionalFlag(const char* key, bool value) {
        if (value) member(key).append("true");
    }
    template <class T> void optionalList(const char* key, const std::vector<T>& values) {
        if (!values.empty()) list(key, values);
    }

private:
    TextBuffer& out_;
    char close_;
    bool isEmpty_ = true;
};

template <class T, class F> void appendItems(TextBuffer& out, const std::vector<T>& items, F&& append) {
    Line line(out, '[');
    for (const T& item : items)
        append(line.entry(), item);
}

/// JSON has no word for what is not finite.
void appendNumber(TextBuffer& out, double value) {
    if (std::isfinite(value)) {
        out.append(text::number(value));
    } else {
        appendQuoted(out, text::number(value));
    }
}

void appendBuffer(TextBuffer& out, const RecordBuffer& b) {
    Line line(out, '{');
    line.text("name", b.name);
    line.text("role", b.role);
    line.number("bytes", b.itemBytes);
    line.list("host_size", b.hostSize);
    if (!b.deviceSize.empty()) {
        Line layout(line.member("layout"), '{');
        layout.list("device_size", b.deviceSize);
        layout.list("stride_map", b.strideMap);
    }
    line.text("mem", recordMemoryName(b.memory));
    line.optionalNumber("address", b.address, 0);
    line.list("live", std::vector<std::int64_t>{b.start, b.end});
    line.optionalNumber("in_place_of", b.inPlaceOf, -1);
    line.optionalText("denotes", b.denotes);
}

void appendArg(TextBuffer& out, const RecordArg& a, const std::vector<RecordSymbol>& space) {
    Line line(out, '{');
    line.number("buffer", a.buffer);
    if (!a.isInput) line.member("input").append("false");
    if (a.index != LinearIndex{}) line.text("index", indexText(a.index, space));
    {
        Line base(line.member("base"), '{');
        base.text("mem", recordMemoryName(a.memory));
        base.number("address", a.base);
    }
    line.optionalList("advance", a.advance);
    line.optionalFlag("per_tile_fixed", a.perTileFixed);
    line.optionalFlag("indirect", a.isIndirect);
    line.optionalList("view_strides", a.viewStrides);
    if (!a.writerSlices.empty()) {
        appendItems(line.member("writer_slices"), a.writerSlices, [](TextBuffer& at, const auto& slices) {
            Line pair(at, '[');
            pair.entry().appendInteger(slices.first);
            pair.entry().appendInteger(slices.second);
        });
    }
    if (a.element) line.text("element", indexText(*a.element, space));
    line.optionalList("element_advance", a.elementAdvance);
}

void appendSymbol(TextBuffer& out, const RecordSymbol& s) {
    Line line(out, '[');
    appendQuoted(line.entry(), s.name);
    line.entry().appendInteger(s.extent);
    if (s.isReduction) line.entry().append("true");
}

/// What of the symbols is not 1, by name; left out where all are.
void optionalBySymbol(Line& line, const char* key, const std::vector<RecordSymbol>& space,
                      std::int64_t RecordSymbol::*value) {
    const auto isOne = [value](const RecordSymbol& s) { return s.*value == 1; };
    if (std::all_of(space.begin(), space.end(), isOne)) return;
    Line values(line.member(key), '{');
    for (const RecordSymbol& s : space)
        values.optionalNumber(s.name.c_str(), s.*value, 1);
}

void appendOp(TextBuffer& out, const RecordOp& op) {
    Line line(out, '{');
    line.text("name", op.name);
    line.text("kind", op.kind);
    line.text("fn", op.fn);
    line.text("role", recordRoleName(op.role));
    line.optionalText("attrs", op.attributes);
    if (op.role == RecordRole::Fill) appendNumber(line.member("value"), op.fillValue);
    appendItems(line.member("space"), op.space, appendSymbol);
    optionalBySymbol(line, "split", op.space, &RecordSymbol::slices);
    optionalBySymbol(line, "unit", op.space, &RecordSymbol::unit);
    if (op.kFirst) line.text("core_map", kLastFirst);
    line.optionalNumber("cores", op.cores, 1);
    appendItems(line.member("args"), op.args,
                [&op](TextBuffer& at, const RecordArg& a) { appendArg(at, a, op.space); });
    if (!op.source.empty()) appendItems(line.member("source"), op.source, appendQuoted);
}

void appendStep(TextBuffer& out, const RecordStep& s) {
    Line line(out, '{');
    if (s.op >= 0) return line.number("op", s.op);
    Line loop(line.member("loop"), '{');
    loop.number("count", s.count);
    loop.text("var", s.variable);
    appendItems(loop.member("body"), s.body, appendStep);
}

void appendKernel(TextBuffer& out, const RecordKernel& k) {
    Line line(out, '{');
    line.text("name", k.name);
    line.list("ops", k.ops);
    line.list("arguments", k.arguments);
    line.optionalFlag("non_terminal", k.nonTerminal);
}

void appendOutput(TextBuffer& out, const RecordOutput& o) {
    Line line(out, '{');
    line.text("tensor", o.tensor);
    line.number("buffer", o.buffer);
    line.list("strides", o.strides);
    line.optionalNumber("offset", o.offset, 0);
}

/// A member that is a list with one entry per line.
template <class T, class F>
void appendBlock(TextBuffer& out, const char* key, const std::vector<T>& items, F&& append) {
    out.append(",\n\"").append(key).append("\": [");
    for (std::size_t i = 0; i < items.size(); ++i)
        append(out.append(i == 0 ? "\n" : ",\n"), items[i]);
    out.append(']');
}

}  // namespace

void appendRecordJson(TextBuffer& out, const ExecutionRecord& r) {
    Line line(out, '{');
    line.text("target", r.target);
    line.number("cores", r.cores);
    line.number("lx_bytes", r.lxBytes);
    line.number("lx_capacity", r.lxCapacity);
    line.number("alignment", r.alignment);
    line.optionalFlag("pool", r.hasPool);
    line.number("claimed_read_bytes", r.claimedReadBytes);
    line.number("claimed_write_bytes", r.claimedWriteBytes);
    appendBlock(out, "buffers", r.buffers, appendBuffer);
    appendBlock(out, "ops", r.ops, appendOp);
    out.append(",\n\"steps\": ");
    appendItems(out, r.steps, appendStep);
    appendBlock(out, "kernels", r.kernels, appendKernel);
    appendBlock(out, "outputs", r.outputs, appendOutput);
}

std::string recordJson(const ExecutionRecord& r) {
    TextBuffer out;
    appendRecordJson(out, r);
    return std::move(out).finish();
}

}  // namespace memplan::sim
