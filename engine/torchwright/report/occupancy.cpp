// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/report/occupancy.h"

#include "engine/torchwright/analysis/paths.h"

#include <algorithm>

namespace memplan::torchwright {
namespace {

std::size_t opsOf(const Layer& layer) {
    return layer.attention.size() + layer.mlp.size();
}

double mean(std::size_t sum, std::size_t count) {
    return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
}

class PlateauFinder {
public:
    PlateauFinder(const NodeGraph& graph, const Schedule& schedule, PlateauRule rule)
        : schedule_(schedule), occupancy_(occupancyOf(graph, schedule)), full_(rule.share * schedule.options.d) {
        const int byLength = std::max(3, (schedule.layerCount() + 19) / 20);
        least_ = rule.minLayers > 0 ? rule.minLayers : byLength;
    }

    std::vector<Plateau> run() {
        std::vector<Plateau> found;
        int first = 0;
        for (int layer = 0; layer <= schedule_.layerCount(); ++layer) {
            if (layer < schedule_.layerCount() && isFull(layer)) continue;
            if (layer - first >= least_) found.push_back(describe(first, layer - 1));
            first = layer + 1;
        }
        return found;
    }

private:
    [[nodiscard]] bool isFull(int layer) const {
        return schedule_.layers[static_cast<std::size_t>(layer)].occupiedAfter >= full_;
    }

    [[nodiscard]] Plateau describe(int first, int last) const {
        Plateau plateau;
        plateau.first = first;
        plateau.last = last;
        describeOps(plateau);
        std::map<std::string, std::int64_t> sums;
        std::int64_t occupied = 0;
        for (int layer = first; layer <= last; ++layer) {
            for (const auto& [annotation, columns] : occupancy_[static_cast<std::size_t>(layer)]) {
                sums[annotation] += columns;
                occupied += columns;
            }
        }
        for (const auto& [annotation, sum] : sums) {
            const auto columns = static_cast<double>(sum);
            plateau.contributors.push_back(
                {annotation, columns / (last - first + 1), columns / static_cast<double>(occupied)});
        }
        return plateau;
    }

    void describeOps(Plateau& plateau) const {
        std::size_t inside = 0, all = 0;
        for (int layer = 0; layer < schedule_.layerCount(); ++layer) {
            const std::size_t ops = opsOf(schedule_.layers[static_cast<std::size_t>(layer)]);
            all += ops;
            if (layer >= plateau.first && layer <= plateau.last) inside += ops;
        }
        const auto length = static_cast<std::size_t>(plateau.last - plateau.first + 1);
        plateau.meanOpsInside = mean(inside, length);
        plateau.meanOpsOutside = mean(all - inside, schedule_.layers.size() - length);
    }

    const Schedule& schedule_;
    std::vector<ColumnsByAnnotation> occupancy_;
    double full_ = 0;
    int least_ = 3;
};

}  // namespace

std::vector<ColumnsByAnnotation> occupancyOf(const NodeGraph& graph, const Schedule& schedule) {
    std::vector<ColumnsByAnnotation> layers(schedule.layers.size());
    for (const Holding& holding : schedule.holdings) {
        const std::string annotation(annotationName(graph.at(holding.owner)));
        for (int layer = std::max(0, holding.firstLayer); layer <= holding.lastLayer; ++layer)
            layers[static_cast<std::size_t>(layer)][annotation] += holding.columns.size();
    }
    return layers;
}

const Plateau::Contributor& Plateau::largest() const {
    return *std::ranges::max_element(contributors, {}, &Contributor::columns);
}

std::vector<Plateau> plateausOf(const NodeGraph& graph, const Schedule& schedule, PlateauRule rule) {
    return PlateauFinder(graph, schedule, rule).run();
}

}  // namespace memplan::torchwright
