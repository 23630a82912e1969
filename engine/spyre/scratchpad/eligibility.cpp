// SPDX-License-Identifier: Apache-2.0
// Which buffers may be placed, and the reason for each that may not (spyre-scratchpad 3.4; codes.md 1:
// the first reason in the order of its table is the primary one).
#include "engine/base/text.h"
#include "engine/spyre/scratchpad/buffers.h"
#include "engine/spyre/scratchpad/hints.h"
#include "engine/spyre/scratchpad/moves.h"
#include "engine/spyre/scratchpad/split_words.h"
#include "engine/spyre/texts/reasons.h"
#include "engine/spyre/tiling/loop_access.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

/// Everything that the checks need to know about one buffer.
struct Subject {
    const Program& program;
    const BufferRules& rules;
    const Buffer& buffer;
    const ScratchpadState::Entry& entry;
    std::span<const BufferAccess> accesses;
    BufferId id;
    const BufferWishes* wishes = nullptr;

    [[nodiscard]] const Op* producer() const {
        const bool computed = buffer.kind == BufferKind::Computed;
        for (const BufferAccess& t : accesses) {
            if (computed && t.isWrite && !program.ops[t.op.at()].isAllocation()) return &program.ops[t.op.at()];
        }
        return nullptr;
    }
    [[nodiscard]] const Op& op(const BufferAccess& t) const { return program.ops[t.op.at()]; }
    template <class Predicate> [[nodiscard]] const Op* firstReader(Predicate predicate) const {
        for (const BufferAccess& t : accesses) {
            if (!t.isWrite && predicate(op(t), *t.access)) return &op(t);
        }
        return nullptr;
    }
};

using Finding = std::optional<Statement>;  ///< what holds

Finding offByHint(const Subject& s) {
    const BufferHint* barrier = s.wishes != nullptr ? s.wishes->barrier() : nullptr;
    if (barrier == nullptr) return std::nullopt;
    return Statement(say::kOffByHint, barrier->hint->key, text::escaped(barrier->subject));
}

Finding opNotAllowed(const Subject& s) {
    const Op* producer = s.producer();
    if (producer == nullptr || s.rules.opAllowed(*producer)) return std::nullopt;
    if (isEvict(*producer)) return Statement(say::kWaitsOutside, producer->name);
    // Only the list of names gives way to a hint, not the rule that the producer is an ordinary operation.
    const bool ordinary = producer->kind == OpClass::Pointwise || producer->kind == OpClass::Reduction;
    if (ordinary && s.wishes != nullptr && s.wishes->anyOpKind()) return std::nullopt;
    if (producer->kind == OpClass::Extern) return Statement(say::kExternProducer, producer->fn);
    if (producer->kind == OpClass::Constant) return Statement(say::kIsConstant);
    if (producer->kind == OpClass::Mutation) return Statement(say::kUpdatedFirst, producer->name);
    return Statement(say::kOpNotListed, producer->fn, s.rules.allowedOps);
}

Finding unsized(const Subject& s) {
    if (s.buffer.layout) return std::nullopt;
    return Statement(say::kNoLayout);
}

Finding mutationTarget(const Subject& s) {
    bool written = false;
    for (const BufferAccess& t : s.accesses) {
        if (s.op(t).isAllocation()) continue;
        const bool again = t.isWrite && (written || s.buffer.kind != BufferKind::Computed);
        if (again || (t.isWrite && s.op(t).kind == OpClass::Mutation))
            return Statement(say::kWrittenInPlace, s.op(t).name);
        written = written || t.isWrite;
    }
    return std::nullopt;
}

Finding tiledAdvancing(const Subject& s) {
    for (const BufferAccess& t : s.accesses) {
        if (t.access == nullptr || !advances(s.op(t), *t.access, s.buffer)) continue;
        return Statement(t.isWrite ? say::kWritesOtherParts : say::kReadsOtherParts, s.op(t).name, iterations(s.op(t)));
    }
    return std::nullopt;
}

Finding readByRestickify(const Subject& s) {
    const Op* reader = s.firstReader([](const Op& op, const Access&) { return op.fn == "ReStickifyOpHBM"; });
    if (reader == nullptr) return std::nullopt;
    return Statement(say::kReadByRestickify, reader->name);
}

/// A later writer outside the planner, such as the second part of a concatenation, works in main memory as a reader
/// does. Under the declarative rules such a buffer is the target of a mutation already.
const Op* externWriter(const Subject& s) {
    const Op* first = s.producer();
    for (const BufferAccess& t : s.accesses) {
        const Op& op = s.op(t);
        if (t.isWrite && &op != first && op.kind == OpClass::Extern && !op.isAllocation()) return &op;
    }
    return nullptr;
}

Finding externUser(const Subject& s) {
    const Op* reader = s.firstReader([](const Op& op, const Access&) { return op.kind == OpClass::Extern; });
    if (reader != nullptr) return Statement(say::kExternReader, reader->name, reader->fn);
    const Op* writer = s.rules.declarative ? nullptr : externWriter(s);
    if (writer == nullptr) return std::nullopt;
    return Statement(say::kExternWriter, writer->name, writer->fn);
}

Finding indirectAccess(const Subject& s) {
    const Op* reader = s.firstReader([](const Op&, const Access& a) { return a.indirect; });
    if (reader == nullptr) return std::nullopt;
    return Statement(say::kReadByData, reader->name);
}

Finding graphOutput(const Subject& s) {
    if (!s.buffer.isOutput || s.buffer.outputIsView) return std::nullopt;
    return Statement(say::kOutputOutside);
}

Finding graphInput(const Subject& s) {
    if (s.buffer.kind == BufferKind::Computed) return std::nullopt;
    return Statement(s.buffer.kind == BufferKind::Input ? say::kInputOutside : say::kParameterOutside);
}

Finding outputIsView(const Subject& s) {
    if (!s.buffer.outputIsView) return std::nullopt;
    return Statement(say::kOutputIsView);
}

Finding partialRead(const Subject& s) {
    const Op* reader = s.firstReader(
        [&](const Op& op, const Access& a) { return op.isComputed() && !readsWholeBuffer(op, a, s.buffer); });
    if (reader == nullptr) return std::nullopt;
    return Statement(say::kReadInPart, reader->name);
}

Finding coreDivMismatch(const Subject& s) {
    if (!s.entry.mismatch) return std::nullopt;
    if (s.accesses.empty()) return Statement(say::kNotTouched);
    const Reason& pair = *s.entry.reason;
    const std::string& writer = s.program.ops[pair.writer.at()].name;
    if (pair.writer == pair.reader) {
        std::vector<Statement> reduced = splitReductions(s.program, pair.writer);
        return reduced.empty() ? Statement(say::kUnequalParts, writer, piecesOf(s.program, pair.writer, s.id))
                               : Statement(say::kPartialSums, writer, std::move(reduced));
    }
    return Statement(say::kDividedOtherwise, writer, divisionClause(s.program, pair.writer, s.id),
                     s.program.ops[pair.reader.at()].name, divisionClause(s.program, pair.reader, s.id));
}

Finding neverRead(const Subject& s) {
    if (s.entry.uses.size() >= 2) return std::nullopt;
    return Statement(say::kNeverRead);
}

Finding largerThanMemory(const Subject& s) {
    if (s.entry.sizePerCore <= s.rules.capacity) return std::nullopt;
    return Statement(say::kTooLarge, s.entry.sizePerCore, s.rules.capacity);
}

struct Check {
    ReasonCode code;
    bool inSeedRules;  ///< one of the six numbered rules of 3.4, or the size test of the solver
    Finding (*holds)(const Subject&);
};

constexpr Check kChecks[] = {
    {ReasonCode::OffByHint, true, offByHint},
    {ReasonCode::OpNotAllowed, true, opNotAllowed},
    {ReasonCode::Unsized, false, unsized},
    {ReasonCode::MutationTarget, false, mutationTarget},
    {ReasonCode::TiledAdvancing, true, tiledAdvancing},
    {ReasonCode::ReadByRestickify, false, readByRestickify},
    {ReasonCode::ExternUser, true, externUser},
    {ReasonCode::IndirectAccess, false, indirectAccess},
    {ReasonCode::GraphOutput, true, graphOutput},
    {ReasonCode::GraphInput, true, graphInput},
    {ReasonCode::OutputIsView, false, outputIsView},
    {ReasonCode::PartialRead, false, partialRead},
    {ReasonCode::CoreDivMismatch, true, coreDivMismatch},
    {ReasonCode::NeverRead, true, neverRead},
    {ReasonCode::LargerThanMemory, true, largerThanMemory},
};

/// The code that a check gives under the rules in force; nullopt where they do not ask it.
std::optional<ReasonCode> codeUnder(const BufferRules& rules, const Check& check) {
    if (rules.declarative || check.inSeedRules) return check.code;
    // A view as graph output is still a graph output to the seed's rule 4, and its list has no code for views.
    if (check.code == ReasonCode::OutputIsView) return ReasonCode::GraphOutput;
    return std::nullopt;
}

}  // namespace

void judgeEligibility(const Program& program, const BufferRules& rules, std::vector<ScratchpadState::Entry>& entries,
                      const ScratchpadHints* hints) {
    const AccessLists accesses(program);
    for (std::size_t b = 0; b < entries.size(); ++b) {
        ScratchpadState::Entry& entry = entries[b];
        const Subject subject{program,
                              rules,
                              program.buffers[b],
                              entry,
                              accesses[b],
                              BufferId::of(b),
                              hints != nullptr ? hints->find(program, BufferId::of(b)) : nullptr};
        Reason reason;
        bool isIneligible = false;
        for (const Check& check : kChecks) {
            const std::optional<ReasonCode> code = codeUnder(rules, check);
            if (!code) continue;
            Finding finding = check.holds(subject);
            if (!finding) continue;
            if (isIneligible) {
                reason.others.push_back(*code);
                continue;
            }
            isIneligible = true;
            if (entry.reason) reason = *entry.reason;
            reason.code = *code;
            reason.stated = std::move(*finding);
        }
        entry.isCandidate = !isIneligible;
        entry.reason = isIneligible ? std::optional(std::move(reason)) : std::nullopt;
    }
}

}  // namespace memplan::spyre
