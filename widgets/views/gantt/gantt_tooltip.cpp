// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/gantt_tooltip.h"

#include "widgets/plan/plan_look.h"
#include "widgets/plan/units.h"
#include "widgets/views/gantt/data/gantt_reasons.h"
#include "widgets/views/gantt/look/gantt_look.h"

#include <QObject>

namespace memplan::ui {

TooltipText bufferTooltip(const GanttData& data, BufferId id) {
    const Plan& plan = *data.plan;
    const PlanBuffer& b = plan.buffer(id);
    const Residency r = residencyOf(b);
    TooltipText t{fromStd(b.name), QString(residencyLetter(r)), r, {}};
    t.lines.push_back({QObject::tr("Size per core"), exactBytes(b.sizePerCore)});
    if (b.address)
        t.lines.push_back(
            {QObject::tr("Address"),
             QStringLiteral("%1 to %2 (%3)")
                 .arg(groupedText(*b.address), groupedText(*b.address + b.sizePerCore), hexText(*b.address))});
    t.lines.push_back({QObject::tr("Steps"),
                       QStringLiteral("%1  [%2, %3)").arg(rangeText(b.life)).arg(b.life.begin).arg(b.life.end)});
    if (b.producer.isValid()) t.lines.push_back({QObject::tr("Producer"), fromStd(plan.op(b.producer).name)});
    if (b.inPlaceOf.isValid()) t.lines.push_back({QObject::tr("In place of"), fromStd(plan.buffer(b.inPlaceOf).name)});
    if (b.cloneOf.isValid()) t.lines.push_back({QObject::tr("Clone of"), fromStd(plan.buffer(b.cloneOf).name)});
    if (const QString shared = overlapText(data, id); !shared.isEmpty())
        t.lines.push_back({QObject::tr("Overlaps"), shared});
    if (b.reason) t.lines.push_back({QObject::tr("Off chip"), fromStd(sentence(*b.reason))});
    if (b.reason && b.reason->largestGap >= 0)
        t.lines.push_back({QObject::tr("Largest gap"),
                           QObject::tr("%1 at step %2").arg(exactBytes(b.reason->largestGap)).arg(b.reason->gapStep)});
    if (b.trafficSaved > 0) t.lines.push_back({QObject::tr("Traffic saved"), exactBytes(b.trafficSaved)});
    return t;
}

TooltipText loopTooltip(const LoopGroups& loops, int loop) {
    const LoopGroup& group = loops.group(loop);
    TooltipText t{fromStd(group.name), {}, Residency::OnChip, {}};
    t.lines = {{QObject::tr("Operations"), groupedText(static_cast<qint64>(group.ops.size()))},
               {QObject::tr("Steps"), rangeText(group.steps())},
               {QObject::tr("Runs"), QObject::tr("%1 times").arg(groupedText(group.runs()))}};
    if (group.parent < 0) return t;
    t.lines.push_back({QObject::tr("Inside"), fromStd(loops.group(group.parent).name)});
    t.lines.push_back({QObject::tr("Click again"), QObject::tr("selects the loop around it")});
    return t;
}

TooltipText stepTooltip(const GanttData& data, Step step) {
    const MemoryUse& use = data.useAt(step);
    return {QObject::tr("step %1").arg(groupedText(step)),
            {},
            Residency::OnChip,
            {{QObject::tr("Live"), exactBytes(use.live)},
             {QObject::tr("Free"), exactBytes(use.free)},
             {QObject::tr("Largest free block"), exactBytes(use.largestFree)},
             {QObject::tr("Fragmentation"), percentText(use.fragmentation())}}};
}

}  // namespace memplan::ui
