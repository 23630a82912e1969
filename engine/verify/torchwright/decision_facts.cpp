// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/search_decision.h"
#include "engine/verify/torchwright/hint_facts.h"
#include "engine/verify/torchwright/layer_bounds.h"
#include "engine/verify/torchwright/record_facts.h"

#include <algorithm>
#include <iterator>

namespace memplan::verify::torchwright {
namespace {

using namespace memplan::torchwright;

std::string columnsText(const ColumnList& columns) {
    std::string words;
    for (const ColumnRun& run : columns.runs()) {
        words += (words.empty() ? "" : ", ") + std::to_string(run.first);
        if (run.count > 1) words += "-" + std::to_string(run.first + run.count - 1);
    }
    return words;
}

class DecisionFacts {
public:
    DecisionFacts(const Plan& plan, const Program& program, const TorchwrightData& data, Report& report)
        : plan_(plan), program_(program), g_(program.graph), data_(data), s_(data.schedule), report_(report) {}

    void run() {
        checkPlaces();
        bool hasBounds = false;
        for (const Decision& d : plan_.decisions) {
            const std::string_view kind = kindName(d);
            if (kind == "layer_bounds") checkBounds(d), hasBounds = true;
            if (kind == "automatic_k") checkScope(d);
            if ((kind == "automatic_k" || kind == "advice") && !d.alternatives.empty())
                fault(std::string(kind) + " states alternatives, it has none");
            if (kind != "layer_bounds" && kind != "automatic_k" && kind != "advice" && d.kind == DecisionKind::Other)
                fault("nothing of this machine decides about " + std::string(kind));
        }
        checkSearch(hasBounds);
    }

private:
    const Plan& plan_;
    const Program& program_;
    const NodeGraph& g_;
    const TorchwrightData& data_;
    const Schedule& s_;
    Report& report_;
    int bound_ = 0;   ///< that the plan states
    int saved_ = -1;  ///< layers that the heuristic has more, -1 = it finds no schedule

    void fault(const std::string& what) { report_.add("VER-013", "decisions", what); }

    // ---- where a value is put ----------------------------------------------------------------------------------

    void checkPlaces() {
        std::vector<const Decision*> stated;
        for (const Decision& d : plan_.decisions)
            if (d.kind == DecisionKind::Placed || d.kind == DecisionKind::InPlace) stated.push_back(&d);
        std::size_t next = 0, position = 0;
        for (int layer = 0; layer < s_.layerCount(); ++layer) {
            const Layer& own = s_.layers[static_cast<std::size_t>(layer)];
            for (const AttentionOp& op : own.attention)
                checkPlace(op, layer, position++, op.kind != AttentionKind::Cancel, stated, next);
            for (const MlpOp& op : own.mlp)
                checkPlace(op, layer, position++, op.kind != MlpKind::Bias, stated, next);
        }
        if (next != stated.size()) fault("more places are stated than operations have");
    }

    template <class Op>
    void checkPlace(const Op& op, int layer, std::size_t position, bool isPlaced,
                    const std::vector<const Decision*>& stated, std::size_t& next) {
        if (!isPlaced) return;
        const std::string name = "node " + g_.label(op.node);
        if (next >= stated.size()) return fault(name + " has no stated place");
        const Decision& d = *stated[next++];
        const PlanBuffer& b = plan_.buffer(BufferId::of(op.node.at()));
        const bool takesOver = b.inPlaceOf.isValid();
        const std::string why =
            takesOver ? "takes over the columns of " + plan_.buffer(b.inPlaceOf).name + ", which dies here"
                      : "layer " + std::to_string(layer) + ", " + std::string(opName(op.kind));
        const bool isSame = d.pass == "schedule" && d.op == OpId::of(position) &&
                            d.buffer == BufferId::of(op.node.at()) && (d.kind == DecisionKind::InPlace) == takesOver &&
                            d.alternatives.empty();
        if (!isSame || sentence(d.chosen) != "columns " + columnsText(op.target) || sentence(d.why) != why)
            fault("the place of " + name + " is not that of its operation in layer " + std::to_string(layer));
    }

    // ---- torchwright.optimize above 0 --------------------------------------------------------------------------

    /// How many ways to fill layers a proof looked at is not worked out again; no bound is above the plan, and what is
    /// said follows from them.
    void checkBounds(const Decision& d) {
        std::string strongest;
        std::vector<std::string> names;
        for (const Alternative& a : d.alternatives) {
            names.push_back(sentence(a.label));
            const int layers = static_cast<int>(a.score);
            if (layers > s_.layerCount())
                fault("the bound by " + names.back() + ", " + std::to_string(layers) + " layers, is above the plan");
            if (layers != a.score || layers < 0) fault("the bound by " + names.back() + " is no number of layers");
            if (layers > bound_) bound_ = layers, strongest = names.back();
        }
        const std::vector<std::string> wanted{"order", "slots", "heads", "columns", "proof"};
        if (names.size() < 4 || names.size() > 5 || !std::equal(names.begin(), names.end(), wanted.begin()))
            return fault("the bounds are not those of order, slots, heads, columns and proof");
        checkLayers(d.alternatives);
        if (d.pass != "schedule" || d.op.isValid() || d.buffer.isValid()) fault("the bounds are those of the schedule");
        if (sentence(d.chosen) != "at least " + text::grouped(bound_) + " layers, by " + strongest)
            fault("the bound is not the largest of its kinds");
        if (!isOutcome(sentence(d.why))) fault("what is said of the layers does not follow from the bounds");
    }

    void checkLayers(const std::vector<Alternative>& stated) {
        const auto layerMin = layerMinOf(plan_, g_);
        if (!layerMin) return;
        const auto own = layerBoundsOf(program_, s_.options, *layerMin);
        if (!own) return fault("bounds are stated where none hold for every schedule");
        const int layers[] = {own->ofOrder, own->ofSlots, own->ofHeads, own->ofColumns};
        for (std::size_t i = 0; i < std::size(layers); ++i)
            if (stated[i].score != layers[i])
                fault("the bound by " + sentence(stated[i].label) + " is not that of the graph, " +
                      std::to_string(layers[i]) + " layers");
    }

    /// The layers of the heuristic are not worked out again; they are not fewer.
    [[nodiscard]] bool isOutcome(const std::string& why) {
        const std::string own = text::grouped(s_.layerCount()) + " layers, the heuristic ";
        const bool isProved = s_.layerCount() <= bound_;
        if (why == own + (isProved ? "finds no schedule; none has fewer" : "finds no schedule")) return true;
        const std::string end = isProved ? "; no schedule has fewer" : "";
        for (int layers = s_.layerCount(); layers <= s_.options.maxLayers; ++layers)
            if (why == own + text::grouped(layers) + end) {
                saved_ = layers - s_.layerCount();
                return true;
            }
        return false;
    }

    void checkScope(const Decision& d) {
        const std::string chosen = sentence(d.chosen), why = sentence(d.why);
        const bool isKnown = std::ranges::any_of(data_.clusters, [&](const TorchwrightCluster& cluster) {
            const auto chains = static_cast<std::int64_t>(cluster.chains.size());
            for (std::int64_t k = 1; k <= chains; ++k)
                if (chosen == "K = " + text::grouped(k) + " over the " + text::grouped(chains) +
                                  " chains that meet in node " + std::to_string(cluster.join))
                    return true;
            return false;
        });
        if (data_.isReported && !isKnown) fault("automatic K names no cluster of the plan");
        const std::size_t end = why.find(" layers with it, after ");
        bool isLayers = false;
        for (int layers = s_.layerCount(); layers <= s_.options.maxLayers && !isLayers; ++layers)
            isLayers = end != std::string::npos && why.substr(0, end) == text::grouped(layers);
        if (!isLayers) fault("automatic K states fewer layers than the plan has");
    }

    void checkSearch(bool hasBounds) {
        const auto trace = searchOf(plan_);
        const auto isSearch = [](const Decision& d) { return d.kind == DecisionKind::Search; };
        const auto stated = std::ranges::find_if(plan_.decisions, isSearch);
        if (stated == plan_.decisions.end()) return;
        if (!trace) return fault("the search states what nobody can read");
        if (plan_.solver != "exact") fault("the heuristic does not search");
        const Decision real = searchDecision(*trace);
        if (stated->pass != "schedule" || sentence(stated->why) != sentence(real.why) ||
            stated->alternatives.size() != real.alternatives.size())
            fault("what is said of the search does not follow from its figures");
        const bool isKnownEnd = trace->end == "proved" || trace->end == "steps_done" || trace->end == "time_limit";
        if (trace->measure != kLayersSaved || trace->stepUnit != "moves" || !isKnownEnd || trace->plannedSteps != 0)
            fault("the search is not one for fewer layers");
        if ((trace->end == "proved") != (hasBounds && s_.layerCount() <= bound_))
            fault("whether the search ended with a proof contradicts the bounds");
        std::int64_t step = 0, saved = -1;
        for (const SearchPoint& point : trace->points) {
            if (point.step < step || point.value <= saved || point.step > trace->steps)
                fault("the search found its plans in another order");
            step = point.step, saved = point.value;
        }
        if (hasBounds && saved_ >= 0 && saved >= 0 && saved != saved_)
            fault("the search saved another number of layers than the plan");
        if (trace->bound && *trace->bound < saved) fault("the search saved more layers than its bound");
        const bool isCompared = hasBounds && saved_ >= 0 && trace->bound.has_value();
        if (isCompared && *trace->bound != s_.layerCount() + saved_ - bound_)
            fault("the layers that the search could save are not those between the heuristic and the bound");
    }
};

}  // namespace

void checkDecisions(const Plan& plan, const Program& program, const TorchwrightData& data, Report& report) {
    DecisionFacts(plan, program, data, report).run();
}

}  // namespace memplan::verify::torchwright
