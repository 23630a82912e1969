// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/plan_file/codec.h"

#include "engine/base/text.h"
#include "engine/plan/spyre_data.h"
#include "engine/spyre/machine/spyre_machine.h"
#include "engine/spyre/plan_file/bundle_data.h"
#include "engine/spyre/plan_file/op_specs.h"
#include "engine/spyre/plan_file/search_data.h"

#include <algorithm>
#include <array>

namespace memplan::spyre {
namespace {

using io::PlanFields;

void writeSplits(io::JsonWriter& w, std::string_view key,
                 const std::vector<std::pair<std::int64_t, std::int64_t>>& splits) {
    w.key(key);
    w.beginInlineObject();
    for (const auto& [coefficient, slices] : splits)
        w.member(std::to_string(coefficient), slices);
    w.endObject();
}

void writeOp(io::JsonWriter& w, const PlanOp& op, const SpyreOpData& d) {
    w.key(op.name);
    w.beginObject();
    io::writeIntegers(w, "ranges", d.ranges);
    io::writeIntegers(w, "reduction_ranges", d.reductionRanges);
    w.key("named_dims");
    w.beginArray(true);
    for (const std::string& name : op.namedDims)
        w.string(name);
    w.endArray();
    w.key("dim_hints");
    w.raw(d.dimHintsJson);
    writeLevels(w, "loop_tiled_dims", d.loopTiledDims);
    w.key("committed_splits");
    w.beginInlineObject();
    for (const auto& [variable, slices] : d.committedSplits)
        w.member(variable, slices);
    w.endObject();
    w.key("op_it_space_splits");
    w.beginObject();
    writeSplits(w, "output", d.outputSplits);
    writeSplits(w, "reduction", d.reductionSplits);
    w.endObject();
    w.key("tiled_symbols");
    w.beginArray(true);
    for (const std::string& name : d.tiledSymbols)
        w.string(name);
    w.endArray();
    if (!d.tiledLoops.empty()) writeLevels(w, "x_tiled_loops", d.tiledLoops);
    w.endObject();
}

std::vector<std::pair<std::int64_t, std::int64_t>> readSplits(PlanFields& f, io::TapeIndex at) {
    std::vector<std::pair<std::int64_t, std::int64_t>> splits;
    f.eachMember(at, [&](io::TapeIndex m) {
        const auto coefficient = text::parseInt(f.tape.key(m));
        if (!coefficient) return f.fail(m, "the key is no coefficient");
        splits.emplace_back(*coefficient, f.integerAt(m));
    });
    return splits;
}

SpyreOpData readOp(PlanFields& f, io::TapeIndex at) {
    SpyreOpData d;
    d.ranges = f.integers(at, "ranges");
    d.reductionRanges = f.integers(at, "reduction_ranges");
    d.loopTiledDims = readLevels(f, at, "loop_tiled_dims");
    d.tiledLoops = readLevels(f, at, "x_tiled_loops");
    f.each(f.optional(at, "tiled_symbols"), [&](io::TapeIndex n) { d.tiledSymbols.emplace_back(f.tape.text(n)); });
    if (const io::TapeIndex hints = f.optional(at, "dim_hints")) d.dimHintsJson = f.tape.json(hints);
    if (const io::TapeIndex c = f.optional(at, "committed_splits")) {
        f.eachMember(
            c, [&](io::TapeIndex m) { d.committedSplits.emplace_back(std::string(f.tape.key(m)), f.integerAt(m)); });
    }
    if (const io::TapeIndex splits = f.optional(at, "op_it_space_splits")) {
        d.outputSplits = readSplits(f, f.object(splits, "output"));
        d.reductionSplits = readSplits(f, f.object(splits, "reduction"));
    }
    return d;
}

/// Loops over the dimensions of the result come first, then the reduced ones; extents of 1 have none.
void reductions(const SpyreOpData& data, PlanOp& op) {
    const auto loopsOf = [](const std::vector<std::int64_t>& ranges) {
        return static_cast<std::size_t>(std::count_if(ranges.begin(), ranges.end(), [](auto r) { return r > 1; }));
    };
    const std::size_t reduced = loopsOf(data.reductionRanges);
    if (loopsOf(data.ranges) + reduced != op.iterationSpace.size()) return;
    for (std::size_t v = op.iterationSpace.size() - reduced; v < op.iterationSpace.size(); ++v)
        op.iterationSpace[v].isReduction = true;
}

/// The passes of a plan file are those that ran.
bool ran(const Plan& plan, std::string_view pass) {
    return std::any_of(plan.passes.begin(), plan.passes.end(), [&](const PassRun& r) { return r.name == pass; });
}

/// Of an imported source less is known, which the validator has to know; a plan without memory was stopped before
/// there was one.
void deriveOrigin(const PlanFields& f, Plan& plan) {
    static constexpr std::array<std::string_view, 4> kImported{"wrapper", "spyre-bundle", "bundle-folder", "sdsc"};
    const auto states = [&](std::string_view key) { return f.tape.find(0, key) != 0; };
    const bool isImported = std::find(kImported.begin(), kImported.end(), plan.input.format) != kImported.end();
    if (!states("x_solver") && isImported) plan.solver = "imported";
    const bool isWhole =
        states("memory") && ran(plan, "scratchpad_planning.solve") == ran(plan, "scratchpad_planning.push");
    if (!states("x_stopped_after") && !isWhole && !plan.passes.empty()) plan.stoppedAfter = plan.passes.back().name;
}

}  // namespace

void writeData(const Plan& plan, io::PlanItemsWriter& items) {
    io::JsonWriter& w = items.json();
    const SpyreData& data = spyreData(plan);
    if (data.ops.size() == plan.ops.size()) {
        w.key("ops");
        w.beginObject();
        for (std::size_t i = 0; i < plan.ops.size(); ++i)
            writeOp(w, plan.ops[i], data.ops[i]);
        w.endObject();
    }
    writeBundleData(w, plan, items);
    if (data.coOptimization) writeCoOptimization(w, *data.coOptimization);
    if (data.costEstimate) writeCostEstimate(w, *data.costEstimate);
    if (data.operationOrder) writeOperationOrder(w, *data.operationOrder);
}

void readData(PlanFields& f, io::TapeIndex at, Plan& plan) {
    if (at == 0) return;
    SpyreData& data = editSpyreData(plan);
    data = readBundleData(f, at);
    if (const io::TapeIndex ops = f.optional(at, "ops")) {
        if (const io::TapeIndex trace = f.optional(at, "co_optimization"))
            data.coOptimization = readCoOptimization(f, trace);
        if (const io::TapeIndex estimate = f.optional(at, "cost_estimate"))
            data.costEstimate = readCostEstimate(f, estimate);
        if (const io::TapeIndex order = f.optional(at, "operation_order"))
            data.operationOrder = readOperationOrder(f, order);
        data.ops.resize(plan.ops.size());
        f.eachMember(ops, [&](io::TapeIndex member) {
            const OpId op = f.opNamed(member, f.tape.key(member));
            if (!op.isValid()) return;
            data.ops[op.at()] = readOp(f, member);
            f.each(f.optional(member, "named_dims"),
                   [&](io::TapeIndex n) { plan.ops[op.at()].namedDims.emplace_back(f.tape.text(n)); });
        });
        readOpSpecs(f, at, plan);
    }
    if (f.optional(0, "x_decisions") != 0) checkBoundaryBytes(f, at, plan);
}

void deriveData(const PlanFields& f, Plan& plan) {
    deriveOrigin(f, plan);
    const SpyreData& data = spyreData(plan);
    std::size_t i = 0;
    const io::TapeIndex ops = f.optional(0, "ops");
    if (ops != 0 && f.tape.type(ops) == io::JsonType::Array) {
        for (const io::TapeIndex at : f.tape.children(ops)) {
            if (i < data.ops.size() && f.tape.find(at, "x_loops") == 0) reductions(data.ops[i], plan.ops[i]);
            ++i;
        }
    }
    const io::TapeIndex memory = f.optional(0, "memory");
    if (memory != 0 && f.tape.find(memory, "x_physical") == 0 && !plan.ops.empty())
        plan.memory.physical = spyreMachine(plan.machine).lxBytesPerCore;
}

}  // namespace memplan::spyre
