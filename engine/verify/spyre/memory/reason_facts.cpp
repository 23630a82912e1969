// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/memory/reason_facts.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/plan/stopped.h"
#include "engine/verify/spyre/memory/results.h"

#include <algorithm>
#include <array>
#include <optional>

namespace memplan::verify {
namespace {

using text::quoted;

/// Whether a condition holds; nullopt where the plan does not say enough.
using Answer = std::optional<bool>;

class ReasonFacts {
public:
    ReasonFacts(const PlanReading& reading, Report& report)
        : reading_(reading), plan_(reading.plan), report_(report),
          isPlanned_(plan_.settings.boolean("spyre.lx_planning")),
          isDeclarative_(plan_.settings.text("spyre.lx_eligibility") == "declarative"),
          allowsAll_(plan_.settings.boolean("spyre.allow_all_ops_in_lx")), returned_(returnedBuffers(plan_)) {
        for (std::string& name : text::split(plan_.settings.text("spyre.lx_ops"), ',')) {
            name.erase(0, name.find_first_not_of(' '));
            name.erase(name.find_last_not_of(' ') + 1);
            if (!name.empty()) allowed_.push_back(std::move(name));
        }
    }

    void run() {
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
            const PlanBuffer& b = plan_.buffers[i];
            if (b.reason && !isOnChip(b.space)) check(BufferId::of(i), b, b.reason->code);
            if (isOnChip(b.space)) checkOnChip(BufferId::of(i));
        }
    }

private:
    const PlanReading& reading_;
    const Plan& plan_;
    Report& report_;
    bool isPlanned_, isDeclarative_, allowsAll_;
    std::optional<std::vector<Returned>> returned_;  ///< by buffer
    std::vector<std::string> allowed_;

    /// What bars a buffer under the rules in force, in order of precedence.
    static constexpr std::array<ReasonCode, 15> kOrder{
        ReasonCode::OffByHint,       ReasonCode::OpNotAllowed,   ReasonCode::Unsized,
        ReasonCode::MutationTarget,  ReasonCode::TiledAdvancing, ReasonCode::ReadByRestickify,
        ReasonCode::ExternUser,      ReasonCode::IndirectAccess, ReasonCode::GraphOutput,
        ReasonCode::GraphInput,      ReasonCode::OutputIsView,   ReasonCode::PartialRead,
        ReasonCode::CoreDivMismatch, ReasonCode::NeverRead,      ReasonCode::LargerThanMemory};

    [[nodiscard]] bool isAsked(ReasonCode code) const {
        switch (code) {
        case ReasonCode::Unsized:
        case ReasonCode::MutationTarget:
        case ReasonCode::ReadByRestickify:
        case ReasonCode::IndirectAccess:
        case ReasonCode::OutputIsView:
        case ReasonCode::PartialRead:
            return isDeclarative_;
        default:
            return true;
        }
    }

    void wrong(BufferId id, std::string message) { report_.buffer("VER-013", id, std::move(message)); }

    static std::string name(ReasonCode code) { return quoted(reasonInfo(code).name); }

    /// Nothing that bars a buffer may hold for one on chip.
    void checkOnChip(BufferId id) {
        for (const ReasonCode code : kOrder) {
            if (code == ReasonCode::OffByHint || code == ReasonCode::NeverRead || !isAsked(code)) continue;
            if (holds(id, code) == true) wrong(id, "is on chip although the reason " + name(code) + " holds for it");
        }
    }

    void check(BufferId id, const PlanBuffer& b, ReasonCode stated) {
        if (reasonInfo(stated).target != "all" && reasonInfo(stated).target.find("spyre") == std::string_view::npos)
            return wrong(id, "gives the reason " + name(stated) + ", which is one of another target");
        if ((stated == ReasonCode::PlanningOff) == isPlanned_)
            return wrong(id, isPlanned_ ? "gives the reason " + name(stated) + ", planning is on"
                                        : "gives the reason " + name(stated) + ", planning is off");
        if (!isPlanned_) return;
        for (const ReasonCode code : kOrder) {
            if (code == stated) break;
            if (isAsked(code) && holds(id, code) == true && !isOfClone(id, stated, code))
                return wrong(id, "gives the reason " + name(stated) + ", " + name(code) + " holds and comes before it");
        }
        if (holds(id, stated) == false) wrong(id, "gives the reason " + name(stated) + ", which does not hold");
        checkOthers(id, b, *b.reason);
        checkEvidence(id, b, *b.reason);
    }

    /// What else holds stands behind the reason, in the order of precedence; of an input the reason of its clone ends
    /// the list. A plan with the keys of the contract alone has no such list.
    void checkOthers(BufferId id, const PlanBuffer& b, const Reason& r) {
        std::vector<ReasonCode> others = r.others;
        const bool isOfClone = !isMade(b) && !others.empty() && others.back() != ReasonCode::GraphInput;
        if (isOfClone) others.pop_back();
        others.insert(others.begin(), r.code);
        const auto rank = [](ReasonCode code) { return std::find(kOrder.begin(), kOrder.end(), code); };
        // What the solver says stands apart from the conditions.
        std::erase_if(others, [&](ReasonCode code) { return rank(code) == kOrder.end(); });
        for (std::size_t i = 1; i < others.size(); ++i) {
            const ReasonCode before = others[i - 1];
            // The rules of the original give a result that is a view the code of results, at the place of views.
            const bool isView = others[i] == ReasonCode::GraphOutput && !isDeclarative_;
            if (!isView && rank(others[i]) <= rank(before))
                wrong(id, "lists the reason " + name(others[i]) + " behind " + name(before) + ", which comes after it");
            if (others[i] != ReasonCode::NeverRead && holds(id, others[i]) == false)
                wrong(id, "lists the reason " + name(others[i]) + ", which does not hold");
        }
    }

    /// An input whose clone found no place speaks of its clone in the further reasons (spyre-scratchpad 9.1), also
    /// where the graph returns the input: the first code that holds for the clone stands there, what comes after it
    /// does not.
    [[nodiscard]] bool isOfClone(BufferId id, ReasonCode stated, ReasonCode code) const {
        const PlanBuffer& b = plan_.buffer(id);
        const bool isOfInput = stated == ReasonCode::GraphInput || stated == ReasonCode::GraphOutput;
        if (!isOfInput || isMade(b)) return false;
        const std::vector<ReasonCode>& others = b.reason->others;
        if (others.empty()) return true;
        for (const ReasonCode before : kOrder) {
            const bool isCause = std::find(others.begin(), others.end(), before) != others.end();
            if (isCause && holds(id, before) != false) return true;
            if (before == code) return false;
        }
        return false;
    }

    /// The ops and neighbours that a reason names are there at the time.
    void checkEvidence(BufferId id, const PlanBuffer& b, const Reason& r) {
        for (const OpId op : {r.writer, r.reader}) {
            if (!op.isValid()) continue;
            const auto& uses = reading_.uses(id);
            if (std::none_of(uses.begin(), uses.end(), [&](const Use& u) { return u.op == op; }))
                wrong(id, "names op " + quoted(plan_.op(op).name) + " in its reason, which does not touch it");
        }
        if (r.code != ReasonCode::NoRoom || r.largestGap < 0) return;
        const bool isInside = r.gapStep < 0 || (b.life.begin <= r.gapStep && r.gapStep < b.life.end);
        if (!isInside) wrong(id, "found no room at a step outside of its lifetime");
        if (r.largestGap > plan_.memory.capacity) wrong(id, "found a gap larger than the memory");
    }

    [[nodiscard]] Answer holds(BufferId id, ReasonCode code) const {
        const PlanBuffer& b = plan_.buffer(id);
        switch (code) {
        case ReasonCode::OffByHint:
            return mayBeIneligible() ? std::nullopt : Answer(false);
        case ReasonCode::OpNotAllowed:
            return opNotAllowed(id);
        case ReasonCode::Unsized:
            return !b.layout.has_value();
        case ReasonCode::MutationTarget:
            return mutationTarget(id, b);
        case ReasonCode::TiledAdvancing:
            return anyAccess(id, [&](OpId op, const PlanAccess& a) { return reading_.loops.advances(op, a); });
        case ReasonCode::ReadByRestickify:
            return readBy(id, "restickify");
        case ReasonCode::ExternUser:
            return usedOutside(id);
        case ReasonCode::IndirectAccess:
            return anyAccess(id, [](OpId, const PlanAccess& a) { return !a.isWrite && a.isIndirect; });
        case ReasonCode::GraphOutput:
            return isReturned(id, b);
        case ReasonCode::GraphInput:
            return b.role == BufferRole::GraphInput || b.role == BufferRole::Parameter ||
                   (b.role == BufferRole::Constant && !reading_.writer(id).isValid());
        case ReasonCode::OutputIsView:
            return isSeenThrough(id, b);
        case ReasonCode::PartialRead:
            return partialRead(id, b);
        case ReasonCode::CoreDivMismatch:
            return mismatch(id);
        case ReasonCode::NeverRead:
            return reading_.uses(id).size() < 2;
        case ReasonCode::LargerThanMemory:
            return b.sizePerCore > plan_.memory.capacity;
        case ReasonCode::NoRoom:
        case ReasonCode::PartnerUnplaced:
            return isCandidate(id);
        case ReasonCode::BackGap:
            return false;  // no pass of this program gives it
        default:
            return std::nullopt;
        }
    }

    /// The rules of the original know no views: what is seen through a buffer counts as the buffer.
    [[nodiscard]] Answer isReturned(BufferId id, const PlanBuffer& b) const {
        if (returned_) {
            const Returned how = (*returned_)[id.at()];
            if (how == Returned::Unclear) return std::nullopt;
            return how == Returned::Whole || (how == Returned::View && !isDeclarative_);
        }
        if (!isMade(b)) return std::nullopt;
        if (b.role != BufferRole::GraphOutput) return false;
        return isDeclarative_ ? std::nullopt : Answer(true);
    }

    [[nodiscard]] Answer isSeenThrough(BufferId id, const PlanBuffer& b) const {
        if (returned_ && (*returned_)[id.at()] != Returned::Unclear) return (*returned_)[id.at()] == Returned::View;
        return b.role == BufferRole::GraphOutput || !isMade(b) ? std::nullopt : Answer(false);
    }

    /// Some hint keeps a buffer off chip.
    [[nodiscard]] bool mayBeIneligible() const {
        return std::any_of(plan_.hints.begin(), plan_.hints.end(), [](const Hint& h) {
            return h.enabled && (h.key == "keep_off_chip" || h.key == "lx_eligible" || h.key == "spill");
        });
    }

    /// It is not ineligible; nullopt where that cannot be known.
    [[nodiscard]] Answer isCandidate(BufferId id) const {
        for (const ReasonCode code : kOrder) {
            if (isAsked(code) && holds(id, code) == true) return false;
        }
        return true;
    }

    /// nullopt where an operation that accesses the buffer does not state how.
    template <class F> [[nodiscard]] Answer anyAccess(BufferId id, F&& predicate) const {
        bool isStated = true;
        for (const Use& use : reading_.uses(id)) {
            isStated = isStated && PlanReading::statesAccesses(plan_.op(use.op));
            for (const PlanAccess& a : plan_.op(use.op).accesses) {
                if (a.buffer == id && predicate(use.op, a)) return true;
            }
        }
        return isStated ? Answer(false) : std::nullopt;
    }

    [[nodiscard]] Answer readBy(BufferId id, std::string_view kind) const {
        return anyAccess(id, [&](OpId op, const PlanAccess& a) { return !a.isWrite && plan_.op(op).kind == kind; });
    }

    /// An outside kernel reads the buffer, or writes a part of it after its first writer; under the declarative rules
    /// the latter is a mutation.
    [[nodiscard]] Answer usedOutside(BufferId id) const {
        const OpId first = reading_.writer(id);
        return anyAccess(id, [&](OpId op, const PlanAccess& a) {
            const PlanOp& user = plan_.op(op);
            const bool isWriter = a.isWrite && op != first && !isDeclarative_ && !LoopReading::isAllocation(user);
            return user.kind == "extern" && (!a.isWrite || isWriter);
        });
    }

    [[nodiscard]] static bool isMade(const PlanBuffer& b) {
        return b.role == BufferRole::Intermediate || b.role == BufferRole::GraphOutput;
    }

    [[nodiscard]] Answer opNotAllowed(BufferId id) const {
        const OpId writer = reading_.writer(id);
        if (!writer.isValid() || !isMade(plan_.buffer(id))) return false;
        const PlanOp& op = plan_.op(writer);
        if (op.kind == "extern" || op.kind == "constant" || op.kind == "mutation" || op.kind == "evict") return true;
        if (op.kind == "reload" || op.kind == "relayout") return false;
        const bool isInserted = op.kind == "clone" && op.addedBy.starts_with("scratchpad_planning.");
        if (allowsAll_ || isInserted || std::find(allowed_.begin(), allowed_.end(), op.type) != allowed_.end())
            return false;
        // A hint may let the list give way, and a clone that does not say who made it may be one of the planner's own.
        const bool isOpen = !plan_.hints.empty() || (op.kind == "clone" && op.addedBy.empty() && !statesMakers());
        return isOpen ? std::nullopt : Answer(true);
    }

    /// The plan says which pass added an op, where one did.
    [[nodiscard]] bool statesMakers() const {
        return std::any_of(plan_.ops.begin(), plan_.ops.end(), [](const PlanOp& op) { return !op.accesses.empty(); });
    }

    [[nodiscard]] bool mutationTarget(BufferId id, const PlanBuffer& b) const {
        bool isWritten = !isMade(b);
        for (const Use& use : reading_.uses(id)) {
            const PlanOp& op = plan_.op(use.op);
            if (!use.writes || LoopReading::isAllocation(op)) continue;
            if (isWritten || op.kind == "mutation") return true;
            isWritten = true;
        }
        return false;
    }

    [[nodiscard]] Answer partialRead(BufferId id, const PlanBuffer& b) const {
        const std::int64_t elements = elementsOf(b.shape);
        return anyAccess(id, [&](OpId use, const PlanAccess& a) {
            const PlanOp& op = plan_.op(use);
            if (a.isWrite || !isComputed(op)) return false;
            std::int64_t accessed = 1;
            std::int64_t last = 0;
            for (std::size_t v = 0; v < op.iterationSpace.size() && v < a.coefficients.size(); ++v) {
                if (a.coefficients[v] == 0) continue;
                accessed = saturatedMul(accessed, op.iterationSpace[v].extent);
                last = saturatedAdd(last, saturatedMul(a.coefficients[v], op.iterationSpace[v].extent - 1));
            }
            return a.offset != 0 || accessed != elements || last != elements - 1;
        });
    }

    /// Different slices or cores, or partial sums (spyre-scratchpad 3.3). That slices are no equal parts is not
    /// recorded, so what looks alike may still differ.
    [[nodiscard]] Answer mismatch(BufferId id) const {
        const auto& uses = reading_.uses(id);
        if (uses.empty()) return true;
        if (plan_.settings.integer("spyre.cores") == 1) return false;
        const PlanAccess* first = nullptr;
        std::int64_t cores = 0;
        int accesses = 0;
        for (const Use& use : uses) {
            const PlanOp& op = plan_.op(use.op);
            if (LoopReading::isAllocation(op)) continue;
            if (!PlanReading::statesAccesses(op)) return std::nullopt;
            for (const PlanAccess& a : op.accesses) {
                if (a.buffer != id) continue;
                ++accesses;
                if (op.kind == "relayout" && !a.isWrite) continue;
                if (cores == 0) cores = op.cores;
                if (accesses > 1 && op.cores != cores) return true;
                if (!isComputed(op) || op.cores == 1) continue;
                const bool isPartial = std::any_of(op.iterationSpace.begin(), op.iterationSpace.end(),
                                                   [](const IterationDim& d) { return d.isReduction && d.slices > 1; });
                if (a.isWrite && isPartial && uses.size() > 1) return true;
                if (first == nullptr) first = &a;
                if (a.sliceDims != first->sliceDims || a.coreSlots != first->coreSlots) return true;
            }
        }
        return std::nullopt;
    }
};

}  // namespace

void checkReasons(const PlanReading& reading, Report& report) {
    if (isPlannedHere(reading.plan) && isPlacementDecided(reading.plan)) ReasonFacts(reading, report).run();
}

}  // namespace memplan::verify
