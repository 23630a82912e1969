// SPDX-License-Identifier: Apache-2.0
#include "engine/io/onnx/fold/fold.h"

#include "engine/base/numeric.h"
#include "engine/io/onnx/rules/generators.h"

#include <algorithm>
#include <array>

namespace memplan::io::onnx {

namespace {

enum class Family { None, Arithmetic, Reduce, Movement, Shape, Size, Range, Fill, NonZero };

struct FoldEntry {
    std::string_view op;
    Family family;
};

// The set of 3.4 rule 2, and a few more that exporters put into shape computations.
constexpr std::array kFoldable{
    FoldEntry{"Abs", Family::Arithmetic},
    FoldEntry{"Add", Family::Arithmetic},
    FoldEntry{"And", Family::Arithmetic},
    FoldEntry{"Cast", Family::Arithmetic},
    FoldEntry{"CastLike", Family::Arithmetic},
    FoldEntry{"Ceil", Family::Arithmetic},
    FoldEntry{"Concat", Family::Movement},
    FoldEntry{"ConstantOfShape", Family::Fill},
    FoldEntry{"Div", Family::Arithmetic},
    FoldEntry{"Equal", Family::Arithmetic},
    FoldEntry{"Expand", Family::Movement},
    FoldEntry{"Flatten", Family::Movement},
    FoldEntry{"Floor", Family::Arithmetic},
    FoldEntry{"Gather", Family::Movement},
    FoldEntry{"GatherElements", Family::Movement},
    FoldEntry{"Greater", Family::Arithmetic},
    FoldEntry{"GreaterOrEqual", Family::Arithmetic},
    FoldEntry{"Identity", Family::Movement},
    FoldEntry{"Less", Family::Arithmetic},
    FoldEntry{"LessOrEqual", Family::Arithmetic},
    FoldEntry{"Max", Family::Arithmetic},
    FoldEntry{"Min", Family::Arithmetic},
    FoldEntry{"Mod", Family::Arithmetic},
    FoldEntry{"Mul", Family::Arithmetic},
    FoldEntry{"Neg", Family::Arithmetic},
    FoldEntry{"NonZero", Family::NonZero},
    FoldEntry{"Not", Family::Arithmetic},
    FoldEntry{"Or", Family::Arithmetic},
    FoldEntry{"Pow", Family::Arithmetic},
    FoldEntry{"Range", Family::Range},
    FoldEntry{"Reciprocal", Family::Arithmetic},
    FoldEntry{"ReduceMax", Family::Reduce},
    FoldEntry{"ReduceMin", Family::Reduce},
    FoldEntry{"ReduceProd", Family::Reduce},
    FoldEntry{"ReduceSum", Family::Reduce},
    FoldEntry{"Reshape", Family::Movement},
    FoldEntry{"Round", Family::Arithmetic},
    FoldEntry{"Shape", Family::Shape},
    FoldEntry{"Sign", Family::Arithmetic},
    FoldEntry{"Size", Family::Size},
    FoldEntry{"Slice", Family::Movement},
    FoldEntry{"Split", Family::Movement},
    FoldEntry{"Sqrt", Family::Arithmetic},
    FoldEntry{"Squeeze", Family::Movement},
    FoldEntry{"Sub", Family::Arithmetic},
    FoldEntry{"Sum", Family::Arithmetic},
    FoldEntry{"Tile", Family::Movement},
    FoldEntry{"Transpose", Family::Movement},
    FoldEntry{"Unsqueeze", Family::Movement},
    FoldEntry{"Where", Family::Arithmetic},
    FoldEntry{"Xor", Family::Arithmetic},
};
static_assert(std::is_sorted(kFoldable.begin(), kFoldable.end(),
                             [](const FoldEntry& a, const FoldEntry& b) { return a.op < b.op; }));

Family familyOf(std::string_view op) {
    const auto at = std::lower_bound(kFoldable.begin(), kFoldable.end(), op,
                                     [](const FoldEntry& e, std::string_view o) { return e.op < o; });
    return at != kFoldable.end() && at->op == op ? at->family : Family::None;
}

bool allKnown(const NodeContext& c) {
    for (std::size_t i = 0; i < c.inputCount(); ++i)
        if (c.has(i) && !c.input(i).folded) return false;
    return true;
}

std::optional<FoldedValue> foldShape(const NodeContext& c) {
    const ShapeSlice s = shapeSlice(c);
    const Shape& x = c.shape(0);
    return FoldedValue(
        Shape(x.begin() + static_cast<std::ptrdiff_t>(s.from), x.begin() + static_cast<std::ptrdiff_t>(s.to)));
}

std::optional<FoldedValue> foldRange(const NodeContext& c) {
    const auto count = static_cast<std::size_t>(c.output(0).shape[0]);
    if (!isFloating(c.type(0))) {
        const std::int64_t start = c.needInteger(0, "the start");
        const std::int64_t delta = c.needInteger(2, "the step");
        std::vector<std::int64_t> list(count);
        for (std::size_t i = 0; i < count; ++i) {
            list[i] =
                static_cast<std::int64_t>(static_cast<std::uint64_t>(start) + i * static_cast<std::uint64_t>(delta));
        }
        return FoldedValue(std::move(list));
    }
    const double start = c.needReals(0, "the start")[0];
    const double delta = c.needReals(2, "the step")[0];
    std::vector<double> list(count);
    for (std::size_t i = 0; i < count; ++i)
        list[i] = start + static_cast<double>(i) * delta;
    return FoldedValue(std::move(list));
}

std::optional<FoldedValue> foldFill(const NodeContext& c) {
    const auto count = static_cast<std::size_t>(c.product(c.output(0).shape));
    const Attribute* attribute = c.find("value");
    if (attribute == nullptr || attribute->tensorType == 0) return FoldedValue(std::vector<double>(count, 0.0));
    const auto* value = std::get_if<FoldedValue>(&attribute->value);
    if (value == nullptr || valueSize(*value) != 1) return std::nullopt;
    return takeElements(*value, std::vector<std::size_t>(count, 0));
}

std::optional<FoldedValue> foldNonZero(const NodeContext& c) {
    const Shape strides = rowStrides(c.shape(0));
    const auto value = c.reals(0);
    std::vector<std::int64_t> out;
    for (std::size_t axis = 0; axis < strides.size(); ++axis) {
        for (std::size_t i = 0; i < value->size(); ++i) {
            if ((*value)[i] != 0.0) out.push_back(static_cast<std::int64_t>(i) / strides[axis] % c.shape(0)[axis]);
        }
    }
    return FoldedValue(std::move(out));
}

std::optional<FoldedValue> foldOne(const NodeContext& c, Family family) {
    switch (family) {
    case Family::Arithmetic:
        return foldArithmetic(c);
    case Family::Reduce:
        return foldReduce(c);
    case Family::Shape:
        return foldShape(c);
    case Family::Size:
        return FoldedValue(std::vector<std::int64_t>{c.product(c.shape(0))});
    case Family::Range:
        return foldRange(c);
    case Family::Fill:
        return foldFill(c);
    case Family::NonZero:
        return foldNonZero(c);
    default:
        return std::nullopt;
    }
}

bool smallOutputs(const NodeContext& c) {
    for (std::size_t i = 0; i < c.outputCount(); ++i) {
        if (!c.wants(i)) continue;
        if (!c.written(i) || c.product(c.output(i).shape) > c.limits().foldedElements ||
            c.output(i).elemType == kString)
            return false;
    }
    return true;
}

}  // namespace

bool isFoldable(std::string_view op) {
    return familyOf(op) != Family::None;
}

std::vector<std::int64_t> rowStrides(const Shape& shape) {
    std::vector<std::int64_t> strides(shape.size(), 1);
    // Only a tensor without elements can overflow here, and nothing of it is read.
    for (std::size_t i = shape.size(); i-- > 1;)
        strides[i - 1] = checkedMul(strides[i], std::max<std::int64_t>(shape[i], 1)).value_or(0);
    return strides;
}

std::vector<std::size_t> stridedPositions(const Shape& out, const std::vector<std::int64_t>& strides,
                                          std::int64_t base) {
    std::size_t count = 1;
    for (const std::int64_t extent : out)
        count *= static_cast<std::size_t>(extent);
    std::vector<std::size_t> positions;
    positions.reserve(count);
    std::vector<std::int64_t> index(out.size(), 0);
    std::int64_t at = base;
    for (std::size_t n = 0; n < count; ++n) {
        positions.push_back(static_cast<std::size_t>(at));
        for (std::size_t d = out.size(); d-- > 0;) {
            at += strides[d];
            if (++index[d] < out[d]) break;
            at -= strides[d] * out[d];
            index[d] = 0;
        }
    }
    return positions;
}

std::vector<std::size_t> broadcastPositions(const Shape& in, const Shape& out) {
    const std::vector<std::int64_t> own = rowStrides(in);
    std::vector<std::int64_t> strides(out.size(), 0);
    for (std::size_t back = 1; back <= in.size(); ++back) {
        if (in[in.size() - back] != 1) strides[out.size() - back] = own[in.size() - back];
    }
    return stridedPositions(out, strides, 0);
}

FoldedValue takeElements(const FoldedValue& value, const std::vector<std::size_t>& positions) {
    return std::visit(
        [&](const auto& list) {
            auto out = list;
            out.clear();
            out.reserve(positions.size());
            for (const std::size_t p : positions)
                out.push_back(list[p]);
            return FoldedValue(std::move(out));
        },
        value);
}

FoldedOutputs foldNode(const NodeContext& c) {
    FoldedOutputs none(c.outputCount());
    const Family family = c.node().domain.empty() ? familyOf(c.node().op) : Family::None;
    if (family == Family::None || !c.wants(0) || !smallOutputs(c)) return none;
    const bool shapesOnly = family == Family::Shape || family == Family::Size;
    if (!shapesOnly && !allKnown(c)) return none;
    if (family == Family::Movement) return foldMovement(c);
    none[0] = foldOne(c, family);
    return none;
}

}  // namespace memplan::io::onnx
