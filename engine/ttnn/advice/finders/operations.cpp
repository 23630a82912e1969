// SPDX-License-Identifier: Apache-2.0
// Operations without sharded configurations, operations without a model, and a DRAM that is too small.
#include "engine/base/text.h"
#include "engine/ttnn/advice/finders/dram_use.h"
#include "engine/ttnn/advice/finders/finders.h"
#include "engine/ttnn/chains/op_kinds.h"

#include <algorithm>

namespace memplan::ttnn::finders {
namespace {

using text::grouped;

/// Hints of the request that force the output layout of this operation.
std::vector<std::size_t> layoutHints(const Facts& facts, OperationId op) {
    std::vector<std::size_t> found;
    const std::string scope = "op:" + facts.s.hintIds[op.at()];
    for (std::size_t i = 0; i < facts.s.hints.size(); ++i) {
        const Hint& hint = facts.s.hints[i];
        const bool isHere = std::ranges::find(hint.scopes, scope) != hint.scopes.end();
        if (hint.enabled && hint.key == "output_layout" && isHere) found.push_back(i);
    }
    return found;
}

/// Why an operation has no sharded configuration, and what may give it one.
void explain(const Facts& facts, OperationId op, const OpSpace& space, Finding& f) {
    const Options& options = facts.s.input.options;
    const Type& type = facts.function.typeOf(facts.function.resultOf(op));
    const bool isForced = findOverride(options.outputLayouts, facts.operation(op).location.name) != nullptr;
    if (isForced) {
        f.message += "a forced layout leaves none";
        f.fix = "remove the forced layout";
        f.proposals.push_back(withoutOverride(facts, op));
        return;
    }
    if (options.maxLegalLayouts == 0 &&
        !facts.s.input.layouts.of(type.shape, type.dtype, PageLayout::Tile).sharded.empty()) {
        f.message += "the limit of legal layouts is 0";
        f.fix = "raise the limit";
        f.proposals.push_back(settingProposal("legal layouts 64", "ttnn.max_legal_layouts", "64"));
        return;
    }
    const auto tiles = tiledShape(type.shape);
    if (!space.refused.empty())
        f.message += space.refused.front().second;
    else
        f.message += "its " + std::to_string(tiles[0]) + "x" + std::to_string(tiles[1]) +
                     " tiles are fewer than cores in each direction, or do not divide into aligned shards";
    f.fix = "allow row major layouts, or pad it to multiples of 32";
    if (!options.rowMajor) f.proposals.push_back(settingProposal("row major layouts", "ttnn.row_major", "true"));
}

bool isInChain(const Facts& facts, OperationId op) {
    return op.isValid() && op.at() < facts.flow.size() && facts.chainIndex(op) >= 0;
}

}  // namespace

Proposal withoutOverride(const Facts& facts, OperationId op) {
    Proposal proposal;
    proposal.change.text = "no forced layout for " + facts.name(op);
    proposal.change.hintsOff = layoutHints(facts, op);
    auto text = parseLayoutOverrides(facts.s.layoutOverrides);
    if (!text) return proposal;
    const std::size_t before = text.value().size();
    std::erase_if(text.value(), [&](const auto& entry) { return entry.first == facts.operation(op).location.name; });
    if (text.value().size() != before)
        proposal.change.settings.emplace_back("ttnn.override_output_layout", overrideText(text.value()));
    return proposal;
}

void noShardedConfigs(const Facts& facts, RawFindings& found) {
    for (const OperationId op : facts.function.order) {
        const OpSpace* space = facts.space(op);
        const bool concerns = space != nullptr && space->sharded.empty() && !space->configs.empty() &&
                              isShardable(facts.operation(op)) && facts.flow.hasTensorResult(op);
        if (!concerns) continue;
        Finding f;
        f.code = "TT-057";
        f.word = "no_sharded_config";
        f.ops = {facts.inPlan(op)};
        f.bytes = facts.wholeBytes(facts.function.resultOf(op));
        f.message = facts.name(op) + " (" + std::string(facts.operation(op).kind()) +
                    ") could stand in a chain but has no sharded configuration: ";
        explain(facts, op, *space, f);
        const OperationId one[]{op};
        std::string alike = facts.likeness(one) + f.fix;
        found.push_back({std::move(f), std::move(alike)});
    }
}

void unmodelledBetween(const Facts& facts, RawFindings& found) {
    for (const OperationId op : facts.function.order) {
        const OpMeasure* m = facts.measured(op);
        if (m == nullptr || m->status != ValidationStatus::NotImplemented) continue;
        std::string kept;
        Finding f;
        bool isBehind = false, isBefore = false;
        const auto keep = [&](OperationId producer) {
            const ValueId value = facts.function.resultOf(producer);
            f.bytes += facts.wholeBytes(value);
            kept += (kept.empty() ? "" : ", ") + facts.name(producer);
        };
        for (const TensorOperand& operand : facts.flow.operands(op)) {
            if (!isInChain(facts, operand.producer)) continue;
            isBehind = true;
            keep(operand.producer);
        }
        for (const OperationId reader : facts.flow.readers(op))
            isBefore = isBefore || isInChain(facts, reader);
        if (!isBehind || !isBefore) continue;
        keep(op);
        f.code = "TT-063";
        f.word = "op_not_modelled_here";
        f.ops = {facts.inPlan(op)};
        f.message = "the model does not know " + std::string(facts.operation(op).kind()) + " (" + facts.name(op) +
                    "), which stands between chains and keeps values in DRAM: " + kept + " (" + grouped(f.bytes) +
                    " B)";
        const OperationId one[]{op};
        found.push_back({std::move(f), facts.likeness(one)});
    }
}

void fullDram(const Facts& facts, RawFindings& found) {
    const Device& device = facts.s.input.model.device();
    const DramUse use = dramUse(facts.s.transformed.function, device);
    if (use.most() <= dramBytes(device) || facts.s.transformed.function.order.empty()) return;
    Finding f;
    f.severity = Severity::Warning;
    f.code = "TT-064";
    f.word = "dram_full";
    f.ops = {OpId::of(use.fullest())};
    f.bytes = use.most() - dramBytes(device);
    f.message = "arguments and results need " + grouped(use.most()) + " B of DRAM at " +
                facts.s.names[facts.s.transformed.function.order[use.fullest()].at()] + ", the " +
                std::to_string(device.dramChannels) + " channels have " + grouped(dramBytes(device)) + " B (" +
                grouped(use.arguments) + " B are arguments)";
    found.push_back({std::move(f), "dram"});
}

}  // namespace memplan::ttnn::finders
