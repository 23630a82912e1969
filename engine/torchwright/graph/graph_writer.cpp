// SPDX-License-Identifier: Apache-2.0
// A node graph as `memplan.torchwright-graph` (torchwright.md 3): one node a line.
#include "engine/json/json_text.h"
#include "engine/torchwright/graph/graph_json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace memplan::torchwright {
namespace {

/// The double of the shortest text that reads back as this float.
double plain(float value) {
    std::array<char, 32> text{};
    const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
    double number = 0;
    std::from_chars(text.data(), written.ptr, number);
    return number;
}

class GraphWriter {
public:
    explicit GraphWriter(const NodeGraph& graph) : graph_(graph) {}

    std::string run() {
        out_.beginObject();
        out_.member("format", kGraphFormat);
        out_.member("version", 1);
        out_.member("name", graph_.name);
        out_.member("output", graph_.at(graph_.output).number);
        if (!graph_.extraOutputs.empty()) writeNumbers("extra_outputs", graph_.extraOutputs, {});
        writePosition();
        writeNodes();
        if (graph_.hasTensors) writeTensors();
        out_.endObject();
        return out_.finish();
    }

private:
    void writePosition() {
        out_.key("pos_encoding");
        if (!graph_.position.isValid()) return out_.null();
        out_.beginInlineObject();
        out_.member("id", graph_.at(graph_.position).number);
        out_.member("d_pos", graph_.at(graph_.position).width);
        out_.endObject();
    }

    void writeNumbers(std::string_view key, const std::vector<NodeId>& ids, const std::vector<std::int64_t>& more) {
        out_.key(key);
        out_.beginArray(true);
        for (const NodeId id : ids)
            out_.integer(graph_.at(id).number);
        for (const std::int64_t number : more)
            out_.integer(number);
        out_.endArray();
    }

    /// A position encoding that nothing reads stands beside the nodes alone.
    void writeNodes() {
        const std::vector<bool> isNeeded = neededNodes(graph_);
        out_.key("nodes");
        out_.beginArray();
        for (std::size_t i = 0; i < graph_.size(); ++i)
            if (isNeeded[i]) writeNode(graph_.nodes[i]);
        out_.endArray();
    }

    void writeNode(const Node& node) {
        out_.beginInlineObject();
        out_.member("id", node.number);
        out_.member("type", kindName(node.kind));
        out_.member("d_output", node.width);
        writeNumbers("inputs", node.inputs, {});
        if (!node.name.empty()) out_.member("name", node.name);
        if (!node.annotation.empty()) out_.member("annotation", node.annotation);
        if (!node.after.empty() || !node.afterMissing.empty()) writeNumbers("after", node.after, node.afterMissing);
        if (node.is(NodeKind::PosEncoding)) out_.member("d_pos", node.width);
        std::visit([&](const auto& data) { writeData(node, data); }, node.data);
        writeWeights();
        out_.member("params", node.params);
        out_.endObject();
    }

    void writeData(const Node&, const std::monostate&) {}

    void writeData(const Node&, const InputData& data) {
        out_.key("value_range");
        out_.numbers({data.low, data.high});
    }

    void writeData(const Node&, const LiteralData& data) {
        std::vector<double> values(data.value.size());
        std::ranges::transform(data.value, values.begin(), plain);
        out_.key("value");
        out_.numbers(values);
    }

    void writeData(const Node& node, const EmbeddingData& data) {
        out_.member("d_embed", node.width);
        out_.member("max_vocab", data.maxVocab);
        out_.member("input_name", data.inputName);
        out_.key("vocab");
        out_.beginArray(true);
        for (const std::string& word : data.vocab)
            out_.string(word);
        out_.endArray();
        note(node, "table", data.table);
    }

    void writeData(const Node& node, const LinearData& data) {
        out_.member("d_input", data.inputWidth);
        out_.member("has_bias", data.hasBias);
        if (data.nonZeros >= 0) out_.member("nnz", data.nonZeros);
        note(node, "matrix", data.matrix);
        if (data.hasBias) note(node, "bias", data.bias);
    }

    void writeData(const Node& node, const AttnData& data) {
        out_.member("d_qk", data.qk);
        out_.member("d_v", data.v);
        out_.member("d_query_in", data.queryWidth);
        out_.member("d_key_in", data.keyWidth);
        out_.member("d_value_in", data.valueWidth);
        note(node, "query_matrix", data.queryMatrix);
        note(node, "key_matrix", data.keyMatrix);
        note(node, "value_matrix", data.valueMatrix);
        note(node, "output_matrix", data.outputMatrix);
    }

    void note(const Node& node, const std::string& field, const TensorPtr& tensor) {
        if (!tensor || !graph_.hasTensors) return;
        const std::string name = std::to_string(node.number) + '.' + field;
        weights_.emplace_back(field, name);
        tensors_.emplace_back(name, tensor);
    }

    void writeWeights() {
        if (weights_.empty()) return;
        out_.key("weights");
        out_.beginInlineObject();
        for (const auto& [field, name] : weights_)
            out_.member(field, name);
        out_.endObject();
        weights_.clear();
    }

    void writeTensors() {
        out_.key("tensors");
        out_.beginObject();
        for (const auto& [name, tensor] : tensors_) {
            out_.key(name);
            writeTensor(name.ends_with(".bias"), *tensor);
        }
        out_.endObject();
    }

    void writeTensor(bool isVector, const Tensor& tensor) {
        const auto size = static_cast<std::size_t>(tensor.rows * tensor.columns);
        const bool isSparse = 2 * tensor.entries.size() < size;
        out_.beginInlineObject();
        out_.key("shape");
        out_.beginArray(true);
        if (!isVector) out_.integer(tensor.rows);
        out_.integer(tensor.columns);
        out_.endArray();
        out_.member("encoding", isSparse ? "coo" : "dense");
        if (isSparse) writeIndex(tensor);
        std::vector<double> values(isSparse ? tensor.entries.size() : size);
        for (std::size_t i = 0; i < tensor.entries.size(); ++i)
            values[isSparse ? i : static_cast<std::size_t>(tensor.entries[i].index)] = plain(tensor.entries[i].value);
        out_.key("values");
        out_.numbers(values);
        out_.endObject();
    }

    void writeIndex(const Tensor& tensor) {
        out_.key("index");
        out_.beginArray(true);
        for (const Tensor::Entry& entry : tensor.entries)
            out_.integer(entry.index);
        out_.endArray();
    }

    const NodeGraph& graph_;
    io::JsonWriter out_;
    std::vector<std::pair<std::string, std::string>> weights_;  ///< field and tensor of the node that is written
    std::vector<std::pair<std::string, TensorPtr>> tensors_;
};

}  // namespace

std::string writeGraph(const NodeGraph& graph) {
    return GraphWriter(graph).run();
}

}  // namespace memplan::torchwright
