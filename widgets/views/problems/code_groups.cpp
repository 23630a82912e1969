// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/problems/code_groups.h"

#include "widgets/kit/theme/icons.h"
#include "widgets/plan/marks/badge.h"
#include "widgets/plan/models/plan_models.h"
#include "widgets/plan/units.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace memplan::ui {

CodeGroups::CodeGroups(QObject* parent) : FlatProxyModel(parent) {}

void CodeGroups::setSourceModel(QAbstractItemModel* source) {
    if (sourceModel() != nullptr) sourceModel()->disconnect(this);
    beginResetModel();
    FlatProxyModel::setSourceModel(source);
    findGroups();
    endResetModel();
    connect(source, &QAbstractItemModel::modelAboutToBeReset, this, [this] { beginResetModel(); });
    connect(source, &QAbstractItemModel::modelReset, this, [this] {
        findGroups();
        endResetModel();
        emit groupsChanged();
    });
    connect(source, &QAbstractItemModel::headerDataChanged, this, &QAbstractItemModel::headerDataChanged);
    connect(source, &QAbstractItemModel::dataChanged, this, [this](const QModelIndex& from, const QModelIndex& to) {
        for (int row = from.row(); row <= to.row(); ++row) {
            const QModelIndex first = mapFromSource(sourceModel()->index(row, from.column()));
            if (first.isValid()) emit dataChanged(first, first.siblingAtColumn(to.column()));
        }
    });
}

/// Groups stand in the order of their first problem: when errors are first, groups with errors are.
void CodeGroups::findGroups() {
    groups_.clear();
    std::map<QString, std::size_t> known;
    const int rows = sourceModel() == nullptr || !isGrouped_ ? 0 : sourceModel()->rowCount();
    for (int row = 0; row < rows; ++row) {
        const QString code = sourceModel()->index(row, ProblemModel::Code).data().toString();
        const auto [at, isNew] = known.emplace(code, groups_.size());
        if (isNew) groups_.push_back({code, {}, {}});
        Group& group = groups_[at->second];
        const int severity = sourceModel()->index(row, ProblemModel::Severity).data(RawRole).toInt();
        ++group.counts[static_cast<std::size_t>(std::clamp(severity, 0, 2))];
        group.rows.push_back(row);
    }
    layOut();
}

void CodeGroups::layOut() {
    rows_.clear();
    const int count = sourceModel() == nullptr ? 0 : sourceModel()->rowCount();
    proxyOf_.assign(static_cast<std::size_t>(count), -1);
    const auto add = [this](int source, int group) {
        proxyOf_[static_cast<std::size_t>(source)] = static_cast<int>(rows_.size());
        rows_.push_back({source, group});
    };
    for (int row = 0; row < count && !isGrouped_; ++row)
        add(row, -1);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        rows_.push_back({-1, static_cast<int>(g)});
        for (const int row : groups_[g].rows)
            if (isOpen(groups_[g].code)) add(row, static_cast<int>(g));
    }
}

void CodeGroups::setGrouped(bool on) {
    if (on == isGrouped_) return;
    beginResetModel();
    isGrouped_ = on;
    findGroups();
    endResetModel();
    emit groupsChanged();
}

void CodeGroups::setOpen(const QString& code, bool open) {
    if (open == isOpen(code)) return;
    beginResetModel();
    if (open)
        closed_.erase(code);
    else
        closed_.insert(code);
    layOut();
    endResetModel();
    emit groupsChanged();
}

void CodeGroups::setAllOpen(bool open) {
    beginResetModel();
    closed_.clear();
    for (const Group& group : groups_)
        if (!open) closed_.insert(group.code);
    layOut();
    endResetModel();
    emit groupsChanged();
}

QString CodeGroups::headAt(int row) const {
    if (row < 0 || static_cast<std::size_t>(row) >= rows_.size()) return {};
    const Row& r = rows_[static_cast<std::size_t>(row)];
    return r.source >= 0 || r.group < 0 ? QString() : groups_[static_cast<std::size_t>(r.group)].code;
}

int CodeGroups::headRow(const QString& code) const {
    for (std::size_t row = 0; row < rows_.size(); ++row)
        if (headAt(static_cast<int>(row)) == code) return static_cast<int>(row);
    return -1;
}

int CodeGroups::rows() const {
    return static_cast<int>(rows_.size());
}

int CodeGroups::sourceRow(int row) const {
    return rows_[static_cast<std::size_t>(row)].source;
}

int CodeGroups::rowOf(int sourceRow) const {
    const auto at = static_cast<std::size_t>(sourceRow);
    return at < proxyOf_.size() ? proxyOf_[at] : -1;
}

QVariant CodeGroups::headData(const Group& group, int column, int role) const {
    const int total = std::accumulate(group.counts.begin(), group.counts.end(), 0);
    const auto worst = group.counts[0] > 0 ? Severity::Error : group.counts[1] > 0 ? Severity::Warning : Severity::Note;
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole: {
        const bool isSpoken = role == Qt::AccessibleTextRole && column == ProblemModel::Code;
        if (isSpoken) return isOpen(group.code) ? tr("%1, open").arg(group.code) : tr("%1, closed").arg(group.code);
        const QString count = plural(total, tr("problem"), tr("problems"));
        if (column == ProblemModel::Code) return group.code + QStringLiteral(" \u00b7 ") + count;
        return column == ProblemModel::Message ? count : QString();
    }
    case Qt::DecorationRole:
        if (column != ProblemModel::Code) return {};
        return icon(isOpen(group.code) ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"));
    case BadgeRole:
        return column == ProblemModel::Severity ? QVariant::fromValue(badgeOf(worst)) : QVariant();
    case StrongRole:
        return column == ProblemModel::Code;
    case ColorRole:
        return column == ProblemModel::Message ? QVariant(static_cast<int>(Token::Text2)) : QVariant();
    case Qt::ToolTipRole:
        return isOpen(group.code) ? tr("Closes the group (Space)") : tr("Opens the group (Space)");
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
    default:
        return {};
    }
}

QVariant CodeGroups::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || static_cast<std::size_t>(index.row()) >= rows_.size()) return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    if (row.source >= 0) return sourceModel()->index(row.source, index.column()).data(role);
    return headData(groups_[static_cast<std::size_t>(row.group)], index.column(), role);
}

Qt::ItemFlags CodeGroups::flags(const QModelIndex& index) const {
    return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
}

}  // namespace memplan::ui
