// SPDX-License-Identifier: Apache-2.0
// Element by element: affine maps, Adds and ReLUs.
#include "engine/base/text.h"
#include "engine/torchwright/lower/lowering.h"

#include <algorithm>
#include <cmath>

namespace memplan::torchwright::lower {
namespace {

bool areZero(const std::vector<double>& values) {
    return !values.empty() && std::ranges::all_of(values, [](double v) { return v == 0; });
}

/// A weight can be that number.
bool isFloat(double value) {
    return std::isfinite(static_cast<float>(value));
}

std::vector<double> negated(std::vector<double> values) {
    for (double& v : values)
        v = -v;
    return values;
}

/// [I, factor I] side by side: two copies of the columns.
Affine twice(Columns width, double factor) {
    Affine map(width, 2 * width);
    for (Columns i = 0; i < width; ++i) {
        map.put(i, i, 1);
        map.put(i, i + width, factor);
    }
    return map;
}

/// [I; factor I] above each other: both halves added.
Affine joined(Columns width, double factor) {
    Affine map(2 * width, width);
    for (Columns i = 0; i < width; ++i) {
        map.put(i, i, 1);
        map.put(i + width, i, factor);
    }
    return map;
}

}  // namespace

/// Operands stand where the axes of the result are, counted from the last.
bool Lowering::readsInOrder(const Op& op) {
    const std::size_t rank = shapeOf(op.outputs.front()).size();
    for (std::size_t k = 0; k < op.inputs.size(); ++k) {
        if (!op.inputs[k].isValid()) return refuse("an operand is left out");
        const Shape& shape = shapeOf(op.inputs[k]);
        if (shape.size() > rank) return refuse("an operand has more axes than the result");
        if (!op.hasIter || k >= op.inMaps.size() || !op.inMaps[k]) continue;
        const auto& map = *op.inMaps[k];
        for (std::size_t d = 0; d < map.size() && d < shape.size(); ++d) {
            const auto loop = loopOf(map[d]);
            const bool isOwn = loop && *loop == static_cast<int>(d + rank - shape.size());
            if (!isOwn && shape[d] != 1) return refuse("it reads an operand in another order");
        }
    }
    return true;
}

bool Lowering::pointwise(const Op& op) {
    if (!readsInOrder(op)) return false;
    for (const TensorId input : op.inputs)
        if (value(input) != nullptr && !isCanonical(input))
            return refuse("the features of an operand stand in several axes");
    if (op.fn == "clamp" && op.inputs.size() > 1) {
        std::vector<std::optional<double>> bounds;
        for (std::size_t i = 1; i < op.inputs.size(); ++i) {
            const Fixed* f = fixed(op.inputs[i]);
            if (f == nullptr || f->values.size() != 1) return refuse("its bounds are no known numbers");
            bounds.emplace_back(f->values.front());
        }
        // With one operand the other bound is an attribute.
        const bool hasLow = numberAttr(op, "min").has_value();
        if (bounds.size() == 1)
            return clamp(op, op.inputs[0], hasLow ? numberAttr(op, "min") : bounds[0],
                         hasLow ? bounds[0] : numberAttr(op, "max"));
        return clamp(op, op.inputs[0], bounds[0], bounds[1]);
    }
    if (op.inputs.size() == 1) return unary(op, op.inputs.front());
    return op.inputs.size() == 2 ? binary(op) : refuse("it has too many operands");
}

bool Lowering::unary(const Op& op, TensorId x) {
    const Value* v = value(x);
    if (v == nullptr) return refuse("its operand is no computed value");
    const NodeId node = v->node;
    const Columns width = make_.width(node);
    const auto give = [&](NodeId made) { return set(op.outputs.front(), like(op.outputs.front(), x, made)); };
    if (op.fn == "cast" || op.fn == "identity") return give(node);
    if (op.fn == "relu") return give(make_.relu(node));
    if (op.fn == "neg") return give(make_.linear(node, scaled(width, -1)));
    if (op.fn == "abs") return give(make_.linear(make_.relu(make_.linear(node, twice(width, -1))), joined(width, 1)));
    if (op.fn == "leaky_relu") {
        const double slope = numberAttr(op, "alpha").value_or(0.01);
        return give(make_.linear(make_.relu(make_.linear(node, twice(width, -1))), joined(width, -slope)));
    }
    if (op.fn == "clamp") return clamp(op, x, numberAttr(op, "min"), numberAttr(op, "max"));
    if (op.fn == "hardsigmoid") {
        const double slope = numberAttr(op, "alpha").value_or(0.2), offset = numberAttr(op, "beta").value_or(0.5);
        Affine in = twice(width, 1);
        for (Tensor::Entry& e : in.entries)
            e.value = static_cast<float>(slope);
        in.bias.assign(static_cast<std::size_t>(2 * width), offset);
        std::fill(in.bias.begin() + width, in.bias.end(), offset - 1);
        return give(make_.linear(make_.relu(make_.linear(node, std::move(in))), joined(width, -1)));
    }
    return refuse("\"" + op.fn + "\" is no affine map or ReLU");
}

/// low + ReLU(x - low) - ReLU(x - high); with one bound one ReLU.
bool Lowering::clamp(const Op& op, TensorId x, std::optional<double> low, std::optional<double> high) {
    const Value* v = value(x);
    if (v == nullptr) return refuse("its operand is no computed value");
    const NodeId node = v->node;
    const Columns width = make_.width(node);
    const auto count = static_cast<std::size_t>(width);
    const auto give = [&](NodeId made) { return set(op.outputs.front(), like(op.outputs.front(), x, made)); };
    if (!low && !high) return give(node);
    if (!low || !high) {
        const double sign = low ? 1 : -1, bound = low ? *low : *high;
        if (low && bound == 0) return give(make_.relu(node));
        Affine in = scaled(width, sign), back = scaled(width, sign);
        in.bias.assign(count, -sign * bound);
        back.bias.assign(count, bound);
        return give(make_.linear(make_.relu(make_.linear(node, std::move(in))), std::move(back)));
    }
    if (*high < *low) return refuse("its upper bound is below the lower");
    Affine in = twice(width, 1), back = joined(width, -1);
    in.bias.assign(2 * count, -*low);
    std::fill(in.bias.begin() + width, in.bias.end(), -*high);
    back.bias.assign(count, *low);
    return give(make_.linear(make_.relu(make_.linear(node, std::move(in))), std::move(back)));
}

bool Lowering::binary(const Op& op) {
    const TensorId a = op.inputs[0], b = op.inputs[1];
    if (value(a) != nullptr && value(b) != nullptr) {
        if (op.fn == "add" || op.fn == "sub") return sumOfValues(op);
        if (op.fn == "max" || op.fn == "min") return extremeOfValues(op);
        return refuse("\"" + op.fn + "\" of two computed values is no affine map");
    }
    if (value(a) != nullptr && fixed(b) != nullptr) return withFixed(op, a, b, false);
    if (value(b) != nullptr && fixed(a) != nullptr) return withFixed(op, b, a, true);
    return refuse("its operands are no computed values");
}

bool Lowering::takePair(const Op& op, Pair& pair) {
    const TensorId a = op.inputs[0], b = op.inputs[1], out = op.outputs.front();
    pair.a = value(a)->node, pair.b = value(b)->node;
    pair.width = std::max(make_.width(pair.a), make_.width(pair.b));
    for (const NodeId node : {pair.a, pair.b})
        if (make_.width(node) != pair.width && make_.width(node) != 1) return refuse("its operands have other widths");
    const int left = like(out, a, pair.a).tokenAxis, right = like(out, b, pair.b).tokenAxis;
    if (left >= 0 && right >= 0 && left != right) return refuse("its operands count positions in other axes");
    pair.tokenAxis = std::max(left, right);
    return true;
}

bool Lowering::sumOfValues(const Op& op) {
    Pair pair;
    if (!takePair(op, pair)) return false;
    const NodeId x = widened(pair.a, pair.width);
    NodeId y = widened(pair.b, pair.width);
    if (op.fn == "sub") y = make_.linear(y, scaled(pair.width, -1));
    return set(op.outputs.front(), {make_.add(x, y), pair.tokenAxis});
}

/// max(a, b) = b + ReLU(a - b), min(a, b) = b - ReLU(b - a), with b = ReLU(b) - ReLU(-b): one chain.
bool Lowering::extremeOfValues(const Op& op) {
    Pair pair;
    if (!takePair(op, pair)) return false;
    const Columns width = pair.width, rowsOfA = make_.width(pair.a), rowsOfB = make_.width(pair.b);
    const double sign = op.fn == "max" ? 1 : -1;
    Affine in(rowsOfA + rowsOfB, 3 * width), back(3 * width, width);
    for (Columns i = 0; i < width; ++i) {
        const Columns a = rowsOfA == 1 ? 0 : i, b = rowsOfA + (rowsOfB == 1 ? 0 : i);
        in.put(a, i, sign), in.put(b, i, -sign);
        in.put(b, width + i, 1), in.put(b, 2 * width + i, -1);
        back.put(i, i, sign), back.put(width + i, i, 1), back.put(2 * width + i, i, -1);
    }
    const NodeId both = make_.concatenate({pair.a, pair.b});
    const NodeId made = make_.linear(make_.relu(make_.linear(both, std::move(in))), std::move(back));
    return set(op.outputs.front(), {made, pair.tokenAxis});
}

/// max(x, c) = c + ReLU(x - c), min(x, c) = c - ReLU(c - x). Bounds that are not known have sizes alone.
bool Lowering::extremeWithFixed(const Op& op, TensorId x, NodeId node, const std::vector<double>& bounds) {
    const TensorId out = op.outputs.front();
    const double sign = op.fn == "max" ? 1 : -1;
    if (sign > 0 && areZero(bounds)) return set(out, like(out, x, make_.relu(node)));
    if (!std::ranges::all_of(bounds, isFloat)) return refuse("its constant operand is no finite number");
    const Columns width = make_.width(node);
    Affine in = scaled(width, sign), back = scaled(width, sign);
    for (const double bound : bounds) {
        in.bias.push_back(-sign * bound);
        back.bias.push_back(bound);
    }
    for (Affine* map : {&in, &back}) {
        map->isKnown = !bounds.empty();
        map->hasUnknownBias = bounds.empty();
    }
    const NodeId made = make_.linear(make_.relu(make_.linear(node, std::move(in))), std::move(back));
    return set(out, like(out, x, made));
}

/// ReLU(x) - slope ReLU(-x), with a slope for each column.
bool Lowering::prelu(const Op& op, TensorId x, NodeId node, const std::vector<double>& slopes) {
    if (!std::ranges::all_of(slopes, isFloat)) return refuse("its slope is no finite number");
    const TensorId out = op.outputs.front();
    const Columns width = make_.width(node);
    Affine back(2 * width, width);
    back.isKnown = !slopes.empty();
    for (Columns i = 0; back.isKnown && i < width; ++i) {
        back.put(i, i, 1);
        back.put(width + i, i, -slopes[static_cast<std::size_t>(i)]);
    }
    const NodeId made = make_.linear(make_.relu(make_.linear(node, twice(width, -1))), std::move(back));
    return set(out, like(out, x, made));
}

NodeId Lowering::widened(NodeId node, Columns width) {
    if (make_.width(node) == width) return node;
    Affine map(1, width);
    for (Columns i = 0; i < width; ++i)
        map.put(0, i, 1);
    return make_.linear(node, std::move(map));
}

std::optional<std::vector<double>> Lowering::columnsOf(TensorId id, Columns width) {
    const Shape& shape = shapeOf(id);
    const std::int64_t last = shape.empty() ? 1 : shape.back();
    if (elementsOf(shape) != last || (last != 1 && last != width)) return std::nullopt;
    const std::vector<double>& values = fixed(id)->values;
    if (values.size() == static_cast<std::size_t>(width) || values.empty()) return values;
    return std::vector<double>(static_cast<std::size_t>(width), values.front());
}

bool Lowering::withFixed(const Op& op, TensorId x, TensorId other, bool isFixedFirst) {
    const TensorId out = op.outputs.front();
    const Columns width =
        std::max(make_.width(value(x)->node), static_cast<Columns>(shapeOf(out).empty() ? 1 : shapeOf(out).back()));
    if (!fitsStream(width)) return false;
    const auto columns = columnsOf(other, width);
    if (!columns) return refuse("its constant operand differs from position to position");
    const bool isKnown = !columns->empty();
    const auto count = static_cast<std::size_t>(width);
    const NodeId node = widened(value(x)->node, width);
    const auto give = [&](NodeId made) { return set(out, like(out, x, made)); };
    if (op.fn == "max" || op.fn == "min") return extremeWithFixed(op, x, node, *columns);
    if (op.fn == "prelu" && !isFixedFirst) return prelu(op, x, node, *columns);
    if (op.fn == "add" || (op.fn == "sub" && !isFixedFirst)) {
        const bool isAdded = op.fn == "add";
        return give(plusBias(x, node, isAdded ? *columns : negated(*columns), isKnown));
    }
    const bool isDivision = op.fn == "div" && !isFixedFirst;
    if (op.fn != "mul" && op.fn != "sub" && !isDivision)
        return refuse("\"" + op.fn + "\" with a constant is no affine map");
    Affine map = scaled(width, op.fn == "sub" ? -1 : 1);
    map.isKnown = isKnown;
    if (op.fn == "sub") {
        map.bias = *columns;
        map.hasUnknownBias = !isKnown;
    } else {
        map.entries.clear();
        for (std::size_t i = 0; isKnown && i < count; ++i) {
            if (isDivision && (*columns)[i] == 0) return refuse("it divides by zero");
            const auto at = static_cast<std::int64_t>(i);
            map.put(at, at, isDivision ? 1 / (*columns)[i] : (*columns)[i]);
        }
    }
    return give(make_.linear(node, std::move(map)));
}

bool Lowering::isReadOnce(NodeId node) const {
    const auto it = holders_.find(node);
    return it != holders_.end() && std::ranges::all_of(it->second, [&](TensorId id) { return readers_[id.at()] <= 1; });
}

/// The bias of the Linear before it, where nobody else reads that.
NodeId Lowering::plusBias(TensorId x, NodeId node, const std::vector<double>& bias, bool isKnown) {
    const bool isOwn = node != value(x)->node;
    if (make_.isLinear(node) && (isOwn || isReadOnce(node))) {
        make_.addBias(node, bias, isKnown);
        return node;
    }
    Affine map = scaled(make_.width(node), 1);
    map.bias = bias;
    map.isKnown = isKnown;
    map.hasUnknownBias = !isKnown;
    return make_.linear(node, std::move(map));
}

}  // namespace memplan::torchwright::lower
