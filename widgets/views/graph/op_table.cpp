// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/graph/op_table.h"

#include "widgets/plan/plan_look.h"
#include "widgets/plan/units.h"
#include "widgets/views/coregrid/data/core_map.h"
#include "widgets/views/graph/scene/graph_model.h"

namespace memplan::ui {

OpTableModel::OpTableModel(QObject* parent)
    : PlanTableModel({{tr("Step"), true},
                      {tr("Op")},
                      {tr("Kind")},
                      {tr("Space")},
                      {tr("Shape")},
                      {tr("Type")},
                      {tr("Bytes"), true, tr("Device bytes of its output, all cores"), true},
                      {tr("Reads")},
                      {tr("Cores"), true},
                      {tr("Split")},
                      {tr("Off-chip read"), true, {}, true},
                      {tr("Off-chip written"), true, {}, true},
                      {tr("Group")},
                      {tr("Added by")}},
                     parent) {}

const PlanBuffer* OpTableModel::output(const PlanOp& op) const {
    return op.outputs.empty() || !op.outputs.front().isValid() ? nullptr : &plan()->buffer(op.outputs.front());
}

QString OpTableModel::text(const PlanOp& op, int column) const {
    const PlanBuffer* out = output(op);
    switch (column) {
    case Kind:
        return fromStd(op.type);
    case Shape:
        return out ? shapeLabel(out->shape) : QString();
    case Type:
        return out ? dtypeLabel(out->dtype) : QString();
    case Inputs: {
        QStringList names;
        for (const BufferId in : op.inputs)
            if (in.isValid()) names << fromStd(plan()->buffer(in).name);
        return names.join(QStringLiteral(", "));
    }
    case Split:
        return fromStd(shortSplitText(op));
    case Group:
        return fromStd(op.groupPath);
    case AddedBy:
        return fromStd(op.addedBy);
    default:
        return {};
    }
}

TableCell OpTableModel::cell(int row, int column) const {
    const PlanOp& op = plan()->ops[static_cast<std::size_t>(row)];
    const PlanBuffer* out = output(op);
    switch (column) {
    case Step:
        return numberCell(row);
    case Name: {
        TableCell c = textCell(fromStd(op.name));
        c.strong = true;
        return c;
    }
    case Space: {
        TableCell c = textCell(out ? residencyName(residencyOf(*out)) : QString());
        if (out) c.badge = badgeOf(residencyOf(*out));
        return c;
    }
    case Bytes:
        return sizeCell(out ? out->size : 0);
    case Cores:
        return numberCell(op.cores);
    case ReadBytes:
        return sizeCell(op.offChipRead);
    case WriteBytes:
        return sizeCell(op.offChipWrite);
    default:
        return textCell(text(op, column));
    }
}

/// Exact bytes, whatever unit is shown (2.10).
QString OpTableModel::tooltipOf(int row, int column) const {
    const PlanOp& op = plan()->ops[static_cast<std::size_t>(row)];
    if (column == Bytes && output(op)) return exactBytes(output(op)->size);
    if (column == ReadBytes) return exactBytes(op.offChipRead);
    return column == WriteBytes ? exactBytes(op.offChipWrite) : QString();
}

}  // namespace memplan::ui
