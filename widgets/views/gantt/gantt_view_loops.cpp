// SPDX-License-Identifier: GPL-3.0-or-later
// The band of counted loops above the memory map and the one selection (user-experience 2.4, 7.1).
#include "widgets/plan/units.h"
#include "widgets/views/gantt/gantt_view.h"

#include <algorithm>

namespace memplan::ui {

/// The loop of the row under the pointer; the innermost one where several share a row, or below the last.
std::optional<int> GanttView::loopAt(QPointF position) const {
    const GanttLayout l = layoutFor(canvasSize());
    if (!l.loops.contains(position)) return std::nullopt;
    const double step = l.stepAt(position.x());
    std::optional<int> found;
    for (const StepRun& run : data_->loops)
        if (step >= run.steps.begin && step < run.steps.end && l.loopRow(run.level).top() <= position.y())
            found = run.loop;
    return found;
}

TooltipText GanttView::loopTooltip(int loop) const {
    const LoopGroup& group = hub()->loops().group(loop);
    TooltipText t{fromStd(group.name), {}, Residency::OnChip, {}};
    t.lines = {{tr("Operations"), groupedText(static_cast<qint64>(group.ops.size()))},
               {tr("Steps"), rangeText(group.steps())},
               {tr("Runs"), tr("%1 times").arg(groupedText(group.runs()))}};
    if (group.parent < 0) return t;
    t.lines.push_back({tr("Inside"), fromStd(hub()->loops().group(group.parent).name)});
    t.lines.push_back({tr("Click again"), tr("selects the loop around it")});
    return t;
}

/// The band is that of the innermost loop; clicked again it stands for the one around it.
void GanttView::itemClicked(ItemId id, Qt::KeyboardModifiers modifiers) {
    const auto primary = hub()->primary();
    if (id.kind != ItemKind::Loop || !primary || primary->kind != ItemKind::Loop || modifiers != Qt::NoModifier)
        return GraphicView::itemClicked(id, modifiers);
    const LoopGroups& loops = hub()->loops();
    for (int at = id.index; at >= 0; at = loops.group(at).parent)
        if (at == primary->index && loops.group(at).parent >= 0)
            return hub()->select({ItemKind::Loop, loops.group(at).parent});
    GraphicView::itemClicked(id, modifiers);
}

StepRange GanttView::stepsOf(ItemId id) const {
    if (id.kind == ItemKind::Buffer) return plan()->buffer(BufferId{id.index}).life;
    if (id.kind == ItemKind::Loop) return hub()->loops().group(id.index).steps();
    return id.kind == ItemKind::Op || id.kind == ItemKind::Step ? StepRange{id.index, id.index + 1} : StepRange{};
}

}  // namespace memplan::ui
