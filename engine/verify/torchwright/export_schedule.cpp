// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/torchwright/export_schedule.h"

#include "engine/base/text.h"

#include <algorithm>
#include <utility>

namespace memplan::verify::torchwright {
namespace {

using namespace memplan::torchwright;

Error wrong(const std::string& place, std::string message) {
    return makeError("TW-031", "manifest.json, " + place, std::move(message), "export the transformer again");
}

ColumnList listOf(const transformer::ColumnList& columns) {
    ColumnList list;
    for (const std::int32_t column : columns)
        list.append(column);
    return list;
}

template <class Kind> std::optional<Kind> kindNamed(const std::string& name, Kind last) {
    for (int i = 0; i <= static_cast<int>(last); ++i)
        if (opName(static_cast<Kind>(i)) == name) return static_cast<Kind>(i);
    return std::nullopt;
}

class ScheduleReader {
public:
    ScheduleReader(const NodeGraph& graph, const transformer::Bundle& bundle) : graph_(graph), bundle_(bundle) {}

    Result<Schedule> read() {
        if (auto same = checkNodes(); !same) return same.error();
        readOptions();
        readHoldings();
        for (std::size_t i = 0; i < bundle_.layers.size(); ++i)
            if (auto done = readLayer(bundle_.layers[i], "layers/" + std::to_string(i)); !done) return done.error();
        for (const transformer::BundleOutput& output : bundle_.outputs)
            if (graph_.find(output.node) == graph_.output) out_.outputColumns = listOf(output.columns);
        return std::move(out_);
    }

private:
    Result<void> checkNodes() {
        if (bundle_.nodes.size() != graph_.size())
            return wrong("nodes", std::to_string(bundle_.nodes.size()) + " nodes are listed, the graph has " +
                                      std::to_string(graph_.size()));
        for (const Node& node : graph_.nodes) {
            const auto listed = bundle_.nodes.find(node.number);
            const bool isSame = listed != bundle_.nodes.end() && listed->second.type == kindName(node.kind) &&
                                listed->second.width == node.width && listed->second.name == node.name;
            if (!isSame) return wrong("nodes", "node " + std::to_string(node.number) + " is not that of the graph");
            out_.nodeLayer.push_back(listed->second.layer);
        }
        return {};
    }

    void readOptions() {
        ScheduleOptions& o = out_.options;
        o.d = static_cast<Columns>(bundle_.d);
        o.dHead = static_cast<Columns>(bundle_.dHead);
        o.dHidden = static_cast<Slots>(bundle_.slotsMost);
        o.maxLayers = static_cast<int>(bundle_.layers.size());
        o.localInAttention = bundle_.routing == "always" ? LocalRouting::Always : LocalRouting::Never;
        o.assumeZeroInit = bundle_.assumesZeros;
    }

    void readHoldings() {
        for (const transformer::Held& held : bundle_.held)
            out_.holdings.push_back({graph_.find(held.node), listOf(held.columns), held.firstLayer, held.lastLayer});
    }

    Result<void> readLayer(const transformer::BundleLayer& from, const std::string& place) {
        Layer layer;
        layer.heads = static_cast<int>(from.headsUsed);
        layer.slotsUsed = static_cast<Slots>(from.slotsUsed);
        layer.occupiedBefore = static_cast<Columns>(from.occupiedBefore);
        layer.occupiedAfter = static_cast<Columns>(from.occupiedAfter);
        for (const std::int64_t node : from.released) {
            layer.released.push_back(graph_.find(node));
            if (!layer.released.back().isValid())
                return wrong(place, "the node " + std::to_string(node) + " of \"released\" is not in the graph");
        }
        for (const transformer::BundleOp& op : from.ops)
            if (!addOp(op, layer)) return wrong(place, text::quoted(op.op) + " is no operation of its sublayer");
        out_.layers.push_back(std::move(layer));
        return {};
    }

    bool addOp(const transformer::BundleOp& from, Layer& layer) const {
        const NodeId node = from.node ? graph_.find(*from.node) : NodeId{};
        if (from.isAttention) {
            const auto kind = kindNamed(from.op, AttentionKind::DeltaTransfer);
            if (!kind || node.isValid() == (kind == AttentionKind::Cancel)) return false;
            layer.attention.push_back({*kind, node, static_cast<int>(from.heads), listOf(from.target),
                                       listOf(from.source), listOf(from.sourceB), listOf(from.query), listOf(from.key),
                                       listOf(from.value)});
            return true;
        }
        const auto kind = kindNamed(from.op, MlpKind::Bias);
        if (!kind || !node.isValid()) return false;
        const SlotRange slots{static_cast<Slots>(from.firstSlot), static_cast<Slots>(from.slotCount)};
        layer.mlp.push_back({*kind, node, listOf(from.target), listOf(from.source), slots});
        return true;
    }

    const NodeGraph& graph_;
    const transformer::Bundle& bundle_;
    Schedule out_;
};

}  // namespace

Result<Schedule> exportedSchedule(const NodeGraph& graph, const transformer::Bundle& bundle) {
    return ScheduleReader(graph, bundle).read();
}

}  // namespace memplan::verify::torchwright
