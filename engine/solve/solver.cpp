// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/solver.h"

#include "engine/solve/annealing/annealing.h"
#include "engine/solve/exact/exact.h"
#include "engine/solve/exact/selection_programme.h"
#include "engine/solve/heuristics/heuristics.h"

#include <array>

namespace memplan::solve {

namespace {

class GreedySolver final : public Solver {
public:
    [[nodiscard]] std::string_view id() const override { return "greedy"; }
    [[nodiscard]] std::string_view title() const override { return "Greedy"; }
    [[nodiscard]] std::string_view help() const override {
        return "Walks through the operations in order and puts each buffer above everything live, or into the lowest "
               "gap when that does not fit. Never looks ahead. Fast at any size.";
    }
    [[nodiscard]] Result<Solution> solve(const Problem& problem, const SolverParams&,
                                         const RunControl& control) const override {
        if (const Result<void> input = checkInput(problem); !input) return input.error();
        return placeGreedily(problem, control);
    }
};

class FitSolver final : public Solver {
public:
    explicit FitSolver(Fit fit) : fit_(fit) {}
    [[nodiscard]] std::string_view id() const override { return fit_ == Fit::First ? "firstfit" : "bestfit"; }
    [[nodiscard]] std::string_view title() const override { return fit_ == Fit::First ? "First fit" : "Best fit"; }
    [[nodiscard]] std::string_view help() const override {
        if (fit_ == Fit::First) {
            return "Places short-lived buffers first, each into the lowest gap that is free during its whole lifetime.";
        }
        return "Places short-lived buffers first, each into the free gap that leaves the fewest bytes over.";
    }
    [[nodiscard]] Result<Solution> solve(const Problem& problem, const SolverParams& params,
                                         const RunControl& control) const override {
        if (const Result<void> input = checkInput(problem); !input) return input.error();
        return placeInOrder(problem, fit_, params.ordering, control);
    }

private:
    Fit fit_;
};

class AnnealingSolver final : public Solver {
public:
    [[nodiscard]] std::string_view id() const override { return "annealing"; }
    [[nodiscard]] std::string_view title() const override { return "Simulated annealing"; }
    [[nodiscard]] std::string_view help() const override {
        return "Searches over the order in which buffers are stacked, starting from another solver's plan and never "
               "ending below it. The same seed gives the same plan.";
    }
    [[nodiscard]] Result<Solution> solve(const Problem& problem, const SolverParams& params,
                                         const RunControl& control) const override {
        if (const Result<void> input = checkInput(problem); !input) return input.error();
        return placeByAnnealing(problem, params, control);
    }
};

class ExactSolver final : public Solver {
public:
    [[nodiscard]] std::string_view id() const override { return "exact"; }
    [[nodiscard]] std::string_view title() const override { return "Exact"; }
    [[nodiscard]] std::string_view help() const override {
        if (hasSelectionProgramme()) {
            return "Proves the largest number of bytes (or the least traffic) that can be kept on chip by branch and "
                   "bound, with the cuts of GLPK. When its limit is reached it gives the best plan found and the bound "
                   "that remains.";
        }
        return "Proves the largest number of bytes (or the least traffic) that can be kept on chip by branch and "
               "bound; this build has no GLPK, whose cuts tighten bounds. When its limit is reached it gives the best "
               "plan found and the bound that remains.";
    }
    [[nodiscard]] Result<Solution> solve(const Problem& problem, const SolverParams& params,
                                         const RunControl& control) const override {
        if (const Result<void> input = checkInput(problem); !input) return input.error();
        ExactOptions options;
        options.goal = params.exactCostIsTraffic ? Goal::Traffic : Goal::Bytes;
        options.mustPlaceAll = params.mustPlaceAll;
        Result<ExactResult> result = solveExactly(problem, options, control);
        if (!result) return std::move(result).error();
        return std::move(result).value().solution;
    }
};

}  // namespace

std::span<const Solver* const> allSolvers() {
    static const GreedySolver kGreedy;
    static const FitSolver kFirstFit(Fit::First);
    static const FitSolver kBestFit(Fit::Best);
    static const AnnealingSolver kAnnealing;
    static const ExactSolver kExact;
    static const std::array<const Solver*, 5> kAll{&kGreedy, &kFirstFit, &kBestFit, &kAnnealing, &kExact};
    return kAll;
}

const Solver* findSolver(std::string_view id) {
    for (const Solver* solver : allSolvers()) {
        if (solver->id() == id || originalName(solver->id()) == id) return solver;
    }
    return nullptr;
}

std::string originalName(std::string_view id) {
    if (id == "annealing") return "simulated_annealing";
    if (id == "exact") return "cpsat";
    return std::string(id);
}

}  // namespace memplan::solve
