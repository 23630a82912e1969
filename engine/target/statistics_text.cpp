// SPDX-License-Identifier: Apache-2.0
#include "engine/target/statistics_text.h"

#include "engine/base/figures.h"
#include "engine/base/text.h"
#include "engine/plan/gains.h"
#include "engine/plan/statistics.h"
#include "engine/plan/stopped.h"
#include "engine/plan/wordings.h"
#include "engine/target/own_figures.h"
#include "engine/target/target.h"

#include <algorithm>
#include <iterator>

namespace memplan {

namespace {

using text::grouped;

using Row = std::pair<std::string, std::string>;

std::string bytesText(Bytes bytes) {
    return grouped(bytes) + " bytes";
}

std::string table(const std::string& heading, const std::vector<Row>& rows) {
    std::size_t width = 0;
    for (const Row& row : rows)
        width = std::max(width, row.first.size());
    std::string out = heading + "\n";
    for (const auto& [label, value] : rows)
        out += "  " + label + std::string(width - label.size() + 2, ' ') + value + "\n";
    return out;
}

std::string boundText(const PlanMetrics& m) {
    return bytesText(m.upperBoundBytes) + (m.provedOptimal ? ", reached: no plan pins more" : "");
}

/// What a machine judges its plans by, where that is not bytes on chip.
std::vector<Row> headlineRows(const Plan& plan) {
    std::vector<Row> rows;
    for (const FigureInfo& info : figuresOf(plan)) {
        const double* const value = info.isHeadline ? ownFigure(plan, info.key) : nullptr;
        if (value != nullptr) rows.emplace_back(inSentence(info.title), grouped(static_cast<std::int64_t>(*value)));
    }
    return rows;
}

std::vector<Row> metricRows(const Plan& plan) {
    const PlanMetrics& m = plan.metrics;
    if (!isPlacementDecided(plan)) {
        return {{"operations", grouped(static_cast<std::int64_t>(plan.ops.size()))},
                {"stopped after", plan.stoppedAfter + ", before placement: no memory figures yet"}};
    }
    const StatedFigures stated = statedFigures(m);
    std::vector<Row> rows{{"operations", grouped(static_cast<std::int64_t>(plan.ops.size()))}};
    if (!isJudgedByBytes(plan.target)) {
        std::ranges::move(headlineRows(plan), std::back_inserter(rows));
        return rows;
    }
    if (stated.mainMemory) {
        rows.emplace_back("main memory read", bytesText(m.mainMemoryReadBytes));
        rows.emplace_back("main memory written", bytesText(m.mainMemoryWriteBytes));
    }
    const std::string each = stated.coreUtilisation ? ", per core" : "";
    rows.emplace_back("pinned" + each, bytesText(m.pinnedBytes));
    if (stated.bound) rows.emplace_back("bound on pinned", boundText(m));
    rows.emplace_back("peak" + each, bytesText(plan.memory.peak) + " of " + bytesText(plan.memory.capacity));
    rows.emplace_back("most live bytes" + each,
                      bytesText(plan.memory.livePeak) + " at step " + std::to_string(plan.memory.livePeakStep));
    if (stated.coreUtilisation) rows.emplace_back("core utilisation", text::fixed(m.coreUtilisation * 100, 1) + " %");
    if (m.estimatedMicroseconds) {
        const Target* target = findTarget(plan.target);
        const std::string model = target != nullptr ? target->modelText(plan) : std::string();
        rows.emplace_back("estimated time", text::groupedFixed(*m.estimatedMicroseconds, 1) + " \u00b5s" +
                                                (model.empty() ? "" : ", " + model) +
                                                "; ranks plans of this graph, no forecast");
    }
    return rows;
}

/// What the passes gained, by the bytes that they say the plan moves before and after them.
std::vector<Row> gainRows(const Plan& plan) {
    std::vector<Row> rows;
    for (const Gain& g : gainsOf(plan)) {
        if (g.isPart) continue;  // reported with the parts of the search
        const std::string best = g.bound ? ", at best " + bytesText(*g.bound) : std::string();
        if (g.saved == 0) {
            rows.emplace_back(g.name, "saved nothing" + (g.before ? ", " + bytesText(*g.before) + best : best));
            continue;
        }
        if (!g.before) {
            rows.emplace_back(g.name, bytesText(g.saved) + " less");
            continue;
        }
        const double share = *g.before > 0 ? 100.0 * static_cast<double>(g.saved) / static_cast<double>(*g.before) : 0;
        const std::string text =
            bytesText(*g.before) + " before, " + bytesText(*g.after) + " after (" + text::fixed(share, 1) + " % less)";
        rows.emplace_back(g.name, text + best);
    }
    return rows;
}

/// Parts of searches and whole plans that were compared, from the trace of decisions.
std::vector<Row> comparedRows(const Plan& plan, DecisionKind kind) {
    std::vector<Row> rows;
    for (const Decision& d : plan.decisions) {
        if (d.kind != kind) continue;
        std::string text;
        for (const auto& [label, value] : d.alternatives) {
            const bool whole = !label.is(say::kEstimatedMicroseconds);
            text += (whole ? grouped(static_cast<std::int64_t>(value)) : text::fixed(value, 1)) + " " +
                    sentence(label) + ", ";
        }
        rows.emplace_back(text::escaped(sentence(d.chosen)), text + text::escaped(sentence(d.why)));
    }
    return rows;
}

std::vector<Row> residencyRows(const PlanStatistics& s, bool hasBytes) {
    const auto text = [hasBytes](int buffers, Bytes bytes) {
        return std::to_string(buffers) + (buffers == 1 ? " buffer" : " buffers") +
               (hasBytes ? ", " + bytesText(bytes) : "");
    };
    std::string onChip = text(s.onChip, s.onChipBytes);
    if (s.inPlace > 0) onChip += ", " + std::to_string(s.inPlace) + " in place";
    std::vector<Row> rows{{"on chip", onChip}};
    if (s.open > 0) rows = {{"not decided", text(s.open, s.openBytes)}};
    for (const ReasonCount& r : s.offChip)
        rows.emplace_back(reasonInfo(r.code).name, text(r.buffers, r.bytes));
    return rows;
}

}  // namespace

std::string statisticsText(const Plan& plan) {
    const PlanStatistics s = planStatistics(plan);
    std::vector<Row> problems;
    for (const ProblemCount& p : s.problems) {
        problems.emplace_back(p.code,
                              std::to_string(p.count) + " " + severityName(p.severity) + (p.count == 1 ? "" : "s"));
    }
    std::string out = table(text::escaped(plan.input.name.empty() ? plan.input.path : plan.input.name) + " for " +
                                std::string(plan.target),
                            metricRows(plan));
    out += table("buffers by place", residencyRows(s, isJudgedByBytes(plan.target)));
    if (const Target* target = findTarget(plan.target)) {
        for (const StatisticsTable& own : target->statistics(plan))
            out += table(own.heading, own.rows);
    }
    const auto add = [&out](const char* heading, const std::vector<Row>& rows) {
        if (!rows.empty()) out += table(heading, rows);
    };
    add("main-memory bytes by pass", gainRows(plan));
    add("parts of the search", comparedRows(plan, DecisionKind::DivisionSearch));
    add("search for loops", comparedRows(plan, DecisionKind::TilingSearch));
    add("loops found", comparedRows(plan, DecisionKind::Tiling));
    add("plans compared", comparedRows(plan, DecisionKind::PlanVariant));
    if (!problems.empty()) out += table("findings", problems);
    return out;
}

}  // namespace memplan
