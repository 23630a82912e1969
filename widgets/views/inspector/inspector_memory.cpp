// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/inspector/inspector_memory.h"

#include "engine/target/target.h"
#include "widgets/plan/plan_look.h"
#include "widgets/views/coregrid/data/core_metrics.h"
#include "widgets/views/inspector/inspector_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace memplan::ui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Inspector", text);
}

InspectorSection shareSection(const CoreMetrics& metrics, int core, const Units& units) {
    const Plan& plan = *metrics.plan();
    const auto value = [&](CoreMetric metric) {
        const double v = metrics.planValue(metric, core);
        return std::isnan(v) ? 0.0 : v;
    };
    const auto bytes = [&](CoreMetric metric) { return static_cast<Bytes>(std::llround(value(metric))); };
    const auto used = std::ranges::count_if(plan.ops, [core](const PlanOp& op) { return op.cores > core; });
    InspectorSection s{QStringLiteral("core"), tr("Share of the plan"), {}, {}, {}, {}, true};
    s.rows = {row(tr("Operations"), tr("%1 of %2 use it").arg(used).arg(plan.ops.size())),
              row(tr("Work"), percentText(value(CoreMetric::WorkShare))),
              bytesRow(tr("Peak"), bytes(CoreMetric::PeakBytes), units),
              bytesRow(tr("Off-chip bytes"), bytes(CoreMetric::OffChipBytes), units),
              bytesRow(tr("Largest span"), bytes(CoreMetric::Span), units)};
    return s;
}

/// From low addresses to high ones, as the strip of the core grid shows them.
InspectorSection memorySection(const CoreMetrics& metrics, int core, Step step, const Units& units) {
    const Plan& plan = *metrics.plan();
    InspectorSection s{QStringLiteral("coreMemory"), tr("Memory at step %1").arg(step), {}, {}, {}, {}, true};
    s.rows.push_back(bytesRow(tr("In use"), metrics.bytesAt(step, core), units));
    Bytes free = 0, gap = 0;
    for (const CoreBlock& block : metrics.blocksAt(step, core)) {
        if (block.buffer.isValid()) {
            s.rows.push_back(htmlRow(units.address(block.begin),
                                     linkTo(plan, block.buffer) + u' ' + quiet(units.size(block.size()))));
        } else if (block.end <= plan.memory.capacity) {
            free += block.size();
            gap = std::max(gap, block.size());
        }
    }
    s.rows.push_back(bytesRow(tr("Free"), free, units));
    s.rows.push_back(bytesRow(tr("Largest gap"), gap, units));
    return s;
}

}  // namespace

std::vector<InspectorRow> nowRows(const Plan& plan, BufferId buffer, Step cursor) {
    const Bytes usable = plan.memory.capacity;
    std::vector<const PlanBuffer*> live;
    for (const PlanBuffer& b : plan.buffers)
        if (isPlaced(b) && b.life.contains(cursor)) live.push_back(&b);
    std::ranges::stable_sort(live, {}, [](const PlanBuffer* b) { return *b->address; });
    const PlanBuffer& self = plan.buffer(buffer);
    Bytes used = 0, gap = 0;
    Address top = 0;
    QString below, above;
    for (const PlanBuffer* b : live) {
        // A slot that is handed over at this step holds two buffers and counts once (A.7).
        const Address end = *b->address + b->sizePerCore;
        gap = std::max(gap, *b->address - top);
        used += std::max<Bytes>(0, end - std::max(top, *b->address));
        top = std::max(top, end);
        const auto id = BufferId::of(static_cast<std::size_t>(b - plan.buffers.data()));
        if (!self.address || b == &self || *b->address == *self.address) continue;
        if (*b->address < *self.address)
            below = linkTo(plan, id);
        else if (above.isEmpty())
            above = linkTo(plan, id);
    }
    gap = std::max(gap, usable - top);
    std::vector<InspectorRow> rows{
        {tr("Now, step %1").arg(cursor), tr("live %1").arg(exactBytes(used)), QString::number(used), {}},
        {QString(), tr("free %1").arg(exactBytes(usable - used)), QString::number(usable - used), {}},
        {QString(), tr("gap %1").arg(exactBytes(gap)), QString::number(gap), {}}};
    if (!below.isEmpty()) rows.push_back(htmlRow(QString(), tr("below %1").arg(below)));
    if (!above.isEmpty()) rows.push_back(htmlRow(QString(), tr("above %1").arg(above)));
    return rows;
}

InspectorContent coreContent(const InspectorInput& input, int core) {
    const CoreMetrics metrics(input.plan);
    InspectorContent c;
    c.kind = wordOf(ItemKind::Core);
    c.title = tr("Core %1").arg(core);
    if (core < 0 || core >= metrics.configuredCores()) {
        c.sentence =
            tr("Not used: the plan is made for %1.").arg(plural(metrics.configuredCores(), tr("core"), tr("cores")));
        return c;
    }
    c.sentence = tr("One of %1.").arg(plural(metrics.configuredCores(), tr("core"), tr("cores")));
    c.sections.push_back(shareSection(metrics, core, input.units));
    const auto cursor = input.selection.timeCursor;
    if (cursor && !settingRoles(input.plan->target).cores.empty())
        c.sections.push_back(memorySection(metrics, core, *cursor, input.units));
    else if (!cursor)
        c.sections.back().paragraphs << tr("Set the time cursor to see what lies in its memory at a step.");
    return c;
}

}  // namespace memplan::ui
