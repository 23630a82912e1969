// SPDX-License-Identifier: Apache-2.0
#include "verify/verify_search.h"

#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace memplan {
namespace {

class SearchVerifier {
public:
    explicit SearchVerifier(const Plan& plan) : plan_(plan) {
        for (const PlanOp& op : plan.ops)
            ops_.emplace(op.name, &op);
    }

    std::vector<Diagnostic> run() {
        if (plan_.coOptimization) checkTrace(*plan_.coOptimization);
        if (plan_.costEstimate) checkEstimate(*plan_.costEstimate);
        return std::move(found_);
    }

private:
    const Plan& plan_;
    std::map<std::string_view, const PlanOp*> ops_;
    std::vector<Diagnostic> found_;

    void report(std::string where, std::string message) {
        Diagnostic d;
        d.code = "VER-013";
        d.where = std::move(where);
        d.message = std::move(message);
        d.pass = "verify";
        found_.push_back(std::move(d));
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

    void checkTrace(const CoOptimization& t) {
        const std::string where = "co_optimization";
        if (t.winnerTraffic > t.committedTraffic)
            report(where, "the winner moves " + text::grouped(t.winnerTraffic) + " B, the committed divisions " +
                              text::grouped(t.committedTraffic) + " B");
        if (t.evaluated < 1) report(where, "no combination was scored");
        Bytes last = t.committedScore;
        const bool ordered = t.method == "exhaustive";
        for (const CoOptimization::Leaf& leaf : t.kept) {
            if (ordered && leaf.score >= last) report(where, "a kept combination is not better than the one before");
            last = leaf.score;
        }
        for (const CoOptimization::Change& c : t.changes) {
            const auto it = ops_.find(c.op);
            // A clone that found no room was taken out again after the search.
            if (it == ops_.end()) continue;
            if (slicesOf(*it->second) != slicesOf(c.to))
                report("op " + c.op, "is said to be divided as " + c.to + ", its splits differ");
        }
    }

    static bool near(double a, double b) { return std::abs(a - b) <= 1e-6 * std::max({1.0, std::abs(a), std::abs(b)}); }

    void checkEstimate(const CostEstimate& e) {
        double total = 0;
        std::set<std::string_view> seen;
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
        const auto& stated = plan_.metrics.estimatedMicroseconds;
        if (!stated || !near(*stated, e.totalMicroseconds))
            report("metrics estimated_microseconds", "differs from the estimate's total");
    }
};

}  // namespace

std::vector<Diagnostic> verifySearch(const Plan& plan) {
    return SearchVerifier(plan).run();
}

}  // namespace memplan
