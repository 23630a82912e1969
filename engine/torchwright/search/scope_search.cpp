// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/search/scope_search.h"

#include "engine/torchwright/scope/concurrency.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace memplan::torchwright {
namespace {

class ScopeSearcher {
public:
    ScopeSearcher(const NodeGraph& graph, const Schedule& withoutScope, const std::vector<RankedCluster>& ranked,
                  std::size_t mostClusters, const RunControl& control)
        : graph_(graph), best_(withoutScope), control_(control) {
        for (std::size_t i = 0; i < std::min(ranked.size(), mostClusters); ++i)
            clusters_.push_back({&ranked[i].cluster, 0});
    }

    ScopeSearchResult run() {
        while (addOne()) {
        }
        if (!best_.ok()) tryTogether();
        for (Scoped& own : clusters_)
            if (own.k > 0) retune(own);
        for (const Scoped& own : clusters_)
            if (own.k > 0) out_.scopes.push_back({*own.cluster, own.k});
        if (!out_.scopes.empty()) out_.schedule = std::move(best_);
        return std::move(out_);
    }

private:
    struct Scoped {
        const Cluster* cluster = nullptr;
        int k = 0;  ///< 0 = no scope
    };

    /// The graph with the scopes in force but one; nothing where they make a circle.
    [[nodiscard]] std::optional<NodeGraph> graphWithout(const Scoped* left) const {
        NodeGraph graph = graph_;
        for (const Scoped& own : clusters_) {
            if (own.k == 0 || &own == left) continue;
            auto scoped = withScope(graph, scopeOf(*own.cluster, own.k));
            if (!scoped) return std::nullopt;
            graph = std::move(scoped).value();
        }
        return graph;
    }

    /// The best K for a cluster beside the other scopes, better than what there is; 0 = none.
    [[nodiscard]] int tuned(const Scoped& own, const Schedule& beside) {
        const auto graph = graphWithout(&own);
        if (!graph) return 0;
        const KSearch search = tuneK({*graph, *own.cluster, best_.options}, beside, control_);
        out_.compiles += static_cast<int>(search.tried.size());
        return search.best && isBetter(*search.best) ? search.best->k : 0;
    }

    [[nodiscard]] bool isBetter(const KOutcome& outcome) const {
        return outcome.ok() && (!best_.ok() || outcome.layers < best_.layerCount());
    }

    /// Takes the schedule with the scopes in force where it is better.
    bool take() {
        const auto graph = graphWithout(nullptr);
        if (!graph) return false;
        Schedule schedule = scheduleLayers(*graph, best_.options, control_);
        ++out_.compiles;
        if (!schedule.ok() || (best_.ok() && schedule.layerCount() >= best_.layerCount())) return false;
        best_ = std::move(schedule);
        return true;
    }

    bool addOne() {
        Scoped* choice = nullptr;
        int choiceK = 0;
        const Schedule before = best_;
        for (Scoped& own : clusters_) {
            if (own.k > 0 || control_.shouldStop()) continue;
            const int k = tuned(own, before);
            if (k == 0) continue;
            own.k = k;
            if (take()) choice = &own, choiceK = k;
            own.k = 0;
        }
        if (choice == nullptr) return false;
        choice->k = choiceK;
        return true;
    }

    /// Where no scope alone compiles: all at once, from the formula on.
    void tryTogether() {
        if (clusters_.size() < 2) return;
        const std::vector<Chain> chains = chainsOf(graph_, relationsOf(graph_));
        for (const int factor : {1, 2, 3}) {
            for (Scoped& own : clusters_)
                own.k = kByFormula(best_.options.d, residualPeakWidth(graph_, chains, *own.cluster), factor);
            if (take()) return;
        }
        for (Scoped& own : clusters_)
            own.k = 0;
    }

    void retune(Scoped& own) {
        if (control_.shouldStop()) return;
        const auto graph = graphWithout(&own);
        if (!graph) return;
        const Schedule beside = scheduleLayers(*graph, best_.options, control_);
        const int k = tuned(own, beside);
        if (k == 0) return;
        const int before = std::exchange(own.k, k);
        if (!take()) own.k = before;
    }

    const NodeGraph& graph_;
    Schedule best_;
    const RunControl& control_;
    std::vector<Scoped> clusters_;
    ScopeSearchResult out_;
};

}  // namespace

std::vector<RankedCluster> rankedClusters(const NodeGraph& graph, const Schedule& schedule, const ClusterRule& rule,
                                          const PlateauRule& plateaus) {
    const std::vector<Plateau> found = plateausOf(graph, schedule, plateaus);
    std::vector<RankedCluster> ranked;
    for (Cluster& cluster : clustersOf(graph, relationsOf(graph), rule)) {
        RankedCluster own;
        own.conditions = conditionsOf(graph, schedule, cluster, found);
        own.weight = std::int64_t{own.conditions.peakWidth} * own.conditions.chains;
        own.cluster = std::move(cluster);
        ranked.push_back(std::move(own));
    }
    std::ranges::stable_sort(ranked, [](const RankedCluster& a, const RankedCluster& b) {
        const auto key = [](const RankedCluster& c) {
            return std::tuple(-c.conditions.plateauShare, -c.weight, c.cluster.join);
        };
        return key(a) < key(b);
    });
    return ranked;
}

ScopeSearchResult searchScopes(const NodeGraph& graph, const Schedule& withoutScope,
                               const std::vector<RankedCluster>& ranked, std::size_t mostClusters,
                               const RunControl& control) {
    return ScopeSearcher(graph, withoutScope, ranked, mostClusters, control).run();
}

}  // namespace memplan::torchwright
