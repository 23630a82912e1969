// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/search/alike_chains.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace memplan::torchwright {
namespace {

constexpr std::size_t kMostUnits = 64;

/// What distinguishes chains: of each unit its figures and, of each edge and value, the place in the chain or the unit
/// or value outside.
using Signature = std::vector<std::int64_t>;

class ClassFinder {
public:
    ClassFinder(const UnitModel& model) : model_(model), placeOf_(model.units.size(), -1) {}

    [[nodiscard]] Signature signatureOf(const std::vector<int>& chain) {
        for (std::size_t i = 0; i < chain.size(); ++i)
            placeOf_[static_cast<std::size_t>(chain[i])] = static_cast<int>(i);
        Signature s;
        for (const int u : chain)
            describe(u, s);
        for (const int u : chain)
            placeOf_[static_cast<std::size_t>(u)] = -1;
        return s;
    }

private:
    void describe(int u, Signature& s) const {
        const Unit& unit = model_.units[static_cast<std::size_t>(u)];
        s.insert(s.end(), {static_cast<std::int64_t>(unit.kind), unit.heads, unit.freeHeads, unit.slotCount, unit.width,
                           unit.isBreakable ? 1 : 0, unit.earliest, unit.tail});
        for (const auto* edges : {&unit.before, &unit.after}) {
            Signature list;
            for (const UnitEdge& edge : *edges)
                list.push_back(nameOf(edge.other) * 2 + edge.gap);
            std::ranges::sort(list);
            append(s, list);
        }
        for (const auto* values : {&unit.reads, &unit.addends}) {
            Signature list;
            for (const int v : *values) {
                const int source = model_.values[static_cast<std::size_t>(v)].unit;
                list.push_back(source >= 0 ? nameOf(source) : kInput + v);
            }
            std::ranges::sort(list);
            append(s, list);
        }
        const Value& own = model_.values[static_cast<std::size_t>(unit.value)];
        s.push_back(own.isKept ? 1 : 0);
    }

    static constexpr std::int64_t kOutside = 1 << 20, kInput = std::int64_t{1} << 40;

    [[nodiscard]] std::int64_t nameOf(int u) const {
        const int place = placeOf_[static_cast<std::size_t>(u)];
        return place >= 0 ? place : kOutside + u;
    }

    static void append(Signature& s, const Signature& list) {
        s.push_back(static_cast<std::int64_t>(list.size()));
        s.insert(s.end(), list.begin(), list.end());
    }

    const UnitModel& model_;
    std::vector<int> placeOf_;  ///< by unit, in the chain that is described
};

/// By node of the unit: chains that were built alike then stand alike.
void sortByNode(const UnitModel& model, std::vector<int>& units) {
    std::ranges::sort(units, {}, [&](int u) { return model.units[static_cast<std::size_t>(u)].node; });
}

std::vector<int> unitsOf(const UnitModel& model, const ClusterChain& chain, std::vector<bool>& isTaken) {
    std::vector<int> units;
    for (const NodeId id : chain.nodes) {
        const int u = model.unitOf[id.at()];
        if (u < 0 || isTaken[static_cast<std::size_t>(u)]) continue;
        isTaken[static_cast<std::size_t>(u)] = true;
        units.push_back(u);
    }
    sortByNode(model, units);
    return units;
}

}  // namespace

std::optional<std::vector<ChainClass>> alikeChainsOf(const NodeGraph& graph, const UnitModel& model,
                                                     const ClusterRule& rule) {
    std::vector<bool> isTaken(model.units.size(), false);
    std::map<Signature, ChainClass> alike;
    ClassFinder finder(model);
    for (const Cluster& cluster : clustersOf(graph, relationsOf(graph), rule)) {
        for (const ClusterChain& chain : cluster.chains) {
            std::vector<int> units = unitsOf(model, chain, isTaken);
            if (units.empty()) continue;
            const Signature signature = finder.signatureOf(units);
            alike[signature].units.push_back(std::move(units));
        }
    }
    std::vector<ChainClass> classes;
    std::vector<int> rest;
    for (auto& [signature, own] : alike) {
        if (own.units.size() > 1) {
            classes.push_back(std::move(own));
        } else {
            rest.insert(rest.end(), own.units.front().begin(), own.units.front().end());
        }
    }
    for (std::size_t u = 0; u < model.units.size(); ++u)
        if (!isTaken[u]) rest.push_back(static_cast<int>(u));
    if (!rest.empty()) {
        sortByNode(model, rest);
        classes.push_back({{std::move(rest)}});
    }
    const bool isSmall = std::ranges::all_of(classes, [](const ChainClass& c) { return c.size() <= kMostUnits; });
    if (!isSmall) return std::nullopt;
    return classes;
}

}  // namespace memplan::torchwright
