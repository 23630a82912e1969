// SPDX-License-Identifier: GPL-3.0-or-later
// Draws memories without addresses as bars side by side, and finds what is under the pointer.
#pragma once

#include "widgets/kit/theme/text_cache.h"
#include "widgets/views/coregrid/data/memory_stack.h"

#include <QRectF>

#include <optional>

namespace memplan::ui {

struct MemoryBar {
    QRectF frame;  ///< of the bar itself; title above, words beside it
    std::vector<QRectF> segments;
};

[[nodiscard]] std::vector<MemoryBar> memoryBars(const std::vector<MemoryStack>& stacks, const QRectF& place);
void paintMemoryBars(QPainter& painter, const std::vector<MemoryStack>& stacks, const QRectF& place, const Theme& theme,
                     TextCache& texts);

struct MemoryHit {
    std::size_t stack = 0, segment = 0;
};
[[nodiscard]] std::optional<MemoryHit> memoryHit(const std::vector<MemoryStack>& stacks, const QRectF& place,
                                                 QPointF at);
/// "conv2d_2, operand: 65 536 B, 4.4 %"
[[nodiscard]] QString segmentWords(const MemoryStack& stack, const MemorySegmentRow& segment);

struct LabelRoom {
    TextCache& texts;
    const Theme& theme;
    double width;
};
/// All of those words, or name and bytes, the name elided; where nothing would be left of it the bytes are in MiB.
[[nodiscard]] QString segmentLabel(const MemoryStack& stack, const MemorySegmentRow& segment, const LabelRoom& room);

}  // namespace memplan::ui
