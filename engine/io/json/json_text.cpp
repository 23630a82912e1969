// SPDX-License-Identifier: Apache-2.0
#include "io/json/json_text.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

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

void appendEscape(std::string& out, char c) {
    switch (c) {
    case '"':
        out += "\\\"";
        return;
    case '\\':
        out += "\\\\";
        return;
    case '\b':
        out += "\\b";
        return;
    case '\f':
        out += "\\f";
        return;
    case '\n':
        out += "\\n";
        return;
    case '\r':
        out += "\\r";
        return;
    case '\t':
        out += "\\t";
        return;
    default:
        break;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += "\\u00";
    out += kHex[byte >> 4U];
    out += kHex[byte & 15U];
}

/// Length of the valid UTF-8 sequence at `i`, 0 when there is none.
std::size_t sequenceLength(std::string_view s, std::size_t i) {
    for (std::size_t n = 2; n <= 4 && i + n <= s.size(); ++n) {
        if (text::isValidUtf8(s.substr(i, n))) return n;
    }
    return 0;
}

}  // namespace

void appendInteger(std::string& out, std::int64_t value) {
    std::array<char, 24> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    out.append(buffer.data(), end);
}

void appendReal(std::string& out, double value) {
    if (!std::isfinite(value)) {
        out += "null";
        return;
    }
    std::array<char, 40> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    const std::string_view written(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
    out += written;
    if (written.find_first_of(".e") == std::string_view::npos) out += ".0";
}

void appendNumber(std::string& out, double value) {
    constexpr double kExactIntegers = 9007199254740992.0;  // 2^53
    if (std::trunc(value) == value && std::fabs(value) <= kExactIntegers) {
        appendInteger(out, static_cast<std::int64_t>(value));
    } else {
        appendReal(out, value);
    }
}

void appendJsonString(std::string& out, std::string_view value) {
    out += '"';
    for (std::size_t i = 0; i < value.size();) {
        const std::size_t begin = i;
        while (i < value.size() && kIsPlain[static_cast<unsigned char>(value[i])])
            ++i;
        out += value.substr(begin, i - begin);
        if (i == value.size()) break;
        const bool isAscii = static_cast<unsigned char>(value[i]) < 0x80;
        const std::size_t sequence = isAscii ? 0 : sequenceLength(value, i);
        if (sequence > 0) {
            out += value.substr(i, sequence);
        } else if (isAscii) {
            appendEscape(out, value[i]);
        } else {
            out += "\xEF\xBF\xBD";
        }
        i += std::max<std::size_t>(sequence, 1);
    }
    out += '"';
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

JsonWriter JsonWriter::compactBehind(std::string text) {
    JsonWriter writer;
    writer.out_ = std::move(text);
    writer.isCompact_ = true;
    return writer;
}

void JsonWriter::newLine(std::size_t depth) {
    out_ += '\n';
    out_.append(2 * depth, ' ');
}

void JsonWriter::separate() {
    if (afterKey_) {
        afterKey_ = false;
        return;
    }
    if (stack_.empty()) return;
    Level& level = stack_.back();
    if (!level.empty) out_ += ',';
    if (level.inlined) {
        if (!level.empty && !isCompact_) out_ += ' ';
    } else {
        newLine(stack_.size());
    }
    level.empty = false;
}

void JsonWriter::begin(char bracket, bool inlined, bool isArray) {
    separate();
    out_ += bracket;
    const bool parentInlined = !stack_.empty() && stack_.back().inlined;
    stack_.push_back({inlined || parentInlined || isCompact_, isArray, true});
}

void JsonWriter::end(char bracket) {
    const Level level = stack_.back();
    stack_.pop_back();
    if (!level.inlined && !level.empty) newLine(stack_.size());
    out_ += bracket;
}

void JsonWriter::beginObject() {
    begin('{', false, false);
}

void JsonWriter::beginInlineObject() {
    begin('{', true, false);
}

void JsonWriter::endObject() {
    end('}');
}

void JsonWriter::beginArray(bool inlined) {
    begin('[', inlined, true);
}

void JsonWriter::endArray() {
    end(']');
}

void JsonWriter::key(std::string_view k) {
    separate();
    appendJsonString(out_, k);
    out_ += isCompact_ ? ":" : ": ";
    afterKey_ = true;
}

void JsonWriter::string(std::string_view v) {
    separate();
    appendJsonString(out_, v);
}

void JsonWriter::integer(std::int64_t v) {
    separate();
    appendInteger(out_, v);
}

void JsonWriter::real(double v) {
    separate();
    appendReal(out_, v);
}

void JsonWriter::number(double v) {
    separate();
    appendNumber(out_, v);
}

void JsonWriter::boolean(bool v) {
    separate();
    out_ += v ? "true" : "false";
}

void JsonWriter::null() {
    separate();
    out_ += "null";
}

void JsonWriter::raw(std::string_view json) {
    separate();
    if (isCompact_) return appendCompact(out_, json);
    appendIndented(out_, json, static_cast<int>(stack_.size()));
}

std::string& JsonWriter::verbatim() {
    separate();
    return out_;
}

/// Constants of a network are often one value many times: equal neighbours share the text of the first.
void JsonWriter::numbers(const std::vector<double>& values) {
    beginArray(true);
    std::size_t begin = 0, length = 0;  // of the last text
    for (std::size_t i = 0; i < values.size(); ++i) {
        separate();
        if (i > 0 && values[i] == values[i - 1]) {
            out_.append(out_, begin, length);
            continue;
        }
        begin = out_.size();
        appendNumber(out_, values[i]);
        length = out_.size() - begin;
    }
    endArray();
}

std::string JsonWriter::finish() {
    if (!isCompact_) out_ += '\n';
    return std::move(out_);
}

}  // namespace memplan::io
