// SPDX-License-Identifier: Apache-2.0
#include "spyre/scratchpad/division_search.h"

#include "base/numeric.h"
#include "solve/heuristics.h"

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
    Descent(const DivisionTrial& trial, const SearchTools& tools, const RunControl& control)
        : trial_(trial), tools_(tools), control_(control) {}

    Result<DivisionSearch> run() {
        std::vector<int> start(trial_.options().size(), 0);
        if (auto error = look(std::move(start)); error) return *error;
        result_.committed = result_.winner;
        bool better = true;
        for (int sweep = 0; better && sweep < kMaxSweeps && !result_.stopped; ++sweep) {
            const std::size_t kept = result_.kept.size();
            for (std::size_t i = 0; i < trial_.options().size() && !result_.stopped; ++i) {
                control_.progress("co-optimisation", static_cast<double>(i),
                                  static_cast<double>(trial_.options().size()));
                if (auto error = tryOp(i); error) return *error;
            }
            better = result_.kept.size() > kept;
        }
        return result_;
    }

private:
    std::optional<Error> tryOp(std::size_t i) {
        const auto count = trial_.options()[i].size();
        const std::vector<int> base = result_.winner.chosen;
        for (std::size_t o = 0; o < count && count > 1; ++o) {
            if (control_.cancelled()) return solve::cancelledError();
            result_.stopped = result_.stopped || control_.timedOut();
            if (result_.stopped) return std::nullopt;
            if (base[i] == static_cast<int>(o)) continue;
            std::vector<int> alone = base;
            alone[i] = static_cast<int>(o);
            std::vector<int> spread = trial_.spread(base, OpId::of(i), static_cast<int>(o));
            const bool differ = spread != alone;
            if (auto error = look(std::move(alone)); error) return error;
            if (!differ) continue;
            if (auto error = look(std::move(spread)); error) return error;
        }
        return std::nullopt;
    }

    std::optional<Error> look(std::vector<int> chosen) {
        auto score = trial_.score(chosen, *tools_.solver, tools_.params, control_);
        if (!score) return std::move(score).error();
        ++result_.evaluated;
        std::vector<std::int64_t> rank = tools_.rank(chosen, score.value());
        const bool first = result_.evaluated == 1;
        if (!first && !(rank < rank_)) return std::nullopt;
        rank_ = std::move(rank);
        result_.winner = {std::move(chosen), std::move(score).value()};
        if (!first) result_.kept.push_back(result_.winner);
        return std::nullopt;
    }

    const DivisionTrial& trial_;
    const SearchTools& tools_;
    const RunControl& control_;
    std::vector<std::int64_t> rank_;
    DivisionSearch result_;
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
        if (first || score.value().unpinned < result.winner.score.unpinned) {
            result.winner = {chosen, std::move(score).value()};
            if (first) result.committed = result.winner;
            if (!first) result.kept.push_back(result.winner);
        }
        result.stopped = control.timedOut();
    } while (!result.stopped && advance(trial.options(), chosen));
    return result;
}

Result<DivisionSearch> descend(const DivisionTrial& trial, const SearchTools& tools, const RunControl& control) {
    return Descent(trial, tools, control).run();
}

Result<void> improveJointly(const DivisionTrial& trial, const SearchTools& tools, JointMethod method,
                            const joint::JointScore& score, const RunControl& control, DivisionSearch& result) {
    const joint::JointProblem problem = trial.jointProblem();
    Result<joint::JointResult> found = [&] {
        if (method == JointMethod::Exact) return joint::searchExactly(problem, {20'000}, control);
        joint::AnnealingJointOptions options;
        options.seed = tools.params.seed;
        options.score = score;
        return joint::searchByAnnealing(problem, options, control);
    }();
    if (!found) return std::move(found).error();
    auto scored = trial.score(found.value().chosen, *tools.solver, tools.params, control);
    if (!scored) return std::move(scored).error();
    result.evaluated += found.value().leaves;
    result.stopped = result.stopped || found.value().status == solve::Status::Stopped;
    const auto before = tools.rank(result.winner.chosen, result.winner.score);
    if (tools.rank(found.value().chosen, scored.value()) < before) {
        result.winner = {found.value().chosen, std::move(scored).value()};
        result.kept.push_back(result.winner);
    }
    return {};
}

}  // namespace memplan::spyre
