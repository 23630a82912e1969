// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/solver/gain_view.h"

#include "engine/target/target.h"
#include "widgets/canvas/chart/chart.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/marks/badge.h"
#include "widgets/plan/models/table_setup.h"
#include "widgets/plan/units.h"
#include "widgets/tools/solver/charts/gain_chart.h"

#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace memplan::ui {

namespace {

/// A bar below the figure of the column Share.
class ShareDelegate final : public QStyledItemDelegate {
public:
    explicit ShareDelegate(QObject* parent) : QStyledItemDelegate(parent), cells_(new CellDelegate(this)) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        cells_->paint(painter, option, index);
        const QVariant share = index.data(GainModel::ShareRole);
        if (!share.isValid()) return;
        const Theme& theme = themeOf(option.widget);
        QRectF bar(option.rect.left() + theme.px(8), option.rect.bottom() - theme.px(4),
                   option.rect.width() - theme.px(16), theme.px(3));
        painter->fillRect(bar, theme.color(Token::Line1));
        bar.setWidth(bar.width() * std::clamp(std::abs(share.toDouble()), 0.0, 1.0));
        painter->fillRect(bar, theme.color(share.toDouble() < 0 ? Token::Warning : Token::Good));
    }
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        return cells_->sizeHint(option, index);
    }

private:
    CellDelegate* cells_;
};

/// Steps of a pass stand below it, parts of a search below its step: what stands deeper is counted above already.
QString partName(const Gain& gain) {
    const QString name = fromStd(gain.name);
    const bool isStep = !gain.isPart && name.contains(u'.');
    const int depth = gain.isPart ? 2 : isStep ? 1 : 0;
    QString words = isStep ? name.section(u'.', 1) : name;
    words.replace(u'_', u' ');
    return QString(3 * depth, QChar(0x2007)) + words;
}

QString secondsText(double seconds) {
    constexpr double kLeast = 0.0001;
    if (seconds < kLeast) return QStringLiteral("<0.0001");
    return QString::number(seconds, 'f', seconds < 0.1 ? 4 : 2);
}

}  // namespace

void GainModel::setPlan(const PlanPtr& plan) {
    beginResetModel();
    rows_.clear();
    if (plan) {
        for (Gain& gain : gainsOf(*plan))
            rows_.push_back({std::move(gain), false, false});
        for (const ComparedVariant& v : comparedVariants(*plan)) {
            Gain gain;
            gain.name = v.name;
            gain.after = v.traffic;
            rows_.push_back({std::move(gain), true, v.isKept});
        }
    }
    endResetModel();
}

int GainModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int GainModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(ColumnCount);
}

std::optional<double> GainModel::share(const Row& row) {
    if (row.isVariant || !row.gain.before || *row.gain.before <= 0) return std::nullopt;
    return static_cast<double>(row.gain.saved) / static_cast<double>(*row.gain.before);
}

QString GainModel::text(const Row& row, int column) const {
    const Gain& g = row.gain;
    switch (column) {
    case Part:
        return row.isVariant ? (row.isKept ? tr("plan kept: %1") : tr("plan compared: %1")).arg(fromStd(g.name))
                             : partName(g);
    case Before:
        return g.before ? groupedText(*g.before) : QString();
    case After:
        return g.after ? groupedText(*g.after) : QString();
    case Saved:
        return row.isVariant || (g.isPart && !g.before) ? QString() : groupedText(g.saved);
    case Share:
        return share(row) ? percentText(*share(row)) : QString();
    case Seconds:
        return g.seconds ? secondsText(*g.seconds) : QString();
    default:
        return {};
    }
}

QVariant GainModel::data(const QModelIndex& at, int role) const {
    if (!at.isValid()) return {};
    const Row& row = rows_[static_cast<std::size_t>(at.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(row, at.column());
    case Qt::ToolTipRole: {
        QStringList lines{text(row, Part).trimmed()};
        if (!row.gain.why.empty()) lines << fromStd(row.gain.why);
        if (row.gain.bound) lines << tr("no choice of this part moves fewer than %1").arg(exactBytes(*row.gain.bound));
        if (!row.isVariant && !row.gain.isPart && !row.gain.before)
            lines << tr("it counted the difference alone, with the plan before it");
        return lines.join(u'\n');
    }
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment((at.column() == Part ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    case NumericRole:
        return at.column() != Part;
    case StrongRole:
        return (at.column() == Part && !row.gain.isPart && !row.isVariant) || row.isKept;
    case ColorRole:
        return row.gain.isPart || (row.isVariant && !row.isKept) ? QVariant(static_cast<int>(Token::Text2))
                                                                 : QVariant();
    case ShareRole: {
        const auto s = at.column() == Share ? share(row) : std::nullopt;
        return s ? QVariant(*s) : QVariant();
    }
    default:
        return {};
    }
}

QVariant GainModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    static const char* const kHeads[] = {QT_TR_NOOP("Part"),     QT_TR_NOOP("Bytes before"), QT_TR_NOOP("Bytes after"),
                                         QT_TR_NOOP("Saved, B"), QT_TR_NOOP("Saved"),        QT_TR_NOOP("Time, s")};
    static const char* const kHelp[] = {QT_TR_NOOP("Pass or part of a search; compared plans below"),
                                        QT_TR_NOOP("Off-chip bytes per run before the part"),
                                        QT_TR_NOOP("Off-chip bytes per run after the part"),
                                        QT_TR_NOOP("Off-chip bytes per run that the part saved"),
                                        QT_TR_NOOP("Share of the bytes before that the part saved"),
                                        QT_TR_NOOP("Wall clock of the part")};
    if (section < 0 || section >= ColumnCount) return {};
    if (role == Qt::DisplayRole) return tr(kHeads[section]);
    if (role == Qt::ToolTipRole) return tr(kHelp[section]);
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment((section == Part ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    return {};
}

GainView::GainView(QWidget* parent)
    : QWidget(parent), model_(new GainModel(this)), summary_(new QLabel(this)), chart_(new Chart(this)),
      table_(new QTableView(this)) {
    setObjectName(QStringLiteral("gainView"));
    const Theme& theme = themeOf(this);
    summary_->setObjectName(QStringLiteral("gainSummary"));
    summary_->setWordWrap(true);
    summary_->setTextFormat(Qt::PlainText);
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    summary_->setContentsMargins(theme.px(26), 0, theme.px(10), 0);
    table_->setModel(model_);
    table_->setObjectName(QStringLiteral("gainTable"));
    table_->setAccessibleName(tr("Off-chip bytes saved by each part"));
    setUpTable(table_, GainModel::Part);
    table_->setItemDelegate(new ShareDelegate(table_));
    table_->setSortingEnabled(false);
    table_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    chart_->setObjectName(QStringLiteral("gainChart"));
    chart_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, theme.px(6));
    column->setSpacing(theme.px(4));
    column->addWidget(summary_);
    column->addWidget(chart_);
    column->addWidget(table_);
}

void GainView::setPlan(const PlanPtr& plan) {
    model_->setPlan(plan);
    summary_->setText(plan ? summary(*plan) : QString());
    chart_->setData(plan ? gainChart(*plan) : ChartData());
    chart_->setVisible(chart_->data().hasFigures());
    sizeColumns(table_, 260);
    table_->setVisible(!isEmpty());
    table_->setFixedHeight((model_->rowCount() + 1) * themeOf(this).px(24) + themeOf(this).px(4));
}

QString GainView::summary(const Plan& plan) {
    const std::vector<Gain> gains = gainsOf(plan);
    const auto first = std::find_if(gains.begin(), gains.end(), [](const Gain& g) { return g.before.has_value(); });
    if (gains.empty()) return tr("No part of this plan counted bytes that it saved.");
    if (first == gains.end())
        return tr("The parts count differences alone; the plan moves %1 per run.")
            .arg(exactBytes(plan.metrics.traffic()));
    const Bytes before = *first->before;
    const Bytes after = plan.metrics.traffic();
    if (before <= after)
        return tr("Off-chip bytes per run: %1 before the first part, %2 in this plan.")
            .arg(exactBytes(before), exactBytes(after));
    return tr("Off-chip bytes per run: %1 before the first part, %2 in this plan, %3 less.")
        .arg(exactBytes(before), exactBytes(after),
             percentText(static_cast<double>(before - after) / static_cast<double>(before)));
}

}  // namespace memplan::ui
