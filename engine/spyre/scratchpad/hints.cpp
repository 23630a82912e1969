// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/hints.h"

#include "engine/base/text.h"
#include "engine/spyre/hint_values.h"
#include "engine/spyre/scratchpad/clone_inputs.h"
#include "engine/spyre/scratchpad/split_words.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

using memplan::hints::Outcome;

/// Reports what became of the wishes for one buffer.
class Teller {
public:
    Teller(const State& state, BufferId named, const BufferWishes& wishes, PassContext& context)
        : state_(state), named_(named), planned_(plannedBuffer(state, named)), wishes_(wishes), context_(context) {}

    void run() {
        if (wishes_.pin) reportOnChip(wishes_.pin);
        if (wishes_.keepOffChip) report(wishes_.keepOffChip, !entry().address, "the buffer is on chip");
        if (wishes_.address) reportAddress();
        if (wishes_.addressLimit) reportLimit();
        if (wishes_.inPlace) reportInPlace();
        if (wishes_.cloneInput) reportClone();
        if (wishes_.lxEligible) reportEligible();
    }

private:
    /// The clone that stands for an input, else the buffer itself.
    static BufferId plannedBuffer(const State& state, BufferId named) {
        for (std::size_t b = 0; b < state.program.buffers.size(); ++b) {
            const bool used = !state.scratchpad.entries[b].uses.empty();
            const bool clones =
                state.program.buffers[b].cloneOf == named && isInputClone(state.program, BufferId::of(b));
            if (used && clones) return BufferId::of(b);
        }
        return named;
    }

    [[nodiscard]] const ScratchpadState::Entry& entry() const { return state_.scratchpad.entries[planned_.at()]; }

    void say(const BufferHint& h, Outcome outcome, std::string why = {}, std::string fix = {}) {
        context_.reportHint(*h.hint, h.subject, outcome, std::move(why), std::move(fix));
    }

    void report(const BufferHint& h, bool holds, const std::string& why) {
        say(h, holds ? Outcome::Applied : Outcome::Impossible, holds ? std::string() : why);
    }

    /// What the solver said about the wish; null when it said nothing.
    [[nodiscard]] const std::string* solverFailure() const {
        for (const BufferId id : {planned_, named_}) {
            const auto failure = state_.scratchpad.hintFailures.find(id);
            if (failure != state_.scratchpad.hintFailures.end()) return &failure->second;
        }
        return nullptr;
    }

    /// An input that was to be cloned and has no clone.
    [[nodiscard]] bool lacksClone() const {
        return planned_ == named_ && state_.program.buffers[named_.at()].kind != BufferKind::Computed;
    }

    /// Why it is not on chip.
    [[nodiscard]] std::string whyOff() const {
        if (const std::string* said = solverFailure()) return *said;
        if (lacksClone()) return whyNoClone();
        return entry().reason ? sentence(*entry().reason) : std::string("it is not on chip");
    }

    [[nodiscard]] bool hasPair() const {
        return entry().mismatch && entry().reason && entry().reason->writer.isValid() &&
               entry().reason->reader.isValid();
    }

    /// A clone is read in the pieces in which it is written, so there is none where the readers want others (9.1).
    [[nodiscard]] std::string whyNoClone() const {
        if (entry().uses.empty()) return "no operation reads it";
        if (hasPair()) {
            const auto clause = [&](OpId op) {
                return nameOf(op) + " " + sentence(divisionClause(state_.program, op, planned_));
            };
            return "a clone has one split for all its readers, and they differ: " + clause(entry().reason->writer) +
                   ", " + clause(entry().reason->reader);
        }
        const bool isOwn = entry().reason && entry().reason->code != ReasonCode::GraphInput;
        return isOwn ? sentence(*entry().reason)
                     : std::string("no split of a copy gives its readers the pieces they read");
    }

    [[nodiscard]] std::string nameOf(OpId op) const { return text::quoted(state_.program.ops[op.at()].name); }

    /// The operations of a mismatch: the one that the others are held against, and those that divide it otherwise.
    [[nodiscard]] std::string thoseWhoDiffer() const {
        const OpId first = entry().reason->writer;
        std::vector<std::string> names{nameOf(first)};
        const Statement pieces = piecesOf(state_.program, first, planned_);
        for (const OpId op : entry().uses) {
            const bool differs = op == entry().reason->reader || piecesOf(state_.program, op, planned_) != pieces;
            if (op != first && differs) names.push_back(nameOf(op));
        }
        return text::join(names, ", ");
    }

    /// What fixes the cause; room helps only what found none.
    [[nodiscard]] std::string fixOff() const {
        if (solverFailure() != nullptr || !entry().reason) return "free room for it, or remove the hint";
        const bool isMismatch = entry().reason->code == ReasonCode::CoreDivMismatch || lacksClone();
        if (isMismatch && hasPair()) return fixOfMismatch();
        switch (entry().reason->code) {
        case ReasonCode::LargerThanMemory:
            return "at most " + text::grouped(state_.scratchpad.capacity) +
                   " B fit on a core; use more cores or tile the operation";
        case ReasonCode::NoRoom:
        case ReasonCode::BackGap:
        case ReasonCode::PartnerUnplaced:
            return "free room for it, or remove the hint";
        case ReasonCode::SolverStopped:
            return "raise engine.time_limit_seconds";
        case ReasonCode::TiledAdvancing:
            return "take its operations out of the loop, or remove the hint";
        case ReasonCode::GraphOutput:
            return "a clone of the output can (spyre.boundary_clones), or remove the hint";
        default:
            return "no room helps; remove the hint";
        }
    }

    [[nodiscard]] std::string fixOfMismatch() const {
        const Reason& pair = *entry().reason;
        if (pair.writer == pair.reader) return "give " + nameOf(pair.writer) + " another split, or use fewer cores";
        return "give " + thoseWhoDiffer() + " the same split of it (hint split), or use fewer cores";
    }

    void reportOnChip(const BufferHint& h) {
        if (entry().address) return say(h, Outcome::Applied);
        say(h, Outcome::Impossible, whyOff(), fixOff());
    }

    void reportAddress() {
        if (entry().address == wishes_.addressValue) return say(wishes_.address, Outcome::Applied);
        const Address last = state_.scratchpad.capacity - entry().sizePerCore;
        say(wishes_.address, Outcome::Impossible, whyOff(),
            last < 0 ? fixOff()
                     : "allowed: multiples of 128 from 0 to " + text::grouped(last / 128 * 128) +
                           " at which no other fixed buffer lives");
    }

    void reportLimit() {
        if (!entry().address) {
            return say(wishes_.addressLimit, Outcome::Ignored, "the buffer is not on chip: " + whyOff(),
                       "a limit does not bring it on chip; add a pin");
        }
        report(wishes_.addressLimit, *entry().address <= wishes_.limitValue,
               "the address is " + text::grouped(*entry().address));
    }

    void reportInPlace() {
        const bool taken = entry().inPlaceOf.isValid();
        if (!wishes_.forceInPlace || taken) {
            return report(wishes_.inPlace, taken == wishes_.forceInPlace, "it stands in the slot of another buffer");
        }
        const std::vector<BufferId>& parents = entry().inPlaceParents;
        if (!entry().isCandidate) return say(wishes_.inPlace, Outcome::Impossible, whyOff(), fixOff());
        if (parents.empty()) {
            return say(
                wishes_.inPlace, Outcome::Impossible,
                "it has no admissible parent: no operand of its operation is on chip, has its size and layout and "
                "dies there",
                "remove the hint");
        }
        std::vector<std::string> names;
        for (const BufferId p : parents)
            names.push_back(text::quoted(state_.program.buffers[p.at()].name));
        say(wishes_.inPlace, Outcome::Impossible, "the slot of " + text::join(names, ", ") + " was not to be had",
            "pin the parent too");
    }

    void reportClone() {
        const bool cloned = planned_ != named_;
        if (!wishes_.clone) return report(wishes_.cloneInput, !cloned, "it has a clone");
        if (cloned && entry().address) return say(wishes_.cloneInput, Outcome::Applied);
        say(wishes_.cloneInput, Outcome::Impossible, whyOff(), fixOff());
    }

    void reportEligible() {
        if (!wishes_.eligible) return report(wishes_.lxEligible, !entry().address, "the buffer is on chip");
        if (entry().isCandidate || entry().address) return say(wishes_.lxEligible, Outcome::Applied);
        say(wishes_.lxEligible, Outcome::Ignored, "another rule keeps the result off chip: " + whyOff());
    }

    const State& state_;
    BufferId named_, planned_;
    const BufferWishes& wishes_;
    PassContext& context_;
};

}  // namespace

const BufferHint* BufferWishes::barrier() const {
    if (keepOffChip) return &keepOffChip;
    return lxEligible && !eligible ? &lxEligible : nullptr;
}

ScratchpadHints::ScratchpadHints(const PassContext& context, const State& state) {
    if (context.hints.empty()) return;
    const ProgramHints all(context.hints, state.graph.get(), state.program);
    for (const ProgramHints::Entry& e : all.entries()) {
        const std::string& key = e.hint->key;
        const HintValue& value = e.hint->value;
        const bool isYes = value.boolean() != nullptr && *value.boolean();
        const std::int64_t number = value.integer() != nullptr ? *value.integer() : 0;
        for (const ProgramHints::Part& part : e.parts) {
            const BufferHint h{e.hint, part.subject};
            if (key == "lx_eligible") {
                for (const OpId op : part.ops) {
                    const Op& target = state.program.ops[op.at()];
                    if (!target.addedBy.empty() || !target.write.buffer.isValid()) continue;
                    BufferWishes& w = wishes_[target.write.buffer];
                    w.lxEligible = h;
                    w.eligible = isYes;
                }
                continue;
            }
            for (const BufferId b : part.buffers) {
                const bool isOurs = key == "pin" || key == "keep_off_chip" || key == "address" ||
                                    key == "address_limit" || key == "in_place" || key == "clone_input";
                // A clone holds the input's tensor too; the wishes stand at the input.
                if (!isOurs || state.program.buffers[b.at()].cloneOf.isValid()) continue;
                BufferWishes& w = wishes_[b];
                if (key == "pin") w.pin = h;
                if (key == "keep_off_chip") w.keepOffChip = h;
                if (key == "address") {
                    w.address = h;
                    w.addressValue = number;
                    addressOrder_.push_back(b);
                }
                if (key == "address_limit") {
                    w.addressLimit = h;
                    w.limitValue = number;
                }
                if (key == "in_place") {
                    w.inPlace = h;
                    w.forceInPlace = value.word() != nullptr && *value.word() == "force";
                }
                if (key == "clone_input") {
                    w.cloneInput = h;
                    w.clone = isYes;
                }
            }
        }
    }
}

const BufferWishes* ScratchpadHints::find(const Program& program, BufferId id) const {
    if (wishes_.empty()) return nullptr;
    // The copy of an output is nobody's wish: the output itself is what lives on chip.
    if (program.buffers[id.at()].cloneOf.isValid() && !isInputClone(program, id)) return nullptr;
    const BufferId source = program.buffers[id.at()].cloneOf;
    const auto it = wishes_.find(source.isValid() ? source : id);
    return it == wishes_.end() ? nullptr : &it->second;
}

std::optional<bool> ScratchpadHints::cloneWish(BufferId input) const {
    const auto it = wishes_.find(input);
    if (it == wishes_.end()) return std::nullopt;
    const BufferWishes& w = it->second;
    if (w.cloneInput) return w.clone;
    if (w.keepOffChip) return false;
    if (w.wantsChip()) return true;
    return std::nullopt;
}

void ScratchpadHints::report(const State& state, PassContext& context) const {
    for (const auto& [id, wishes] : wishes_)
        Teller(state, id, wishes, context).run();
}

}  // namespace memplan::spyre
