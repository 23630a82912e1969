// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/hints/hint_model.h"

#include "widgets/kit/theme/icons.h"
#include "widgets/plan/hints/hint_effect.h"
#include "widgets/plan/hints/hint_text.h"
#include "widgets/plan/units.h"

#include <QFont>
#include <QMimeData>

#include <algorithm>
#include <limits>
#include <map>

namespace memplan::ui {

namespace {

const QString kMime = QStringLiteral("application/x-memplan-hint-rows");

/// Position in the plan's list of the hint that stands at `at` of ours; -1 when no plan was made with it.
int positionInPlan(const Plan& plan, const Hint& hint, std::size_t at) {
    if (at < plan.hints.size() && meansTheSame(plan.hints[at], hint)) return static_cast<int>(at);
    for (std::size_t i = 0; i < plan.hints.size(); ++i)
        if (meansTheSame(plan.hints[i], hint)) return static_cast<int>(i);
    return -1;
}

}  // namespace

HintModel::HintModel(HintContext& context, QObject* parent) : QAbstractTableModel(parent), context_(context) {}

void HintModel::setHints(std::vector<Hint> fixed, std::vector<Hint> own) {
    beginResetModel();
    own_ = std::move(own);
    fixed_ = static_cast<int>(fixed.size());
    rows_.clear();
    for (Hint& hint : fixed)
        rows_.push_back({std::move(hint), true, {}, {}, {}, false});
    for (const Hint& hint : own_)
        rows_.push_back({hint, false, {}, {}, {}, false});
    for (Row& row : rows_)
        row.isGone = !context_.missing(row.hint).empty();
    findStates();
    endResetModel();
}

void HintModel::refreshStates() {
    findStates();
    if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void HintModel::findStates() {
    const Plan* plan = context_.plan().get();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        Row& row = rows_[i];
        row.reason.clear();
        row.effect.clear();
        const int at = plan == nullptr ? -1 : positionInPlan(*plan, row.hint, i);
        const auto position = static_cast<std::size_t>(std::max(at, 0));
        if (!row.hint.enabled)
            row.state = hints::state::kDisabled;
        else if (at < 0 || position >= plan->hintStates.size())
            row.state = kPendingHint;
        else
            row.state = plan->hintStates[position];
        const bool known = at >= 0 && row.hint.enabled && position < plan->hintStateReasons.size();
        if (known) row.reason = plan->hintStateReasons[position];
        if (at >= 0 && row.state == hints::state::kApplied) row.effect = hintEffect(*plan, position, others_);
    }
}

void HintModel::setOtherPlans(std::vector<PlanPtr> plans) {
    if (others_ == plans) return;
    others_ = std::move(plans);
    refreshStates();
}

int HintModel::rowOfPlanHint(int index) const {
    const Plan* plan = context_.plan().get();
    const auto at = static_cast<std::size_t>(index);
    if (plan == nullptr || index < 0 || at >= plan->hints.size()) return -1;
    const auto isIt = [&](const Row& row) { return meansTheSame(row.hint, plan->hints[at]); };
    if (at < rows_.size() && isIt(rows_[at])) return index;
    const auto found = std::ranges::find_if(rows_, isIt);
    return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

void HintModel::unitsChanged() {
    if (!rows_.empty()) emit dataChanged(index(0, Value), index(rowCount() - 1, Value), {Qt::DisplayRole});
}

QString HintModel::summary() const {
    std::map<std::string, int> counts;
    for (const Row& row : rows_)
        ++counts[row.state];
    QStringList parts;
    namespace s = hints::state;
    for (const std::string_view state :
         {s::kImpossible, s::kUnmatched, s::kConflicting, s::kIgnored, s::kPartlyApplied}) {
        const auto found = counts.find(std::string(state));
        if (found != counts.end()) parts << QStringLiteral("%1 %2").arg(found->second).arg(hintStateLook(state).word);
    }
    if (const auto found = counts.find(std::string(kPendingHint)); found != counts.end())
        parts << tr("%1 not compiled yet").arg(found->second);
    if (!parts.isEmpty()) return parts.join(QStringLiteral(", "));
    const int applied = counts[std::string(s::kApplied)];
    return applied == 0 ? QString() : tr("all applied");
}

void HintModel::setMarked(const std::vector<std::string>& scopes) {
    if (marked_ == scopes) return;
    marked_ = scopes;
    if (!rows_.empty()) emit dataChanged(index(0, Subject), index(rowCount() - 1, Subject));
}

// ---- edits -----------------------------------------------------------------------------------------------

std::vector<std::size_t> HintModel::ownPositions(const std::vector<int>& rows) const {
    std::vector<std::size_t> positions;
    for (const int row : rows)
        if (row >= fixed_ && row < rowCount()) positions.push_back(static_cast<std::size_t>(row - fixed_));
    std::ranges::sort(positions);
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    return positions;
}

QString HintModel::stepText(const std::vector<std::size_t>& positions, const QString& one, const QString& many) const {
    if (positions.size() != 1) return many.arg(positions.size());
    return one.arg(hintCommandText(own_[positions.front()], context_.target()));
}

void HintModel::remove(const std::vector<int>& rows) {
    const auto positions = ownPositions(rows);
    if (positions.empty()) return;
    std::vector<Hint> after;
    for (std::size_t i = 0; i < own_.size(); ++i)
        if (!std::ranges::binary_search(positions, i)) after.push_back(own_[i]);
    emit edited(stepText(positions, tr("Remove hint: %1"), tr("Remove %1 hints")), after, {});
}

void HintModel::duplicate(const std::vector<int>& rows) {
    const auto positions = ownPositions(rows);
    const auto firstFixed = std::ranges::find_if(rows, [this](int r) { return r >= 0 && r < fixed_; });
    if (positions.empty() && firstFixed == rows.end()) return;
    std::vector<Hint> after;
    for (std::size_t i = 0; i < own_.size(); ++i) {
        after.push_back(own_[i]);
        if (!std::ranges::binary_search(positions, i)) continue;
        // The copy starts switched off: two equal hints in force would only be in each other's way.
        after.push_back(own_[i]);
        after.back().enabled = false;
    }
    // A copy of one of the file's is the user's own, and can be changed.
    for (const int r : rows) {
        if (r < 0 || r >= fixed_) continue;
        after.push_back(row(r).hint);
        after.back().enabled = false;
    }
    const std::size_t copies = after.size() - own_.size();
    const Hint& one = positions.empty() ? row(*firstFixed).hint : own_[positions.front()];
    emit edited(copies == 1 ? tr("Duplicate hint: %1").arg(hintCommandText(one, context_.target()))
                            : tr("Duplicate %1 hints").arg(copies),
                after, {});
}

void HintModel::setEnabled(const std::vector<int>& rows, bool on) {
    const auto positions = ownPositions(rows);
    std::vector<Hint> after = own_;
    for (const std::size_t i : positions)
        after[i].enabled = on;
    if (positions.empty() || after == own_) return;
    const QString one = on ? tr("Switch on: %1") : tr("Switch off: %1");
    const QString many = on ? tr("Switch %1 hints on") : tr("Switch %1 hints off");
    emit edited(stepText(positions, one, many), after, {});
}

void HintModel::move(const std::vector<int>& rows, int before) {
    const auto positions = ownPositions(rows);
    if (positions.empty()) return;
    const auto target = static_cast<std::size_t>(std::clamp(before - fixed_, 0, static_cast<int>(own_.size())));
    std::vector<Hint> after, moved;
    for (const std::size_t i : positions)
        moved.push_back(own_[i]);
    for (std::size_t i = 0; i <= own_.size(); ++i) {
        if (i == target) after.insert(after.end(), moved.begin(), moved.end());
        if (i < own_.size() && !std::ranges::binary_search(positions, i)) after.push_back(own_[i]);
    }
    if (after == own_) return;
    emit edited(stepText(positions, tr("Move hint: %1"), tr("Move %1 hints")), after, {});
}

bool HintModel::setData(const QModelIndex& at, const QVariant& value, int role) {
    if (!at.isValid() || row(at.row()).isFixed) return false;
    if (at.column() == On && role == Qt::CheckStateRole) {
        setEnabled({at.row()}, value.toInt() == Qt::Checked);
        return true;
    }
    if (role != Qt::EditRole) return false;
    std::vector<Hint> after = own_;
    Hint& hint = after[static_cast<std::size_t>(at.row() - fixed_)];
    if (at.column() == Comment) {
        hint.comment = value.toString().trimmed().toStdString();
        if (hint.comment.size() > 4096) return false;
        if (after != own_) emit edited(tr("Comment on %1").arg(hintSubjectText(hint)), after, {});
        return true;
    }
    if (at.column() != Value) return false;
    if (!value.canConvert<HintValue>()) return false;
    hint.value = value.value<HintValue>();
    if (!context_.check(hint).ok) return false;
    if (after != own_) emit edited(hintCommandText(hint, context_.target()), after, {});
    return true;
}

// ---- reading ---------------------------------------------------------------------------------------------

int HintModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int HintModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(ColumnCount);
}

QString HintModel::cellText(const Row& row, int column) const {
    switch (column) {
    case Subject:
        return hintSubjectText(row.hint);
    case Kind:
        return hintKindTitle(row.hint, context_.target());
    case Value:
        return hintValueText(hints::kindOf(row.hint, context_.target()), row.hint.value, context_.hexAddresses());
    case State:
        return hintStateLook(row.state).word;
    case Reason:
        return row.state == hints::state::kApplied ? row.effect : fromStd(row.reason);
    case Comment:
        return row.hint.comment.empty() && row.isFixed ? tr("in the graph file") : fromStd(row.hint.comment);
    default:
        return {};
    }
}

QString HintModel::tooltip(const Row& row, int column) const {
    QStringList lines;
    if (column == Kind) {
        if (const hints::KindInfo* kind = hints::kindOf(row.hint, context_.target()))
            lines << QString::fromUtf8(kind->help.data(), static_cast<qsizetype>(kind->help.size()));
        return lines.join(u'\n');
    }
    if (column == Subject && row.isGone)
        return tr("Does not exist in this document: \"Re-target...\" in the menu gives the hint another subject.");
    if (column == On && row.isFixed)
        return tr(
            "Stands in the graph file and is always in force. \"Take over\" in the menu makes it yours to change.");
    if (column != State && column != Reason && column != Comment) return {};
    if (!row.reason.empty()) lines << fromStd(row.reason);
    if (!row.effect.isEmpty())
        lines << tr("%1, beside the last plan of the same inputs without this hint").arg(row.effect);
    if (row.state == kPendingHint) lines << tr("No plan was made with this hint yet.");
    if (!row.hint.comment.empty()) lines << tr("Comment: %1").arg(fromStd(row.hint.comment));
    if (row.isFixed) lines << tr("Stands in the graph file: \"Take over\" in the menu makes it yours to change.");
    return lines.join(u'\n');
}

/// Kinds are sorted as the editor lists them (hints.md 5).
int HintModel::kindRank(const Row& row) const {
    const hints::KindInfo* kind = hints::kindOf(row.hint, context_.target());
    return kind == nullptr ? std::numeric_limits<int>::max() : hints::windowRank(*kind);
}

QVariant HintModel::data(const QModelIndex& at, int role) const {
    if (!at.isValid()) return {};
    const Row& r = row(at.row());
    const int column = at.column();
    const HintStateLook look = hintStateLook(r.state);
    const bool off = !r.hint.enabled;
    switch (role) {
    case Qt::DisplayRole:
        return cellText(r, column);
    case Qt::EditRole:
        if (column == Value) return QVariant::fromValue(r.hint.value);
        return column == Comment ? QVariant(fromStd(r.hint.comment)) : QVariant();
    case Qt::CheckStateRole:
        return column == On ? QVariant(off ? Qt::Unchecked : Qt::Checked) : QVariant();
    case Qt::DecorationRole:
        return column == State ? QVariant(icon(look.iconName, look.token)) : QVariant();
    case Qt::ToolTipRole: {
        const QString text = tooltip(r, column);
        return text.isEmpty() ? QVariant() : QVariant(text);
    }
    case Qt::FontRole: {
        // A subject that does not exist any more is struck through (11.5).
        if (column != Subject || !r.isGone) return {};
        QFont font;
        font.setStrikeOut(true);
        return font;
    }
    case ColorRole:
        if (column == State) return static_cast<int>(look.token);
        return off ? QVariant(static_cast<int>(Token::Text3)) : QVariant();
    case StrongRole:
        return column == Subject && std::ranges::any_of(r.hint.scopes, [this](const std::string& s) {
                   return std::ranges::find(marked_, s) != marked_.end();
               });
    case RawRole:
        if (column == On) return r.hint.enabled ? 1 : 0;
        return column == Value ? QVariant(fromStd(r.hint.value.json())) : QVariant();
    case SortRole:
        return column == Kind ? QVariant(kindRank(r)) : QVariant();
    case Qt::AccessibleTextRole:
        return column == On ? (off ? tr("off") : tr("on")) : cellText(r, column);
    default:
        return {};
    }
}

QVariant HintModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    const QStringList heads{tr("On"),    tr("Subject"), tr("Kind"),   tr("Value"),
                            tr("State"), tr("Outcome"), tr("Comment")};
    return heads.value(section);
}

Qt::ItemFlags HintModel::flags(const QModelIndex& at) const {
    Qt::ItemFlags flags = Qt::ItemIsSelectable | Qt::ItemIsEnabled;
    if (!at.isValid()) return reorderable_ ? Qt::ItemIsDropEnabled : Qt::NoItemFlags;
    if (row(at.row()).isFixed) return flags;
    if (reorderable_) flags |= Qt::ItemIsDragEnabled;
    if (at.column() == On) flags |= Qt::ItemIsUserCheckable;
    if (at.column() == Value || at.column() == Comment) flags |= Qt::ItemIsEditable;
    return flags;
}

// ---- drag order ------------------------------------------------------------------------------------------

QStringList HintModel::mimeTypes() const {
    return {kMime};
}

QMimeData* HintModel::mimeData(const QModelIndexList& indexes) const {
    QByteArray rows;
    std::vector<int> seen;
    for (const QModelIndex& index : indexes)
        if (std::ranges::find(seen, index.row()) == seen.end()) seen.push_back(index.row());
    std::ranges::sort(seen);
    for (const int row : seen)
        rows += QByteArray::number(row) + ' ';
    auto* data = new QMimeData;
    data->setData(kMime, rows);
    return data;
}

bool HintModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                             const QModelIndex& parent) {
    Q_UNUSED(column)
    if (action != Qt::MoveAction || !reorderable_ || !data->hasFormat(kMime)) return false;
    std::vector<int> rows;
    for (const QByteArray& part : data->data(kMime).split(' '))
        if (!part.isEmpty()) rows.push_back(part.toInt());
    const int before = row >= 0 ? row : parent.isValid() ? parent.row() : rowCount();
    // The view removes the dragged rows after a successful move; the new list comes back by setHints().
    QMetaObject::invokeMethod(
        this, [this, rows, before] { move(rows, before); }, Qt::QueuedConnection);
    return false;
}

}  // namespace memplan::ui
