// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/residual/data/residual_life.h"

#include <algorithm>

namespace memplan::ui {

using torchwright::NodeId;

ResidualLife lifeOf(const ResidualData& data, NodeId node) {
    const torchwright::Relations& relations = data.relations();
    const std::vector<int>& layerOf = data.schedule().nodeLayer;
    ResidualLife life;
    life.birth = layerOf[node.at()];
    life.isOutput = relations.isOutput[node.at()];
    for (const NodeId reader : relations.effective[node.at()]) {
        const int layer = layerOf[reader.at()];
        if (layer < 0) continue;
        life.readers.push_back({reader, layer, layer - std::max(0, life.birth)});
        life.lastRead = std::max(life.lastRead, layer);
    }
    std::ranges::stable_sort(life.readers, std::ranges::greater{}, &ResidualReader::layer);
    const int at = data.holdingOf(node);
    if (at < 0) return life;
    const ResidualHolding& holding = data.holding(at);
    life.width = holding.width;
    life.lastHeld = holding.endHalf / 2 - 1;
    life.columnLayers = std::int64_t{holding.width} * (life.lastHeld - holding.firstHalf / 2 + 1);
    return life;
}

std::vector<ResidualOwner> ownersAfter(const ResidualData& data, int layer) {
    std::vector<ResidualOwner> owners;
    const int half = 2 * layer + 1;
    for (std::size_t i = 0; i < data.holdings().size(); ++i) {
        const ResidualHolding& h = data.holdings()[i];
        if (h.firstHalf <= half && half < h.endHalf) owners.push_back({static_cast<int>(i), h.width});
    }
    std::ranges::stable_sort(owners, [&data](const ResidualOwner& a, const ResidualOwner& b) {
        if (a.width != b.width) return a.width > b.width;
        return data.holding(a.holding).owner < data.holding(b.holding).owner;
    });
    return owners;
}

std::vector<PathBar> pathBars(const ResidualData& data) {
    const TorchwrightPath& path = data.record().path;
    const std::vector<int>& layerOf = data.schedule().nodeLayer;
    std::vector<PathBar> bars;
    for (const std::int64_t number : path.example) {
        const NodeId id = data.graph().find(number);
        if (!id.isValid()) return {};  // fusion took it away
        bars.push_back({id, layerOf[id.at()], data.layers(), layerOf[id.at()], layerOf[id.at()]});
    }
    for (std::size_t i = 0; i + 1 < bars.size(); ++i)
        bars[i].next = std::max(bars[i].layer, bars[i + 1].layer);
    const torchwright::Relations& relations = data.relations();
    if (relations.longest != path.lengthEdges) return bars;
    for (std::size_t i = 0; i < data.graph().size(); ++i) {
        const NodeId id = NodeId::of(i);
        const auto place = static_cast<std::size_t>(std::max(0, relations.depth[i]));
        if (relations.distance[i] < 0 || !relations.isOnLongestPath(id) || place >= bars.size()) continue;
        bars[place].earliest = std::min(bars[place].earliest, layerOf[i]);
        bars[place].latest = std::max(bars[place].latest, layerOf[i]);
    }
    return bars;
}

}  // namespace memplan::ui
