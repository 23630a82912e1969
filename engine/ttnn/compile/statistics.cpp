// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/compile/statistics.h"

#include "engine/base/text.h"
#include "engine/plan/ttnn_data.h"
#include "engine/ttnn/advice/changes.h"
#include "engine/ttnn/compile/chain_words.h"
#include "engine/ttnn/compile/snapshot_text.h"
#include "engine/ttnn/texts/times.h"

#include <algorithm>
#include <map>

namespace memplan::ttnn {
namespace {

using text::grouped;
using Rows = std::vector<std::pair<std::string, std::string>>;

std::string share(double part) {
    return text::fixed(100 * part, 1) + " %";
}

StatisticsTable goals(const TtnnData& data) {
    const TtnnGoals& g = data.goals;
    Rows rows{{"policy", data.policy},
              {"results in L1 when last read", share(g.l1ResidencyShare()) + " of " + grouped(g.readBytes) + " B"},
              {"DRAM bytes read and written", grouped(g.dramBytes)},
              {"sharded operations", grouped(g.shardedOps) + " of " + grouped(g.tensorOps)},
              {"reshards", grouped(g.reshards()) + " (" + grouped(g.forcedReshards) + " forced, " +
                               grouped(g.overrideReshards) + " by override, " + grouped(g.proactiveReshards) +
                               " proactive), " + grouped(g.reshardBytes) + " B"},
              {"spills to DRAM", grouped(g.spills)},
              {"core utilisation", share(g.coreUtilisation) + " by time, " + text::fixed(g.meanCores, 1) + " of " +
                                       grouped(data.device.workers.volume()) + " cores on average over the operations"},
              {"validated operations", grouped(g.validatedOps) + ", not modelled " + grouped(g.unmodelledOps)},
              {"estimated time",
               groupedMicroseconds(g.estimatedNs) + ", conversions " + groupedMicroseconds(g.conversionNs)}};
    if (g.lowerBoundNs) rows.emplace_back("lower bound of the time", groupedMicroseconds(*g.lowerBoundNs));
    return {"Goals", std::move(rows)};
}

StatisticsTable chains(const TtnnData& data) {
    std::map<std::string, std::int64_t> states, ends;
    for (const ChainInfo& chain : data.record.chains) {
        ++states[std::string(wordOf(chain.state))];
        ++ends[std::string(wordOf(chain.endedBy))];
    }
    Rows rows;
    for (const auto& [state, count] : states)
        rows.emplace_back(state, grouped(count));
    for (const auto& [end, count] : ends)
        rows.emplace_back("ended by " + end, grouped(count));
    const auto accepted = std::ranges::count(data.record.merges, true, &MergeInfo::isAccepted);
    rows.emplace_back("merges",
                      grouped(accepted) + " of " + grouped(static_cast<std::int64_t>(data.record.merges.size())));
    rows.emplace_back("reservations", grouped(static_cast<std::int64_t>(data.record.reservations.size())));
    return {"L1 chains", std::move(rows)};
}

/// Each chain with its end, in order.
StatisticsTable chainEnds(const Plan& plan, const TtnnData& data) {
    Rows rows;
    for (std::size_t c = 0; c < data.record.chains.size(); ++c) {
        const ChainInfo& chain = data.record.chains[c];
        if (chain.ops.empty()) continue;
        std::string ops = plan.op(chain.ops.front()).name;
        if (chain.ops.size() > 1)
            ops += " to " + plan.op(chain.ops.back()).name + " (" + std::to_string(chain.ops.size()) + " operations)";
        std::string words =
            std::string(wordOf(chain.state)) + ", " + ops + ", " + goesTo(chain) + "; ends: " + endWords(plan, chain);
        if (chain.failure) words += "; failed at " + edgeWords(plan, *chain.failure);
        if (!chain.suggestions.empty()) words += "; to try: " + toTry(chain);
        rows.emplace_back(chainName(c), std::move(words));
    }
    return {"Chains and their ends", std::move(rows)};
}

/// The elementwise function that a kernel applies to its result; empty for none.
std::string fusedFunction(const OpAttrs& config) {
    if (const auto* conv = std::get_if<Conv2dAttrs>(&config))
        return conv->config ? conv->config->activation.value_or("") : "";
    const auto* product = std::get_if<MatmulAttrs>(&config);
    return product != nullptr && product->program ? product->program->fusedActivation.value_or("") : "";
}

/// Findings as the passes said them.
StatisticsTable adviceOf(const Plan& plan) {
    Rows rows;
    for (const PassRun& run : plan.passes) {
        for (const Diagnostic& d : run.diagnostics) {
            if (!isAdvice(d)) continue;
            rows.emplace_back(d.code, text::escaped(d.message + (d.hint.empty() ? "" : ": " + d.hint)));
        }
    }
    return {"Advice", std::move(rows)};
}

}  // namespace

std::vector<StatisticsTable> statistics(const Plan& plan) {
    const TtnnData& data = ttnnData(plan);
    if (data.policy.empty()) return {};
    std::vector<StatisticsTable> tables{goals(data)};
    if (data.hasChains) {
        tables.push_back(chains(data));
        if (StatisticsTable ends = chainEnds(plan, data); !ends.rows.empty()) tables.push_back(std::move(ends));
    }
    if (StatisticsTable advice = adviceOf(plan); !advice.rows.empty()) tables.push_back(std::move(advice));
    return tables;
}

std::vector<std::pair<std::string, std::string>> factsOf(const Plan& plan, OpId id) {
    const TtnnData& data = ttnnData(plan);
    if (id.at() >= data.ops.size()) return {};
    const TtnnOp& op = data.ops[id.at()];
    Rows rows{{"operation", op.name}};
    for (std::size_t i = 0; i < op.operands.size(); ++i)
        rows.emplace_back("operand " + std::to_string(i), layoutWords(op.operands[i].layout));
    for (const TtnnTensor& result : op.results)
        rows.emplace_back("result", layoutWords(result.layout));
    const int chain = id.at() < data.record.ops.size() ? data.record.ops[id.at()].chain : -1;
    if (chain >= 0) {
        const ChainInfo& info = data.record.chains[static_cast<std::size_t>(chain)];
        rows.emplace_back("chain", std::to_string(chain) + ", " + std::string(wordOf(info.state)));
        if (!info.suggestions.empty()) rows.emplace_back("to try for the chain", toTry(info));
    } else if (id.at() < data.record.ops.size() && data.record.ops[id.at()].whyNone)
        rows.emplace_back("chain", "none: " + std::string(wordOf(*data.record.ops[id.at()].whyNone)));
    if (const std::string function = fusedFunction(op.config); !function.empty())
        rows.emplace_back("applies", function + ", fused into it");
    for (std::string& words : adviceFor(plan, id))
        rows.emplace_back("advice", std::move(words));
    if (op.status.empty()) return rows;
    rows.emplace_back("needs of a core", grouped(op.need) + " of " + grouped(plan.memory.capacity) + " B: buffers " +
                                             grouped(op.cb) + ", tensors " + grouped(op.tensorL1) + ", inputs " +
                                             grouped(op.residentInputs) + ", others " + grouped(op.reserved));
    rows.emplace_back("estimated time", groupedMicroseconds(op.ns) + ", bound by " + op.boundBy);
    return rows;
}

}  // namespace memplan::ttnn
