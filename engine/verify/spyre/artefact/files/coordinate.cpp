// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/files/coordinate.h"

#include "engine/base/numeric.h"
#include "engine/verify/spyre/artefact/files/text_cursor.h"

#include <algorithm>
#include <numeric>

namespace memplan::sim::artefact {

using std::int64_t;
using std::string;

/// expr := term {('+'|'-') term}; term := unary {('*'|'/') unary}; unary := ['-'] atom
class CoordinateReader {
public:
    CoordinateReader(std::string_view text, const std::vector<string>& symbols) : t_(text, "#"), symbols_(symbols) {}

    Coordinate run() {
        sum(0);
        if (!t_.atEnd()) t_.fail("expected the end");
        return std::move(out_);
    }

private:
    using Kind = Coordinate::Kind;
    TextCursor t_;
    const std::vector<string>& symbols_;
    Coordinate out_;

    void add(Kind kind, int64_t value = 0) { out_.codes_.push_back({kind, value}); }

    void sum(int depth) {
        constexpr int kDeepest = 50;
        if (depth > kDeepest) t_.fail("nested too deep");
        product(depth);
        for (char c = t_.peek(); c == '+' || c == '-'; c = t_.peek()) {
            t_.advance();
            product(depth);
            add(c == '+' ? Kind::Add : Kind::Subtract);
        }
    }

    void product(int depth) {
        unary(depth);
        for (char c = t_.peek(); c == '*' || c == '/'; c = t_.peek()) {
            t_.advance();
            unary(depth);
            add(c == '*' ? Kind::Multiply : Kind::Divide);
        }
    }

    void unary(int depth) {
        const bool isNegative = t_.take("-");
        atom(depth);
        if (isNegative) add(Kind::Negate);
    }

    void atom(int depth) {
        if (t_.take("(")) {
            sum(depth + 1);
            t_.expect(")");
            return;
        }
        const string word = t_.name();
        if (const auto number = text::parseInt(word)) return add(Kind::Number, *number);
        if (t_.take("(")) return call(word, depth);
        const auto it = std::find(symbols_.begin(), symbols_.end(), word);
        if (it == symbols_.end()) t_.fail(text::quoted(word) + " is no loop of the operation");
        add(Kind::Symbol, it - symbols_.begin());
    }

    void call(const string& name, int depth) {
        sum(depth + 1);
        if (name == "Mod") {
            t_.expect(",");
            sum(depth + 1);
        } else if (name != "floor") {
            t_.fail(text::quoted(name) + " is not known");
        }
        t_.expect(")");
        add(name == "Mod" ? Kind::Mod : Kind::Floor);
    }
};

namespace {

/// Lowest terms, denominator above 0; 0/0 for what has no value.
struct Fraction {
    int64_t over = 0, under = 1;
    [[nodiscard]] bool isNumber() const { return under > 0; }
};

constexpr Fraction kNothing{0, 0};

Fraction reduced(std::optional<int64_t> over, std::optional<int64_t> under) {
    if (!over || !under || *under == 0 || *over == INT64_MIN || *under == INT64_MIN) return kNothing;
    const int64_t shared = std::max<int64_t>(std::gcd(*over, *under), 1) * (*under < 0 ? -1 : 1);
    return {*over / shared, *under / shared};
}

Fraction sum(const Fraction& a, const Fraction& b) {
    const auto left = checkedMul(a.over, b.under);
    const auto right = checkedMul(b.over, a.under);
    return left && right ? reduced(checkedAdd(*left, *right), checkedMul(a.under, b.under)) : kNothing;
}

Fraction product(const Fraction& a, const Fraction& b) {
    return reduced(checkedMul(a.over, b.over), checkedMul(a.under, b.under));
}

Fraction floorOf(const Fraction& a) {
    if (!a.isNumber()) return kNothing;
    return {a.over / a.under - (a.over % a.under < 0 ? 1 : 0), 1};
}

Fraction quotient(const Fraction& a, const Fraction& b) {
    return b.over == 0 ? kNothing : reduced(checkedMul(a.over, b.under), checkedMul(a.under, b.over));
}

}  // namespace

std::optional<Coordinate> Coordinate::parse(std::string_view text, const std::vector<string>& symbols) {
    try {
        return CoordinateReader(text, symbols).run();
    } catch (const Broken&) {
        return std::nullopt;
    }
}

std::optional<int64_t> Coordinate::at(const std::vector<int64_t>& values) const {
    std::vector<Fraction> stack;
    const auto take = [&stack] {
        const Fraction f = stack.back();
        stack.pop_back();
        return f;
    };
    for (const Code& c : codes_) {
        if (c.kind == Kind::Number || c.kind == Kind::Symbol) {
            stack.push_back({c.kind == Kind::Number ? c.value : values[static_cast<std::size_t>(c.value)], 1});
            continue;
        }
        const Fraction last = take();
        const bool isUnary = c.kind == Kind::Negate || c.kind == Kind::Floor;
        const Fraction first = isUnary ? Fraction{} : take();
        const auto negative = [](const Fraction& f) { return Fraction{-f.over, f.under}; };
        switch (c.kind) {
        case Kind::Add:
            stack.push_back(sum(first, last));
            break;
        case Kind::Subtract:
            stack.push_back(sum(first, negative(last)));
            break;
        case Kind::Multiply:
            stack.push_back(product(first, last));
            break;
        case Kind::Divide:
            stack.push_back(quotient(first, last));
            break;
        case Kind::Negate:
            stack.push_back(negative(last));
            break;
        case Kind::Floor:
            stack.push_back(floorOf(last));
            break;
        default:  // the sign of Mod is that of the divisor
            stack.push_back(sum(first, negative(product(last, floorOf(quotient(first, last))))));
        }
        if (!stack.back().isNumber()) return std::nullopt;
    }
    return stack.size() == 1 && stack.back().under == 1 ? std::optional(stack.back().over) : std::nullopt;
}

bool Coordinate::mentions(std::size_t symbol) const {
    return std::any_of(codes_.begin(), codes_.end(), [symbol](const Code& c) {
        return c.kind == Kind::Symbol && c.value == static_cast<int64_t>(symbol);
    });
}

}  // namespace memplan::sim::artefact
