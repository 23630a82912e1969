// SPDX-License-Identifier: Apache-2.0
// Entries of `nodes` (torchwright.md 3).
#include "engine/base/text.h"
#include "engine/torchwright/graph/raw_graph.h"

#include <array>

namespace memplan::torchwright {
namespace {

using io::JsonType;
using io::TapeIndex;

constexpr std::array<std::string_view, 24> kKnownKeys{
    "id",    "type",  "d_output", "inputs",   "params",     "name",        "annotation", "after",
    "nnz",   "value", "d_input",  "has_bias", "weights",    "d_qk",        "d_v",        "d_query_in",
    "d_pos", "vocab", "d_key_in", "d_embed",  "d_value_in", "value_range", "max_vocab",  "input_name"};

Columns width(JsonFields& in, TapeIndex object, std::string_view key) {
    return static_cast<Columns>(in.integer(object, key, 1, kMaxWidth));
}

InputData inputData(JsonFields& in, TapeIndex object) {
    InputData data;
    const TapeIndex range = in.tape.find(object, "value_range");
    if (range == 0 || !in.expect(range, JsonType::Array)) return data;
    std::vector<double> ends;
    for (const TapeIndex at : in.tape.children(range))
        ends.push_back(static_cast<double>(in.single(at, "MPG-106")));
    if (ends.size() == 2 && ends[0] <= ends[1]) return {ends[0], ends[1]};
    in.error("MPG-107", range, "value_range is a lower and an upper end");
    return data;
}

LiteralData literalData(JsonFields& in, TapeIndex object) {
    LiteralData data;
    const TapeIndex values = in.required(object, "value");
    if (values == 0 || !in.expect(values, JsonType::Array)) return data;
    data.value.reserve(in.tape.count(values));
    for (const TapeIndex at : in.tape.children(values))
        data.value.push_back(in.single(at, "MPG-106"));
    return data;
}

EmbeddingData embeddingData(JsonFields& in, TapeIndex object, const io::Limits& limits) {
    EmbeddingData data;
    data.maxVocab = in.integer(object, "max_vocab", 1, kMaxVocab);
    data.inputName = in.text(object, "input_name", static_cast<std::size_t>(limits.nameBytes));
    const TapeIndex vocab = in.tape.find(object, "vocab");
    if (vocab != 0) data.vocab = in.texts(vocab, static_cast<std::size_t>(limits.nameBytes));
    return data;
}

LinearData linearData(JsonFields& in, TapeIndex object) {
    LinearData data;
    data.inputWidth = width(in, object, "d_input");
    data.hasBias = in.boolean(object, "has_bias");
    if (in.tape.find(object, "nnz") != 0) data.nonZeros = in.integer(object, "nnz", 0, kMaxNumber);
    return data;
}

AttnData attnData(JsonFields& in, TapeIndex object) {
    AttnData data;
    data.qk = width(in, object, "d_qk");
    data.v = width(in, object, "d_v");
    data.queryWidth = width(in, object, "d_query_in");
    data.keyWidth = width(in, object, "d_key_in");
    data.valueWidth = width(in, object, "d_value_in");
    return data;
}

NodeData dataOf(JsonFields& in, TapeIndex object, NodeKind kind, const io::Limits& limits) {
    switch (kind) {
    case NodeKind::InputNode:
        return inputData(in, object);
    case NodeKind::LiteralValue:
        return literalData(in, object);
    case NodeKind::Embedding:
        return embeddingData(in, object, limits);
    case NodeKind::Linear:
        return linearData(in, object);
    case NodeKind::Attn:
        return attnData(in, object);
    default:
        return {};
    }
}

std::optional<NodeKind> kindAt(JsonFields& in, TapeIndex object) {
    const TapeIndex at = in.required(object, "type");
    if (at == 0 || !in.expect(at, JsonType::String)) return std::nullopt;
    const auto kind = kindOf(in.tape.text(at));
    if (!kind) {
        in.error("TW-009", at, "the type " + text::quoted(in.tape.text(at)) + " is not known",
                 "types are InputNode, LiteralValue, PosEncoding, Embedding, Linear, ReLU, Attn, Add, Concatenate, "
                 "Assert, DebugWatch and Placeholder");
    }
    return kind;
}

/// d_pos of a position encoding and d_embed of an embedding repeat d_output.
void checkOwnWidth(JsonFields& in, TapeIndex object, const Node& node) {
    const bool isEmbedding = node.is(NodeKind::Embedding);
    if (!isEmbedding && !node.is(NodeKind::PosEncoding)) return;
    const std::string_view key = isEmbedding ? "d_embed" : "d_pos";
    const Columns own = width(in, object, key);
    if (own == node.width) return;
    in.error("TW-006", object,
             std::string(key) + " " + std::to_string(own) + " differs from d_output " + std::to_string(node.width));
}

}  // namespace

RawNode readNode(JsonFields& in, TapeIndex at, const io::Limits& limits) {
    RawNode raw;
    raw.at = at;
    if (!in.expect(at, JsonType::Object)) return raw;
    in.warnAboutOthers(at, kKnownKeys);
    Node& node = raw.node;
    node.number = in.integer(at, "id", 0, kMaxNumber);
    const auto kind = kindAt(in, at);
    if (!kind) return raw;
    node.kind = *kind;
    const bool isEmpty = node.is(NodeKind::Placeholder);
    node.width = isEmpty ? static_cast<Columns>(in.integer(at, "d_output", 0, 0)) : width(in, at, "d_output");
    const auto nameBytes = static_cast<std::size_t>(limits.nameBytes);
    node.name = in.text(at, "name", nameBytes);
    node.annotation = in.text(at, "annotation", nameBytes);
    if (const TapeIndex inputs = in.required(at, "inputs")) raw.inputs = in.integers(inputs, 0, kMaxNumber);
    if (const TapeIndex after = in.tape.find(at, "after")) raw.after = in.integers(after, 0, kMaxNumber);
    node.data = dataOf(in, at, node.kind, limits);
    checkOwnWidth(in, at, node);
    node.params = denseParams(node);
    return raw;
}

}  // namespace memplan::torchwright
