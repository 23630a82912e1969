// SPDX-License-Identifier: Apache-2.0
// Admission control: how many chains of a sibling cluster may be in flight at once (torchwright.md 13).
#pragma once

#include "engine/torchwright/analysis/clusters.h"
#include "engine/torchwright/schedule/options.h"

namespace memplan::torchwright {

class Admission {
public:
    /// Admits everything unless the options switch it on.
    Admission(const NodeGraph& graph, const Relations& relations, const ScheduleOptions& options);

    [[nodiscard]] bool admits(NodeId id) const;
    /// A scheduled member puts its chain in flight, the terminal ends it.
    void schedule(NodeId id);
    /// While bypassed, everything is admitted.
    void bypass(bool on) { isBypassed_ = on; }

private:
    struct Chain {
        std::size_t cluster = 0;
        NodeId terminal;
        bool isInFlight = false;
    };
    struct Budget {
        Columns peakWidth = 0;
        int inFlight = 0;
    };
    void claim(const Cluster& cluster, std::size_t index);

    Columns budget_ = 0;
    std::vector<int> chainOf_;  ///< by node, -1 = in no cluster; empty = off
    std::vector<Chain> chains_;
    std::vector<Budget> clusters_;
    bool isBypassed_ = false;
};

}  // namespace memplan::torchwright
