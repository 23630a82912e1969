// SPDX-License-Identifier: Apache-2.0
#include "plan/gains.h"

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

std::optional<Gain> gainOf(const PassRun& run) {
    Gain g;
    g.name = run.name;
    g.before = countOf(run, "traffic_before");
    g.after = countOf(run, "traffic_after");
    g.bound = countOf(run, "traffic_bound");
    if (run.seconds > 0) g.seconds = run.seconds;
    if (g.before && g.after) {
        g.saved = *g.before - *g.after;
        return g;
    }
    g.before.reset();
    g.after.reset();
    g.saved = countOf(run, "bytes_saved").value_or(0);
    if (g.saved == 0) return std::nullopt;
    return g;
}

/// The parts of the search over divisions: each begins with the best plan of the one before it.
void addParts(const Plan& plan, std::optional<Bytes> before, std::vector<Gain>& gains) {
    for (const Decision& d : plan.decisions) {
        const auto bytes = figureOf(d, "main-memory bytes");
        if (d.kind != "division_search" || !bytes) continue;
        Gain part;
        part.name = d.chosen;
        part.before = before;
        part.after = static_cast<Bytes>(*bytes);
        part.saved = before ? *before - *part.after : 0;
        part.why = d.why;
        part.isPart = true;
        before = part.after;
        gains.push_back(std::move(part));
    }
}

}  // namespace

std::vector<Gain> gainsOf(const Plan& plan) {
    std::vector<Gain> gains;
    for (const PassRun& run : plan.passes) {
        auto gain = gainOf(run);
        if (!gain) continue;
        const std::optional<Bytes> before = gain->before;
        gains.push_back(std::move(*gain));
        if (run.name == "scratchpad_planning.co_optimize") addParts(plan, before, gains);
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
