// SPDX-License-Identifier: Apache-2.0
// Entries of `tensors` and the weights that nodes name (torchwright.md 3: TW-010).
#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/torchwright/graph/raw_graph.h"

#include <algorithm>
#include <unordered_map>

namespace memplan::torchwright {
namespace {

using io::JsonType;
using io::TapeIndex;

constexpr std::string_view kCode = "TW-010";
constexpr std::int64_t kMaxElements = std::int64_t{1} << 48;

struct Shape {
    std::int64_t rows = 1, columns = 0;
    [[nodiscard]] std::int64_t size() const { return rows * columns; }
};

std::optional<Shape> shapeOf(JsonFields& in, TapeIndex tensor) {
    const TapeIndex at = in.required(tensor, "shape");
    if (at == 0) return std::nullopt;
    const std::vector<std::int64_t> extents = in.integers(at, 0, kMaxElements);
    if (extents.empty() || extents.size() > 2 || extents.size() != in.tape.count(at)) {
        in.error(kCode, at, "the shape of a tensor has one or two extents");
        return std::nullopt;
    }
    const Shape shape{extents.size() == 2 ? extents[0] : 1, extents.back()};
    if (saturatedMul(shape.rows, shape.columns) <= kMaxElements) return shape;
    in.error(kCode, at, "the tensor has more than " + text::grouped(kMaxElements) + " elements");
    return std::nullopt;
}

std::vector<float> valuesOf(JsonFields& in, TapeIndex at) {
    std::vector<float> values;
    if (!in.expect(at, JsonType::Array)) return values;
    values.reserve(in.tape.count(at));
    for (const TapeIndex value : in.tape.children(at))
        values.push_back(in.single(value, kCode));
    return values;
}

void putDense(Tensor& tensor, const std::vector<float>& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] != 0) tensor.entries.push_back({static_cast<std::int64_t>(i), values[i]});
}

void putSparse(Tensor& tensor, const std::vector<std::int64_t>& index, const std::vector<float>& values) {
    for (std::size_t i = 0; i < index.size(); ++i)
        if (values[i] != 0) tensor.entries.push_back({index[i], values[i]});
    std::ranges::sort(tensor.entries, {}, &Tensor::Entry::index);
}

TensorPtr readSparse(JsonFields& in, TapeIndex at, Tensor tensor, const std::vector<float>& values) {
    const TapeIndex place = in.required(at, "index");
    if (place == 0) return nullptr;
    const std::int64_t size = tensor.rows * tensor.columns;
    if (!in.expect(place, JsonType::Array)) return nullptr;
    std::vector<std::int64_t> index;
    index.reserve(in.tape.count(place));
    for (const TapeIndex entry : in.tape.children(place)) {
        if (!in.expect(entry, JsonType::Integer)) return nullptr;
        index.push_back(in.tape.at(entry).integer);
        if (index.back() >= 0 && index.back() < size) continue;
        in.error(kCode, entry,
                 "the index " + std::to_string(index.back()) + " is outside a tensor of " + text::grouped(size) +
                     " elements");
        return nullptr;
    }
    if (index.size() != values.size()) {
        in.error(kCode, at, std::to_string(index.size()) + " indices but " + std::to_string(values.size()) + " values");
        return nullptr;
    }
    putSparse(tensor, index, values);
    const auto twin = std::ranges::adjacent_find(tensor.entries, {}, &Tensor::Entry::index);
    if (twin == tensor.entries.end()) return std::make_shared<const Tensor>(std::move(tensor));
    in.error(kCode, place, "the index " + std::to_string(twin->index) + " is given twice");
    return nullptr;
}

TensorPtr readTensor(JsonFields& in, TapeIndex at) {
    if (!in.expect(at, JsonType::Object)) return nullptr;
    const auto shape = shapeOf(in, at);
    const TapeIndex values = in.required(at, "values");
    if (!shape || values == 0) return nullptr;
    Tensor tensor;
    tensor.rows = shape->rows;
    tensor.columns = shape->columns;
    const std::string encoding = in.text(at, "encoding", 64);
    const std::vector<float> numbers = valuesOf(in, values);
    if (encoding == "coo") return readSparse(in, at, std::move(tensor), numbers);
    if (encoding != "dense") {
        in.error(kCode, at, "the encoding " + text::quoted(encoding) + " is not known", "it is \"coo\" or \"dense\"");
        return nullptr;
    }
    if (static_cast<std::int64_t>(numbers.size()) != shape->size()) {
        in.error(kCode, values,
                 text::grouped(static_cast<std::int64_t>(numbers.size())) + " values for a tensor of " +
                     text::grouped(shape->size()) + " elements");
        return nullptr;
    }
    putDense(tensor, numbers);
    return std::make_shared<const Tensor>(std::move(tensor));
}

/// Reads each tensor once, however many nodes name it.
class TensorTable {
public:
    TensorTable(JsonFields& in, TapeIndex tensors) : in_(in) {
        for (const TapeIndex at : in.tape.children(tensors))
            places_.emplace(std::string(in.tape.key(at)), at);
    }

    /// Null after an error.
    TensorPtr find(TapeIndex reference) {
        if (!in_.expect(reference, JsonType::String)) return nullptr;
        const std::string key(in_.tape.text(reference));
        const auto place = places_.find(key);
        if (place == places_.end()) {
            in_.error(kCode, reference, "the tensor " + text::quoted(key) + " is not there");
            return nullptr;
        }
        const auto [known, isNew] = read_.try_emplace(key);
        if (isNew) known->second = readTensor(in_, place->second);
        return known->second;
    }

private:
    JsonFields& in_;
    std::unordered_map<std::string, TapeIndex> places_;
    std::unordered_map<std::string, TensorPtr> read_;
};

class Weights {
public:
    Weights(JsonFields& in, TensorTable& table, TapeIndex node) : in_(in), table_(table), node_(node) {
        object_ = in.tape.find(node, "weights");
        if (object_ != 0 && !in.expect(object_, JsonType::Object)) object_ = 0;
    }

    [[nodiscard]] bool has(std::string_view field) const { return object_ != 0 && in_.tape.find(object_, field) != 0; }

    TensorPtr take(std::string_view field, Shape wanted) {
        if (!has(field)) {
            in_.error(kCode, node_, "the tensor \"" + std::string(field) + "\" of this node is missing");
            return nullptr;
        }
        const TapeIndex at = in_.tape.find(object_, field);
        TensorPtr tensor = table_.find(at);
        if (!tensor || (tensor->rows == wanted.rows && tensor->columns == wanted.columns)) return tensor;
        in_.error(kCode, at,
                  "the tensor is " + text::shapeText({tensor->rows, tensor->columns}) + ", wanted " +
                      text::shapeText({wanted.rows, wanted.columns}));
        return nullptr;
    }

    /// Without a claim about its shape, to compare it with another.
    TensorPtr peek(std::string_view field) { return has(field) ? table_.find(in_.tape.find(object_, field)) : nullptr; }

private:
    JsonFields& in_;
    TensorTable& table_;
    TapeIndex node_, object_ = 0;
};

void takeLinear(Node& node, Weights weights) {
    auto& data = std::get<LinearData>(node.data);
    data.matrix = weights.take("matrix", {data.inputWidth, node.width});
    if (!data.matrix) return;
    data.nonZeros = static_cast<std::int64_t>(data.matrix->entries.size());
    if (data.hasBias || weights.has("bias")) {
        data.bias = weights.take("bias", {1, node.width});
    } else {
        Tensor zero;
        zero.columns = node.width;
        data.bias = std::make_shared<const Tensor>(std::move(zero));
    }
}

void takeAttn(Node& node, Weights weights, JsonFields& in, TapeIndex at) {
    auto& data = std::get<AttnData>(node.data);
    const TensorPtr query = weights.peek("query_matrix");
    const TensorPtr key = weights.peek("key_matrix");
    if (query && key && query->columns != key->columns) {
        in.error("TW-012", at,
                 "Attn node " + std::to_string(node.number) + ": query and key matrix have " +
                     std::to_string(query->columns) + " and " + std::to_string(key->columns) + " columns");
        return;
    }
    data.queryMatrix = weights.take("query_matrix", {data.queryWidth, data.qk});
    if (data.queryMatrix) data.keyMatrix = weights.take("key_matrix", {data.keyWidth, data.qk});
    if (data.keyMatrix) data.valueMatrix = weights.take("value_matrix", {data.valueWidth, data.v});
    if (data.valueMatrix) data.outputMatrix = weights.take("output_matrix", {data.v, node.width});
}

void takeTable(Node& node, Weights weights) {
    auto& data = std::get<EmbeddingData>(node.data);
    data.table = weights.take("table", {static_cast<std::int64_t>(data.vocab.size()), node.width});
}

}  // namespace

void attachTensors(NodeGraph& graph, const Places& places, TapeIndex tensors, JsonFields& in) {
    if (tensors == 0 || !in.expect(tensors, JsonType::Object)) return;
    TensorTable table(in, tensors);
    for (std::size_t i = 0; i < graph.size(); ++i) {
        Node& node = graph.nodes[i];
        const Weights weights(in, table, places[i]);
        if (node.is(NodeKind::Linear)) takeLinear(node, weights);
        if (node.is(NodeKind::Attn)) takeAttn(node, weights, in, places[i]);
        if (node.is(NodeKind::Embedding)) takeTable(node, weights);
    }
    graph.hasTensors = true;
}

}  // namespace memplan::torchwright
