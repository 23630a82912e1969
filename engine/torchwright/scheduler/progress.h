// SPDX-License-Identifier: Apache-2.0
// What is computed, ready and dead (torchwright.md 5), kept in counters so that each computed node costs its edges
// once.
#pragma once

#include "engine/torchwright/analysis/relations.h"

#include <set>

namespace memplan::torchwright {

class Progress {
public:
    Progress(const NodeGraph& graph, const Relations& relations);

    [[nodiscard]] const std::vector<bool>& computed() const { return isComputed_; }  ///< by node
    [[nodiscard]] bool isComputed(NodeId id) const { return isComputed_[id.at()]; }
    /// Nodes of which everything that they read or wait for is computed, themselves not; no Concatenates. Ascending.
    [[nodiscard]] const std::set<NodeId>& ready() const { return ready_; }
    /// Nobody will read it again.
    [[nodiscard]] bool isDead(NodeId id) const { return !isKept_[id.at()] && open_[id.at()] == 0; }
    /// The same once this node, which reads it, is computed.
    [[nodiscard]] bool diesWith(NodeId id, NodeId reader) const {
        return !isKept_[id.at()] && open_[id.at()] <= (isComputed(reader) ? 0 : 1);
    }
    /// Readers that are not computed.
    [[nodiscard]] int openReaders(NodeId id) const { return open_[id.at()]; }
    [[nodiscard]] bool areOutputsComputed() const;
    /// Nodes that are not computed, Concatenates left out.
    [[nodiscard]] int remaining() const { return remaining_; }

    void compute(NodeId id);
    /// Concatenates of which all leaves are computed become computed; gives them.
    std::vector<NodeId> computeConcatenates();

private:
    void noteReady(NodeId id);

    const NodeGraph& graph_;
    const Relations& relations_;
    std::vector<std::vector<NodeId>> waiters_;  ///< by node: those that read it or wait for it, each once
    std::vector<std::vector<NodeId>> reads_;    ///< by node: leaves that count it among their readers, each once
    std::vector<bool> isComputed_, isOp_, isKept_;
    std::vector<int> waits_;  ///< by node: what it still waits for
    std::vector<int> open_;
    std::set<NodeId> ready_;
    std::vector<NodeId> complete_;  ///< Concatenates of which all leaves are computed since they were last asked for
    int remaining_ = 0;
};

}  // namespace memplan::torchwright
