// SPDX-License-Identifier: Apache-2.0
// Why a layer refused nodes (torchwright.md 14, Binding), held against what its heads and slots leave.
#include "engine/verify/torchwright/record_facts.h"

#include <algorithm>

namespace memplan::verify::torchwright {
namespace {

using namespace memplan::torchwright;

class RefusalFacts {
public:
    RefusalFacts(const Program& program, const TorchwrightData& data, Report& report)
        : g_(program.graph), s_(data.schedule), o_(s_.options), report_(report) {}

    void run() {
        for (layer_ = 0; layer_ < s_.layerCount(); ++layer_) {
            const Layer& layer = s_.layers[static_cast<std::size_t>(layer_)];
            for (const Refusal& refusal : layer.refused)
                if (!isPossible(layer, refusal))
                    fault(refusal.node, "is refused for " + std::string(causeName(refusal.cause)) +
                                            ", of which the layer has enough");
        }
    }

private:
    const NodeGraph& g_;
    const Schedule& s_;
    const ScheduleOptions& o_;
    Report& report_;
    int layer_ = 0;

    void fault(NodeId id, const std::string& what) {
        report_.add("VER-013", "layer " + std::to_string(layer_), "node " + g_.label(id) + ' ' + what);
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
            // A damaged file may hold any width.
            const std::int64_t most =
                std::max(2 * std::int64_t{width}, std::int64_t{relu.isValid() ? g_.at(relu).width : 0});
            return most > o_.slotsPerLayer() - layer.slotsUsed;
        }
        if (refusal.cause != Cause::HeadRoom) return true;
        int cancelled = 0;
        for (const AttentionOp& op : layer.attention)
            if (op.kind == AttentionKind::Cancel) cancelled += op.target.size();
        const int others = layer.heads - headsFor(cancelled, o_.dHead);
        const std::int64_t withResult = ceilDiv(std::int64_t{cancelled} + width, std::int64_t{o_.dHead});
        return std::int64_t{others} + headsOf(id) + withResult > o_.headsPerLayer();
    }

    /// At most, whatever sublayer computes it.
    [[nodiscard]] int headsOf(NodeId id) const {
        const Node& node = g_.at(id);
        if (node.is(NodeKind::Attn)) return headsFor(node.attn().v, o_.dHead);
        if (node.is(NodeKind::Linear)) return headsFor(node.linear().inputWidth, o_.dHead);
        return node.is(NodeKind::Add) ? 2 * headsFor(node.width, o_.dHead) : 0;
    }
};

}  // namespace

void checkRefusals(const Program& program, const TorchwrightData& data, Report& report) {
    if (data.schedule.nodeLayer.size() == program.graph.size()) RefusalFacts(program, data, report).run();
}

}  // namespace memplan::verify::torchwright
