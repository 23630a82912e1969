// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/figures/verify_search.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/plan/search_decision.h"
#include "engine/plan/spyre_data.h"
#include "engine/verify/finding.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace memplan {
namespace {

class SearchVerifier {
public:
    explicit SearchVerifier(const Plan& plan) : plan_(plan) {
        ops_.reserve(plan.ops.size());
        for (const PlanOp& op : plan.ops)
            ops_.emplace(op.name, &op);
    }

    std::vector<Diagnostic> run() {
        if (const auto search = searchOf(plan_)) checkSearch(*search);
        if (spyreData(plan_).coOptimization) checkTrace(*spyreData(plan_).coOptimization);
        if (spyreData(plan_).costEstimate) checkEstimate(*spyreData(plan_).costEstimate);
        for (const PlanOp& op : plan_.ops) {
            if (op.kind == "relayout") checkRelayout(op);
        }
        return std::move(found_);
    }

private:
    const Plan& plan_;
    std::unordered_map<std::string_view, const PlanOp*> ops_;  ///< looked up by name, never walked
    std::vector<Diagnostic> found_;

    void report(std::string where, std::string message) {
        found_.push_back(verify::finding("VER-013", std::move(where), std::move(message)));
    }

    /// The parts "<loop>/<slices>" of a division, output and reduced loops alike.
    static std::set<std::string> slicesOf(const PlanOp& op) {
        std::set<std::string> parts;
        for (const IterationDim& d : op.iterationSpace) {
            if (d.slices > 1) parts.insert(d.name + "/" + std::to_string(d.slices));
        }
        return parts;
    }

    static std::set<std::string> slicesOf(const std::string& label) {
        std::set<std::string> parts;
        if (label == "whole") return parts;
        for (std::string part : text::split(label, ' ')) {
            const auto mark = part.find('s');
            if (mark != std::string::npos && mark <= 1) part.erase(0, mark + 1);
            parts.insert(std::move(part));
        }
        return parts;
    }

    static bool isLaterClone(const PlanOp& op) {
        return op.addedBy == "scratchpad_planning.solver_clones" || op.addedBy == "scratchpad_planning.output_clones";
    }

    void checkSearch(const SearchTrace& t) {
        const std::string where = "search of the solver";
        for (std::size_t i = 0; i < t.points.size(); ++i) {
            const SearchPoint& p = t.points[i];
            const bool isInside = p.step >= 0 && p.step <= t.steps;
            const bool isAfter = i == 0 || (p.step >= t.points[i - 1].step && p.value > t.points[i - 1].value);
            if (!isInside || !isAfter) return report(where, "its points are not in the order of a search");
        }
        if (t.points.empty() || !t.bound || t.points.back().value <= *t.bound) return;
        report(where, "the best value " + text::grouped(t.points.back().value) + " exceeds the bound " +
                          text::grouped(*t.bound));
    }

    /// A place that a hint asks for counts before any score, and the trace does not say which combinations gave it.
    [[nodiscard]] bool asksForPlaces() const {
        return std::any_of(plan_.hints.begin(), plan_.hints.end(),
                           [](const Hint& h) { return h.key == "pin" || h.key == "address"; });
    }

    void checkTrace(const CoOptimization& t) {
        const std::string where = "co_optimization";
        if (t.winnerTraffic > t.committedTraffic)
            report(where, "the winner moves " + text::grouped(t.winnerTraffic) + " B, the committed divisions " +
                              text::grouped(t.committedTraffic) + " B");
        if (t.evaluated < 1) report(where, "no combination was scored");
        Bytes last = t.committedScore;
        const bool ordered = t.method == "exhaustive" && !asksForPlaces();
        for (const CoOptimization::Leaf& leaf : t.kept) {
            if (ordered && leaf.score >= last) report(where, "a kept combination is not better than the one before");
            last = leaf.score;
        }
        for (const CoOptimization::Change& c : t.changes) {
            const auto it = ops_.find(c.op);
            // A clone that found no room was taken out again after the search; a later pass may use its name again.
            if (it == ops_.end() || isLaterClone(*it->second)) continue;
            if (slicesOf(*it->second) != slicesOf(c.to))
                report("op " + c.op, "is said to be divided as " + c.to + ", its splits differ");
        }
    }

    // ---- relayouts -----------------------------------------------------------------------------------

    void refuse(const PlanOp& op, std::string message) {
        report("op " + op.name, std::move(message));
        found_.back().code = "VER-008";
    }

    /// Slice of a device dimension on a core: (index, number of slices).
    static std::pair<std::int64_t, std::int64_t> sliceOf(const PlanAccess& a, std::size_t core, int dim) {
        for (std::size_t i = 0; i < a.sliceDims.size(); ++i) {
            if (a.sliceDims[i].first == dim) return {a.coreSlots[i][core], a.sliceDims[i].second};
        }
        return {0, 1};
    }

    /// Cores of the source that hold a part of what this core needs.
    static std::int64_t fanIn(const PlanAccess& from, std::int64_t sources, const PlanAccess& to, std::size_t core) {
        std::set<int> dims;
        for (const PlanAccess* a : {&from, &to}) {
            for (const auto& [dim, slices] : a->sliceDims)
                dims.insert(dim);
        }
        std::int64_t count = 0;
        for (std::size_t s = 0; s < static_cast<std::size_t>(sources); ++s) {
            const bool shares = std::all_of(dims.begin(), dims.end(), [&](int dim) {
                const auto [i, n] = sliceOf(from, s, dim);
                const auto [j, m] = sliceOf(to, core, dim);
                return i * m < (j + 1) * n && j * n < (i + 1) * m;
            });
            count += shares ? 1 : 0;
        }
        return count;
    }

    /// The ring can carry it: both sides on chip, every slice of the source on one core only, and as many senders for
    /// each receiver, at most eight.
    void checkRelayout(const PlanOp& op) {
        if (op.accesses.empty()) return;  // not stated: nothing gives the slices
        const PlanAccess* to = nullptr;
        for (const PlanAccess& a : op.accesses)
            to = a.isWrite ? to : &a;
        if (to == nullptr || op.outputs.size() != 1) return refuse(op, "is no copy of one buffer");
        const PlanBuffer& source = plan_.buffer(to->buffer);
        if (!isOnChip(source.space) || !isOnChip(plan_.buffer(op.outputs.front()).space))
            return refuse(op, "moves between cores, but one side of it is in main memory");
        // An imported bundle need not say who made the source, nor every cut of it.
        const bool isImported = plan_.solver == "imported";
        if (isImported && !source.producer.isValid()) return;
        if (!source.producer.isValid()) return refuse(op, "has a source that nothing writes");
        const PlanOp& writer = plan_.op(source.producer);
        if (writer.accesses.empty()) return;
        const PlanAccess* from = nullptr;
        for (const PlanAccess& a : writer.accesses)
            from = a.isWrite && a.buffer == to->buffer ? &a : from;
        if (from == nullptr) return refuse(op, "has a source that nothing writes");
        std::int64_t parts = 1;
        for (const auto& [dim, slices] : from->sliceDims)
            parts = saturatedMul(parts, slices);
        if (isImported && parts != writer.cores) return;
        if (parts != writer.cores) return refuse(op, "has a source of which several cores hold the same slice");
        std::set<std::int64_t> fans;
        for (std::size_t core = 0; core < static_cast<std::size_t>(op.cores); ++core)
            fans.insert(fanIn(*from, writer.cores, *to, core));
        if (fans.size() != 1 || *fans.rbegin() > 8)
            refuse(op, "needs more senders for a core than the ring serves, or unequal numbers of them");
    }

    static bool near(double a, double b) { return std::abs(a - b) <= 1e-6 * std::max({1.0, std::abs(a), std::abs(b)}); }

    void checkEstimate(const CostEstimate& e) {
        double total = 0;
        std::unordered_set<std::string_view> seen;
        for (std::size_t i = 0; i < e.kernels.size(); ++i) {
            const CostEstimate::Kernel& k = e.kernels[i];
            const std::string where = "cost_estimate kernel " + std::to_string(i);
            if (!std::isfinite(k.microseconds) || k.microseconds < 0) report(where, "its price is no time");
            total += k.microseconds;
            double shares = 0;
            for (const CostEstimate::Share& s : k.shares) {
                shares += s.microseconds;
                if (!ops_.contains(s.op)) report(where, "names the unknown operation \"" + s.op + "\"");
                if (!seen.insert(s.op).second) report(where, "prices \"" + s.op + "\" a second time");
            }
            if (!near(shares, k.microseconds)) report(where, "the shares of its operations do not add up");
        }
        if (!near(total, e.totalMicroseconds)) report("cost_estimate", "its kernels do not add up to the total");
        if (statesNoMetrics(plan_)) return;
        const auto& stated = plan_.metrics.estimatedMicroseconds;
        if (!stated || !near(*stated, e.totalMicroseconds))
            report("metrics estimated_microseconds", "differs from the estimate's total");
    }
};

}  // namespace

bool statesNoMetrics(const Plan& plan) {
    return !plan.stoppedAfter.empty() && plan.memory.capacity == 0;
}

std::vector<Diagnostic> verifySearch(const Plan& plan) {
    return SearchVerifier(plan).run();
}

}  // namespace memplan
