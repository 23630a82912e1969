// SPDX-License-Identifier: Apache-2.0
// General products and batch normalisation as the operations that TTNN has.
#include "engine/ttnn/lower/function_lowering.h"
#include "engine/ttnn/module/type_text.h"

#include <algorithm>
#include <numeric>

namespace memplan::ttnn::lower {

namespace {

/// One operand of a product: its dimensions by what they are for.
struct Factor {
    Shape shape, batch, free, contract;
};

std::optional<Shape> dimsOf(const Operation& op, std::string_view name, std::size_t rank) {
    const std::string* text = op.find(name);
    auto dims = text == nullptr ? std::optional(Shape{}) : integersOf(*text);
    if (!dims) return std::nullopt;
    for (const std::int64_t d : *dims) {
        if (d < 0 || d >= static_cast<std::int64_t>(rank)) return std::nullopt;
    }
    return dims;
}

std::optional<Factor> factorOf(const FunctionLowering& f, const Operation& op, std::size_t operand) {
    const std::string side = operand == 0 ? "lhs" : "rhs";
    Factor out;
    out.shape = f.sourceType(op.operands[operand]).shape;
    const auto batch = dimsOf(op, "batch_dims_" + side, out.shape.size());
    const auto contract = dimsOf(op, "contract_dims_" + side, out.shape.size());
    if (!batch || !contract) return std::nullopt;
    std::vector<int> uses(out.shape.size(), 0);
    for (const Shape* list : {&*batch, &*contract}) {
        for (const std::int64_t d : *list)
            ++uses[static_cast<std::size_t>(d)];
    }
    if (std::ranges::any_of(uses, [](int n) { return n > 1; })) return std::nullopt;
    out.batch = *batch;
    out.contract = *contract;
    for (std::size_t d = 0; d < uses.size(); ++d) {
        if (uses[d] == 0) out.free.push_back(static_cast<std::int64_t>(d));
    }
    return out;
}

Shape sizesOf(const Factor& factor, const Shape& dims) {
    Shape out;
    for (const std::int64_t d : dims)
        out.push_back(factor.shape[static_cast<std::size_t>(d)]);
    return out;
}

Shape chained(const Shape& a, const Shape& b, const Shape& c) {
    Shape out = a;
    out.insert(out.end(), b.begin(), b.end());
    out.insert(out.end(), c.begin(), c.end());
    return out;
}

bool isInOrder(const Shape& dims) {
    Shape same(dims.size());
    std::iota(same.begin(), same.end(), 0);
    return dims == same;
}

/// `whole` is a * b, without computing what may not fit.
bool isProduct(std::int64_t whole, std::int64_t a, std::int64_t b) {
    return b == 0 ? whole == 0 : whole % b == 0 && whole / b == a;
}

}  // namespace

std::string lowerDot(FunctionLowering& f, const Operation& op) {
    if (op.operands.size() != 2) return "it has no two operands";
    const auto a = factorOf(f, op, 0), b = factorOf(f, op, 1);
    if (!a || !b || sizesOf(*a, a->batch) != sizesOf(*b, b->batch) ||
        sizesOf(*a, a->contract) != sizesOf(*b, b->contract))
        return "its dimensions do not fit its operands";
    const Type result = f.resultType(op);
    const Shape batch = sizesOf(*a, a->batch);
    const std::int64_t rows = elementsOf(sizesOf(*a, a->free)), cols = elementsOf(sizesOf(*b, b->free));
    const std::int64_t inner = elementsOf(sizesOf(*a, a->contract));
    if (!isProduct(elementsOf(result.shape), elementsOf(batch) * rows, cols))
        return "its result has another number of elements";

    const ValueId left =
        f.permute(f.operand(op, 0), chained(a->batch, a->free, a->contract), withSuffix(op.location, "_permute_lhs"));
    const ValueId lhs = f.reshape(left, chained(batch, {rows}, {inner}), withSuffix(op.location, "_reshape_lhs"));
    // Its columns may lie behind: then it is read transposed.
    const Shape behind = chained(b->batch, b->free, b->contract);
    const bool isTransposed = isInOrder(behind) && !isInOrder(chained(b->batch, b->contract, b->free));
    const ValueId right = isTransposed ? f.operand(op, 1)
                                       : f.permute(f.operand(op, 1), chained(b->batch, b->contract, b->free),
                                                   withSuffix(op.location, "_permute_rhs"));
    const ValueId rhs =
        f.reshape(right, isTransposed ? chained(batch, {cols}, {inner}) : chained(batch, {inner}, {cols}),
                  withSuffix(op.location, "_reshape_rhs"));
    Type product = result;
    product.shape = chained(batch, {rows}, {cols});
    const ValueId made =
        f.emit("matmul", {lhs, rhs}, std::move(product),
               {{"transpose_a", "false"}, {"transpose_b", isTransposed ? "true" : "false"}}, op.location);
    f.finish(op, f.reshape(made, result.shape, withSuffix(op.location, "_reshape_out")));
    return {};
}

// x * s + (offset - mean * s) with s = scale / sqrt(variance + epsilon): all but the first product and the last sum
// work on one number per channel.
std::string lowerBatchNorm(FunctionLowering& f, const Operation& op) {
    if (op.operands.size() != 5) return "it has no five operands";
    const Type result = f.resultType(op);
    const std::string *dimension = op.find("dimension"), *epsilon = op.find("epsilon");
    const auto at = dimensionOf(dimension == nullptr ? 1 : integerOf(*dimension).value_or(-1), result.shape.size());
    if (!at || epsilon == nullptr || !numberOf(*epsilon)) return "it has no dimension and epsilon that can be used";
    Shape perChannel(result.shape.size(), 1);
    perChannel[*at] = result.shape[*at];
    for (std::size_t i = 1; i < 5; ++i) {
        if (elementsOf(f.sourceType(op.operands[i]).shape) != result.shape[*at])
            return "a parameter has no value per channel";
    }
    const auto channel = [&](std::size_t i, std::string_view suffix) {
        return f.reshape(f.operand(op, i), perChannel, withSuffix(op.location, suffix));
    };
    const ValueId scale = channel(1, "_scale"), offset = channel(2, "_offset"), mean = channel(3, "_mean");
    const ValueId variance = channel(4, "_variance");
    const Type small = f.typeOf(variance);
    const auto step = [&](std::string_view kind, std::vector<ValueId> operands, std::string_view suffix) {
        return f.emit(kind, std::move(operands), small, {}, withSuffix(op.location, suffix));
    };
    const std::string number = epsilon->substr(0, epsilon->find(" : "));
    const ValueId eps =
        f.emit("full", {}, small, {{"fill_value", number + " : f32"}}, withSuffix(op.location, "_epsilon"));
    const ValueId deviation = step("rsqrt", {step("add", {variance, eps}, "_variance_epsilon")}, "_rsqrt");
    const ValueId factor = step("multiply", {scale, deviation}, "_factor");
    const ValueId shift = step("subtract", {offset, step("multiply", {mean, factor}, "_mean_factor")}, "_shift");
    const ValueId scaled =
        f.emit("multiply", {f.operand(op, 0), factor}, result, {}, withSuffix(op.location, "_scaled"));
    f.finish(op, f.emit("add", {scaled, shift}, result, {}, op.location));
    return {};
}

}  // namespace memplan::ttnn::lower
