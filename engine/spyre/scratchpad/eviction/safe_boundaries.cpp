// SPDX-License-Identifier: Apache-2.0
// Step boundaries (spyre-scratchpad 14.6): with spyre.safe_boundaries no buffer is on chip when one kernel ends and the
// next begins. Each boundary is an eviction point: a buffer is written out behind its last use in a kernel and fetched
// again in front of its first use in another one where that saves traffic there, and stays off chip elsewhere. What
// that leaves is solved again, as behind every eviction (14.1b).
#include "engine/base/numeric.h"
#include "engine/solve/problem/bounds.h"
#include "engine/spyre/joint/relayout.h"
#include "engine/spyre/program_edit.h"
#include "engine/spyre/scratchpad/clone_inputs.h"
#include "engine/spyre/scratchpad/eviction/eviction_passes.h"
#include "engine/spyre/scratchpad/eviction/kernel_room.h"
#include "engine/spyre/scratchpad/eviction/residency_segments.h"
#include "engine/spyre/scratchpad/placement/candidate_problem.h"
#include "engine/spyre/scratchpad/placement/trial_plan.h"
#include "engine/spyre/scratchpad/traffic.h"
#include "engine/spyre/state.h"
#include "engine/spyre/texts/decisions.h"
#include "engine/spyre/texts/reasons.h"
#include "engine/spyre/tiling/kernels.h"

#include <algorithm>
#include <map>

namespace memplan::spyre {
namespace {

constexpr std::string_view kPass = "scratchpad_planning.boundaries";
using Entries = std::vector<ScratchpadState::Entry>;

class Emptying {
public:
    Emptying(State& state, PassContext& context)
        : state_(state), context_(context), rules_(BufferRules::from(context.settings, context.machine)),
          start_(plannedTraffic(state)) {}

    Result<PassOutcome> run() {
        if (auto done = empty(); !done) return std::move(done).error();
        if (auto done = solveAgain(); !done) return std::move(done).error();
        auto kernels = kernelsNow();
        if (!kernels) return std::move(kernels).error();
        reportPrices(state_.program, kernels.value(), payments_, true, context_);
        finish();
        return outcome();
    }

private:
    static constexpr std::size_t kWork = 40'000;  ///< ops of all trials together
    static constexpr std::size_t kLeast = 8, kMost = 200;

    /// Until nothing is on chip at a boundary.
    Result<void> empty() {
        while (true) {
            if (context_.cancelled()) return cancelledError();
            auto kernels = kernelsNow();
            if (!kernels) return std::move(kernels).error();
            const std::vector<Crossing> found = crossings(state_, kernels.value());
            if (found.empty() && refill(kernels.value())) continue;
            if (found.empty()) return {};
            for (const Crossing& c : found)
                treat(c.buffer, kernels.value());
        }
    }

    Entries& entries() { return state_.scratchpad.entries; }

    /// The kernels that the later passes will make of this placement, by the ops of the program as it is now.
    Result<KernelMap> kernelsNow() {
        State later = state_;
        markIdleEvictions(later.program, later.scratchpad.entries);
        if (const auto useless = unplacedInputClones(later); !useless.empty()) {
            const Entries before = later.scratchpad.entries;
            removeClones(later.program, useless);
            later.scratchpad.entries = measureBuffers(later.program, rules_);
            keepDecisions(before, later.scratchpad.entries);
        }
        later.program.pool = context_.settings.boolean("spyre.hbm_pool") ? poolOf(later) : HbmPool{};
        Result<std::vector<LoopNode>> tree = loopTreeOf(later.program);
        if (!tree) return std::move(tree).error();
        later.program.loopTree = std::move(tree).value();
        Result<std::vector<Kernel>> kernels = kernelsOf(later, context_.settings.boolean("spyre.fusion"));
        if (!kernels) return std::move(kernels).error();
        const KernelMap map = kernelMap(later.program, kernels.value());
        kernelByName_.clear();
        for (std::size_t i = 0; i < later.program.ops.size(); ++i)
            kernelByName_[later.program.ops[i].name] = map.kernelOf[i];
        return here(map);
    }

    /// The same kernels by the positions of the program as it is now.
    [[nodiscard]] KernelMap here(const KernelMap& of) const {
        KernelMap map{{}, of.isOpen};
        for (const Op& op : state_.program.ops) {
            const auto at = kernelByName_.find(op.name);
            map.kernelOf.push_back(at == kernelByName_.end() ? -1 : at->second);
        }
        return map;
    }

    /// Positions moved since the list was made, so the buffer is looked at anew.
    void treat(BufferId buffer, const KernelMap& of) {
        if (parts_.contains(buffer)) refused_.insert(buffer);
        const auto c = crossingOf(state_, here(of), buffer, refused_);
        if (!c) return;  // left with the shuffle of another one
        const bool staysSomewhere =
            std::any_of(c->segments.begin(), c->segments.end(), [](const ResidencySegment& s) { return s.onChip; });
        if (!staysSomewhere || !split(*c)) refuse(*c, of);
    }

    bool split(const Crossing& c) {
        MovePlan plan;
        plan.buffer = c.buffer;
        const ResidencySegment& first = c.segments.front();
        plan.writeOut = first.onChip && !c.isClean;
        plan.before = groupEnd(state_.program, first.ops.back().at());
        for (std::size_t s = 1; s < c.segments.size(); ++s) {
            const ResidencySegment& segment = c.segments[s];
            plan.later.push_back({segment.ops, segment.onChip, groupBegin(state_.program, segment.ops.front().at())});
        }
        for (const OpId eviction : c.evictions)
            plan.later.push_back({{eviction}, false, eviction.at()});
        const auto moved = applyMoves(state_.program, rules_, plan, kPass);
        if (!moved) return false;
        const Entries before = entries();
        entries() = measureBuffers(state_.program, rules_);
        keepDecisions(before, entries());
        takePlaces(c, plan, *moved, before);
        record(c);
        reportSplit(c, plan, *moved);
        return true;
    }

    void reportSplit(const Crossing& c, const MovePlan& plan, const MoveResult& moved) {
        std::vector<std::string> added;
        if (plan.writeOut) added.push_back(state_.program.buffers[moved.home.at()].name);
        for (const BufferId reload : moved.reloads) {
            if (reload.isValid()) added.push_back(state_.program.buffers[reload.at()].name);
        }
        Decision d;
        d.buffer = c.buffer;
        d.kind = DecisionKind::Boundary;
        d.chosen = added.empty() ? Statement(say::kFirstKernelOnly) : Statement(say::kNameList, std::move(added));
        d.why = {say::kUsedInKernels, c.segments.size(), c.price()};
        context_.decide(std::move(d));
    }

    /// Each part keeps the buffer's address, which nobody else has during the whole life.
    void takePlaces(const Crossing& c, const MovePlan& plan, const MoveResult& moved, const Entries& before) {
        const ScratchpadState::Entry& whole = before[c.buffer.at()];
        for (const BufferId reload : moved.reloads) {
            if (!reload.isValid()) continue;
            entries()[reload.at()].isCandidate = true;
            entries()[reload.at()].address = whole.address;
            parts_.insert(reload);
        }
        if (plan.writeOut) {
            Reason r;
            r.code = ReasonCode::OpNotAllowed;
            r.stated = {say::kWaitsOutside, state_.program.buffers[moved.home.at()].name};
            entries()[moved.home.at()].reason = std::move(r);
        }
        if (c.segments.front().onChip) {
            parts_.insert(c.buffer);
        } else {
            leave(c.buffer, c);
        }
        fixInPlaceReuse();
    }

    void refuse(Crossing c, const KernelMap& of) {
        // A copy without a division of its own cannot be made: then the buffer stays nowhere.
        refused_.insert(c.buffer);
        if (auto again = crossingOf(state_, here(of), c.buffer, refused_)) c = std::move(*again);
        record(c);
        std::set<BufferId> group{c.buffer};
        for (const Op& op : state_.program.ops) {
            if (op.fn != joint::kRelayoutFn) continue;
            const BufferId source = op.reads.front().buffer;
            if (op.write.buffer == c.buffer || source == c.buffer) addShuffle(source, group);
        }
        for (const BufferId b : group)
            leave(b, c);
        fixInPlaceReuse();
    }

    /// The source and every copy that the ring makes of it: without them the users read main memory.
    void addShuffle(BufferId source, std::set<BufferId>& group) {
        group.insert(source);
        for (const Op& op : state_.program.ops) {
            if (op.fn != joint::kRelayoutFn || op.reads.front().buffer != source) continue;
            state_.program.buffers[op.write.buffer.at()].cloneOf = source;
            group.insert(op.write.buffer);
        }
    }

    static bool fetched(const Crossing& c) {
        return std::any_of(c.segments.begin() + 1, c.segments.end(),
                           [](const ResidencySegment& s) { return s.onChip; });
    }

    void leave(BufferId id, const Crossing& c) {
        ScratchpadState::Entry& e = entries()[id.at()];
        if (!e.address) return;
        e.address.reset();
        e.inPlaceOf = {};
        e.isCandidate = false;
        Reason r;
        r.code = ReasonCode::NoRoom;
        r.stated = {fetched(c) ? say::kBoundariesFetched : say::kBoundariesSaveNothing, c.segments.size()};
        e.reason = std::move(r);
        Decision d;
        d.buffer = id;
        d.kind = DecisionKind::Boundary;
        d.chosen = {say::kMainMemory};
        d.why = e.reason->stated;
        context_.decide(std::move(d));
    }

    /// A child stands in the slot of a parent that is on chip and dies at its birth, or in none.
    void fixInPlaceReuse() {
        for (ScratchpadState::Entry& child : entries()) {
            if (!child.inPlaceOf.isValid() || fits(child.inPlaceOf, child)) continue;
            child.inPlaceOf = {};
            const Op& birth = state_.program.ops[child.uses.front().at()];
            for (const Access& read : birth.reads) {
                if (child.address && fits(read.buffer, child)) child.inPlaceOf = read.buffer;
            }
        }
    }

    bool fits(BufferId parent, const ScratchpadState::Entry& child) {
        const ScratchpadState::Entry& p = entries()[parent.at()];
        return p.address && p.address == child.address && p.sizePerCore >= child.sizePerCore &&
               p.life.end == child.life.begin + 1;
    }

    /// Once the scratchpad is empty at the boundaries there is room that it did not have: buffers that lost the packing
    /// and are used in one kernel only take it.
    bool refill(const KernelMap& of) {
        if (refilled_ || treated_ == 0) return false;
        refilled_ = true;
        const Bytes saved = fillRoom(state_, context_, of);
        saved_ += saved;
        return saved > 0;
    }

    // ---- solving again (14.1b) ---------------------------------------------------------------------------

    struct Snapshot {
        State state;
        std::set<BufferId> refused, parts;
        std::map<std::string, int> kernelByName;
        std::vector<BoundaryPayment> payments;
        std::size_t decisions = 0;
        std::int64_t treated = 0;
        Bytes saved = 0, traffic = 0;
    };

    [[nodiscard]] Snapshot snapshot() const {
        return {state_,        refused_,  parts_,
                kernelByName_, payments_, context_.decisions.size(),
                treated_,      saved_,    plannedTraffic(state_)};
    }

    void restore(Snapshot&& s) {
        state_ = std::move(s.state);
        refused_ = std::move(s.refused);
        parts_ = std::move(s.parts);
        kernelByName_ = std::move(s.kernelByName);
        payments_ = std::move(s.payments);
        context_.decisions.resize(s.decisions);
        treated_ = s.treated;
        saved_ = s.saved;
    }

    /// Lives end at the boundaries now, so the solver has another problem: its answer is taken where it moves fewer
    /// bytes. Then buffers that lost the packing for their long lives get a place inside single kernels, the greatest
    /// saving first, each with another solve, until a full pass brings nothing.
    Result<void> solveAgain() {
        const Settings quick =
            needsScreening(context_.settings) ? screeningSettings(context_.settings) : context_.settings;
        if (auto done = attempt({}, quick); !done) return std::move(done).error();
        std::size_t budget = std::clamp<std::size_t>(kWork / (state_.program.ops.size() + 1), kLeast, kMost);
        const auto isOver = [&] { return budget == 0 || context_.control.timedOut(); };
        for (bool gained = true; gained && !isOver();) {
            gained = false;
            auto kernels = kernelsNow();
            if (!kernels) return std::move(kernels).error();
            for (const Waiting& w : waitingForRoom(state_, context_, kernels.value(), false)) {
                if (isOver()) break;
                if (!isWorthASplit(w.buffer, kernels.value())) continue;
                --budget;
                auto better = attempt(w.buffer, quick);
                if (!better) return std::move(better).error();
                gained = better.value();
                if (gained) break;  // positions moved: the list is made anew
            }
        }
        if (!needsScreening(context_.settings)) return {};
        if (auto done = attempt({}, context_.settings); !done) return std::move(done).error();
        return {};
    }

    [[nodiscard]] std::optional<Crossing> crossingIfPlaced(BufferId buffer, const KernelMap& of) {
        entries()[buffer.at()].address = 0;
        auto c = crossingOf(state_, of, buffer, refused_);
        entries()[buffer.at()].address.reset();
        return c;
    }

    /// Some kernel reads it more often than it takes to fetch it.
    [[nodiscard]] bool isWorthASplit(BufferId buffer, const KernelMap& of) {
        const auto c = crossingIfPlaced(buffer, of);
        return c &&
               std::any_of(c->segments.begin(), c->segments.end(), [](const ResidencySegment& s) { return s.onChip; });
    }

    /// The plan with this buffer in parts, or as it is, and placed anew; true when it is kept.
    Result<bool> attempt(BufferId split, const Settings& settings) {
        if (context_.cancelled()) return cancelledError();
        Snapshot before = snapshot();
        auto ends = changed(split, settings);
        if (!ends) return std::move(ends).error();
        const Bytes traffic = plannedTraffic(state_);
        const bool better = ends.value() && traffic < before.traffic && allMovesServed(state_.program, entries());
        if (!better) {
            restore(std::move(before));
            return false;
        }
        payments_ = std::move(before.payments);
        saved_ = before.saved + before.traffic - traffic;
        treated_ = std::max<std::int64_t>(treated_, 1);
        Decision d;
        d.buffer = split;
        d.kind = DecisionKind::Boundary;
        d.chosen = {split.isValid() ? say::kInsideKernels : say::kAddressesAnew};
        d.why = {say::kSolvedAgain, before.traffic - traffic};
        context_.decide(std::move(d));
        return true;
    }

    Result<bool> changed(BufferId buffer, const Settings& settings) {
        auto kernels = kernelsNow();
        if (!kernels) return std::move(kernels).error();
        if (buffer.isValid()) {
            const auto c = crossingIfPlaced(buffer, kernels.value());
            entries()[buffer.at()].address = 0;
            if (!c || !split(*c)) return false;
            kernels = kernelsNow();
            if (!kernels) return std::move(kernels).error();
        }
        auto placed = placeInKernels(state_, context_, settings, kernels.value());
        if (!placed) return std::move(placed).error();
        if (!placed.value()) return false;
        if (auto done = empty(); !done) return std::move(done).error();
        return true;
    }

    void record(const Crossing& c) {
        ++treated_;
        payments_.insert(payments_.end(), c.payments.begin(), c.payments.end());
    }

    /// Bounds and slots speak of the candidates, and those changed.
    void finish() {
        if (treated_ == 0) return;
        markIdleEvictions(state_.program, entries());
        for (ScratchpadState::Entry& e : entries())
            e.inPlaceParents.clear();
        findInPlaceParents(state_.program, rules_, entries());
        const CandidateProblem candidates =
            candidateProblem(state_.program, entries(), state_.scratchpad.capacity, context_.machine.lxAlignment);
        const solve::Bounds bounds = solve::bounds(candidates.problem);
        state_.scratchpad.boundPerStep = bounds.spacePerTick;
        state_.scratchpad.peakLowerBound = bounds.peakLowerBound;
        state_.scratchpad.spillLowerBound = bounds.spillLowerBound;
        state_.scratchpad.pinnedUpperBound = bounds.pinnedUpperBound;
    }

    PassOutcome outcome() const {
        PassOutcome out{treated_ > 0, {}};
        out.counts["buffers_crossing"] = treated_;
        out.counts["bytes_saved"] = saved_;
        const Bytes end = plannedTraffic(state_);
        out.counts["traffic_price_bytes"] = end - start_;
        out.counts["traffic_before"] = start_;
        out.counts["traffic_after"] = end;
        return out;
    }

    State& state_;
    PassContext& context_;
    BufferRules rules_;
    Bytes start_;
    std::set<BufferId> refused_;
    std::set<BufferId> parts_;  ///< made by this pass: what still crosses is not split again
    std::map<std::string, int> kernelByName_;
    std::vector<BoundaryPayment> payments_;
    bool refilled_ = false;
    Bytes saved_ = 0;  ///< by buffers that found room afterwards
    std::int64_t treated_ = 0;
};

}  // namespace

Result<PassOutcome> emptyBetweenKernels(State& state, PassContext& context) {
    return Emptying(state, context).run();
}

}  // namespace memplan::spyre
