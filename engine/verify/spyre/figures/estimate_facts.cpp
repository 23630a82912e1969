// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/figures/estimate_facts.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/plan/spyre_data.h"
#include "engine/verify/spyre/figures/cost_features.h"
#include "engine/verify/spyre/reading/device_form.h"

#include <algorithm>
#include <map>
#include <set>

namespace memplan::verify {
namespace {

using text::grouped;
using text::quoted;

class EstimateFacts {
public:
    EstimateFacts(const PlanReading& reading, Report& report)
        : reading_(reading), plan_(reading.plan), report_(report) {
        for (std::size_t i = 0; i < plan_.ops.size(); ++i)
            ops_.emplace(plan_.ops[i].name, OpId::of(i));
    }

    void run() {
        if (spyreData(plan_).costEstimate) checkEstimate(*spyreData(plan_).costEstimate);
        if (spyreData(plan_).coOptimization) checkSearch(*spyreData(plan_).coOptimization);
        if (spyreData(plan_).operationOrder) checkDistance(*spyreData(plan_).operationOrder);
    }

private:
    const PlanReading& reading_;
    const Plan& plan_;
    Report& report_;
    std::map<std::string_view, OpId> ops_;

    void wrong(std::string where, std::string message) { report_.add("VER-013", std::move(where), std::move(message)); }

    // ---- time ----------------------------------------------------------------------------------------

    void checkEstimate(const CostEstimate& e) {
        const std::string& wanted = plan_.settings.text("spyre.cost_edition");
        const bool isKnown = e.edition == "A" || e.edition == "B";
        if (!isKnown || (wanted != "auto" && wanted != e.edition))
            wrong("cost_estimate edition", "is " + quoted(e.edition) + ", the settings ask for " + quoted(wanted));
        if (plan_.settings.text("spyre.calibration").empty() != e.calibrationSha256.empty())
            wrong("cost_estimate calibration_sha256", "does not go with the setting spyre.calibration");
        std::map<std::string_view, std::optional<double>> errors;
        for (std::size_t k = 0; k < e.kernels.size(); ++k) {
            const CostEstimate::Kernel& kernel = e.kernels[k];
            const std::string where = "cost_estimate kernel " + std::to_string(k);
            static const std::set<std::string_view> kBranches{"matmul", "pattern", "reduction", "base"};
            if (!kBranches.contains(kernel.branch)) wrong(where, "is of the unknown branch " + quoted(kernel.branch));
            const auto [it, isFirst] = errors.try_emplace(kernel.category, kernel.statedErrorPercent);
            if (!isFirst && it->second != kernel.statedErrorPercent)
                wrong(where, "states another error than an earlier kernel of the category " + quoted(kernel.category));
            checkTerms(where, kernel);
            checkKind(where, kernel, e.edition);
            for (const CostEstimate::Share& s : kernel.shares)
                checkShare(where, s);
        }
        checkMembers(e);
    }

    /// The formula, the category and the bytes follow from how its operations access main memory.
    void checkKind(const std::string& where, const CostEstimate::Kernel& kernel, const std::string& edition) {
        std::vector<CostFeatures> ops;
        for (const CostEstimate::Share& s : kernel.shares) {
            const auto it = ops_.find(s.op);
            if (it == ops_.end() || !PlanReading::statesAccesses(plan_.op(it->second))) return;
            const auto features = costFeaturesOf(reading_, it->second, edition);
            if (!features) return;
            report_.expect(where + ", op " + s.op + ", hbm_bytes", s.hbmBytes, features->moved);
            report_.expect(where + ", op " + s.op + ", reread_bytes", s.rereadBytes, features->reread);
            ops.push_back(*features);
        }
        if (ops.empty()) return;
        if (const std::string branch = branchOf(ops, edition); kernel.branch != branch)
            wrong(where, "is of the branch " + quoted(kernel.branch) + ", its operations of " + quoted(branch));
        if (const std::string category = categoryOf(ops); kernel.category != category)
            wrong(where, "is of the category " + quoted(kernel.category) + ", its operations of " + quoted(category));
    }

    /// Not less than its largest term, not more than all of them.
    void checkTerms(const std::string& where, const CostEstimate::Kernel& kernel) {
        double sum = 0;
        double most = 0;
        for (const auto& [name, ns] : kernel.termsNs) {
            sum += ns;
            most = std::max(most, ns);
            if (ns < 0) wrong(where, "its term " + quoted(name) + " is no time");
        }
        if (kernel.termsNs.empty()) return;
        const double ns = kernel.microseconds * 1000;
        const double slack = 1e-6 * std::max(1.0, ns);
        if (ns < most - slack || ns > sum + slack)
            wrong(where, "takes " + text::number(kernel.microseconds) + " us, its terms give " +
                             text::number(most / 1000) + " to " + text::number(sum / 1000) + " us");
    }

    void checkShare(const std::string& where, const CostEstimate::Share& s) {
        const auto it = ops_.find(s.op);
        if (it == ops_.end()) return;  // reported with the sums
        const OpId id = it->second;
        const PlanOp& op = plan_.op(id);
        const std::string what = where + ", op " + s.op;
        report_.expect(what + ", trip", s.trip, reading_.loops.tripsWithoutAccesses(id));
        if (!PlanReading::statesAccesses(op)) return;
        const std::int64_t item = op.outputs.empty() ? 0 : storedBytes(op.outputs.front());
        const bool isKnown = item > 0 && std::all_of(op.accesses.begin(), op.accesses.end(),
                                                     [&](const PlanAccess& a) { return storedBytes(a.buffer) > 0; });
        if (!isKnown) return;
        Bytes onChip = 0;
        for (const PlanAccess& a : op.accesses) {
            if (reading_.isOn(a.buffer))
                onChip = saturatedAdd(onChip, asType(plan_.buffer(a.buffer).size, a.buffer, item));
        }
        report_.expect(what + ", lx_bytes", s.lxBytes, onChip);
    }

    /// Of one element on the device; 0 where the buffer has no layout.
    [[nodiscard]] std::int64_t storedBytes(BufferId b) const {
        const auto& layout = plan_.buffer(b).layout;
        const std::int64_t eps = layout ? elementsOfStick(layout->deviceDtype) : 0;
        return eps > 0 ? 128 / eps : 0;
    }

    /// The model counts the elements of every operand in the type of the result (cost and co-optimisation 3).
    [[nodiscard]] Bytes asType(Bytes bytes, BufferId b, std::int64_t item) const {
        return saturatedMul(bytes / storedBytes(b), item);
    }

    /// Its kernels are those of the plan, without what runs outside.
    void checkMembers(const CostEstimate& e) {
        if (!spyreData(plan_).kernels) return;
        std::vector<std::vector<std::string>> real;
        for (const PlanKernel& k : *spyreData(plan_).kernels) {
            std::vector<std::string> members;
            for (const OpId id : k.ops) {
                if (isComputed(plan_.op(id))) members.push_back(plan_.op(id).name);
            }
            if (!members.empty()) real.push_back(std::move(members));
        }
        if (e.kernels.size() != real.size()) {
            return wrong("cost_estimate", "prices " + std::to_string(e.kernels.size()) + " kernels, the plan has " +
                                              std::to_string(real.size()));
        }
        for (std::size_t k = 0; k < real.size(); ++k) {
            const auto& shares = e.kernels[k].shares;
            const bool isSame = std::equal(shares.begin(), shares.end(), real[k].begin(), real[k].end(),
                                           [](const auto& s, const std::string& name) { return s.op == name; });
            if (!isSame)
                wrong("cost_estimate kernel " + std::to_string(k), "has other operations than the kernel of the plan");
        }
    }

    // ---- search --------------------------------------------------------------------------------------

    void checkSearch(const CoOptimization& t) {
        const std::string where = "co_optimization";
        static const std::set<std::string_view> kMethods{"exhaustive", "elimination", "coordinate_descent",
                                                         "annealing",  "exact",       "relinking"};
        if (!kMethods.contains(t.method)) wrong(where, "is of the unknown method " + quoted(t.method));
        std::int64_t combinations = 1;
        std::map<std::string_view, const CoOptimization::Options*> options;
        for (const CoOptimization::Options& o : t.options) {
            combinations = saturatedMul(combinations, static_cast<std::int64_t>(o.labels.size()));
            if (!options.emplace(o.op, &o).second) wrong(where, "lists the options of " + quoted(o.op) + " twice");
            const std::set<std::string> labels(o.labels.begin(), o.labels.end());
            if (labels.size() != o.labels.size() || labels.empty())
                wrong(where, "lists an option of " + quoted(o.op) + " twice, or none");
        }
        report_.expect(where + ", combinations", t.combinations, combinations);
        if (t.method == "exhaustive" && t.evaluated > t.combinations)
            wrong(where, "scored " + grouped(t.evaluated) + " of " + grouped(t.combinations) + " combinations");
        const auto knows = [&](const std::string& op, const std::string& label) {
            const auto it = options.find(op);
            return it != options.end() &&
                   std::find(it->second->labels.begin(), it->second->labels.end(), label) != it->second->labels.end();
        };
        for (const CoOptimization::Leaf& leaf : t.kept) {
            for (const auto& [op, label] : leaf.splits) {
                if (!knows(op, label))
                    wrong(where, "kept the division " + quoted(label) + " of " + quoted(op) + ", no option of it");
            }
        }
        for (const CoOptimization::Change& c : t.changes) {
            const auto own = options.find(c.op);
            const bool fromFirst =
                own != options.end() && !own->second->labels.empty() && own->second->labels.front() == c.from;
            if (!fromFirst || !knows(c.op, c.to) || c.from == c.to)
                wrong(where, "changes " + quoted(c.op) + " from " + quoted(c.from) + " to " + quoted(c.to) +
                                 ", which are not its options");
        }
        checkScores(t);
        checkWinner(t);
        if (t.method == "exhaustive" && !t.kept.empty() && t.kept.back().score != t.winnerScore)
            wrong(where, "its winner scores " + grouped(t.winnerScore) + ", the last kept combination " +
                             grouped(t.kept.back().score));
        if (t.method == "exhaustive" && t.kept.empty() && t.winnerScore != t.committedScore)
            wrong(where, "kept nothing, and its winner does not score what the committed divisions do");
    }

    /// What changes is what the last kept combination divides otherwise; a note says why that one was not taken.
    void checkWinner(const CoOptimization& t) {
        if (t.method != "exhaustive" && t.method != "coordinate_descent") return;
        // The file keeps the divisions of a combination as one object: their order means nothing.
        std::set<std::pair<std::string, std::string>> changes;
        std::set<std::pair<std::string, std::string>> last;
        for (const CoOptimization::Change& c : t.changes)
            changes.emplace(c.op, c.to);
        if (!t.kept.empty()) last.insert(t.kept.back().splits.begin(), t.kept.back().splits.end());
        const bool isLast = changes == last;
        const bool isRefused = changes.empty() && !t.note.empty();
        if (!isLast && !isRefused)
            wrong("co_optimization", "its changes are not those of the last combination that it kept");
    }

    /// A score is the size of what is not pinned (spyre-scratchpad 11): no combination leaves more than every buffer
    /// that operations make, and the winner is not worse than the committed divisions.
    void checkScores(const CoOptimization& t) {
        Bytes all = 0;
        for (std::size_t b = 0; b < plan_.buffers.size(); ++b) {
            if (!reading_.uses(BufferId::of(b)).empty()) all = saturatedAdd(all, plan_.buffers[b].size);
        }
        const std::string where = "co_optimization";
        const auto check = [&](const std::string& what, Bytes score) {
            if (score < 0 || score > all)
                wrong(where, what + " leaves " + grouped(score) + " B in main memory, all buffers have " +
                                 grouped(all) + " B");
        };
        // Clones that found no place were candidates of the search and are no buffers any more.
        if (hasDroppedClones()) return;
        check("the committed combination", t.committedScore);
        check("the winner", t.winnerScore);
        for (const CoOptimization::Leaf& leaf : t.kept) {
            check("a kept combination", leaf.score);
            checkLeaf(leaf);
        }
    }

    /// The score of a combination is the size of the buffers that it names as not pinned.
    void checkLeaf(const CoOptimization::Leaf& leaf) {
        Bytes sum = 0;
        for (const std::string& name : leaf.notPinned) {
            const auto it = std::find_if(plan_.buffers.begin(), plan_.buffers.end(),
                                         [&](const PlanBuffer& b) { return b.name == name; });
            if (it == plan_.buffers.end())
                return wrong("co_optimization", "a kept combination does not pin " + quoted(name) + ", no buffer");
            sum = saturatedAdd(sum, it->size);
        }
        if (leaf.score != sum)
            wrong("co_optimization", "a kept combination scores " + grouped(leaf.score) +
                                         " B, what it does not pin has " + grouped(sum) + " B");
    }

    [[nodiscard]] bool hasDroppedClones() const {
        return std::any_of(plan_.passes.begin(), plan_.passes.end(), [](const PassRun& r) {
            // Those of the solver take the places of others, which are gone then.
            const char* key = r.name == "scratchpad_planning.solver_clones" ? "clones" : "clones_removed";
            const auto it = r.counts.find(key);
            return it != r.counts.end() && it->second > 0;
        });
    }

    void checkDistance(const OperationOrder& o) {
        std::int64_t distance = 0;
        for (std::size_t k = 0; k < o.permutation.size(); ++k)
            distance += std::abs(std::int64_t{o.permutation[k]} - static_cast<std::int64_t>(k));
        report_.expect("operation_order, distance", o.distance, distance);
        static const std::set<std::string_view> kMethods{"list_scheduling", "local_search"};
        if (!kMethods.contains(o.method)) wrong("operation_order", "is of the unknown method " + quoted(o.method));
    }
};

}  // namespace

void checkEstimateFacts(const PlanReading& reading, Report& report) {
    if (isPlannedHere(reading.plan)) EstimateFacts(reading, report).run();
}

}  // namespace memplan::verify
