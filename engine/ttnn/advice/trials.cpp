// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/advice/trials.h"

#include "engine/base/text.h"
#include "engine/ttnn/advice/exchange.h"
#include "engine/ttnn/texts/times.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace memplan::ttnn {
namespace {

constexpr double kLeastGain = 0.01;

/// Proposals to compile, each once.
class Candidates {
public:
    explicit Candidates(const Advice& advice) {
        for (std::size_t round = 0; addRound(advice, round); ++round) {
        }
        std::vector<Trial> found = std::exchange(trials_, {});
        for (const ChainProposals& chain : advice.chains)
            if (chain.solving >= 0) of(chain.proposals[static_cast<std::size_t>(chain.solving)]);
        trials_ = inTurn(std::move(found), std::exchange(trials_, {}));
        for (std::size_t round = 0; addChains(advice, round); ++round) {
        }
    }
    std::vector<Trial> take() { return std::move(trials_); }

private:
    /// One of the first list, one of the second, and so on; what both have stands where it comes first.
    static std::vector<Trial> inTurn(std::vector<Trial> first, std::vector<Trial> second) {
        std::vector<Trial> all;
        const auto isThere = [&all](const Trial& trial) {
            return std::ranges::any_of(all, [&](const Trial& t) { return isSame(t.proposal, trial.proposal); });
        };
        for (std::size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
            if (i < first.size() && !isThere(first[i])) all.push_back(first[i]);
            if (i >= second.size() || isThere(second[i])) continue;
            const auto known =
                std::ranges::find_if(first, [&](const Trial& t) { return isSame(t.proposal, second[i].proposal); });
            all.push_back(known != first.end() ? *known : second[i]);
        }
        return all;
    }
    static bool isSame(const Proposal& a, const Proposal& b) {
        return a.change.settings == b.change.settings && a.change.hints == b.change.hints &&
               a.change.hintsOff == b.change.hintsOff && a.exchange == b.exchange;
    }
    Trial& of(const Proposal& proposal) {
        const auto it = std::ranges::find_if(trials_, [&](const Trial& t) { return isSame(t.proposal, proposal); });
        if (it != trials_.end()) return *it;
        trials_.emplace_back().proposal = proposal;
        return trials_.back();
    }
    bool addRound(const Advice& advice, std::size_t round) {
        bool isAny = false;
        for (std::size_t f = 0; f < advice.findings.size(); ++f) {
            const auto& proposals = advice.findings[f].proposals;
            if (round >= proposals.size()) continue;
            isAny = true;
            Trial& trial = of(proposals[round]);
            trial.findings.push_back(f);
            if (advice.findings[f].code == "TT-051") trial.chains.push_back(advice.findings[f].chain);
        }
        return isAny;
    }
    bool addChains(const Advice& advice, std::size_t round) {
        bool isAny = false;
        for (const ChainProposals& chain : advice.chains) {
            if (round >= chain.proposals.size()) continue;
            isAny = true;
            Trial& trial = of(chain.proposals[round]);
            if (std::ranges::find(trial.chains, chain.chain) == trial.chains.end()) trial.chains.push_back(chain.chain);
        }
        return isAny;
    }

    std::vector<Trial> trials_;
};

double gainOf(const Trial& trial, const TrialFigures& before) {
    return trial.isOffered() ? before.ns - trial.after.ns : 0;
}

/// Whether all of these stand in one chain of the plan that is completed, and nothing else does.
bool isCompleted(const Plan& plan, const std::vector<std::string>& ops) {
    const ChainRecord& record = ttnnData(plan).record;
    const auto first = std::ranges::find(plan.ops, ops.front(), &PlanOp::name);
    const auto at = static_cast<std::size_t>(first - plan.ops.begin());
    const int chain = at < record.ops.size() ? record.ops[at].chain : -1;
    if (chain < 0) return false;
    const ChainInfo& info = record.chains[static_cast<std::size_t>(chain)];
    return info.state == ChainState::Completed &&
           std::equal(info.ops.begin(), info.ops.end(), ops.begin(), ops.end(),
                      [&](OpId op, const std::string& name) { return plan.op(op).name == name; });
}

void compileTrial(const TrialQuestion& question, const RunControl& control, Trial& trial) {
    CompileRequest request = requestWith(question.target, question.request, trial.proposal);
    RunControl quiet = control;
    quiet.onProgress = nullptr;
    const CompileOutcome outcome = question.target.compile(request, quiet, nullptr);
    if (!outcome.plan) {
        trial.outcome = TrialOutcome::Failed;
        trial.why = outcome.failure ? outcome.failure->error.primary().message : std::string("no plan");
        return;
    }
    trial.plan = outcome.plan;
    trial.after = figuresOf(ttnnData(*outcome.plan).goals);
    for (const ChainProposals& failed : question.advice.chains)
        if (isCompleted(*outcome.plan, failed.ops)) trial.completed.push_back(failed.chain);
    trial.outcome = isBetter(trial.after, figuresOf(question.goals)) ? TrialOutcome::Better : TrialOutcome::NoGain;
}

void sortByGain(TrialReport& report) {
    std::ranges::stable_sort(report.trials, [&](const Trial& a, const Trial& b) {
        const double x = gainOf(a, report.before), y = gainOf(b, report.before);
        if (x != y) return x > y;
        if (a.isOffered() != b.isOffered()) return a.isOffered();
        return a.isOffered() && a.after.sharded > b.after.sharded;
    });
}

const Trial* firstOffered(const std::vector<Trial>& trials, const auto& concerns) {
    const auto it = std::ranges::find_if(trials, [&](const Trial& t) { return t.isOffered() && concerns(t); });
    return it == trials.end() ? nullptr : &*it;
}

}  // namespace

TrialFigures figuresOf(const TtnnGoals& goals) {
    return {goals.estimatedNs, goals.shardedOps, goals.dramBytes};
}

bool isBetter(const TrialFigures& after, const TrialFigures& before) {
    const bool isFaster = after.ns < before.ns * (1 - kLeastGain);
    return isFaster || (after.sharded > before.sharded && after.ns <= before.ns);
}

const Trial* TrialReport::offered(std::size_t finding) const {
    return firstOffered(trials, [&](const Trial& t) { return std::ranges::count(t.findings, finding) > 0; });
}

const Trial* TrialReport::offeredForChain(int chain) const {
    return firstOffered(trials, [&](const Trial& t) { return std::ranges::count(t.chains, chain) > 0; });
}

const Trial* TrialReport::completing(int chain) const {
    const auto it =
        std::ranges::find_if(trials, [&](const Trial& t) { return std::ranges::count(t.completed, chain) > 0; });
    return it == trials.end() ? nullptr : &*it;
}

const Trial* TrialReport::find(const Proposal& proposal) const {
    const auto it = std::ranges::find(trials, proposal, &Trial::proposal);
    return it == trials.end() ? nullptr : &*it;
}

CompileRequest requestWith(const Target& target, CompileRequest request, const Proposal& proposal) {
    const advice::Change& change = proposal.change;
    for (const std::size_t i : change.hintsOff)
        if (i < request.hints.size()) request.hints[i].enabled = false;
    request.hints.insert(request.hints.end(), change.hints.begin(), change.hints.end());
    // Values of the table's own range: setting them cannot fail.
    for (const auto& [key, value] : change.settings)
        (void)request.settings.set(key, value);
    for (const std::string& op : proposal.exchange)
        exchangeOperands(target, op, request);
    return request;
}

Trial tryProposal(const TrialQuestion& question, const Proposal& proposal, const RunControl& control) {
    Trial trial;
    trial.proposal = proposal;
    const CompileRequest plain = withoutExtras(question.request);
    compileTrial({question.target, plain, question.advice, question.goals, question.planHash}, control, trial);
    return trial;
}

Result<TrialReport> tryAdvice(const TrialQuestion& question, int limit, const RunControl& control) {
    TrialReport report;
    report.planHash = question.planHash;
    report.before = figuresOf(question.goals);
    std::vector<Trial> candidates = Candidates(question.advice).take();
    const std::size_t count = std::min(candidates.size(), static_cast<std::size_t>(std::max(0, limit)));
    const CompileRequest plain = withoutExtras(question.request);
    const TrialQuestion same{question.target, plain, question.advice, question.goals, question.planHash};
    for (std::size_t i = 0; i < count; ++i) {
        if (control.cancelled()) return makeError(kCancelledCode, "", "cancelled");
        if (control.timedOut()) break;
        control.progress("trying", static_cast<double>(i), static_cast<double>(count));
        compileTrial(same, control, candidates[i]);
        if (control.cancelled()) return makeError(kCancelledCode, "", "cancelled");
        report.trials.push_back(std::move(candidates[i]));
    }
    control.progress("trying", static_cast<double>(count), static_cast<double>(count));
    report.untried = static_cast<int>(candidates.size() - report.trials.size());
    sortByGain(report);
    return report;
}

std::vector<std::size_t> findingOrder(const Advice& advice, const TrialReport* report) {
    std::vector<std::size_t> order(advice.findings.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (report == nullptr) return order;
    const auto gain = [&](std::size_t finding) {
        const Trial* best = report->offered(finding);
        return best == nullptr ? -1 : gainOf(*best, report->before);
    };
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return gain(a) > gain(b); });
    return order;
}

std::string effectWords(const Trial& trial, const TrialFigures& before, std::string (*timeText)(double ns)) {
    if (trial.outcome == TrialOutcome::Failed) return trial.why;
    std::vector<std::string> words;
    const auto add = [&words](const std::string& name, const std::string& after, const std::string& was) {
        if (after != was) words.push_back(name + after + " instead of " + was);
    };
    add("", timeText(trial.after.ns), timeText(before.ns));
    add("sharded operations ", std::to_string(trial.after.sharded), std::to_string(before.sharded));
    add("DRAM ", text::grouped(trial.after.dramBytes) + " B", text::grouped(before.dramBytes) + " B");
    if (words.empty()) words.emplace_back("time, sharded operations and DRAM bytes stay");
    return text::join(words, ", ");
}

std::string trialWords(const Trial& trial, const TrialFigures& before) {
    const bool isFailed = trial.outcome == TrialOutcome::Failed;
    return trial.proposal.change.text + (isFailed ? ": no plan, " : ": ") + effectWords(trial, before, &microseconds) +
           (isFailed || trial.isOffered() ? "" : " (tried, no gain)");
}

}  // namespace memplan::ttnn
