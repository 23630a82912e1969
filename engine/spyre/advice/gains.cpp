// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/advice/gains.h"

#include "engine/plan/spyre_data.h"
#include "engine/plan/wordings.h"

#include <algorithm>
#include <iterator>

namespace memplan::spyre {
namespace {

Gain partOf(std::string name, std::optional<Bytes> before, Bytes after, std::string why) {
    Gain part;
    part.name = std::move(name);
    part.before = before;
    part.after = after;
    part.saved = before ? *before - after : 0;
    part.why = std::move(why);
    part.isPart = true;
    return part;
}

/// The parts of the search over divisions: each begins with the best plan of the one before it, the first with the
/// committed divisions as the search places them.
void addParts(const Plan& plan, std::optional<Bytes> before, std::vector<Gain>& gains) {
    const std::size_t first = gains.size();
    for (const Decision& d : plan.decisions) {
        const auto bytes = d.figure(memplan::say::kMainMemoryBytes);
        if (d.kind != DecisionKind::DivisionSearch || !bytes) continue;
        const bool isFirst = gains.size() == first;
        if (isFirst && before && spyreData(plan).coOptimization &&
            spyreData(plan).coOptimization->committedTraffic != *before) {
            gains.push_back(partOf("quick placement of the search", before,
                                   spyreData(plan).coOptimization->committedTraffic, "the search places by best-fit"));
            before = spyreData(plan).coOptimization->committedTraffic;
        }
        gains.push_back(partOf(sentence(d.chosen), before, static_cast<Bytes>(*bytes), sentence(d.why)));
        before = gains.back().after;
    }
}

bool isStep(const Gain& g) {
    return g.name.starts_with("scratchpad_planning.");
}

/// Parts that measured nothing because they changed nothing began and ended with the plan of the part before them, or
/// else with the one that the next part began with.
void chain(std::vector<Gain>& gains) {
    const auto carry = [](Gain& g, std::optional<Bytes> traffic) {
        if (isStep(g) && !g.before && g.saved == 0) g.before = g.after = traffic;
    };
    std::optional<Bytes> traffic;
    for (Gain& g : gains) {
        if (!isStep(g)) continue;
        carry(g, traffic);
        traffic = g.after;
    }
    traffic.reset();
    for (auto g = gains.rbegin(); g != gains.rend(); ++g) {
        if (!isStep(*g)) continue;
        carry(*g, traffic);
        traffic = g->before;
    }
}

constexpr const char* kSolve = "scratchpad_planning.solve";

/// The steps before placement measure plans of trials, those behind it the plan: a solver that a limit in time ends
/// need not reach the same plan again, and then the difference is that of placement, which stands between them.
std::vector<Gain> withPlacement(std::vector<Gain> gains, const std::vector<PassRun>& runs) {
    const auto positionOf = [&](std::string_view name) {
        return std::find_if(runs.begin(), runs.end(), [&](const PassRun& r) { return r.name == name; });
    };
    const auto solve = positionOf(kSolve);
    if (solve == runs.end() || !solve->ran) return gains;
    const auto isBehind = [&](const Gain& g) { return isStep(g) && positionOf(g.name) > solve; };
    const auto next = std::find_if(gains.begin(), gains.end(), isBehind);
    const auto last = std::find_if(std::make_reverse_iterator(next), gains.rend(), isStep);
    if (next == gains.end() || last == gains.rend()) return gains;
    if (!last->after || !next->before || last->after == next->before) return gains;
    Gain g;
    g.name = kSolve;
    g.before = last->after;
    g.after = next->before;
    g.saved = *g.before - *g.after;
    gains.insert(next, std::move(g));
    return gains;
}

}  // namespace

std::vector<Gain> gains(const Plan& plan) {
    std::vector<Gain> passes = passGains(plan);
    chain(passes);
    // Loops that were weighed and left out were weighed against the finished plan.
    const auto weighedLast = [](const Gain& g) { return g.name == "coarse_tile.joint_tiling" && g.saved == 0; };
    std::stable_partition(passes.begin(), passes.end(), [&](const Gain& g) { return !weighedLast(g); });
    std::vector<Gain> all;
    for (Gain& gain : withPlacement(std::move(passes), plan.passes)) {
        const bool isSearch = gain.name == "scratchpad_planning.co_optimize";
        all.push_back(std::move(gain));
        if (isSearch) addParts(plan, all.back().before, all);
    }
    return all;
}

}  // namespace memplan::spyre
