// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/inspector/inspector_memory.h"

#include "engine/plan/memory_use.h"
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
              bytesRow(tr("Most live bytes"), bytes(CoreMetric::PeakBytes), units),
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
    const PlanBuffer& self = plan.buffer(buffer);
    const PlanBuffer *below = nullptr, *above = nullptr;
    for (const PlanBuffer& b : plan.buffers) {
        const bool isNear = self.address && isPlaced(b) && b.life.contains(cursor) && *b.address != *self.address;
        if (!isNear) continue;
        const bool isBelow = *b.address < *self.address;
        if (isBelow && (below == nullptr || *b.address >= *below->address)) below = &b;
        if (!isBelow && (above == nullptr || *b.address < *above->address)) above = &b;
    }
    const MemoryUse use = useAt(plan, cursor);
    std::vector<InspectorRow> rows{
        {tr("Now, step %1").arg(cursor), tr("live %1").arg(exactBytes(use.live)), QString::number(use.live), {}},
        {QString(), tr("free %1").arg(exactBytes(use.free)), QString::number(use.free), {}},
        {QString(), tr("gap %1").arg(exactBytes(use.largestFree)), QString::number(use.largestFree), {}}};
    const auto link = [&plan](const PlanBuffer* b) {
        return linkTo(plan, BufferId::of(static_cast<std::size_t>(b - plan.buffers.data())));
    };
    if (below != nullptr) rows.push_back(htmlRow(QString(), tr("below %1").arg(link(below))));
    if (above != nullptr) rows.push_back(htmlRow(QString(), tr("above %1").arg(link(above))));
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
