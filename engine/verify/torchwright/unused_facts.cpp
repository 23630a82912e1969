// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/torchwright/unused_facts.h"

#include <algorithm>
#include <map>

namespace memplan::verify::torchwright {
namespace {

using namespace memplan::torchwright;

constexpr Bytes kColumnBytes = 4;

class UnusedFacts {
public:
    UnusedFacts(const Plan& plan, const Program& program, const TorchwrightData& data, Report& report)
        : plan_(plan), g_(program.graph), s_(data.schedule), report_(report), uses_(plan.buffers.size()) {
        for (const NodeId output : g_.outputs())
            outputs_.push_back(BufferId::of(output.at()));
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i)
            made_[plan_.buffers[i].producer].push_back(i);
    }

    void run() {
        for (std::size_t i = 0; i < plan_.ops.size(); ++i)
            checkOperation(OpId::of(i));
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i)
            checkBuffer(BufferId::of(i));
        checkMemory();
        checkMetrics();
    }

private:
    const Plan& plan_;
    const NodeGraph& g_;
    const Schedule& s_;
    Report& report_;
    std::vector<std::vector<OpId>> uses_;            ///< by buffer
    std::map<OpId, std::vector<std::size_t>> made_;  ///< by operation: buffers that it computes
    std::vector<BufferId> outputs_;

    // ---- operations --------------------------------------------------------------------------------------------

    /// Cancels and bias operations stand for no node of the graph.
    [[nodiscard]] static bool isAdded(const PlanOp& op) { return op.outputs.empty() || op.name.ends_with(".bias"); }

    void checkOperation(OpId id) {
        const PlanOp& op = plan_.op(id);
        const bool isPlain = op.cores == 1 && !op.kAdjacent && op.iterationSpace.empty() && op.accesses.empty() &&
                             op.loopPath.empty() && op.loopCounts.empty() && op.namedDims.empty();
        if (!isPlain) report_.op("VER-013", id, "has cores, loops or accesses, which this machine has not");
        if (op.offChipRead != 0 || op.offChipWrite != 0 || op.maxSpan != 0 || op.fillValue != 0)
            report_.op("VER-013", id, "has bytes of a main memory, which this machine has not");
        if (op.addedBy != (isAdded(op) ? "schedule" : ""))
            report_.op("VER-013", id, "says wrongly whether it was added by the schedule");
        Origin origin;
        std::string group;
        if (!op.outputs.empty()) {
            const Node& node = g_.at(NodeId::of(op.outputs.front().at()));
            origin = {std::string(memplan::torchwright::kindName(node.kind)), node.name, "torchwright"};
            group = node.annotation;
        }
        if (op.origin != origin) report_.op("VER-013", id, "names another origin than the node that it computes");
        if (op.groupPath != group) report_.op("VER-013", id, "has another annotation than the node that it computes");
        if (!isAdded(op)) noteUses(id);
    }

    void noteUses(OpId id) {
        for (const std::size_t made : made_[id])
            uses_[made].push_back(id);
        for (const BufferId read : plan_.op(id).inputs)
            uses_[read.at()].push_back(id);
    }

    // ---- buffers -----------------------------------------------------------------------------------------------

    [[nodiscard]] BufferRole roleOf(BufferId id) const {
        if (std::ranges::find(outputs_, id) != outputs_.end()) return BufferRole::GraphOutput;
        const Node& node = g_.at(NodeId::of(id.at()));
        if (!isInputLike(node.kind)) return BufferRole::Intermediate;
        return node.is(NodeKind::LiteralValue) ? BufferRole::Constant : BufferRole::GraphInput;
    }

    void checkBuffer(BufferId id) {
        const PlanBuffer& b = plan_.buffer(id);
        const std::vector<std::int64_t> shape{g_.at(NodeId::of(id.at())).width};
        if (b.shape != shape || b.dtype != DType::F32 || b.layout)
            report_.buffer("VER-013", id, "is not a row of float32 as wide as its node");
        if (b.role != roleOf(id)) report_.buffer("VER-013", id, "has another role than its node");
        if (b.cores != 1 || b.trafficSaved != 0 || b.cloneOf.isValid() || b.poolOffset)
            report_.buffer("VER-013", id, "has cores, clones or bytes of a main memory, which this machine has not");
        if (b.uses != uses_[id.at()]) report_.buffer("VER-013", id, "is not used by the operations that access it");
        if (b.reason && sentence(*b.reason) != reasonOf(id))
            report_.buffer("VER-013", id, "has no columns for another reason: " + reasonOf(id));
    }

    [[nodiscard]] std::string reasonOf(BufferId id) const {
        const Node& node = g_.at(NodeId::of(id.at()));
        const OpId producer = plan_.buffer(id).producer;
        if (node.is(NodeKind::Concatenate)) return "a Concatenate owns no columns: its readers read those of its parts";
        if (node.is(NodeKind::Placeholder)) return "a placeholder has no columns";
        if (!producer.isValid()) return "the schedule ended before it was computed";
        const std::string chain = "the chain that ends in " + plan_.op(producer).name;
        if (node.is(NodeKind::ReLU)) return "the ReLU of " + chain + ": it lives in hidden slots";
        return "only the ReLU of " + chain + " reads it: it lives in hidden slots";
    }

    // ---- memory and metrics ------------------------------------------------------------------------------------

    void checkMemory() {
        const PlanMemory& m = plan_.memory;
        report_.expect("memory physical", m.physical, m.capacity);
        report_.expect("memory alignment", m.alignment, kColumnBytes);
        report_.expect("memory live_peak_step", std::int64_t{m.livePeakStep}, std::int64_t{peakStep()});
        if (!m.boundPerStep.empty()) report_.add("VER-013", "memory bound_per_step", "this machine has none");
    }

    /// The first operation of a layer before which the stream is fullest, else the last operation.
    [[nodiscard]] Step peakStep() const {
        for (const OccupancyPoint& point : plan_.memory.occupancy)
            if (point.bytes == kColumnBytes * s_.peakOccupied) return point.step;
        return std::max<Step>(0, static_cast<Step>(plan_.ops.size()) - 1);
    }

    void checkMetrics() {
        const PlanMetrics& m = plan_.metrics;
        const auto isNeutral = [this](const char* key, double stated) {
            if (stated != 0)
                report_.add("VER-013", std::string("metrics ") + key,
                            "says " + text::number(stated) + ", which means nothing on this machine: it stays 0");
        };
        isNeutral("main_memory_elements", static_cast<double>(m.mainMemoryElements));
        isNeutral("peak_lower_bound", static_cast<double>(m.peakLowerBound));
        isNeutral("spill_lower_bound", static_cast<double>(m.spillLowerBound));
        isNeutral("core_utilisation", m.coreUtilisation);
        isNeutral("fragmentation_max", m.fragmentationMax);
        isNeutral("ops_below_half", m.opsBelowHalf), isNeutral("ops_over_span", m.opsOverSpan);
        isNeutral("mismatches", m.mismatches);
        isNeutral("restickify_share", m.restickifyShare), isNeutral("padding_share", m.paddingShare);
        if (m.estimatedMicroseconds)
            report_.add("VER-013", "metrics estimated_microseconds", "there is no estimate of time on this machine");
    }
};

}  // namespace

void checkUnused(const Plan& plan, const Program& program, const TorchwrightData& data, Report& report) {
    UnusedFacts(plan, program, data, report).run();
}

}  // namespace memplan::verify::torchwright
