// SPDX-License-Identifier: Apache-2.0
// What advice is asked about: a graph and its schedule, and what they were made with.
#pragma once

#include "engine/base/run_control.h"
#include "engine/torchwright/advice/finding.h"
#include "engine/torchwright/analysis/asap.h"
#include "engine/torchwright/fusion/fuse_linears.h"
#include "engine/torchwright/report/occupancy.h"
#include "engine/torchwright/scope/concurrency.h"

#include <map>

namespace memplan::torchwright {

struct AdviceQuestion {
    std::shared_ptr<const NodeGraph> graph;  ///< that was scheduled: stripped, fused if asked for, with all hints
    const Schedule& schedule;                ///< ok
    FusionRule fusion;                       ///< in force, with ids of `graph`
    PlateauRule plateaus;
    ClusterRule clusters;
    std::vector<ConcurrencyScope> scopes;       ///< that concurrency hints made, with ids of `graph`
    std::shared_ptr<const NodeGraph> unscoped;  ///< `graph` without them; null where there are none
    std::uint64_t seed = 0;                     ///< of the positions on which values are compared
    /// How schedules are made; empty = scheduleLayers().
    std::function<Schedule(const NodeGraph&, const ScheduleOptions&, const RunControl&)> scheduler;
};

/// Tables that several findings read, computed once.
struct AdviceFacts {
    explicit AdviceFacts(const AdviceQuestion& asked);

    const AdviceQuestion& question;
    const NodeGraph& graph;
    const Schedule& schedule;
    Relations relations;
    std::vector<Chain> chains;
    /// By node: the chain that it is first, ReLU or second of; null for none.
    std::vector<const Chain*> beginsChain, inChain, endsChain;
    std::vector<bool> isWaitedFor;  ///< by node: another waits for it, so that it may not vanish
    std::vector<int> heads;         ///< by node: heads that compute it
    std::vector<Slots> slotsOf;     ///< by node: slots that compute it; of a chain at its last Linear
    Asap asap;

    [[nodiscard]] const Node& at(NodeId id) const { return graph.at(id); }
    [[nodiscard]] std::string label(NodeId id) const { return graph.label(id); }
    /// At most six of them, then how many more there are.
    [[nodiscard]] std::vector<std::string> labels(const std::vector<NodeId>& ids) const;
    [[nodiscard]] bool hasTensors() const { return graph.hasTensors; }
    /// A Linear that is not the last of a chain and not an exclusive first.
    [[nodiscard]] bool isStandaloneLinear(NodeId id) const;
    /// Nobody but this node reads the value, through Concatenates or not.
    [[nodiscard]] bool isReadOnlyBy(NodeId id, NodeId reader) const;
    [[nodiscard]] bool isOnLongestPath(const std::vector<NodeId>& nodes) const;
    [[nodiscard]] Columns dHead() const { return schedule.options.dHead; }
    [[nodiscard]] std::int64_t paramsOf(std::int64_t headCount, std::int64_t slotCount) const;
    /// A finding with code, subjects and the longest path filled in.
    [[nodiscard]] Finding finding(int code, std::vector<NodeId> nodes) const;
};

/// "a/b 4>8": annotation of a node and widths, which make places alike.
[[nodiscard]] std::string shapeText(const Node& node, const std::vector<Columns>& widths);

using Findings = std::vector<Finding>;

}  // namespace memplan::torchwright
