// SPDX-License-Identifier: Apache-2.0
// Which buffers may be placed, and the reason for each that may not (spyre-scratchpad 3.4; codes.md 1:
// the first reason in the order of its table is the primary one).
#include "engine/base/text.h"
#include "engine/spyre/scratchpad/buffers.h"
#include "engine/spyre/scratchpad/eviction/moves.h"
#include "engine/spyre/scratchpad/hints.h"
#include "engine/spyre/scratchpad/split_words.h"
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
    std::span<const Touch> touches;
    BufferId id;
    const BufferWishes* wishes = nullptr;

    [[nodiscard]] const Op* producer() const {
        const bool computed = buffer.kind == BufferKind::Computed;
        for (const Touch& t : touches) {
            if (computed && t.isWrite && !program.ops[t.op.at()].isAllocation()) return &program.ops[t.op.at()];
        }
        return nullptr;
    }
    [[nodiscard]] const Op& op(const Touch& t) const { return program.ops[t.op.at()]; }
    template <class Predicate> [[nodiscard]] const Op* firstReader(Predicate predicate) const {
        for (const Touch& t : touches) {
            if (!t.isWrite && predicate(op(t), *t.access)) return &op(t);
        }
        return nullptr;
    }
};

using Finding = std::optional<std::string>;  ///< the sentence when the reason holds

Finding offByHint(const Subject& s) {
    const BufferHint* barrier = s.wishes != nullptr ? s.wishes->barrier() : nullptr;
    if (barrier == nullptr) return std::nullopt;
    return "the hint " + barrier->hint->key + " on " + text::escaped(barrier->subject) + " keeps it off chip";
}

Finding opNotAllowed(const Subject& s) {
    const Op* producer = s.producer();
    if (producer == nullptr || s.rules.opAllowed(*producer)) return std::nullopt;
    if (isEvict(*producer)) return "\"" + producer->name + "\" writes it out to main memory, where its value waits";
    // Only the list of names gives way to a hint, not the rule that the producer is an ordinary operation.
    const bool ordinary = producer->kind == OpClass::Pointwise || producer->kind == OpClass::Reduction;
    if (ordinary && s.wishes != nullptr && s.wishes->anyOpKind()) return std::nullopt;
    if (producer->kind == OpClass::Extern) {
        return "produced by the extern kernel \"" + producer->fn + "\", which runs outside the planner's control";
    }
    if (producer->kind == OpClass::Constant) return "a constant, not the result of a computed operation";
    if (producer->kind == OpClass::Mutation)
        return "its first writer \"" + producer->name + "\" updates a buffer in place";
    return "operation \"" + producer->fn + "\" is not in the list spyre.lx_ops (" +
           text::join(s.rules.allowedOps, ", ") + ")";
}

Finding unsized(const Subject& s) {
    if (s.buffer.layout) return std::nullopt;
    return "it has no device layout, so its size is not known";
}

Finding mutationTarget(const Subject& s) {
    bool written = false;
    for (const Touch& t : s.touches) {
        if (s.op(t).isAllocation()) continue;
        const bool again = t.isWrite && (written || s.buffer.kind != BufferKind::Computed);
        if (again || (t.isWrite && s.op(t).kind == OpClass::Mutation)) {
            return "written in place by \"" + s.op(t).name + "\"";
        }
        written = written || t.isWrite;
    }
    return std::nullopt;
}

Finding tiledAdvancing(const Subject& s) {
    for (const Touch& t : s.touches) {
        if (t.access == nullptr || !advances(s.op(t), *t.access, s.buffer)) continue;
        return "\"" + s.op(t).name + "\" " + (t.isWrite ? "writes" : "reads") + " another part of it in every one of " +
               text::grouped(iterations(s.op(t))) + " iterations, so its address would have to move with the loop";
    }
    return std::nullopt;
}

Finding readByRestickify(const Subject& s) {
    const Op* reader = s.firstReader([](const Op& op, const Access&) { return op.fn == "ReStickifyOpHBM"; });
    if (reader == nullptr) return std::nullopt;
    return "read by \"" + reader->name + "\", which moves data between sticks through main memory";
}

/// A later writer outside the planner, such as the second part of a concatenation, works in main memory as a reader
/// does. Under the declarative rules such a buffer is the target of a mutation already.
const Op* externWriter(const Subject& s) {
    const Op* first = s.producer();
    for (const Touch& t : s.touches) {
        const Op& op = s.op(t);
        if (t.isWrite && &op != first && op.kind == OpClass::Extern && !op.isAllocation()) return &op;
    }
    return nullptr;
}

Finding externUser(const Subject& s) {
    const Op* reader = s.firstReader([](const Op& op, const Access&) { return op.kind == OpClass::Extern; });
    if (reader != nullptr)
        return "used by the extern kernel \"" + reader->name + "\" (" + reader->fn + "), which reads main memory";
    const Op* writer = s.rules.declarative ? nullptr : externWriter(s);
    if (writer == nullptr) return std::nullopt;
    return "used by the extern kernel \"" + writer->name + "\" (" + writer->fn + "), which writes main memory";
}

Finding indirectAccess(const Subject& s) {
    const Op* reader = s.firstReader([](const Op&, const Access& a) { return a.indirect; });
    if (reader == nullptr) return std::nullopt;
    return "\"" + reader->name + "\" reads it at positions that depend on data";
}

Finding graphOutput(const Subject& s) {
    if (!s.buffer.isOutput || s.buffer.outputIsView) return std::nullopt;
    return "a graph output has to end in main memory, and no output clone was asked for";
}

Finding graphInput(const Subject& s) {
    if (s.buffer.kind == BufferKind::Computed) return std::nullopt;
    return s.buffer.kind == BufferKind::Input
               ? "a graph input arrives in main memory: only a clone of it can be on chip"
               : "a parameter lies in main memory: only a clone of it can be on chip";
}

Finding outputIsView(const Subject& s) {
    if (!s.buffer.outputIsView) return std::nullopt;
    return "a graph output is a view of it, so it has to end in main memory";
}

Finding partialRead(const Subject& s) {
    const Op* reader = s.firstReader(
        [&](const Op& op, const Access& a) { return op.isComputed() && !readsWholeBuffer(op, a, s.buffer); });
    if (reader == nullptr) return std::nullopt;
    return "\"" + reader->name + "\" reads only a part of it, or reads it at an offset";
}

Finding coreDivMismatch(const Subject& s) {
    if (!s.entry.mismatch) return std::nullopt;
    if (s.touches.empty()) return "no operation touches it";
    const Reason& pair = *s.entry.reason;
    const std::string writer = "\"" + s.program.ops[pair.writer.at()].name + "\" ";
    if (pair.writer == pair.reader) {
        const std::string reduced = splitReductionText(s.program, pair.writer);
        return writer + (reduced.empty() ? "divides it into parts that are not equal (" +
                                               piecesText(s.program, pair.writer, s.id) + ")"
                                         : "leaves partial sums on its cores (" + reduced + ")");
    }
    const std::string written = divisionClause(s.program, pair.writer, s.id);
    const std::string read = divisionClause(s.program, pair.reader, s.id);
    return writer + written + ", \"" + s.program.ops[pair.reader.at()].name + "\" " + read;
}

Finding neverRead(const Subject& s) {
    if (s.entry.uses.size() >= 2) return std::nullopt;
    return "no operation reads it after it is written";
}

Finding largerThanMemory(const Subject& s) {
    if (s.entry.sizePerCore <= s.rules.capacity) return std::nullopt;
    return "needs " + text::grouped(s.entry.sizePerCore) + " B on a core, " + text::grouped(s.rules.capacity) +
           " B are usable; more cores or a tiling make it smaller";
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
    const TouchLists touches(program);
    for (std::size_t b = 0; b < entries.size(); ++b) {
        ScratchpadState::Entry& entry = entries[b];
        const Subject subject{program,
                              rules,
                              program.buffers[b],
                              entry,
                              touches[b],
                              BufferId::of(b),
                              hints != nullptr ? hints->find(program, BufferId::of(b)) : nullptr};
        Reason reason;
        bool barred = false;
        for (const Check& check : kChecks) {
            const std::optional<ReasonCode> code = codeUnder(rules, check);
            if (!code) continue;
            Finding sentence = check.holds(subject);
            if (!sentence) continue;
            if (barred) {
                reason.others.push_back(*code);
                continue;
            }
            barred = true;
            if (entry.reason) reason = *entry.reason;
            reason.code = *code;
            reason.text = std::move(*sentence);
        }
        entry.isCandidate = !barred;
        entry.reason = barred ? std::optional(std::move(reason)) : std::nullopt;
    }
}

}  // namespace memplan::spyre
