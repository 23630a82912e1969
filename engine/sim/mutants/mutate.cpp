// SPDX-License-Identifier: Apache-2.0
#include "engine/sim/mutants/mutate.h"

#include "engine/base/text.h"
#include "engine/sim/eval/evaluator.h"
#include "engine/sim/machine/machine.h"

#include <algorithm>

namespace memplan::sim {
namespace {

/// At most `most` of them: family by family in turn, inside a family in an order drawn from the seed.
std::vector<const Mutant*> drawn(const std::vector<Mutant>& all, std::int64_t most, std::uint64_t seed) {
    std::map<std::string, std::vector<std::pair<std::uint64_t, const Mutant*>>> families;
    for (const Mutant& m : all)
        families[m.family].emplace_back(prf(seed, fnv1a(m.family + m.what)), &m);
    for (auto& [family, list] : families)
        std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<const Mutant*> out;
    for (std::size_t round = 0; static_cast<std::int64_t>(out.size()) < most; ++round) {
        const std::size_t before = out.size();
        for (const auto& [family, list] : families) {
            if (round < list.size() && static_cast<std::int64_t>(out.size()) < most) out.push_back(list[round].second);
        }
        if (out.size() == before) break;
    }
    return out;
}

}  // namespace

Result<MutationReport> mutate(const ExecutionRecord& record, const MutationOptions& options,
                              const RunControl& control) {
    if (!record.graph) return makeError("VER-025", "record", "the plan has no source graph");
    SimOptions sim = options.sim;
    sim.explain = false;
    const auto evaluation = evaluate(*record.graph, evaluatorOptions(record, sim), control);
    if (!evaluation) return evaluation.error();
    std::vector<bool> wasRead;
    const auto whole = proveAgainst(record, evaluation.value(), sim, control, &wasRead);
    if (!whole) return whole.error();
    if (whole.value().kind != OutcomeKind::Proved) {
        return makeError("VER-025", "record", "faults say nothing about a plan that is not proved itself",
                         "look at the result without --mutate first");
    }
    sim.stopAtFault = true;
    const std::vector<Mutant> all = mutantsOf(record, wasRead);
    const std::vector<const Mutant*> chosen = drawn(all, options.most, sim.seed);
    MutationReport result;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const Mutant& m = *chosen[i];
        control.progress("faults", static_cast<double>(i), static_cast<double>(chosen.size()));
        ExecutionRecord damaged = record;
        m.damage(damaged);
        RunControl quiet;
        quiet.stop = control.stop;
        quiet.deadline = control.deadline;
        const auto outcome = proveAgainst(damaged, evaluation.value(), sim, quiet);
        if (!outcome && outcome.error().primary().code == kCancelledCode) return outcome.error();
        if (control.timedOut()) break;
        // What cannot even be set up was noticed.
        const bool isWrong = !outcome || outcome.value().kind == OutcomeKind::Wrong;
        MutationCount& family = result.families[m.family];
        ++result.made;
        ++family.made;
        const bool isControl = m.family == "M3" || m.family == "M4";
        if (!m.equivalent.empty()) {
            ++result.equivalent;
            ++family.equivalent;
            ++result.equivalentByRule[m.equivalent];
            if (isControl && isWrong)
                result.survivors.push_back(m.family + ": " + m.what + ", is legal and was called wrong");
        } else if (isWrong) {
            ++result.caught;
            ++family.caught;
        } else {
            result.survivors.push_back(m.family + ": " + m.what);
        }
    }
    return result;
}

}  // namespace memplan::sim
