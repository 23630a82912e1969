// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/solver/core_usage.h"

#include <algorithm>
#include <cmath>

namespace memplan::ttnn {

std::vector<std::vector<double>> accumulatedCores(const SolverProblem& problem,
                                                  const std::vector<std::vector<ConfigPath>>& alive) {
    std::vector<std::vector<double>> acc(problem.ops.size());
    std::vector<double> inDegree(problem.ops.size(), 0);
    for (const SolverEdge& edge : problem.edges)
        inDegree[edge.to] += 1;
    for (std::size_t op = problem.ops.size(); op-- > 0;) {
        for (const SolverConfig& config : problem.ops[op].configs)
            acc[op].push_back(static_cast<double>(config.cores));
        for (std::size_t e = 0; e < problem.edges.size(); ++e) {
            if (problem.edges[e].from != op) continue;
            const std::size_t consumer = problem.edges[e].to;
            std::vector<double> best(acc[op].size(), 0);
            for (const auto& [i, j] : alive[e])
                best[i] = std::max(best[i], std::trunc(acc[consumer][j]));
            for (std::size_t i = 0; i < best.size(); ++i)
                acc[op][i] += best[i] / inDegree[consumer];
        }
    }
    return acc;
}

int mostCores(const SolverOp& op, const ConfigSet& valid, const std::vector<double>& acc) {
    const auto isBlock = [&](int i) { return op.configs[static_cast<std::size_t>(i)].mem == MemLayout::BlockSharded; };
    int chosen = valid.first();
    double best = 0;
    for (int i = chosen; i >= 0; i = valid.next(i + 1)) {
        const double cores = acc[static_cast<std::size_t>(i)];
        const bool isBetter = cores > best || (cores == best && !isBlock(i) && isBlock(chosen));
        if (!isBetter) continue;
        chosen = i;
        best = cores;
    }
    return chosen;
}

int mostCores(const SolverOp& op, const ConfigSet& valid, const std::vector<double>& acc, MemLayout mem) {
    int chosen = -1;
    for (int i = valid.first(); i >= 0; i = valid.next(i + 1)) {
        if (op.configs[static_cast<std::size_t>(i)].mem != mem) continue;
        if (chosen < 0 || acc[static_cast<std::size_t>(i)] > acc[static_cast<std::size_t>(chosen)]) chosen = i;
    }
    return chosen;
}

}  // namespace memplan::ttnn
