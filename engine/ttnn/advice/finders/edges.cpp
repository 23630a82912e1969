// SPDX-License-Identifier: Apache-2.0
// Operands that the solver does not track, and conversions at better places.
#include "engine/base/text.h"
#include "engine/ttnn/advice/finders/finders.h"
#include "engine/ttnn/assign/assignment.h"
#include "engine/ttnn/texts/times.h"

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

/// The cheapest way through a chain, every result sharded, a conversion allowed on every edge (12.3).
class Placements {
public:
    explicit Placements(const Facts& facts)
        : facts_(facts), evaluator_(facts.s.input), cost_(evaluator_),
          now_(assignmentOf(evaluator_, facts.s.transformed)) {}

    std::optional<BetterPlacement> of(const ChainInfo& chain) {
        layers_.clear();
        for (std::size_t i = 0; i < chain.ops.size(); ++i) {
            layers_.push_back(layerOf(chain.ops, i));
            if (layers_.back().empty()) return std::nullopt;
        }
        BetterPlacement better;
        better.chainNs = plannedNs(chain);
        double best = better.chainNs;
        int last = -1;
        for (std::size_t n = 0; n < layers_.back().size(); ++n) {
            const Node& node = layers_.back()[n];
            const double ns = node.ns + exitNs(chain, node.output);
            if (ns < best) best = ns, last = static_cast<int>(n);
        }
        better.gainNs = better.chainNs - best;
        if (last < 0 || better.gainNs < kLeastGain * better.chainNs) return std::nullopt;
        trace(chain.ops, last, better);
        if (better.reshards.empty()) return std::nullopt;
        return better;
    }

private:
    struct Node {
        LayoutId input = -1, output = -1;
        double ns = 0;  ///< of everything up to it
        int before = -1;
    };
    using Layer = std::vector<Node>;

    /// Layouts in which the operation may read the value of the one before, with the cheapest way to each.
    Layer inputsOf(const std::vector<OperationId>& ops, std::size_t i) {
        Layer found;
        const auto add = [&](LayoutId layout, double ns, int before) {
            const auto it = std::ranges::find(found, layout, &Node::input);
            if (it == found.end())
                found.push_back({layout, -1, ns, before});
            else if (ns < it->ns)
                *it = {layout, -1, ns, before};
        };
        const ValueId value = facts_.function.resultOf(ops[i - 1]);
        for (std::size_t n = 0; n < layers_[i - 1].size(); ++n) {
            const Node& node = layers_[i - 1][n];
            add(node.output, node.ns, static_cast<int>(n));
            for (const LayoutId target : evaluator_.targets(value, node.output)) {
                const Answer conversion = evaluator_.convert(value, node.output, target);
                if (conversion.isLegal) add(target, node.ns + conversion.ns, static_cast<int>(n));
            }
        }
        return found;
    }

    Layer layerOf(const std::vector<OperationId>& ops, std::size_t i) {
        Layer layer;
        std::vector<LayoutId> inputs = cost_.inputs(now_, ops[i]);
        if (i == 0) {
            addOptions(ops[0], inputs, {-1, -1, entryNs(ops[0]), -1}, layer);
            return layer;
        }
        const auto& operands = facts_.flow.operands(ops[i]);
        const auto slot = std::ranges::find(operands, ops[i - 1], &TensorOperand::producer) - operands.begin();
        if (static_cast<std::size_t>(slot) >= inputs.size()) return layer;
        for (const Node& input : inputsOf(ops, i)) {
            inputs[static_cast<std::size_t>(slot)] = input.input;
            addOptions(ops[i], inputs, input, layer);
        }
        return layer;
    }

    void addOptions(OperationId op, const std::vector<LayoutId>& inputs, const Node& from, Layer& layer) {
        if (std::ranges::any_of(inputs, [](LayoutId id) { return id < 0; })) return;
        for (const Option& option : evaluator_.options(op, inputs)) {
            const LayoutId output = option.answer.output;
            if (!evaluator_.isSharded(output)) continue;
            const Node node{from.input, output, from.ns + option.answer.ns, from.before};
            const auto it = std::ranges::find(layer, output, &Node::output);
            if (it == layer.end())
                layer.push_back(node);
            else if (node.ns < it->ns)
                *it = node;
        }
    }

    [[nodiscard]] double edgeNs(OperationId op, std::size_t slot) {
        const EdgeChoice& edge = now_.ops[op.at()].edges[slot];
        const TensorOperand& operand = facts_.flow.operands(op)[slot];
        const LayoutId from = cost_.source(now_, operand, edge);
        if (edge.reshard < 0 || from < 0) return 0;
        return evaluator_.convert(operand.value, from, edge.reshard).ns;
    }
    /// Conversions at the entry stay as they are.
    [[nodiscard]] double entryNs(OperationId op) {
        double ns = 0;
        for (std::size_t k = 0; k < now_.ops[op.at()].edges.size(); ++k)
            ns += edgeNs(op, k);
        return ns;
    }
    /// To DRAM where the plan spills it, else back to the layout that its readers have now.
    [[nodiscard]] double exitNs(const ChainInfo& chain, LayoutId output) {
        const OperationId last = chain.ops.back();
        const ValueId value = facts_.function.resultOf(last);
        const OpChoice& choice = now_.ops[last.at()];
        const LayoutId wanted = choice.copy >= 0 ? choice.copy : choice.output;
        return wanted == output ? 0 : evaluator_.convert(value, output, wanted).ns;
    }
    /// As planned.
    [[nodiscard]] double plannedNs(const ChainInfo& chain) {
        double ns = exitNs(chain, now_.ops[chain.ops.back().at()].output);
        for (const OperationId op : chain.ops) {
            const OpChoice& choice = now_.ops[op.at()];
            ns += entryNs(op) + evaluator_.ask(op, cost_.inputs(now_, op), choice.output, choice.attrs).ns;
        }
        return ns;
    }

    void trace(const std::vector<OperationId>& ops, int node, BetterPlacement& better) {
        for (std::size_t i = ops.size(); i-- > 0;) {
            const Node& at = layers_[i][static_cast<std::size_t>(node)];
            if (at.output != now_.ops[ops[i].at()].output)
                better.changed.emplace_back(ops[i], evaluator_.layout(at.output));
            if (i > 0) addReshard(ops, i, at, better);
            node = at.before;
        }
        std::ranges::reverse(better.reshards);
        std::ranges::reverse(better.changed);
    }

    void addReshard(const std::vector<OperationId>& ops, std::size_t i, const Node& at, BetterPlacement& better) {
        if (at.input == layers_[i - 1][static_cast<std::size_t>(at.before)].output) return;
        const auto& operands = facts_.flow.operands(ops[i]);
        const auto slot = std::ranges::find(operands, ops[i - 1], &TensorOperand::producer) - operands.begin();
        if (now_.ops[ops[i].at()].edges[static_cast<std::size_t>(slot)].reshard >= 0) return;
        better.reshards.push_back(
            {ops[i], operands[static_cast<std::size_t>(slot)].position, evaluator_.layout(at.input)});
    }

    const Facts& facts_;
    Evaluator evaluator_;
    AssignmentCost cost_;
    Assignment now_;
    std::vector<Layer> layers_;
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
        const std::optional<BetterPlacement> better = placements.of(chain);
        if (!better) {
            isUseless[key] = true;
            continue;
        }
        found.push_back({elsewhere(facts, static_cast<int>(c), *better), key});
    }
}

}  // namespace memplan::ttnn::finders
