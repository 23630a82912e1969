// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/hinted.h"

#include "engine/base/text.h"

#include <algorithm>

namespace memplan::solve {

namespace {

class HintedRun {
public:
    HintedRun(const Problem& problem, const Wishes& wishes, const Solver& solver, const SolverParams& params,
              const RunControl& control)
        : problem_(problem), wishes_(wishes), solver_(solver), params_(params), control_(control) {}

    Result<HintedSolution> run() {
        for (const AddressWish& wish : wishes_.addresses)
            fix(wish);
        if (Result<void> ok = placePinned(); !ok) return ok.error();
        Result<Solution> rest = solver_.solve(problem_, params_, control_);
        if (!rest) return std::move(rest).error();
        result_.solution = std::move(rest).value();
        nameParentsOfFixed();
        return std::move(result_);
    }

private:
    [[nodiscard]] Item& item(int i) { return problem_.items[static_cast<std::size_t>(i)]; }
    [[nodiscard]] const Item& item(int i) const { return problem_.items[static_cast<std::size_t>(i)]; }

    void fail(int i, std::string why) { result_.failures.push_back({i, std::move(why)}); }

    [[nodiscard]] static bool coexist(const Item& a, const Item& b) {
        return a.start < b.liveEnd() && b.start < a.liveEnd();
    }

    [[nodiscard]] bool handsOver(int parent, int child) const {
        const std::vector<int>& parents = item(child).inPlaceParents;
        return std::find(parents.begin(), parents.end(), parent) != parents.end() &&
               item(child).size <= item(parent).size;
    }

    /// Rule L1 to L3 against what is fixed already.
    void fix(const AddressWish& wish) {
        Item& wanted = item(wish.item);
        const Bytes alignment = problem_.alignmentOf(wanted);
        const std::string at = text::grouped(wish.address);
        if (wish.address % alignment != 0) {
            return fail(wish.item, "address " + at + " is no multiple of " + std::to_string(alignment));
        }
        if (wish.address < 0 || wish.address > problem_.capacity - wanted.size) {
            return fail(wish.item, "address " + at + " and " + text::grouped(wanted.size) + " B end beyond the " +
                                       text::grouped(problem_.capacity) + " usable bytes");
        }
        for (std::size_t k = 0; k < problem_.items.size(); ++k) {
            const Item& other = problem_.items[k];
            const int o = static_cast<int>(k);
            if (!other.fixedAddress || o == wish.item || !coexist(wanted, other)) continue;
            const bool apart =
                wish.address >= *other.fixedAddress + other.size || *other.fixedAddress >= wish.address + wanted.size;
            const bool handoff =
                wish.address == *other.fixedAddress && (handsOver(o, wish.item) || handsOver(wish.item, o));
            if (apart || handoff) continue;
            return fail(wish.item, "at address " + at + " it would overlap " + text::quoted(other.name) +
                                       ", which is fixed at " + text::grouped(*other.fixedAddress) + " with " +
                                       text::grouped(other.size) + " B");
        }
        wanted.fixedAddress = wish.address;
    }

    /// A pinned buffer that may only stand in a parent's slot waits for the parent unless that has a place already.
    [[nodiscard]] bool goesFirst(int i) const {
        if (item(i).fixedAddress || !problem_.isCandidate(item(i))) return false;
        if (!item(i).onlyInParentSlot) return true;
        const auto isPinned = [&](int p) {
            return item(p).fixedAddress ||
                   std::find(wishes_.pinned.begin(), wishes_.pinned.end(), p) != wishes_.pinned.end();
        };
        return std::any_of(item(i).inPlaceParents.begin(), item(i).inPlaceParents.end(), isPinned);
    }

    Result<void> placePinned() {
        std::vector<int> first;
        for (const int i : wishes_.pinned) {
            if (goesFirst(i)) first.push_back(i);
        }
        if (first.empty()) return {};
        Problem alone = problem_;
        for (std::size_t k = 0; k < alone.items.size(); ++k) {
            const bool stays = alone.items[k].fixedAddress ||
                               std::find(first.begin(), first.end(), static_cast<int>(k)) != first.end();
            alone.items[k].ineligible = alone.items[k].ineligible || !stays;
        }
        Result<Solution> placed = solver_.solve(alone, params_, control_);
        if (!placed) return placed.error();
        if (unplaced(first, placed.value()) > 0) {
            Result<Solution> exact = findSolver("exact")->solve(alone, params_, control_);
            if (!exact) return exact.error();
            if (unplaced(first, exact.value()) < unplaced(first, placed.value())) placed = std::move(exact);
        }
        for (const int i : first) {
            item(i).fixedAddress = placed.value().addresses[static_cast<std::size_t>(i)];
            if (item(i).fixedAddress) continue;
            fail(i, "its " + text::grouped(item(i).size) + " B find no place among the pinned buffers, which need " +
                        text::grouped(peakOf(first)) + " B at one step; " + text::grouped(problem_.capacity) +
                        " B are usable");
        }
        return {};
    }

    [[nodiscard]] static std::size_t unplaced(const std::vector<int>& list, const Solution& solution) {
        return static_cast<std::size_t>(std::count_if(
            list.begin(), list.end(), [&](int i) { return !solution.addresses[static_cast<std::size_t>(i)]; }));
    }

    /// Largest sum of coexisting sizes among these and what was fixed by address.
    [[nodiscard]] Bytes peakOf(const std::vector<int>& list) const {
        Bytes peak = 0;
        for (const int i : list) {
            Bytes load = 0;
            for (std::size_t k = 0; k < problem_.items.size(); ++k) {
                const Item& other = problem_.items[k];
                const bool counts =
                    other.fixedAddress || std::find(list.begin(), list.end(), static_cast<int>(k)) != list.end();
                if (counts && other.start <= item(i).start && item(i).start < other.liveEnd()) load += other.size;
            }
            peak = std::max(peak, load);
        }
        return peak;
    }

    /// Solvers do not report handoffs between a fixed buffer and another. Two placed buffers of a declared pair that
    /// stand at one address have handed it over (L3).
    void nameParentsOfFixed() {
        Solution& s = result_.solution;
        std::vector<bool> taken(problem_.items.size(), false);
        for (const int p : s.inPlaceParent) {
            if (p >= 0) taken[static_cast<std::size_t>(p)] = true;
        }
        for (std::size_t i = 0; i < problem_.items.size(); ++i) {
            if (!s.addresses[i] || s.inPlaceParent[i] >= 0) continue;
            for (const int parent : problem_.items[i].inPlaceParents) {
                const auto p = static_cast<std::size_t>(parent);
                const bool fixed = problem_.items[i].fixedAddress || problem_.items[p].fixedAddress;
                if (!fixed || taken[p] || s.addresses[p] != s.addresses[i]) continue;
                s.inPlaceParent[i] = parent;
                taken[p] = true;
                break;
            }
        }
    }

    Problem problem_;
    const Wishes& wishes_;
    const Solver& solver_;
    const SolverParams& params_;
    const RunControl& control_;
    HintedSolution result_;
};

}  // namespace

Result<HintedSolution> solveWithWishes(const Problem& problem, const Wishes& wishes, const Solver& solver,
                                       const SolverParams& params, const RunControl& control) {
    return HintedRun(problem, wishes, solver, params, control).run();
}

}  // namespace memplan::solve
