// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/models/plan_table_model.h"

namespace memplan::ui {

PlanTableModel::PlanTableModel(std::vector<TableColumn> columns, QObject* parent)
    : QAbstractTableModel(parent), columns_(std::move(columns)) {}

void PlanTableModel::setPlan(PlanPtr plan) {
    beginResetModel();
    plan_ = std::move(plan);
    planChanged();
    endResetModel();
}

void PlanTableModel::follow(SelectionHub* hub) {
    connect(hub, &SelectionHub::planChanged, this, [this, hub] { setPlan(hub->plan()); });
    hub_ = hub;
    connect(hub, &SelectionHub::notesChanged, this, [this] {
        if (rowCount() == 0) return;
        emit dataChanged(index(0, nameColumn()), index(rowCount() - 1, nameColumn()), {NoteRole});
    });
    setPlan(hub->plan());
}

void PlanTableModel::setUnits(const Units& units) {
    if (units == units_) return;
    units_ = units;
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::DisplayRole});
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

int PlanTableModel::rowCount(const QModelIndex& parent) const {
    if (parent.isValid()) return 0;
    return plan_ ? rows() : rowsWithoutPlan();
}

int PlanTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

QString PlanTableModel::tooltipOf(int row, int column) const {
    Q_UNUSED(row)
    Q_UNUSED(column)
    return {};
}

TableCell PlanTableModel::numberCell(qint64 value) {
    return {groupedText(value), value, {}, {}, {}, false, false};
}
TableCell PlanTableModel::sizeCell(Bytes value) const {
    TableCell c = numberCell(value);
    c.text = units_.sizeNumber(value);
    return c;
}
TableCell PlanTableModel::addressCell(Address value) const {
    TableCell c = numberCell(value);
    c.text = units_.address(value);
    return c;
}
TableCell PlanTableModel::textCell(const QString& text) {
    return {text, {}, {}, {}, {}, false, false};
}

QVariant PlanTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const TableColumn& column = columns_[static_cast<std::size_t>(index.column())];
    switch (role) {
    case IdRole:
        return QVariant::fromValue(idOf(index.row()));
    case NumericRole:
        return column.numeric;
    case NoteRole:
        return hub_ && index.column() == nameColumn() ? QVariant(hub_->noteWords(idOf(index.row()))) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment((column.numeric ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    case Qt::ToolTipRole: {
        const QString text = tooltipOf(index.row(), index.column());
        return text.isEmpty() ? QVariant() : QVariant(text);
    }
    default:
        break;
    }
    const TableCell c = cell(index.row(), index.column());
    switch (role) {
    case Qt::DisplayRole:
        return c.text;
    case Qt::AccessibleTextRole:
        return c.badge ? QString(c.badge->meaning + u' ' + c.text).trimmed() : c.text;
    case RawRole:
        return c.raw.isValid() ? c.raw : QVariant(c.text);
    case BadgeRole:
        return c.badge ? QVariant::fromValue(*c.badge) : QVariant();
    case LinkRole:
        return c.link ? QVariant::fromValue(*c.link) : QVariant();
    case ColorRole:
        return c.color ? QVariant(static_cast<int>(*c.color)) : QVariant();
    case StrongRole:
        return c.strong;
    case FixedRole:
        return c.fixed;
    default:
        return {};
    }
}

QVariant PlanTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const TableColumn& column = columns_[static_cast<std::size_t>(section)];
    if (role == RawRole) return column.head;
    if (role == Qt::DisplayRole && column.isSize && units_.unit != ByteUnit::Bytes) {
        QString head = column.head;
        const QString word = tr("Bytes");
        if (head.startsWith(word)) return head.replace(0, word.size(), units_.unitName());
        return head + QStringLiteral(", ") + units_.unitName();
    }
    if (role == Qt::DisplayRole) return column.head;
    if (role == Qt::ToolTipRole && !column.help.isEmpty()) return column.help;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment((column.numeric ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    return {};
}

}  // namespace memplan::ui
