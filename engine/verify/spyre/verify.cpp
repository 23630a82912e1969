// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/verify.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/plan/stopped.h"
#include "engine/verify/address.h"
#include "engine/verify/finding.h"
#include "engine/verify/placement.h"
#include "engine/verify/report.h"
#include "engine/verify/spyre/figures/bound_facts.h"
#include "engine/verify/spyre/figures/boundary_facts.h"
#include "engine/verify/spyre/figures/estimate_facts.h"
#include "engine/verify/spyre/figures/figures.h"
#include "engine/verify/spyre/figures/metric_facts.h"
#include "engine/verify/spyre/figures/verify_search.h"
#include "engine/verify/spyre/graph_facts.h"
#include "engine/verify/spyre/hint_facts.h"
#include "engine/verify/spyre/memory/buffer_facts.h"
#include "engine/verify/spyre/memory/in_place.h"
#include "engine/verify/spyre/memory/moves.h"
#include "engine/verify/spyre/memory/ownership.h"
#include "engine/verify/spyre/memory/reason_facts.h"
#include "engine/verify/spyre/op_facts.h"
#include "engine/verify/spyre/plan_facts.h"
#include "engine/verify/spyre/reading/loops.h"
#include "engine/verify/spyre/reading/reading.h"
#include "engine/verify/spyre/record/record_elements.h"
#include "engine/verify/spyre/record/record_facts.h"
#include "engine/verify/spyre/record/record_meaning.h"
#include "engine/verify/spyre/span.h"
#include "engine/verify/spyre/specs/kernel_facts.h"
#include "engine/verify/spyre/specs/spec_facts.h"
#include "engine/verify/spyre/target_facts.h"
#include "engine/verify/spyre/verify_schedule.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>

namespace memplan {
namespace {

using text::grouped;

/// Everything is recomputed from ops, layouts and splits; what the plan says of itself is compared
/// with that, never used to derive it.
class Verifier {
public:
    explicit Verifier(const verify::PlanReading& reading)
        : plan_(reading.plan), loops_(reading.loops), reading_(reading),
          placement_(reading.plan, reading.lives(), [&reading](BufferId id) { return !reading.uses(id).empty(); }) {}

    std::vector<Diagnostic> run() {
        for (std::size_t i = 0; i < plan_.ops.size(); ++i)
            checkSplits(OpId::of(i));
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
            checkOrder(BufferId::of(i));
            checkLife(BufferId::of(i));
            checkLayout(BufferId::of(i));
            checkPlacement(BufferId::of(i));
            checkAgreement(BufferId::of(i));
        }
        append(placement_.checkOverlaps());
        checkInPlaceReuses();
        checkMetrics();
        const std::vector<StepRange>& lives = reading_.lives();
        std::vector<Diagnostic> ofLoops = loops_.check(lives);
        found_.insert(found_.end(), ofLoops.begin(), ofLoops.end());
        for (Diagnostic& d : verify::checkMoves(plan_, lives))
            found_.push_back(std::move(d));
        for (Diagnostic& d : verify::checkOwnership(plan_))
            found_.push_back(std::move(d));
        for (Diagnostic& d : verify::checkSpans(plan_))
            found_.push_back(std::move(d));
        for (Diagnostic& d : verify::checkFigures(plan_))
            found_.push_back(std::move(d));
        for (Diagnostic& d : verifySearch(plan_))
            found_.push_back(std::move(d));
        for (Diagnostic& d : verifySchedule(plan_))
            found_.push_back(std::move(d));
        return std::move(found_);
    }

private:
    const Plan& plan_;
    const bool mustHaveReasons_ = areReasonsGiven(plan_);
    const verify::LoopReading& loops_;
    const verify::PlanReading& reading_;
    verify::Placement placement_;
    std::vector<Diagnostic> found_;

    void append(std::vector<Diagnostic> more) {
        found_.insert(found_.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    }

    [[nodiscard]] bool isOn(BufferId id) const { return isOnChip(plan_.buffer(id).space); }

    [[nodiscard]] StepRange life(BufferId id) const { return reading_.life(id); }

    void report(const char* code, std::string where, std::string message, std::vector<BufferId> buffers,
                std::vector<OpId> ops = {}) {
        found_.push_back(
            verify::finding(code, std::move(where), std::move(message), std::move(ops), std::move(buffers)));
    }

    [[nodiscard]] std::string quoted(BufferId id) const { return text::quoted(plan_.buffer(id).name); }

    // ---- operations ----------------------------------------------------------------------------------

    void checkSplits(OpId id) {
        const PlanOp& op = plan_.op(id);
        std::int64_t cores = 1;
        int reductions = 0;
        for (const IterationDim& d : op.iterationSpace) {
            cores = saturatedMul(cores, d.slices);
            reductions += d.isReduction && d.slices > 1 ? 1 : 0;
            const bool divides = d.slices >= 1 && d.adjusted % d.slices == 0;
            if (divides) continue;
            report("VER-005", "op " + op.name,
                   "loop " + d.name + " has " + grouped(d.adjusted) + (d.elemsPerStick > 0 ? " sticks" : " elements") +
                       ", which " + std::to_string(d.slices) + " slices do not divide",
                   {}, {id});
        }
        const std::int64_t available = plan_.settings.integer("spyre.cores");
        if (cores > available) {
            report("VER-006", "op " + op.name,
                   "uses " + std::to_string(cores) + " cores, " + std::to_string(available) + " are configured", {},
                   {id});
        }
        if (cores != op.cores) {
            report("VER-013", "op " + op.name,
                   "says " + std::to_string(op.cores) + " cores, its splits give " + std::to_string(cores), {}, {id});
        }
        if (reductions > 1) report("VER-005", "op " + op.name, "splits more than one reduced loop", {}, {id});
    }

    // ---- one buffer ----------------------------------------------------------------------------------

    void checkOrder(BufferId id) {
        const PlanBuffer& b = plan_.buffer(id);
        const bool arrivesFilled =
            b.role == BufferRole::GraphInput || b.role == BufferRole::Parameter || b.role == BufferRole::Constant;
        const auto& uses = reading_.uses(id);
        if (arrivesFilled || uses.empty()) return;
        // An imported bundle need not hold the operation that wrote it: another folder does, or it has no kernel.
        const bool isMadeElsewhere =
            plan_.solver == "imported" &&
            std::none_of(uses.begin(), uses.end(), [](const verify::Use& u) { return u.writes; });
        if (isMadeElsewhere) return;
        const verify::Use& first = uses.front();
        if (first.writes && !first.reads) return;
        report("VER-011", "buffer " + b.name,
               "op \"" + plan_.op(first.op).name + "\" reads it at step " + std::to_string(first.op.index) +
                   ", before anything wrote it",
               {id}, {first.op});
    }

    void checkLife(BufferId id) {
        const PlanBuffer& b = plan_.buffer(id);
        const StepRange real = life(id);
        if (b.life.begin <= real.begin && b.life.end >= real.end) return;
        report("VER-013", "buffer " + b.name,
               "says it lives in steps [" + std::to_string(b.life.begin) + ", " + std::to_string(b.life.end) +
                   "), its users need [" + std::to_string(real.begin) + ", " + std::to_string(real.end) + ")",
               {id});
    }

    /// Bytes of one core's part: whole sticks of the device layout over the cores that share them.
    [[nodiscard]] Bytes bytesPerCore(BufferId id) const {
        const PlanBuffer& b = plan_.buffer(id);
        if (!b.layout || b.cores < 1) return b.sizePerCore;
        Bytes sticks = 1;
        for (std::size_t d = 0; d + 1 < b.layout->deviceSize.size(); ++d)
            sticks = saturatedMul(sticks, b.layout->deviceSize[d]);
        return saturatedMul(sticks, 128) / b.cores;
    }

    /// A layout has a place for every element of its tensor. Buffers that hold one tile show the shape of the whole.
    void checkLayout(BufferId id) {
        const PlanBuffer& b = plan_.buffer(id);
        if (!b.layout || b.layout->deviceSize.empty() || b.layout->perTileFixed) return;
        const auto product = [](const std::vector<std::int64_t>& extents) {
            std::int64_t n = 1;
            for (const std::int64_t e : extents)
                n = saturatedMul(n, std::max<std::int64_t>(e, 0));
            return n;
        };
        const std::int64_t places = product(b.layout->deviceSize);
        const std::int64_t elements = product(b.layout->size);
        if (places >= elements) return;
        report("VER-008", "buffer " + b.name,
               "has " + grouped(elements) + " elements, its layout has room for " + grouped(places), {id});
    }

    void checkPlacement(BufferId id) {
        const PlanBuffer& b = plan_.buffer(id);
        if (!isOn(id)) {
            if (!b.reason && mustHaveReasons_)
                report("VER-013", "buffer " + b.name, "is off chip and no reason is given", {id});
            return;
        }
        append(placement_.checkAddress(id));
        if (!b.address) return;
        if (b.sizePerCore < bytesPerCore(id)) {
            report("VER-002", "buffer " + b.name,
                   "reserves " + grouped(b.sizePerCore) + " B, its layout needs " + grouped(bytesPerCore(id)) +
                       " B on a core",
                   {id});
        }
    }

    /// All users of an on-chip buffer divide it alike, on the same number of cores, and no writer leaves
    /// partial sums (spyre-scratchpad 3.3).
    void checkAgreement(BufferId id) {
        if (!isOn(id) || plan_.target != "spyre") return;
        const PlanAccess* first = nullptr;
        std::int64_t cores = 0;
        for (const verify::Use& use : reading_.uses(id)) {
            const PlanOp& op = plan_.op(use.op);
            // A relayout reads slices of other cores over the ring; verify_search.cpp checks it.
            if (op.kind == "relayout" && !use.writes) continue;
            // Room that the iterations of a loop fill: nothing runs.
            if (verify::LoopReading::isAllocation(op)) continue;
            if (cores == 0) cores = op.cores;
            if (op.cores != cores) {
                return disagree(id, use.op,
                                "runs on " + std::to_string(op.cores) + " cores, its other users on " +
                                    std::to_string(cores));
            }
            for (const PlanAccess& access : op.accesses) {
                if (access.buffer != id) continue;
                if (loops_.advances(use.op, access)) return disagree(id, use.op, "moves over it with its loop");
                if (access.isWrite && leavesPartialSums(op)) return disagree(id, use.op, "leaves partial sums in it");
                if (first == nullptr) first = &access;
                const bool same = access.sliceDims == first->sliceDims && access.coreSlots == first->coreSlots;
                if (!same) return disagree(id, use.op, "divides it unlike its other users");
            }
        }
    }

    static bool leavesPartialSums(const PlanOp& op) {
        return std::any_of(op.iterationSpace.begin(), op.iterationSpace.end(),
                           [](const IterationDim& d) { return d.isReduction && d.slices > 1; });
    }

    void disagree(BufferId id, OpId op, const std::string& how) {
        report("VER-008", "buffer " + plan_.buffer(id).name, "op \"" + plan_.op(op).name + "\" " + how, {id}, {op});
    }

    // ---- pairs of buffers ----------------------------------------------------------------------------

    void checkInPlaceReuses() {
        std::map<BufferId, BufferId> successor;
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
            const BufferId child = BufferId::of(i);
            const BufferId parent = plan_.buffer(child).inPlaceOf;
            if (!parent.isValid() || !isOn(child)) continue;
            const auto [it, isFirst] = successor.emplace(parent, child);
            if (!isFirst) {
                report("VER-004", "buffer " + plan_.buffer(child).name,
                       "takes the slot of " + quoted(parent) + ", which " + quoted(it->second) + " already took",
                       {parent, child});
            }
            checkInPlaceReuse(parent, child);
        }
    }

    void checkInPlaceReuse(BufferId parent, BufferId child) {
        const PlanBuffer& p = plan_.buffer(parent);
        const PlanBuffer& c = plan_.buffer(child);
        std::string why;
        if (!isOn(parent))
            why = "is not on chip itself";
        else if (p.address != c.address)
            why = "has another address";
        else if (c.sizePerCore > p.sizePerCore)
            why = "is smaller";
        else if (life(parent).end != life(child).begin + 1)
            why = "does not die at the step where the other is born";
        else if (!readsAt(parent, life(child).begin))
            why = "is not read by the operation that writes the other";
        if (why.empty()) return;
        report("VER-004", "buffer " + c.name, "takes the slot of " + quoted(parent) + ", which " + why,
               {parent, child});
    }

    [[nodiscard]] bool readsAt(BufferId id, Step step) const {
        return std::any_of(reading_.uses(id).begin(), reading_.uses(id).end(),
                           [&](const verify::Use& u) { return u.op.index == step && u.reads; });
    }

    // ---- metrics -------------------------------------------------------------------------------------

    void expect(const char* what, std::int64_t stated, std::int64_t real) {
        if (stated == real) return;
        report("VER-013", std::string("metrics ") + what,
               "says " + grouped(stated) + ", the plan gives " + grouped(real), {});
    }

    [[nodiscard]] Bytes moved(OpId id, BufferId b, bool writes) const {
        return saturatedMul(plan_.buffer(b).size, loops_.trips(id, b, writes));
    }

    /// How often an operation of a loop moves a buffer stands in its accesses, which a plan need not state.
    [[nodiscard]] bool knowsTrips() const {
        return std::none_of(plan_.ops.begin(), plan_.ops.end(),
                            [](const PlanOp& op) { return !op.loopCounts.empty() && op.accesses.empty(); });
    }

    void checkMetrics() {
        if (statesNoMetrics(plan_)) return;
        Bytes read = 0;
        Bytes written = 0;
        for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
            const PlanOp& op = plan_.ops[i];
            const OpId id = OpId::of(i);
            if (verify::LoopReading::isAllocation(op)) continue;
            const std::set<BufferId> distinct(op.inputs.begin(), op.inputs.end());
            for (const BufferId in : distinct)
                read = saturatedAdd(read, isOn(in) ? 0 : moved(id, in, false));
            for (const BufferId out : op.outputs)
                written = saturatedAdd(written, isOn(out) ? 0 : moved(id, out, true));
        }
        Bytes pinned = 0;
        Bytes unpinned = 0;
        Bytes peak = 0;
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
            const PlanBuffer& b = plan_.buffers[i];
            if (!isOn(BufferId::of(i))) {
                unpinned = saturatedAdd(unpinned, b.size);
                continue;
            }
            pinned = saturatedAdd(pinned, b.sizePerCore);
            peak = std::max(peak, verify::endAddress(b));
        }
        if (knowsTrips()) {
            expect("main_memory_read_bytes", plan_.metrics.mainMemoryReadBytes, read);
            expect("main_memory_write_bytes", plan_.metrics.mainMemoryWriteBytes, written);
        }
        expect("pinned_bytes", plan_.metrics.pinnedBytes, pinned);
        expect("unpinned_bytes", plan_.metrics.unpinnedBytes, unpinned);
        expect("peak", plan_.memory.peak, peak);
        if (pinned > plan_.metrics.upperBoundBytes) {
            report("VER-013", "metrics upper_bound_bytes",
                   "pinned " + grouped(pinned) + " B exceed the stated bound of " +
                       grouped(plan_.metrics.upperBoundBytes) + " B",
                   {});
        }
    }
};

void append(std::vector<Diagnostic>& all, std::vector<Diagnostic> more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

namespace verify::spyre {

std::vector<Diagnostic> checkCompiled(const Plan& plan) {
    const verify::PlanReading reading(plan);
    std::vector<Diagnostic> found = Verifier(reading).run();
    verify::Report report(plan);
    verify::checkInPlace(reading, report);
    append(found, report.take());
    return found;
}

std::vector<Diagnostic> checkPlan(const Plan& plan) {
    const verify::PlanReading reading(plan);
    std::vector<Diagnostic> found = Verifier(reading).run();
    verify::Report report(plan);
    verify::checkInPlace(reading, report);
    verify::checkOpFacts(reading, report);
    verify::checkBufferFacts(reading, report);
    verify::checkTargetFacts(reading, report);
    verify::checkKernelFacts(reading, report);
    verify::checkSpecs(reading, report);
    verify::checkMetricFacts(reading, report);
    verify::checkReasons(reading, report);
    verify::checkBounds(reading, report);
    verify::checkEstimateFacts(reading, report);
    verify::checkBoundaryFacts(reading, report);
    verify::checkPlanFacts(reading, report);
    verify::checkHintFacts(reading, report);
    verify::checkRecordFacts(plan, report);
    verify::checkRecordMeaning(reading, report);
    verify::checkRecordElements(reading, report);
    verify::checkGraphFacts(reading, report);
    append(found, report.take());
    return found;
}

}  // namespace verify::spyre

}  // namespace memplan
