// SPDX-License-Identifier: Apache-2.0
#include "engine/base/numeric.h"
#include "engine/plan/op_spec/expr.h"

#include <algorithm>
#include <numeric>

namespace memplan::bundle {

namespace {

using std::int64_t;

using Extent = std::function<int64_t(std::string_view symbol)>;

bool isNumber(const FloorTerm& t) {
    return t.symbol.empty();
}

/// Terms stand by symbol and divisor, the constant first; no two are of the same floor.
bool isBefore(const FloorTerm& a, const FloorTerm& b) {
    const int order = a.symbol.compare(b.symbol);
    return order != 0 ? order < 0 : a.divisor < b.divisor;
}

/// False where the factor leaves 64 bits.
bool addTerm(FloorTerms& sum, const FloorTerm& term) {
    const auto found = std::lower_bound(sum.begin(), sum.end(), term, isBefore);
    if (found != sum.end() && !isBefore(term, *found)) {
        const auto total = checkedAdd(found->factor, term.factor);
        if (total) found->factor = *total;
        return total.has_value();
    }
    const auto position = found - sum.begin();
    sum.push_back(term);
    std::rotate(sum.begin() + position, sum.end() - 1, sum.end());
    return true;
}

bool addTo(FloorTerms& sum, const FloorTerms& terms, int64_t factor) {
    for (const FloorTerm& t : terms) {
        const auto scaled = checkedMul(t.factor, factor);
        if (!scaled || !addTerm(sum, {*scaled, t.symbol, t.divisor})) return false;
    }
    return true;
}

int64_t floorQuotient(int64_t a, int64_t b) {
    const int64_t q = a / b;
    return a % b != 0 && a < 0 ? q - 1 : q;
}

/// `reach` raised by the largest value of a term; nullopt where that may be below 0.
std::optional<int64_t> raised(int64_t reach, const FloorTerm& term, const Extent& extent) {
    if (term.factor < 0) return std::nullopt;
    const auto most = checkedMul(term.factor, (std::max<int64_t>(extent(term.symbol), 1) - 1) / term.divisor);
    return most ? checkedAdd(reach, *most) : std::nullopt;
}

/// floor((rest + terms) / divisor) of what is smaller than one step of the others: they drop out, whole steps remain.
std::optional<FloorTerms> floorOfRest(int64_t rest, FloorTerms terms, int64_t divisor, const Extent& extent) {
    int64_t reach = rest;
    int64_t common = divisor;
    // From the smallest factor on: what cannot reach the step of all larger ones never changes the quotient.
    std::sort(terms.begin(), terms.end(), [](const FloorTerm& a, const FloorTerm& b) {
        return a.factor != b.factor ? a.factor < b.factor : isBefore(a, b);
    });
    std::size_t first = 0;
    for (; first < terms.size(); ++first) {
        common = divisor;
        for (std::size_t i = first; i < terms.size(); ++i)
            common = std::gcd(common, terms[i].factor);
        if (reach < common) break;
        const auto sum = raised(reach, terms[first], extent);
        if (!sum) return std::nullopt;
        reach = *sum;
    }
    if (first == terms.size()) return reach < divisor ? std::optional<FloorTerms>(FloorTerms{}) : std::nullopt;
    int64_t whole = reach;
    for (std::size_t i = first; i < terms.size(); ++i) {
        const auto sum = raised(whole, terms[i], extent);
        if (!sum) return std::nullopt;
        whole = *sum;
    }
    if (whole < divisor) return FloorTerms{};
    const FloorTerm& last = terms[first];
    if (first + 1 != terms.size() || last.factor != common) return std::nullopt;
    const auto outer = checkedMul(last.divisor, divisor / common);
    return outer ? std::optional<FloorTerms>(FloorTerms{{1, last.symbol, *outer}}) : std::nullopt;
}

std::optional<FloorTerms> floorOf(const FloorTerms& terms, int64_t divisor, const Extent& extent) {
    if (divisor < 1) return std::nullopt;
    FloorTerms whole;
    FloorTerms moving;  // less than a whole step each
    int64_t rest = 0;   // of the constant
    for (const FloorTerm& t : terms) {
        const int64_t steps = isNumber(t) || t.factor % divisor == 0 ? floorQuotient(t.factor, divisor) : 0;
        const int64_t left = t.factor - steps * divisor;
        if (steps != 0) whole.push_back({steps, t.symbol, t.divisor});
        if (isNumber(t)) {
            rest = left;
        } else if (left != 0) {
            moving.push_back({left, t.symbol, t.divisor});
        }
    }
    const auto small = floorOfRest(rest, moving, divisor, extent);
    if (!small || !addTo(whole, *small, 1)) return std::nullopt;
    return whole;
}

std::optional<int64_t> constantOf(const FloorTerms& terms) {
    int64_t value = 0;
    for (const FloorTerm& t : terms) {
        if (isNumber(t)) {
            value = t.factor;
        } else if (t.factor != 0) {
            return std::nullopt;
        }
    }
    return value;
}

}  // namespace

/// A quotient counts only below floor(): its operands wait there.
struct Expr::FloorValue {
    FloorTerms terms;
    int64_t divisor = 1;
};

/// The value of one node over those of its operands; nullopt for what has no such form.
std::optional<Expr::FloorValue> Expr::floorValue(const Node& n, const std::vector<FloorValue>& values,
                                                 const Extent& extent) {
    FloorValue v;
    const auto operand = [&](std::uint32_t at) -> const FloorValue& { return values[at]; };
    switch (n.kind) {
    case Kind::Integer:
        v.terms = {{n.value, "", 1}};
        break;
    case Kind::Symbol:
        v.terms = {{1, n.name, 1}};
        break;
    case Kind::Add:
    case Kind::Sub:
        if (operand(n.left).divisor != 1 || operand(n.right).divisor != 1) return std::nullopt;
        if (!addTo(v.terms, operand(n.left).terms, 1)) return std::nullopt;
        if (!addTo(v.terms, operand(n.right).terms, n.kind == Kind::Add ? 1 : -1)) return std::nullopt;
        break;
    case Kind::Neg:
        v.divisor = operand(n.left).divisor;
        if (!addTo(v.terms, operand(n.left).terms, -1)) return std::nullopt;
        break;
    case Kind::Mul: {
        const auto left = constantOf(operand(n.left).terms);
        const auto right = constantOf(operand(n.right).terms);
        if (operand(n.left).divisor != 1 || operand(n.right).divisor != 1 || (!left && !right)) return std::nullopt;
        const FloorTerms& factors = left ? operand(n.right).terms : operand(n.left).terms;
        if (!addTo(v.terms, factors, left ? *left : *right)) return std::nullopt;
        break;
    }
    case Kind::Div: {
        const auto by = constantOf(operand(n.right).terms);
        if (!by || *by < 1 || operand(n.left).divisor != 1 || operand(n.right).divisor != 1) return std::nullopt;
        v = {operand(n.left).terms, *by};
        break;
    }
    case Kind::Floor: {
        auto whole = floorOf(operand(n.left).terms, operand(n.left).divisor, extent);
        if (!whole) return std::nullopt;
        v.terms = std::move(*whole);
        break;
    }
    case Kind::Mod: {
        const auto by = constantOf(operand(n.right).terms);
        if (!by || *by < 1 || operand(n.left).divisor != 1 || operand(n.right).divisor != 1) return std::nullopt;
        const auto whole = floorOf(operand(n.left).terms, *by, extent);
        v.terms = operand(n.left).terms;
        if (!whole || !addTo(v.terms, *whole, -*by)) return std::nullopt;
        break;
    }
    case Kind::Power:
    case Kind::Indirect:
        return std::nullopt;
    }
    return v;
}

std::optional<FloorTerms> Expr::floorTerms(const Extent& extent) const& {
    if (!nodes_) return FloorTerms{{constant_, "", 1}};
    if (nodes_->back().kind == Kind::Symbol) return FloorTerms{{1, nodes_->back().name, 1}};
    // floor(symbol / divisor) without the sums below: most coordinates of a stick are no more.
    const Nodes& all = *nodes_;
    const bool isFloorOfSymbol = all.size() == 4 && all[0].kind == Kind::Symbol && all[1].kind == Kind::Integer &&
                                 all[2].kind == Kind::Div && all[2].left == 0 && all[2].right == 1 &&
                                 all[3].kind == Kind::Floor && all[3].left == 2;
    if (isFloorOfSymbol && all[1].value > 1) {
        const bool moves = extent(all[0].name) > all[1].value;
        return moves ? FloorTerms{{1, all[0].name, all[1].value}} : FloorTerms{};
    }
    std::vector<FloorValue> values;
    values.reserve(nodes_->size());
    for (const Node& n : *nodes_) {
        auto value = floorValue(n, values, extent);
        if (!value) return std::nullopt;
        values.push_back(std::move(*value));
    }
    if (values.back().divisor != 1) return std::nullopt;
    FloorTerms out;
    for (const FloorTerm& t : values.back().terms) {
        const bool moves = isNumber(t) || t.divisor == 1 || extent(t.symbol) > t.divisor;
        if (t.factor != 0 && moves) out.push_back(t);
    }
    return out;
}

}  // namespace memplan::bundle
