// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/look/gantt_overlay.h"

#include "widgets/plan/plan_look.h"
#include "widgets/plan/units.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace memplan::ui {

namespace {

double middle(const PlanBuffer& b) {
    return static_cast<double>(*b.address) + static_cast<double>(b.sizePerCore) / 2;
}

GanttOverlay::Class classOfPair(const PlanBuffer& other, const PlanBuffer& shown) {
    if (!isPlaced(shown)) return GanttOverlay::Class::Unchanged;
    if (!isPlaced(other)) return GanttOverlay::Class::Arrived;
    if (other.address != shown.address) return GanttOverlay::Class::Moved;
    const bool same = other.life == shown.life && other.sizePerCore == shown.sizePerCore;
    return same ? GanttOverlay::Class::Unchanged : GanttOverlay::Class::Reshaped;
}

struct ClassLook {
    int category;
    const char* text;
};

/// Categories of the Okabe-Ito set; unchanged buffers are faded and have none.
constexpr std::array<ClassLook, 4> kClasses{
    {{7, "unchanged"}, {2, "came on chip"}, {1, "moved"}, {4, "other steps or size"}}};

}  // namespace

GanttOverlay ganttOverlay(const Plan& other, const Plan& shown, const compare::PlanMatch& match) {
    GanttOverlay o;
    o.classOf.assign(shown.buffers.size(), GanttOverlay::Class::Unchanged);
    for (std::size_t i = 0; i < shown.buffers.size(); ++i) {
        const PlanBuffer& b = shown.buffers[i];
        const BufferId partner = match.buffers.inA[i];
        if (!partner.isValid()) {
            if (isPlaced(b)) o.classOf[i] = GanttOverlay::Class::Arrived;
            continue;
        }
        const PlanBuffer& a = other.buffer(partner);
        o.classOf[i] = classOfPair(a, b);
        if (o.classOf[i] == GanttOverlay::Class::Moved) o.arrows.push_back({b.life, middle(a), middle(b)});
    }
    for (std::size_t i = 0; i < other.buffers.size(); ++i) {
        const PlanBuffer& a = other.buffers[i];
        if (!isPlaced(a)) continue;
        const BufferId partner = match.buffers.inB[i];
        const bool stays = partner.isValid() && isPlaced(shown.buffer(partner));
        if (stays && o.classOf[partner.at()] == GanttOverlay::Class::Unchanged) continue;
        o.outlines.push_back({a.life, *a.address, a.sizePerCore, !stays});
    }
    std::ranges::stable_sort(o.arrows, [](const GanttOverlay::Arrow& x, const GanttOverlay::Arrow& y) {
        return std::abs(x.to - x.from) > std::abs(y.to - y.from);
    });
    if (o.arrows.size() > GanttOverlay::kMostArrows) o.arrows.resize(GanttOverlay::kMostArrows);
    return o;
}

GanttLook differenceLook(const GanttData& data, const GanttOverlay& overlay, const Theme& theme) {
    GanttLook look;
    for (const ClassLook& c : kClasses) {
        const int category = c.category;
        GroupLook group{categoryInk(theme, category),
                        theme.category(category),
                        {QString::fromLatin1(c.text), Residency::OnChip, category, -1, false, true}};
        look.groups.push_back(std::move(group));
    }
    // Faded: what did not change is there to find one's way, no more.
    const QColor canvas = theme.color(Token::BgCanvas);
    look.groups[0].ink = {Pattern::Solid, Theme::mix(theme.color(Token::Text3), canvas, 0.12), canvas, 1.0};
    look.groups[0].edge = Theme::mix(theme.color(Token::Text3), canvas, 0.45);
    std::array<bool, 4> seen{};
    for (std::size_t i = 0; i < data.plan->buffers.size(); ++i) {
        const auto c =
            static_cast<std::uint8_t>(i < overlay.classOf.size() ? overlay.classOf[i] : GanttOverlay::Class::Unchanged);
        look.groupOf.push_back(c);
        seen[c] = seen[c] || isPlaced(data.plan->buffers[i]);
    }
    for (std::size_t c = 1; c < kClasses.size(); ++c)
        if (seen[c]) look.legend.push_back(look.groups[c].legend);
    return look;
}

QString overlayLegend(const GanttOverlay& overlay) {
    return overlay.outlines.empty() ? QString() : QStringLiteral("dashed: %1").arg(overlay.otherName);
}

}  // namespace memplan::ui
