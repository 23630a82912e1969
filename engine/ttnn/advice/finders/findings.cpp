// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/advice/finders/findings.h"

#include "engine/ttnn/advice/finders/finders.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace memplan::ttnn {
namespace {

constexpr std::array kFinders{finders::untrackedOperands,  finders::deadEdges,         finders::reshardsElsewhere,
                              finders::competingResidents, finders::forksInDram,       finders::operandOrder,
                              finders::kindsOutside,       finders::noShardedConfigs,  finders::cutLayouts,
                              finders::longPropagation,    finders::fewCores,          finders::spillsReadBack,
                              finders::concatMismatches,   finders::unmodelledBetween, finders::fullDram};

/// The same hints on other operations.
bool isAlike(const Proposal& a, const Proposal& b) {
    const auto same = [](const Hint& x, const Hint& y) { return x.key == y.key && x.value == y.value; };
    return a.change.settings == b.change.settings && a.change.hintsOff == b.change.hintsOff &&
           a.exchange.empty() == b.exchange.empty() &&
           std::equal(a.change.hints.begin(), a.change.hints.end(), b.change.hints.begin(), b.change.hints.end(), same);
}

/// One change for all alike findings: each hint on the operations of all of them.
void join(Proposal& into, const Proposal& more) {
    for (std::size_t h = 0; h < into.change.hints.size(); ++h) {
        std::vector<std::string>& scopes = into.change.hints[h].scopes;
        for (const std::string& scope : more.change.hints[h].scopes)
            if (std::ranges::find(scopes, scope) == scopes.end()) scopes.push_back(scope);
        into.change.hints[h].scopeIsArray = scopes.size() > 1;
    }
    into.exchange.insert(into.exchange.end(), more.exchange.begin(), more.exchange.end());
}

void addAlike(Finding& row, Finding&& more) {
    ++row.times;
    row.bytes += more.bytes;
    row.ops.insert(row.ops.end(), more.ops.begin(), more.ops.end());
    const bool isSame =
        std::equal(row.proposals.begin(), row.proposals.end(), more.proposals.begin(), more.proposals.end(), isAlike);
    // Where they differ the row keeps those of the first.
    for (std::size_t p = 0; isSame && p < row.proposals.size(); ++p)
        join(row.proposals[p], more.proposals[p]);
}

std::vector<Finding> grouped(RawFindings raw) {
    std::vector<Finding> rows;
    std::map<std::pair<std::string, std::string>, std::size_t> known;
    for (RawFinding& one : raw) {
        const auto [it, isNew] = known.try_emplace({one.finding.code, one.likeness}, rows.size());
        if (isNew)
            rows.push_back(std::move(one.finding));
        else
            addAlike(rows[it->second], std::move(one.finding));
    }
    return rows;
}

void nameRows(std::vector<Finding>& rows) {
    for (Finding& row : rows) {
        for (Proposal& proposal : row.proposals) {
            const bool isOfSeveral = proposal.exchange.size() > 1 ||
                                     (!proposal.change.hints.empty() && proposal.change.hints.front().scopeIsArray);
            if (isOfSeveral) proposal.change.text += " and " + std::to_string(row.times - 1) + " alike";
        }
    }
}

}  // namespace

Advice adviceFor(const Situation& situation) {
    const Facts facts(situation);
    RawFindings raw;
    for (const auto find : kFinders)
        find(facts, raw);
    Advice advice;
    advice.findings = grouped(std::move(raw));
    nameRows(advice.findings);
    std::ranges::stable_sort(advice.findings, [](const Finding& a, const Finding& b) {
        if (a.bytes != b.bytes) return a.bytes > b.bytes;
        if (a.code != b.code) return a.code < b.code;
        return a.ops.front() < b.ops.front();
    });
    for (std::size_t c = 0; c < facts.record.chains.size(); ++c) {
        const ChainInfo& chain = facts.record.chains[c];
        if (chain.state != ChainState::Failed) continue;
        finders::FailureProposals found = finders::failureProposals(facts, chain);
        ChainProposals& failed = advice.chains.emplace_back();
        failed.chain = static_cast<int>(c);
        failed.proposals = std::move(found.all);
        failed.solving = found.solving;
        for (const OperationId op : chain.ops)
            failed.ops.push_back(facts.name(op));
    }
    return advice;
}

Diagnostic diagnosticOf(const Finding& finding, const std::string& where) {
    Diagnostic d;
    d.severity = finding.severity;
    d.code = finding.code;
    d.where = where;
    d.message = finding.message;
    if (finding.times > 1) d.message += " (x " + std::to_string(finding.times) + ")";
    d.hint = finding.fix;
    for (const OpId op : finding.ops)
        if (std::ranges::find(d.ops, op) == d.ops.end()) d.ops.push_back(op);
    return d;
}

}  // namespace memplan::ttnn
