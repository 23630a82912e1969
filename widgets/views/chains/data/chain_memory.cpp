// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/chains/data/chain_memory.h"

#include "engine/ttnn/advice/memory_picture.h"
#include "widgets/plan/units.h"

#include <QCoreApplication>

namespace memplan::ui {

using ttnn::MemoryPart;

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

}  // namespace memplan::ui
