// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/bundle/python/py_reader.h"

#include "engine/base/text.h"

#include <algorithm>
#include <cctype>

namespace memplan::bundle {

namespace {

constexpr int kDeepest = 64;

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool startsWord(char c) {
    return c == '_' || std::isalpha(static_cast<unsigned char>(c)) != 0;
}

Error syntaxError(std::string_view s, std::size_t at, const std::string& what) {
    return makeError("BND-102", placeIn(s, at), what, "choose the generated wrapper source as the compiler wrote it");
}

}  // namespace

std::string placeIn(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t lineStart = before.rfind('\n');
    const std::size_t column = before.size() - (lineStart == std::string_view::npos ? 0 : lineStart + 1) + 1;
    return std::to_string(line) + ":" + std::to_string(column);
}

Result<PyValue> PyReader::value() {
    PyValue v = parse();
    if (failed()) return syntaxError(s_, place_, error_);
    return v;
}

bool PyReader::take(char c) {
    blanks();
    if (peek() != c || i_ >= s_.size()) return false;
    ++i_;
    return true;
}

Error PyReader::expected(std::string_view what) const {
    return syntaxError(s_, i_, std::string(what) + " is expected");
}

void PyReader::blanks() {
    while (i_ < s_.size()) {
        if (std::isspace(static_cast<unsigned char>(s_[i_])) != 0) {
            ++i_;
        } else if (s_[i_] == '#') {
            while (i_ < s_.size() && s_[i_] != '\n')
                ++i_;
        } else {
            return;
        }
    }
}

void PyReader::fail(std::string_view what) {
    if (failed()) return;
    error_ = what;
    place_ = i_;
}

PyValue PyReader::parse() {
    blanks();
    if (depth_ >= kDeepest) fail("nesting over 64 levels");
    if (failed()) return {};
    ++depth_;
    PyValue v;
    const char c = peek();
    if (c == '[') {
        ++i_;
        v = sequence(PyKind::List, ']');
    } else if (c == '(') {
        ++i_;
        v = sequence(PyKind::Tuple, ')');
    } else if (c == '{') {
        ++i_;
        v = dict();
    } else if (c == '\'' || c == '"') {
        v = string();
    } else if (c == '-') {
        ++i_;
        blanks();
        v = number(true);
    } else if (isDigit(c) || c == '.') {
        v = number(false);
    } else if (startsWord(c)) {
        v = word();
    } else if (i_ >= s_.size()) {
        fail("the text ends where a value is expected");
    } else {
        fail("a value is expected, not " + text::quoted(s_.substr(i_, 1)));
    }
    --depth_;
    return v;
}

PyValue PyReader::number(bool negative) {
    const std::size_t begin = i_;
    bool isReal = false;
    while (i_ < s_.size()) {
        const char c = s_[i_];
        const bool sign = (c == '+' || c == '-') && i_ > begin && (s_[i_ - 1] == 'e' || s_[i_ - 1] == 'E');
        if (!isDigit(c) && c != '.' && c != 'e' && c != 'E' && !sign) break;
        isReal = isReal || !isDigit(c);
        ++i_;
    }
    const std::string digits = (negative ? "-" : "") + std::string(s_.substr(begin, i_ - begin));
    if (isReal) {
        const auto v = text::parseDouble(digits);
        if (!v) fail("\"" + digits.substr(0, 40) + "\" is no number");
        return PyValue::ofReal(v.value_or(0));
    }
    const auto v = text::parseInt(digits);
    if (!v) fail(i_ == begin ? "a number is expected" : "an integer beyond 64 bits");
    return PyValue::ofInt(v.value_or(0));
}

PyValue PyReader::string() {
    const char quote = s_[i_++];
    std::string out;
    while (i_ < s_.size() && s_[i_] != quote) {
        char c = s_[i_++];
        if (c == '\n') {
            fail("a string is not closed on its line");
            return {};
        }
        if (c == '\\' && i_ < s_.size()) {
            c = s_[i_++];
            if (c == 'n')
                c = '\n';
            else if (c == 't')
                c = '\t';
            else if (c == 'r')
                c = '\r';
            else if (c != '\\' && c != '\'' && c != '"')
                out += '\\';  // other escapes are kept as written
        }
        out += c;
    }
    if (i_ >= s_.size())
        fail("a string is not closed");
    else
        ++i_;
    return PyValue::ofText(std::move(out));
}

std::string PyReader::identifier() {
    const std::size_t begin = i_;
    while (i_ < s_.size() && (startsWord(s_[i_]) || isDigit(s_[i_])))
        ++i_;
    return std::string(s_.substr(begin, i_ - begin));
}

PyValue PyReader::word() {
    PyValue v;
    v.kind = PyKind::Name;
    v.text = identifier();
    while (peek() == '.') {
        ++i_;
        if (!startsWord(peek())) fail("a name is expected behind the dot");
        if (failed()) return v;
        v.text += "." + identifier();
    }
    if (v.text == "True" || v.text == "False") {
        v.kind = PyKind::Bool;
        v.boolean = v.text == "True";
        v.text.clear();
        return v;
    }
    if (v.text == "None") return {};
    const std::size_t behind = i_;
    if (take('(')) {
        v.kind = PyKind::Call;
        arguments(v);
    } else {
        i_ = behind;
    }
    return v;
}

PyValue PyReader::sequence(PyKind kind, char end) {
    PyValue v;
    v.kind = kind;
    while (!failed() && !take(end)) {
        v.items.push_back(parse());
        if (failed() || take(end)) break;
        if (!take(',')) fail("\",\" or \"" + std::string(1, end) + "\" is expected");
    }
    return v;
}

PyValue PyReader::dict() {
    PyValue v = PyValue::dict();
    while (!failed() && !take('}')) {
        v.items.push_back(parse());
        if (!failed() && !take(':')) fail("\":\" is expected");
        if (!failed()) v.items.push_back(parse());
        if (failed() || take('}')) break;
        if (!take(',')) fail("\",\" or \"}\" is expected");
    }
    return v;
}

void PyReader::arguments(PyValue& call) {
    while (!failed() && !take(')')) {
        blanks();
        const std::size_t begin = i_;
        std::string keyword = startsWord(peek()) ? identifier() : std::string();
        blanks();
        const bool isKeyword = !keyword.empty() && peek() == '=' && s_.substr(i_, 2) != "==";
        if (isKeyword) {
            ++i_;
        } else {
            i_ = begin;
            keyword.clear();
        }
        call.keywords.push_back(std::move(keyword));
        call.items.push_back(parse());
        if (failed() || take(')')) return;
        if (!take(',')) fail("\",\" or \")\" is expected");
    }
}

}  // namespace memplan::bundle
