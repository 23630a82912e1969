// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/search/better_schedule.h"

#include "engine/torchwright/report/tiers.h"
#include "engine/torchwright/scheduler/scheduler.h"
#include "engine/torchwright/search/proof.h"
#include "engine/torchwright/search/realize.h"
#include "engine/torchwright/search/serial_order.h"

#include <algorithm>
#include <utility>

namespace memplan::torchwright {
namespace {

constexpr std::size_t kMostClusters = 8;

class Improver {
public:
    Improver(const NodeGraph& graph, const ScheduleOptions& options, const SearchEffort& effort,
             const PlateauRule& plateaus, const RunControl& control)
        : graph_(graph), options_(options), effort_(effort), plateaus_(plateaus), control_(control) {}

    BetterSchedule run() {
        improve();
        return std::move(out_);
    }

private:
    void improve() {
        out_.schedule = scheduleLayers(graph_, options_, control_);
        if (out_.schedule.ok()) out_.heuristicLayers = out_.schedule.layerCount();
        const auto model = unitModelOf(graph_, options_);
        if (!model || control_.shouldStop()) return;
        model_ = &*model;
        const LayerBounds bounds = layerBoundsOf(*model);
        // The heuristic may split what the model keeps together: then the model has nothing to say.
        if (out_.schedule.ok() && out_.schedule.layerCount() < bounds.best()) return;
        out_.bounds = bounds;
        improveWith(*model);
        if (model->hasOtherChains) claimNothing();
    }

    void improveWith(const UnitModel& model) {
        if (!out_.schedule.ok() && ask(options_.maxLayers).isRuledOut) return;
        if (!out_.isProved()) tryScopes();
        if (out_.isProved()) {
            noteProof();
        } else {
            search(model);
        }
        if (out_.schedule.ok()) saveHeads(model);
    }

    /// What the units rule out may exist with others.
    void claimNothing() {
        out_.bounds.reset();
        if (!out_.trace) return;
        out_.trace->bound.reset();
        if (out_.trace->end == "proved") out_.trace->end = "steps_done";
    }

    void tryScopes() {
        const auto ranked = rankedClusters(graph_, out_.schedule, clusterRuleOf(options_), plateaus_);
        ScopeSearchResult found = searchScopes(graph_, out_.schedule, ranked, kMostClusters, control_);
        out_.compiles = found.compiles;
        if (!found.schedule) return;
        out_.scopes = std::move(found.scopes);
        out_.scopedLayers = found.schedule->layerCount();
        take(std::move(*found.schedule), ScheduleOrigin::Scopes);
    }

    /// Layers of the units in a schedule that compiled; else one after the other.
    [[nodiscard]] LayerPlan startOf(const UnitModel& model) const {
        if (!out_.schedule.ok()) return serialPlan(model);
        LayerPlan start{out_.schedule.layerCount(), {}};
        for (const Unit& unit : model.units)
            start.layerOf.push_back(std::max(0, out_.schedule.nodeLayer[unit.node.at()]));
        return start;
    }

    /// Layers that the scopes saved already.
    [[nodiscard]] int saved() const {
        return out_.heuristicLayers > 0 ? out_.heuristicLayers - out_.schedule.layerCount() : 0;
    }

    /// A search that had nothing to do.
    void noteProof() { out_.trace = SearchTrace{"layers_saved", "moves", 0, 0, saved(), "proved", {{0, saved()}}}; }

    /// Where no schedule has so few layers, the bound says so from then on.
    LayerAnswer ask(int layers) {
        if (!classes_)
            classes_ = alikeChainsOf(graph_, *model_, clusterRuleOf(options_)).value_or(std::vector<ChainClass>{});
        if (classes_->empty()) return {};
        LayerAnswer answer = fillAll(*model_, *classes_, layers, effort_.fillsOfProof, control_);
        if (answer.isRuledOut) out_.bounds->ofProof = layers + 1;
        return answer;
    }

    void search(const UnitModel& model) {
        const int before = saved();
        const LayerPlan start = startOf(model);
        LayerSearchResult found = searchLayers(
            model, start, out_.bounds->best(), effort_, [this](int layers) { return ask(layers); }, control_);
        for (SearchPoint& point : found.trace.points)
            point.value += before;
        if (found.trace.bound) *found.trace.bound += before;
        out_.trace = std::move(found.trace);
        const LayerPlan& plan = found.plan.layers > 0 ? found.plan : start;
        if (plan.layers == 0 || plan.layers > options_.maxLayers) return;
        if (out_.schedule.ok() && plan.layers >= out_.schedule.layerCount()) return;
        Assignment assignment(model, plan.layers);
        assignment.fit(plan.layerOf, plan.layers);
        if (auto schedule = realize(graph_, model, assignment)) take(std::move(*schedule), ScheduleOrigin::Search);
    }

    /// The same layers with cancels where they are needed only: often fewer heads.
    void saveHeads(const UnitModel& model) {
        const LayerPlan plan = startOf(model);
        Assignment assignment(model, plan.layers);
        assignment.fit(plan.layerOf, plan.layers);
        auto schedule = realize(graph_, model, assignment);
        if (!schedule || allocatedOf(*schedule) >= allocatedOf(out_.schedule)) return;
        const bool isOwn = out_.origin == ScheduleOrigin::Heuristic;
        take(std::move(*schedule), isOwn ? ScheduleOrigin::Search : out_.origin);
    }

    [[nodiscard]] std::int64_t allocatedOf(const Schedule& schedule) const {
        return tiersOf(graph_, schedule).allocated;
    }

    void take(Schedule schedule, ScheduleOrigin origin) {
        out_.schedule = std::move(schedule);
        out_.origin = origin;
    }

    const NodeGraph& graph_;
    const ScheduleOptions& options_;
    const SearchEffort& effort_;
    const PlateauRule& plateaus_;
    const RunControl& control_;
    const UnitModel* model_ = nullptr;
    std::optional<std::vector<ChainClass>> classes_;  ///< empty where a proof cannot count them
    BetterSchedule out_;
};

}  // namespace

SearchEffort effortOf(int level, std::uint64_t seed) {
    constexpr std::int64_t kTimes[] = {0, 1, 3, 5};  // as the original's 60, 180 and 300 s
    const std::int64_t times = kTimes[std::clamp(level, 0, 3)];
    return {100'000 * times, 3, 8'000'000 * times, seed};
}

BetterSchedule betterSchedule(const NodeGraph& graph, const ScheduleOptions& options, const SearchEffort& effort,
                              const PlateauRule& plateaus, const RunControl& control) {
    return Improver(graph, options, effort, plateaus, control).run();
}

}  // namespace memplan::torchwright
