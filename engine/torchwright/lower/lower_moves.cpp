// SPDX-License-Identifier: Apache-2.0
// Products with a constant, sums over the features, and what moves features.
#include "engine/base/text.h"
#include "engine/torchwright/lower/lowering.h"

#include <algorithm>

namespace memplan::torchwright::lower {
namespace {

/// Positions of the axes that have more than one element.
std::vector<std::size_t> wideAxes(const Shape& shape) {
    std::vector<std::size_t> axes;
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (shape[d] != 1) axes.push_back(d);
    return axes;
}

int reductionLoop(const Op& op) {
    int found = -1;
    for (std::size_t i = 0; i < op.iter.size(); ++i) {
        if (op.iter[i].kind != IterKind::Reduction) continue;
        if (found >= 0) return -1;
        found = static_cast<int>(i);
    }
    return found;
}

}  // namespace

bool Lowering::product(const Op& op) {
    if (op.inputs.size() != 2 || !op.hasIter) return refuse("it is no product of two operands with loops");
    for (const TensorId input : op.inputs)
        if (const Attention* shares = attention(input)) return context(op, *shares);
    if (value(op.inputs[0]) != nullptr && value(op.inputs[1]) != nullptr) return scores(op);
    return productWithFixed(op);
}

bool Lowering::productWithFixed(const Op& op) {
    const TensorId x = op.inputs[0], w = op.inputs[1], out = op.outputs.front();
    if (value(x) == nullptr || fixed(w) == nullptr || !isCanonical(x))
        return refuse("a constant matrix does not stand behind the features of a computed value");
    const Shape& matrix = shapeOf(w);
    if (matrix.size() < 2 || elementsOf(matrix) != matrix[matrix.size() - 1] * matrix[matrix.size() - 2])
        return refuse("its constant operand is no matrix");
    const Columns rows = make_.width(value(x)->node);
    const auto columns = static_cast<Columns>(shapeOf(out).empty() ? 1 : shapeOf(out).back());
    const int loop = reductionLoop(op);
    const auto& xMap = op.inMaps[0];
    const auto& wMap = op.inMaps[1];
    const bool isOverFeatures =
        loop >= 0 && xMap && wMap && !xMap->empty() && (rows == 1 || loopOf(xMap->back()) == loop);
    if (!isOverFeatures) return refuse("it does not sum over the features of a position");
    const std::int64_t high = matrix[matrix.size() - 2], low = matrix.back();
    const bool isPlain = loopOf((*wMap)[matrix.size() - 2]) == loop || (loopOf(wMap->back()) != loop && high == rows);
    if ((isPlain ? high : low) != rows || (isPlain ? low : high) != columns)
        return refuse("its constant operand has another size than the features");
    Affine map(rows, columns);
    const std::vector<double>& values = fixed(w)->values;
    map.isKnown = !values.empty();
    for (std::int64_t r = 0; map.isKnown && r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c)
            map.put(r, c, values[static_cast<std::size_t>(isPlain ? r * columns + c : c * rows + r)]);
    return set(out, like(out, x, make_.linear(value(x)->node, std::move(map))));
}

bool Lowering::reduction(const Op& op) {
    const TensorId x = op.inputs.front(), out = op.outputs.front();
    const Value* v = value(x);
    if (v == nullptr || !isCanonical(x) || !op.hasIter || !op.inMaps[0]) return refuse("its operand does not fit");
    const Shape& shape = shapeOf(x);
    bool isOverFeatures = false;
    int dropped = 0;
    const bool isKept = shapeOf(out).size() == shape.size();
    for (std::size_t d = 0; d < op.inMaps[0]->size(); ++d) {
        const auto loop = loopOf((*op.inMaps[0])[d]);
        const bool isReduced = loop && op.iter[static_cast<std::size_t>(*loop)].kind == IterKind::Reduction;
        if (!isReduced) continue;
        if (static_cast<int>(d) == v->tokenAxis) return refuse("it reduces over positions");
        isOverFeatures = isOverFeatures || shape[d] != 1;
        dropped += !isKept && static_cast<int>(d) < v->tokenAxis ? 1 : 0;
    }
    Value result{v->node, v->tokenAxis < 0 ? -1 : v->tokenAxis - dropped};
    if (!isOverFeatures) return set(out, result);
    if (op.fn != "sum" && op.fn != "mean") return refuse("\"" + op.fn + "\" over the features is no affine map");
    const Columns width = make_.width(v->node);
    Affine map(width, 1);
    for (Columns i = 0; i < width; ++i)
        map.put(i, 0, op.fn == "sum" ? 1.0 : 1.0 / width);
    result.node = make_.linear(v->node, std::move(map));
    return set(out, result);
}

std::int64_t Lowering::featureAt(TensorId x, const Shape& at) const {
    const Shape& shape = shapeOf(x);
    std::int64_t feature = 0;
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (static_cast<int>(d) != value(x)->tokenAxis) feature = feature * shape[d] + at[d];
    return feature;
}

bool Lowering::picked(TensorId x, TensorId result, int tokenAxis,
                      const std::function<std::int64_t(const Shape& at)>& sourceOf) {
    Shape loops = shapeOf(result);
    if (tokenAxis >= 0) loops[static_cast<std::size_t>(tokenAxis)] = 1;
    const std::int64_t features = elementsOf(loops);
    if (!fitsStream(features)) return false;
    Affine picks(make_.width(value(x)->node), static_cast<Columns>(features));
    Shape at(loops.size(), 0);
    for (std::int64_t feature = 0; feature < features; ++feature) {
        picks.put(sourceOf(at), feature, 1);
        for (std::size_t d = loops.size(); d > 0 && ++at[d - 1] == loops[d - 1];)
            at[--d] = 0;
    }
    return set(result, {make_.linear(value(x)->node, std::move(picks)), tokenAxis});
}

/// Values of the index, which an importer may have put into an attribute; empty where they are not known.
std::vector<double> Lowering::placesOf(const Op& op) const {
    if (op.inputs.size() != 2 || !op.inputs[1].isValid() || fixed(op.inputs[1]) == nullptr) return {};
    const AttrValue* given = findAttr(op, "indices");
    const auto* list = given == nullptr ? nullptr : std::get_if<std::vector<std::int64_t>>(given);
    return list == nullptr ? fixed(op.inputs[1])->values : std::vector<double>(list->begin(), list->end());
}

/// Features at known places along one axis.
bool Lowering::gatherFeatures(const Op& op) {
    const TensorId x = op.inputs[0], places = op.inputs[1], out = op.outputs.front();
    const auto& map = *op.inMaps[0];
    const auto along = std::ranges::find_if(map, &IndexExpr::dataDependent);
    if (along == map.end() || std::ranges::count_if(map, &IndexExpr::dataDependent) != 1)
        return refuse("what it reads is not known beforehand");
    const auto axis = static_cast<std::size_t>(along - map.begin());
    const Shape &from = shapeOf(x), &counts = shapeOf(places);
    const int token = value(x)->tokenAxis;
    if (token == static_cast<int>(axis)) return refuse("it takes some of the positions");
    if (shapeOf(out).size() != from.size() + counts.size() - 1) return refuse("it is no list of features");
    const auto extent = static_cast<double>(from[axis]);
    std::vector<std::int64_t> rows;
    for (const double place : placesOf(op)) {
        if (!(place >= -extent && place < extent)) return refuse("it reads outside of its operand");
        rows.push_back(static_cast<std::int64_t>(place < 0 ? place + extent : place));
    }
    if (static_cast<std::int64_t>(rows.size()) != elementsOf(counts)) return refuse("its places are not all known");
    // Axes of the places stand where the axis was.
    const auto shifted = [&](std::size_t d) { return d < axis ? d : d + counts.size() - 1; };
    const auto sourceOf = [&](const Shape& at) {
        Shape place(from.size(), 0);
        std::size_t row = 0;
        for (std::size_t d = 0; d < counts.size(); ++d)
            row = row * static_cast<std::size_t>(counts[d]) + static_cast<std::size_t>(at[axis + d]);
        for (std::size_t d = 0; d < from.size(); ++d)
            place[d] = d == axis ? rows[row] : at[shifted(d)];
        return featureAt(x, place);
    };
    return picked(x, out, token < 0 ? -1 : static_cast<int>(shifted(static_cast<std::size_t>(token))), sourceOf);
}

bool Lowering::gather(const Op& op) {
    const bool isOfValue = op.inputs[0].isValid() && value(op.inputs[0]) != nullptr;
    if (op.fn == "gather" && isOfValue && op.hasIter && op.inMaps[0] && !placesOf(op).empty())
        return gatherFeatures(op);
    const bool isTable = op.fn == "embedding" && op.inputs.size() == 2 && op.inputs[0].isValid() &&
                         fixed(op.inputs[0]) != nullptr && shapeOf(op.inputs[0]).size() == 2;
    if (!isTable || !tokens_.contains(op.inputs[1]))
        return refuse(
            "only rows of a constant table are taken, by the token ids of an input, and features at constant places");
    const memplan::Tensor& index = graph_.tensor(op.inputs[1]);
    const Shape& table = shapeOf(op.inputs[0]);
    Value result;
    result.node = make_.embedding(index.name.empty() ? index.id : index.name, static_cast<Columns>(table[1]), table[0],
                                  fixed(op.inputs[0])->values);
    const std::vector<std::size_t> axes = wideAxes(index.shape);
    if (!axes.empty()) result.tokenAxis = static_cast<int>(axes.front());
    return set(op.outputs.front(), result);
}

bool Lowering::view(const Op& op) {
    const TensorId x = op.inputs.front(), out = op.outputs.front();
    const Value* v = value(x);
    if (v == nullptr) return refuse("its operand is no computed value");
    const Shape &from = shapeOf(x), &to = shapeOf(out);
    if (elementsOf(from) != elementsOf(to)) {
        if (v->tokenAxis >= 0) return refuse("it takes a part of the positions");
        const memplan::Tensor &in = graph_.tensor(x), &part = graph_.tensor(out);
        const std::int64_t bytes = std::max<std::int64_t>(1, dtypeBits(in.dtype) / 8);
        const std::int64_t start = (part.aliasOffset - (part.aliasOf == x ? 0 : in.aliasOffset)) / bytes;
        const auto count = static_cast<Columns>(elementsOf(to));
        if (start < 0 || start + count > make_.width(v->node)) return refuse("it reads outside of its operand");
        return set(out, {make_.linear(v->node, shifted(make_.width(v->node), count, -start)), -1});
    }
    if (v->tokenAxis < 0) return set(out, {v->node, -1});
    const std::vector<std::size_t> before = wideAxes(from), after = wideAxes(to);
    const auto at = std::ranges::find(before, static_cast<std::size_t>(v->tokenAxis)) - before.begin();
    const bool isSame = std::ranges::equal(
        before, after, {}, [&](std::size_t d) { return from[d]; }, [&](std::size_t d) { return to[d]; });
    if (isSame) return set(out, {v->node, static_cast<int>(after[static_cast<std::size_t>(at)])});
    if (at != 0 || after.empty() || to[after.front()] != from[before.front()])
        return refuse("it mixes positions and features");
    return set(out, {v->node, static_cast<int>(after.front())});
}

bool Lowering::copy(const Op& op) {
    if (op.fn == "concat") return concatenated(op);
    if (op.inputs.size() != 1 || value(op.inputs[0]) == nullptr || !op.hasIter || !op.inMaps[0])
        return refuse("what it reads is not known beforehand");
    if (op.fn == "pad" && op.outMaps[0]) return padded(op);
    const auto& map = *op.inMaps[0];
    if (std::ranges::any_of(map, &IndexExpr::dataDependent)) return refuse("what it reads is not known beforehand");
    const Shape& from = shapeOf(op.inputs[0]);
    const bool isWhole = std::ranges::all_of(wideAxes(from), [&](std::size_t d) {
        const auto loop = loopOf(map[d]);
        return loop && op.iter[static_cast<std::size_t>(*loop)].size == from[d];
    });
    return isWhole ? permuted(op, map) : selected(op, map);
}

/// Axes change places; axes of one element may be spread over several, and all features may repeat.
bool Lowering::permuted(const Op& op, const std::vector<IndexExpr>& map) {
    const TensorId x = op.inputs[0], out = op.outputs.front();
    const Value v = *value(x);
    int last = -1, tokenAxis = -1;
    for (const std::size_t d : wideAxes(shapeOf(x))) {
        const int loop = *loopOf(map[d]);
        if (static_cast<int>(d) == v.tokenAxis) {
            tokenAxis = loop;
            continue;
        }
        if (loop < last) return refuse("it changes the order of the features");
        last = loop;
    }
    const std::int64_t features =
        elementsOf(shapeOf(out)) / (tokenAxis < 0 ? 1 : shapeOf(x)[static_cast<std::size_t>(v.tokenAxis)]);
    if (features == make_.width(v.node)) return set(out, {v.node, tokenAxis});
    return picked(x, out, tokenAxis, [&](const Shape& at) {
        Shape place(map.size(), 0);
        for (const std::size_t d : wideAxes(shapeOf(x)))
            if (static_cast<int>(d) != v.tokenAxis) place[d] = at[static_cast<std::size_t>(*loopOf(map[d]))];
        return featureAt(x, place);
    });
}

/// Some of the features of each position.
bool Lowering::selected(const Op& op, const std::vector<IndexExpr>& map) {
    const TensorId x = op.inputs[0], out = op.outputs.front();
    const Shape &from = shapeOf(x), &to = shapeOf(out);
    if (!isCanonical(x) || from.size() != to.size()) return refuse("it moves positions or several axes of features");
    for (std::size_t d = 0; d + 1 < from.size(); ++d) {
        const bool isOwn = loopOf(map[d]) == static_cast<int>(d) || from[d] == 1;
        if (!isOwn || from[d] != to[d]) return refuse("it takes a part of the positions");
    }
    const IndexExpr& last = map.back();
    if (last.terms.size() > 1) return refuse("what it reads is no row of features");
    if (!fitsStream(to.back())) return false;
    const std::int64_t step = last.terms.empty() ? 0 : last.terms[0].coefficient;
    Affine picks(make_.width(value(x)->node), static_cast<Columns>(to.back()));
    for (std::int64_t j = 0; j < to.back(); ++j) {
        const std::int64_t row = last.constant + step * j;
        if (row < 0 || row >= picks.rows) return refuse("it reads outside of its operand");
        picks.put(row, j, 1);
    }
    return set(out, like(out, x, make_.linear(value(x)->node, std::move(picks))));
}

bool Lowering::padded(const Op& op) {
    const TensorId x = op.inputs[0], out = op.outputs.front();
    const Shape &from = shapeOf(x), &to = shapeOf(out);
    const auto& map = *op.outMaps[0];
    if (!isCanonical(x) || from.size() != to.size() || map.size() != to.size()) return refuse("it pads several axes");
    for (std::size_t d = 0; d + 1 < from.size(); ++d)
        if (from[d] != to[d]) return refuse("it adds positions");
    if (!fitsStream(to.back())) return false;
    Affine moved = shifted(static_cast<Columns>(from.back()), static_cast<Columns>(to.back()), map.back().constant);
    if (const double fill = numberAttr(op, "value").value_or(0); fill != 0) {
        moved.bias.assign(static_cast<std::size_t>(to.back()), fill);
        std::fill_n(moved.bias.begin() + map.back().constant, from.back(), 0.0);
    }
    return set(out, like(out, x, make_.linear(value(x)->node, std::move(moved))));
}

/// Parts follow each other, each a copy into its place of one storage; the last is the result.
bool Lowering::concatenated(const Op& op) {
    const TensorId x = op.inputs.front(), out = op.outputs.front(), root = aliasRoot(graph_, out);
    const Shape &from = shapeOf(x), &to = shapeOf(out);
    if (!op.hasIter || !op.outMaps[0] || from.size() != to.size() || from.empty())
        return refuse("where its part stands is not known");
    for (std::size_t d = 0; d + 1 < from.size(); ++d)
        if (from[d] != to[d]) return refuse("it joins positions");
    if (value(x) != nullptr && !isCanonical(x)) return refuse("the features of a part stand in several axes");
    auto& parts = parts_[root];
    parts.emplace_back(op.outMaps[0]->back().constant, nodeOf(x).value_or(NodeId{}));
    std::int64_t covered = 0;
    bool hasValue = false, hasUnknown = false;
    int tokenAxis = -1;
    for (const Op& other : graph_.ops) {
        const bool isPart =
            other.kind == OpKind::Copy && other.fn == "concat" && aliasRoot(graph_, other.outputs.front()) == root;
        if (!isPart) continue;
        hasValue = hasValue || value(other.inputs.front()) != nullptr;
        if (const Value* v = value(other.inputs.front())) tokenAxis = std::max(tokenAxis, v->tokenAxis);
        if (&other == &op) break;
    }
    std::ranges::sort(parts, {}, &std::pair<std::int64_t, NodeId>::first);
    std::vector<NodeId> nodes;
    for (const auto& [start, node] : parts) {
        hasUnknown = hasUnknown || !node.isValid();
        if (node.isValid() && start != covered && !hasUnknown) return true;  // parts before it are still to come
        covered += node.isValid() ? make_.width(node) : 0;
        nodes.push_back(node);
    }
    if (hasUnknown) {
        if (hasValue) return refuse("the values of a constant part are not in the file");
        items_[out.at()] = Fixed{};
        return true;
    }
    if (covered < to.back()) return true;
    return set(out, {make_.concatenate(nodes), tokenAxis});
}

}  // namespace memplan::torchwright::lower
