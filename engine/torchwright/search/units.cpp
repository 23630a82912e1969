// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/search/units.h"

#include "engine/torchwright/scheduler/costs.h"

#include <queue>

#include <algorithm>
#include <utility>

namespace memplan::torchwright {
namespace {

class ModelBuilder {
public:
    ModelBuilder(const NodeGraph& graph, const ScheduleOptions& options)
        : graph_(graph), relations_(relationsOf(graph)), chains_(allChainsOf(graph, relations_)),
          valueOf_(graph.size(), -1) {
        model_.options = options;
        model_.unitOf.assign(graph.size(), -1);
    }

    std::optional<UnitModel> build() {
        model_.hasOtherChains = hasOtherChains();
        addInputs();
        addUnits();
        for (std::size_t u = 0; u < model_.units.size(); ++u)
            addReads(static_cast<int>(u));
        for (std::size_t u = 0; u < model_.units.size(); ++u)
            addOrder(static_cast<int>(u));
        if (!isSchedulable() || !sortUnits()) return std::nullopt;
        setWindows();
        return std::move(model_);
    }

private:
    /// Each ReLU that may be one of a chain is: a chain takes no more slots and layers than its members alone.
    static std::vector<Chain> allChainsOf(const NodeGraph& graph, const Relations& relations) {
        std::vector<Chain> chains = chainsOf(graph, relations);
        const std::vector<Chain> further = furtherChainsOf(graph, relations, chains);
        chains.insert(chains.end(), further.begin(), further.end());
        return chains;
    }

    /// A Linear between two chains ends one or opens the other, by what is ready first. Behind an exclusive first
    /// Linear there is no choice: it is never computed without its chain.
    [[nodiscard]] bool hasOtherChains() const {
        std::vector<const Chain*> endingAt(graph_.size(), nullptr);
        for (const Chain& chain : chains_)
            endingAt[chain.second.at()] = &chain;
        for (std::size_t i = 0; i < graph_.size(); ++i) {
            const std::optional<Chain> chain = chainEndingAt(graph_, relations_, NodeId::of(i));
            if (!chain || endingAt[i] != nullptr) continue;
            const Chain* before = endingAt[chain->first.at()];
            if (before == nullptr || !before->isExclusive) return true;
        }
        return false;
    }

    // ---- values ------------------------------------------------------------------------------------------------

    int addValue(NodeId id, int unit) {
        valueOf_[id.at()] = static_cast<int>(model_.values.size());
        const bool isKept = relations_.isOutput[id.at()] || id == graph_.position;
        model_.values.push_back({id, graph_.at(id).width, unit, isKept, {}, {}, {}});
        return valueOf_[id.at()];
    }

    void addInputs() {
        addValue(graph_.position, -1);
        for (std::size_t i = 0; i < graph_.size(); ++i)
            if (isInputLike(graph_.nodes[i].kind) && NodeId::of(i) != graph_.position) addValue(NodeId::of(i), -1);
    }

    // ---- units -------------------------------------------------------------------------------------------------

    void addUnits() {
        std::vector<const Chain*> endingAt(graph_.size(), nullptr);
        std::vector<bool> isInside(graph_.size(), false);
        for (const Chain& chain : chains_) {
            endingAt[chain.second.at()] = &chain;
            isInside[chain.relu.at()] = true;
        }
        const std::vector<bool> isAwaited = awaited(isInside, endingAt);
        for (const Chain& chain : chains_) {
            const auto& readers = relations_.effective[chain.first.at()];
            const bool isReadInside = std::ranges::all_of(
                readers, [&](NodeId id) { return isInside[id.at()] && graph_.at(id).is(NodeKind::ReLU); });
            const bool isNeeded = relations_.isOutput[chain.first.at()] || isAwaited[chain.first.at()];
            if (chain.isExclusive || (isReadInside && !isNeeded)) isInside[chain.first.at()] = true;
        }
        for (std::size_t i = 0; i < graph_.size(); ++i) {
            const Node& node = graph_.nodes[i];
            const bool isOp =
                !isInputLike(node.kind) && !node.is(NodeKind::Concatenate) && !node.is(NodeKind::Placeholder);
            if (isOp && !isInside[i]) addUnit(NodeId::of(i), endingAt[i]);
        }
    }

    /// What an `after` edge names, by node. Those of a chain's ReLU and last Linear ask for nothing: it waits as its
    /// first Linear does, which is computed anyway where the chain is broken.
    [[nodiscard]] std::vector<bool> awaited(const std::vector<bool>& isInside,
                                            const std::vector<const Chain*>& endingAt) const {
        std::vector<bool> is(graph_.size(), false);
        for (std::size_t i = 0; i < graph_.size(); ++i) {
            if (isInside[i] || endingAt[i] != nullptr) continue;
            for (const NodeId before : graph_.nodes[i].after)
                for (const NodeId leaf : leavesOf(graph_, before))
                    is[leaf.at()] = true;
        }
        return is;
    }

    void addUnit(NodeId id, const Chain* chain) {
        const int index = static_cast<int>(model_.units.size());
        Unit unit;
        unit.node = id;
        unit.width = unit.leastWidth = graph_.at(id).width;
        model_.unitOf[id.at()] = index;
        if (chain != nullptr) {
            unit.first = chain->first, unit.relu = chain->relu;
            unit.slotCount = graph_.at(chain->relu).width;
            unit.isBreakable = !chain->isExclusive;
            if (unit.isBreakable) unit.leastWidth = std::min(unit.width, unit.slotCount);
            model_.unitOf[chain->relu.at()] = index;
            if (chain->isExclusive) model_.unitOf[chain->first.at()] = index;
        } else {
            setCosts(unit);
        }
        unit.value = addValue(id, index);
        model_.units.push_back(std::move(unit));
    }

    void setCosts(Unit& unit) const {
        const Node& node = graph_.at(unit.node);
        const Columns dHead = model_.options.dHead;
        switch (node.kind) {
        case NodeKind::Attn:
            unit.kind = UnitKind::Attn;
            break;
        case NodeKind::Add:
            unit.kind = UnitKind::Add;
            unit.freeHeads = headsFor(node.width, dHead);
            break;
        case NodeKind::ReLU:
            unit.kind = UnitKind::StandaloneRelu;
            unit.slotCount = node.width;
            return;
        default:
            unit.kind = UnitKind::LinearInAttention;
            if (model_.options.localInAttention == LocalRouting::Always) break;
            unit.kind = UnitKind::LinearBypass;
            unit.slotCount = 2 * node.width;
            return;
        }
        unit.heads = attentionHeads(node, dHead);
    }

    // ---- who reads and waits -----------------------------------------------------------------------------------

    /// A chain reads, and waits for hints, as its first Linear does: the others need not be ready (torchwright.md 7.2).
    [[nodiscard]] NodeId readerOf(const Unit& unit) const { return unit.first.isValid() ? unit.first : unit.node; }

    void addReads(int index) {
        Unit& unit = model_.units[static_cast<std::size_t>(index)];
        for (const NodeId leaf : relations_.reads[readerOf(unit).at()]) {
            const int value = valueOf_[leaf.at()];
            if (value < 0 || std::ranges::find(unit.reads, value) != unit.reads.end()) continue;
            unit.reads.push_back(value);
            model_.values[static_cast<std::size_t>(value)].readers.push_back(index);
        }
        if (unit.first.isValid()) unit.opening = valueOf_[unit.first.at()];
        if (unit.opening >= 0) model_.values[static_cast<std::size_t>(unit.opening)].chains.push_back(index);
        if (unit.kind != UnitKind::Add) return;
        for (const NodeId addend : graph_.at(unit.node).inputs) {
            const int value = valueOf_[addend.at()];
            const bool isOwn = !graph_.at(addend).is(NodeKind::Concatenate) && value >= 0;
            if (!isOwn || model_.values[static_cast<std::size_t>(value)].isKept) continue;
            if (std::ranges::find(unit.addends, value) != unit.addends.end()) continue;
            unit.addends.push_back(value);
            model_.values[static_cast<std::size_t>(value)].adds.push_back(index);
        }
    }

    void connect(int before, int after, int gap) {
        if (before == after) return;
        auto& edges = model_.units[static_cast<std::size_t>(after)].before;
        const auto known = std::ranges::find(edges, before, &UnitEdge::other);
        auto& back = model_.units[static_cast<std::size_t>(before)].after;
        if (known == edges.end()) {
            edges.push_back({before, gap});
            back.push_back({after, gap});
        } else if (known->gap < gap) {
            known->gap = gap;
            std::ranges::find(back, after, &UnitEdge::other)->gap = gap;
        }
    }

    [[nodiscard]] int gapBetween(int before, int after) const {
        const bool isHandedOff = model_.units[static_cast<std::size_t>(before)].isAttention() &&
                                 !model_.units[static_cast<std::size_t>(after)].isAttention();
        return isHandedOff ? 0 : 1;
    }

    /// A Concatenate counts as computed at the end of its layer.
    void waitFor(NodeId before, int after) {
        const bool isJoin = graph_.at(before).is(NodeKind::Concatenate);
        for (const NodeId leaf : leavesOf(graph_, before)) {
            const int unit = model_.unitOf[leaf.at()];
            if (unit >= 0) connect(unit, after, isJoin ? 1 : gapBetween(unit, after));
        }
    }

    void addOrder(int index) {
        const Unit& unit = model_.units[static_cast<std::size_t>(index)];
        for (const int value : unit.reads) {
            const int source = model_.values[static_cast<std::size_t>(value)].unit;
            if (source >= 0) connect(source, index, gapBetween(source, index));
        }
        const Node& opening = graph_.at(readerOf(unit));
        for (const NodeId before : opening.after)
            waitFor(before, index);
        isNeverMet_ = isNeverMet_ || !opening.afterMissing.empty();
    }

    // ---- the whole ---------------------------------------------------------------------------------------------

    [[nodiscard]] bool isSchedulable() const {
        const ScheduleOptions& o = model_.options;
        std::int64_t inputs = 0;
        for (const Value& value : model_.values)
            if (value.unit < 0) inputs += value.width;
        if (isNeverMet_ || inputs > o.d) return false;
        return std::ranges::all_of(model_.units, [&](const Unit& unit) {
            const bool isNarrow = unit.kind != UnitKind::Attn || graph_.at(unit.node).attn().qk <= o.dHead;
            const int heads = unit.addends.empty() ? unit.heads : unit.freeHeads;
            return isNarrow && heads <= o.headsPerLayer() && unit.slotCount <= o.slotsPerLayer();
        });
    }

    /// Puts the units into an order in which each stands after those it waits for, lower node first; false for a
    /// circle.
    bool sortUnits() {
        const std::size_t n = model_.units.size();
        std::vector<std::size_t> waits(n);
        std::priority_queue<int, std::vector<int>, std::greater<>> open;
        for (std::size_t u = 0; u < n; ++u) {
            waits[u] = model_.units[u].before.size();
            if (waits[u] == 0) open.push(static_cast<int>(u));
        }
        std::vector<int> place(n, -1), order;
        while (!open.empty()) {
            const int u = open.top();
            open.pop();
            place[static_cast<std::size_t>(u)] = static_cast<int>(order.size());
            order.push_back(u);
            for (const UnitEdge& edge : model_.units[static_cast<std::size_t>(u)].after)
                if (--waits[static_cast<std::size_t>(edge.other)] == 0) open.push(edge.other);
        }
        if (order.size() < n) return false;
        renumber(place, order);
        return true;
    }

    void renumber(const std::vector<int>& place, const std::vector<int>& order) {
        const auto to = [&](int& u) {
            if (u >= 0) u = place[static_cast<std::size_t>(u)];
        };
        std::vector<Unit> units;
        for (const int u : order)
            units.push_back(std::move(model_.units[static_cast<std::size_t>(u)]));
        for (Unit& unit : units) {
            for (auto* edges : {&unit.before, &unit.after})
                for (UnitEdge& edge : *edges)
                    to(edge.other);
        }
        for (Value& value : model_.values) {
            to(value.unit);
            std::ranges::for_each(value.readers, to);
            std::ranges::for_each(value.adds, to);
            std::ranges::for_each(value.chains, to);
        }
        std::ranges::for_each(model_.unitOf, to);
        model_.units = std::move(units);
    }

    void setWindows() {
        const auto& least = model_.options.layerMin;
        for (Unit& unit : model_.units) {
            if (!least.empty()) unit.earliest = std::max(unit.earliest, least[readerOf(unit).at()]);
            for (const UnitEdge& edge : unit.before)
                unit.earliest = std::max(unit.earliest, at(edge).earliest + edge.gap);
        }
        for (std::size_t u = model_.units.size(); u-- > 0;) {
            Unit& unit = model_.units[u];
            for (const UnitEdge& edge : unit.after)
                unit.tail = std::max(unit.tail, at(edge).tail + edge.gap);
        }
    }

    [[nodiscard]] const Unit& at(const UnitEdge& edge) const {
        return model_.units[static_cast<std::size_t>(edge.other)];
    }

    const NodeGraph& graph_;
    Relations relations_;
    std::vector<Chain> chains_;
    std::vector<int> valueOf_;  ///< by node
    UnitModel model_;
    bool isNeverMet_ = false;
};

}  // namespace

int UnitModel::depth() const {
    int layers = 1;
    for (const Unit& unit : units)
        layers = std::max(layers, unit.earliest + unit.tail + 1);
    return layers;
}

std::optional<UnitModel> unitModelOf(const NodeGraph& graph, const ScheduleOptions& options) {
    return ModelBuilder(graph, options).build();
}

}  // namespace memplan::torchwright
