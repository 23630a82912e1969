// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/compile/figures.h"

#include "engine/torchwright/analysis/asap.h"
#include "engine/torchwright/report/tiers.h"

#include <algorithm>
#include <array>

namespace memplan::torchwright {
namespace {

std::int64_t opCount(const Schedule& schedule) {
    std::size_t ops = 0;
    for (const Layer& layer : schedule.layers)
        ops += layer.attention.size() + layer.mlp.size();
    return static_cast<std::int64_t>(ops);
}

int boundOf(const NodeGraph& graph, const Schedule& schedule) {
    const Relations relations = relationsOf(graph);
    return asapOf({graph, relations, chainsOf(graph, relations), schedule.options.localInAttention}).layers;
}

}  // namespace

double meanOccupancy(const Schedule& schedule) {
    double sum = 0;
    for (const Layer& layer : schedule.layers)
        sum += layer.occupiedAfter;
    const double all = static_cast<double>(schedule.options.d) * schedule.layerCount();
    return all > 0 ? sum / all : 0;
}

std::span<const FigureInfo> figures() {
    using enum FigureUnit;
    using enum FigureGoal;
    static constexpr std::array<FigureInfo, 13> kFigures{{
        {"layers", "Layers", Count, Low, true},
        {"asap_layers", "Layer bound by order alone", Count, Low},
        {"layer_ops", "Operations of the layers", Count, Low},
        {"heads", "Heads in use", Count, Low},
        {"slots", "Hidden slots in use", Count, Low},
        {"peak_columns", "Peak columns", Count, Low, true},
        {"mean_occupancy", "Mean occupancy of the stream", Share, Neither},
        {"allocated_params", "Allocated parameters", Count, Low},
        {"graph_params", "Graph parameters", Count, Neither},
        {"total_capacity", "Total capacity, parameters", Count, Low},
        {"density", "Density, graph / allocated", Share, High},
        // Falls too where less is allocated in as many layers.
        {"utilisation", "Utilisation, allocated / capacity", Share, Neither},
        {"cancel_share", "Share of cancels in the allocated", Share, Low},
    }};
    return kFigures;
}

std::vector<std::pair<std::string, double>> ownFigures(const NodeGraph& graph, const Schedule& schedule) {
    const ParameterTiers tiers = tiersOf(graph, schedule);
    const auto whole = [](std::int64_t n) { return static_cast<double>(n); };
    std::vector<std::pair<std::string, double>> own{{"layers", whole(schedule.layerCount())},
                                                    {"asap_layers", whole(boundOf(graph, schedule))},
                                                    {"layer_ops", whole(opCount(schedule))},
                                                    {"heads", whole(schedule.headsTotal)},
                                                    {"slots", whole(schedule.slotsTotal)},
                                                    {"peak_columns", whole(schedule.peakOccupied)},
                                                    {"mean_occupancy", meanOccupancy(schedule)},
                                                    {"allocated_params", whole(tiers.allocated)},
                                                    {"graph_params", whole(tiers.graph)},
                                                    {"total_capacity", whole(tiers.capacity)},
                                                    {"density", tiers.density()},
                                                    {"utilisation", tiers.utilisation()},
                                                    {"cancel_share", tiers.cancelShare()}};
    std::ranges::sort(own);
    return own;
}

}  // namespace memplan::torchwright
