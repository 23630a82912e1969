// SPDX-License-Identifier: Apache-2.0
#include "tests/probe/layout_solve.h"

#include "engine/solve/annealing/annealing.h"
#include "engine/solve/annealing/packer.h"
#include "engine/solve/exact/exact.h"
#include "engine/solve/heuristics/heuristics.h"
#include "engine/solve/solver.h"
#include "tests/support/instance_json.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace memplan::probe {

namespace {

using nlohmann::json;
using solve::Addresses;
using solve::Problem;

constexpr std::ptrdiff_t kExactUpTo = 8;       // candidates up to which `exact` is required
constexpr std::ptrdiff_t kAnnealingUpTo = 20;  // and `annealing`

/// The value of a result, or its error in the probe's form.
template <class T> T unwrap(Result<T> result) {
    if (!result) throw ProbeError{result.error().primary().code, result.error().primary().message};
    return std::move(result).value();
}

json solved(const Problem& problem, const char* solver, solve::Ordering ordering) {
    solve::SolverParams params;
    params.ordering = ordering;
    return testing::addressesToJson(problem, unwrap(solve::findSolver(solver)->solve(problem, params, {})).addresses);
}

Addresses packed(const solve::Packer& packer, const std::vector<int>& order) {
    return packer.addresses(packer.pack(order));
}

json permutationBlock(const Problem& problem) {
    const solve::Packer packer(problem);
    std::vector<int> declared(packer.count());
    std::iota(declared.begin(), declared.end(), 0);
    const Addresses start =
        unwrap(solve::placeInOrder(problem, solve::Fit::First, solve::Ordering::Scored, {})).addresses;
    return {{"declared", testing::addressesToJson(problem, packed(packer, declared))},
            {"from_firstfit_scored",
             testing::addressesToJson(problem, packed(packer, solve::orderByAddress(packer, start)))}};
}

std::int64_t maximum(const Problem& problem, solve::Goal goal) {
    solve::ExactOptions options;
    options.goal = goal;
    const solve::ExactResult result = unwrap(solve::solveExactly(problem, options, {}));
    if (result.solution.status != solve::Status::Optimal) throw ProbeError{"not_proved", "exact: node limit reached"};
    return result.value;
}

json exactBlock(const Problem& problem) {
    return {{"max_pinned_bytes", maximum(problem, solve::Goal::Bytes)},
            {"max_quality", static_cast<double>(maximum(problem, solve::Goal::Quality)) / 2.0},
            {"max_saved_traffic", maximum(problem, solve::Goal::Traffic)}};
}

json layoutSolve(const json& input) {
    const Problem problem = testing::problemFromJson(input);
    const auto candidates = std::count_if(problem.items.begin(), problem.items.end(),
                                          [&](const solve::Item& item) { return problem.isCandidate(item); });
    json output;
    output["expected"] = {{"greedy", solved(problem, "greedy", solve::Ordering::Lifetime)},
                          {"firstfit", solved(problem, "firstfit", solve::Ordering::Lifetime)},
                          {"bestfit", solved(problem, "bestfit", solve::Ordering::Lifetime)}};
    output["expected_scored"] = {{"firstfit", solved(problem, "firstfit", solve::Ordering::Scored)},
                                 {"bestfit", solved(problem, "bestfit", solve::Ordering::Scored)}};
    output["expected_permutation"] = permutationBlock(problem);
    if (candidates <= kExactUpTo) output["exact"] = exactBlock(problem);
    if (candidates <= kAnnealingUpTo) {
        const solve::Solution annealed = unwrap(solve::placeByAnnealing(problem, {}, {}));
        output["annealing"] = {{"quality", solve::quality(problem, annealed.addresses)}};
    }
    return output;
}

}  // namespace

void registerLayoutSolve(Registry& registry) {
    registry.add("layout_solve", layoutSolve);
}

}  // namespace memplan::probe
