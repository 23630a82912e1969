// SPDX-License-Identifier: Apache-2.0
// Words and signs of MLIR text, as far as bundle.mlir needs them.
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace memplan::io {

class MlirTokens {
public:
    enum class Kind {
        End,
        Word,
        Value,
        Map,
        Symbol,
        Type,
        Integer,
        String,
        Sign
    };  // Value %x, Map #x, Symbol @x, Type !x
    struct Token {
        Kind kind = Kind::End;
        std::string_view text;  ///< without the leading sign; a string without its quotes
        std::int64_t integer = 0;
        std::size_t offset = 0;
    };

    explicit MlirTokens(std::string_view text) : s_(text) { next(); }

    [[nodiscard]] const Token& token() const { return t_; }
    void next();
    [[nodiscard]] bool is(Kind k) const { return t_.kind == k; }
    [[nodiscard]] bool is(Kind k, std::string_view text) const { return t_.kind == k && t_.text == text; }
    [[nodiscard]] bool isSign(std::string_view s) const { return is(Kind::Sign, s); }
    bool take(Kind k, std::string_view text);
    bool takeSign(std::string_view s) { return take(Kind::Sign, s); }
    bool takeWord(std::string_view s) { return take(Kind::Word, s); }

    void fail(const std::string& what);  ///< keeps the first; the text then looks ended
    [[nodiscard]] bool failed() const { return !error_.empty(); }
    [[nodiscard]] Error error() const;
    [[nodiscard]] std::string place(std::size_t offset) const;  ///< line:column
    /// Skips a bracketed part; the current token is its opening sign.
    void skipBalanced();

private:
    void skipBlanks();
    void word();

    std::string_view s_;
    std::size_t i_ = 0, place_ = 0;
    Token t_;
    std::string error_;
};

}  // namespace memplan::io
