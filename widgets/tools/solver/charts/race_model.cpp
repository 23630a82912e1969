// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/solver/charts/race_model.h"

#include "widgets/kit/theme/icons.h"
#include "widgets/plan/units.h"

#include <algorithm>

namespace memplan::ui {

void RaceModel::setRows(std::vector<RaceRow> rows) {
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

void RaceModel::setIsList(bool on) {
    isList_ = on;
    emit headerDataChanged(Qt::Horizontal, OnChip, BytesOnChip);
}

void RaceModel::setFigures(std::vector<RaceFigure> figures) {
    figures_ = std::move(figures);
    emit headerDataChanged(Qt::Horizontal, OnChip, Fragmentation);
}

const RaceFigure* RaceModel::figureAt(int column) const {
    const auto at = static_cast<std::size_t>(std::max(0, column - OnChip));
    return column >= OnChip && column <= Fragmentation && at < figures_.size() ? &figures_[at] : nullptr;
}

bool RaceModel::isEmptyColumn(int column) const {
    return !figures_.empty() && column >= OnChip && column <= Fragmentation && figureAt(column) == nullptr;
}

void RaceModel::setRow(int at, RaceRow row) {
    if (at < 0 || at >= rowCount()) return;
    rows_[static_cast<std::size_t>(at)] = std::move(row);
    // A new figure can take the mark of the best one from any other row.
    emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int RaceModel::doneCount() const {
    return static_cast<int>(
        std::ranges::count(rows_, RaceRow::State::Done, [](const RaceRow& row) { return row.state; }));
}

void RaceModel::setCurrentHash(const std::string& hash) {
    if (current_ == hash) return;
    current_ = hash;
    if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

/// A value to compare, smaller is better; nullopt for columns that are no contest.
std::optional<double> RaceModel::figure(const RaceRow& row, int column) const {
    if (!row.plan) return std::nullopt;
    if (const RaceFigure* own = figureAt(column)) return own->value(*row.plan);
    if (isEmptyColumn(column)) return std::nullopt;
    const PlanMetrics& m = row.plan->metrics;
    switch (column) {
    case OnChip:
        return -m.buffersOnChip;
    case BytesOnChip:
        return -static_cast<double>(m.pinnedBytes);
    case Traffic:
        return static_cast<double>(m.traffic());
    case Peak:
        return static_cast<double>(row.plan->memory.peak);
    case Fragmentation:
        return m.fragmentationMax;
    default:
        return std::nullopt;
    }
}

bool RaceModel::isBest(int at, int column) const {
    const auto own = figure(row(at), column);
    if (!own) return false;
    bool isUnique = false;
    for (const RaceRow& other : rows_) {
        const auto value = figure(other, column);
        if (value && *value < *own) return false;
        isUnique = isUnique || (value && *value > *own);
    }
    return isUnique;  // all alike: nothing stands out
}

QString RaceModel::text(const RaceRow& row, int column) const {
    if (column == Solver) return row.solver;
    if (column == State) {
        switch (row.state) {
        case RaceRow::State::Waiting:
            return tr("waiting");
        case RaceRow::State::Running:
            return row.step.isEmpty() ? tr("searching") : row.step;
        case RaceRow::State::Done:
            return tr("done");
        case RaceRow::State::Failed:
            return tr("failed");
        case RaceRow::State::Cancelled:
            return tr("cancelled");
        }
    }
    if (!row.plan || isEmptyColumn(column)) return {};
    if (const RaceFigure* own = figureAt(column)) return groupedText(qRound64(own->value(*row.plan)));
    const PlanMetrics& m = row.plan->metrics;
    switch (column) {
    case OnChip:
        return QStringLiteral("%1 / %2").arg(m.buffersOnChip).arg(m.buffersTotal);
    case BytesOnChip:
        return groupedText(m.pinnedBytes);
    case Traffic:
        return groupedText(m.traffic());
    case Peak:
        return groupedText(row.plan->memory.peak);
    case Fragmentation:
        return percentText(m.fragmentationMax);
    case Time:
        return QStringLiteral("%1\u202Fms").arg(groupedText(qRound64(row.seconds * 1000)));
    default:
        return {};
    }
}

int RaceModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int RaceModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(ColumnCount);
}

QVariant RaceModel::data(const QModelIndex& at, int role) const {
    if (!at.isValid()) return {};
    const RaceRow& r = row(at.row());
    const int column = at.column();
    const bool numeric = column != Solver && column != State;
    switch (role) {
    case Qt::DisplayRole:
        return text(r, column);
    case NumericRole:
        return numeric;
    case StrongRole:
        return isBest(at.row(), column) || (column == Solver && r.plan && r.plan->planHash == current_);
    case Qt::DecorationRole:
        if (column != State) return {};
        if (r.state == RaceRow::State::Done) return icon(QStringLiteral("check"), Token::Good);
        return r.state == RaceRow::State::Failed ? QVariant(icon(QStringLiteral("error"), Token::Error)) : QVariant();
    case ColorRole:
        if (column == State && r.state == RaceRow::State::Done) return static_cast<int>(Token::Good);
        if (column == State && r.state == RaceRow::State::Failed) return static_cast<int>(Token::Error);
        return column == State ? QVariant(static_cast<int>(Token::Text2)) : QVariant();
    case Qt::ToolTipRole:
        if (column == State && !r.error.isEmpty()) return r.error;
        return column == Solver && r.plan ? QVariant(tr("plan hash %1").arg(fromStd(r.plan->planHash))) : QVariant();
    case ProgressRole:
        return column == OnChip && r.state == RaceRow::State::Running ? QVariant(r.progress) : QVariant();
    default:
        return {};
    }
}

QVariant RaceModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    const bool numeric = section != Solver && section != State;
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((numeric ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    const RaceFigure* own = figureAt(section);
    if (own != nullptr) return role == Qt::DisplayRole ? QVariant(own->title) : QVariant();
    if (role == Qt::ToolTipRole && section == BytesOnChip && !isList_) return tr("Bytes on chip, per core");
    if (role != Qt::DisplayRole) return {};
    if (isList_ && section == OnChip) return tr("Placed");
    if (isList_ && section == BytesOnChip) return tr("Bytes\nplaced");
    // In two lines: the columns are as wide as their figures.
    const QStringList heads{
        tr("Solver"), tr("On chip"), tr("Bytes\nper core"), tr("Off-chip\ntraffic"), tr("Peak"), tr("Worst\nfrag."),
        tr("Time"),   tr("State")};
    return heads.value(section);
}

}  // namespace memplan::ui
