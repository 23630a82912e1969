// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/inspector/inspector_loop.h"

#include "widgets/plan/hints/hint_items.h"
#include "widgets/plan/item_json.h"
#include "widgets/plan/loop_groups.h"
#include "widgets/plan/plan_look.h"
#include "widgets/views/inspector/inspector_hints.h"
#include "widgets/views/inspector/inspector_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace memplan::ui {

namespace {

constexpr std::size_t kMostLinks = 200;

QString tr(const char* text) {
    return QCoreApplication::translate("Inspector", text);
}

QString linkToLoop(const LoopGroups& loops, int loop) {
    return linkTo(ItemId{ItemKind::Loop, loop}, fromStd(loops.group(loop).name));
}

InspectorSection identitySection(const LoopGroups& loops, int index) {
    const LoopGroup& loop = loops.group(index);
    InspectorSection s{QStringLiteral("loop"), tr("Loop"), {}, {}, {}, {}, true};
    QStringList inner;
    for (std::size_t i = 0; i < loops.groups.size(); ++i)
        if (loops.groups[i].parent == index) inner << linkToLoop(loops, static_cast<int>(i));
    s.rows = {row(tr("Trip count"), groupedText(loop.count())),
              row(tr("Body runs"), tr("%1 times").arg(groupedText(loop.runs()))),
              row(tr("Steps"), rangeText(loop.steps()))};
    if (loop.parent >= 0) s.rows.push_back(htmlRow(tr("Inside"), linkToLoop(loops, loop.parent)));
    if (!inner.isEmpty()) s.rows.push_back(htmlRow(tr("Holds"), inner.join(QStringLiteral(", "))));
    return s;
}

/// Loop variable of each operation that this level divides.
InspectorSection tilingSection(const Plan& plan, const LoopGroup& loop) {
    InspectorSection s{QStringLiteral("loopTiling"), tr("Tiled dimensions"), {}, {}, {}, {}, true};
    const std::size_t level = loop.path.size() - 1;
    for (const OpId id : loop.ops) {
        if (s.rows.size() == kMostLinks) break;
        const std::span<const std::vector<int>> levels = targetDataOf(plan).tiledLoops(id);
        if (level >= levels.size()) continue;
        QStringList names;
        for (const int position : levels[level]) {
            const auto& space = plan.op(id).iterationSpace;
            if (position < 0 || static_cast<std::size_t>(position) >= space.size()) continue;
            const IterationDim& dim = space[static_cast<std::size_t>(position)];
            names << tr("%1, %2 a tile").arg(fromStd(dim.name), groupedText(dim.extent));
        }
        if (!names.isEmpty()) s.rows.push_back(row(fromStd(plan.op(id).name), names.join(QStringLiteral("; "))));
    }
    return s;
}

/// "A, hint 3": what a hint on operations of this loop slices into as many parts as the loop has trips, as links to
/// the hint. Its name need not be that of the operation's own dimension, so the count has to decide.
QStringList makersOf(const InspectorInput& input, const LoopGroup& loop) {
    const Plan& plan = *input.plan;
    QStringList makers;
    for (std::size_t i = 0; i < plan.hints.size(); ++i) {
        const Hint& hint = plan.hints[i];
        if (!hint.enabled || hint.key != "slices") continue;
        const std::vector<ItemId> items = itemsOf(plan, hint);
        const auto isNamed = [&](OpId op) { return std::ranges::find(items, ItemId::of(op)) != items.end(); };
        if (std::ranges::none_of(loop.ops, isNamed)) continue;
        const NamedCounts* slices = hint.value.counts();
        for (const auto& [name, count] : slices != nullptr ? *slices : NamedCounts()) {
            if (count != loop.count()) continue;
            const QString words = tr("%1, hint %2").arg(fromStd(name)).arg(i + 1).toHtmlEscaped();
            makers << (input.offersHints ? QStringLiteral("<a href=\"edit:%1\">%2</a>").arg(i).arg(words) : words);
        }
    }
    return makers;
}

InspectorSection memorySection(const Plan& plan, const LoopGroup& loop, const Units& units) {
    InspectorSection s{QStringLiteral("loopMemory"), tr("What it moves"), {}, {}, {}, {}, true};
    Bytes onChip = 0, offChip = 0, read = 0, written = 0;
    for (const OpId id : loop.ops) {
        const PlanOp& op = plan.op(id);
        read += op.offChipRead;
        written += op.offChipWrite;
        for (const BufferId out : op.outputs)
            if (out.isValid()) (isOnChip(plan.buffer(out).space) ? onChip : offChip) += plan.buffer(out).size;
    }
    s.rows = {bytesRow(tr("Results on chip"), onChip, units), bytesRow(tr("Results off chip"), offChip, units),
              bytesRow(tr("Read off chip"), read, units), bytesRow(tr("Written off chip"), written, units)};
    return s;
}

InspectorSection operationsSection(const Plan& plan, const LoopGroup& loop) {
    InspectorSection s{QStringLiteral("loopOps"),
                       tr("Operations"),
                       groupedText(static_cast<qint64>(loop.ops.size())),
                       {},
                       {},
                       {},
                       true};
    QStringList links;
    for (std::size_t i = 0; i < std::min(kMostLinks, loop.ops.size()); ++i)
        links << linkTo(plan, loop.ops[i]);
    if (loop.ops.size() > kMostLinks) links << tr("and %1 more").arg(loop.ops.size() - kMostLinks);
    s.paragraphs << links.join(QStringLiteral(", "));
    return s;
}

}  // namespace

InspectorContent rangeContent(const InspectorInput& input, StepRange steps) {
    const Plan& plan = *input.plan;
    InspectorContent c;
    c.kind = tr("range");
    c.title = tr("Steps %1").arg(rangeText(steps));
    c.sentence = tr("Tables, metrics and this panel speak about these steps until Escape.").toHtmlEscaped();
    LoopGroup range;
    for (Step s = steps.begin; s < steps.end; ++s)
        range.ops.push_back(OpId{s});
    qint64 onChip = 0, offChip = 0;
    Bytes bytesOn = 0, bytesOff = 0;
    for (const PlanBuffer& b : plan.buffers) {
        if (!b.life.overlaps(steps)) continue;
        (isOnChip(b.space) ? onChip : offChip) += 1;
        (isOnChip(b.space) ? bytesOn : bytesOff) += b.sizePerCore;
    }
    InspectorSection live{
        QStringLiteral("rangeBuffers"), tr("Buffers that live there"), groupedText(onChip + offChip), {}, {}, {}, true};
    live.rows = {row(tr("On chip"), groupedText(onChip)), bytesRow(tr("Bytes on chip, per core"), bytesOn, input.units),
                 row(tr("Off chip"), groupedText(offChip)),
                 bytesRow(tr("Bytes off chip, per core"), bytesOff, input.units)};
    c.sections = {operationsSection(plan, range), live, memorySection(plan, range, input.units)};
    return c;
}

QString loopLinks(const Plan& plan, OpId op) {
    QStringList links;
    const LoopGroups loops = loopGroups(plan);
    for (int at = loops.innermostOf(op); at >= 0; at = loops.group(at).parent)
        links << linkToLoop(loops, at);
    return links.join(tr(" in "));
}

InspectorContent loopContent(const InspectorInput& input, int index) {
    const Plan& plan = *input.plan;
    const LoopGroups loops = loopGroups(plan);
    InspectorContent c;
    if (index < 0 || static_cast<std::size_t>(index) >= loops.groups.size()) return c;
    const LoopGroup& loop = loops.group(index);
    c.kind = wordOf(ItemKind::Loop);
    c.title = fromStd(loop.name);
    c.sentence = tr("counted loop around %1 at steps %2")
                     .arg(plural(static_cast<qint64>(loop.ops.size()), tr("operation"), tr("operations")),
                          rangeText(loop.steps()))
                     .toHtmlEscaped();
    InspectorSection identity = identitySection(loops, index);
    const QStringList makers = makersOf(input, loop);
    if (!makers.isEmpty()) identity.rows.push_back(htmlRow(tr("Made by"), makers.join(QStringLiteral(", "))));
    c.sections = {
        std::move(identity),
        operationsSection(plan, loop),
        tilingSection(plan, loop),
        memorySection(plan, loop, input.units),
        loopHintsSection(input, loop.ops),
        {QStringLiteral("json"), tr("Raw JSON"), {}, {}, {}, itemJson(&plan, {ItemKind::Loop, index}), false}};
    return c;
}

}  // namespace memplan::ui
