// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/search_decision.h"

#include "engine/base/text.h"
#include "engine/plan/wordings.h"

#include <algorithm>

namespace memplan {
namespace {

constexpr std::size_t kMostPoints = 26;  // with the figures not more than 32

std::int64_t whole(double value) {
    return static_cast<std::int64_t>(value);
}

std::optional<SearchTrace> read(const Decision& d) {
    const auto* measure = d.chosen.fact<std::string>(0);
    const auto* unit = d.chosen.fact<std::string>(1);
    const auto* end = d.chosen.fact<std::string>(2);
    if (!d.chosen.is(say::kSearch) || measure == nullptr || unit == nullptr || end == nullptr) return std::nullopt;
    SearchTrace t;
    t.measure = *measure;
    t.stepUnit = *unit;
    t.end = *end;
    t.steps = whole(d.figure(say::kSearchSteps).value_or(0));
    t.plannedSteps = whole(d.figure(say::kSearchPlannedSteps).value_or(0));
    if (const auto bound = d.figure(say::kSearchBound)) t.bound = whole(*bound);
    for (const Alternative& a : d.alternatives) {
        const auto* step = a.label.fact<std::int64_t>(0);
        if (a.label.is(say::kSearchPoint) && step != nullptr) t.points.push_back({*step, whole(a.score)});
    }
    return t;
}

}  // namespace

Decision searchDecision(const SearchTrace& t) {
    Decision d;
    d.kind = DecisionKind::Search;
    d.chosen = {say::kSearch, t.measure, t.stepUnit, t.end};
    d.alternatives.push_back({say::kSearchSteps, static_cast<double>(t.steps)});
    d.alternatives.push_back({say::kSearchPlannedSteps, static_cast<double>(t.plannedSteps)});
    if (t.bound) d.alternatives.push_back({say::kSearchBound, static_cast<double>(*t.bound)});
    const std::size_t n = t.points.size();
    const std::size_t kept = std::min(n, kMostPoints);
    for (std::size_t k = 0; k < kept; ++k) {
        const SearchPoint& p = t.points[kept < 2 ? 0 : k * (n - 1) / (kept - 1)];
        d.alternatives.push_back({{say::kSearchPoint, p.step}, static_cast<double>(p.value)});
    }
    d.why = n > 1 ? Statement(say::kSearchFound, t.steps, t.stepUnit, t.points.back().step)
                  : Statement(say::kSearchDone, t.steps, t.stepUnit);
    return d;
}

void restoreSearchFacts(Decision& d) {
    auto words = text::split(sentence(d.chosen), ' ');
    if (words.size() == 3) d.chosen = {say::kSearch, std::move(words[0]), std::move(words[1]), std::move(words[2])};
    for (Alternative& a : d.alternatives) {
        if (!a.label.is(say::kRecorded)) continue;
        const std::string label = sentence(a.label);
        const auto step = text::parseInt(label);
        if (step && std::to_string(*step) == label) a.label = {say::kSearchPoint, *step};
    }
}

std::optional<SearchTrace> searchOf(const Plan& plan) {
    for (const Decision& d : plan.decisions) {
        if (d.kind == DecisionKind::Search && !d.op.isValid() && !d.buffer.isValid()) return read(d);
    }
    return std::nullopt;
}

}  // namespace memplan
