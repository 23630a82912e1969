// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/search/division_search.h"

#include "engine/base/numeric.h"
#include "engine/solve/heuristics/heuristics.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

constexpr int kMaxSweeps = 12;

bool advance(const DivisionOptions& options, std::vector<int>& chosen) {
    for (std::size_t i = chosen.size(); i-- > 0;) {
        if (static_cast<std::size_t>(++chosen[i]) < options[i].size()) return true;
        chosen[i] = 0;
    }
    return false;
}

class Descent {
public:
    Descent(const DivisionTrial& trial, const SearchTools& tools, const DescentLimits& limits,
            const RunControl& control, DivisionSearch& search)
        : trial_(trial), tools_(tools), limits_(limits), control_(control), search_(search),
          lastAllowed_(search.evaluated + limits.evaluations) {}

    Result<void> run() {
        bool better = true;
        for (int sweep = 0; better && sweep < kMaxSweeps && !ended(); ++sweep) {
            const std::size_t kept = search_.kept.size();
            for (std::size_t i = 0; i < trial_.options().size() && !ended(); ++i) {
                control_.progress("co-optimisation", static_cast<double>(i),
                                  static_cast<double>(trial_.options().size()));
                if (auto done = tryOp(i); !done) return done;
            }
            better = search_.kept.size() > kept;
        }
        return {};
    }

private:
    [[nodiscard]] bool ended() {
        search_.stopped = search_.stopped || control_.timedOut();
        search_.exhausted = search_.exhausted || search_.evaluated >= lastAllowed_;
        return search_.stopped || search_.evaluated >= lastAllowed_;
    }

    Result<void> tryOp(std::size_t i) {
        const auto count = std::min(trial_.options()[i].size(), limits_.optionsPerOp);
        const std::vector<int> base = search_.winner.chosen;
        for (std::size_t o = 0; o < count && count > 1 && !ended(); ++o) {
            if (control_.cancelled()) return solve::cancelledError();
            if (base[i] == static_cast<int>(o)) continue;
            std::vector<int> alone = base;
            alone[i] = static_cast<int>(o);
            std::vector<int> spread = trial_.spread(base, OpId::of(i), static_cast<int>(o));
            const bool differ = spread != alone;
            if (auto done = consider(trial_, tools_, std::move(alone), control_, search_); !done)
                return std::move(done).error();
            if (!differ) continue;
            if (auto done = consider(trial_, tools_, std::move(spread), control_, search_); !done)
                return std::move(done).error();
        }
        return {};
    }

    const DivisionTrial& trial_;
    const SearchTools& tools_;
    const DescentLimits& limits_;
    const RunControl& control_;
    DivisionSearch& search_;
    std::int64_t lastAllowed_;
};

}  // namespace

std::int64_t combinations(const DivisionOptions& options) {
    std::int64_t n = 1;
    for (const auto& list : options)
        n = saturatedMul(n, static_cast<std::int64_t>(list.size()));
    return n;
}

Result<DivisionSearch> searchAll(const DivisionTrial& trial, const SearchTools& tools, const RunControl& control) {
    DivisionSearch result;
    std::vector<int> chosen(trial.options().size(), 0);
    const auto total = static_cast<double>(combinations(trial.options()));
    do {
        if (control.cancelled()) return solve::cancelledError();
        if (result.evaluated % 256 == 0)
            control.progress("co-optimisation", static_cast<double>(result.evaluated), total);
        auto score = trial.score(chosen, *tools.solver, tools.params, control);
        if (!score) return std::move(score).error();
        const bool first = result.evaluated++ == 0;
        const auto rank = [](const TrialScore& t) { return std::pair(t.brokenWishes, t.unpinned); };
        if (first || rank(score.value()) < rank(result.winner.score)) {
            result.winner = {chosen, std::move(score).value()};
            if (first) result.committed = result.winner;
            if (!first) result.kept.push_back(result.winner);
        }
        result.stopped = control.timedOut();
    } while (!result.stopped && advance(trial.options(), chosen));
    return result;
}

Result<DivisionSearch> scoreCommitted(const DivisionTrial& trial, const SearchTools& tools, const RunControl& control) {
    DivisionSearch search;
    std::vector<int> start(trial.options().size(), 0);
    auto score = trial.score(start, *tools.solver, tools.params, control);
    if (!score) return std::move(score).error();
    search.winner = {std::move(start), std::move(score).value()};
    search.committed = search.winner;
    search.winnerRank = tools.rank(search.winner.chosen, search.winner.score);
    search.evaluated = 1;
    return search;
}

Result<bool> consider(const DivisionTrial& trial, const SearchTools& tools, std::vector<int> chosen,
                      const RunControl& control, DivisionSearch& search) {
    auto score = trial.score(chosen, *tools.solver, tools.params, control);
    if (!score) return std::move(score).error();
    ++search.evaluated;
    std::vector<std::int64_t> rank = tools.rank(chosen, score.value());
    if (!(rank < search.winnerRank)) return false;
    search.winnerRank = std::move(rank);
    search.winner = {std::move(chosen), std::move(score).value()};
    search.kept.push_back(search.winner);
    return true;
}

Result<void> descend(const DivisionTrial& trial, const SearchTools& tools, const DescentLimits& limits,
                     const RunControl& control, DivisionSearch& search) {
    return Descent(trial, tools, limits, control, search).run();
}

Result<void> improveJointly(const DivisionTrial& trial, const SearchTools& tools, JointMethod method,
                            const joint::JointScore& score, const RunControl& control, DivisionSearch& search) {
    const joint::JointProblem problem = trial.jointProblem();
    Result<joint::JointResult> found = [&] {
        if (method == JointMethod::Exact) return joint::searchExactly(problem, {20'000}, control);
        joint::AnnealingJointOptions options;
        options.seed = tools.params.seed;
        options.score = score;
        return joint::searchByAnnealing(problem, options, control);
    }();
    if (!found) return std::move(found).error();
    search.evaluated += found.value().leaves - 1;
    search.stopped = search.stopped || (control.timedOut() && found.value().status == solve::Status::Stopped);
    auto kept = consider(trial, tools, found.value().chosen, control, search);
    if (!kept) return std::move(kept).error();
    return {};
}

}  // namespace memplan::spyre
