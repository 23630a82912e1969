// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/verify.h"

#include "engine/plan/stopped.h"
#include "engine/verify/report.h"
#include "engine/verify/ttnn/address_rules.h"
#include "engine/verify/ttnn/chain_rules.h"
#include "engine/verify/ttnn/goal_figures.h"
#include "engine/verify/ttnn/hash_rules.h"
#include "engine/verify/ttnn/hint_facts.h"
#include "engine/verify/ttnn/op_rules.h"
#include "engine/verify/ttnn/order_rules.h"
#include "engine/verify/ttnn/override_facts.h"
#include "engine/verify/ttnn/override_text.h"
#include "engine/verify/ttnn/pass_rules.h"
#include "engine/verify/ttnn/program_rules.h"
#include "engine/verify/ttnn/record_rules.h"
#include "engine/verify/ttnn/text_rules.h"
#include "engine/verify/ttnn/time_rules.h"
#include "engine/verify/ttnn/values.h"

#include <algorithm>
#include <iterator>

namespace memplan::verify::ttnn {
namespace {

using text::grouped;

class Verifier {
public:
    explicit Verifier(const Plan& plan) : plan_(plan), data_(ttnnData(plan)), values_(plan), report_(plan) {}

    std::vector<Diagnostic> run() {
        for (std::size_t i = 0; i < data_.ops.size(); ++i)
            checkEdges(OpId::of(i));
        std::vector<Demand> demands;
        for (const TtnnOp& op : data_.ops)
            demands.push_back(isModelled(op) ? demandOf({plan_, op, data_.device}, isOn("ttnn.conservative_matmul_cb"))
                                             : Demand());
        shareViews(demands);
        checkLimit();
        for (std::size_t i = 0; i < data_.ops.size(); ++i)
            checkOperation(OpId::of(i), demands[i]);
        for (std::size_t b = 0; b < plan_.buffers.size(); ++b)
            checkBuffer(BufferId::of(b));
        checkMemory(demands);
        if (isOn("ttnn.address_simulation") && data_.policy != "none") checkAddresses(plan_, values_, report_);
        checkOrder(plan_, values_, report_);
        checkPrograms(plan_, report_);
        checkSource();
        checkChains(plan_, values_, report_);
        checkGoals(plan_, values_, report_);
        checkHints(plan_, values_, report_);
        return report_.take();
    }

private:
    const Plan& plan_;
    const TtnnData& data_;
    Values values_;
    Report report_;

    [[nodiscard]] bool isOn(std::string_view key) const { return plan_.settings.boolean(key); }
    [[nodiscard]] const TtnnOp& facts(OpId op) const { return data_.ops[op.at()]; }

    // ---- edges -------------------------------------------------------------------------------------------------

    void checkEdges(OpId op) {
        for (const TtnnTensor& t : facts(op).operands) {
            const Value& value = values_.of(t.buffer);
            if (value.producer.isValid() && !(value.producer < op))
                report_.op("VER-011", op, "reads " + plan_.buffer(t.buffer).name + ", which is written later");
            if (value.layout && *value.layout != t.layout)
                report_.op("VER-008", op,
                           "reads " + plan_.buffer(t.buffer).name + " as " + layoutWords(t.layout) + ", it lies as " +
                               layoutWords(*value.layout));
        }
        checkTensors(op, facts(op).operands);
        checkTensors(op, facts(op).results);
        for (const TtnnTensor& t : facts(op).results) {
            if (values_.of(t.buffer).producer != op)
                report_.op("VER-008", op, "writes " + plan_.buffer(t.buffer).name + ", as another operation does");
        }
        checkNames(op, facts(op).operands, plan_.op(op).inputs);
        checkNames(op, facts(op).results, plan_.op(op).outputs);
    }

    void checkTensors(OpId op, const std::vector<TtnnTensor>& tensors) {
        for (const TtnnTensor& t : tensors) {
            const std::string fault = layoutFault(t.layout, plan_.buffer(t.buffer).shape, data_.device);
            if (fault.empty() || isAsGiven(t.buffer)) continue;
            report_.op("VER-008", op, plan_.buffer(t.buffer).name + " as " + layoutWords(t.layout) + ": " + fault);
        }
    }

    /// The source states another shard than the shape gives: kept where no configuration was chosen, for arguments,
    /// conversions of its own, what is created, and everything without the optimizer.
    [[nodiscard]] bool isAsGiven(BufferId buffer) const {
        if (std::ranges::find(data_.layoutsAsGiven, buffer) == data_.layoutsAsGiven.end()) return false;
        const OpId producer = values_.of(buffer).producer;
        if (!producer.isValid() || data_.policy == "none") return true;
        const TtnnOp& op = facts(producer);
        return op.name.starts_with("ttnn.to_") || op.operands.empty() || !isModelled(op);
    }

    /// The buffers of the plan's operation are those of its layouts.
    void checkNames(OpId op, const std::vector<TtnnTensor>& tensors, const std::vector<BufferId>& named) {
        const auto isNamed = [&](const TtnnTensor& t) { return std::ranges::find(named, t.buffer) != named.end(); };
        const auto isLaidOut = [&](BufferId b) {
            return std::ranges::find(tensors, b, &TtnnTensor::buffer) != tensors.end();
        };
        if (std::ranges::all_of(tensors, isNamed) && std::ranges::all_of(named, isLaidOut)) return;
        report_.op("VER-008", op, "its buffers and the tensors of its layouts are not the same");
    }

    void shareViews(const std::vector<Demand>& demands) {
        for (std::size_t i = 0; i < demands.size(); ++i) {
            const TtnnOp& op = data_.ops[i];
            if (demands[i].isView && !op.operands.empty() && !op.results.empty())
                values_.share(op.results.front().buffer, op.operands.front().buffer);
        }
        values_.settle();
    }

    // ---- operations --------------------------------------------------------------------------------------------

    void checkOperation(OpId id, const Demand& demand) {
        const TtnnOp& op = facts(id);
        if (!demand.fault.empty()) report_.op("VER-008", id, demand.fault);
        if (op.results.empty()) return;
        if (!isModelled(op)) return checkUnmodelled(id);
        if (op.status != "Success") report_.op("VER-008", id, "its validation ended as " + op.status);
        const std::string where = "op " + plan_.op(id).name + " ";
        report_.expect(where + "cb", op.cb, demand.cb);
        report_.expect(where + "tensor_l1", op.tensorL1, demand.tensors);
        const auto [resident, reserved] = held(id);
        report_.expect(where + "resident_inputs", op.residentInputs, resident);
        report_.expect(where + "reserved", op.reserved, reserved);
        const Bytes need = needOf(demand, resident, reserved);
        report_.expect(where + "need", op.need, need);
        if (need > plan_.memory.capacity)
            report_.op("VER-009", id,
                       "needs " + grouped(need) + " B of a core at its position, the limit is " +
                           grouped(plan_.memory.capacity) + " B");
        checkTime(plan_, id, report_);
    }

    /// What the model does not know reads and writes DRAM.
    void checkUnmodelled(OpId id) {
        const auto isInL1 = [](const TtnnTensor& t) { return t.layout.isInL1(); };
        if (std::ranges::any_of(facts(id).operands, isInL1) || std::ranges::any_of(facts(id).results, isInL1))
            report_.op("VER-008", id, "the model does not know it, so its tensors belong in DRAM");
        const TtnnOp& op = facts(id);
        const std::string where = "op " + plan_.op(id).name + " ";
        const auto [resident, reserved] = held(id);
        report_.expect(where + "cb", op.cb, Bytes{0});
        report_.expect(where + "tensor_l1", op.tensorL1, Bytes{0});
        report_.expect(where + "need", op.need, Bytes{0});
        report_.expect(where + "resident_inputs", op.residentInputs, resident);
        report_.expect(where + "reserved", op.reserved, reserved);
        checkTime(plan_, id, report_);
    }

    /// Bytes of operands in L1, each storage once and none that the result shares, and of all other values there.
    [[nodiscard]] std::pair<Bytes, Bytes> held(OpId id) const {
        std::vector<BufferId> own;
        const auto add = [&](const TtnnTensor& t) {
            const BufferId storage = values_.of(t.buffer).storage;
            const bool isNew = std::ranges::find(own, storage) == own.end();
            if (isNew) own.push_back(storage);
            return isNew;
        };
        for (const TtnnTensor& t : facts(id).results)
            add(t);
        Bytes resident = 0;
        for (const TtnnTensor& t : facts(id).operands)
            resident += add(t) && t.layout.isInL1() ? t.layout.shardBytes() : 0;
        return {resident, values_.others(id.index, own)};
    }

    /// A convolution that frees its input needs it for the halo phase only.
    [[nodiscard]] Bytes needOf(const Demand& d, Bytes resident, Bytes reserved) const {
        const Bytes counted = d.freedInput + d.heldInput + d.tensorInput;
        const Bytes others = isOn("ttnn.strict_l1_accounting") ? resident - std::min(resident, counted) : 0;
        const Bytes own = d.cb + d.tensors + d.heldInput;
        const Bytes freed = isOn("ttnn.strict_l1_accounting") ? d.freedInput : 0;
        return std::max(freed > 0 ? freed + d.halo : 0, own) + others + reserved;
    }

    // ---- buffers and memory ------------------------------------------------------------------------------------

    void checkBuffer(BufferId id) {
        const PlanBuffer& b = plan_.buffer(id);
        const Value& value = values_.of(id);
        if (b.producer != value.producer) report_.buffer("VER-013", id, "names another producer than the operations");
        if (!value.layout) return;
        const memplan::ttnn::Layout& layout = *value.layout;
        const std::string where = "buffer " + b.name + " ";
        report_.expect(where + "size", b.size, deviceBytes(layout, b.shape));
        const Bytes onCore = layout.isInL1() ? layout.shardBytes() : 0;
        report_.expect(where + "size_per_core", b.sizePerCore, onCore);
        if ((b.space == MemorySpace::L1) != layout.isInL1())
            report_.buffer("VER-008", id,
                           "its space is " + std::string(spaceName(b.space)) + ", its layout says " +
                               layoutWords(layout));
        if (!isOnChip(b.space) && !b.reason) report_.buffer("VER-013", id, "is off chip without a reason");
        if (isOnChip(b.space) && b.reason) report_.buffer("VER-013", id, "is on chip and has a reason why not");
        if (b.address || b.poolOffset) report_.buffer("VER-008", id, "has an address, which this target does not plan");
        if (value.isReturned && layout.isInL1())
            report_.buffer("VER-008", id, "is returned and has to end in DRAM or on the host");
        checkLife(id, b, value);
        checkUses(id, b, value);
        report_.expect(where + "cores", b.cores, layout.grid.volume());
        report_.expect(where + "traffic_saved", b.trafficSaved, Bytes{0});
    }

    void checkUses(BufferId id, const PlanBuffer& b, const Value& value) {
        std::vector<OpId> uses = value.readers;
        if (value.producer.isValid()) uses.insert(uses.begin(), value.producer);
        if (b.uses != uses) report_.buffer("VER-013", id, "its uses are not the operations that write and read it");
        if (b.graphTensor.isValid() || b.inPlaceOf.isValid() || b.cloneOf.isValid())
            report_.buffer("VER-013", id, "names another value that it would be");
    }

    void checkLife(BufferId id, const PlanBuffer& b, const Value& value) {
        const auto end =
            value.isReturned ? std::max(value.life.end, static_cast<Step>(plan_.ops.size())) : value.life.end;
        if (b.life.begin == value.life.begin && (b.life.end == value.life.end || b.life.end == end)) return;
        report_.buffer("VER-013", id,
                       "lives [" + std::to_string(b.life.begin) + ", " + std::to_string(b.life.end) +
                           "), its operations say [" + std::to_string(value.life.begin) + ", " +
                           std::to_string(value.life.end) + ")");
    }

    /// The limit of ttnn-optimizer 1.1, in single precision as there.
    void checkLimit() {
        const memplan::ttnn::Device& d = data_.device;
        const auto cap = static_cast<float>(data_.l1UsageCap);
        const auto capped = static_cast<Bytes>(cap * static_cast<float>(d.l1Size - d.unreservedBase));
        report_.expect("memory capacity", plan_.memory.capacity,
                       capped - plan_.settings.integer("ttnn.l1_reserved_bytes"));
    }

    /// Policy and device of the record against the settings and the machine of the plan.
    void checkSource() {
        const bool isSearched = isOn("ttnn.enable_optimizer") && isOn("ttnn.memory_layout_analysis");
        const std::string policy = isSearched ? plan_.settings.text("ttnn.policy") : "none";
        if (data_.policy != policy)
            report_.add("VER-013", "target_data policy", "says " + data_.policy + ", by the settings it is " + policy);
        if (data_.policy != plan_.solver)
            report_.add("VER-013", "solver", "is " + plan_.solver + ", the policy was " + data_.policy);
        if (data_.hasChains && data_.record.chains.empty() && data_.policy != "DFSharding")
            report_.add("VER-013", "target_data has_chains", "there is none");
        if (!data_.hasChains && !data_.record.chains.empty())
            report_.add("VER-013", "target_data has_chains", "there are chains");
        const memplan::ttnn::Device& d = data_.device;
        const bool isDram = d.dramChannels > 0 && std::int64_t{d.dramGrid.rows} * d.dramGrid.cols == d.dramChannels;
        if (!isDram) report_.add("VER-013", "target_data device", "its DRAM grid has not as many banks as channels");
    }

    void checkMemory(const std::vector<Demand>& demands) {
        const PlanMemory& memory = plan_.memory;
        if (memory.occupancy.size() != data_.ops.size())
            report_.add("VER-013", "memory occupancy", "has another number of positions than there are operations");
        Bytes peak = 0;
        Step at = 0;
        for (std::size_t i = 0; i < data_.ops.size(); ++i) {
            const Bytes bytes = occupied(i, demands[i]);
            if (bytes > peak) peak = bytes, at = static_cast<Step>(i);
            if (i >= memory.occupancy.size()) continue;
            report_.expect("memory occupancy at " + std::to_string(i), memory.occupancy[i].bytes, bytes);
            report_.expect("memory occupancy position", std::int64_t{memory.occupancy[i].step},
                           static_cast<std::int64_t>(i));
        }
        report_.expect("memory peak", memory.peak, peak);
        report_.expect("memory live_peak", memory.livePeak, peak);
        report_.expect("memory live_peak_step", std::int64_t{memory.livePeakStep}, std::int64_t{at});
        report_.expect("memory physical", memory.physical, data_.device.l1Size);
        report_.expect("memory alignment", memory.alignment, data_.device.l1Alignment);
    }

    /// The need of the operation. What a view shows is there, though a view needs nothing, and so is what lives across
    /// an operation of which nothing is known.
    [[nodiscard]] Bytes occupied(std::size_t i, const Demand& demand) const {
        const TtnnOp& op = data_.ops[i];
        if (op.results.empty() || !isModelled(op)) return values_.all(static_cast<Step>(i));
        const bool isInL1 = op.results.front().layout.isInL1();
        return op.need + (demand.isView && isInL1 ? op.results.front().layout.shardBytes() : 0);
    }
};

/// What makes a plan unfit for all further checks; nothing where they can be made.
std::vector<Diagnostic> unfit(const Plan& plan) {
    const TtnnData& data = ttnnData(plan);
    if (data.ops.size() != plan.ops.size())
        return {finding("VER-013", "target_data", "layouts and operations differ in number")};
    for (std::size_t i = 0; i < data.ops.size(); ++i) {
        const TtnnOp& op = data.ops[i];
        const bool isConversion = op.conversion != TtnnConversion::None || op.name.starts_with("ttnn.to_");
        if (isConversion && (op.operands.size() != 1 || op.results.size() != 1))
            return {finding("VER-008", "op " + plan.ops[i].name, "a conversion reads one tensor and writes one",
                            {OpId::of(i)})};
    }
    std::vector<bool> isOfConvolution(plan.buffers.size(), false);  // of no rows there is nothing to divide
    for (const TtnnOp& op : data.ops)
        for (const auto* tensors : {&op.operands, &op.results})
            for (const TtnnTensor& t : *tensors)
                if (isModelled(op) && isConvolution(op)) isOfConvolution[t.buffer.at()] = true;
    for (std::size_t b = 0; b < plan.buffers.size(); ++b)
        for (const std::int64_t extent : plan.buffers[b].shape)
            if (extent < (isOfConvolution[b] ? 1 : 0))
                return {finding("VER-008", "buffer " + plan.buffers[b].name,
                                "a dimension of its shape is " + std::to_string(extent), {}, {BufferId::of(b)})};
    return {};
}

/// A compile that ended early has nothing of this machine.
bool isEmpty(const Plan& plan) {
    return ttnnData(plan).policy.empty();
}

}  // namespace

std::vector<Diagnostic> checkPlan(const Plan& plan) {
    if (isEmpty(plan)) {
        if (!plan.stoppedAfter.empty() || plan.ops.empty()) return {};
        return {finding("VER-013", "target_data", "there is none, so nothing of the plan can be checked")};
    }
    std::vector<Diagnostic> found = unfit(plan);
    return found.empty() ? Verifier(plan).run() : found;
}

std::vector<Diagnostic> checkFile(const Plan& plan) {
    std::vector<Diagnostic> found = checkPlan(plan);
    if (isEmpty(plan) || !unfit(plan).empty()) return found;
    Report report(plan);
    const Values values(plan);
    checkHashes(plan, report);
    checkPasses(plan, report);
    checkRecord(plan, values, report);
    checkTexts(plan, values, report);
    checkOverrides(plan, values, report);
    checkOverrideText(plan, report);
    std::vector<Diagnostic> more = report.take();
    found.insert(found.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    return found;
}

}  // namespace memplan::verify::ttnn
