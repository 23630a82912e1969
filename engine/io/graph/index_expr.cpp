// SPDX-License-Identifier: Apache-2.0
#include "engine/io/graph/index_expr.h"

#include "engine/base/text.h"

#include <algorithm>

namespace memplan::io {

namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isNameStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

class Parser {
public:
    Parser(std::string_view text, const std::vector<IterDim>& iter) : text_(text), iter_(iter) {}

    std::optional<IndexExpr> run() {
        IndexExpr expr;
        bool negative = take('-');
        while (true) {
            if (!term(expr, negative)) return std::nullopt;
            if (at_ == text_.size()) break;
            if (take('+')) {
                negative = false;
            } else if (take('-')) {
                negative = true;
            } else {
                return std::nullopt;
            }
        }
        if (!fits32(expr.constant)) return std::nullopt;
        return expr;
    }

private:
    static bool fits32(std::int64_t v) { return v >= INT32_MIN && v <= INT32_MAX; }

    bool take(char c) {
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    std::string_view run(bool (*accepts)(char)) {
        const std::size_t begin = at_;
        while (at_ < text_.size() && accepts(text_[at_]))
            ++at_;
        return text_.substr(begin, at_ - begin);
    }

    bool term(IndexExpr& expr, bool negative) {
        std::int64_t factor = 1;
        if (at_ < text_.size() && isDigit(text_[at_])) {
            const auto value = text::parseInt(run(isDigit));
            if (!value || !fits32(*value)) return false;
            factor = *value;
            if (!take('*')) {
                expr.constant += negative ? -factor : factor;
                return true;
            }
        }
        if (at_ >= text_.size() || !isNameStart(text_[at_])) return false;
        const std::string_view name = run([](char c) { return isNameStart(c) || isDigit(c); });
        const auto loop = std::find_if(iter_.begin(), iter_.end(), [name](const IterDim& d) { return d.d == name; });
        if (loop == iter_.end()) return false;
        expr.terms.push_back({static_cast<int>(loop - iter_.begin()), negative ? -factor : factor});
        return true;
    }

    std::string_view text_;
    const std::vector<IterDim>& iter_;
    std::size_t at_ = 0;
};

}  // namespace

bool isIdentifier(std::string_view s) {
    return !s.empty() && isNameStart(s[0]) &&
           std::all_of(s.begin(), s.end(), [](char c) { return isNameStart(c) || isDigit(c); });
}

std::optional<IndexExpr> parseIndexExpr(std::string_view text, const std::vector<IterDim>& iter) {
    if (text == "?") {
        IndexExpr expr;
        expr.dataDependent = true;
        return expr;
    }
    return Parser(text, iter).run();
}

std::string indexExprText(const IndexExpr& expr, const std::vector<IterDim>& iter) {
    if (expr.dataDependent) return "?";
    std::string out;
    for (const IndexExpr::Term& t : expr.terms) {
        if (t.coefficient < 0) {
            out += '-';
        } else if (!out.empty()) {
            out += '+';
        }
        const std::int64_t magnitude = t.coefficient < 0 ? -t.coefficient : t.coefficient;
        if (magnitude != 1) out += std::to_string(magnitude) + "*";
        out += iter.at(static_cast<std::size_t>(t.loop)).d;
    }
    if (out.empty()) return std::to_string(expr.constant);
    if (expr.constant > 0) out += "+" + std::to_string(expr.constant);
    if (expr.constant < 0) out += std::to_string(expr.constant);
    return out;
}

}  // namespace memplan::io
