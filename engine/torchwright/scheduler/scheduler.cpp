// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/scheduler/scheduler.h"

#include "engine/torchwright/scheduler/layer_builder.h"

#include <algorithm>
#include <utility>

namespace memplan::torchwright {
namespace {

constexpr std::size_t kListedOwners = 10;

class Scheduler {
public:
    Scheduler(const NodeGraph& graph, const ScheduleOptions& options)
        : graph_(graph), relations_(relationsOf(graph)), options_(options), state_(graph, relations_, options_) {
        out_.options = options;
    }

    Schedule run(const RunControl& control) {
        if (checkHeads() && placeInputs()) fillLayers(control);
        finish();
        return std::move(out_);
    }

private:
    void fail(ScheduleResult result, std::string error) {
        out_.result = result;
        out_.error = std::move(error);
    }

    /// The original finds it only when it writes the weights.
    bool checkHeads() {
        for (std::size_t i = 0; i < graph_.size(); ++i) {
            const Node& node = graph_.nodes[i];
            if (!node.is(NodeKind::Attn) || node.attn().qk <= options_.dHead) continue;
            if (out_.blamed.empty()) {
                fail(ScheduleResult::DHeadTooSmall, "Attn node " + graph_.label(NodeId::of(i)) + " has d_qk " +
                                                        std::to_string(node.attn().qk) + ", above d_head " +
                                                        std::to_string(options_.dHead));
            }
            out_.blamed.push_back(NodeId::of(i));
        }
        return out_.ok();
    }

    /// The position encoding, then the other inputs by id; what is placed there is known, so its columns are clean.
    bool placeInputs() {
        std::vector<NodeId> inputs{graph_.position};
        for (std::size_t i = 0; i < graph_.size(); ++i)
            if (isInputLike(graph_.nodes[i].kind) && NodeId::of(i) != graph_.position) inputs.push_back(NodeId::of(i));
        std::int64_t wanted = 0;
        for (const NodeId id : inputs)
            wanted += graph_.at(id).width;
        if (wanted > options_.d) {
            fail(ScheduleResult::InputsDoNotFit,
                 "The inputs take " + std::to_string(wanted) + " columns, there are " + std::to_string(options_.d));
            return false;
        }
        for (const NodeId id : inputs)
            placeInput(id);
        if (options_.assumeZeroInit) state_.columns.markAllClean();
        return true;
    }

    void placeInput(NodeId id) {
        const Node& node = graph_.at(id);
        if (!state_.columns.allocate(id, node.width)) return;
        state_.columns.markClean(state_.columns.of(id));
        state_.holdingOf[id.at()] = static_cast<int>(state_.holdings.size());
        state_.holdings.push_back({id, state_.columns.of(id), -1, -1});
        out_.paramsUsed += node.params;
    }

    void fillLayers(const RunControl& control) {
        out_.peakOccupied = state_.columns.occupied();
        if (state_.progress.areOutputsComputed()) keep({});
        while (!state_.progress.areOutputsComputed()) {
            if (out_.layerCount() >= options_.maxLayers || control.shouldStop()) {
                fail(ScheduleResult::NotConverged, "Did not converge in " + std::to_string(out_.layerCount()) +
                                                       " layers, " + std::to_string(state_.progress.remaining()) +
                                                       " nodes remaining");
                return;
            }
            if (!addLayer()) return;
        }
        out_.outputColumns = state_.columnsRead(graph_.output);
    }

    bool addLayer() {
        LayerBuilder builder(state_, out_.layerCount());
        Layer layer = builder.build();
        bool hadWork = builder.hadWork();
        if (isEmpty(layer) && builder.wasAdmissionRefused()) layer = withoutAdmission();
        const std::vector<NodeId> gathered = state_.progress.computeConcatenates();
        for (const NodeId id : gathered)
            state_.nodeLayer[id.at()] = out_.layerCount();
        // Concatenates that became computed let a node go on that waits for them alone, not work that found no place.
        const bool mayBeStuck = hadWork || gathered.empty();
        if (isEmpty(layer) && mayBeStuck && !state_.progress.areOutputsComputed() && isStuck(hadWork)) return false;
        keep(std::move(layer));
        return true;
    }

    /// Nothing was changed by the empty layer, so it is simply built again.
    Layer withoutAdmission() {
        state_.admission.bypass(true);
        Layer layer = LayerBuilder(state_, out_.layerCount()).build();
        state_.admission.bypass(false);
        return layer;
    }

    static bool isEmpty(const Layer& layer) { return layer.attention.empty() && layer.mlp.empty(); }

    /// After an empty layer: true when no later one can differ.
    bool isStuck(bool hadWork) {
        if (waitsForLayer()) return false;
        out_.remainingNodes = state_.progress.remaining();
        if (hadWork) {
            fail(ScheduleResult::NoProgress, "No progress: " + std::to_string(out_.remainingNodes) +
                                                 " nodes remaining, " + std::to_string(state_.columns.freeCount()) +
                                                 " free columns");
            listOwners();
        } else {
            blameAfter();
        }
        return true;
    }

    /// A hint keeps a node for a later layer.
    [[nodiscard]] bool waitsForLayer() const {
        const auto& least = options_.layerMin;
        const auto& ready = state_.progress.ready();
        return !least.empty() &&
               std::ranges::any_of(ready, [&](NodeId id) { return least[id.at()] > out_.layerCount(); });
    }

    void listOwners() {
        for (const Holding& holding : state_.holdings)
            if (state_.columns.owns(holding.owner))
                out_.widestOwners.push_back({holding.owner, holding.columns.size()});
        std::ranges::stable_sort(out_.widestOwners, std::ranges::greater{}, &WideOwner::width);
        if (out_.widestOwners.size() > kListedOwners) out_.widestOwners.resize(kListedOwners);
    }

    /// Nodes of which everything that they read is there, but that wait for something that never comes.
    void blameAfter() {
        std::string names;
        for (std::size_t i = 0; i < graph_.size(); ++i) {
            const NodeId id = NodeId::of(i);
            const auto isThere = [this](NodeId leaf) { return state_.progress.isComputed(leaf); };
            const bool isOp = !graph_.at(id).is(NodeKind::Concatenate) && !graph_.at(id).is(NodeKind::Placeholder);
            if (!isOp || isThere(id) || !std::ranges::all_of(relations_.reads[i], isThere)) continue;
            out_.blamed.push_back(id);
            if (out_.blamed.size() <= kListedOwners) names += (names.empty() ? "" : ", ") + graph_.label(id);
        }
        fail(ScheduleResult::AfterNeverMet,
             "`after` can never be met of " + std::to_string(out_.blamed.size()) + " nodes: " + names);
    }

    void keep(Layer layer) {
        if (isEmpty(layer)) layer.occupiedBefore = layer.occupiedAfter = state_.columns.occupied();
        out_.headsTotal += layer.heads;
        out_.slotsTotal += layer.slotsUsed;
        out_.paramsUsed += layer.params;
        out_.peakOccupied = std::max(out_.peakOccupied, layer.occupiedAfter);
        out_.layers.push_back(std::move(layer));
    }

    void finish() {
        out_.remainingNodes = state_.progress.remaining();
        out_.freeColumns = state_.columns.freeCount();
        for (Holding& holding : state_.holdings)
            if (state_.columns.owns(holding.owner)) holding.lastLayer = out_.layerCount() - 1;
        out_.holdings = std::move(state_.holdings);
        out_.nodeLayer = std::move(state_.nodeLayer);
    }

    const NodeGraph& graph_;
    Relations relations_;
    ScheduleOptions options_;
    SchedulerState state_;
    Schedule out_;
};

}  // namespace

Schedule scheduleLayers(const NodeGraph& graph, const ScheduleOptions& options, const RunControl& control) {
    return Scheduler(graph, options).run(control);
}

}  // namespace memplan::torchwright
