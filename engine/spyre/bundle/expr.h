// SPDX-License-Identifier: Apache-2.0
// Coordinate and count expressions of an OpSpec tree (spyre-coarse-tiling-and-bundle 9.2 `expr`): exact,
// with floor semantics of floor() and Mod().
#pragma once

#include "base/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::bundle {

/// Value of a symbol; symbols that nobody asks about are 0 in the functions below.
using SymbolValue = std::function<std::int64_t(std::string_view symbol)>;

class Expr {
public:
    Expr() : Expr(0) {}
    explicit Expr(std::int64_t constant);
    [[nodiscard]] static Expr symbol(std::string name);
    /// Errors: BND-101 with the column as place. Text over 4096 characters, nesting over 64 and integers
    /// beyond 64 bits are refused.
    [[nodiscard]] static Result<Expr> parse(std::string_view text);

    // Building blocks for the pass that makes coordinates.
    [[nodiscard]] static Expr sum(const Expr& a, const Expr& b);
    [[nodiscard]] static Expr product(std::int64_t factor, const Expr& e);
    [[nodiscard]] static Expr floorDiv(const Expr& e, std::int64_t divisor);
    [[nodiscard]] static Expr modulo(const Expr& e, std::int64_t divisor);

    /// "floor(c1/64)", "c0 + 3", "Mod(c1, 64)" (9.1).
    [[nodiscard]] std::string text() const;
    /// Value with the given symbols; nullopt when it is no integer, divides by zero or leaves 64 bits.
    [[nodiscard]] std::optional<std::int64_t> evaluate(const SymbolValue& value) const;
    [[nodiscard]] std::optional<std::int64_t> atZero() const;
    /// The value of an expression without symbols.
    [[nodiscard]] std::optional<std::int64_t> integer() const;
    /// Symbols in order of first appearance.
    [[nodiscard]] std::vector<std::string> symbols() const;
    [[nodiscard]] bool mentions(std::string_view symbol) const;
    /// The integer addend of the outermost sum, 0 if there is none.
    [[nodiscard]] std::int64_t constantTerm() const;
    [[nodiscard]] bool isConstant() const;

    friend bool operator==(const Expr&, const Expr&) = default;

private:
    enum class Kind : std::uint8_t { Integer, Symbol, Add, Sub, Mul, Div, Neg, Power, Floor, Mod, Indirect };
    struct Node {
        Kind kind = Kind::Integer;
        std::int64_t value = 0;  ///< Integer; exponent of Power
        std::string name;        ///< Symbol, Indirect
        std::uint32_t left = 0, right = 0;
        friend bool operator==(const Node&, const Node&) = default;
    };
    friend class ExprParser;

    std::uint32_t append(const Expr& other);  ///< copies its nodes, returns the position of its root
    std::uint32_t add(Node n);

    std::vector<Node> nodes_;  ///< operands before their operations, the root last
};

}  // namespace memplan::bundle
