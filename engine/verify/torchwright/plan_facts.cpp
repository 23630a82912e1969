// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/torchwright/plan_facts.h"

#include <algorithm>
#include <map>

namespace memplan::verify::torchwright {
namespace {

using namespace memplan::torchwright;

constexpr Bytes kColumnBytes = 4;

/// An operation of the schedule at its position among those of the plan.
struct ScheduledOp {
    int layer = 0;
    const AttentionOp* attention = nullptr;
    const MlpOp* mlp = nullptr;

    [[nodiscard]] NodeId node() const { return attention != nullptr ? attention->node : mlp->node; }
    [[nodiscard]] const ColumnList& target() const { return attention != nullptr ? attention->target : mlp->target; }
    [[nodiscard]] bool isBias() const { return mlp != nullptr && mlp->kind == MlpKind::Bias; }
    [[nodiscard]] bool isCancel() const { return attention != nullptr && attention->kind == AttentionKind::Cancel; }
};

BufferId bufferOf(NodeId id) {
    return BufferId::of(id.at());
}

class CommonPart {
public:
    CommonPart(const Plan& plan, const Program& program, const TorchwrightData& data, Report& report)
        : plan_(plan), p_(program), g_(program.graph), s_(data.schedule), report_(report) {
        for (int i = 0; i < s_.layerCount(); ++i) {
            const Layer& layer = s_.layers[static_cast<std::size_t>(i)];
            for (const AttentionOp& op : layer.attention)
                steps_.push_back({i, &op, nullptr});
            for (const MlpOp& op : layer.mlp)
                steps_.push_back({i, nullptr, &op});
        }
    }

    void run() {
        checkConfig();
        report_.expect("ops", count(plan_.ops.size()), count(steps_.size()));
        if (plan_.ops.size() != steps_.size()) return;
        for (std::size_t i = 0; i < steps_.size(); ++i)
            checkOperation(OpId::of(i), steps_[i]);
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i)
            checkBuffer(BufferId::of(i));
        checkMemory();
        checkCounts();
    }

private:
    const Plan& plan_;
    const Program& p_;
    const NodeGraph& g_;
    const Schedule& s_;
    Report& report_;
    std::vector<ScheduledOp> steps_;
    std::map<NodeId, std::size_t> producers_;  ///< position of the operation that computes a node

    static std::int64_t count(std::size_t n) { return static_cast<std::int64_t>(n); }

    // ---- settings ----------------------------------------------------------------------------------------------

    void checkConfig() {
        const ScheduleOptions& o = s_.options;
        const auto whole = [&](const char* key, std::int64_t stated) {
            report_.expect(std::string("config ") + key, stated,
                           plan_.settings.integer(std::string("torchwright.") + key));
        };
        whole("d", o.d), whole("d_head", o.dHead), whole("d_hidden", o.dHidden), whole("max_layers", o.maxLayers);
        whole("admission_min_chains", o.admissionMinChains);
        whole("admission_min_peak_width", o.admissionMinPeakWidth);
        report_.expect("config pressure_threshold", o.pressureThreshold,
                       plan_.settings.number("torchwright.pressure_threshold"));
        report_.expect("config admission_budget_fraction", o.admissionBudgetFraction,
                       plan_.settings.number("torchwright.admission_budget_fraction"));
        const bool isAlways = plan_.settings.text("torchwright.local_in_attention") == "always";
        const auto flag = [&](const char* key) { return plan_.settings.boolean(key); };
        if (isAlways != (o.localInAttention == LocalRouting::Always) ||
            flag("torchwright.assume_zero_init") != o.assumeZeroInit ||
            flag("torchwright.admission_control") != o.admissionControl)
            report_.add("VER-013", "config", "it is not that of the settings");
    }

    // ---- operations --------------------------------------------------------------------------------------------

    [[nodiscard]] std::string nameOf(const ScheduledOp& step) const {
        if (step.isCancel()) return "cancel_" + std::to_string(step.layer);
        return std::to_string(g_.at(step.node()).number) + (step.isBias() ? ".bias" : "");
    }

    /// First Linear and ReLU of the chain that the operation ends.
    [[nodiscard]] std::vector<NodeId> before(const ScheduledOp& step) const {
        if (step.mlp == nullptr || step.mlp->kind != MlpKind::ComputeRelu) return {};
        const auto& inputs = g_.at(step.node()).inputs;
        if (inputs.empty() || g_.at(inputs.front()).inputs.empty()) return {};
        return {g_.at(inputs.front()).inputs.front(), inputs.front()};
    }

    void checkOperation(OpId id, const ScheduledOp& step) {
        const PlanOp& op = plan_.op(id);
        if (op.name != nameOf(step)) report_.op("VER-013", id, "stands where the layers have " + nameOf(step));
        const std::string_view type = step.mlp != nullptr ? opName(step.mlp->kind) : opName(step.attention->kind);
        if (op.type != type) report_.op("VER-013", id, "has another type than in its layer");
        if (op.kind != (step.mlp != nullptr ? "mlp" : "attention"))
            report_.op("VER-013", id, "is said to be of another sublayer");
        std::vector<BufferId> writes, reads;
        if (!step.isCancel()) writes.push_back(bufferOf(step.node()));
        if (!step.isCancel() && !step.isBias()) {
            noteProducer(id, step);
            reads = readBy(step);
        }
        if (op.outputs != writes) report_.op("VER-013", id, "writes other values than in its layer");
        if (op.inputs != reads) report_.op("VER-013", id, "reads other values than its node");
    }

    void noteProducer(OpId id, const ScheduledOp& step) {
        producers_.emplace(step.node(), id.at());
        for (const NodeId member : before(step))
            if (s_.holdingOf(member) < 0) producers_.emplace(member, id.at());
    }

    [[nodiscard]] std::vector<BufferId> readBy(const ScheduledOp& step) const {
        const std::vector<NodeId> members = before(step);
        const NodeId reader = members.empty() ? step.node() : members.front();
        std::vector<BufferId> reads;
        for (const auto& leaves : p_.inputLeaves[reader.at()]) {
            for (const NodeId leaf : leaves)
                if (std::ranges::find(reads, bufferOf(leaf)) == reads.end()) reads.push_back(bufferOf(leaf));
        }
        return reads;
    }

    // ---- buffers -----------------------------------------------------------------------------------------------

    void checkBuffer(BufferId id) {
        const PlanBuffer& b = plan_.buffer(id);
        const NodeId node = NodeId::of(id.at());
        const int at = s_.holdingOf(node);
        report_.expect("buffer " + b.name + " size", b.size, kColumnBytes * g_.at(node).width);
        if (b.name != std::to_string(g_.at(node).number))
            report_.buffer("VER-013", id, "is not named by the number of its node");
        const auto made = producers_.find(node);
        const OpId producer = made != producers_.end() ? OpId::of(made->second) : OpId{};
        if (b.producer != producer) report_.buffer("VER-013", id, "is said to be written by another operation");
        if ((at >= 0) != (b.space == MemorySpace::Residual))
            return report_.buffer("VER-013", id, "its space contradicts whether its node owns columns");
        if (at < 0) return checkWithoutColumns(id, b, producer);
        const Holding& holding = s_.holdings[static_cast<std::size_t>(at)];
        report_.expect("buffer " + b.name + " size_per_core", b.sizePerCore, b.size);
        if (!holding.columns.empty() && b.address != kColumnBytes * holding.columns.runs().front().first)
            report_.buffer("VER-013", id, "its address is not that of its first column");
        if (b.reason) report_.buffer("VER-013", id, "owns columns and has a reason why not");
        const Step begin = producer.isValid() ? producer.index : 0;
        checkLife(id, {begin, endOf(holding)});
        checkTakenOver(id, holding, producer);
    }

    void checkWithoutColumns(BufferId id, const PlanBuffer& b, OpId producer) {
        if (!b.reason || b.address) report_.buffer("VER-013", id, "owns no columns, which wants a reason");
        report_.expect("buffer " + b.name + " size_per_core", b.sizePerCore, Bytes{0});
        const Step at = producer.isValid() ? producer.index : 0;
        checkLife(id, {at, at + 1});
    }

    void checkLife(BufferId id, StepRange life) {
        const PlanBuffer& b = plan_.buffer(id);
        if (b.life.begin == life.begin && b.life.end == life.end) return;
        report_.buffer("VER-013", id,
                       "lives [" + std::to_string(b.life.begin) + ", " + std::to_string(b.life.end) +
                           "), its columns say [" + std::to_string(life.begin) + ", " + std::to_string(life.end) + ")");
    }

    static bool share(const ColumnList& a, const ColumnList& b) {
        for (const ColumnRun& x : a.runs())
            for (const ColumnRun& y : b.runs())
                if (std::max(x.first, y.first) < std::min(x.first + x.count, y.first + y.count)) return true;
        return false;
    }

    /// The attention of the next layer is over without the value, whether its columns are cleared or left as they are;
    /// somebody else may get one of them earlier.
    [[nodiscard]] Step endOf(const Holding& holding) const {
        const int next = holding.lastLayer + 1;
        if (next >= s_.layerCount()) return static_cast<Step>(steps_.size());
        const auto first = std::ranges::find_if(steps_, [&](const ScheduledOp& step) { return step.layer >= next; });
        const auto last = std::find_if(first, steps_.end(), [&](const ScheduledOp& step) {
            return step.layer != first->layer || step.attention == nullptr;
        });
        auto end = static_cast<Step>(last - steps_.begin());
        for (auto it = first; it != steps_.end() && it->layer == next; ++it) {
            const bool isWriter = !it->isBias() && !it->isCancel() && share(it->target(), holding.columns);
            if (isWriter) end = std::min(end, static_cast<Step>(it - steps_.begin()));
        }
        return end;
    }

    void checkTakenOver(BufferId id, const Holding& holding, OpId producer) {
        BufferId before;
        const AttentionOp* op = producer.isValid() ? steps_[producer.at()].attention : nullptr;
        if (op != nullptr && op->kind == AttentionKind::AddInto) {
            for (const Holding& other : s_.holdings) {
                const bool isBefore = other.lastLayer + 1 == holding.firstLayer && other.owner != holding.owner;
                if (isBefore && other.columns == holding.columns) before = bufferOf(other.owner);
            }
        }
        if (plan_.buffer(id).inPlaceOf != before)
            report_.buffer("VER-004", id, "does not say whose columns it was added onto");
    }

    // ---- memory and common metrics -----------------------------------------------------------------------------

    void checkMemory() {
        const PlanMemory& m = plan_.memory;
        report_.expect("memory capacity", m.capacity, kColumnBytes * s_.options.d);
        report_.expect("memory live_peak", m.livePeak, kColumnBytes * s_.peakOccupied);
        Bytes peak = 0;
        for (const Holding& h : s_.holdings)
            for (const ColumnRun& run : h.columns.runs())
                peak = std::max(peak, kColumnBytes * (run.first + run.count));
        report_.expect("memory peak", m.peak, peak);
        std::vector<OccupancyPoint> points;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if (i > 0 && steps_[i].layer == steps_[i - 1].layer) continue;
            const Layer& layer = s_.layers[static_cast<std::size_t>(steps_[i].layer)];
            points.push_back({static_cast<Step>(i), kColumnBytes * layer.occupiedBefore});
        }
        if (m.occupancy != points)
            report_.add("VER-013", "memory occupancy",
                        "it is not what stands in the stream at the first operations of "
                        "the layers");
    }

    void checkCounts() {
        std::int64_t owners = 0;
        Bytes pinned = 0;
        for (const Holding& h : s_.holdings) {
            ++owners;
            pinned += kColumnBytes * h.columns.size();
        }
        const PlanMetrics& m = plan_.metrics;
        report_.expect("metrics buffers_total", std::int64_t{m.buffersTotal}, count(g_.size()));
        report_.expect("metrics buffers_on_chip", std::int64_t{m.buffersOnChip}, owners);
        report_.expect("metrics pinned_bytes", m.pinnedBytes, pinned);
        report_.expect("metrics upper_bound_bytes", m.upperBoundBytes, pinned);
        report_.expect("metrics unpinned_bytes", m.unpinnedBytes, Bytes{0});
        report_.expect("metrics main_memory_read_bytes", m.mainMemoryReadBytes, Bytes{0});
        report_.expect("metrics main_memory_write_bytes", m.mainMemoryWriteBytes, Bytes{0});
        // The bound is what the owners take, so that reaching it proves nothing.
        if (m.provedOptimal) report_.add("VER-013", "metrics proved_optimal", "is true, no bound was reached here");
    }
};

}  // namespace

void checkCommonPart(const Plan& plan, const Program& program, const TorchwrightData& data, Report& report) {
    CommonPart(plan, program, data, report).run();
}

}  // namespace memplan::verify::torchwright
