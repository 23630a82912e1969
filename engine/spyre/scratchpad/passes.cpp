// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/passes.h"

#include "engine/base/text.h"
#include "engine/solve/bounds.h"
#include "engine/spyre/scratchpad/buffers.h"
#include "engine/spyre/scratchpad/clone_inputs.h"
#include "engine/spyre/scratchpad/clones/clone_passes.h"
#include "engine/spyre/scratchpad/eviction/eviction_passes.h"
#include "engine/spyre/scratchpad/eviction/moves.h"
#include "engine/spyre/scratchpad/eviction/renaming.h"
#include "engine/spyre/scratchpad/hints.h"
#include "engine/spyre/scratchpad/op_order.h"
#include "engine/spyre/scratchpad/place.h"
#include "engine/spyre/scratchpad/placement_wishes.h"
#include "engine/spyre/scratchpad/reorder/reorder_pass.h"
#include "engine/spyre/scratchpad/rings/ring_transfers.h"
#include "engine/spyre/scratchpad/room.h"
#include "engine/spyre/scratchpad/search/co_optimize.h"
#include "engine/spyre/state.h"
#include "engine/spyre/texts/decisions.h"
#include "engine/spyre/texts/reasons.h"
#include "engine/spyre/tiling/read_copies/read_copies.h"

#include <algorithm>
#include <array>

namespace memplan::spyre {
namespace {

constexpr std::string_view kParent = "scratchpad_planning";

PassInfo step(std::string_view id, std::string_view title, std::string_view purpose) {
    PassInfo info;
    info.id = id;
    info.title = title;
    info.purpose = purpose;
    info.parent = kParent;
    return info;
}

// ---- 16.1 ----------------------------------------------------------------------------------------------

class CloneInputsPass final : public Pass {
public:
    [[nodiscard]] const PassInfo& info() const override {
        static const PassInfo kInfo = [] {
            PassInfo i = step("scratchpad_planning.clone_inputs", "clone multi-use inputs",
                              "copies graph inputs with several readers once, so that the copy can live on chip");
            i.mandatory = false;
            i.switchKey = "spyre.clone_inputs";
            return i;
        }();
        return kInfo;
    }

    [[nodiscard]] Result<PassOutcome> run(State& state, PassContext& context) const override {
        const BufferRules rules = BufferRules::from(context.settings, context.machine);
        applyOpOrder(state, context);
        const std::vector<ClonedInput> clones = cloneInputs(state.program, rules, clonePolicy(state, context, true));
        for (const ClonedInput& c : clones) {
            Decision d;
            d.op = c.op;
            d.buffer = c.clone;
            d.kind = DecisionKind::Clone;
            d.chosen = {say::kCloneOf, state.program.buffers[c.input.at()].name};
            const bool asked = ScratchpadHints(context, state).cloneWish(c.input).value_or(false);
            d.why = {asked ? say::kHintWantsInput : say::kCopyFitsBudget};
            context.decide(std::move(d));
        }
        return PassOutcome{!clones.empty(), {{"clones", static_cast<std::int64_t>(clones.size())}}};
    }
};

// ---- 16.3 ----------------------------------------------------------------------------------------------

class BuffersPass final : public Pass {
public:
    [[nodiscard]] const PassInfo& info() const override {
        static const PassInfo kInfo = [] {
            PassInfo i = step("scratchpad_planning.buffers", "liveness, sizes, eligibility, in-place candidates",
                              "finds out what may live on chip, how large it is on a core and when it is needed");
            i.provides = {"lifetimes"};
            return i;
        }();
        return kInfo;
    }

    [[nodiscard]] Result<PassOutcome> run(State& state, PassContext& context) const override {
        return measureCandidates(state, context);
    }
};

// ---- 16.4 ----------------------------------------------------------------------------------------------

class SolvePass final : public Pass {
public:
    [[nodiscard]] const PassInfo& info() const override {
        static const PassInfo kInfo = [] {
            PassInfo i = step("scratchpad_planning.solve", "address assignment by the chosen solver",
                              "gives each candidate an address for its lifetime, or leaves it in main memory");
            i.needs = {"lifetimes"};
            i.provides = {"addresses"};
            return i;
        }();
        return kInfo;
    }

    [[nodiscard]] Result<PassOutcome> run(State& state, PassContext& context) const override {
        return assignAddresses(state, context);
    }
};

// ---- 16.5 ----------------------------------------------------------------------------------------------

class PushPass final : public Pass {
public:
    [[nodiscard]] const PassInfo& info() const override {
        static const PassInfo kInfo = [] {
            PassInfo i = step("scratchpad_planning.push", "write addresses, check legality",
                              "takes unplaced clones out again and says why each buffer off chip is there");
            i.needs = {"addresses"};
            return i;
        }();
        return kInfo;
    }

    [[nodiscard]] Result<PassOutcome> run(State& state, PassContext& context) const override {
        ScratchpadState& pad = state.scratchpad;
        if (pad.solverStopped) markStopped(pad.entries);
        explainLostPacking(state.program, pad.capacity, context.machine.lxAlignment, pad.entries);
        if (const ScratchpadHints hints(context, state); !hints.empty()) hints.tell(state, context);
        markIdleEvictions(state.program, pad.entries);
        const std::vector<BufferId> dropped = unplacedInputClones(state);
        if (!dropped.empty()) takeOut(state, dropped, context);
        return PassOutcome{!dropped.empty(), {{"clones_removed", static_cast<std::int64_t>(dropped.size())}}};
    }

private:
    static void markStopped(std::vector<ScratchpadState::Entry>& entries) {
        for (ScratchpadState::Entry& e : entries) {
            if (!e.isCandidate || e.address || e.reason) continue;
            Reason r;
            r.code = ReasonCode::SolverStopped;
            r.stated = {say::kSolverStopped};
            e.reason = std::move(r);
        }
    }

    /// Left in place an unplaced clone would only add traffic: its users read the input again, which
    /// shows the reason of its clone (9.1).
    static void takeOut(State& state, const std::vector<BufferId>& dropped, PassContext& context) {
        ScratchpadState& pad = state.scratchpad;
        const std::vector<ScratchpadState::Entry> before = pad.entries;
        removeClones(state.program, dropped);
        std::vector<ScratchpadState::Entry> after =
            measureBuffers(state.program, BufferRules::from(context.settings, context.machine));
        for (std::size_t b = 0; b < after.size(); ++b) {
            // Positions of ops moved: who disagrees about a buffer is taken from the new measurement.
            const std::optional<Reason> measured = after[b].reason;
            after[b].isCandidate = before[b].isCandidate;
            after[b].mismatch = before[b].mismatch;
            after[b].reason = before[b].reason;
            if (after[b].reason) {
                after[b].reason->writer = measured ? measured->writer : OpId{};
                after[b].reason->reader = measured ? measured->reader : OpId{};
            }
            after[b].inPlaceParents = before[b].inPlaceParents;
            after[b].address = before[b].address;
            after[b].inPlaceOf = before[b].inPlaceOf;
        }
        for (const BufferId clone : dropped)
            tellInput(state.program, clone, before, after);
        pad.entries = std::move(after);
        explainAgain(state, context);
    }

    static void tellInput(const Program& program, BufferId clone, const std::vector<ScratchpadState::Entry>& before,
                          std::vector<ScratchpadState::Entry>& after) {
        after[clone.at()].isCandidate = false;
        const std::optional<Reason> cause = before[clone.at()].reason;
        after[clone.at()].reason.reset();
        std::optional<Reason>& reason = after[program.buffers[clone.at()].cloneOf.at()].reason;
        if (!cause || !reason) return;
        reason->others.push_back(cause->code);
        const bool noRoom = cause->code == ReasonCode::NoRoom && cause->gapStep >= 0;
        if (noRoom) {
            reason->clones.emplace_back(say::kCloneWithoutRoom, before[clone.at()].sizePerCore, cause->largestGap);
            return;
        }
        reason->clones.emplace_back(say::kCloneOffChip, cause->stated);
        reason->clones.insert(reason->clones.end(), cause->clones.begin(), cause->clones.end());
    }

    /// The evidence speaks of steps, and those moved when the clones went.
    static void explainAgain(State& state, const PassContext& context) {
        ScratchpadState& pad = state.scratchpad;
        for (ScratchpadState::Entry& e : pad.entries) {
            if (e.isCandidate && e.reason && e.reason->code == ReasonCode::NoRoom) e.reason.reset();
        }
        explainLostPacking(state.program, pad.capacity, context.machine.lxAlignment, pad.entries);
        const solve::Bounds bounds = solve::bounds(problemOf(state, context.machine).problem);
        pad.boundPerStep = bounds.spacePerTick;
        pad.peakLowerBound = bounds.peakLowerBound;
    }
};

}  // namespace

std::span<const Pass* const> scratchpadPasses() {
    static const CloneInputsPass cloneInputsPass;
    static const BuffersPass buffersPass;
    static const SolvePass solvePass;
    static const PushPass pushPass;
    static const std::array<const Pass*, 13> kPasses{&cloneInputsPass,
                                                     &coOptimizePass(),
                                                     &freeRenamingPass(),
                                                     &reorderOpsPass(),
                                                     &solverClonesPass(),
                                                     &buffersPass,
                                                     &solvePass,
                                                     &evictReloadPass(),
                                                     &outputClonesPass(),
                                                     &ringTransfersPass(),
                                                     &elideReadCopiesPass(),
                                                     &boundariesPass(),
                                                     &pushPass};
    return kPasses;
}

}  // namespace memplan::spyre
