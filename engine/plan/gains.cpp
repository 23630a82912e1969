// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/gains.h"

#include "engine/plan/wordings.h"

namespace memplan {

namespace {

std::optional<std::int64_t> countOf(const PassRun& run, const char* key) {
    const auto found = run.counts.find(key);
    return found == run.counts.end() ? std::nullopt : std::optional(found->second);
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

}  // namespace

std::vector<Gain> passGains(const Plan& plan) {
    std::vector<Gain> gains;
    for (const PassRun& run : plan.passes) {
        if (auto gain = gainOf(run)) gains.push_back(std::move(*gain));
    }
    return gains;
}

std::vector<ComparedVariant> comparedVariants(const Plan& plan) {
    std::vector<ComparedVariant> variants;
    for (const Decision& d : plan.decisions) {
        const auto bytes = d.figure(say::kMainMemoryBytes);
        if (d.kind != DecisionKind::PlanVariant || !bytes) continue;
        variants.push_back({sentence(d.chosen), static_cast<Bytes>(*bytes), d.figure(say::kEstimatedMicroseconds),
                            d.why.is(say::kKept)});
    }
    return variants;
}

}  // namespace memplan
