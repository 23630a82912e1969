// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/torchwright/layer_bounds.h"

#include "engine/verify/torchwright/bound.h"

#include <algorithm>

namespace memplan::verify::torchwright {
namespace {

using memplan::torchwright::LocalRouting;
using memplan::torchwright::Node;
using memplan::torchwright::NodeKind;
using memplan::torchwright::ScheduleOptions;

/// A node that a layer computes, with the chain that it ends.
struct Operation {
    NodeId node;   ///< that owns the columns
    NodeId opens;  ///< what reads and waits: of a chain its first Linear, else the node
    bool isAttention = false;
    bool mayBreak = false;  ///< a chain whose first Linear others read: its nodes may be computed one by one
    std::int64_t slots = 0, heads = 0;
    std::int64_t born = 0;   ///< columns that are certainly new: none of an Add that may be put onto an addend
    std::int64_t held = 0;   ///< columns that stand behind its layer at least
    int head = 0, tail = 0;  ///< layers before and behind it at least
};

/// `late` stands at least `gap` layers behind `early`.
struct Wait {
    std::size_t early = 0, late = 0;
    int gap = 0;
};

struct Share {
    int head = 0, tail = 0;
    std::int64_t amount = 0;
};

class Bounds {
public:
    Bounds(const Program& program, const ScheduleOptions& options, const std::vector<int>& layerMin)
        : p_(program), g_(program.graph), o_(options), layerMin_(layerMin), operationOf_(g_.size(), kNone) {}

    std::optional<LayerBounds> run() {
        const std::vector<ChainOfThree> chains = allChainsIn(p_);
        if (canChainOtherwise(chains)) return std::nullopt;
        addOperations(chains);
        addWaits();
        if (!setHeadsAndTails()) return std::nullopt;
        return LayerBounds{byOrder(), bySlots(), byHeads(), byColumns()};
    }

private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    // ---- operations --------------------------------------------------------------------------------------------

    /// A Linear between two chains may end the one or open the other, where it does not always end the one.
    [[nodiscard]] bool canChainOtherwise(const std::vector<ChainOfThree>& chains) const {
        std::vector<const ChainOfThree*> ending(g_.size(), nullptr);
        for (const ChainOfThree& c : chains)
            ending[c.second.at()] = &c;
        return std::ranges::any_of(possibleChainsIn(p_), [&](const ChainOfThree& c) {
            if (!c.first.isValid() || ending[c.second.at()] != nullptr) return false;
            const ChainOfThree* before = ending[c.first.at()];
            return before == nullptr || !before->isExclusive;
        });
    }

    [[nodiscard]] bool isComputed(std::size_t i) const {
        const Node& node = g_.nodes[i];
        return !memplan::torchwright::isInputLike(node.kind) && !node.is(NodeKind::Concatenate) &&
               !node.is(NodeKind::Placeholder);
    }

    void addOperations(const std::vector<ChainOfThree>& chains) {
        std::vector<const ChainOfThree*> ending(g_.size(), nullptr);
        Marked isRelu(g_.size(), false), isInside(g_.size(), false);
        for (const ChainOfThree& c : chains) {
            ending[c.second.at()] = &c;
            isRelu[c.relu.at()] = isInside[c.relu.at()] = true;
        }
        Marked isAwaited(g_.size(), false);
        for (std::size_t i = 0; i < g_.size(); ++i) {
            if (isRelu[i] || ending[i] != nullptr) continue;  // those wait as the first Linear of their chain does
            for (const NodeId before : g_.nodes[i].after)
                for (const NodeId leaf : p_.ownLeaves[before.at()])
                    isAwaited[leaf.at()] = true;
        }
        for (const ChainOfThree& c : chains) {
            const std::size_t first = c.first.at();
            const auto isOfChain = [&](NodeId reader) { return isRelu[reader.at()]; };
            const bool isNeeded = p_.isHeld[first] || isAwaited[first];
            if (c.isExclusive || (!isNeeded && std::ranges::all_of(p_.readers[first], isOfChain)))
                isInside[first] = true;
        }
        for (std::size_t i = 0; i < g_.size(); ++i) {
            if (!isComputed(i) || isInside[i]) continue;
            operationOf_[i] = operations_.size();
            operations_.push_back(ending[i] != nullptr ? chained(*ending[i]) : alone(NodeId::of(i)));
        }
        for (const ChainOfThree& c : chains) {
            operationOf_[c.relu.at()] = operationOf_[c.second.at()];
            if (c.isExclusive) operationOf_[c.first.at()] = operationOf_[c.second.at()];
        }
    }

    [[nodiscard]] Operation chained(const ChainOfThree& c) const {
        Operation op{c.second, c.first};
        op.mayBreak = !c.isExclusive;
        op.slots = g_.at(c.relu).width;
        op.born = op.held = g_.at(c.second).width;
        if (op.mayBreak) op.held = std::min(op.held, op.slots);
        return op;
    }

    [[nodiscard]] Operation alone(NodeId id) const {
        const Node& node = g_.at(id);
        Operation op{id, id};
        op.born = op.held = node.width;
        if (node.is(NodeKind::ReLU)) {
            op.slots = node.width;
        } else if (node.is(NodeKind::Linear) && o_.localInAttention == LocalRouting::Never) {
            op.slots = std::int64_t{2} * node.width;
        } else {
            op.isAttention = true;
            op.heads = attentionHeads(node);
        }
        if (node.is(NodeKind::Add) && std::ranges::any_of(node.inputs, [&](NodeId x) { return mayTakeOver(x); })) {
            op.born = 0;
            op.heads = std::min<std::int64_t>(op.heads, headsFor(node.width, o_.dHead));
        }
        return op;
    }

    /// An addend with columns of its own that are given up some day.
    [[nodiscard]] bool mayTakeOver(NodeId addend) const {
        const NodeKind kind = g_.at(addend).kind;
        if (kind == NodeKind::Concatenate || kind == NodeKind::Placeholder) return false;
        return addend != g_.position && !p_.isHeld[addend.at()];
    }

    [[nodiscard]] std::int64_t attentionHeads(const Node& node) const {
        if (node.is(NodeKind::Attn)) return headsFor(node.attn().v, o_.dHead);
        if (node.is(NodeKind::Linear)) return headsFor(node.linear().inputWidth, o_.dHead);
        std::int64_t heads = 0;  // of an Add: a chunk of both addends fits one head when it fills half of it
        for (int left = node.width; left > 0; left -= o_.dHead)
            heads += 2 * std::min(left, o_.dHead) <= o_.dHead ? 1 : 2;
        return heads;
    }

    // ---- order -------------------------------------------------------------------------------------------------

    /// Attention of a layer is there for its MLP; what waits for a Concatenate waits for the end of the layer.
    void wait(NodeId before, std::size_t late, bool isJoin) {
        const std::size_t early = operationOf_[before.at()];
        if (early == kNone || early == late) return;
        const bool isHandedOff = !isJoin && operations_[early].isAttention && !operations_[late].isAttention;
        waits_.push_back({early, late, isHandedOff ? 0 : 1});
    }

    void addWaits() {
        for (std::size_t i = 0; i < operations_.size(); ++i) {
            const NodeId opens = operations_[i].opens;
            for (const auto& leaves : p_.inputLeaves[opens.at()])
                for (const NodeId leaf : leaves)
                    wait(leaf, i, false);
            for (const NodeId before : g_.at(opens).after)
                for (const NodeId leaf : p_.ownLeaves[before.at()])
                    wait(leaf, i, g_.at(before).is(NodeKind::Concatenate));
        }
    }

    /// False where operations wait for each other, or for what is not there.
    bool setHeadsAndTails() {
        std::vector<std::vector<Wait>> behind(operations_.size());
        std::vector<std::size_t> open(operations_.size(), 0), order;
        for (const Wait& w : waits_) {
            behind[w.early].push_back(w);
            ++open[w.late];
        }
        for (std::size_t i = 0; i < operations_.size(); ++i) {
            const std::size_t opens = operations_[i].opens.at();
            if (!g_.nodes[opens].afterMissing.empty()) return false;
            operations_[i].head = opens < layerMin_.size() ? layerMin_[opens] : 0;
            if (open[i] == 0) order.push_back(i);
        }
        for (std::size_t at = 0; at < order.size(); ++at) {
            for (const Wait& w : behind[order[at]]) {
                int& head = operations_[w.late].head;
                head = std::max(head, operations_[w.early].head + w.gap);
                if (--open[w.late] == 0) order.push_back(w.late);
            }
        }
        for (auto it = order.rbegin(); it != order.rend(); ++it) {
            for (const Wait& w : behind[*it]) {
                int& tail = operations_[w.early].tail;
                tail = std::max(tail, operations_[w.late].tail + w.gap);
            }
        }
        return order.size() == operations_.size();
    }

    // ---- bounds ------------------------------------------------------------------------------------------------

    [[nodiscard]] int byOrder() const {
        int layers = 1;
        for (const Operation& op : operations_)
            layers = std::max(layers, op.head + op.tail + 1);
        return layers;
    }

    /// `once`: what all layers together have beside `ofLayer`.
    static int layersFor(std::vector<Share> shares, std::int64_t ofLayer, std::int64_t once = 0) {
        if (ofLayer <= 0) return 0;
        std::ranges::sort(shares, std::ranges::greater(), &Share::tail);
        std::vector<int> heads;
        for (const Share& share : shares)
            heads.push_back(share.head);
        std::ranges::sort(heads);
        heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
        int layers = 0;
        for (const int head : heads) {
            std::int64_t sum = -once;
            for (const Share& share : shares) {
                if (share.head < head) continue;
                sum += share.amount;
                if (sum > 0) layers = std::max(layers, head + share.tail + static_cast<int>(ceilDiv(sum, ofLayer)));
            }
        }
        return layers;
    }

    [[nodiscard]] int bySlots() const {
        std::vector<Share> shares;
        for (const Operation& op : operations_)
            if (op.slots > 0) shares.push_back({op.head, op.tail, op.slots});
        return layersFor(std::move(shares), o_.slotsPerLayer());
    }

    [[nodiscard]] std::int64_t inputColumns(bool isKeptOnly) const {
        std::int64_t columns = 0;
        for (std::size_t i = 0; i < g_.size(); ++i) {
            const bool isKept = p_.isHeld[i] || NodeId::of(i) == g_.position;
            if (memplan::torchwright::isInputLike(g_.nodes[i].kind) && (isKept || !isKeptOnly))
                columns += g_.nodes[i].width;
        }
        return columns;
    }

    /// A column was cancelled before something is born in it, in any layer up to that one; of a stream that begins with
    /// zeros those that no input takes are clean once. The end of a broken chain may stand one layer later.
    [[nodiscard]] int byHeads() const {
        std::vector<Share> own, all;
        for (const Operation& op : operations_) {
            const std::int64_t columns = op.heads * o_.dHead;
            if (columns > 0) own.push_back({op.head, op.tail, columns});
            const bool mayMove = op.mayBreak && o_.localInAttention == LocalRouting::Always;
            const int tail = mayMove ? std::max(0, op.tail - 1) : op.tail;
            if (columns + op.born > 0) all.push_back({0, tail, columns + op.born});
        }
        const std::int64_t ofLayer = std::int64_t{o_.headsPerLayer()} * o_.dHead;
        const std::int64_t clean = o_.assumeZeroInit ? o_.d - inputColumns(false) : 0;
        return std::max(layersFor(std::move(own), ofLayer), layersFor(std::move(all), ofLayer, clean));
    }

    /// A value stands behind its own layer, and for each reader until that: attention reads what stood behind the layer
    /// before, the MLP what stands behind its own. A chain that may break holds nothing: its first Linear may have
    /// read. Of equal products the first reader counts.
    [[nodiscard]] int byColumns() const {
        std::vector<Share> shares;
        for (const Operation& op : operations_)
            shares.push_back({op.head, op.tail, op.held});
        std::vector<int> gaps(operations_.size(), 0);  // to the reader that is looked at, by source
        std::vector<std::vector<Wait>> into(operations_.size());
        for (const Wait& w : waits_)
            into[w.late].push_back(w);
        for (std::size_t i = 0; i < operations_.size(); ++i) {
            const Operation& reader = operations_[i];
            if (reader.mayBreak) continue;
            for (const Wait& w : into[i])
                gaps[w.early] = std::max(gaps[w.early], w.gap);
            for (const auto& leaves : p_.inputLeaves[reader.opens.at()])
                for (const NodeId leaf : leaves)
                    hold(leaf, reader, gaps, shares);
            for (const Wait& w : into[i])
                gaps[w.early] = 0;
        }
        return layersFor(std::move(shares), o_.d - inputColumns(true));
    }

    void hold(NodeId value, const Operation& reader, const std::vector<int>& gaps, std::vector<Share>& shares) const {
        const std::size_t at = operationOf_[value.at()];
        if (at == kNone || operations_[at].node != value) return;
        const std::int64_t layers = gaps[at] + (reader.isAttention ? 0 : 1);
        const std::int64_t amount = operations_[at].held * layers;
        if (amount > shares[at].amount) shares[at] = {operations_[at].head, reader.tail, amount};
    }

    const Program& p_;
    const memplan::torchwright::NodeGraph& g_;
    const ScheduleOptions& o_;
    const std::vector<int>& layerMin_;
    std::vector<Operation> operations_;     ///< by ascending node
    std::vector<std::size_t> operationOf_;  ///< by node: what computes it
    std::vector<Wait> waits_;
};

}  // namespace

std::optional<LayerBounds> layerBoundsOf(const Program& program, const ScheduleOptions& options,
                                         const std::vector<int>& layerMin) {
    return Bounds(program, options, layerMin).run();
}

}  // namespace memplan::verify::torchwright
