// SPDX-License-Identifier: Apache-2.0
// Branch and bound over the divisions; each full choice is placed by the exact address solver
// (spyre-cost-and-co-optimisation 15).
#include "engine/base/numeric.h"
#include "engine/solve/exact/exact.h"
#include "engine/solve/heuristics/heuristics.h"
#include "engine/spyre/joint/joint_search.h"

#include <algorithm>
#include <tuple>

namespace memplan::spyre::joint {
namespace {

/// Smaller is better: traffic, cores given up, sum of squares.
using Rank = std::tuple<Bytes, std::int64_t, std::int64_t>;

class ExactSearch {
public:
    ExactSearch(const JointProblem& problem, const ExactJointOptions& options, const RunControl& control)
        : problem_(problem), options_(options), control_(control), consumers_(problem.consumers()),
          chosen_(problem.buffers.size(), 0), barredBy_(problem.buffers.size(), 0) {
        std::int64_t cores = 0;
        std::int64_t squares = 0;
        coresAhead_.assign(problem.buffers.size() + 1, 0);
        squaresAhead_.assign(problem.buffers.size() + 1, 0);
        for (std::size_t i = problem.buffers.size(); i-- > 0;) {
            std::int64_t most = 0;
            std::int64_t least = -1;
            for (const JointDivision& d : problem.buffers[i].divisions) {
                most = std::max(most, d.cores());
                least = least < 0 ? d.shape() : std::min(least, d.shape());
            }
            coresAhead_[i] = cores += most;
            squaresAhead_[i] = squares += std::max<std::int64_t>(0, least);
        }
        for (const JointBuffer& b : problem.buffers)
            ineligibleTraffic_ += b.ineligible ? b.spillCost() : 0;
    }

    Result<JointResult> run() {
        rootBound_ = ineligibleTraffic_;
        if (auto error = step(0, 0, 0)) return *error;
        best_.leaves = leaves_;
        best_.status = stopped_ ? solve::Status::Stopped : solve::Status::Optimal;
        best_.trafficBound = stopped_ ? rootBound_ : best_.traffic;
        return best_;
    }

private:
    std::optional<Error> step(std::size_t i, std::int64_t cores, std::int64_t squares) {
        stopped_ = stopped_ || isExhausted();
        if (stopped_) return std::nullopt;
        if (control_.cancelled()) return solve::cancelledError();
        if (!canImprove(i, cores, squares)) return std::nullopt;
        if (i == problem_.buffers.size()) return leaf();
        for (std::size_t d = 0; d < problem_.buffers[i].divisions.size(); ++d) {
            const JointDivision& division = problem_.buffers[i].divisions[d];
            chosen_[i] = static_cast<int>(d);
            const std::vector<int> lost = barProducers(i);
            if (auto error = step(i + 1, cores + division.cores(), squares + division.shape())) return error;
            for (const int p : lost)
                unbar(p);
        }
        return std::nullopt;
    }

    /// Between two leaves there may be any number of partial choices that improve nothing.
    [[nodiscard]] bool isExhausted() {
        constexpr std::int64_t kNodesBetweenLooks = 1024;
        if (++nodes_ > options_.maxNodes) return !best_.chosen.empty();
        return nodes_ % kNodesBetweenLooks == 0 && !best_.chosen.empty() && control_.timedOut();
    }

    /// Producers that this choice bars; their spill cost is certain from here on. Edges back to buffers that have
    /// no choice yet are judged at the leaf.
    std::vector<int> barProducers(std::size_t i) {
        std::vector<int> lost;
        const auto judge = [&](int producer, int consumer) {
            const bool ok = problem_.matches(producer, chosen_[static_cast<std::size_t>(producer)], consumer,
                                             chosen_[static_cast<std::size_t>(consumer)]);
            if (ok) return;
            lost.push_back(producer);
            if (barredBy_[static_cast<std::size_t>(producer)]++ == 0) {
                const JointBuffer& b = problem_.buffers[static_cast<std::size_t>(producer)];
                ineligibleTraffic_ += b.ineligible ? 0 : b.spillCost();
            }
        };
        for (const JointParent& p : problem_.buffers[i].parents) {
            if (static_cast<std::size_t>(p.buffer) < i) judge(p.buffer, static_cast<int>(i));
        }
        for (const int c : consumers_[i]) {
            if (static_cast<std::size_t>(c) < i) judge(static_cast<int>(i), c);
        }
        return lost;
    }

    void unbar(int producer) {
        if (--barredBy_[static_cast<std::size_t>(producer)] > 0) return;
        const JointBuffer& b = problem_.buffers[static_cast<std::size_t>(producer)];
        ineligibleTraffic_ -= b.ineligible ? 0 : b.spillCost();
    }

    [[nodiscard]] bool canImprove(std::size_t i, std::int64_t cores, std::int64_t squares) const {
        if (best_.chosen.empty()) return true;
        return Rank(ineligibleTraffic_, -(cores + coresAhead_[i]), squares + squaresAhead_[i]) < rank(best_);
    }

    static Rank rank(const JointResult& r) { return {r.traffic, -r.totalCores, r.sumSquares}; }

    std::optional<Error> leaf() {
        ++leaves_;
        const auto ineligible = ineligibleUnder(problem_, chosen_, MismatchBars::Producer);
        solve::Problem placement = inUnits(addressProblem(problem_, chosen_, ineligible));
        solve::ExactOptions options;
        options.goal = solve::Goal::Traffic;
        auto solved = solve::solveExactly(placement, options, control_);
        if (!solved) return std::move(solved).error();
        solve::Solution& solution = solved.value().solution;
        stopped_ = leaves_ >= options_.maxLeaves || control_.timedOut() || solution.status == solve::Status::Stopped;
        JointResult found;
        found.chosen = chosen_;
        found.addresses = std::move(solution.addresses);
        measure(problem_, found);
        if (best_.chosen.empty() || rank(found) < rank(best_)) best_ = std::move(found);
        return std::nullopt;
    }

    /// Sizes in whole alignment units; a merge needs equal sizes and divisions that match (15.1, 15.3).
    [[nodiscard]] solve::Problem inUnits(solve::Problem p) const {
        p.capacity = alignDown(p.capacity, p.alignment);
        for (std::size_t i = 0; i < p.items.size(); ++i) {
            const JointDivision& d = problem_.buffers[i].divisions[static_cast<std::size_t>(chosen_[i])];
            const std::int64_t units = ceilDiv(problem_.buffers[i].size, p.alignment);
            p.items[i].size = ceilDiv(units, d.outputPartition() * d.outputTiles) * p.alignment;
            p.items[i].inPlaceParents.clear();
        }
        for (std::size_t i = 0; i < p.items.size(); ++i) {
            for (const int parent : problem_.buffers[i].inPlaceParents) {
                const auto at = static_cast<std::size_t>(parent);
                const bool match = problem_.matches(parent, chosen_[at], static_cast<int>(i), chosen_[i]);
                if (match && p.items[at].size == p.items[i].size) p.items[i].inPlaceParents.push_back(parent);
            }
        }
        return p;
    }

    const JointProblem& problem_;
    const ExactJointOptions& options_;
    const RunControl& control_;
    std::vector<std::vector<int>> consumers_;
    std::vector<int> chosen_;
    std::vector<int> barredBy_;
    std::vector<std::int64_t> coresAhead_, squaresAhead_;
    Bytes ineligibleTraffic_ = 0;
    Bytes rootBound_ = 0;
    std::int64_t leaves_ = 0, nodes_ = 0;
    bool stopped_ = false;
    JointResult best_;
};

}  // namespace

Result<JointResult> searchExactly(const JointProblem& problem, const ExactJointOptions& options,
                                  const RunControl& control) {
    return ExactSearch(problem, options, control).run();
}

}  // namespace memplan::spyre::joint
