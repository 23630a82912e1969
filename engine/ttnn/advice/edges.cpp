// SPDX-License-Identifier: Apache-2.0
// Operands that the solver does not track, and conversions at better places.
#include "engine/base/text.h"
#include "engine/ttnn/advice/finders.h"
#include "engine/ttnn/assign/editor.h"
#include "engine/ttnn/global/path_placement.h"

#include <algorithm>
#include <map>

namespace memplan::ttnn::finders {
namespace {

using text::grouped;

// ---- TT-050 ------------------------------------------------------------------------------------------------------

/// A sharded layout of the producer that the operation would read at that operand as it is otherwise; null for none.
const Layout* acceptedLayout(const Facts& facts, OperationId op, const TensorOperand& operand) {
    const OpSpace* producer = facts.space(operand.producer);
    std::optional<std::vector<Layout>> inputs = facts.inputs(op);
    if (producer == nullptr || !inputs) return nullptr;
    const auto& operands = facts.flow.operands(op);
    const auto slot = static_cast<std::size_t>(std::ranges::find(operands, operand.position, &TensorOperand::position) -
                                               operands.begin());
    const OpConfig config = facts.config(op);
    const Layout* tried = nullptr;
    for (const OpConfig& one : producer->sharded) {
        if (tried != nullptr && *one.output == *tried) continue;  // the same with other attributes
        tried = &*one.output;
        (*inputs)[slot] = *one.output;
        if (facts.runs(op, *inputs, config)) return tried;
    }
    return nullptr;
}

/// A merge of that value into this operand that was refused for room.
const MergeInfo* refusedMerge(const Facts& facts, OperationId op, const TensorOperand& operand) {
    const int source = facts.chainIndex(operand.producer);
    const auto it = std::ranges::find_if(facts.record.merges, [&](const MergeInfo& m) {
        return !m.isAccepted && m.needed > 0 && m.joinOp == op &&
               std::ranges::find(m.sources, source) != m.sources.end();
    });
    return it == facts.record.merges.end() ? nullptr : &*it;
}

Finding untracked(const Facts& facts, OperationId op, const TensorOperand& operand, const Layout& accepted) {
    Finding f;
    f.code = "TT-050";
    f.word = "operand_not_tracked";
    f.ops = {facts.inPlan(op), facts.inPlan(operand.producer)};
    f.chain = facts.chainIndex(op);
    f.bytes = facts.wholeBytes(operand.value);
    f.message = facts.name(op) + " reads operand " + std::to_string(operand.position) + " (" +
                facts.name(operand.producer) + ", " + grouped(f.bytes) +
                " B) from DRAM: chains follow operand 0 only, and it would take it as " + shortWords(accepted);
    if (const MergeInfo* merge = refusedMerge(facts, op, operand)) {
        f.message += "; the merge that would bring it needs " + grouped(merge->needed) + " of " +
                     grouped(merge->available) + " B of a core at " +
                     (merge->rejectedAt.isValid() ? facts.name(merge->rejectedAt) : std::string("its join"));
        f.fix = "make room at that operation: see the reservations there";
        return f;
    }
    f.fix = "a policy that follows all operands: GreedyBeam or Global";
    f.proposals = {settingProposal("policy GreedyBeam", "ttnn.policy", "GreedyBeam"),
                   settingProposal("policy Global", "ttnn.policy", "Global")};
    return f;
}

// ---- TT-052 ------------------------------------------------------------------------------------------------------

constexpr std::size_t kLongestPath = 64;
constexpr double kLeastGain = 0.01;

/// A conversion that the cheapest placement has and the plan has not.
struct NewReshard {
    OperationId op;
    int operand = 0;
    Layout layout;
};

struct BetterPlacement {
    double gainNs = 0, chainNs = 0;
    std::vector<NewReshard> reshards;
    std::vector<std::pair<OperationId, Layout>> changed;  ///< other layouts of results
};

class Placements {
public:
    explicit Placements(const Facts& facts)
        : facts_(facts), evaluator_(facts.s.input), cost_(evaluator_),
          now_(assignmentOf(evaluator_, facts.s.transformed)), editor_(evaluator_, now_) {}

    std::optional<BetterPlacement> of(const std::vector<OperationId>& ops) {
        editor_.begin();
        std::vector<OpChoice> before;
        for (const OperationId op : ops)
            before.push_back(now_.ops[op.at()]);
        std::optional<BetterPlacement> found;
        if (placePath(evaluator_, editor_, ops)) found = difference(ops, before);
        editor_.rollBack();
        return found;
    }

private:
    std::optional<BetterPlacement> difference(const std::vector<OperationId>& ops,
                                              const std::vector<OpChoice>& before) {
        BetterPlacement better;
        better.gainNs = -editor_.change().ns;
        better.chainNs = nsOf(ops);
        if (better.gainNs < kLeastGain * better.chainNs || better.gainNs <= 0) return std::nullopt;
        for (std::size_t i = 0; i < ops.size(); ++i)
            compare(ops[i], before[i], better);
        if (better.reshards.empty() || !cost_(now_).isLegal) return std::nullopt;
        return better;
    }

    void compare(OperationId op, const OpChoice& before, BetterPlacement& better) {
        const OpChoice& after = now_.ops[op.at()];
        if (after.output >= 0 && after.output != before.output)
            better.changed.emplace_back(op, evaluator_.layout(after.output));
        const auto& operands = facts_.flow.operands(op);
        for (std::size_t k = 0; k < after.edges.size(); ++k) {
            const LayoutId target = after.edges[k].reshard;
            if (target < 0 || before.edges[k].reshard >= 0) continue;
            better.reshards.push_back({op, operands[k].position, evaluator_.layout(target)});
        }
    }

    /// Operations of the chain with the conversions at them, as planned.
    [[nodiscard]] double nsOf(const std::vector<OperationId>& ops) const {
        double ns = 0;
        for (const OperationId op : ops)
            if (const OpMeasure* m = facts_.measured(op)) ns += m->runtime.ns;
        for (const Conversion& c : facts_.s.transformed.conversions) {
            const OperationId producer = facts_.s.transformed.function.value(c.value).producer;
            const bool isHere = std::ranges::find(ops, c.consumer) != ops.end() ||
                                (producer.isValid() && std::ranges::find(ops, producer) != ops.end());
            const OpMeasure* m = facts_.measured(c.op);
            if (isHere && m != nullptr && !c.isInPlace) ns += m->runtime.ns;
        }
        return ns;
    }

    const Facts& facts_;
    Evaluator evaluator_;
    AssignmentCost cost_;
    Assignment now_;
    AssignmentEditor editor_;
};

/// Chains of equal kinds, shapes and layouts have equal placements.
std::string chainKey(const Facts& facts, const std::vector<OperationId>& ops) {
    std::string key = facts.likeness(ops);
    for (const OperationId op : ops) {
        if (const Layout* layout = facts.layout(op)) key += shortWords(*layout) + ";";
        for (const TensorOperand& operand : facts.flow.operands(op))
            if (const Layout* layout = facts.read(op, operand.position)) key += shortWords(*layout) + ",";
    }
    return key;
}

std::string microseconds(double ns) {
    return text::fixed(ns / 1000, 1) + " us";
}

Finding elsewhere(const Facts& facts, int chain, const BetterPlacement& better) {
    const NewReshard& first = better.reshards.front();
    Finding f;
    f.code = "TT-052";
    f.word = "reshard_elsewhere";
    f.chain = chain;
    for (const NewReshard& reshard : better.reshards)
        f.ops.push_back(facts.inPlan(reshard.op));
    f.message = "a conversion of operand " + std::to_string(first.operand) + " of " + facts.name(first.op) + " to " +
                shortWords(first.layout) + " would make chain " + std::to_string(chain) +
                " faster: " + microseconds(better.chainNs) + " to " + microseconds(better.chainNs - better.gainNs) +
                " (" + text::fixed(100 * better.gainNs / better.chainNs, 1) + " % less)";
    f.fix = "force a reshard there";
    std::vector<Hint> reshards, all;
    for (const NewReshard& reshard : better.reshards) {
        if (!facts.canHint(reshard.op)) return f;
        const bool isKnown = std::ranges::any_of(
            reshards, [&](const Hint& h) { return h.scopes.front() == "op:" + facts.s.hintIds[reshard.op.at()]; });
        if (!isKnown)
            reshards.push_back(
                facts.hint(reshard.op, "input_reshard", HintValue(io::jsonArray({io::jsonInteger(reshard.operand)}))));
    }
    all = reshards;
    for (const auto& [op, layout] : better.changed) {
        if (!facts.canHint(op) || !layout.isL1Sharded()) return f;
        all.push_back(facts.layoutHint(op, layout));
    }
    if (all.size() > reshards.size())
        f.proposals.push_back(
            hintProposal("reshard before " + facts.name(first.op) + ", with the layouts around it", std::move(all)));
    f.proposals.push_back(hintProposal("reshard before " + facts.name(first.op), std::move(reshards)));
    return f;
}

}  // namespace

void untrackedOperands(const Facts& facts, RawFindings& found) {
    std::map<std::string, bool> refused;  // by kinds, shapes and layouts: most of a network repeats itself
    for (const ChainInfo& chain : facts.record.chains) {
        if (chain.state != ChainState::Completed) continue;
        for (const OperationId op : chain.ops) {
            for (const TensorOperand& operand : facts.flow.operands(op)) {
                const Layout* now = facts.read(op, operand.position);
                const bool isCandidate =
                    operand.position >= 1 && operand.producer.isValid() && now != nullptr && now->isInDram();
                if (!isCandidate) continue;
                const OperationId pair[]{op, operand.producer};
                const std::string key = chainKey(facts, {op, operand.producer}) + std::to_string(operand.position);
                if (refused[key]) continue;
                const Layout* accepted = acceptedLayout(facts, op, operand);
                if (accepted == nullptr) {
                    refused[key] = true;
                    continue;
                }
                Finding f = untracked(facts, op, operand, *accepted);
                const std::string alike = facts.likeness(pair) + (f.proposals.empty() ? "room" : "");
                found.push_back({std::move(f), alike});
            }
        }
    }
}

void reshardsElsewhere(const Facts& facts, RawFindings& found) {
    const auto isLine = [](const ChainInfo& chain) {
        return chain.state == ChainState::Completed && chain.ops.size() > 1 && chain.ops.size() <= kLongestPath;
    };
    if (std::ranges::none_of(facts.record.chains, isLine)) return;
    Placements placements(facts);
    std::map<std::string, bool> isUseless;
    for (std::size_t c = 0; c < facts.record.chains.size() && !facts.s.input.control.shouldStop(); ++c) {
        const ChainInfo& chain = facts.record.chains[c];
        if (!isLine(chain)) continue;
        const std::string key = chainKey(facts, chain.ops);
        if (isUseless[key]) continue;
        const std::optional<BetterPlacement> better = placements.of(chain.ops);
        if (!better) {
            isUseless[key] = true;
            continue;
        }
        found.push_back({elsewhere(facts, static_cast<int>(c), *better), key});
    }
}

}  // namespace memplan::ttnn::finders
