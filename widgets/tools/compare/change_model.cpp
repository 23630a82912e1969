// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/compare/change_model.h"

#include "widgets/kit/theme/icons.h"
#include "widgets/plan/selection_hub.h"
#include "widgets/plan/units.h"

namespace memplan::ui {

namespace {

QString fromView(std::string_view s) {
    return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

QVariant headText(const QStringList& heads, int section, bool numeric, int role) {
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((numeric ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return role == Qt::DisplayRole ? QVariant(heads.value(section)) : QVariant();
}

}  // namespace

BadgeText badgeOf(compare::ChangeKind kind) {
    const QString meaning = fromView(compare::kindText(kind));
    switch (kind) {
    case compare::ChangeKind::CameOnChip:
    case compare::ChangeKind::Added:
        return {QStringLiteral("+"), meaning, BadgeText::Kind::Good, {}};
    case compare::ChangeKind::LeftChip:
    case compare::ChangeKind::Removed:
        return {QStringLiteral("\u2212"), meaning, BadgeText::Kind::Error, {}};
    default:
        return {QStringLiteral("~"), meaning, BadgeText::Kind::Warning, {}};
    }
}

Token outcomeToken(compare::Outcome outcome) {
    switch (outcome) {
    case compare::Outcome::Better:
        return Token::Good;
    case compare::Outcome::Worse:
        return Token::Warning;
    case compare::Outcome::Other:
        return Token::Text1;
    case compare::Outcome::Same:
        break;
    }
    return Token::Text2;
}

// ---- changes ---------------------------------------------------------------------------------------------

void ChangeModel::setComparison(ComparedPtr compared) {
    beginResetModel();
    compared_ = std::move(compared);
    endResetModel();
}

int ChangeModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !compared_ ? 0 : static_cast<int>(compared_->result.changes.size());
}

int ChangeModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(ColumnCount);
}

QString ChangeModel::text(const compare::Change& c, int column) const {
    switch (column) {
    case Kind:
        return fromView(compare::kindText(c.kind));
    case Item:
        return c.itemInA.empty() ? fromStd(c.item) : fromStd(c.itemInA) + QStringLiteral(" \u2192 ") + fromStd(c.item);
    case Field:
        return fromStd(c.field);
    case A:
        return fromStd(c.a);
    case B:
        return fromStd(c.b);
    case Delta: {
        if (!c.delta) return {};
        const QString unit = c.unit.empty() ? QString() : QStringLiteral("\u202f") + fromStd(compare::unitText(c));
        return fromStd(compare::signedText(*c.delta)) + unit;
    }
    case Rule:
        return c.rule ? fromView(compare::ruleText(*c.rule)) : QString();
    case Effect:
        return fromStd(c.effect);
    default:
        return {};
    }
}

QVariant ChangeModel::raw(const compare::Change& c, int column) const {
    if (column == Sign || column == Kind) return static_cast<qint64>(c.kind);
    if (column == Delta) return c.delta ? QVariant(static_cast<qint64>(*c.delta)) : QVariant(qint64{0});
    return text(c, column);
}

QVariant ChangeModel::data(const QModelIndex& at, int role) const {
    if (!at.isValid()) return {};
    const compare::Change& c = change(at.row());
    const int column = at.column();
    const bool inB = c.bufferB.isValid() || c.opB.isValid();
    const ItemId id = c.bufferB.isValid() ? ItemId::of(c.bufferB) : ItemId::of(c.opB);
    switch (role) {
    case Qt::DisplayRole:
        return text(c, column);
    case RawRole:
        return raw(c, column);
    case BadgeRole:
        return column == Sign ? QVariant::fromValue(badgeOf(c.kind)) : QVariant();
    case IdRole:
        return inB ? QVariant::fromValue(id) : QVariant();
    case LinkRole:
        return column == Item && inB ? QVariant::fromValue(id) : QVariant();
    case NumericRole:
        return column == A || column == B || column == Delta;
    case ColorRole:
        return column == Rule || column == Effect ? QVariant(static_cast<int>(Token::Text2)) : QVariant();
    case Qt::ToolTipRole:
        return column == Sign ? fromView(compare::kindText(c.kind)) : text(c, column);
    default:
        return {};
    }
}

QVariant ChangeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    const QStringList heads{QString(), tr("Change"), tr("Item"),       tr("Field"), tr("A"),
                            tr("B"),   tr("Delta"),  tr("Matched by"), tr("Effect")};
    return headText(heads, section, section == A || section == B || section == Delta, role);
}

// ---- metrics ---------------------------------------------------------------------------------------------

void MetricRowModel::setComparison(ComparedPtr compared) {
    beginResetModel();
    compared_ = std::move(compared);
    endResetModel();
}

int MetricRowModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !compared_ ? 0 : static_cast<int>(compared_->result.metrics.size());
}

int MetricRowModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(ColumnCount);
}

QVariant MetricRowModel::data(const QModelIndex& at, int role) const {
    if (!at.isValid()) return {};
    const compare::MetricRow& m = compared_->result.metrics[static_cast<std::size_t>(at.row())];
    const int column = at.column();
    switch (role) {
    case Qt::DisplayRole:
    case RawRole: {
        if (role == RawRole && column == A) return m.a;
        if (role == RawRole && column == B) return m.b;
        if (role == RawRole && column == Delta) return m.delta();
        const QStringList texts{fromStd(m.title),       fromStd(m.textA),        fromStd(m.textB),
                                fromStd(m.deltaText()), fromStd(m.changeText()), fromView(outcomeText(m.outcome))};
        return texts.value(column);
    }
    case NumericRole:
        return column != Metric && column != Outcome;
    case StrongRole:
        return column == Metric || column == B;
    case ColorRole:
        return column == Outcome || column == Change ? QVariant(static_cast<int>(outcomeToken(m.outcome))) : QVariant();
    case Qt::DecorationRole:
        if (column != Outcome) return {};
        if (m.outcome == compare::Outcome::Better) return icon(QStringLiteral("check"), Token::Good);
        return m.outcome == compare::Outcome::Worse ? QVariant(icon(QStringLiteral("warning"), Token::Warning))
                                                    : QVariant();
    default:
        return {};
    }
}

QVariant MetricRowModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    const QStringList heads{tr("Metric"), headA_, headB_, tr("Delta"), tr("Change"), tr("Outcome")};
    return headText(heads, section, section != Metric && section != Outcome, role);
}

}  // namespace memplan::ui
