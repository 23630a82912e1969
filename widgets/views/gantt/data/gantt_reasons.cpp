// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/data/gantt_reasons.h"

#include "engine/plan/reasons.h"
#include "engine/target/target.h"
#include "widgets/plan/plan_look.h"
#include "widgets/plan/units.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>

namespace memplan::ui {

namespace {

QString words(const char* text) {
    return QCoreApplication::translate("GanttView", text);
}

/// Inputs and outputs of the graph are off chip in every plan: another reason says more.
const ReasonCount* commonest(const std::vector<ReasonCount>& families) {
    const ReasonCount* found = nullptr;
    const QString input = fromStd(std::string(reasonInfo(ReasonCode::GraphInput).family));
    for (const ReasonCount& f : families) {
        const bool isBetter = found == nullptr || found->family == input || f.count > found->count;
        if (isBetter && (found == nullptr || f.family != input)) found = &f;
    }
    return found;
}

}  // namespace

std::vector<ReasonCount> reasonFamilies(const Plan& plan) {
    std::map<int, ReasonCount> families;  // by the first code of the family
    for (const PlanBuffer& b : plan.buffers) {
        if (!b.reason) continue;
        const QString family = reasonFamily(b);
        const auto known = std::ranges::find(families, family, [](const auto& f) { return f.second.family; });
        ReasonCount& entry = known == families.end() ? families[static_cast<int>(b.reason->code)] : known->second;
        entry = {family, entry.count + 1};
    }
    std::vector<ReasonCount> result;
    for (const auto& [code, family] : families)
        result.push_back(family);
    return result;
}

QChar reasonGlyph(const QString& family) {
    static const std::map<QString, char16_t> kGlyphs{
        {QStringLiteral("planning switched off"), u'\u2013'}, {QStringLiteral("off by hint"), u'h'},
        {QStringLiteral("op kind not allowed"), u'\u00d7'},   {QStringLiteral("tiled or partial access"), u'\u00bd'},
        {QStringLiteral("outside kernel"), u'\u25cb'},        {QStringLiteral("graph input or output"), u'\u2195'},
        {QStringLiteral("split mismatch"), u'\u2260'},        {QStringLiteral("larger than the memory"), u'>'},
        {QStringLiteral("lost the packing"), u'\u2205'},      {QStringLiteral("solver stopped"), u'\u25a0'}};
    const auto found = kGlyphs.find(family);
    return found == kGlyphs.end() ? QChar(u' ') : QChar(found->second);
}

std::optional<EmptyText> ganttEmptyText(const GanttData& data, bool canChange) {
    if (data.placedCount() > 0 || !data.plan) return std::nullopt;
    const QString icon = QStringLiteral("lx-gantt");
    if (data.offChip.empty())
        return EmptyText{
            icon, words("This plan has no buffers."), words("Open a graph with at least one operation."), {}, {}};
    const Plan& plan = *data.plan;
    const std::string_view placement = settingRoles(plan.target).placement;
    if (!placement.empty() && !plan.settings.boolean(placement))
        return EmptyText{icon, words("No buffer is on chip: planning is switched off."),
                         words("Switch it on to see where each buffer would live."),
                         canChange ? words("Switch planning on") : QString(),
                         canChange ? QString(kPlanningOnKey) : QString()};
    EmptyText text{icon, words("No buffer is on chip."), {}, {}, {}};
    const std::vector<ReasonCount> families = reasonFamilies(plan);
    if (const ReasonCount* most = commonest(families))
        text.sentence = words("No buffer is on chip. Commonest reason: %1, %2 of %3.")
                            .arg(most->family, groupedText(most->count),
                                 plural(static_cast<qint64>(plan.buffers.size()), words("buffer"), words("buffers")));
    text.next = words("Select a buffer: the inspector says why, and what was tried and works.");
    return text;
}

QString overlapText(const GanttData& data, BufferId id) {
    constexpr qsizetype kNamed = 2;
    QStringList all;
    for (const GanttOverlap& o : data.overlaps) {
        if (o.first != id && o.second != id) continue;
        const BufferId other = o.first == id ? o.second : o.first;
        all << words("%1 by %2 in steps %3")
                   .arg(fromStd(data.plan->buffer(other).name), exactBytes(o.size), rangeText(o.steps));
    }
    const qsizetype more = all.size() - kNamed;
    QString text = all.mid(0, kNamed).join(QStringLiteral("; "));
    return more > 0 ? text + words(" and %1 more").arg(more) : text;
}

}  // namespace memplan::ui
