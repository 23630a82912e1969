// SPDX-License-Identifier: GPL-3.0-or-later
// Plans with a residual stream for tests of their view: one written by hand, and one of any size.
#pragma once

#include "engine/plan/torchwright_data.h"

#include <memory>
#include <string>

namespace memplan::fixture {

namespace tw = memplan::torchwright;

inline tw::ColumnList columns(tw::Columns first, tw::Columns count) {
    tw::ColumnList list;
    for (tw::Columns c = first; c < first + count; ++c)
        list.append(c);
    return list;
}

class ResidualPlan {
public:
    explicit ResidualPlan(int d) {
        graph_->name = "by hand";
        data_->schedule.options.d = d;
        data_->schedule.options.dHead = 4;
        data_->schedule.options.dHidden = 8;
        data_->isReported = true;
        plan_->target = "torchwright";
    }

    tw::NodeId node(tw::NodeKind kind, tw::Columns width, std::vector<tw::NodeId> inputs = {},
                    const std::string& annotation = {}) {
        tw::Node made;
        made.number = static_cast<std::int64_t>(graph_->nodes.size());
        made.kind = kind;
        made.width = width;
        made.inputs = std::move(inputs);
        made.annotation = annotation;
        if (kind == tw::NodeKind::Linear) made.data = tw::LinearData{};
        const tw::NodeId id = tw::NodeId::of(graph_->nodes.size());
        PlanBuffer buffer;
        buffer.name = std::to_string(made.number);
        buffer.space = MemorySpace::Residual;
        graph_->nodes.push_back(std::move(made));
        plan_->buffers.push_back(std::move(buffer));
        data_->schedule.nodeLayer.push_back(-1);
        return id;
    }

    void holds(tw::NodeId owner, tw::ColumnList list, int first, int last) {
        data_->schedule.holdings.push_back({owner, std::move(list), first, last});
        data_->schedule.nodeLayer[owner.at()] = first;
    }

    /// An operation of the plan for each of the layer.
    void layer(tw::Layer made) {
        const std::size_t ops = made.attention.size() + made.mlp.size();
        for (std::size_t i = 0; i < ops; ++i) {
            PlanOp op;
            op.name = std::to_string(data_->schedule.layers.size()) + "." + std::to_string(i);
            plan_->ops.push_back(std::move(op));
        }
        data_->schedule.peakOccupied = std::max(data_->schedule.peakOccupied, made.occupiedAfter);
        data_->schedule.layers.push_back(std::move(made));
    }

    [[nodiscard]] tw::NodeGraph& graph() { return *graph_; }
    [[nodiscard]] TorchwrightData& data() { return *data_; }
    [[nodiscard]] PlanPtr made() {
        data_->graph = graph_;
        plan_->targetData = data_;
        return plan_;
    }

private:
    std::shared_ptr<tw::NodeGraph> graph_ = std::make_shared<tw::NodeGraph>();
    std::shared_ptr<TorchwrightData> data_ = std::make_shared<TorchwrightData>();
    std::shared_ptr<Plan> plan_ = std::make_shared<Plan>();
};

/// Sixteen columns and two layers. Layer 0: node 3 by attention into 8 to 10, node 2 by the MLP into 11 to 13. Layer 1:
/// the sum 4 takes over the columns of 2, and those of the input 1 are cleared. Node 0 is the position encoding.
inline PlanPtr twoLayers() {
    using enum tw::NodeKind;
    ResidualPlan p(16);
    const tw::NodeId position = p.node(PosEncoding, 4), input = p.node(InputNode, 4);
    const tw::NodeId two = p.node(Linear, 3, {input}, "a"), three = p.node(Linear, 3, {input}, "a/b");
    const tw::NodeId sum = p.node(Add, 3, {two, three}, "a");
    p.graph().output = sum;
    p.graph().position = position;
    p.holds(position, columns(0, 4), -1, 1);
    p.holds(input, columns(4, 4), -1, 0);
    p.holds(three, columns(8, 3), 0, 1);
    p.holds(two, columns(11, 3), 0, 0);
    p.holds(sum, columns(11, 3), 1, 1);
    tw::Layer first;
    first.attention = {{tw::AttentionKind::ComputeLinear, three, 1, columns(8, 3), columns(4, 4), {}, {}, {}, {}},
                       {tw::AttentionKind::Cancel, {}, 2, columns(8, 6), {}, {}, {}, {}, {}}};
    first.mlp = {{tw::MlpKind::LinearBypass, two, columns(11, 3), columns(4, 4), {0, 6}}};
    first.heads = 3;
    first.slotsUsed = 6;
    first.occupiedBefore = 8;
    first.occupiedAfter = 14;
    first.refused = {{sum, tw::Cause::HeadRoom}};
    first.binding = tw::Cause::HeadRoom;
    tw::Layer second;
    second.attention = {{tw::AttentionKind::AddInto, sum, 1, columns(11, 3), columns(8, 3), {}, {}, {}, {}},
                        {tw::AttentionKind::Cancel, {}, 1, columns(4, 4), {}, {}, {}, {}, {}}};
    second.heads = 2;
    second.occupiedBefore = 14;
    second.occupiedAfter = 10;
    second.isForcedByOrder = true;
    p.layer(first);
    p.layer(second);
    p.data().path.lengthEdges = 2;
    p.data().path.example = {1, 2, 4};
    p.data().path.tiedPaths = 2;
    p.data().path.asapLayers = 2;
    return p.made();
}

/// A full stream: owners of 8 to 24 columns that live for 1 to 12 layers, each with one value after the other in its
/// columns, half of them written by the MLP.
inline PlanPtr largeStream(int layers, int d) {
    ResidualPlan p(d);
    const tw::NodeId input = p.node(tw::NodeKind::InputNode, 4);
    p.holds(input, columns(0, 4), -1, layers - 1);
    std::vector<tw::Layer> made(static_cast<std::size_t>(layers));
    std::uint32_t seed = 7;
    const auto random = [&seed](int least, int most) {
        seed = seed * 1664525U + 1013904223U;
        return least + static_cast<int>((seed >> 8) % static_cast<std::uint32_t>(most - least + 1));
    };
    for (int first = 4; first < d;) {
        const int width = std::min(d - first, random(8, 24));
        for (int layer = random(0, 4); layer < layers;) {
            const int last = std::min(layers - 1, layer + random(0, 11));
            const tw::NodeId node =
                p.node(tw::NodeKind::Linear, width, {input}, "part" + std::to_string(random(0, 15)));
            p.holds(node, columns(first, width), layer, last);
            tw::Layer& at = made[static_cast<std::size_t>(layer)];
            if (random(0, 1) == 0)
                at.mlp.push_back({tw::MlpKind::LinearBypass, node, columns(first, width), {}, {0, 2 * width}});
            else
                at.attention.push_back(
                    {tw::AttentionKind::ComputeLinear, node, 1, columns(first, width), {}, {}, {}, {}, {}});
            for (int i = layer; i <= last; ++i)
                made[static_cast<std::size_t>(i)].occupiedAfter += width;
            layer = last + 1;
        }
        first += width;
    }
    p.graph().output = input;
    for (tw::Layer& layer : made)
        p.layer(std::move(layer));
    return p.made();
}

}  // namespace memplan::fixture
