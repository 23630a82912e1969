// SPDX-License-Identifier: Apache-2.0
// Arithmetic, comparison, logic, conversion and reduction on known values. Integers wrap, integer
// division truncates, division by zero leaves the value unknown (inputs-and-interchange 3.4).
#include "engine/io/onnx/fold/fold.h"
#include "engine/io/onnx/rules/reduce_axes.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace memplan::io::onnx {

namespace {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;

std::int64_t wrapped(std::uint64_t v) {
    return static_cast<std::int64_t>(v);
}
std::uint64_t bits(std::int64_t v) {
    return static_cast<std::uint64_t>(v);
}

std::optional<std::int64_t> power(std::int64_t base, std::int64_t exponent) {
    if (exponent < 0) return std::nullopt;
    std::uint64_t result = 1, factor = bits(base);
    for (std::uint64_t e = bits(exponent); e != 0; e >>= 1U) {
        if ((e & 1U) != 0) result *= factor;
        factor *= factor;
    }
    return wrapped(result);
}

std::optional<std::int64_t> divided(std::int64_t a, std::int64_t b) {
    if (b == 0) return std::nullopt;
    return b == -1 ? wrapped(0 - bits(a)) : a / b;
}

/// The remainder has the sign of the divisor, with fmod = 1 that of the dividend.
std::optional<std::int64_t> remainder(std::int64_t a, std::int64_t b, bool likeC) {
    if (b == 0) return std::nullopt;
    if (b == -1) return 0;
    const std::int64_t r = a % b;
    return !likeC && r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

std::optional<std::int64_t> integerOp(std::string_view op, std::int64_t a, std::int64_t b, bool likeC) {
    if (op == "Add" || op == "Sum") return wrapped(bits(a) + bits(b));
    if (op == "Sub") return wrapped(bits(a) - bits(b));
    if (op == "Mul") return wrapped(bits(a) * bits(b));
    if (op == "Div") return divided(a, b);
    if (op == "Mod") return remainder(a, b, likeC);
    if (op == "Pow") return power(a, b);
    if (op == "Max") return std::max(a, b);
    if (op == "Min") return std::min(a, b);
    if (op == "Equal") return a == b ? 1 : 0;
    if (op == "Less") return a < b ? 1 : 0;
    if (op == "LessOrEqual") return a <= b ? 1 : 0;
    if (op == "Greater") return a > b ? 1 : 0;
    if (op == "GreaterOrEqual") return a >= b ? 1 : 0;
    if (op == "And") return a != 0 && b != 0 ? 1 : 0;
    if (op == "Or") return a != 0 || b != 0 ? 1 : 0;
    if (op == "Xor") return (a != 0) != (b != 0) ? 1 : 0;
    return std::nullopt;
}

std::optional<double> realOp(std::string_view op, double a, double b) {
    if (op == "Add" || op == "Sum") return a + b;
    if (op == "Sub") return a - b;
    if (op == "Mul") return a * b;
    if (op == "Div") return b == 0.0 ? std::nullopt : std::optional(a / b);
    if (op == "Mod") return b == 0.0 ? std::nullopt : std::optional(std::fmod(a, b));
    if (op == "Pow") return std::pow(a, b);
    if (op == "Max") return std::max(a, b);
    if (op == "Min") return std::min(a, b);
    if (op == "Equal") return a == b ? 1.0 : 0.0;
    if (op == "Less") return a < b ? 1.0 : 0.0;
    if (op == "LessOrEqual") return a <= b ? 1.0 : 0.0;
    if (op == "Greater") return a > b ? 1.0 : 0.0;
    if (op == "GreaterOrEqual") return a >= b ? 1.0 : 0.0;
    return std::nullopt;
}

/// Input i spread over `out`.
FoldedValue spread(const NodeContext& c, std::size_t i, const Shape& out) {
    return takeElements(*c.input(i).folded, broadcastPositions(c.shape(i), out));
}

std::optional<FoldedValue> binary(const NodeContext& c, const FoldedValue& a, const FoldedValue& b) {
    const std::string& op = c.node().op;
    const auto* ia = std::get_if<Integers>(&a);
    const auto* ib = std::get_if<Integers>(&b);
    if (ia != nullptr && ib != nullptr) {
        Integers out;
        const bool likeC = c.attr("fmod", 0) != 0;
        for (std::size_t i = 0; i < ia->size(); ++i) {
            const auto v = integerOp(op, (*ia)[i], (*ib)[i], likeC);
            if (!v) return std::nullopt;
            out.push_back(*v);
        }
        return FoldedValue(std::move(out));
    }
    const auto ra = std::get<Reals>(convertTo(a, kDouble));
    const auto rb = std::get<Reals>(convertTo(b, kDouble));
    Reals out;
    for (std::size_t i = 0; i < ra.size(); ++i) {
        const auto v = realOp(op, ra[i], rb[i]);
        if (!v) return std::nullopt;
        out.push_back(*v);
    }
    return FoldedValue(std::move(out));
}

std::optional<FoldedValue> unary(const NodeContext& c) {
    const std::string& op = c.node().op;
    FoldedValue value = *c.input(0).folded;
    if (op == "Cast" || op == "CastLike") return value;
    if (auto* list = std::get_if<Integers>(&value)) {
        for (std::int64_t& v : *list) {
            if (op == "Neg" || (op == "Abs" && v < 0))
                v = wrapped(0 - bits(v));
            else if (op == "Not")
                v = v == 0 ? 1 : 0;
            else if (op == "Sign")
                v = v > 0 ? 1 : v < 0 ? -1 : 0;
            else if (op == "Sqrt" || op == "Reciprocal")
                return std::nullopt;
        }
        return value;
    }
    for (double& v : std::get<Reals>(value)) {
        if (op == "Neg")
            v = -v;
        else if (op == "Abs")
            v = std::fabs(v);
        else if (op == "Floor")
            v = std::floor(v);
        else if (op == "Ceil")
            v = std::ceil(v);
        else if (op == "Sqrt")
            v = std::sqrt(v);
        else if (op == "Round")
            v = std::nearbyint(v);
        else if (op == "Sign")
            v = v > 0 ? 1.0 : v < 0 ? -1.0 : 0.0;
        else if (op == "Reciprocal" && v != 0.0)
            v = 1.0 / v;
        else
            return std::nullopt;
    }
    return value;
}

std::optional<FoldedValue> foldWhere(const NodeContext& c, const Shape& out) {
    const auto condition = std::get<Integers>(convertTo(spread(c, 0, out), kBool));
    const FoldedValue yes = spread(c, 1, out);
    const FoldedValue no = spread(c, 2, out);
    if (yes.index() != no.index()) return std::nullopt;
    return std::visit(
        [&](auto list) {
            const auto& other = std::get<decltype(list)>(no);
            for (std::size_t i = 0; i < list.size(); ++i)
                if (condition[i] == 0) list[i] = other[i];
            return FoldedValue(std::move(list));
        },
        yes);
}

bool isUnary(std::string_view op) {
    static constexpr std::array<std::string_view, 11> kOps{"Abs", "Cast",       "CastLike", "Ceil", "Floor", "Neg",
                                                           "Not", "Reciprocal", "Round",    "Sign", "Sqrt"};
    return std::find(kOps.begin(), kOps.end(), op) != kOps.end();
}

template <class T>
std::optional<std::vector<T>> reduceList(const NodeContext& c, const std::vector<T>& list,
                                         const std::vector<std::size_t>& target, std::size_t count) {
    const std::string& op = c.node().op;
    const T start = op == "ReduceProd" ? T{1} : T{0};
    std::vector<T> out(count, start);
    std::vector<bool> seen(count, false);
    const auto apply = [&](T a, T b) {
        if constexpr (std::is_same_v<T, double>)
            return *realOp(op == "ReduceSum"    ? "Add"
                           : op == "ReduceProd" ? "Mul"
                           : op == "ReduceMax"  ? "Max"
                                                : "Min",
                           a, b);
        else
            return *integerOp(op == "ReduceSum"    ? "Add"
                              : op == "ReduceProd" ? "Mul"
                              : op == "ReduceMax"  ? "Max"
                                                   : "Min",
                              a, b, false);
    };
    for (std::size_t i = 0; i < list.size(); ++i) {
        T& slot = out[target[i]];
        slot = seen[target[i]] ? apply(slot, list[i]) : list[i];
        seen[target[i]] = true;
    }
    const bool needsOne = op == "ReduceMax" || op == "ReduceMin";
    if (needsOne && std::find(seen.begin(), seen.end(), false) != seen.end()) return std::nullopt;
    return out;
}

}  // namespace

std::optional<FoldedValue> foldArithmetic(const NodeContext& c) {
    const Value& target = c.output(0);
    std::optional<FoldedValue> result;
    if (isUnary(c.node().op)) {
        result = unary(c);
    } else if (c.node().op == "Where") {
        result = foldWhere(c, target.shape);
    } else {
        result = spread(c, 0, target.shape);
        for (std::size_t i = 1; i < c.inputCount() && result; ++i)
            result = binary(c, *result, spread(c, i, target.shape));
    }
    if (!result) return std::nullopt;
    return convertTo(*result, target.elemType);
}

std::optional<FoldedValue> foldReduce(const NodeContext& c) {
    const Shape& x = c.shape(0);
    const std::vector<std::size_t> axes = reducedAxes(c);
    Shape kept(x);
    for (const std::size_t axis : axes)
        kept[axis] = 1;
    const std::vector<std::size_t> target = broadcastPositions(kept, x);
    const auto count = static_cast<std::size_t>(c.product(kept));
    return std::visit(
        [&](const auto& list) -> std::optional<FoldedValue> {
            auto out = reduceList(c, list, target, count);
            if (!out) return std::nullopt;
            return convertTo(FoldedValue(*std::move(out)), c.output(0).elemType);
        },
        *c.input(0).folded);
}

}  // namespace memplan::io::onnx
