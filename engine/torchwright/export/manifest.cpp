// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/export/manifest.h"

#include "engine/json/json_text.h"
#include "engine/torchwright/eval/inputs.h"

namespace memplan::torchwright {
namespace {

constexpr std::string_view kBundleFormat = "memplan.torchwright-bundle";

class ManifestWriter {
public:
    ManifestWriter(const NodeGraph& graph, const Schedule& schedule) : graph_(graph), schedule_(schedule) {}

    std::string write(const BundleOptions& options, const std::string& whyNone) {
        out_.beginObject();
        out_.member("format", kBundleFormat);
        out_.member("version", 1);
        out_.member("graph", graph_.name);
        out_.member("d", schedule_.options.d);
        out_.member("d_head", schedule_.options.dHead);
        out_.member("d_hidden", schedule_.options.slotsPerLayer());
        out_.member("n_layers", schedule_.layerCount());
        out_.member("result", resultName(schedule_.result));
        out_.member("weights", whyNone.empty());
        if (!whyNone.empty()) out_.member("no_weights", whyNone);
        writeConfig(options);
        writeNodes();
        writeStart(whyNone.empty());
        writeOutputs();
        writeColumns();
        writeLayers(whyNone.empty());
        out_.endObject();
        return out_.finish();
    }

private:
    [[nodiscard]] std::int64_t number(NodeId id) const { return graph_.at(id).number; }

    void runs(std::string_view key, const ColumnList& columns) {
        out_.key(key);
        out_.beginArray(true);
        for (const ColumnRun& run : columns.runs()) {
            out_.beginArray(true);
            out_.integer(run.first);
            out_.integer(run.count);
            out_.endArray();
        }
        out_.endArray();
    }

    void writeConfig(const BundleOptions& options) {
        const ScheduleOptions& o = schedule_.options;
        out_.key("config");
        out_.beginObject();
        out_.member("local_in_attention", o.localInAttention == LocalRouting::Always ? "always" : "never");
        out_.member("pressure_threshold", o.pressureThreshold);
        out_.member("assume_zero_init", o.assumeZeroInit);
        out_.member("admission_control", o.admissionControl);
        for (const auto& [key, value] : options.settings)
            out_.member(key, value);
        out_.endObject();
    }

    void writeNodes() {
        out_.key("nodes");
        out_.beginArray();
        for (std::size_t i = 0; i < graph_.size(); ++i) {
            const Node& node = graph_.nodes[i];
            out_.beginInlineObject();
            out_.member("id", node.number);
            out_.member("type", kindName(node.kind));
            out_.member("d_output", node.width);
            if (!node.name.empty()) out_.member("name", node.name);
            if (!node.annotation.empty()) out_.member("annotation", node.annotation);
            if (schedule_.nodeLayer[i] >= 0) out_.member("layer", schedule_.nodeLayer[i]);
            out_.endObject();
        }
        out_.endArray();
    }

    /// What the host and the files put into the stream before layer 0.
    void writeStart(bool hasWeights) {
        out_.key("start");
        out_.beginArray();
        for (const Holding& holding : schedule_.holdings) {
            if (holding.firstLayer >= 0) continue;
            const Node& node = graph_.at(holding.owner);
            out_.beginObject();
            out_.member("node", node.number);
            out_.member("type", kindName(node.kind));
            runs("columns", holding.columns);
            if (node.is(NodeKind::InputNode) || node.is(NodeKind::Embedding)) out_.member("input", inputKey(node));
            if (node.is(NodeKind::Embedding)) writeEmbedding(node, hasWeights);
            out_.endObject();
        }
        out_.endArray();
    }

    void writeEmbedding(const Node& node, bool hasWeights) {
        if (hasWeights) out_.member("table", embeddingArray(node));
        out_.key("vocab");
        out_.beginArray(true);
        for (const std::string& word : node.embedding().vocab)
            out_.string(word);
        out_.endArray();
    }

    /// Of an output: the columns of its leaves at the end.
    [[nodiscard]] ColumnList columnsAtEnd(NodeId id) const {
        ColumnList columns;
        for (const NodeId leaf : leavesOf(graph_, id)) {
            const int holding = schedule_.holdingOf(leaf);
            if (holding >= 0) columns.append(schedule_.holdings[static_cast<std::size_t>(holding)].columns);
        }
        return columns;
    }

    void writeOutput(NodeId id) {
        out_.beginInlineObject();
        out_.member("node", number(id));
        if (schedule_.ok()) runs("columns", columnsAtEnd(id));
        out_.endObject();
    }

    void writeOutputs() {
        out_.key("outputs");
        out_.beginArray();
        for (const NodeId id : graph_.outputs())
            writeOutput(id);
        out_.endArray();
    }

    void writeColumns() {
        out_.key("columns");
        out_.beginArray();
        for (const Holding& holding : schedule_.holdings) {
            out_.beginInlineObject();
            out_.member("node", number(holding.owner));
            runs("columns", holding.columns);
            out_.member("first_layer", holding.firstLayer);
            out_.member("last_layer", holding.lastLayer);
            out_.endObject();
        }
        out_.endArray();
    }

    void writeOp(const AttentionOp& op) {
        out_.beginInlineObject();
        out_.member("op", opName(op.kind));
        if (op.node.isValid()) out_.member("node", number(op.node));
        out_.member("heads", op.heads);
        runs("target", op.target);
        if (op.kind == AttentionKind::ComputeAttn) {
            runs("q", op.query);
            runs("k", op.key);
            runs("v", op.value);
        } else if (op.kind != AttentionKind::Cancel) {
            runs("source", op.source);
        }
        if (op.kind == AttentionKind::ComputeAdd) runs("source_b", op.sourceB);
        out_.endObject();
    }

    void writeOp(const MlpOp& op) {
        out_.beginInlineObject();
        out_.member("op", opName(op.kind));
        out_.member("node", number(op.node));
        runs("target", op.target);
        if (op.kind != MlpKind::Bias && op.kind != MlpKind::LiteralValue) {
            out_.key("slots");
            out_.beginArray(true);
            out_.integer(op.slotRange.first);
            out_.integer(op.slotRange.count);
            out_.endArray();
            runs("source", op.source);
        }
        out_.endObject();
    }

    template <class Op> void writeOps(std::string_view key, const std::vector<Op>& ops) {
        out_.key(key);
        out_.beginArray();
        for (const Op& op : ops)
            writeOp(op);
        out_.endArray();
    }

    void writeLayer(std::size_t index, bool hasWeights) {
        const Layer& layer = schedule_.layers[index];
        out_.beginObject();
        if (hasWeights) out_.member("file", layerFile(index));
        out_.member("heads", layer.heads);
        out_.member("slots", layer.slotsUsed);
        out_.member("occupied_before", layer.occupiedBefore);
        out_.member("occupied_after", layer.occupiedAfter);
        writeOps("attn", layer.attention);
        writeOps("mlp", layer.mlp);
        out_.key("released");
        out_.beginArray(true);
        for (const NodeId id : layer.released)
            out_.integer(number(id));
        out_.endArray();
        out_.endObject();
    }

    void writeLayers(bool hasWeights) {
        out_.key("layers");
        out_.beginArray();
        for (std::size_t i = 0; i < schedule_.layers.size(); ++i)
            writeLayer(i, hasWeights);
        out_.endArray();
    }

    const NodeGraph& graph_;
    const Schedule& schedule_;
    io::JsonWriter out_;
};

}  // namespace

std::string manifestText(const NodeGraph& graph, const Schedule& schedule, const BundleOptions& options,
                         const std::string& whyNone) {
    return ManifestWriter(graph, schedule).write(options, whyNone);
}

std::string layerFile(std::size_t layer) {
    return "layer_" + std::to_string(layer) + ".npz";
}

std::string embeddingArray(const Node& node) {
    return "embedding_" + std::to_string(node.number);
}

}  // namespace memplan::torchwright
