// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/op_spec/expr.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"

#include <algorithm>
#include <cctype>

namespace memplan::bundle {

namespace {

constexpr std::size_t kLongest = 4096;
constexpr int kDeepest = 64;

__extension__ using Wide = __int128;

/// An exact quotient in lowest terms, denominator above 0; not valid after an overflow or a division by zero.
struct Rational {
    std::int64_t num = 0, den = 1;
    bool valid = true;
};

Rational invalid() {
    return {0, 1, false};
}

Wide gcdOf(Wide a, Wide b) {
    a = a < 0 ? -a : a;
    while (b != 0) {
        const Wide r = a % b;
        a = b;
        b = r;
    }
    return a == 0 ? 1 : a;
}

Rational reduced(Wide num, Wide den) {
    if (den == 0) return invalid();
    if (den < 0) {
        num = -num;
        den = -den;
    }
    const Wide g = gcdOf(num, den);
    num /= g;
    den /= g;
    constexpr Wide kMax = INT64_MAX;
    if (num > kMax || num < -kMax || den > kMax) return invalid();
    return {static_cast<std::int64_t>(num), static_cast<std::int64_t>(den), true};
}

Rational plus(const Rational& a, const Rational& b, int sign) {
    if (!a.valid || !b.valid) return invalid();
    // Each product is below 2^126, so their sum stays inside 128 bits.
    return reduced(Wide{a.num} * b.den + Wide{sign} * Wide{b.num} * a.den, Wide{a.den} * b.den);
}

Rational times(const Rational& a, const Rational& b) {
    if (!a.valid || !b.valid) return invalid();
    return reduced(Wide{a.num} * b.num, Wide{a.den} * b.den);
}

Rational over(const Rational& a, const Rational& b) {
    if (!a.valid || !b.valid || b.num == 0) return invalid();
    return reduced(Wide{a.num} * b.den, Wide{a.den} * b.num);
}

Rational floorOf(const Rational& a) {
    if (!a.valid) return a;
    std::int64_t q = a.num / a.den;
    if (a.num % a.den != 0 && a.num < 0) --q;
    return {q, 1, true};
}

Rational power(const Rational& base, std::int64_t exponent) {
    if (exponent < 0) return over({1, 1, true}, power(base, -exponent));
    Rational result{1, 1, true};
    for (std::int64_t i = 0; i < exponent && result.valid; ++i)
        result = times(result, base);
    return result;
}

}  // namespace

class ExprParser {
public:
    explicit ExprParser(std::string_view text) : s_(text) {}

    Result<Expr> run() {
        if (s_.size() > kLongest) return failure("the expression is longer than 4096 characters");
        sum();
        blanks();
        if (error_.empty() && i_ < s_.size()) fail("unexpected \"" + std::string(1, s_[i_]) + "\"");
        if (!error_.empty()) return failure(error_);
        return Expr(std::move(nodes_));
    }

private:
    using Kind = Expr::Kind;

    Error failure(const std::string& what) const {
        return makeError("BND-101", "column " + std::to_string(place_ + 1),
                         what + " in the expression " + text::quoted(s_.substr(0, 80)),
                         "use integers, symbols, + - * / ** floor() Mod()");
    }

    void fail(std::string what) {
        if (!error_.empty()) return;
        error_ = std::move(what);
        place_ = i_;
    }

    void blanks() {
        while (i_ < s_.size() && std::isspace(static_cast<unsigned char>(s_[i_])) != 0)
            ++i_;
    }

    bool take(std::string_view what) {
        blanks();
        if (s_.substr(i_, what.size()) != what) return false;
        i_ += what.size();
        return true;
    }

    void expect(std::string_view what) {
        if (!take(what)) fail("\"" + std::string(what) + "\" is expected");
    }

    std::uint32_t node(Kind kind, std::uint32_t left, std::uint32_t right) {
        return Expr::add(nodes_, kind, left, right);
    }

    std::uint32_t leaf(Kind kind, std::int64_t value, std::string name) {
        nodes_.push_back({kind, 0, 0, value, std::move(name)});
        return static_cast<std::uint32_t>(nodes_.size() - 1);
    }

    std::uint32_t sum() {
        if (++depth_ > kDeepest) fail("nesting over 64 levels");
        if (!error_.empty()) return 0;
        std::uint32_t left = product();
        while (error_.empty()) {
            if (take("+")) {
                left = node(Kind::Add, left, product());
            } else if (take("-")) {
                left = node(Kind::Sub, left, product());
            } else {
                break;
            }
        }
        --depth_;
        return left;
    }

    std::uint32_t product() {
        std::uint32_t left = unary();
        while (error_.empty()) {
            blanks();
            if (s_.substr(i_, 2) != "**" && take("*")) {
                left = node(Kind::Mul, left, unary());
            } else if (s_.substr(i_, 2) != "//" && take("/")) {
                left = node(Kind::Div, left, unary());
            } else {
                break;
            }
        }
        return left;
    }

    std::uint32_t unary() {
        if (!take("-")) return powered();
        const std::uint32_t operand = powered();
        return error_.empty() ? node(Kind::Neg, operand, operand) : 0;
    }

    std::uint32_t powered() {
        const std::uint32_t base = atom();
        if (!error_.empty() || !take("**")) return base;
        const bool negative = take("-");
        const std::int64_t exponent = number();
        if (exponent > 64) fail("an exponent above 64");
        const std::uint32_t at = node(Kind::Power, base, base);
        if (error_.empty()) nodes_[at].value = negative ? -exponent : exponent;
        return at;
    }

    std::int64_t number() {
        blanks();
        const std::size_t begin = i_;
        while (i_ < s_.size() && std::isdigit(static_cast<unsigned char>(s_[i_])) != 0)
            ++i_;
        const auto value = text::parseInt(s_.substr(begin, i_ - begin));
        if (!value) fail(i_ == begin ? "a number, symbol or parenthesis is expected" : "an integer beyond 64 bits");
        return value.value_or(0);
    }

    std::string name() {
        const std::size_t begin = i_;
        while (i_ < s_.size() && (std::isalnum(static_cast<unsigned char>(s_[i_])) != 0 || s_[i_] == '_'))
            ++i_;
        return std::string(s_.substr(begin, i_ - begin));
    }

    std::uint32_t atom() {
        blanks();
        if (!error_.empty()) return 0;
        if (take("(")) {
            const std::uint32_t inner = sum();
            expect(")");
            return inner;
        }
        if (i_ < s_.size() && (std::isalpha(static_cast<unsigned char>(s_[i_])) != 0 || s_[i_] == '_')) return word();
        const std::int64_t value = number();
        return error_.empty() ? leaf(Kind::Integer, value, {}) : 0;
    }

    std::uint32_t word() {
        const std::string id = name();
        if (!take("(")) return leaf(Kind::Symbol, 0, id);
        if (id == "IndirectAccess") {
            blanks();
            std::string place = name();
            if (place.empty()) fail("a name is expected");
            expect(")");
            return leaf(Kind::Indirect, 0, std::move(place));
        }
        if (id != "floor" && id != "Mod") {
            fail("the function \"" + id + "\" is not known");
            return 0;
        }
        const std::uint32_t first = sum();
        std::uint32_t second = first;
        if (id == "Mod") {
            expect(",");
            second = sum();
        }
        expect(")");
        return error_.empty() ? node(id == "Mod" ? Kind::Mod : Kind::Floor, first, second) : 0;
    }

    std::string_view s_;
    std::size_t i_ = 0, place_ = 0;
    int depth_ = 0;
    std::string error_;
    Expr::Nodes nodes_;
};

Expr::Expr(Nodes nodes) {
    if (nodes.size() == 1 && nodes.front().kind == Kind::Integer) {
        constant_ = nodes.front().value;
    } else {
        nodes_ = std::make_shared<const Nodes>(std::move(nodes));
    }
}

Expr Expr::symbol(std::string name) {
    return Expr(Nodes{{Kind::Symbol, 0, 0, 0, std::move(name)}});
}

Result<Expr> Expr::parse(std::string_view text) {
    return ExprParser(text).run();
}

bool operator==(const Expr& a, const Expr& b) {
    if (a.nodes_ == b.nodes_) return a.constant_ == b.constant_;
    return a.nodes_ && b.nodes_ && *a.nodes_ == *b.nodes_;
}

std::uint32_t Expr::add(Nodes& nodes, Kind kind, std::uint32_t left, std::uint32_t right) {
    nodes.push_back({kind, left, right, 0, {}});
    return static_cast<std::uint32_t>(nodes.size() - 1);
}

std::uint32_t Expr::appendTo(Nodes& nodes) const {
    const auto shift = static_cast<std::uint32_t>(nodes.size());
    if (!nodes_) {
        nodes.push_back({Kind::Integer, 0, 0, constant_, {}});
        return shift;
    }
    for (Node n : *nodes_) {
        n.left += shift;
        n.right += shift;
        nodes.push_back(std::move(n));
    }
    return static_cast<std::uint32_t>(nodes.size() - 1);
}

Expr Expr::sum(const Expr& a, const Expr& b) {
    if (a.integer() == 0) return b;
    if (b.integer() == 0) return a;
    if (a.isConstant() && b.isConstant()) return Expr(*a.integer() + *b.integer());
    Nodes nodes;
    const std::uint32_t left = a.appendTo(nodes);
    const bool negative = !b.nodes_ && b.constant_ < 0;
    const std::uint32_t right = (negative ? Expr(-b.constant_) : b).appendTo(nodes);
    add(nodes, negative ? Kind::Sub : Kind::Add, left, right);
    return Expr(std::move(nodes));
}

Expr Expr::product(std::int64_t factor, const Expr& value) {
    if (factor == 1) return value;
    if (factor == 0) return Expr(0);
    if (value.isConstant()) return Expr(factor * *value.integer());
    Nodes nodes;
    const std::uint32_t left = Expr(factor).appendTo(nodes);
    const std::uint32_t right = value.appendTo(nodes);
    add(nodes, Kind::Mul, left, right);
    return Expr(std::move(nodes));
}

Expr Expr::floorDiv(const Expr& value, std::int64_t divisor) {
    if (divisor == 1) return value;
    Nodes nodes;
    const std::uint32_t left = value.appendTo(nodes);
    const std::uint32_t right = Expr(divisor).appendTo(nodes);
    const std::uint32_t quotient = add(nodes, Kind::Div, left, right);
    add(nodes, Kind::Floor, quotient, quotient);
    Expr e(std::move(nodes));
    return value.isConstant() ? Expr(e.integer().value_or(0)) : e;
}

Expr Expr::modulo(const Expr& value, std::int64_t divisor) {
    if (divisor == 1) return Expr(0);
    Nodes nodes;
    const std::uint32_t left = value.appendTo(nodes);
    const std::uint32_t right = Expr(divisor).appendTo(nodes);
    add(nodes, Kind::Mod, left, right);
    Expr e(std::move(nodes));
    return value.isConstant() ? Expr(e.integer().value_or(0)) : e;
}

struct Expr::TextWriter {
    const Nodes& nodes;
    std::string out;

    /// How tightly the text of a node binds: sums 1, products 2, signs 3, atoms 4.
    static int binding(const Node& n) {
        if (n.kind == Kind::Add || n.kind == Kind::Sub) return 1;
        if (n.kind == Kind::Mul || n.kind == Kind::Div) return 2;
        const bool isSigned = n.kind == Kind::Neg || n.kind == Kind::Power;
        return isSigned || (n.kind == Kind::Integer && n.value < 0) ? 3 : 4;
    }
    /// In parentheses where the text binds less than `least`.
    void put(std::uint32_t at, int least) {
        const bool isOpen = binding(nodes[at]) < least;
        if (isOpen) out += '(';
        putBare(nodes[at]);
        if (isOpen) out += ')';
    }
    void putPair(const Node& n, std::string_view between, int left, int right) {
        put(n.left, left);
        out += between;
        put(n.right, right);
    }
    void putBare(const Node& n) {
        switch (n.kind) {
        case Kind::Integer:
            out += std::to_string(n.value);
            break;
        case Kind::Symbol:
            out += n.name;
            break;
        case Kind::Add:
        case Kind::Sub:
            putPair(n, n.kind == Kind::Add ? " + " : " - ", 1, 2);
            break;
        case Kind::Mul:
        case Kind::Div:
            putPair(n, n.kind == Kind::Mul ? "*" : "/", 2, 4);
            break;
        case Kind::Neg:
            out += '-';
            put(n.left, 4);
            break;
        case Kind::Power:
            put(n.left, 4);
            out += "**" + std::to_string(n.value);
            break;
        case Kind::Floor:
            out += "floor(";
            put(n.left, 0);
            out += ')';
            break;
        case Kind::Mod:
            out += "Mod(";
            putPair(n, ", ", 0, 0);
            out += ')';
            break;
        case Kind::Indirect:
            out += "IndirectAccess(" + n.name + ")";
            break;
        }
    }
};

std::string Expr::text() const {
    if (!nodes_) return std::to_string(constant_);
    TextWriter writer{*nodes_, {}};
    writer.putBare(nodes_->back());
    return std::move(writer.out);
}

std::optional<std::int64_t> Expr::evaluate(const SymbolValue& value) const {
    if (!nodes_) return constant_;
    std::vector<Rational> values;
    values.reserve(nodes_->size());
    for (const Node& n : *nodes_) {
        Rational r;
        switch (n.kind) {
        case Kind::Integer:
            r.num = n.value;
            break;
        case Kind::Symbol:
            r.num = value ? value(n.name) : 0;
            break;
        case Kind::Add:
            r = plus(values[n.left], values[n.right], 1);
            break;
        case Kind::Sub:
            r = plus(values[n.left], values[n.right], -1);
            break;
        case Kind::Mul:
            r = times(values[n.left], values[n.right]);
            break;
        case Kind::Div:
            r = over(values[n.left], values[n.right]);
            break;
        case Kind::Neg:
            r = plus({0, 1, true}, values[n.left], -1);
            break;
        case Kind::Power:
            r = power(values[n.left], n.value);
            break;
        case Kind::Floor:
            r = floorOf(values[n.left]);
            break;
        case Kind::Mod:  // a - b * floor(a / b): the sign of the divisor
            r = plus(values[n.left], times(values[n.right], floorOf(over(values[n.left], values[n.right]))), -1);
            break;
        case Kind::Indirect:
            break;
        }
        values.push_back(r);
    }
    const Rational& r = values.back();
    if (!r.valid || r.den != 1) return std::nullopt;
    return r.num;
}

std::optional<std::int64_t> Expr::atZero() const {
    return evaluate({});
}

std::optional<std::int64_t> Expr::integer() const {
    if (!nodes_) return constant_;
    return isConstant() ? evaluate({}) : std::nullopt;
}

std::vector<std::string> Expr::symbols() const {
    std::vector<std::string> names;
    if (!nodes_) return names;
    for (const Node& n : *nodes_) {
        if (n.kind != Kind::Symbol || std::find(names.begin(), names.end(), n.name) != names.end()) continue;
        names.push_back(n.name);
    }
    return names;
}

bool Expr::mentions(std::string_view symbol) const {
    return nodes_ && std::any_of(nodes_->begin(), nodes_->end(),
                                 [&](const Node& n) { return n.kind == Kind::Symbol && n.name == symbol; });
}

bool Expr::isConstant() const {
    return !nodes_ || std::none_of(nodes_->begin(), nodes_->end(),
                                   [](const Node& n) { return n.kind == Kind::Symbol || n.kind == Kind::Indirect; });
}

}  // namespace memplan::bundle
