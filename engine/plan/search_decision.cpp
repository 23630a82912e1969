// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/search_decision.h"

#include "engine/base/text.h"

namespace memplan {
namespace {

constexpr std::size_t kMostPoints = 26;  // with the figures not more than 32

std::int64_t whole(double value) {
    return static_cast<std::int64_t>(value);
}

std::optional<SearchTrace> read(const Decision& d) {
    const auto words = text::split(d.chosen, ' ');
    if (words.size() != 3) return std::nullopt;
    SearchTrace t;
    t.measure = words[0];
    t.stepUnit = words[1];
    t.end = words[2];
    for (const auto& [name, value] : d.alternatives) {
        if (name == "steps") {
            t.steps = whole(value);
        } else if (name == "planned_steps") {
            t.plannedSteps = whole(value);
        } else if (name == "bound") {
            t.bound = whole(value);
        } else if (const auto step = text::parseInt(name)) {
            t.points.push_back({*step, whole(value)});
        }
    }
    return t;
}

}  // namespace

Decision searchDecision(const SearchTrace& t) {
    Decision d;
    d.kind = kSearchDecision;
    d.chosen = t.measure + " " + t.stepUnit + " " + t.end;
    d.alternatives.emplace_back("steps", static_cast<double>(t.steps));
    d.alternatives.emplace_back("planned_steps", static_cast<double>(t.plannedSteps));
    if (t.bound) d.alternatives.emplace_back("bound", static_cast<double>(*t.bound));
    const std::size_t n = t.points.size();
    const std::size_t kept = std::min(n, kMostPoints);
    for (std::size_t k = 0; k < kept; ++k) {
        const SearchPoint& p = t.points[kept < 2 ? 0 : k * (n - 1) / (kept - 1)];
        d.alternatives.emplace_back(std::to_string(p.step), static_cast<double>(p.value));
    }
    d.why = text::grouped(t.steps) + " " + t.stepUnit + " done";
    if (n > 1) d.why += ", the best plan found after " + text::grouped(t.points.back().step);
    return d;
}

std::optional<SearchTrace> searchOf(const Plan& plan) {
    for (const Decision& d : plan.decisions) {
        if (d.kind == kSearchDecision && !d.op.isValid() && !d.buffer.isValid()) return read(d);
    }
    return std::nullopt;
}

}  // namespace memplan
