// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/chains/chain_rows.h"

#include "engine/ttnn/texts/times.h"
#include "widgets/plan/units.h"
#include "widgets/views/chains/data/chain_words.h"

#include <QCoreApplication>

#include <algorithm>

namespace memplan::app {

using ui::fromStd;
using State = ui::ChainOffer::State;

namespace {

State stateOf(const ttnn::Trial& trial) {
    switch (trial.outcome) {
    case ttnn::TrialOutcome::Better:
        return State::Better;
    case ttnn::TrialOutcome::NoGain:
        return State::NoGain;
    case ttnn::TrialOutcome::Failed:
        break;
    }
    return State::Failed;
}

void addTrial(ui::ChainOffer& row, const ttnn::Trial& trial, const ttnn::TrialReport& report) {
    row.state = stateOf(trial);
    row.change = fromStd(trial.proposal.change.text);
    row.effect = fromStd(effectWords(trial, report.before, &ttnn::groupedMicroseconds));
    row.canApply = trial.proposal.exchange.empty();
}

/// What brings a failed chain through: the best that was compiled, else what the solver has found.
struct ChainAnswer {
    const ttnn::Trial* trial = nullptr;
    const ttnn::Proposal* proposal = nullptr;
};
ChainAnswer completingAnswer(const ttnn::ChainProposals& chain, const ttnn::TrialReport* report) {
    if (report != nullptr)
        if (const ttnn::Trial* trial = report->completing(chain.chain)) return {trial, &trial->proposal};
    if (chain.solving < 0) return {};
    const ttnn::Proposal& solving = chain.proposals[static_cast<std::size_t>(chain.solving)];
    const bool isTried = report != nullptr && report->find(solving) != nullptr;
    return isTried ? ChainAnswer() : ChainAnswer{nullptr, &solving};  // tried, and it does not complete the chain
}

/// The one that is offered, else the first that was tried.
const ttnn::Trial* trialOf(const ttnn::TrialReport* report, const ttnn::Trial* offered,
                           const std::vector<ttnn::Proposal>& proposals) {
    if (report == nullptr || offered != nullptr) return offered;
    for (const ttnn::Proposal& proposal : proposals)
        if (const ttnn::Trial* tried = report->find(proposal)) return tried;
    return nullptr;
}

void fill(ui::ChainOffer& row, const ttnn::Trial* trial, const ttnn::TrialReport* report,
          const std::vector<ttnn::Proposal>& proposals) {
    if (trial != nullptr) return addTrial(row, *trial, *report);
    if (proposals.empty()) return;
    row.state = State::Waiting;
    row.change = fromStd(proposals.front().change.text);
}

}  // namespace

OfferRows offerRows(const ttnn::Advice& advice, const ttnn::TrialReport* report) {
    OfferRows offers;
    const auto add = [&](ui::ChainOffer row, const ttnn::Trial* offered, const std::vector<ttnn::Proposal>& proposals) {
        const ttnn::Trial* trial = trialOf(report, offered, proposals);
        fill(row, trial, report, proposals);
        row.resolves = trial != nullptr && row.chain >= 0 && std::ranges::count(trial->completed, row.chain) > 0;
        offers.rows.push_back(std::move(row));
        offers.trials.push_back(trial);
        offers.proposals.push_back(trial != nullptr ? &trial->proposal : nullptr);
    };
    const auto addAnswer = [&](int chain, const ChainAnswer& answer) {
        ui::ChainOffer row;
        row.chain = chain;
        row.finding = QCoreApplication::translate("Chains", "The failed chain is completed");
        row.resolves = true;
        if (answer.trial != nullptr) {
            addTrial(row, *answer.trial, *report);
        } else {
            row.state = State::Waiting;
            row.change = fromStd(answer.proposal->change.text);
        }
        offers.rows.push_back(std::move(row));
        offers.trials.push_back(answer.trial);
        offers.proposals.push_back(answer.proposal);
    };
    for (const std::size_t i : findingOrder(advice, report)) {
        const ttnn::Finding& finding = advice.findings[i];
        ui::ChainOffer row;
        row.code = fromStd(finding.code);
        row.finding = fromStd(finding.message);
        row.change = fromStd(finding.fix);
        row.ops = finding.ops;
        row.chain = finding.chain;
        row.times = finding.times;
        add(std::move(row), report != nullptr ? report->offered(i) : nullptr, finding.proposals);
    }
    for (const ttnn::ChainProposals& chain : advice.chains) {
        const auto isSaid = [&](const auto& says) {
            return std::ranges::any_of(offers.rows,
                                       [&](const ui::ChainOffer& o) { return o.chain == chain.chain && says(o); });
        };
        const ChainAnswer answer = completingAnswer(chain, report);
        if (answer.proposal != nullptr && !isSaid([](const ui::ChainOffer& o) { return o.resolves; }))
            addAnswer(chain.chain, answer);
        const bool isBetterSaid = isSaid([](const ui::ChainOffer& o) { return o.isOffered(); });
        if (isBetterSaid || report == nullptr || report->offeredForChain(chain.chain) == nullptr) continue;
        ui::ChainOffer row;
        row.chain = chain.chain;
        row.finding = QCoreApplication::translate("Chains", "A failed chain comes through");
        add(std::move(row), report->offeredForChain(chain.chain), chain.proposals);
    }
    return offers;
}

std::vector<ui::ChainPartRow> partRows(const std::vector<ttnn::PartStep>& steps) {
    std::vector<ui::ChainPartRow> rows;
    for (const ttnn::PartStep& step : steps) {
        ui::ChainPartRow row{fromStd(step.title), fromStd(step.why), {}, step.isCurrent};
        if (step.plan) row.goals = step.goals;
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<ui::ChainTradeOff> tradeOffRows(const std::vector<ttnn::TradeOffRow>& from) {
    std::vector<ui::ChainTradeOff> rows;
    for (const ttnn::TradeOffRow& r : from) {
        ui::ChainTradeOff row;
        row.memory = fromStd(std::string(titleOf(r.kind)));
        row.words = fromStd(std::string(wordsOf(r.kind)));
        if (r.layout) row.layout = ui::shortLayoutText(*r.layout);
        row.message = fromStd(r.message);
        row.isPossible = r.isPossible;
        row.isCurrent = r.isCurrent;
        row.canUse = r.hint.has_value() && !r.isCurrent;
        row.ns = r.ns;
        row.conversionNs = r.conversionNs;
        row.totalNs = r.totalNs;
        row.differenceNs = r.differenceNs;
        row.boundBy = fromStd(std::string(wordOf(r.boundBy)));
        row.cores = r.cores;
        row.shardBytes = r.shardBytes;
        row.need = r.need;
        row.room = r.room;
        row.dramBytes = r.dramBytes;
        row.conversions = r.conversions;
        row.accepting = r.accepting;
        row.readers = r.readers;
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace memplan::app
