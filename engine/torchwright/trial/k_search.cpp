// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/trial/k_search.h"

#include "engine/base/parallel.h"
#include "engine/torchwright/analysis/chains.h"
#include "engine/torchwright/scope/concurrency.h"
#include "engine/torchwright/scope/in_flight.h"

#include <algorithm>
#include <utility>

namespace memplan::torchwright {
namespace {

KOutcome outcomeOf(const KQuestion& question, int k, const RunControl& control) {
    KOutcome out;
    out.k = k;
    const auto scoped = withScope(question.graph, scopeOf(question.cluster, k));
    if (!scoped) {
        out.result = ScheduleResult::AfterNeverMet;
        return out;
    }
    const Schedule schedule = scheduleLayers(scoped.value(), question.options, control);
    out.result = schedule.result;
    out.layers = schedule.layerCount();
    out.peakOccupied = schedule.peakOccupied;
    out.headsTotal = schedule.headsTotal;
    out.slotsTotal = schedule.slotsTotal;
    return out;
}

/// A search that has tried some values of K: the tried ones in order, and which K may still be tried.
class Search {
public:
    Search(const KQuestion& question, const Schedule& withoutScope, const RunControl& control)
        : question_(question), without_(withoutScope), control_(control) {
        out_.natural = naturalInFlight(question.cluster, withoutScope);
        const Relations relations = relationsOf(question.graph);
        peak_ = residualPeakWidth(question.graph, chainsOf(question.graph, relations), question.cluster);
    }

    [[nodiscard]] int formula(int factor) const { return kByFormula(question_.options.d, peak_, factor); }
    [[nodiscard]] int natural() const { return out_.natural; }

    /// The outcome of a K, compiled when it is first asked for; nullptr where the run was cancelled.
    const KOutcome* at(int k) {
        const auto known = std::ranges::find(out_.tried, k, &KOutcome::k);
        if (known != out_.tried.end()) return &*known;
        if (control_.shouldStop()) return nullptr;
        out_.tried.push_back(outcomeOf(question_, k, control_));
        return &out_.tried.back();
    }

    KSearch finish() {
        const KOutcome* best = bestOf(out_.tried);
        if (best != nullptr && (!without_.ok() || best->layers < without_.layerCount())) out_.best = *best;
        return std::move(out_);
    }

    /// Tried values beside the best one, and beyond them 0 and the natural count, which gates nothing.
    [[nodiscard]] std::pair<int, int> bracket() const {
        const KOutcome* best = bestOf(out_.tried);
        int below = 0, above = std::max(1, out_.natural);
        for (const KOutcome& tried : out_.tried) {
            if (best == nullptr) break;
            if (tried.k < best->k) below = std::max(below, tried.k);
            if (tried.k > best->k) above = std::min(above, tried.k);
        }
        return {below, above};
    }

private:
    const KQuestion& question_;
    const Schedule& without_;
    const RunControl& control_;
    Columns peak_ = 1;
    KSearch out_;
};

/// Doubles K until the compile fails or has become worse twice.
void climb(Search& search) {
    int worse = 0, last = 0;
    for (int k = search.formula(1); k < std::max(2, search.natural()) && worse < 2;
         k = k < search.formula(3) ? search.formula(3) : 2 * k) {
        const KOutcome* outcome = search.at(k);
        if (outcome == nullptr) return;
        if (!outcome->ok() && last > 0) return;
        if (outcome->ok() && last > 0 && outcome->layers > last) ++worse;
        if (outcome->ok()) last = outcome->layers;
    }
}

}  // namespace

std::vector<KOutcome> sweepK(const KQuestion& question, const std::vector<int>& ks, unsigned threads,
                             const RunControl& control) {
    std::vector<std::optional<KOutcome>> cells(ks.size());
    parallelRanges(ks.size(), 1, threads, [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end && !control.shouldStop(); ++i)
            cells[i] = outcomeOf(question, ks[i], control);
    });
    std::vector<KOutcome> outcomes;
    for (const auto& cell : cells)
        if (cell) outcomes.push_back(*cell);
    return outcomes;
}

const KOutcome* bestOf(const std::vector<KOutcome>& outcomes) {
    const KOutcome* best = nullptr;
    for (const KOutcome& outcome : outcomes) {
        if (!outcome.ok()) continue;
        if (best == nullptr || std::pair(outcome.layers, outcome.k) < std::pair(best->layers, best->k)) best = &outcome;
    }
    return best;
}

KSearch shortSearch(const KQuestion& question, const Schedule& withoutScope, const RunControl& control) {
    Search search(question, withoutScope, control);
    (void)search.at(search.formula(1));
    const int likely = search.formula(3);
    for (const int k : {likely, likely - 2, likely - 1, likely + 1, likely + 2})
        if (k >= 2 && k < search.natural()) (void)search.at(k);
    return search.finish();
}

KSearch tuneK(const KQuestion& question, const Schedule& withoutScope, const RunControl& control) {
    Search search(question, withoutScope, control);
    climb(search);
    const auto [below, above] = search.bracket();
    for (int k = below + 1; k < above; ++k)
        (void)search.at(k);
    return search.finish();
}

}  // namespace memplan::torchwright
