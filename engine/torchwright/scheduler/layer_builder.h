// SPDX-License-Identifier: Apache-2.0
// Fills one layer (torchwright.md 7.2 - 7.5): sorts what is ready into kinds, fills the attention sublayer, takes over
// what that made ready, fills the MLP sublayer.
//
//   classify      7.2  ready nodes, free and deferred Adds, dead columns, chains
//   attention     7.3  free Adds, then candidates by priority; columns are freed by cancels as they are needed; the
//                      cancels that still fit follow
//   handOff       7.4  the MLP reads what attention wrote: further chains, Linears and ReLUs
//   mlp           7.5  chains, ReLUs, bypass Linears, biases; at last the layer's one cancel. Literals stand in the
//   stream
//                      from the start
#pragma once

#include "engine/torchwright/analysis/chains.h"
#include "engine/torchwright/schedule/schedule.h"
#include "engine/torchwright/scheduler/admission.h"
#include "engine/torchwright/scheduler/column_map.h"
#include "engine/torchwright/scheduler/head_budget.h"
#include "engine/torchwright/scheduler/progress.h"

namespace memplan::torchwright {

/// What goes on from layer to layer.
struct SchedulerState {
    const NodeGraph& graph;
    const Relations& relations;
    const ScheduleOptions& options;
    Progress progress;
    ColumnMap columns;
    Admission admission;
    std::vector<Holding> holdings;
    std::vector<int> holdingOf;  ///< by node, -1 = never owned columns
    std::vector<int> nodeLayer;

    SchedulerState(const NodeGraph& g, const Relations& r, const ScheduleOptions& o);
    [[nodiscard]] ColumnList
    columnsRead(NodeId input) const;  ///< of a node or, side by side, of a Concatenate's leaves
};

class LayerBuilder {
public:
    LayerBuilder(SchedulerState& state, int layer);

    [[nodiscard]] Layer build();
    /// There was something to do when the layer began.
    [[nodiscard]] bool hadWork() const { return hadWork_; }
    [[nodiscard]] bool wasAdmissionRefused() const { return wasAdmissionRefused_; }

private:
    // layer_classify.cpp
    void classify();
    void classifyReady(NodeId id);
    void collectDead();
    void findChains();
    void handOff();
    void listBypass(NodeId id);
    [[nodiscard]] std::vector<NodeId> readyNow() const;
    [[nodiscard]] bool isDeadForAdd(NodeId addend) const;

    // layer_attention.cpp
    void attention();
    void placeFreeAdds();
    void placeCandidates();
    void placeCandidate(NodeId id);
    [[nodiscard]] bool makeRoom(NodeId id, int heads);
    [[nodiscard]] AttentionOp attentionOp(NodeId id, int heads) const;
    void freeEagerly(NodeId id);
    void cancelRest();
    void releaseCancelled(NodeId owner);
    void listDead(NodeId id);

    // layer_mlp.cpp
    void mlp();
    void placeChains(bool underPressure);
    void placeRelus(bool underPressure);
    void placeBypasses(bool underPressure);
    void placeMlp(NodeId id, MlpKind kind, Slots count);
    [[nodiscard]] bool placeTarget(MlpOp& op);
    void placeBiases();
    void appendCancel();
    [[nodiscard]] bool isReadable(NodeId node) const;

    // layer_builder.cpp
    void refuse(NodeId id, Cause cause);
    void compute(NodeId id);
    void noteHolding(NodeId owner);
    void closeHolding(NodeId owner);
    [[nodiscard]] bool isAdmitted(NodeId id);
    [[nodiscard]] bool isUnderPressure() const;
    [[nodiscard]] int priority(NodeId id) const;  ///< smaller comes first
    [[nodiscard]] Columns netCost(NodeId id) const;
    [[nodiscard]] Columns chainNetCost(const Chain& chain) const;
    void sortByPressure(std::vector<NodeId>& list, bool underPressure) const;
    void removeFromReady(NodeId id);
    void setBinding();

    struct FreeAdd {
        NodeId add, dead, live;
    };

    SchedulerState& s_;
    int layerIndex_ = 0;
    Layer layer_;
    HeadBudget heads_;
    ChainFinder chainFinder_;
    std::vector<bool> wasReady_;  ///< by node: ready when the layer began
    std::vector<NodeId> ready_;   ///< ascending: Attn, Linear, ReLU that wait for a place
    std::vector<FreeAdd> freeAdds_;
    std::vector<NodeId> deferredAdds_, bypass_, biased_;
    std::vector<Chain> chains_;
    std::vector<NodeId> dead_;  ///< owners that may be cancelled, widest first
    std::vector<bool> isDeadListed_, isBypassListed_, isRefused_;
    std::vector<bool> isProtected_;  ///< read by a chain of this layer
    std::vector<bool> isLive_;       ///< the addend that a free Add of this layer reads
    bool hadWork_ = false;
    bool wasAdmissionRefused_ = false;
};

}  // namespace memplan::torchwright
