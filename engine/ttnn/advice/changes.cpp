// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/advice/changes.h"

#include "engine/plan/ttnn_data.h"
#include "engine/ttnn/advice/advice.h"

#include <algorithm>

namespace memplan::ttnn {
namespace {

/// The operation of the input that makes the value, behind conversions that were inserted; none for an argument.
OpId makerOf(const Plan& plan, BufferId buffer) {
    OpId op = plan.buffer(buffer).producer;
    while (op.isValid() && !plan.op(op).addedBy.empty() && !plan.op(op).inputs.empty())
        op = plan.buffer(plan.op(op).inputs.front()).producer;
    return op;
}

bool isAbout(const std::vector<OpId>& ops, OpId op) {
    return std::ranges::find(ops, op) != ops.end();
}

class Collector {
public:
    void add(const std::vector<Proposal>& proposals) {
        for (const Proposal& proposal : proposals) {
            if (!proposal.exchange.empty()) continue;  // no change of the compile: the graph is the user's
            auto& list = proposal.change.hints.empty() ? settings_ : hints_;
            if (std::ranges::find(list, proposal.change) == list.end()) list.push_back(proposal.change);
        }
    }
    std::vector<advice::Change> take() {
        hints_.insert(hints_.end(), settings_.begin(), settings_.end());
        return std::move(hints_);
    }

private:
    std::vector<advice::Change> hints_, settings_;
};

}  // namespace

bool isAdvice(const Diagnostic& d) {
    return d.code >= "TT-050" && d.code <= "TT-064";
}

std::vector<advice::Change> changesFor(const Plan& plan, BufferId buffer) {
    const TtnnData& data = ttnnData(plan);
    const OpId op = plan.buffer(buffer).producer;
    if (!data.advice || !op.isValid() || !plan.op(op).addedBy.empty()) return {};
    Collector changes;
    const int chain = op.at() < data.record.ops.size() ? data.record.ops[op.at()].chain : -1;
    for (const ChainProposals& failed : data.advice->chains)
        if (failed.chain == chain) changes.add(failed.proposals);
    for (const Finding& finding : data.advice->findings)
        if (isAbout(finding.ops, op)) changes.add(finding.proposals);
    return changes.take();
}

std::vector<std::string> changesInWords(const Plan& plan, BufferId buffer) {
    const OpId op = makerOf(plan, buffer);
    std::vector<std::string> words;
    if (!op.isValid()) return words;
    for (const PassRun& run : plan.passes)
        for (const Diagnostic& d : run.diagnostics)
            if (isAdvice(d) && !d.hint.empty() && isAbout(d.ops, op)) words.push_back(d.code + ": " + d.hint);
    return words;
}

}  // namespace memplan::ttnn
