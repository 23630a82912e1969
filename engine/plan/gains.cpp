// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/gains.h"

#include "engine/plan/spyre_data.h"

#include <algorithm>

namespace memplan {

namespace {

std::optional<std::int64_t> countOf(const PassRun& run, const char* key) {
    const auto found = run.counts.find(key);
    return found == run.counts.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> figureOf(const Decision& d, std::string_view name) {
    for (const auto& [key, value] : d.alternatives)
        if (key == name) return value;
    return std::nullopt;
}

/// A pass that ran and counts bytes; nothing of the others.
std::optional<Gain> gainOf(const PassRun& run) {
    const auto saved = countOf(run, "bytes_saved");
    Gain g;
    g.name = run.name;
    g.before = countOf(run, "traffic_before");
    g.after = countOf(run, "traffic_after");
    if (!run.ran || (!saved && (!g.before || !g.after))) return std::nullopt;
    g.bound = countOf(run, "traffic_bound");
    if (run.seconds > 0) g.seconds = run.seconds;
    if (!g.before || !g.after) {
        g.before.reset();
        g.after.reset();
    }
    // The bound is that of the program as it was searched; clones that the winner lets be are beyond it.
    if (g.bound && g.after && *g.bound > *g.after) g.bound.reset();
    g.saved = g.before ? *g.before - *g.after : *saved;
    return g;
}

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
        const auto bytes = figureOf(d, "main-memory bytes");
        if (d.kind != "division_search" || !bytes) continue;
        const bool isFirst = gains.size() == first;
        if (isFirst && before && spyreData(plan).coOptimization &&
            spyreData(plan).coOptimization->committedTraffic != *before) {
            gains.push_back(partOf("quick placement of the search", before,
                                   spyreData(plan).coOptimization->committedTraffic, "the search places by best-fit"));
            before = spyreData(plan).coOptimization->committedTraffic;
        }
        gains.push_back(partOf(d.chosen, before, static_cast<Bytes>(*bytes), d.why));
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

std::vector<Gain> gainsOf(const Plan& plan) {
    std::vector<Gain> passes;
    for (const PassRun& run : plan.passes) {
        if (auto gain = gainOf(run)) passes.push_back(std::move(*gain));
    }
    chain(passes);
    // Loops that were weighed and left out were weighed against the finished plan.
    const auto weighedLast = [](const Gain& g) { return g.name == "coarse_tile.joint_tiling" && g.saved == 0; };
    std::stable_partition(passes.begin(), passes.end(), [&](const Gain& g) { return !weighedLast(g); });
    std::vector<Gain> gains;
    for (Gain& gain : withPlacement(std::move(passes), plan.passes)) {
        const bool isSearch = gain.name == "scratchpad_planning.co_optimize";
        gains.push_back(std::move(gain));
        if (isSearch) addParts(plan, gains.back().before, gains);
    }
    return gains;
}

std::vector<ComparedVariant> comparedVariants(const Plan& plan) {
    std::vector<ComparedVariant> variants;
    for (const Decision& d : plan.decisions) {
        const auto bytes = figureOf(d, "main-memory bytes");
        if (d.kind != "plan_variant" || !bytes) continue;
        variants.push_back(
            {d.chosen, static_cast<Bytes>(*bytes), figureOf(d, "estimated microseconds"), d.why.starts_with("kept")});
    }
    return variants;
}

}  // namespace memplan
