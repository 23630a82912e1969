// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/import/mlir_tokens.h"

#include "engine/base/text.h"
#include "engine/spyre/bundle/python/py_reader.h"

#include <cctype>

namespace memplan::io {

namespace {

bool isWordChar(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$';
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace

void MlirTokens::skipBlanks() {
    while (i_ < s_.size()) {
        if (std::isspace(static_cast<unsigned char>(s_[i_])) != 0) {
            ++i_;
        } else if (s_.substr(i_, 2) == "//") {
            while (i_ < s_.size() && s_[i_] != '\n')
                ++i_;
        } else {
            return;
        }
    }
}

void MlirTokens::next() {
    skipBlanks();
    t_ = Token{};
    t_.offset = i_;
    if (i_ >= s_.size() || failed()) return;
    const char c = s_[i_];
    const bool negative = c == '-' && i_ + 1 < s_.size() && isDigit(s_[i_ + 1]);
    if (c == '%' || c == '#' || c == '@' || c == '!') {
        ++i_;
        word();
        t_.kind = c == '%' ? Kind::Value : c == '#' ? Kind::Map : c == '@' ? Kind::Symbol : Kind::Type;
        if (t_.text.empty()) fail(std::string("a name is expected behind \"") + c + "\"");
    } else if (isDigit(c) || negative) {
        const std::size_t begin = i_++;
        while (i_ < s_.size() && isDigit(s_[i_]))
            ++i_;
        t_.kind = Kind::Integer;
        t_.text = s_.substr(begin, i_ - begin);
        const auto value = text::parseInt(t_.text);
        if (!value) fail("an integer beyond 64 bits");
        t_.integer = value.value_or(0);
    } else if (c == '"') {
        const std::size_t end = s_.find_first_of("\"\n", i_ + 1);
        if (end == std::string_view::npos || s_[end] != '"') return fail("a string is not closed on its line");
        t_.kind = Kind::String;
        t_.text = s_.substr(i_ + 1, end - i_ - 1);
        i_ = end + 1;
    } else if (isWordChar(c)) {
        word();
        t_.kind = Kind::Word;
    } else {
        t_.kind = Kind::Sign;
        const std::size_t size = s_.substr(i_, 2) == "->" || s_.substr(i_, 2) == "::" ? 2 : 1;
        t_.text = s_.substr(i_, size);
        i_ += size;
    }
}

void MlirTokens::word() {
    const std::size_t begin = i_;
    while (i_ < s_.size() && isWordChar(s_[i_]))
        ++i_;
    t_.text = s_.substr(begin, i_ - begin);
}

bool MlirTokens::take(Kind k, std::string_view text) {
    if (!is(k, text)) return false;
    next();
    return true;
}

void MlirTokens::fail(const std::string& what) {
    if (failed()) return;
    error_ = what;
    place_ = t_.offset;
    t_ = Token{};
}

std::string MlirTokens::place(std::size_t offset) const {
    return bundle::placeIn(s_, offset);
}

Error MlirTokens::error() const {
    return makeError("BND-103", place(place_), error_, "choose the bundle.mlir as the compiler wrote it");
}

void MlirTokens::skipBalanced() {
    int depth = 0;
    do {
        if (is(Kind::End)) return fail("a bracket is not closed");
        if (isSign("(") || isSign("{") || isSign("[") || isSign("<")) ++depth;
        if (isSign(")") || isSign("}") || isSign("]") || isSign(">")) --depth;
        next();
    } while (depth > 0 && !failed());
}

}  // namespace memplan::io
