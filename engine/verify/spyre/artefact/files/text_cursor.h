// SPDX-License-Identifier: Apache-2.0
// Walks over the text of a file of a bundle. Throws Broken, which the readers turn into an error.
#pragma once

#include "engine/base/text.h"

#include <cctype>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace memplan::sim::artefact {

/// Why a file cannot be read; internal to the readers of this folder.
struct Broken {
    std::string where, what;
};

class TextCursor {
public:
    /// `comment` starts a comment that runs to the end of the line.
    TextCursor(std::string_view text, std::string_view comment) : text_(text), comment_(comment) {}

    [[nodiscard]] bool atEnd() {
        skip();
        return at_ >= text_.size();
    }
    /// Next character behind blanks and comments, 0 at the end.
    [[nodiscard]] char peek() {
        skip();
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    [[nodiscard]] bool startsWith(std::string_view what) {
        skip();
        return text_.substr(at_).starts_with(what);
    }
    bool take(std::string_view what) {
        if (!startsWith(what)) return false;
        at_ += what.size();
        return true;
    }
    void expect(std::string_view what) {
        if (!take(what)) fail("expected " + text::quoted(what));
    }
    /// A word of letters, digits, _ and the characters of `more`; may be empty.
    std::string word(std::string_view more = "") {
        skip();
        const std::size_t from = at_;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_' ||
                                      more.find(text_[at_]) != std::string_view::npos))
            ++at_;
        return std::string(text_.substr(from, at_ - from));
    }
    std::string name(std::string_view more = "") {
        std::string w = word(more);
        if (w.empty()) fail("expected a name");
        return w;
    }
    std::int64_t integer() {
        skip();
        const std::size_t from = at_;
        if (at_ < text_.size() && text_[at_] == '-') ++at_;
        while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0)
            ++at_;
        const auto value = text::parseInt(text_.substr(from, at_ - from));
        if (!value) fail("expected an integer of 64 bits");
        return *value;
    }
    /// Between two equal quotes, with backslash escapes taken as the character behind them.
    std::string quoted() {
        const char quote = peek();
        if (quote != '"' && quote != '\'') fail("expected a text between quotes");
        std::string out;
        for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
            if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
            out += text_[at_];
        }
        if (at_ >= text_.size()) fail("a text has no end");
        ++at_;
        return out;
    }
    void advance() {
        if (at_ < text_.size()) ++at_;
    }
    [[nodiscard]] std::size_t position() const { return at_; }
    void seek(std::size_t at) { at_ = at; }
    [[nodiscard]] std::string_view text() const { return text_; }

    [[noreturn]] void fail(const std::string& what) const {
        std::size_t line = 1;
        std::size_t column = 1;
        for (std::size_t i = 0; i < at_ && i < text_.size(); ++i) {
            ++column;
            if (text_[i] == '\n') {
                ++line;
                column = 1;
            }
        }
        throw Broken{std::to_string(line) + ":" + std::to_string(column), what};
    }

private:
    void skip() {
        while (at_ < text_.size()) {
            if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
                ++at_;
            } else if (text_.substr(at_).starts_with(comment_)) {
                while (at_ < text_.size() && text_[at_] != '\n')
                    ++at_;
            } else {
                return;
            }
        }
    }

    std::string_view text_, comment_;
    std::size_t at_ = 0;
};

}  // namespace memplan::sim::artefact
