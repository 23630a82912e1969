// SPDX-License-Identifier: Apache-2.0
#include "engine/json/json_text.h"

#include "engine/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

namespace memplan::io {

namespace {

constexpr std::string_view kHex = "0123456789abcdef";

/// ASCII bytes that a JSON text holds as they are.
constexpr auto kIsPlain = [] {
    std::array<bool, 256> plain{};
    for (std::size_t c = 0x20; c < 0x80; ++c)
        plain[c] = c != '"' && c != '\\';
    return plain;
}();

/// Eight bytes of which a JSON text holds each as it is, looked at all at once: subtracting sets the high bit of the
/// bytes below the bound, of which the lowest one is never wrong.
bool isPlainWord(std::uint64_t bytes) {
    constexpr std::uint64_t kEach = 0x0101010101010101, kHigh = 0x80 * kEach;
    const auto isBelow = [](std::uint64_t b, std::uint64_t bound) { return (b - bound * kEach) & ~b & kHigh; };
    const std::uint64_t special =
        isBelow(bytes, 0x20) | isBelow(bytes ^ ('"' * kEach), 1) | isBelow(bytes ^ ('\\' * kEach), 1);
    return (special | (bytes & kHigh)) == 0;
}

constexpr std::size_t kWord = sizeof(std::uint64_t);

/// False where one of the eight characters needs more than a copy.
bool copyPlainWord(char* at, const char* from) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, from, kWord);
    if (!isPlainWord(bytes)) return false;
    std::memcpy(at, &bytes, kWord);
    return true;
}

/// Copies up to the first character that needs more than a copy; returns how many.
std::size_t copyPlain(char* at, std::string_view s) {
    std::size_t i = 0;
    while (i + kWord <= s.size() && copyPlainWord(at + i, s.data() + i))
        i += kWord;
    // The rest of a longer text is the end of its last word.
    const std::size_t last = s.size() - kWord;
    if (i + kWord > s.size() && s.size() > kWord && copyPlainWord(at + last, s.data() + last)) return s.size();
    for (; i < s.size() && kIsPlain[static_cast<unsigned char>(s[i])]; ++i)
        at[i] = s[i];
    return i;
}

char* put(char* at, std::string_view word) {
    return std::copy(word.begin(), word.end(), at);
}

char* putEscape(char* at, char c) {
    constexpr std::string_view kShort = "\"\\\b\f\n\r\t", kLetters = "\"\\bfnrt";
    *at++ = '\\';
    if (const std::size_t i = kShort.find(c); i != std::string_view::npos) {
        *at++ = kLetters[i];
        return at;
    }
    const auto byte = static_cast<unsigned char>(c);
    at = put(at, "u00");
    *at++ = kHex[byte >> 4U];
    *at++ = kHex[byte & 15U];
    return at;
}

/// Length of the valid UTF-8 sequence at `i`, 0 when there is none.
std::size_t sequenceLength(std::string_view s, std::size_t i) {
    for (std::size_t n = 2; n <= 4 && i + n <= s.size(); ++n) {
        if (text::isValidUtf8(s.substr(i, n))) return n;
    }
    return 0;
}

/// Characters of a quoted string at the most: an escape has six.
std::size_t quotedRoom(std::string_view value) {
    return 6 * value.size() + 2;
}

char* putQuoted(char* at, std::string_view value) {
    *at++ = '"';
    while (true) {
        const std::size_t plain = copyPlain(at, value);
        at += plain;
        value.remove_prefix(plain);
        if (value.empty()) break;
        const bool isAscii = static_cast<unsigned char>(value.front()) < 0x80;
        const std::size_t sequence = isAscii ? 0 : sequenceLength(value, 0);
        if (sequence > 0) {
            at = put(at, value.substr(0, sequence));
        } else {
            at = isAscii ? putEscape(at, value.front()) : put(at, "\xEF\xBF\xBD");
        }
        value.remove_prefix(std::max<std::size_t>(sequence, 1));
    }
    *at++ = '"';
    return at;
}

constexpr std::size_t kRealRoom = 40;

char* putReal(char* at, double value) {
    if (!std::isfinite(value)) return put(at, "null");
    char* const end = std::to_chars(at, at + kRealRoom, value).ptr;
    const std::string_view written(at, static_cast<std::size_t>(end - at));
    return written.find_first_of(".e") == std::string_view::npos ? put(end, ".0") : end;
}

char* putInteger(char* at, std::int64_t value) {
    return std::to_chars(at, at + TextBuffer::kLongestInteger, value).ptr;
}

char* putNumber(char* at, double value) {
    constexpr double kExactIntegers = 9007199254740992.0;  // 2^53
    const bool isInteger = std::trunc(value) == value && std::fabs(value) <= kExactIntegers;
    return isInteger ? putInteger(at, static_cast<std::int64_t>(value)) : putReal(at, value);
}

}  // namespace

void appendInteger(std::string& out, std::int64_t value) {
    std::array<char, TextBuffer::kLongestInteger> buffer;
    out.append(buffer.data(), putInteger(buffer.data(), value));
}

void appendJsonString(std::string& out, std::string_view value) {
    const std::size_t begin = out.size();
    out.resize(begin + quotedRoom(value));
    const char* end = putQuoted(out.data() + begin, value);
    out.resize(static_cast<std::size_t>(end - out.data()));
}

void appendPointerToken(std::string& out, std::string_view token) {
    for (const char c : token) {
        if (c == '~') {
            out += "~0";
        } else if (c == '/') {
            out += "~1";
        } else {
            out += c;
        }
    }
}

JsonWriter JsonWriter::compactBehind(TextBuffer text) {
    JsonWriter writer;
    writer.out_ = std::move(text);
    writer.isCompact_ = true;
    return writer;
}

/// With the room of one more value or key of `count` characters.
char* JsonWriter::separated(std::size_t count) {
    char* at = out_.room(separatorRoom() + count);
    if (afterKey_) {
        afterKey_ = false;
        return at;
    }
    if (stack_.empty()) return at;
    Level& level = stack_.back();
    if (!level.empty) *at++ = ',';
    if (!level.inlined) {
        at = putNewLine(at, stack_.size());
    } else if (isLineBroken_) {
        *at++ = '\n';
    } else if (!level.empty && !isCompact_) {
        *at++ = ' ';
    }
    level.empty = isLineBroken_ = false;
    return at;
}

char* JsonWriter::putNewLine(char* at, std::size_t depth) {
    *at++ = '\n';
    std::memset(at, ' ', 2 * depth);
    return at + 2 * depth;
}

void JsonWriter::begin(char bracket, bool inlined) {
    char* const at = separated(1);
    *at = bracket;
    out_.end(at + 1);
    const bool parentInlined = !stack_.empty() && stack_.back().inlined;
    stack_.push_back({inlined || parentInlined || isCompact_, true});
}

void JsonWriter::end(char bracket) {
    const Level level = stack_.back();
    stack_.pop_back();
    char* at = out_.room(separatorRoom() + 1);
    if (!level.inlined && !level.empty) at = putNewLine(at, stack_.size());
    *at++ = bracket;
    out_.end(at);
}

void JsonWriter::beginObject() {
    begin('{', false);
}

void JsonWriter::beginInlineObject() {
    begin('{', true);
}

void JsonWriter::endObject() {
    end('}');
}

void JsonWriter::beginArray(bool inlined) {
    begin('[', inlined);
}

void JsonWriter::endArray() {
    end(']');
}

void JsonWriter::key(std::string_view k) {
    char* at = putQuoted(separated(quotedRoom(k) + 2), k);
    *at++ = ':';
    if (!isCompact_) *at++ = ' ';
    out_.end(at);
    afterKey_ = true;
}

void JsonWriter::string(std::string_view v) {
    out_.end(putQuoted(separated(quotedRoom(v)), v));
}

void JsonWriter::integer(std::int64_t v) {
    out_.end(putInteger(separated(TextBuffer::kLongestInteger), v));
}

void JsonWriter::real(double v) {
    out_.end(putReal(separated(kRealRoom), v));
}

void JsonWriter::number(double v) {
    out_.end(putNumber(separated(kRealRoom), v));
}

void JsonWriter::boolean(bool v) {
    const std::string_view word = v ? "true" : "false";
    out_.end(put(separated(word.size()), word));
}

void JsonWriter::null() {
    const std::string_view word = "null";
    out_.end(put(separated(word.size()), word));
}

void JsonWriter::raw(std::string_view json) {
    TextBuffer& out = verbatim();
    if (isCompact_) return appendCompact(out, json);
    appendIndented(out, json, static_cast<int>(stack_.size()));
}

TextBuffer& JsonWriter::verbatim() {
    out_.end(separated(0));
    return out_;
}

/// Constants of a network are often one value many times: equal neighbours share the text of the first.
void JsonWriter::numbers(const std::vector<double>& values) {
    beginArray(true);
    std::size_t begin = 0, length = 0;  // of the last text
    for (std::size_t i = 0; i < values.size(); ++i) {
        char* at = separated(kRealRoom);
        if (i > 0 && values[i] == values[i - 1]) {
            at = put(at, out_.view().substr(begin, length));
        } else {
            begin = out_.size() + static_cast<std::size_t>(at - out_.room(0));
            char* const first = at;
            at = putNumber(at, values[i]);
            length = static_cast<std::size_t>(at - first);
        }
        out_.end(at);
    }
    endArray();
}

TextBuffer JsonWriter::text() && {
    if (!isCompact_) out_.append('\n');
    return std::move(out_);
}

std::string JsonWriter::finish() {
    return std::move(*this).text().finish();
}

}  // namespace memplan::io
