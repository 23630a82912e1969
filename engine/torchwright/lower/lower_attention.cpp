// SPDX-License-Identifier: Apache-2.0
// Causal attention: product of query and key, scale, mask, softmax, product with the values; one Attn a head.
#include "engine/torchwright/lower/lowering.h"

#include <algorithm>

namespace memplan::torchwright::lower {
namespace {

constexpr double kHidden = -1000;  ///< a mask of this or less hides a position

using Stage = Attention::Stage;

bool isOverLastAxis(const Op& op, const Shape& shape) {
    if (op.kind != OpKind::Reduction || !op.hasIter || !op.inMaps[0] || shape.empty()) return false;
    for (std::size_t d = 0; d < op.inMaps[0]->size(); ++d) {
        const auto loop = loopOf((*op.inMaps[0])[d]);
        const bool isReduced = loop && op.iter[static_cast<std::size_t>(*loop)].kind == IterKind::Reduction;
        if (isReduced != (d + 1 == shape.size()) && shape[d] != 1) return false;
    }
    return true;
}

}  // namespace

/// Of [.., heads, positions, columns] or with the positions elsewhere: the features but those of one head.
std::optional<std::int64_t> Lowering::headsOf(TensorId id) const {
    const Value* v = value(id);
    const Shape& shape = shapeOf(id);
    if (v == nullptr || v->tokenAxis < 0) return std::nullopt;
    for (std::size_t d = shape.size(); d-- > 0;)
        if (static_cast<int>(d) != v->tokenAxis) return make_.width(v->node) / shape[d];
    return std::nullopt;
}

bool Lowering::scores(const Op& op) {
    if (!op.outMaps[0] || !op.inMaps[0] || !op.inMaps[1] || op.outMaps[0]->size() < 2)
        return refuse("a product of two computed values is no attention");
    Attention made;
    const auto lastLoop = loopOf(op.outMaps[0]->back());
    for (std::size_t k = 0; k < 2; ++k) {
        const TensorId id = op.inputs[k];
        const Value* v = value(id);
        const auto heads = headsOf(id);
        if (!heads) return refuse("a product of two computed values is no attention over positions");
        const bool isKey = lastLoop && loopOf((*op.inMaps[k])[static_cast<std::size_t>(v->tokenAxis)]) == lastLoop;
        (isKey ? made.key : made.query) = *v;
        if (k == 1 && *heads != made.heads) return refuse("query and key have other numbers of heads");
        made.heads = *heads;
    }
    if (!made.query.node.isValid() || !made.key.node.isValid() ||
        make_.width(made.query.node) != make_.width(made.key.node))
        return refuse("a product of two computed values is no attention: it wants a query and a key of one width");
    items_[op.outputs.front().at()] = made;
    return true;
}

bool Lowering::attentionStep(const Op& op) {
    const TensorId out = op.outputs.front();
    const auto isIn = [&](TensorId id) { return id.isValid() && attention(id) != nullptr; };
    const TensorId x = *std::ranges::find_if(op.inputs, isIn);
    Attention next = *attention(x);
    const bool isSameShape = shapeOf(x) == shapeOf(out);
    if (isSameShape && (op.fn == "cast" || op.fn == "identity" || op.kind == OpKind::View)) {
        items_[out.at()] = next;
        return true;
    }
    const TensorId other = op.inputs.size() == 2 ? op.inputs[op.inputs[0] == x ? 1 : 0] : TensorId{};
    const Fixed* constant = other.isValid() ? fixed(other) : nullptr;
    if (constant == nullptr) return softmaxStep(op, next);
    if (next.stage != Stage::Scores || op.kind != OpKind::Pointwise) return refuse("this is no part of attention");
    const bool isNumber = constant->values.size() == 1;
    if (op.fn == "mul" && isNumber) {
        next.scale *= constant->values.front();
    } else if (op.fn == "div" && isNumber && op.inputs[0] == x && constant->values.front() != 0) {
        next.scale /= constant->values.front();
    } else if (op.fn == "add" && isCausalMask(other)) {
        next.isMasked = true;
    } else {
        return refuse(op.fn == "add" ? "its mask is not the one that hides later positions"
                                     : "\"" + op.fn + "\" is no part of attention");
    }
    items_[out.at()] = next;
    return true;
}

/// largest, differences, powers, sums, shares.
bool Lowering::softmaxStep(const Op& op, const Attention& from) {
    Attention next = from;
    const TensorId first = op.inputs[0], out = op.outputs.front();
    const Attention* second = op.inputs.size() == 2 && op.inputs[1].isValid() ? attention(op.inputs[1]) : nullptr;
    const Attention* leading = attention(first);
    if (leading == nullptr) return refuse("this is no part of attention");
    if (op.fn == "max" && leading->stage == Stage::Scores && isOverLastAxis(op, shapeOf(first))) {
        next = *leading;
        next.stage = Stage::Largest;
        next.scores = first;
    } else if (op.fn == "sub" && leading->stage == Stage::Scores && second != nullptr &&
               second->stage == Stage::Largest && second->scores == first) {
        next = *leading;
        next.stage = Stage::Differences;
    } else if (op.fn == "exp" && (leading->stage == Stage::Differences || leading->stage == Stage::Scores)) {
        next.stage = Stage::Powers;
    } else if (op.fn == "sum" && leading->stage == Stage::Powers && isOverLastAxis(op, shapeOf(first))) {
        next.stage = Stage::Sums;
        next.powers = first;
    } else if (op.fn == "div" && leading->stage == Stage::Powers && second != nullptr && second->stage == Stage::Sums &&
               second->powers == first) {
        next = *leading;
        next.stage = Stage::Shares;
    } else {
        return refuse("\"" + op.fn + "\" is no part of attention");
    }
    items_[out.at()] = next;
    return true;
}

bool Lowering::isCausalMask(TensorId id) const {
    const Fixed* mask = fixed(id);
    if (mask == nullptr) return false;
    if (mask->isCausal) return true;
    const Shape& shape = shapeOf(id);
    if (shape.size() < 2 || shape.back() != shape[shape.size() - 2]) return false;
    const std::int64_t n = shape.back();
    if (static_cast<std::int64_t>(mask->values.size()) != n * n) return false;
    for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
            const double v = mask->values[static_cast<std::size_t>(i * n + j)];
            if (j <= i ? v != 0 : v > kHidden) return false;
        }
    }
    return true;
}

Affine Lowering::headMap(const Value& x, std::int64_t head, std::int64_t heads, double factor) const {
    const Columns width = make_.width(x.node), own = static_cast<Columns>(width / heads);
    Affine map(width, own);
    for (Columns i = 0; i < own; ++i)
        map.put(head * own + i, i, factor);
    return map;
}

bool Lowering::context(const Op& op, const Attention& shares) {
    const std::size_t k = attention(op.inputs[0]) != nullptr ? 0 : 1;
    const TensorId probabilities = op.inputs[k], values = op.inputs[1 - k], out = op.outputs.front();
    const Value* v = value(values);
    if (shares.stage != Stage::Shares || v == nullptr || !op.inMaps[0] || !op.inMaps[1] || !op.outMaps[0])
        return refuse("this product is no part of attention");
    if (!shares.isMasked && positions_ > 1)
        return refuse("its attention reads later positions: it wants a causal mask");
    const auto& from = *op.inMaps[k];
    const std::size_t rank = shapeOf(probabilities).size();
    const auto heads = headsOf(values);
    const bool isOverKeys = rank >= 2 && v->tokenAxis >= 0 &&
                            loopOf((*op.inMaps[1 - k])[static_cast<std::size_t>(v->tokenAxis)]) == loopOf(from.back());
    if (!isOverKeys || !heads || *heads != shares.heads) return refuse("its values have other positions or heads");
    std::vector<NodeId> parts;
    for (std::int64_t h = 0; h < shares.heads; ++h)
        parts.push_back(make_.attend({shares.query.node, shares.key.node, v->node,
                                      headMap(shares.query, h, shares.heads, shares.scale),
                                      headMap(shares.key, h, shares.heads, 1), headMap(*v, h, shares.heads, 1)}));
    Value result{make_.concatenate(parts), -1};
    for (std::size_t d = 0; d < op.outMaps[0]->size(); ++d)
        if (loopOf((*op.outMaps[0])[d]) == loopOf(from[rank - 2])) result.tokenAxis = static_cast<int>(d);
    return set(out, result);
}

}  // namespace memplan::torchwright::lower
