// SPDX-License-Identifier: Apache-2.0
// Which nodes a layer refused and why (torchwright.md 14, Binding), held against what was ready before it and what its
// heads and slots leave.
#include "engine/verify/torchwright/record_facts.h"

#include <algorithm>

namespace memplan::verify::torchwright {
namespace {

using namespace memplan::torchwright;

int ceilDiv(int a, int b) {
    return (a + b - 1) / b;
}

class RefusalFacts {
public:
    RefusalFacts(const Program& program, const TorchwrightData& data, Report& report)
        : p_(program), g_(program.graph), s_(data.schedule), o_(s_.options), report_(report) {}

    void run() {
        for (layer_ = 0; layer_ < s_.layerCount(); ++layer_) {
            const Layer& layer = s_.layers[static_cast<std::size_t>(layer_)];
            for (const Refusal& refusal : layer.refused)
                if (!isPossible(layer, refusal))
                    fault(refusal.node, "is refused for " + std::string(causeName(refusal.cause)) +
                                            ", of which the layer has enough");
            const std::vector<bool> isRefused = refusedBy(layer);
            for (std::size_t i = 0; i < g_.size(); ++i)
                if (!isRefused[i] && isLeftOver(NodeId::of(i)))
                    fault(NodeId::of(i), "is ready, not computed and not refused");
        }
    }

private:
    static constexpr int kNever = 1'000'000'000;

    const Program& p_;
    const NodeGraph& g_;
    const Schedule& s_;
    const ScheduleOptions& o_;
    Report& report_;
    int layer_ = 0;

    void fault(NodeId id, const std::string& what) {
        report_.add("VER-013", "layer " + std::to_string(layer_), "node " + g_.label(id) + ' ' + what);
    }

    /// The layer that computes a value, -1 = before the first.
    [[nodiscard]] int computedIn(NodeId leaf) const {
        if (isInputLike(g_.at(leaf).kind)) return -1;
        const int layer = s_.nodeLayer[leaf.at()];
        return layer < 0 ? kNever : layer;
    }

    [[nodiscard]] bool isThere(const std::vector<NodeId>& leaves) const {
        return std::ranges::all_of(leaves, [this](NodeId leaf) { return computedIn(leaf) < layer_; });
    }

    [[nodiscard]] bool mayWait(NodeId id) const {
        return !g_.at(id).after.empty() || (!o_.layerMin.empty() && layer_ < o_.layerMin[id.at()]);
    }

    /// A first Linear that chains alone read, each of them done or held back by a hint on another of its nodes.
    [[nodiscard]] bool isLeftToChains(NodeId id) const {
        const auto& readers = p_.readers[id.at()];
        if (!g_.at(id).is(NodeKind::Linear) || p_.isHeld[id.at()] || readers.empty()) return false;
        return std::ranges::all_of(readers, [this](NodeId relu) {
            if (!g_.at(relu).is(NodeKind::ReLU)) return false;
            return computedIn(relu) <= layer_ || mayWait(relu) ||
                   std::ranges::any_of(p_.readers[relu.at()], [this](NodeId second) { return mayWait(second); });
        });
    }

    /// Ready before the layer and not computed by it.
    [[nodiscard]] bool isLeftOver(NodeId id) const {
        const Node& node = g_.at(id);
        if (isInputLike(node.kind) || node.is(NodeKind::Concatenate) || node.is(NodeKind::Placeholder)) return false;
        if (computedIn(id) <= layer_ || !node.afterMissing.empty() || isLeftToChains(id)) return false;
        if (!o_.layerMin.empty() && layer_ < o_.layerMin[id.at()]) return false;
        return std::ranges::all_of(p_.inputLeaves[id.at()], [this](const auto& leaves) { return isThere(leaves); }) &&
               std::ranges::all_of(node.after, [this](NodeId before) { return isThere(p_.ownLeaves[before.at()]); });
    }

    /// By node: itself, or as the first Linear of a chain.
    [[nodiscard]] std::vector<bool> refusedBy(const Layer& layer) const {
        std::vector<bool> is(g_.size(), false);
        for (const Refusal& r : layer.refused) {
            is[r.node.at()] = true;
            if (const NodeId relu = reluOf(r.node); relu.isValid()) is[g_.at(relu).inputs.front().at()] = true;
        }
        return is;
    }

    [[nodiscard]] NodeId reluOf(NodeId second) const {
        const Node& node = g_.at(second);
        const NodeId input = node.is(NodeKind::Linear) ? node.inputs.front() : NodeId{};
        return input.isValid() && g_.at(input).is(NodeKind::ReLU) ? input : NodeId{};
    }

    /// What is left at the end of a layer was left when it refused the node.
    [[nodiscard]] bool isPossible(const Layer& layer, const Refusal& refusal) const {
        const NodeId id = refusal.node;
        const int width = g_.at(id).width;
        if (refusal.cause == Cause::Admission) return o_.admissionControl;
        if (refusal.cause == Cause::SlotRoom) {
            const NodeId relu = reluOf(id);
            const int most = std::max(2 * width, relu.isValid() ? g_.at(relu).width : 0);
            return most > o_.slotsPerLayer() - layer.slotsUsed;
        }
        if (refusal.cause != Cause::HeadRoom) return true;
        int cancelled = 0;
        for (const AttentionOp& op : layer.attention)
            if (op.kind == AttentionKind::Cancel) cancelled += op.target.size();
        const int others = layer.heads - ceilDiv(cancelled, o_.dHead);
        return others + headsOf(id) + ceilDiv(cancelled + width, o_.dHead) > o_.headsPerLayer();
    }

    /// At most, whatever sublayer computes it.
    [[nodiscard]] int headsOf(NodeId id) const {
        const Node& node = g_.at(id);
        if (node.is(NodeKind::Attn)) return ceilDiv(node.attn().v, o_.dHead);
        if (node.is(NodeKind::Linear)) return ceilDiv(node.linear().inputWidth, o_.dHead);
        return node.is(NodeKind::Add) ? 2 * ceilDiv(node.width, o_.dHead) : 0;
    }
};

}  // namespace

void checkRefusals(const Program& program, const TorchwrightData& data, Report& report) {
    if (data.schedule.nodeLayer.size() == program.graph.size()) RefusalFacts(program, data, report).run();
}

}  // namespace memplan::verify::torchwright
