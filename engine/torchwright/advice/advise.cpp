// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/advice/advise.h"

#include "engine/torchwright/advice/sources.h"
#include "engine/torchwright/advice/trials.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace memplan::torchwright {
namespace {

constexpr int kMostOfACode = 50;

Findings allFindings(const AdviceFacts& facts, AdviceReport& report) {
    Findings out;
    for (const auto find : {findAffineRuns, findFusionOff, findAddsAsLinear, findSmallLinears, findNestedSelects,
                            findConcatLifetimes, findLongHeldValues, findLiveAdds, findThinAnnotations, findUnannotated,
                            findTiedPaths, findBoundByScheduling, findPlateaus, findCancelShare, findHeadWidth})
        find(facts, out);
    if (!facts.hasTensors()) {
        for (const AdviceCode& code : adviceCodes())
            if (code.needsTensors) report.skipped.push_back(code.number);
        return out;
    }
    SameValues values = sameValuesOf(facts.graph);
    findAnyTrue(facts, out);
    findRecomputedValues(facts, values, out);
    findWorkAfterReads(facts, values, out);
    findMergeableReads(facts, values, out);
    findLooseBounds(facts, out);
    findDeepMultiplications(facts, values, out);
    findChainedAllTrue(facts, out);
    return out;
}

void takeInto(Finding& row, Finding& place) {
    ++row.places;
    row.nodes.insert(row.nodes.end(), place.nodes.begin(), place.nodes.end());
    row.paramsSaved += place.paramsSaved;
    row.isOnLongestPath = row.isOnLongestPath || place.isOnLongestPath;
    for (Rewrite& rewrite : place.proposal.rewrites)
        row.proposal.rewrites.push_back(std::move(rewrite));
}

/// Alike findings as one row.
Findings merged(Findings all) {
    Findings rows;
    std::map<std::pair<int, std::string>, std::size_t> known;
    for (Finding& finding : all) {
        if (finding.shape.empty()) {
            rows.push_back(std::move(finding));
            continue;
        }
        const auto [it, isNew] = known.emplace(std::pair(finding.code, finding.shape), rows.size());
        if (isNew)
            rows.push_back(std::move(finding));
        else
            takeInto(rows[it->second], finding);
    }
    return rows;
}

/// Gain in layers, longest paths, parameters saved, code, lowest node.
void sortRows(Findings& rows) {
    const auto key = [](const Finding& f) {
        const NodeId first = f.nodes.empty() ? NodeId() : *std::ranges::min_element(f.nodes);
        return std::tuple(-f.trial.gain(), !f.isOnLongestPath, -f.paramsSaved, f.code, first);
    };
    std::ranges::stable_sort(rows, {}, key);
}

/// Rows of one code beyond the first fifty are only counted.
void keepFirst(AdviceReport& report) {
    std::map<int, int> counts;
    std::erase_if(report.findings, [&](const Finding& f) { return ++counts[f.code] > kMostOfACode; });
    for (const auto& [code, count] : counts)
        if (count > kMostOfACode) report.left.emplace_back(code, count - kMostOfACode);
}

void tryInOrder(AdviceReport& report, Trials& trials, int budget, const RunControl& control) {
    std::erase_if(report.findings, [&](Finding& finding) {
        if (finding.proposal.isEmpty() || trials.isOver()) return false;
        control.progress("trying advice", trials.spent(), budget);
        const bool holds = trials.run(finding);
        report.dropped += holds ? 0 : 1;
        return !holds;
    });
}

}  // namespace

AdviceReport advise(const AdviceQuestion& question, int trials, const RunControl& control) {
    AdviceReport report;
    report.graph = question.graph;
    const AdviceFacts facts(question);
    Trials compiles(question, trials, control);
    report.findings = merged(allFindings(facts, report));
    const bool asksNatural = std::ranges::any_of(question.scopes, [](const ConcurrencyScope& s) {
        return s.k >= 2 && s.k < static_cast<int>(s.terminals.size());
    });
    findScopeConcerns(facts, asksNatural ? compiles.withoutScopes() : nullptr, report.findings);
    sortRows(report.findings);
    tryInOrder(report, compiles, trials, control);
    sortRows(report.findings);
    keepFirst(report);
    report.compiles = compiles.spent();
    return report;
}

}  // namespace memplan::torchwright
