// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/solver/joint_view.h"

#include "engine/base/text.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/plan/marks/badge.h"
#include "widgets/plan/models/table_setup.h"
#include "widgets/plan/units.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace memplan::ui {

namespace {

constexpr int kShownRows = 6;

QString nameList(const std::vector<std::string>& names) {
    QStringList list;
    for (const std::string& name : names)
        list << fromStd(name);
    return list.join(QStringLiteral(", "));
}

QString splitList(const CoOptimization::Leaf& leaf) {
    QStringList list;
    for (const auto& [op, label] : leaf.splits)
        list << QStringLiteral("%1: %2").arg(fromStd(op), divisionText(label));
    return list.isEmpty() ? JointView::tr("as committed") : list.join(QStringLiteral("; "));
}

QString methodText(const std::string& method) {
    if (method == "exhaustive") return JointView::tr("All combinations");
    if (method == "coordinate_descent") return JointView::tr("Divisions changed one by one");
    if (method == "annealing") return JointView::tr("Joint annealing");
    return method == "exact" ? JointView::tr("Joint exact search") : fromStd(method);
}

}  // namespace

QString divisionText(const std::string& label) {
    if (label == "whole") return JointView::tr("one piece");
    QStringList parts;
    for (const std::string& part : text::split(label, ' ')) {
        const bool isReduced = part.starts_with("~");
        QString words = fromStd(part).remove(0, isReduced ? 1 : 0);
        if (words.startsWith(u's')) words.remove(0, 1);
        words.replace(u'/', QStringLiteral(" / "));
        parts << (isReduced ? JointView::tr("%1 (reduced)").arg(words) : words);
    }
    return parts.join(QStringLiteral(", "));
}

// ---- operations with a choice ----------------------------------------------------------------------------

void JointModel::setTrace(const CoOptimization* trace) {
    beginResetModel();
    rows_.clear();
    if (trace != nullptr) {
        for (const CoOptimization::Options& o : trace->options) {
            if (o.labels.empty()) continue;
            Row row{o.op, o.labels.front(), o.labels.front(), o.labels};
            for (const CoOptimization::Change& c : trace->changes)
                if (c.op == o.op) row.to = c.to;
            rows_.push_back(std::move(row));
        }
    }
    std::stable_partition(rows_.begin(), rows_.end(), [](const Row& r) { return r.from != r.to; });
    endResetModel();
}

bool JointModel::isChanged(int row) const {
    const Row& r = rows_[static_cast<std::size_t>(row)];
    return r.from != r.to;
}

int JointModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int JointModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(ColumnCount);
}

QVariant JointModel::data(const QModelIndex& at, int role) const {
    if (!at.isValid()) return {};
    const Row& r = rows_[static_cast<std::size_t>(at.row())];
    const bool changed = r.from != r.to;
    switch (role) {
    case Qt::DisplayRole:
        if (at.column() == Operation) return fromStd(r.op);
        if (at.column() == Committed) return divisionText(r.from);
        if (at.column() == Options) return static_cast<int>(r.labels.size());
        return changed ? divisionText(r.to) : tr("as committed");
    case Qt::ToolTipRole: {
        if (at.column() != Options) return {};
        QStringList all;
        for (const std::string& label : r.labels)
            all << divisionText(label);
        return all.join(u'\n');
    }
    case NumericRole:
        return at.column() == Options;
    case StrongRole:
        return changed && at.column() == Chosen;
    case ColorRole:
        return changed || at.column() != Chosen ? QVariant() : QVariant(static_cast<int>(Token::Text2));
    default:
        return {};
    }
}

QVariant JointModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == Options ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    return QStringList{tr("Operation"), tr("Committed split"), tr("Options"), tr("Chosen")}.value(section);
}

// ---- improvements ----------------------------------------------------------------------------------------

void KeptModel::setTrace(const CoOptimization* trace) {
    beginResetModel();
    leaves_ = trace == nullptr ? std::vector<CoOptimization::Leaf>{} : trace->kept;
    committed_ = trace == nullptr ? 0 : trace->committedScore;
    endResetModel();
}

int KeptModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(leaves_.size());
}

int KeptModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(ColumnCount);
}

QVariant KeptModel::data(const QModelIndex& at, int role) const {
    if (!at.isValid()) return {};
    const CoOptimization::Leaf& leaf = leaves_[static_cast<std::size_t>(at.row())];
    if (role == NumericRole) return at.column() == Number || at.column() == Score;
    if (role == Qt::ToolTipRole && at.column() >= Change)
        return at.column() == Change ? splitList(leaf) : nameList(leaf.notPinned);
    if (role != Qt::DisplayRole) return {};
    switch (at.column()) {
    case Number:
        return at.row() + 1;
    case Score:
        return groupedText(leaf.score);
    case Change:
        return splitList(leaf);
    default:
        return leaf.notPinned.empty() ? tr("none") : nameList(leaf.notPinned);
    }
}

QVariant KeptModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    const bool numeric = section == Number || section == Score;
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((numeric ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    return QStringList{tr("#"), tr("Off-chip bytes"), tr("Splits changed"), tr("Buffers off chip")}.value(section);
}

// ---- the view --------------------------------------------------------------------------------------------

JointView::JointView(QWidget* parent)
    : QWidget(parent), model_(new JointModel(this)), kept_(new KeptModel(this)), summary_(new QLabel(this)),
      table_(new QTableView(this)), keptTitle_(new QLabel(tr("Improvements in the order found"), this)),
      keptTable_(new QTableView(this)) {
    const Theme& theme = themeOf(this);
    setObjectName(QStringLiteral("jointView"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, theme.px(6));
    column->setSpacing(theme.px(4));
    summary_->setObjectName(QStringLiteral("jointSummary"));
    for (QLabel* label : {summary_, keptTitle_}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setContentsMargins(theme.px(26), 0, theme.px(10), 0);
    }
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    keptTitle_->setFont(theme.font(TextStyle::BodyStrong));
    table_->setModel(model_);
    table_->setObjectName(QStringLiteral("jointTable"));
    table_->setAccessibleName(tr("Operations with more than one division"));
    setUpTable(table_, JointModel::Chosen);
    keptTable_->setModel(kept_);
    keptTable_->setObjectName(QStringLiteral("jointKept"));
    keptTable_->setAccessibleName(keptTitle_->text());
    setUpTable(keptTable_, KeptModel::OffChip);
    for (QTableView* table : {table_, keptTable_}) {
        table->setItemDelegate(new CellDelegate(table));
        table->setSortingEnabled(false);
        table->setSelectionMode(QAbstractItemView::SingleSelection);
    }
    column->addWidget(summary_);
    column->addWidget(table_);
    column->addWidget(keptTitle_);
    column->addWidget(keptTable_);
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const QModelIndexList rows = table_->selectionModel()->selectedRows();
        if (rows.isEmpty()) return;
        const int row = rows.front().row();
        emit operationChosen(fromStd(model_->op(row)), fromStd(model_->committed(row)));
    });
    setTrace(nullptr);
}

void JointView::fit(QTableView* table) {
    sizeColumns(table, 220);
    const int rows = std::min(table->model()->rowCount(), kShownRows);
    table->setFixedHeight((rows + 1) * themeOf(this).px(24) + themeOf(this).px(4));
    table->setVisible(rows > 0);
}

void JointView::setTrace(const CoOptimization* trace) {
    model_->setTrace(trace);
    kept_->setTrace(trace);
    summary_->setText(trace == nullptr ? tr("Off for this plan. It changes how operations are divided where that lets "
                                            "more buffers live on chip (co optimize, below).")
                                       : summary(*trace));
    fit(table_);
    fit(keptTable_);
    keptTitle_->setVisible(kept_->rowCount() > 0);
}

QString JointView::summary(const CoOptimization& t) {
    QStringList lines;
    lines << tr("%1: %2 of %3 combinations scored, %4 with a choice")
                 .arg(methodText(t.method), groupedText(t.evaluated),
                      t.combinations == INT64_MAX ? tr("more than 9 \u00d7 10\u00b9\u2078")
                                                  : groupedText(t.combinations),
                      plural(static_cast<qint64>(t.options.size()), tr("operation"), tr("operations")));
    lines << tr("off-chip bytes: committed %1, chosen %2").arg(exactBytes(t.committedScore), exactBytes(t.winnerScore));
    lines << tr("off-chip traffic: committed %1, chosen %2")
                 .arg(exactBytes(t.committedTraffic), exactBytes(t.winnerTraffic));
    if (t.committedMicroseconds && t.winnerMicroseconds)
        lines << tr("estimate, for ranking only: committed %1\u202F\u00b5s, chosen %2\u202F\u00b5s")
                     .arg(QString::number(*t.committedMicroseconds, 'f', 2),
                          QString::number(*t.winnerMicroseconds, 'f', 2));
    if (t.changes.empty()) lines << tr("the committed divisions stay");
    if (!t.note.empty()) lines << fromStd(t.note);
    return lines.join(u'\n');
}

}  // namespace memplan::ui
