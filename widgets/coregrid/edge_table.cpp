// SPDX-License-Identifier: GPL-3.0-or-later
#include "coregrid/edge_table.h"

#include "common/badge.h"
#include "common/table_setup.h"
#include "core/icons.h"
#include "core/units.h"

#include <algorithm>

namespace memplan::ui {

void EdgeTableModel::setPlan(PlanPtr plan) {
    beginResetModel();
    plan_ = std::move(plan);
    pairs_.reset();
    endResetModel();
}

const std::vector<SplitPair>& EdgeTableModel::pairs() const {
    if (!pairs_) pairs_ = plan_ ? allSplitPairs(*plan_) : std::vector<SplitPair>();
    return *pairs_;
}

int EdgeTableModel::mismatchCount() const {
    return static_cast<int>(
        std::count_if(pairs().begin(), pairs().end(), [](const SplitPair& p) { return !p.isSame; }));
}

int EdgeTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(pairs().size());
}

int EdgeTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString EdgeTableModel::text(const SplitPair& pair, int column) const {
    const PlanBuffer& b = plan_->buffer(pair.buffer);
    switch (column) {
    case Buffer:
        return fromStd(b.name);
    case Writer:
        return fromStd(plan_->op(pair.writer).name);
    case WriterSplit:
        return fromStd(cutText(pair.dims, *pair.write));
    case Reader:
        return fromStd(plan_->op(pair.reader).name);
    case ReaderSplit:
        return fromStd(cutText(pair.dims, *pair.read));
    case Result:
        return pair.isSame ? tr("same") : pair.hasPartialSums ? tr("partial sums") : tr("mismatch");
    default:
        return humanBytes(b.size);
    }
}

QVariant EdgeTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const SplitPair& pair = pairs()[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return text(pair, index.column());
    case RawRole:
        return index.column() == Size ? QVariant(static_cast<qint64>(plan_->buffer(pair.buffer).size))
                                      : QVariant(text(pair, index.column()));
    case IdRole:
        return QVariant::fromValue(ItemId::of(pair.buffer));
    case NumericRole:
        return index.column() == Size;
    case StrongRole:
        return index.column() == Buffer;
    case ColorRole:
        return index.column() == Result ? QVariant(static_cast<int>(pair.isSame ? Token::Good : Token::Warning))
                                        : QVariant();
    case Qt::DecorationRole:
        if (index.column() != Result) return {};
        return pair.isSame ? icon(QStringLiteral("check"), Token::Good)
                           : icon(QStringLiteral("warning"), Token::Warning);
    case Qt::TextAlignmentRole:
        return QVariant(index.column() == Size ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant EdgeTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(section == Size ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    if (role == NumericRole) return section == Size;
    if (role != Qt::DisplayRole) return {};
    static const char* const kNames[ColumnCount] = {
        QT_TR_NOOP("Buffer"),       QT_TR_NOOP("Writer"), QT_TR_NOOP("Writer split"), QT_TR_NOOP("Reader"),
        QT_TR_NOOP("Reader split"), QT_TR_NOOP("Result"), QT_TR_NOOP("Size")};
    return tr(kNames[section]);
}

}  // namespace memplan::ui
