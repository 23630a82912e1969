// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/chains/chain_memory.h"

#include "engine/ttnn/advice/memory_picture.h"
#include "widgets/plan/units.h"

#include <QCoreApplication>

namespace memplan::app {

using ttnn::MemoryPart;
using ui::fromStd;
using ui::MemorySegmentRow;
using ui::MemoryStack;

namespace {

using Kind = MemorySegmentRow::Kind;

QString words(const char* text) {
    return QCoreApplication::translate("Chains", text);
}

Kind kindOf(MemoryPart part) {
    switch (part) {
    case MemoryPart::Base:
    case MemoryPart::Constants:
    case MemoryPart::CutOff:
        return Kind::Reserved;
    case MemoryPart::Reservation:
        return Kind::Kept;
    case MemoryPart::Buffers:
        return Kind::Scratch;
    case MemoryPart::Free:
        return Kind::Free;
    case MemoryPart::Argument:
    case MemoryPart::Value:
        return Kind::Stored;
    case MemoryPart::Operand:
    case MemoryPart::Result:
        break;
    }
    return Kind::Value;
}

MemoryStack stackOf(const QString& title, Bytes capacity, const std::vector<ttnn::MemorySegment>& segments) {
    MemoryStack stack{title, capacity, {}};
    for (const ttnn::MemorySegment& s : segments) {
        const QString part = fromStd(std::string(wordOf(s.part)));
        stack.segments.push_back({kindOf(s.part), s.name.empty() ? part : fromStd(s.name),
                                  s.name.empty() ? QString() : part, s.bytes, s.buffer});
    }
    return stack;
}

}  // namespace

std::vector<MemoryStack> chainMemory(const Plan& plan, Step position) {
    const ttnn::MemoryPicture picture = ttnn::memoryPicture(plan, position);
    if (picture.core.empty() && picture.dram.empty()) return {};
    return {stackOf(words("L1 of a core"), picture.coreBytes, picture.core),
            stackOf(picture.isDramFull() ? words("DRAM, full") : words("DRAM, all channels"), picture.dramBytes,
                    picture.dram)};
}

namespace {

/// The result in rows and columns of tiles as its grid of cores cuts it; interleaved tiles belong to no core in a row.
std::optional<PlanOp> divisionOf(const Plan& plan, OpId op) {
    const auto* data = dynamic_cast<const TtnnData*>(plan.targetData.get());
    const auto at = static_cast<std::size_t>(op.index);
    if (data == nullptr || at >= data->ops.size() || data->ops[at].results.empty()) return std::nullopt;
    const ttnn::Layout& layout = data->ops[at].results.front().layout;
    const bool isTiled = layout.isTiled();
    PlanOp shown = plan.op(op);
    const auto add = [&shown](const char* name, std::int64_t shard, std::int32_t pieces) {
        IterationDim dim;
        dim.name = name;
        dim.slices = pieces;
        dim.extent = dim.adjusted = shard * pieces;
        shown.iterationSpace.push_back(dim);
    };
    shown.iterationSpace.clear();
    if (layout.isSharded() && layout.isInL1()) {
        add(isTiled ? "tile rows" : "rows", layout.shard[0], layout.grid.rows);
        add(isTiled ? "tile columns" : "columns", layout.shard[1], layout.grid.cols);
        shown.cores = layout.grid.volume();
        shown.kAdjacent = true;  // columns are counted first
    } else {
        add(isTiled ? "interleaved tiles" : "interleaved rows", layout.shard[0] * layout.shard[1], 1);
    }
    return shown;
}

std::optional<ui::CoreShape> shapeOf(const Plan& plan) {
    const auto* data = dynamic_cast<const TtnnData*>(plan.targetData.get());
    if (data == nullptr) return std::nullopt;
    return ui::CoreShape{data->device.workers.rows, data->device.workers.cols};
}

}  // namespace

ui::CoreSources chainCores() {
    return {&chainMemory, &shapeOf, &divisionOf};
}

}  // namespace memplan::app
