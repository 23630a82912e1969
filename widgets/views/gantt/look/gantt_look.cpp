// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/look/gantt_look.h"

#include "engine/target/target.h"
#include "widgets/plan/plan_look.h"
#include "widgets/plan/units.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>

namespace memplan::ui {

namespace {

constexpr int kMostGroups = 40;  // patterns repeat the colours five times, then groups share a look
constexpr int kHeatGroups = 5;

GroupLook residencyLook(const Theme& theme, Residency r) {
    return {inkOf(theme, r), theme.residency(r, Tone::Edge), {residencyName(r), r, -1, -1}};
}

/// The band above the usable limit with its share of the memory, which says what the capacity rule in force took
/// (user-experience 7.2): "reserved 20.0 %". Short, so that the bar above the map stays one row.
LegendEntry limitLegend(const GanttData& data, const Theme& theme) {
    LegendEntry entry = residencyLook(theme, Residency::Reserved).legend;
    entry.text += u' ' + reservedShare(data);
    return entry;
}

GanttLook byResidency(const GanttData& data, const Theme& theme) {
    GanttLook look;
    std::array<bool, 6> seen{};
    for (int r = 0; r < 6; ++r)
        look.groups.push_back(residencyLook(theme, static_cast<Residency>(r)));
    for (const PlanBuffer& b : data.plan->buffers) {
        const auto r = static_cast<std::size_t>(residencyOf(b));
        look.groupOf.push_back(static_cast<std::uint8_t>(r));
        seen[r] = true;
    }
    for (const Residency r :
         {Residency::OnChip, Residency::InPlace, Residency::Clone, Residency::Resharded, Residency::OffChip})
        if (seen[static_cast<std::size_t>(r)]) look.legend.push_back(look.groups[static_cast<std::size_t>(r)].legend);
    if (data.usable < data.physical) look.legend.push_back(limitLegend(data, theme));
    return look;
}

/// Groups by a word; words in order of first use, so that the colours do not jump between plans.
GanttLook byWord(const GanttData& data, const Theme& theme,
                 const std::function<std::string(const PlanBuffer&)>& wordOf) {
    GanttLook look;
    std::map<std::string, int> index;
    for (const PlanBuffer& b : data.plan->buffers) {
        const auto [it, fresh] = index.emplace(wordOf(b), static_cast<int>(index.size()));
        const int group = it->second % kMostGroups;
        look.groupOf.push_back(static_cast<std::uint8_t>(group));
        if (!fresh || it->second >= kMostGroups) continue;
        const QString text = it->first.empty() ? QStringLiteral("none") : fromStd(it->first);
        look.groups.push_back(
            {categoryInk(theme, group), theme.category(group), {text, Residency::OnChip, group, -1, false, true}});
        look.legend.push_back(look.groups.back().legend);
    }
    return look;
}

GanttLook byHeat(const GanttData& data, const Theme& theme, const std::function<double(const PlanBuffer&)>& value,
                 const QStringList& names) {
    GanttLook look;
    for (int g = 0; g < kHeatGroups; ++g) {
        const double t = g / (kHeatGroups - 1.0);
        const QColor fill = Theme::mix(theme.heat(t), theme.color(Token::BgCanvas), theme.isDark() ? 0.55 : 0.45);
        const QColor edge = theme.isDark() ? Theme::mix(theme.heat(t), theme.color(Token::Text1), 0.7)
                                           : Theme::mix(theme.heat(t), theme.color(Token::Text1), 0.6);
        look.groups.push_back({{Pattern::Solid, fill, edge, 1.0}, edge, {names.value(g), Residency::OnChip, -1, t}});
    }
    std::array<bool, kHeatGroups> seen{};
    for (const PlanBuffer& b : data.plan->buffers) {
        const auto g = static_cast<std::size_t>(std::clamp(value(b), 0.0, 0.999) * kHeatGroups);
        look.groupOf.push_back(static_cast<std::uint8_t>(g));
        seen[g] = true;
    }
    for (std::size_t g = 0; g < kHeatGroups; ++g)
        if (seen[g]) look.legend.push_back(look.groups[g].legend);
    return look;
}

std::string opType(const Plan& plan, OpId op) {
    return op.isValid() ? plan.op(op).type : std::string("graph input");
}

bool isHinted(const Plan& plan, const PlanBuffer& b) {
    const std::string tensor = "tensor:" + b.name;
    const std::string op = b.producer.isValid() ? "op:" + plan.op(b.producer).name : std::string("-");
    return std::ranges::any_of(plan.hints, [&](const Hint& h) {
        return h.enabled && std::ranges::any_of(h.scopes, [&](const std::string& s) { return s == tensor || s == op; });
    });
}

double lifetimeShare(const GanttData& data, const PlanBuffer& b) {
    const double steps = std::max(1, data.steps), life = b.life.end - b.life.begin;
    return std::log2(1.0 + life) / std::log2(1.0 + steps);
}

}  // namespace

QString reservedShare(const GanttData& data) {
    return percentText(static_cast<double>(data.physical - data.usable) / static_cast<double>(data.physical));
}

int sizeBucket(Bytes size) {
    return size <= 0 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(size))) - 1;
}

bool isFilteredOut(const GanttState& filter, const PlanBuffer& buffer) {
    return (filter.sizeBucket >= 0 && sizeBucket(buffer.sizePerCore) != filter.sizeBucket) ||
           (!filter.reason.isEmpty() && reasonFamily(buffer) != filter.reason);
}

QString colourName(GanttColour colour) {
    switch (colour) {
    case GanttColour::Residency:
        return QStringLiteral("residency");
    case GanttColour::OpKind:
        return QStringLiteral("op kind");
    case GanttColour::Annotation:
        return QStringLiteral("annotation");
    case GanttColour::SizeClass:
        return QStringLiteral("size class");
    case GanttColour::Lifetime:
        return QStringLiteral("lifetime length");
    case GanttColour::LastUser:
        return QStringLiteral("last user");
    case GanttColour::Hint:
        return QStringLiteral("hint");
    }
    return {};
}

std::vector<GanttColour> allGanttColours() {
    return {GanttColour::Residency, GanttColour::OpKind,   GanttColour::Annotation, GanttColour::SizeClass,
            GanttColour::Lifetime,  GanttColour::LastUser, GanttColour::Hint};
}

namespace {

GanttLook lookOf(const GanttData& data, GanttColour colour, const Theme& theme) {
    const Plan& plan = *data.plan;
    switch (colour) {
    case GanttColour::OpKind:
        return byWord(data, theme, [&](const PlanBuffer& b) { return opType(plan, b.producer); });
    case GanttColour::Annotation:
        return byWord(data, theme, [&](const PlanBuffer& b) {
            return b.producer.isValid() ? plan.op(b.producer).groupPath : std::string();
        });
    case GanttColour::LastUser:
        return byWord(data, theme,
                      [&](const PlanBuffer& b) { return opType(plan, b.uses.empty() ? b.producer : b.uses.back()); });
    case GanttColour::Hint:
        return byWord(data, theme, [&](const PlanBuffer& b) {
            return std::string(isHinted(plan, b) ? "with hint" : "without hint");
        });
    case GanttColour::SizeClass:
        return byHeat(data, theme, [](const PlanBuffer& b) { return (sizeBucket(b.sizePerCore) - 9) / 13.0; },
                      {QStringLiteral("under 4 KiB"), QStringLiteral("4 to 32 KiB"), QStringLiteral("32 to 128 KiB"),
                       QStringLiteral("128 KiB to 1 MiB"), QStringLiteral("1 MiB and more")});
    case GanttColour::Lifetime:
        return byHeat(data, theme, [&](const PlanBuffer& b) { return lifetimeShare(data, b); },
                      {QStringLiteral("shortest"), QStringLiteral("short"), QStringLiteral("middle"),
                       QStringLiteral("long"), QStringLiteral("longest")});
    case GanttColour::Residency:
        break;
    }
    return byResidency(data, theme);
}

}  // namespace

GanttLook ganttLook(const GanttData& data, GanttColour colour, const Theme& theme) {
    if (!data.plan) return {};
    GanttLook look = lookOf(data, colour, theme);
    if (colour == GanttColour::Residency) return look;
    // The lane and the reserved band keep their residency colours in every mode.
    if (!data.offChip.empty()) look.legend.push_back(residencyLook(theme, Residency::OffChip).legend);
    if (data.usable < data.physical) look.legend.push_back(limitLegend(data, theme));
    return look;
}

}  // namespace memplan::ui
