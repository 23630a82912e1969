// SPDX-License-Identifier: Apache-2.0
#include "verify/reason_texts.h"

#include "base/text.h"

#include <algorithm>
#include <string>
#include <vector>

namespace memplan::verify {
namespace {

using text::grouped;
using text::quoted;

constexpr std::string_view kOutput = "a graph output has to end in main memory, and no output clone was asked for";
constexpr std::string_view kView = "a graph output is a view of it, so it has to end in main memory";

class Sentences {
public:
    Sentences(const PlanReading& reading, BufferId id, const Reason& reason)
        : reading_(reading), plan_(reading.plan), id_(id), b_(plan_.buffer(id)), reason_(reason),
          text_(withoutClones(reason.text)) {}

    [[nodiscard]] bool isRight() const {
        switch (reason_.code) {
        case ReasonCode::PlanningOff:
            return text_ == "scratchpad planning is switched off (spyre.lx_planning)";
        case ReasonCode::Unsized:
            return text_ == "it has no device layout, so its size is not known";
        case ReasonCode::TiledAdvancing:
            return anyAccess([this](OpId op, const PlanAccess& a) { return advances(op, a); });
        case ReasonCode::MutationTarget:
            return ofUser(true, "written in place by ", "");
        case ReasonCode::ReadByRestickify:
            return ofUser(false, "read by ", ", which moves data between sticks through main memory");
        case ReasonCode::ExternUser:
            return anyAccess([this](OpId op, const PlanAccess& a) { return isOutside(op, a); });
        case ReasonCode::IndirectAccess:
            return ofUser(false, "", " reads it at positions that depend on data");
        case ReasonCode::PartialRead:
            return ofUser(false, "", " reads only a part of it, or reads it at an offset");
        case ReasonCode::GraphOutput:
            return text_ == kOutput || text_ == kView;
        case ReasonCode::OutputIsView:
            return text_ == kView;
        case ReasonCode::GraphInput:
            return ofInput();
        case ReasonCode::CoreDivMismatch:
            return ofMismatch();
        case ReasonCode::NeverRead:
            return text_ == "no operation reads it after it is written";
        case ReasonCode::LargerThanMemory:
            return text_ == "needs " + grouped(b_.sizePerCore) + " B on a core, " + grouped(plan_.memory.capacity) +
                                " B are usable; more cores or a tiling make it smaller";
        case ReasonCode::NoRoom:
            return reason_.gapStep < 0 || ofGap();
        case ReasonCode::SolverStopped:
            return text_ ==
                   "the solver reached its limit before this buffer was decided; raise engine.time_limit_seconds";
        default:
            return true;
        }
    }

private:
    const PlanReading& reading_;
    const Plan& plan_;
    BufferId id_;
    const PlanBuffer& b_;
    const Reason& reason_;
    std::string_view text_;

    /// What is said of clones that were taken out stands behind the sentence; nothing in the plan tells it.
    static std::string_view withoutClones(std::string_view text) {
        const std::size_t at = std::min(text.find("; a clone of it found no room: it needs "),
                                        text.find("; a clone of it could not be on chip: "));
        return text.substr(0, at);
    }

    [[nodiscard]] std::string name(OpId op) const { return quoted(plan_.op(op).name); }

    template <class F> [[nodiscard]] bool anyAccess(F&& isSo) const {
        bool isStated = true;
        for (const Use& use : reading_.uses(id_)) {
            isStated = isStated && PlanReading::statesAccesses(plan_.op(use.op));
            for (const PlanAccess& a : plan_.op(use.op).accesses) {
                if (a.buffer == id_ && isSo(use.op, a)) return true;
            }
        }
        return !isStated;
    }

    [[nodiscard]] bool ofUser(bool writes, const std::string& before, const std::string& after) const {
        return anyAccess(
            [&](OpId op, const PlanAccess& a) { return a.isWrite == writes && text_ == before + name(op) + after; });
    }

    [[nodiscard]] bool advances(OpId op, const PlanAccess& a) const {
        if (!reading_.loops.advances(op, a)) return false;
        return text_ == name(op) + (a.isWrite ? " writes" : " reads") + " another part of it in every one of " +
                            grouped(reading_.loops.tripsWithoutAccesses(op)) +
                            " iterations, so its address would have to move with the loop";
    }

    [[nodiscard]] bool isOutside(OpId id, const PlanAccess& a) const {
        const PlanOp& op = plan_.op(id);
        return op.kind == "extern" && text_ == "used by the extern kernel " + name(id) + " (" + op.type + "), which " +
                                                   (a.isWrite ? "writes" : "reads") + " main memory";
    }

    [[nodiscard]] bool ofInput() const {
        // A plan with the keys of the contract alone does not tell inputs from parameters.
        const bool isRoleStated =
            std::any_of(plan_.ops.begin(), plan_.ops.end(), [](const PlanOp& op) { return !op.accesses.empty(); });
        constexpr std::string_view kEnd = ": only a clone of it can be on chip";
        if (!isRoleStated)
            return text_.ends_with(kEnd) && (text_.starts_with("a graph input arrives in main memory") ||
                                             text_.starts_with("a parameter lies in main memory"));
        const std::string_view what = b_.role == BufferRole::GraphInput ? "a graph input arrives in main memory"
                                                                        : "a parameter lies in main memory";
        return text_ == std::string(what) + std::string(kEnd);
    }

    /// Numbers of pieces are words over the dimensions of operands; who differs stands beside them.
    [[nodiscard]] bool ofMismatch() const {
        if (reading_.uses(id_).empty()) return text_ == "no operation touches it";
        if (!reason_.writer.isValid() || !reason_.reader.isValid()) return true;
        if (!text_.starts_with(name(reason_.writer) + " ")) return false;
        if (reason_.writer == reason_.reader) {
            return text_.find(" divides it into parts that are not equal (") != std::string_view::npos ||
                   text_.find(" leaves partial sums on its cores (") != std::string_view::npos;
        }
        const std::size_t second = text_.find(", " + name(reason_.reader) + " ");
        if (second == std::string_view::npos) return false;
        const std::size_t first = name(reason_.writer).size() + 1;
        return isClause(reason_.writer, text_.substr(first, second - first)) &&
               isClause(reason_.reader, text_.substr(second + name(reason_.reader).size() + 3));
    }

    /// "divides it into A along ... and B along ..., each on C cores", or that it uses all of it: A, B and C are as
    /// many as the op has cores.
    [[nodiscard]] bool isClause(OpId id, std::string_view clause) const {
        const std::int64_t cores = plan_.op(id).cores;
        for (const char* verb : {"writes", "reads"}) {
            const std::string whole = std::string(verb) + " it whole on ";
            if (clause == whole + "one core") return cores == 1;
            if (clause == whole + "each of " + std::to_string(cores) + " cores") return true;
        }
        return clause.starts_with("divides it into ");
    }

    [[nodiscard]] bool ofGap() const {
        const std::string begin = "needs " + grouped(b_.sizePerCore) + " B in steps ";
        const std::string gap = " the largest gap is " + grouped(reason_.largestGap) + " B of ";
        if (!text_.starts_with(begin) || text_.find(gap) == std::string_view::npos) return false;
        const bool hasPlace = text_.find(", and no address is free for the whole lifetime") != std::string_view::npos;
        if (hasPlace != (reason_.largestGap >= b_.sizePerCore)) return false;
        const std::size_t at = text_.find("; blocked by ");
        return (at == std::string_view::npos) == reason_.blockers.empty() &&
               std::all_of(reason_.blockers.begin(), reason_.blockers.end(), [&](BufferId other) {
                   return text_.find(quoted(plan_.buffer(other).name), at) != std::string_view::npos;
               });
    }
};

}  // namespace

bool isSentenceOf(const PlanReading& reading, BufferId id, const Reason& reason) {
    return Sentences(reading, id, reason).isRight();
}

}  // namespace memplan::verify
