// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/graph/node.h"

#include "engine/base/numeric.h"
#include "engine/base/word_table.h"

#include <algorithm>

namespace memplan::torchwright {
namespace {

constexpr WordTable<NodeKind, 12> kKinds{{
    {NodeKind::InputNode, "InputNode"},
    {NodeKind::LiteralValue, "LiteralValue"},
    {NodeKind::PosEncoding, "PosEncoding"},
    {NodeKind::Embedding, "Embedding"},
    {NodeKind::Linear, "Linear"},
    {NodeKind::ReLU, "ReLU"},
    {NodeKind::Attn, "Attn"},
    {NodeKind::Add, "Add"},
    {NodeKind::Concatenate, "Concatenate"},
    {NodeKind::Assert, "Assert"},
    {NodeKind::DebugWatch, "DebugWatch"},
    {NodeKind::Placeholder, "Placeholder"},
}};

}  // namespace

std::string_view kindName(NodeKind kind) {
    return wordIn(kKinds, kind);
}

std::optional<NodeKind> kindOf(std::string_view name) {
    return valueIn(kKinds, name);
}

bool isInputLike(NodeKind kind) {
    return kind == NodeKind::InputNode || kind == NodeKind::LiteralValue || kind == NodeKind::PosEncoding ||
           kind == NodeKind::Embedding;
}

bool isPassThrough(NodeKind kind) {
    return kind == NodeKind::Assert || kind == NodeKind::DebugWatch;
}

std::optional<std::size_t> inputCount(NodeKind kind) {
    switch (kind) {
    case NodeKind::Concatenate:
        return std::nullopt;
    case NodeKind::Attn:
        return 3;
    case NodeKind::Add:
        return 2;
    case NodeKind::Linear:
    case NodeKind::ReLU:
    case NodeKind::Assert:
    case NodeKind::DebugWatch:
        return 1;
    default:
        return 0;
    }
}

std::int64_t denseParams(const Node& node) {
    const std::int64_t columns = node.width;
    if (node.is(NodeKind::Embedding)) return saturatedMul(columns, node.embedding().maxVocab);
    if (node.is(NodeKind::Linear)) return std::int64_t{node.linear().inputWidth} * columns + columns;
    if (!node.is(NodeKind::Attn)) return 0;
    const AttnData& a = node.attn();
    const std::int64_t qk = a.qk, v = a.v;
    return (std::int64_t{a.queryWidth} + a.keyWidth) * qk + a.valueWidth * v + v * columns;
}

bool hasBias(const Node& node) {
    return node.is(NodeKind::Linear) && node.linear().hasBias;
}

std::string_view listedKind(const Node& node) {
    if (!node.is(NodeKind::LiteralValue)) return kindName(node.kind);
    const bool isZero = std::ranges::all_of(node.literal().value, [](float v) { return v == 0; });
    return isZero ? "Zero" : kindName(node.kind);
}

}  // namespace memplan::torchwright
