// SPDX-License-Identifier: Apache-2.0
// Small node graphs in code, and the recorded ones.
#pragma once

#include "engine/torchwright/graph/node_graph.h"
#include "engine/torchwright/schedule/options.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace memplan::test {

/// Adds nodes with ascending numbers; number 0 is the position encoding.
class NodeSketch {
public:
    explicit NodeSketch(torchwright::Columns positionWidth = 16);

    [[nodiscard]] static torchwright::NodeId position() { return {0}; }
    torchwright::NodeId input(torchwright::Columns width);
    torchwright::NodeId literal(std::vector<float> value);
    torchwright::NodeId linear(torchwright::NodeId x, torchwright::Columns width, bool hasBias = false);
    torchwright::NodeId relu(torchwright::NodeId x);
    /// Linear, ReLU of `hidden` columns, Linear; gives the last.
    torchwright::NodeId chain(torchwright::NodeId x, torchwright::Columns hidden, torchwright::Columns width);
    torchwright::NodeId add(torchwright::NodeId a, torchwright::NodeId b);
    torchwright::NodeId concatenate(std::vector<torchwright::NodeId> parts);
    torchwright::NodeId attn(torchwright::NodeId query, torchwright::NodeId key, torchwright::NodeId value,
                             torchwright::Columns width);
    torchwright::NodeId assertion(torchwright::NodeId x);
    torchwright::NodeId placeholder() { return add(torchwright::NodeKind::Placeholder, 0, {}); }

    [[nodiscard]] torchwright::Node& at(torchwright::NodeId id) { return graph_.at(id); }
    void annotate(const std::string& annotation, std::vector<torchwright::NodeId> nodes);
    /// Ids stay what they are only where the outputs need every node.
    [[nodiscard]] torchwright::NodeGraph build(torchwright::NodeId output,
                                               std::vector<torchwright::NodeId> extraOutputs = {}) const;

private:
    torchwright::NodeId add(torchwright::NodeKind kind, torchwright::Columns width,
                            std::vector<torchwright::NodeId> inputs);
    [[nodiscard]] torchwright::Columns widthOf(torchwright::NodeId id) const { return graph_.at(id).width; }

    torchwright::NodeGraph graph_;
};

/// Of tests/data/torchwright, without Assert and DebugWatch. The test fails where it cannot be read.
[[nodiscard]] torchwright::NodeGraph recordedGraph(const std::string& name);
[[nodiscard]] nlohmann::json recordedFile(const std::string& file);
/// d, d_head 16, d_hidden as given.
[[nodiscard]] torchwright::ScheduleOptions optionsOf(torchwright::Columns d, torchwright::Slots dHidden,
                                                     torchwright::LocalRouting routing);
/// Numbers of nodes, as the files call them.
[[nodiscard]] std::vector<std::int64_t> numbersOf(const torchwright::NodeGraph& graph,
                                                  const std::vector<torchwright::NodeId>& ids);

}  // namespace memplan::test
