// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/layout/edge_costs.h"

#include "engine/base/text.h"

namespace memplan::spyre {
namespace {

std::string listText(const std::vector<std::int64_t>& values) {
    std::vector<std::string> parts;
    for (const std::int64_t v : values)
        parts.push_back(std::to_string(v));
    return "[" + text::join(parts, ", ") + "]";
}

std::string layoutText(const StickLayout& layout, const Coordinates& device, std::span<const LoopVar> loops) {
    return "device_size=" + listText(layout.deviceSize) + " stride_map=" + listText(layout.strideMap) +
           " d_coords=" + device.text(loops);
}

/// What keeps the stick from getting there.
std::string blockage(const StickRoles& from, const StickRoles& to) {
    if (from.stick == 0 && to.stick != 0) return "gather from multiple sticks into a single stick";
    if (from.stick != 0 && to.stick == 0) return "scatter from one stick to multiple sticks";
    return "move the stick between these dimensions (no dimension of its own, or its extent is no whole number of "
           "sticks)";
}

}  // namespace

Result<EdgeCosts> EdgeCosts::create(const LayoutGraph& graph, const LayoutGraph::Node& node,
                                    const OpCandidates& candidates) {
    EdgeCosts out;
    out.graph_ = &graph;
    out.node_ = &node;
    if (candidates.node == CostNode::AcceptsAnything) return out;
    std::optional<Error> failure;
    const auto side = [&](const StickLayout& layout, const Index& index) {
        Result<Coordinates> device = deviceCoordinates(layout, node.op->loops, index);
        if (device) return Side{&layout, &index, stickRoles(device.value())};
        failure = std::move(device).error();
        return Side{};
    };
    out.out_.reserve(candidates.layouts.size());
    for (const StickLayout& layout : candidates.layouts)
        out.out_.push_back(side(layout, node.op->write.index));
    out.edges_.reserve(candidates.args.size());
    for (std::size_t a = 0; a < candidates.args.size(); ++a) {
        const int argument = candidates.args[a];
        const LayoutGraph::Read& read = node.reads[static_cast<std::size_t>(argument)];
        const std::span<const StickLayout> layouts = graph.layoutsOf(read.value);
        Edge edge{argument, {}, std::nullopt};
        edge.in.reserve(layouts.size());
        for (const StickLayout& layout : layouts)
            edge.in.push_back(side(layout, *read.index));
        if (candidates.node == CostNode::FixedInOut) edge.required = side(candidates.required[a], *read.index);
        out.edges_.push_back(std::move(edge));
    }
    if (failure) return std::move(*failure);
    return out;
}

const EdgeCosts::Side& EdgeCosts::other(const Edge& edge, std::size_t out) const {
    return edge.required ? *edge.required : out_[out];
}

Coordinates EdgeCosts::deviceOf(const Side& side) const {
    return coordinates(side.layout->deviceSize, side.layout->strideMap, node_->op->loops, *side.index);
}

std::optional<StickLayout> EdgeCosts::moved(const Edge& edge, std::size_t in, std::size_t out) const {
    const LayoutGraph::Read& read = node_->reads[static_cast<std::size_t>(edge.argument)];
    const Coordinates host = hostCoordinates(*read.buffer, node_->op->loops, *read.index);
    const Coordinates from = deviceOf(edge.in[in]);
    const Coordinates to = deviceOf(other(edge, out));
    return restickifyTarget({read.buffer, edge.in[in].layout, &host, &from}, to.back());
}

EdgeCost EdgeCosts::cost(std::size_t edge, std::size_t in, std::size_t out) const {
    const Edge& e = edges_[edge];
    if (sticksAgree(e.in[in].roles, other(e, out).roles)) return 0;
    return moved(e, in, out) ? deviceElements(*e.in[in].layout) : kInfiniteCost;
}

std::optional<StickLayout> EdgeCosts::target(std::size_t edge, std::size_t in, std::size_t out) const {
    return moved(edges_[edge], in, out);
}

std::string EdgeCosts::triage() const {
    const std::span<const LoopVar> loops = node_->op->loops;
    std::string inputs;
    std::string problems;
    for (const Edge& e : edges_) {
        const Buffer& buffer = *node_->reads[static_cast<std::size_t>(e.argument)].buffer;
        inputs += "; input " + buffer.name + " " + text::shapeText(buffer.size);
        for (std::size_t i = 0; i < e.in.size(); ++i) {
            inputs += ", STL " + std::to_string(i) + ": " + layoutText(*e.in[i].layout, deviceOf(e.in[i]), loops);
            for (std::size_t o = 0; o < out_.size(); ++o) {
                if (sticksAgree(e.in[i].roles, other(e, o).roles) || moved(e, i, o)) continue;
                problems += "; " + buffer.name + " STL " + std::to_string(i) + " to output STL " + std::to_string(o) +
                            ": no mechanism to " + blockage(e.in[i].roles, other(e, o).roles);
            }
        }
    }
    std::string outputs = "; output " + node_->output->name + " " + text::shapeText(node_->output->size);
    for (std::size_t o = 0; o < out_.size(); ++o) {
        outputs += ", STL " + std::to_string(o) + ": " + layoutText(*out_[o].layout, deviceOf(out_[o]), loops);
    }
    return inputs + outputs + problems;
}

}  // namespace memplan::spyre
