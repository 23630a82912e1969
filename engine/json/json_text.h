// SPDX-License-Identifier: Apache-2.0
// Writing JSON text: numbers by std::to_chars, escapes, and the canonical layout of documents
// (inputs-and-interchange 2.8).
#pragma once

#include "engine/base/text_buffer.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::io {

void appendInteger(std::string& out, std::int64_t value);
/// Quoted and escaped; invalid UTF-8 is replaced by U+FFFD.
void appendJsonString(std::string& out, std::string_view value);
/// One reference token of a JSON pointer: ~ and / escaped (RFC 6901).
void appendPointerToken(std::string& out, std::string_view token);

/// Appends valid JSON text in the canonical layout: members on lines of their own, two blanks per
/// level, arrays of scalars on one line. `level` is the depth of the value itself.
void appendIndented(TextBuffer& out, std::string_view json, int level);

/// Appends valid JSON text without the blanks and line ends between its parts.
void appendCompact(TextBuffer& out, std::string_view json);

/// Writes one document: commas, line ends and indents are its business.
class JsonWriter {
public:
    /// `expected`: bytes of the text, more or less.
    explicit JsonWriter(std::size_t expected = 0) : out_(expected) {}
    /// A writer of one value without blanks and line ends, behind the text that is there.
    [[nodiscard]] static JsonWriter compactBehind(TextBuffer text);

    void beginObject();
    void endObject();
    /// A block array has every entry on a line of its own; an inline one has all on one line.
    void beginArray(bool inlined = false);
    void endArray();
    /// Members of an object on one line until its end.
    void beginInlineObject();
    /// The next entry or member on one line with others stands on the line below, without an indent.
    void breakLine() { isLineBroken_ = true; }

    void key(std::string_view k);
    void string(std::string_view v);
    void integer(std::int64_t v);
    /// Shortest text that reads back to the same double; always with a point or an exponent, so that a reader sees a
    /// real number again. Not finite: null.
    void real(double v);
    void number(double v);  ///< an integer where an integer will do
    void boolean(bool v);
    void null();
    void numbers(const std::vector<double>& values);  ///< an inline array
    void raw(std::string_view json);                  ///< valid JSON text, laid out anew
    /// The text so far, behind which the caller appends valid JSON text of one value.
    [[nodiscard]] TextBuffer& verbatim();

    void member(std::string_view k, std::string_view v) { key(k), string(v); }
    void member(std::string_view k, const std::string& v) { key(k), string(v); }
    void member(std::string_view k, const char* v) { key(k), string(v); }
    void member(std::string_view k, std::int64_t v) { key(k), integer(v); }
    void member(std::string_view k, int v) { key(k), integer(v); }
    void member(std::string_view k, double v) { key(k), number(v); }
    void member(std::string_view k, bool v) { key(k), boolean(v); }

    /// The text, with a final newline unless it is compact.
    [[nodiscard]] std::string finish();
    [[nodiscard]] TextBuffer text() &&;

private:
    struct Level {
        bool inlined = false;
        bool empty = true;
    };
    /// Characters of a comma, a line end and the indent at the most.
    [[nodiscard]] std::size_t separatorRoom() const { return 2 + 2 * stack_.size(); }
    [[nodiscard]] char* separated(std::size_t count);
    static char* putNewLine(char* at, std::size_t depth);
    void begin(char bracket, bool inlined);
    void end(char bracket);

    TextBuffer out_;
    std::vector<Level> stack_;
    bool afterKey_ = false;
    bool isLineBroken_ = false;
    bool isCompact_ = false;
};

}  // namespace memplan::io
