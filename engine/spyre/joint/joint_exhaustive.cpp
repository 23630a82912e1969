// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/heuristics/heuristics.h"
#include "engine/spyre/joint/joint_search.h"

#include <algorithm>
#include <set>

namespace memplan::spyre::joint {
namespace {

/// The next combination in depth-first order: the last buffer changes fastest. False after the last one.
bool advance(const JointProblem& problem, std::vector<int>& chosen) {
    for (std::size_t i = chosen.size(); i-- > 0;) {
        if (static_cast<std::size_t>(++chosen[i]) < problem.buffers[i].divisions.size()) return true;
        chosen[i] = 0;
    }
    return false;
}

Result<solve::Addresses> place(const JointProblem& problem, const std::vector<int>& chosen,
                               const ExhaustiveOptions& options, const RunControl& control) {
    const auto ineligible = ineligibleUnder(problem, chosen, options.mismatchBars);
    solve::SolverParams params;
    params.ordering = solve::Ordering::Scored;
    auto solution = options.inner->solve(addressProblem(problem, chosen, ineligible), params, control);
    if (!solution) return std::move(solution).error();
    return std::move(solution).value().addresses;
}

}  // namespace

void measure(const JointProblem& problem, JointResult& result) {
    result.unpinnedBytes = result.traffic = result.totalCores = result.sumSquares = 0;
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
        const JointBuffer& b = problem.buffers[i];
        const JointDivision& division = b.divisions[static_cast<std::size_t>(result.chosen[i])];
        result.totalCores += division.cores();
        result.sumSquares += division.shape();
        if (result.addresses[i]) continue;
        result.unpinnedBytes += b.size;
        result.traffic += b.spillCost();
    }
}

Result<JointResult> searchExhaustively(const JointProblem& problem, const ExhaustiveOptions& options,
                                       const RunControl& control) {
    std::vector<int> chosen(problem.buffers.size(), 0);
    JointResult best;
    std::int64_t leaves = 0;
    do {
        if (control.cancelled()) return solve::cancelledError();
        JointResult leaf;
        auto addresses = place(problem, chosen, options, control);
        if (!addresses) return std::move(addresses).error();
        leaf.chosen = chosen;
        leaf.addresses = std::move(addresses).value();
        measure(problem, leaf);
        ++leaves;
        if (leaves == 1 || leaf.unpinnedBytes < best.unpinnedBytes) best = std::move(leaf);
        if (control.timedOut()) {
            best.status = solve::Status::Stopped;
            break;
        }
    } while (advance(problem, chosen));
    best.leaves = leaves;
    return best;
}

Recolouring recolour(const JointProblem& problem, int anchor, int division) {
    Recolouring result;
    result.division.assign(problem.buffers.size(), -1);
    const auto consumers = problem.consumers();
    std::set<int> frontier{anchor};
    const auto join = [&](int buffer, int at) {
        result.division[static_cast<std::size_t>(buffer)] = at;
        result.joined.push_back(buffer);
        frontier.insert(buffer);
    };
    join(anchor, division);
    const auto isOpen = [&](int b) { return result.division[static_cast<std::size_t>(b)] < 0; };
    while (!frontier.empty()) {
        const int u = *frontier.begin();
        frontier.erase(frontier.begin());
        const int own = result.division[static_cast<std::size_t>(u)];
        for (const int c : consumers[static_cast<std::size_t>(u)]) {
            if (!isOpen(c)) continue;
            int lowest = -1;
            for (const JointParent& p : problem.buffers[static_cast<std::size_t>(c)].parents) {
                if (p.buffer != u) continue;
                for (const auto& [producer, consumer] : p.pairs) {
                    if (producer == own && (lowest < 0 || consumer < lowest)) lowest = consumer;
                }
            }
            if (lowest >= 0) join(c, lowest);
        }
        std::vector<const JointParent*> parents;
        for (const JointParent& p : problem.buffers[static_cast<std::size_t>(u)].parents)
            parents.push_back(&p);
        std::stable_sort(parents.begin(), parents.end(), [](auto* a, auto* b) { return a->buffer < b->buffer; });
        for (const JointParent* p : parents) {
            if (!isOpen(p->buffer)) continue;
            int lowest = -1;
            for (const auto& [producer, consumer] : p->pairs) {
                if (consumer == own && (lowest < 0 || producer < lowest)) lowest = producer;
            }
            if (lowest >= 0) join(p->buffer, lowest);
        }
    }
    return result;
}

}  // namespace memplan::spyre::joint
