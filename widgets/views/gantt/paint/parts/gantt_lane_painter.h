// SPDX-License-Identifier: GPL-3.0-or-later
// The off-chip lane: bars over lifetimes by falling traffic, each with its reason (user-experience 7.4, 7.5).
#pragma once

#include "widgets/views/gantt/look/gantt_part.h"

namespace memplan::ui {

class GanttLanePainter final : private GanttPart {
public:
    explicit GanttLanePainter(GanttPicture& picture) : GanttPart(picture) {}

    void lane();

private:
    struct Rest {
        QString words;  ///< "+12 more", empty when every item has a row
        QRectF box;
    };
    [[nodiscard]] std::optional<QRectF> laneBarRect(std::size_t index) const;
    [[nodiscard]] bool isMarked(std::size_t offChip) const;
    [[nodiscard]] bool isDimmed(std::size_t offChip) const;
    [[nodiscard]] Rest laneRest();
    void laneBar(std::size_t index, const QRectF& bar, bool isMerged);
    void reasonMark(const PlanBuffer& buffer, const QRectF& bar);
    void laneLabels(const std::vector<QRectF>& bars, const Rest& rest);
    [[nodiscard]] QString laneReason(const OffChipItem& item, bool full) const;
};

}  // namespace memplan::ui
