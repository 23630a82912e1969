// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/inspector/inspector_text.h"

#include "widgets/plan/plan_look.h"

#include <QCoreApplication>

#include <algorithm>
#include <functional>
#include <set>

namespace memplan::ui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Inspector", text);
}

QString common(const std::set<QString>& values) {
    return values.size() == 1 ? *values.begin() : tr("(different)");
}

InspectorSection totals(const std::vector<const PlanBuffer*>& buffers, const Units& units) {
    InspectorSection s{QStringLiteral("several"), tr("Together"), {}, {}, {}, {}, true};
    Bytes sum = 0, least = buffers.front()->sizePerCore, most = 0, saved = 0;
    StepRange life = buffers.front()->life;
    std::set<QString> spaces, shapes, types;
    for (const PlanBuffer* b : buffers) {
        sum += b->sizePerCore;
        saved += b->trafficSaved;
        least = std::min(least, b->sizePerCore);
        most = std::max(most, b->sizePerCore);
        life = {std::min(life.begin, b->life.begin), std::max(life.end, b->life.end)};
        spaces.insert(residencyName(residencyOf(*b)));
        shapes.insert(timesText(b->shape));
        types.insert(dtypeLabel(b->dtype));
    }
    s.rows = {
        row(tr("Residency"), common(spaces)),
        bytesRow(tr("Sum per core"), sum, units),
        row(tr("Sizes"), least == most ? exactBytes(least) : tr("%1 to %2").arg(groupedText(least), exactBytes(most))),
        row(tr("Steps"), rangeText(life)),
        row(tr("Shape"), common(shapes)),
        row(tr("Type"), common(types)),
        bytesRow(tr("Traffic saved"), saved, units)};
    return s;
}

InspectorSection opTotals(const Plan& plan, const std::vector<OpId>& ops, const Units& units) {
    InspectorSection s{
        QStringLiteral("severalOps"), tr("Operations"), groupedText(static_cast<qint64>(ops.size())), {}, {}, {}, true};
    std::set<QString> kinds, types, cores, groups;
    Bytes read = 0, written = 0;
    for (const OpId id : ops) {
        const PlanOp& op = plan.op(id);
        kinds.insert(fromStd(op.kind));
        types.insert(fromStd(op.type));
        cores.insert(groupedText(op.cores));
        groups.insert(fromStd(op.groupPath));
        read += op.offChipRead;
        written += op.offChipWrite;
    }
    s.rows = {row(tr("Function"), common(types)),    row(tr("Kind"), common(kinds)),
              row(tr("Annotation"), common(groups)), row(tr("Cores"), common(cores)),
              bytesRow(tr("Read"), read, units),     bytesRow(tr("Written"), written, units)};
    return s;
}

}  // namespace

QString linkTo(ItemId item, const QString& text) {
    return QStringLiteral("<a href=\"%1\" style=\"text-decoration:none\">%2</a>")
        .arg(linkOf(item), text.toHtmlEscaped());
}
QString linkTo(const Plan& plan, BufferId id) {
    return linkTo(ItemId::of(id), fromStd(plan.buffer(id).name));
}
QString linkTo(const Plan& plan, OpId id) {
    return linkTo(ItemId::of(id), fromStd(plan.op(id).name));
}

QString quiet(const QString& text) {
    return QStringLiteral("<span style=\"color:%1\">%2</span>")
        .arg(themeOf().color(Token::Text3).name(), text.toHtmlEscaped());
}

QString fixedHtml(const QString& text) {
    // Inter would turn the x of 0x4000 into a multiplication sign (design-system 3.4).
    QStringList families;
    for (const QString& family : fixedFamilies())
        families << u'\'' + family + u'\'';
    return QStringLiteral("<span style=\"font-family:%1,monospace;font-size:%2px\">%3</span>")
        .arg(families.join(u','), QString::number(themeOf().font(TextStyle::Fixed).pixelSize()), text.toHtmlEscaped());
}

InspectorRow row(const QString& label, const QString& value) {
    return {label, value.toHtmlEscaped(), plainNumbers(value), {}};
}
InspectorRow htmlRow(const QString& label, const QString& html) {
    return {label, html, {}, {}};
}

InspectorRow bytesRow(const QString& label, Bytes bytes, const Units& units) {
    return {label, units.size(bytes).toHtmlEscaped(), QString::number(bytes), {}};
}

QString roleText(BufferRole role) {
    switch (role) {
    case BufferRole::GraphInput:
        return tr("graph input");
    case BufferRole::Parameter:
        return tr("parameter");
    case BufferRole::Constant:
        return tr("constant");
    case BufferRole::Intermediate:
        return tr("intermediate");
    case BufferRole::GraphOutput:
        return tr("graph output");
    }
    return {};
}

InspectorContent severalContent(const InspectorInput& input) {
    InspectorContent c;
    std::vector<const PlanBuffer*> buffers;
    std::vector<OpId> ops;
    QStringList names;
    for (const ItemId id : input.selection.items) {
        if (id.kind == ItemKind::Buffer) {
            buffers.push_back(&input.plan->buffer(BufferId{id.index}));
            names << linkTo(*input.plan, BufferId{id.index});
        } else if (id.kind == ItemKind::Op) {
            ops.push_back(OpId{id.index});
            names << linkTo(*input.plan, OpId{id.index});
        }
    }
    const auto total = static_cast<qint64>(input.selection.items.size());
    const bool onlyBuffers = static_cast<qint64>(buffers.size()) == total,
               onlyOps = static_cast<qint64>(ops.size()) == total;
    c.kind = onlyBuffers ? tr("%1 buffers").arg(groupedText(total))
             : onlyOps   ? tr("%1 operations").arg(groupedText(total))
                         : tr("%1 items").arg(groupedText(total));
    c.title = c.kind;
    c.sentence = names.mid(0, 12).join(QStringLiteral(", ")) +
                 (names.size() > 12 ? tr(" and %1 more").arg(names.size() - 12) : QString());
    if (!buffers.empty()) c.sections.push_back(totals(buffers, input.units));
    if (!ops.empty()) c.sections.push_back(opTotals(*input.plan, ops, input.units));
    return c;
}

}  // namespace memplan::ui
