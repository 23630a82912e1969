// SPDX-License-Identifier: Apache-2.0
// Writes the objects of an execution record, each on one line; the lists of the outermost one stand on lines of their
// own. Members with their default are left out.
#pragma once

#include "engine/base/text.h"
#include "engine/base/text_buffer.h"
#include "engine/io/plan/record/record_members.h"
#include "engine/json/json_text.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan::io::record {

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

private:
    TextBuffer& out_;
    char close_;
    bool isEmpty_ = true;
};

class ObjectWriter {
public:
    /// `space`: symbols of the indices in this object; null where it has none. It outlives the writer.
    explicit ObjectWriter(TextBuffer& out, const std::vector<sim::RecordSymbol>* space = nullptr)
        : out_(out), line_(out, '{'), space_(space) {}

    // Positions in the lists of the record: their number matters to readers alone.
    [[nodiscard]] static Range buffers() { return {}; }
    [[nodiscard]] static Range ops() { return {}; }
    void expect(bool, std::string_view) {}

    void text(std::string_view key, std::string_view value) { appendQuoted(line_.member(key), value); }
    void optionalText(std::string_view key, std::string_view value) {
        if (!value.empty()) text(key, value);
    }
    void texts(std::string_view key, const std::vector<std::string>& values) {
        if (!values.empty()) items(key, values, appendQuoted);
    }
    void target(std::string_view key, std::string_view value) { text(key, value); }
    void variable(std::string_view key, std::string_view value) { text(key, value); }
    void number(std::string_view key, std::int64_t value, Range) { line_.member(key).appendInteger(value); }
    void optional(std::string_view key, std::int64_t value, Range range, std::int64_t otherwise) {
        if (value != otherwise) number(key, value, range);
    }
    void flag(std::string_view key, bool value, bool otherwise) {
        if (value != otherwise) line_.member(key).append(value ? "true" : "false");
    }
    /// JSON has no word for what is not finite.
    void real(std::string_view key, double value, bool isSaid) {
        if (!isSaid) return;
        TextBuffer& out = line_.member(key);
        std::isfinite(value) ? void(out.append(text::number(value))) : appendQuoted(out, text::number(value));
    }
    template <class E, class All>
    void word(std::string_view key, E value, const All&, std::string_view (*nameOf)(E), std::string_view) {
        text(key, nameOf(value));
    }
    void choice(std::string_view key, bool isChosen, std::string_view word, std::string_view) {
        if (isChosen) text(key, word);
    }
    template <class T> void list(std::string_view key, const std::vector<T>& values, Range) {
        items(key, values, [](TextBuffer& out, T v) { out.appendInteger(v); });
    }
    template <class T> void optionalList(std::string_view key, const std::vector<T>& values, Range range) {
        if (!values.empty()) list(key, values, range);
    }
    void extents(std::string_view key, const std::vector<std::int64_t>& values, std::int64_t) { list(key, values, {}); }
    void interval(std::string_view key, std::int64_t start, std::int64_t end, Range) {
        pair(line_.member(key), start, end);
    }
    template <class F> void object(std::string_view key, F&& members) {
        ObjectWriter inner(line_.member(key), space_);
        members(inner);
    }
    template <class F> void group(std::string_view key, bool isThere, F&& members) {
        if (isThere) object(key, members);
    }

    void index(std::string_view key, const sim::LinearIndex& index) {
        if (index != sim::LinearIndex{}) text(key, sim::indexText(index, *space_));
    }
    void index(std::string_view key, const std::optional<sim::LinearIndex>& index) {
        if (index) text(key, sim::indexText(*index, *space_));
    }
    void slices(std::string_view key, const std::vector<std::pair<int, std::int64_t>>& slices) {
        if (slices.empty()) return;
        items(key, slices, [](TextBuffer& out, const auto& s) { pair(out, s.first, s.second); });
    }
    void symbols(std::string_view key, const std::vector<sim::RecordSymbol>& space) {
        items(key, space, [](TextBuffer& out, const sim::RecordSymbol& s) {
            Line line(out, '[');
            appendQuoted(line.entry(), s.name);
            line.entry().appendInteger(s.extent);
            if (s.isReduction) line.entry().append("true");
        });
    }
    /// What of the symbols is not 1, by name; left out where all are.
    void bySymbol(std::string_view key, const std::vector<sim::RecordSymbol>& space,
                  std::int64_t sim::RecordSymbol::*value) {
        const auto isOne = [value](const sim::RecordSymbol& s) { return s.*value == 1; };
        if (std::all_of(space.begin(), space.end(), isOne)) return;
        ObjectWriter values(line_.member(key));
        for (const sim::RecordSymbol& s : space)
            values.optional(s.name, s.*value, {}, 1);
    }

    template <class T>
    void records(std::string_view key, const std::vector<T>& list, const std::vector<sim::RecordSymbol>& space) {
        items(key, list, [&space](TextBuffer& out, const T& item) { append(out, item, &space); });
    }
    /// A list with one entry per line.
    template <class T> void block(std::string_view key, const std::vector<T>& list) {
        nextLine(key).append('[');
        for (std::size_t i = 0; i < list.size(); ++i)
            append(out_.append(i == 0 ? "\n" : ",\n"), list[i], nullptr);
        out_.append(']');
    }
    /// Those of the record stand on a line of their own.
    void steps(std::string_view key, const std::vector<sim::RecordStep>& steps) {
        appendItems(key == "body" ? line_.member(key) : nextLine(key), steps, appendStep);
    }

private:
    static void appendQuoted(TextBuffer& out, std::string_view s) {
        const auto isPlain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
        if (std::all_of(s.begin(), s.end(), isPlain)) {
            out.append('"').append(s).append('"');
            return;
        }
        std::string quoted;
        appendJsonString(quoted, s);
        out.append(quoted);
    }
    static void pair(TextBuffer& out, std::int64_t first, std::int64_t second) {
        Line line(out, '[');
        line.entry().appendInteger(first);
        line.entry().appendInteger(second);
    }
    template <class T> static void append(TextBuffer& out, const T& item, const std::vector<sim::RecordSymbol>* space) {
        ObjectWriter object(out, space);
        Members::of(object, item);
    }
    static void appendStep(TextBuffer& out, const sim::RecordStep& step) {
        ObjectWriter object(out);
        if (step.op >= 0) return object.number("op", step.op, {});
        object.object("loop", [&step](ObjectWriter& loop) { Members::ofLoop(loop, step); });
    }
    template <class T, class F> static void appendItems(TextBuffer& out, const std::vector<T>& list, F&& append) {
        Line line(out, '[');
        for (const T& item : list)
            append(line.entry(), item);
    }
    template <class T, class F> void items(std::string_view key, const std::vector<T>& list, F&& append) {
        appendItems(line_.member(key), list, append);
    }
    TextBuffer& nextLine(std::string_view key) { return out_.append(",\n\"").append(key).append("\": "); }

    TextBuffer& out_;
    Line line_;
    const std::vector<sim::RecordSymbol>* space_;
};

}  // namespace memplan::io::record
