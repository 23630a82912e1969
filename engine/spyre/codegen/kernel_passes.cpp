// SPDX-License-Identifier: Apache-2.0
#include "engine/base/text.h"
#include "engine/spyre/codegen/codegen_passes.h"
#include "engine/spyre/program_edit.h"
#include "engine/spyre/scratchpad/eviction/residency_segments.h"
#include "engine/spyre/state.h"
#include "engine/spyre/texts/decisions.h"
#include "engine/spyre/tiling/kernels.h"

#include <algorithm>
#include <map>

namespace memplan::spyre {
namespace {

std::int64_t loopsBelow(const LoopNode& node) {
    std::int64_t loops = node.isLoop() ? 1 : 0;
    for (const LoopNode& child : node.body)
        loops += loopsBelow(child);
    return loops;
}

/// A hint never ends a compile (hints.md 3): the next round does without its loop.
void refuseLoops(State& state, const std::string& fix) {
    for (const OversizedLoop& loop : oversizedLoops(state)) {
        if (loop.group >= state.loopNumbers.size()) continue;  // a loop of the search
        state.refusedLoops[state.loopNumbers[loop.group]] = {"its loop touches " + std::to_string(loop.tensors) +
                                                                 " tensors in main memory, a kernel can address " +
                                                                 std::to_string(loop.limit),
                                                             fix};
    }
}

/// One note for each pinned buffer that crosses a boundary, at the first one; and what each boundary is worth.
void reportBoundaries(const State& state, PassContext& context) {
    const Program& program = state.program;
    const KernelMap map = kernelMap(program, program.kernels);
    std::vector<BoundaryPayment> payments;
    std::map<BufferId, Bytes> price;
    for (const Crossing& c : crossings(state, map)) {
        payments.insert(payments.end(), c.payments.begin(), c.payments.end());
        price[c.buffer] = c.price();
    }
    reportPrices(program, map, payments, false, context);
    std::map<BufferId, std::vector<std::size_t>> crossed;
    for (std::size_t k = 0; k < program.kernels.size(); ++k) {
        for (const BufferId b : program.kernels[k].liveAcross)
            crossed[b].push_back(k);
    }
    for (const auto& [buffer, boundaries] : crossed) {
        const std::size_t first = boundaries.front();
        const std::string& name = program.buffers[buffer.at()].name;
        Diagnostic d;
        d.severity = Severity::Note;
        d.code = "LX-021";
        d.where = "buffer " + name;
        d.message = "Buffer \"" + name + "\" stays on chip between the kernels " + program.kernels[first].name +
                    " and " + program.kernels[first + 1].name;
        if (boundaries.size() > 1)
            d.message += " and over " + std::to_string(boundaries.size() - 1) + " more boundaries";
        const ScratchpadState::Entry& entry = state.scratchpad.entries[buffer.at()];
        d.message += ": a runtime that wipes the scratchpad there would lose its " + text::grouped(entry.sizePerCore) +
                     " B a core";
        if (price.contains(buffer))
            d.message += "; doing without costs " + text::grouped(price[buffer]) + " B of traffic";
        d.hint = "switch spyre.safe_boundaries on, or tile or fuse so that one kernel holds all its users";
        d.buffers = {buffer};
        d.ops = {program.kernels[first].ops.back()};
        context.report(std::move(d));
    }
}

}  // namespace

Result<PassOutcome> planHbmPool(State& state, PassContext& context) {
    state.program.pool = poolOf(state);
    const HbmPool& pool = state.program.pool;
    if (pool.peak > context.machine.hbmPoolBytes) {
        Error error =
            makeError("LX-017", "pool",
                      "the intermediates in main memory need " + text::grouped(pool.peak) +
                          " B at once, their segment holds " + text::grouped(context.machine.hbmPoolBytes) + " B",
                      "keep more of them on chip, tile the largest ones, or switch spyre.hbm_pool off");
        error.diagnostics.front().buffers = {pool.largestAtPeak};
        return error;
    }
    for (const auto& [buffer, offset] : pool.offsets) {
        Decision d;
        d.buffer = buffer;
        d.kind = DecisionKind::Pool;
        d.chosen = {say::kPoolOffset, offset};
        d.why = {say::kPooled};
        context.decide(std::move(d));
    }
    const auto count = static_cast<std::int64_t>(pool.offsets.size());
    return PassOutcome{count > 0, {{"pooled", count}, {"pool_bytes", pool.size}}};
}

Result<PassOutcome> nestInLoops(State& state, PassContext&) {
    Result<std::vector<LoopNode>> tree = loopTreeOf(state.program);
    if (!tree) return std::move(tree).error();
    state.program.loopTree = std::move(tree).value();
    std::int64_t loops = 0;
    for (const LoopNode& node : state.program.loopTree)
        loops += loopsBelow(node);
    return PassOutcome{loops > 0, {{"loops", loops}}};
}

Result<PassOutcome> makeKernels(State& state, PassContext& context) {
    Result<std::vector<Kernel>> kernels = kernelsOf(state, context.settings.boolean("spyre.fusion"));
    if (!kernels) {
        refuseLoops(state, kernels.error().primary().hint);
        return std::move(kernels).error();
    }
    state.program.kernels = std::move(kernels).value();
    if (!context.settings.boolean("spyre.safe_boundaries")) reportBoundaries(state, context);
    return PassOutcome{true, {{"kernels", static_cast<std::int64_t>(state.program.kernels.size())}}};
}

}  // namespace memplan::spyre
