// SPDX-License-Identifier: Apache-2.0
#include "base/numeric.h"
#include "spyre/bundle/expr.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace memplan::bundle {

namespace {

using std::int64_t;

/// (symbol, divisor) -> factor of floor(symbol / divisor); ("", 1) holds the constant.
using Terms = std::map<std::pair<std::string, int64_t>, int64_t>;
using Extent = std::function<int64_t(std::string_view symbol)>;

const std::pair<std::string, int64_t> kConstant{"", 1};

int64_t floorQuotient(int64_t a, int64_t b) {
    const int64_t q = a / b;
    return a % b != 0 && a < 0 ? q - 1 : q;
}

bool addTo(Terms& sum, const Terms& terms, int64_t factor) {
    for (const auto& [key, value] : terms) {
        const auto scaled = checkedMul(value, factor);
        int64_t& at = sum[key];
        const auto total = scaled ? checkedAdd(at, *scaled) : std::nullopt;
        if (!total) return false;
        at = *total;
    }
    return true;
}

/// The largest value of factor * floor(symbol / divisor); nullopt where it may be below 0.
std::optional<int64_t> largest(const std::pair<std::string, int64_t>& key, int64_t factor, const Extent& extent) {
    if (factor < 0) return std::nullopt;
    return checkedMul(factor, (std::max<int64_t>(extent(key.first), 1) - 1) / key.second);
}

/// floor(terms / divisor) of what is smaller than one step of the others: they drop out, whole steps remain.
std::optional<Terms> floorOfRest(Terms rest, int64_t divisor, const Extent& extent) {
    int64_t reach = 0;
    int64_t common = divisor;
    // From the smallest factor on: what cannot reach the step of all larger ones never changes the quotient.
    std::vector<std::pair<int64_t, std::pair<std::string, int64_t>>> bySize;
    for (const auto& [key, factor] : rest) {
        if (factor != 0 && key != kConstant) bySize.emplace_back(factor, key);
    }
    std::sort(bySize.begin(), bySize.end());
    reach = rest[kConstant];
    std::size_t first = 0;
    for (; first < bySize.size(); ++first) {
        common = divisor;
        for (std::size_t i = first; i < bySize.size(); ++i)
            common = std::gcd(common, bySize[i].first);
        if (reach < common) break;
        const auto most = largest(bySize[first].second, bySize[first].first, extent);
        const auto sum = most ? checkedAdd(reach, *most) : std::nullopt;
        if (!sum) return std::nullopt;
        reach = *sum;
    }
    if (first == bySize.size()) return reach < divisor ? std::optional<Terms>(Terms{}) : std::nullopt;
    int64_t whole = reach;
    for (std::size_t i = first; i < bySize.size(); ++i) {
        const auto most = largest(bySize[i].second, bySize[i].first, extent);
        const auto sum = most ? checkedAdd(whole, *most) : std::nullopt;
        if (!sum) return std::nullopt;
        whole = *sum;
    }
    if (whole < divisor) return Terms{};
    if (first + 1 != bySize.size() || bySize[first].first != common) return std::nullopt;
    const auto& [symbol, inner] = bySize[first].second;
    const auto outer = checkedMul(inner, divisor / common);
    if (!outer) return std::nullopt;
    return Terms{{{symbol, *outer}, 1}};
}

std::optional<Terms> floorOf(const Terms& terms, int64_t divisor, const Extent& extent) {
    if (divisor < 1) return std::nullopt;
    Terms whole;
    Terms rest;
    for (const auto& [key, factor] : terms) {
        const int64_t steps = key == kConstant || factor % divisor == 0 ? floorQuotient(factor, divisor) : 0;
        whole[key] = steps;
        rest[key] = factor - steps * divisor;
    }
    const auto small = floorOfRest(std::move(rest), divisor, extent);
    if (!small || !addTo(whole, *small, 1)) return std::nullopt;
    return whole;
}

std::optional<int64_t> constantOf(const Terms& terms) {
    int64_t value = 0;
    for (const auto& [key, factor] : terms) {
        if (key == kConstant)
            value = factor;
        else if (factor != 0)
            return std::nullopt;
    }
    return value;
}

}  // namespace

std::optional<std::vector<FloorTerm>> Expr::floorTerms(const Extent& extent) const {
    if (!nodes_) return std::vector<FloorTerm>{{constant_, "", 1}};
    if (nodes_->back().kind == Kind::Symbol) return std::vector<FloorTerm>{{1, nodes_->back().name, 1}};
    // floor(symbol / divisor) without the sums below: most coordinates of a stick are no more.
    const Nodes& all = *nodes_;
    const bool isFloorOfSymbol = all.size() == 4 && all[0].kind == Kind::Symbol && all[1].kind == Kind::Integer &&
                                 all[2].kind == Kind::Div && all[2].left == 0 && all[2].right == 1 &&
                                 all[3].kind == Kind::Floor && all[3].left == 2;
    if (isFloorOfSymbol && all[1].value > 1) {
        const bool moves = extent(all[0].name) > all[1].value;
        return moves ? std::vector<FloorTerm>{{1, all[0].name, all[1].value}} : std::vector<FloorTerm>{};
    }
    // A quotient counts only below floor(): its operands wait there.
    struct Value {
        Terms terms;
        int64_t divisor = 1;
    };
    std::vector<Value> values;
    values.reserve(nodes_->size());
    for (const Node& n : *nodes_) {
        Value v;
        const auto operand = [&](std::uint32_t at) -> const Value& { return values[at]; };
        switch (n.kind) {
        case Kind::Integer:
            v.terms[kConstant] = n.value;
            break;
        case Kind::Symbol:
            v.terms[{n.name, 1}] = 1;
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
            const Terms& factors = left ? operand(n.right).terms : operand(n.left).terms;
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
        values.push_back(std::move(v));
    }
    if (values.back().divisor != 1) return std::nullopt;
    std::vector<FloorTerm> out;
    for (const auto& [key, factor] : values.back().terms) {
        const bool moves = key == kConstant || key.second == 1 || extent(key.first) > key.second;
        if (factor != 0 && moves) out.push_back({factor, key.first, key.second});
    }
    return out;
}

}  // namespace memplan::bundle
