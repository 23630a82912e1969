// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/advice/memory_picture.h"

#include "engine/ttnn/machine/device.h"

#include <algorithm>
#include <array>

namespace memplan::ttnn {
namespace {

class Painter {
public:
    Painter(const Plan& plan, Step position)
        : plan_(plan), data_(ttnnData(plan)), at_(position), op_(data_.ops[static_cast<std::size_t>(position)]),
          storage_(plan.buffers.size()), end_(plan.buffers.size()), layouts_(plan.buffers.size(), nullptr) {
        for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
            storage_[i] = BufferId::of(i);
            end_[i] = plan.buffers[i].life.end;
        }
        for (const TtnnOp& op : data_.ops)
            readLayouts(op);
        shareViews();
    }

    MemoryPicture run() {
        picture_.position = at_;
        paintCore();
        paintDram();
        return std::move(picture_);
    }

private:
    void readLayouts(const TtnnOp& op) {
        for (const auto* tensors : {&op.operands, &op.results})
            for (const TtnnTensor& t : *tensors)
                layouts_[t.buffer.at()] = &t.layout;
    }

    /// A reshape that moves nothing: its result is its operand, which lives as long.
    void shareViews() {
        for (const TtnnOp& op : data_.ops) {
            if (op.name != "ttnn.reshape" || op.operands.empty() || op.results.empty()) continue;
            const Layout& from = op.operands.front().layout;
            const Layout& to = op.results.front().layout;
            const bool isView = from.buffer == to.buffer && op.tensorL1 == 0 && op.cb == 0 && op.ns == 0;
            if (isView) storage_[op.results.front().buffer.at()] = storage_[op.operands.front().buffer.at()];
        }
        for (std::size_t i = 0; i < storage_.size(); ++i)
            end_[storage_[i].at()] = std::max(end_[storage_[i].at()], plan_.buffers[i].life.end);
    }

    [[nodiscard]] BufferId storageOf(const TtnnTensor& t) const { return storage_[t.buffer.at()]; }
    [[nodiscard]] bool isOwn(BufferId storage) const {
        const auto is = [&](const TtnnTensor& t) { return storageOf(t) == storage; };
        return std::ranges::any_of(op_.operands, is) || std::ranges::any_of(op_.results, is);
    }
    [[nodiscard]] bool isLive(std::size_t buffer) const {
        return storage_[buffer].at() == buffer && plan_.buffers[buffer].life.begin <= at_ && at_ < end_[buffer];
    }
    void add(MemoryPart part, Bytes bytes, BufferId buffer = {}) {
        if (bytes <= 0) return;
        picture_.core.push_back({part, buffer.isValid() ? plan_.buffer(buffer).name : std::string(), bytes, buffer});
    }

    // ---- a core

    void paintCore() {
        const Device& device = data_.device;
        const Bytes constants = plan_.settings.integer("ttnn.l1_reserved_bytes");
        picture_.coreBytes = device.l1Size;
        add(MemoryPart::Base, device.unreservedBase);
        add(MemoryPart::Constants, constants);
        paintReservations();
        Bytes left = op_.need - std::min(op_.need, op_.reserved);
        left -= paintTensors(left);
        add(MemoryPart::Buffers, left);
        add(MemoryPart::Free, plan_.memory.capacity - op_.need);
        add(MemoryPart::CutOff, device.l1Size - device.unreservedBase - constants - plan_.memory.capacity);
    }

    /// Values that live here and are neither operand nor result; those that have been here longest first.
    void paintReservations() {
        Bytes left = op_.reserved;
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
            const PlanBuffer& b = plan_.buffers[i];
            if (b.space != MemorySpace::L1 || !isLive(i) || isOwn(BufferId::of(i))) continue;
            add(MemoryPart::Reservation, std::min(left, b.sizePerCore), BufferId::of(i));
            left -= std::min(left, b.sizePerCore);
        }
        add(MemoryPart::Reservation, left);
    }

    /// Operands and results in L1, each storage once, no more than what the operation needs: a convolution may free its
    /// input before its buffers are there. Gives the bytes painted.
    Bytes paintTensors(Bytes most) {
        std::vector<BufferId> seen;
        Bytes painted = 0;
        const auto paint = [&](MemoryPart part, const TtnnTensor& t, Bytes room) {
            const BufferId storage = storageOf(t);
            if (!t.layout.isInL1() || std::ranges::find(seen, storage) != seen.end()) return;
            seen.push_back(storage);
            const Bytes bytes = std::min(room, t.layout.shardBytes());
            add(part, bytes, t.buffer);
            painted += bytes;
        };
        Bytes results = 0;
        for (const TtnnTensor& t : op_.results)
            results += t.layout.isInL1() ? t.layout.shardBytes() : 0;
        Bytes inputs = std::max<Bytes>(0, most - op_.cb - std::min(most, results));
        // Off: strict accounting counts no operand (9.2).
        if (!plan_.settings.boolean("ttnn.strict_l1_accounting")) inputs = std::max<Bytes>(0, op_.tensorL1 - results);
        for (const TtnnTensor& t : op_.operands) {
            const Bytes before = painted;
            paint(MemoryPart::Operand, t, inputs);
            inputs -= painted - before;
        }
        for (const TtnnTensor& t : op_.results)
            paint(MemoryPart::Result, t, most - painted);
        return painted;
    }

    // ---- DRAM

    [[nodiscard]] bool isInDram(std::size_t buffer) const {
        const Layout* layout = layouts_[buffer];
        return plan_.buffers[buffer].space != MemorySpace::L1 && (layout == nullptr || layout->isInDram());
    }

    void addDram(MemoryPart part, std::size_t buffer) {
        const PlanBuffer& b = plan_.buffers[buffer];
        picture_.dram.push_back({part, b.name, b.size, BufferId::of(buffer)});
        picture_.dramUsed += b.size;
    }

    void paintDram() {
        picture_.dramBytes = data_.device.dramChannelSize * data_.device.dramChannels;
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i)
            if (isInDram(i) && !plan_.buffers[i].producer.isValid()) addDram(MemoryPart::Argument, i);
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i)
            if (isInDram(i) && plan_.buffers[i].producer.isValid() && isLive(i)) addDram(MemoryPart::Value, i);
        if (picture_.dramUsed < picture_.dramBytes)
            picture_.dram.push_back({MemoryPart::Free, {}, picture_.dramBytes - picture_.dramUsed, {}});
    }

    const Plan& plan_;
    const TtnnData& data_;
    Step at_;
    const TtnnOp& op_;
    std::vector<BufferId> storage_;  ///< by buffer: whose bytes it is
    std::vector<Step> end_;          ///< by storage
    std::vector<const Layout*> layouts_;
    MemoryPicture picture_;
};

}  // namespace

std::string_view wordOf(MemoryPart part) {
    static constexpr std::array<std::string_view, 10> kWords{
        "below the usable part", "constants", "reservation",   "operand",  "result",
        "circular buffers",      "free",      "above the cap", "argument", "value"};
    return kWords[static_cast<std::size_t>(part)];
}

MemoryPicture memoryPicture(const Plan& plan, Step position) {
    const TtnnData& data = ttnnData(plan);
    const bool isInside = position >= 0 && static_cast<std::size_t>(position) < data.ops.size();
    if (!isInside || data.policy.empty()) return {};
    return Painter(plan, position).run();
}

}  // namespace memplan::ttnn
