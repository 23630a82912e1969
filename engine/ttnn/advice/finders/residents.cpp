// SPDX-License-Identifier: Apache-2.0
// Values that could stay in L1 but for others, and values that go to DRAM and straight back.
#include "engine/base/text.h"
#include "engine/ttnn/advice/finders/finders.h"
#include "engine/ttnn/chains/op_kinds.h"

#include <algorithm>
#include <set>

namespace memplan::ttnn::finders {
namespace {

using text::grouped;

/// An attempt to keep values in L1 and what became of it, whichever part of 2.0 made it.
struct Attempt {
    std::vector<OperationId> sources;
    OperationId join;     ///< of a merge; none for a fork or a reshape
    std::string purpose;  ///< "merge", "concat", "fork", "reshape", "hint"
    Bytes bytes = 0;
    bool isAccepted = false;
    std::string rejectedBy;
    OperationId rejectedAt;
    Bytes needed = 0, available = 0;
    std::string message;
};

/// The model's words, else those of the step.
std::string whyRefused(const std::string& message, std::string_view step) {
    if (step == "fork") return "it has another reader";
    if (step == "returned") return "it is returned";
    if (step == "hint") return "a hint forbids it";
    if (step == "larger_candidate") return "a larger value was merged instead";
    return message.empty() ? std::string(step) : message;
}

Attempt attemptOf(const Facts& facts, const MergeInfo& m) {
    Attempt a;
    for (const int chain : m.sources)
        a.sources.push_back(facts.record.chains[static_cast<std::size_t>(chain)].ops.back());
    a.join = m.joinOp;
    a.purpose = m.kind == MergeKind::Concat ? "concat" : "merge";
    a.bytes = m.bytes;
    a.isAccepted = m.isAccepted;
    a.rejectedBy = m.rejectedBy;
    a.rejectedAt = m.rejectedAt;
    a.needed = m.needed;
    a.available = m.available;
    a.message = m.message;
    return a;
}

/// In the order in which they were made: concatenations, then hints, reshapes and forks, then merges (4.4).
std::vector<Attempt> attempts(const Facts& facts) {
    std::vector<Attempt> all;
    const auto addMerges = [&](bool isConcat) {
        for (const MergeInfo& m : facts.record.merges)
            if ((m.kind == MergeKind::Concat) == isConcat) all.push_back(attemptOf(facts, m));
    };
    addMerges(true);
    for (const ResidencyTrial& t : facts.record.trials)
        all.push_back({{t.source},
                       {},
                       t.purpose,
                       t.bytes,
                       t.isAccepted,
                       t.rejectedBy,
                       t.rejectedAt,
                       t.needed,
                       t.available,
                       t.message});
    addMerges(false);
    return all;
}

// ---- TT-053 ------------------------------------------------------------------------------------------------------

/// The largest reservation without which the refused one would fit where it was refused; null for none.
const Reservation* competitor(const Facts& facts, const Attempt& refused, const std::set<OperationId>& before) {
    const Step at = facts.position(refused.rejectedAt);
    const Reservation* found = nullptr;
    for (const Reservation& r : facts.record.reservations) {
        const bool isOther = before.contains(r.source) && r.positions.contains(at) &&
                             std::ranges::find(refused.sources, r.source) == refused.sources.end();
        if (!isOther || refused.needed - r.bytes > refused.available) continue;
        if (found == nullptr || r.bytes > found->bytes) found = &r;
    }
    return found;
}

/// The operation into which a reservation of that source was merged; none for another kind of reservation.
OperationId joinOf(const std::vector<Attempt>& all, OperationId source) {
    for (const Attempt& a : all)
        if (a.isAccepted && a.join.isValid() && std::ranges::find(a.sources, source) != a.sources.end()) return a.join;
    return {};
}

Finding competing(const Facts& facts, const Attempt& refused, const Reservation& other, OperationId otherJoin) {
    const OperationId source = refused.sources.front();
    Finding f;
    f.code = "TT-053";
    f.word = "residents_compete";
    f.chain = facts.chainIndex(source);
    f.ops = {facts.inPlan(source), facts.inPlan(other.source), facts.inPlan(refused.rejectedAt)};
    f.bytes = facts.wholeBytes(facts.function.resultOf(source));
    f.message = facts.name(source) + " (" + refused.purpose + ", " + grouped(refused.bytes) +
                " B of a core) was refused at " + facts.name(refused.rejectedAt) + ", which would need " +
                grouped(refused.needed) + " of " + grouped(refused.available) + " B; without the " +
                grouped(other.bytes) + " B that " + facts.name(other.source) + " (" + other.purpose +
                ") holds there it would fit";
    f.fix = "send the smaller of both to DRAM, or let a policy weigh them";
    if (other.bytes <= refused.bytes && facts.canHint(other.source))
        f.proposals.push_back(hintProposal(facts.name(other.source) + " to DRAM",
                                           {facts.hint(other.source, "spill", wordValue("dram"))}));
    if (otherJoin.isValid() && facts.canHint(otherJoin))
        f.proposals.push_back(
            hintProposal("no merge into " + facts.name(otherJoin),
                         {facts.hint(otherJoin, "forbid_merge", HintValue(HintValue::Payload(true)))}));
    f.proposals.push_back(settingProposal("policy Global", "ttnn.policy", "Global"));
    return f;
}

// ---- TT-054 ------------------------------------------------------------------------------------------------------

std::string refusalWords(const Facts& facts, const ResidencyTrial& t) {
    std::string words = t.option == SpillLocation::None ? "as it is: " : "in interleaved L1: ";
    const std::string at = t.rejectedAt.isValid() ? facts.name(t.rejectedAt) : std::string();
    if (t.needed > 0)
        return words + at + " would need " + grouped(t.needed) + " of " + grouped(t.available) + " B of a core";
    const bool isOfReader = t.rejectedAt.isValid() && t.rejectedAt != t.source;
    return words + (isOfReader ? at + ": " : "") + whyRefused(t.message, t.rejectedBy);
}

// ---- TT-061 ------------------------------------------------------------------------------------------------------

constexpr Step kNear = 4;

/// The first operation behind that reads the copy in DRAM.
OperationId nextReader(const Facts& facts, OperationId op) {
    OperationId next;
    for (const OperationId reader : facts.flow.readers(op)) {
        const int operand = facts.flow.operandReading(reader, op);
        const Layout* read = operand < 0 ? nullptr : facts.read(reader, operand);
        if (read == nullptr || !read->isInDram() || facts.position(reader) < 0) continue;
        if (!next.isValid() || facts.position(reader) < facts.position(next)) next = reader;
    }
    return next;
}

/// Parts of 2.0 that are switched off and could have kept it.
std::vector<Proposal> partsThatAreOff(const Facts& facts, bool isFork, bool isConcat) {
    const Options& o = facts.s.input.options;
    std::vector<Proposal> parts;
    const auto add = [&](bool isOn, bool concerns, const char* text, const char* key) {
        if (!isOn && concerns) parts.push_back(settingProposal(text, key, "true"));
    };
    add(o.concatChains, isConcat, "concat chains", "ttnn.concat_chains");
    add(o.forkReservations, isFork, "fork reservations", "ttnn.fork_reservations");
    add(o.chainMerging, !isFork, "chain merging", "ttnn.chain_merging");
    return parts;
}

/// Of the attempts to keep it: the last refused one, with its numbers.
std::string refusedAttempt(const Facts& facts, const std::vector<Attempt>& all, OperationId op) {
    for (auto a = all.rbegin(); a != all.rend(); ++a) {
        if (a->isAccepted || std::ranges::find(a->sources, op) == a->sources.end()) continue;
        std::string words =
            "; the " + a->purpose + (a->join.isValid() ? " into " + facts.name(a->join) : "") + " was refused";
        if (a->needed <= 0) return words + ": " + whyRefused(a->message, a->rejectedBy);
        return words + ": " + (a->rejectedAt.isValid() ? facts.name(a->rejectedAt) : std::string("an operation")) +
               " would need " + grouped(a->needed) + " of " + grouped(a->available) + " B of a core";
    }
    return {};
}

Finding spillAndReload(const Facts& facts, const std::vector<Attempt>& all, OperationId op, OperationId next) {
    const bool isConcatNext = isConcat(facts.operation(next));
    const bool isFork = facts.flow.useCount(op) > 1;
    const char* shape = isConcatNext ? "into a concatenation" : isFork ? "at a fork" : "from chain to chain";
    const Step apart = facts.position(next) - facts.position(op);
    Finding f;
    f.code = "TT-061";
    f.word = "spill_and_reload";
    f.chain = facts.chainIndex(op);
    f.ops = {facts.inPlan(op), facts.inPlan(next)};
    f.bytes = 2 * facts.wholeBytes(facts.function.resultOf(op));
    f.message = facts.name(op) + " is written to DRAM and read back " + std::to_string(apart) +
                (apart == 1 ? " position" : " positions") + " later by " + facts.name(next) + " (" + shape + "), " +
                grouped(f.bytes) + " B both ways" + refusedAttempt(facts, all, op);
    f.proposals = partsThatAreOff(facts, isFork, isConcatNext);
    if (!f.proposals.empty()) f.fix = "switch on the part of the analysis that keeps such values";
    return f;
}

// ---- TT-062 ------------------------------------------------------------------------------------------------------

std::string layoutWord(const Layout* layout) {
    if (layout == nullptr || !layout->mem) return "without a layout";
    return layout->isInDram() ? "in DRAM" : std::string(wordOf(*layout->mem));
}

/// Layout that the chain before the concatenation gave its value; that of the plan where there is no such chain.
const Layout* concatInput(const Facts& facts, const TensorOperand& operand) {
    if (!operand.producer.isValid()) return nullptr;
    const auto& config = facts.s.transformed.configs[operand.producer.at()].output;
    return config ? &*config : facts.layout(operand.producer);
}

Finding concatMismatch(const Facts& facts, OperationId op, int chain) {
    const std::optional<MemLayout> required = concatInputLayout(facts.function, facts.operation(op));
    Finding f;
    f.code = "TT-062";
    f.word = "concat_mismatch";
    f.chain = chain;
    f.ops = {facts.inPlan(op)};
    std::string inputs;
    std::vector<Hint> hints;
    std::vector<OperationId> odd;
    for (const TensorOperand& operand : facts.flow.operands(op)) {
        const Layout* layout = concatInput(facts, operand);
        const std::string who =
            operand.producer.isValid() ? facts.name(operand.producer) : "operand " + std::to_string(operand.position);
        inputs += (inputs.empty() ? "" : ", ") + who + " " + layoutWord(layout);
        f.bytes += facts.wholeBytes(operand.value);
        const bool isOdd = operand.producer.isValid() && (layout == nullptr || layout->mem != required);
        if (!isOdd || std::ranges::find(odd, operand.producer) != odd.end()) continue;
        odd.push_back(operand.producer);
        f.ops.push_back(facts.inPlan(operand.producer));
        if (required && facts.canHint(operand.producer))
            hints.push_back(facts.memLayoutHint(operand.producer, *required));
    }
    f.message = facts.name(op) + " joins values of other layouts than it takes: " + inputs + "; " +
                (required ? "it takes " + std::string(wordOf(*required)) + " ones"
                          : std::string("no sharded layout suits this dimension")) +
                " (block sharded is never accepted)";
    f.fix = required ? "force that memory layout on the others" : "";
    if (!hints.empty() && hints.size() == odd.size())
        f.proposals.push_back(
            hintProposal(std::string(wordOf(*required)) + " inputs for " + facts.name(op), std::move(hints)));
    return f;
}

}  // namespace

void competingResidents(const Facts& facts, RawFindings& found) {
    const std::vector<Attempt> all = attempts(facts);
    std::set<OperationId> before;
    for (const Attempt& a : all) {
        if (a.isAccepted) {
            before.insert(a.sources.begin(), a.sources.end());
            continue;
        }
        if (a.needed <= a.available || !a.rejectedAt.isValid() || a.sources.empty()) continue;
        const Reservation* other = competitor(facts, a, before);
        if (other == nullptr) continue;
        const OperationId three[]{a.sources.front(), other->source, a.rejectedAt};
        found.push_back({competing(facts, a, *other, joinOf(all, other->source)), facts.likeness(three) + a.purpose});
    }
}

void forksInDram(const Facts& facts, RawFindings& found) {
    for (std::size_t c = 0; c < facts.record.chains.size(); ++c) {
        const ChainInfo& chain = facts.record.chains[c];
        if (chain.state != ChainState::Completed || chain.endedBy != EndedBy::Fork ||
            chain.spill != SpillLocation::Dram)
            continue;
        const OperationId last = chain.ops.back();
        Finding f;
        f.code = "TT-054";
        f.word = "fork_to_dram";
        f.chain = static_cast<int>(c);
        f.ops = {facts.inPlan(last)};
        f.bytes = facts.wholeBytes(facts.function.resultOf(last));
        f.message = facts.name(last) + " has " + std::to_string(facts.flow.useCount(last)) +
                    " readers and goes to DRAM for them (" + grouped(f.bytes) + " B)";
        for (const ResidencyTrial& t : facts.record.trials) {
            if (t.source != last || t.isAccepted) continue;
            f.message += "; " + refusalWords(facts, t);
            if (t.rejectedAt.isValid()) f.ops.push_back(facts.inPlan(t.rejectedAt));
        }
        f.fix = "keep it in L1, as it is or interleaved";
        if (!facts.s.input.options.forkReservations)
            f.proposals.push_back(settingProposal("fork reservations", "ttnn.fork_reservations", "true"));
        if (facts.canHint(last)) {
            f.proposals.push_back(hintProposal(facts.name(last) + " in interleaved L1",
                                               {facts.hint(last, "spill", wordValue("l1_interleaved"))}));
            f.proposals.push_back(
                hintProposal(facts.name(last) + " stays in L1", {facts.hint(last, "spill", wordValue("none"))}));
        }
        const OperationId one[]{last};
        found.push_back({std::move(f), facts.likeness(one)});
    }
}

void spillsReadBack(const Facts& facts, RawFindings& found) {
    const std::vector<Attempt> all = attempts(facts);
    for (const Conversion& conversion : facts.s.transformed.conversions) {
        const OperationId op = facts.s.transformed.function.value(conversion.value).producer;
        if (conversion.kind != ConversionKind::Spill || !op.isValid() || op.at() >= facts.flow.size()) continue;
        const OperationId next = nextReader(facts, op);
        if (!next.isValid() || facts.position(next) - facts.position(op) > kNear) continue;
        Finding f = spillAndReload(facts, all, op, next);
        const OperationId pair[]{op, next};
        const std::string alike =
            facts.likeness(pair) + (f.message.find("refused") == std::string::npos ? "" : "refused");
        found.push_back({std::move(f), alike});
    }
}

void concatMismatches(const Facts& facts, RawFindings& found) {
    for (std::size_t c = 0; c < facts.record.chains.size(); ++c) {
        const ChainInfo& chain = facts.record.chains[c];
        const bool isOfLayout = chain.state == ChainState::Failed && chain.isConcat && chain.failure &&
                                chain.failure->stage == "concat_layout";
        if (!isOfLayout) continue;
        const OperationId one[]{chain.ops.front()};
        found.push_back({concatMismatch(facts, chain.ops.front(), static_cast<int>(c)), facts.likeness(one)});
    }
}

}  // namespace memplan::ttnn::finders
