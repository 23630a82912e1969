// SPDX-License-Identifier: Apache-2.0
// Coordinate and count expressions of an OpSpec tree (coarse-tiling-and-bundle 9.2 `expr`): exact,
// with floor semantics of floor() and Mod().
#pragma once

#include "engine/base/result.h"
#include "engine/base/small_vector.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::bundle {

/// Value of a symbol; symbols that nobody asks about are 0 in the functions below.
using SymbolValue = std::function<std::int64_t(std::string_view symbol)>;

/// factor * floor(symbol / divisor); a constant has no symbol. The symbol's name belongs to the expression.
struct FloorTerm {
    std::int64_t factor = 0;
    std::string_view symbol;
    std::int64_t divisor = 1;
};
/// By symbol and divisor, the constant first.
using FloorTerms = SmallVector<FloorTerm, 4>;

/// Copies share what they hold.
class Expr {
public:
    Expr() = default;  ///< 0
    explicit Expr(std::int64_t constant) : constant_(constant) {}
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
    [[nodiscard]] bool isConstant() const;
    /// The expression as a sum of floors, for symbols from 0 to below `extent(symbol)`; terms that are 0 there are
    /// left out. nullopt for expressions that are no such sum.
    [[nodiscard]] std::optional<FloorTerms>
    floorTerms(const std::function<std::int64_t(std::string_view symbol)>& extent) const&;
    std::optional<FloorTerms>
    floorTerms(const std::function<std::int64_t(std::string_view symbol)>& extent) && = delete;

    friend bool operator==(const Expr& a, const Expr& b);

private:
    enum class Kind : std::uint8_t { Integer, Symbol, Add, Sub, Mul, Div, Neg, Power, Floor, Mod, Indirect };
    struct Node {
        Kind kind = Kind::Integer;
        std::uint32_t left = 0, right = 0;
        std::int64_t value = 0;  ///< Integer; exponent of Power
        std::string name;        ///< Symbol, Indirect
        friend bool operator==(const Node&, const Node&) = default;
    };
    using Nodes = std::vector<Node>;  ///< operands before their operations, the root last
    friend class ExprParser;

    struct FloorValue;
    static std::optional<FloorValue> floorValue(const Node& node, const std::vector<FloorValue>& values,
                                                const std::function<std::int64_t(std::string_view symbol)>& extent);
    struct TextWriter;
    explicit Expr(Nodes nodes);  ///< not empty
    /// Adds the nodes of this expression; returns the position of its root.
    std::uint32_t appendTo(Nodes& nodes) const;
    static std::uint32_t add(Nodes& nodes, Kind kind, std::uint32_t left, std::uint32_t right);

    std::int64_t constant_ = 0;           ///< the whole expression where there are no nodes
    std::shared_ptr<const Nodes> nodes_;  ///< null for a plain integer
};

}  // namespace memplan::bundle
