// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/op_table.h"

#include "common/badge.h"
#include "common/table_setup.h"
#include "core/plan_look.h"
#include "core/units.h"
#include "coregrid/core_map.h"
#include "graph/graph_model.h"

namespace memplan::ui {
namespace {

bool isNumber(int column) {
    switch (column) {
    case OpTableModel::Step:
    case OpTableModel::Bytes:
    case OpTableModel::Cores:
    case OpTableModel::ReadBytes:
    case OpTableModel::WriteBytes:
        return true;
    default:
        return false;
    }
}

}  // namespace

void OpTableModel::setPlan(PlanPtr plan) {
    beginResetModel();
    plan_ = std::move(plan);
    endResetModel();
}

void OpTableModel::setNotes(NoteFlagsPtr notes) {
    notes_ = std::move(notes);
    if (rowCount() > 0) emit dataChanged(index(0, Name), index(rowCount() - 1, Name), {NoteRole});
}

int OpTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !plan_ ? 0 : static_cast<int>(plan_->ops.size());
}

int OpTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

const PlanBuffer* OpTableModel::output(const PlanOp& op) const {
    return op.outputs.empty() || !op.outputs.front().isValid() ? nullptr : &plan_->buffer(op.outputs.front());
}

qint64 OpTableModel::number(const PlanOp& op, int row, int column) const {
    switch (column) {
    case Step:
        return row;
    case Bytes:
        return output(op) ? output(op)->size : 0;
    case Cores:
        return op.cores;
    case ReadBytes:
        return op.offChipRead;
    default:
        return op.offChipWrite;
    }
}

QString OpTableModel::text(const PlanOp& op, int row, int column) const {
    if (isNumber(column)) return groupedText(number(op, row, column));
    const PlanBuffer* out = output(op);
    switch (column) {
    case Name:
        return fromStd(op.name);
    case Kind:
        return fromStd(op.type);
    case Space:
        return out ? residencyName(residencyOf(*out)) : QString();
    case Shape:
        return out ? shapeLabel(out->shape) : QString();
    case Type:
        return out ? dtypeLabel(out->dtype) : QString();
    case Inputs: {
        QStringList names;
        for (const BufferId in : op.inputs)
            if (in.isValid()) names << fromStd(plan_->buffer(in).name);
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

QVariant OpTableModel::data(const QModelIndex& index, int role) const {
    if (!plan_ || !index.isValid() || index.row() >= rowCount()) return {};
    const PlanOp& op = plan_->ops[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return text(op, index.row(), index.column());
    case RawRole:
        if (isNumber(index.column())) return number(op, index.row(), index.column());
        return text(op, index.row(), index.column());
    case IdRole:
        return QVariant::fromValue(ItemId{ItemKind::Op, index.row()});
    case NoteRole: {
        if (!notes_ || index.column() != Name) return {};
        const auto note = notes_->items.find(ItemId{ItemKind::Op, index.row()});
        return note == notes_->items.end() ? QVariant() : QVariant(note->second);
    }
    case NumericRole:
        return isNumber(index.column());
    case StrongRole:
        return index.column() == Name;
    case Qt::TextAlignmentRole:
        return QVariant(isNumber(index.column()) ? Qt::AlignRight | Qt::AlignVCenter
                                                 : Qt::AlignLeft | Qt::AlignVCenter);
    case BadgeRole:
        if (index.column() == Space && output(op)) return QVariant::fromValue(badgeOf(residencyOf(*output(op))));
        return {};
    default:
        return {};
    }
}

QVariant OpTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(isNumber(section) ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    if (role == NumericRole) return isNumber(section);
    if (role != Qt::DisplayRole) return {};
    static const char* const kNames[ColumnCount] = {
        QT_TR_NOOP("Step"),  QT_TR_NOOP("Op"),      QT_TR_NOOP("Kind"),          QT_TR_NOOP("Space"),
        QT_TR_NOOP("Shape"), QT_TR_NOOP("Type"),    QT_TR_NOOP("Bytes"),         QT_TR_NOOP("Reads"),
        QT_TR_NOOP("Cores"), QT_TR_NOOP("Split"),   QT_TR_NOOP("Off-chip read"), QT_TR_NOOP("Off-chip written"),
        QT_TR_NOOP("Group"), QT_TR_NOOP("Added by")};
    return tr(kNames[section]);
}

}  // namespace memplan::ui
