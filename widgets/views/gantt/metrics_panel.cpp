// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/metrics_panel.h"

#include "widgets/kit/theme/patterns.h"
#include "widgets/plan/plan_look.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QPainter>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>

namespace memplan::ui {

namespace {

constexpr int kRow = 20, kNote = 16, kHead = 26, kInset = 10, kPanelWidth = 216;

QString bucketName(int log2) {
    return humanBytes(Bytes{1} << log2);
}

}  // namespace

MetricsList::MetricsList(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Metrics"));
}

void MetricsList::setMetrics(const GanttMetrics& m, std::optional<StepRange> range, const Units& units) {
    head_ = range ? tr("steps %1").arg(rangeText(*range)) : tr("whole schedule");
    rows_ = {
        {tr("On chip"), QStringLiteral("%1 of %2").arg(groupedText(m.onChip), groupedText(m.total)),
         tr("buffers that live here")},
        {tr("Bytes on chip"), units.size(m.resident.onChip), tr("%1, all cores").arg(percentText(m.resident.share()))},
        {tr("Off-chip traffic"), exactBytes(m.traffic), tr("per run")},
        {tr("Peak"), units.size(m.peak), tr("at step %1").arg(groupedText(m.peakStep))},
        {tr("Mean occupancy"), percentText(m.meanOccupancy), tr("of the usable limit")},
        {tr("Fragmentation"), m.fragmentationNow >= 0 ? percentText(m.fragmentationNow) : tr("no cursor"),
         tr("most %1 at step %2").arg(percentText(m.fragmentationMax), groupedText(m.fragmentationStep))},
        {tr("Lower bound"), m.lowerBound > 0 ? units.size(m.lowerBound) : tr("not known"),
         m.lowerBound > 0
             ? (m.peak >= m.lowerBound ? tr("gap %1").arg(percentText(m.gap())) : tr("for all candidates on chip"))
             : QString()}};
    setAccessibleDescription(plainText());
    updateGeometry();
    update();
}

QString MetricsList::plainText() const {
    QStringList lines{head_};
    for (const Row& row : rows_)
        lines << plainNumbers(QStringLiteral("%1\t%2\t%3").arg(row.label, row.value, row.note));
    return lines.join(u'\n');
}

QSize MetricsList::sizeHint() const {
    return {kPanelWidth,
            kHead + static_cast<int>(rows_.size()) * (themeOf(this).px(kRow) + themeOf(this).px(kNote)) + 8};
}

void MetricsList::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Token::BgPanel));
    painter.setFont(theme.font(TextStyle::Small));
    painter.setPen(theme.color(Token::Text3));
    painter.drawText(QRect(kInset, 0, width() - 2 * kInset, kHead), Qt::AlignVCenter, head_);
    int y = kHead;
    for (const Row& row : rows_) {
        const QRect line(kInset, y, width() - 2 * kInset, theme.px(kRow));
        painter.setFont(theme.font(TextStyle::Body));
        painter.setPen(theme.color(Token::Text3));
        painter.drawText(line, Qt::AlignVCenter, row.label);
        painter.setFont(theme.font(TextStyle::BodyStrong));
        painter.setPen(theme.color(Token::Text1));
        drawTabular(painter, line, Qt::AlignRight, row.value);
        y += theme.px(kRow);
        painter.setFont(theme.font(TextStyle::Small));
        painter.setPen(theme.color(Token::Text2));
        const QRect note(kInset, y, width() - 2 * kInset, theme.px(kNote) - 2);
        painter.drawText(note, Qt::AlignTop | Qt::AlignRight,
                         painter.fontMetrics().elidedText(row.note, Qt::ElideRight, note.width()));
        y += theme.px(kNote);
        painter.fillRect(QRect(kInset, y - 1, width() - 2 * kInset, 1), theme.color(Token::Line2));
    }
}

void MetricsList::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Copy metrics"), this, [this] { QApplication::clipboard()->setText(plainText()); });
    menu->popup(event->globalPos());
}

SizeHistogram::SizeHistogram(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(tr("Size histogram"));
}

void SizeHistogram::setBuckets(std::vector<SizeBucket> buckets, int selected) {
    buckets_ = std::move(buckets);
    selected_ = selected;
    QStringList words;
    for (const SizeBucket& b : buckets_)
        words << tr("%1: %2").arg(bucketName(b.log2)).arg(b.total());
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    update();
}

QRectF SizeHistogram::rowRect(std::size_t row) const {
    const double height = std::clamp(
        (this->height() - kHead - 8.0) / static_cast<double>(std::max<std::size_t>(1, buckets_.size())), 12.0, 24.0);
    return {0, kHead + height * static_cast<double>(row), static_cast<double>(width()), height};
}

int SizeHistogram::rowAt(QPointF position) const {
    for (std::size_t i = 0; i < buckets_.size(); ++i)
        if (rowRect(i).contains(position)) return static_cast<int>(i);
    return -1;
}

void SizeHistogram::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Token::BgPanel));
    painter.setFont(theme.font(TextStyle::Small));
    painter.setPen(theme.color(Token::Text3));
    painter.drawText(QRect(kInset, 0, width() - 2 * kInset, kHead), Qt::AlignVCenter, tr("buffers by size, from"));
    int most = 1;
    for (const SizeBucket& b : buckets_)
        most = std::max(most, b.total());
    const double left = 72, room = width() - left - 44;
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
        const SizeBucket& b = buckets_[i];
        const QRectF row = rowRect(i);
        if (b.log2 == selected_) painter.fillRect(row, theme.color(Token::BgSelected));
        painter.setPen(theme.color(Token::Text2));
        drawTabular(painter, QRectF(0, row.top(), left - 6, row.height()), Qt::AlignRight, bucketName(b.log2));
        double x = left;
        for (std::size_t r = 0; r < b.counts.size(); ++r) {
            if (b.counts[r] == 0) continue;
            const double w = std::max(2.0, room * b.counts[r] / most);
            const QRectF bar(std::round(x), std::round(row.top() + 2), std::round(w), std::round(row.height() - 4));
            fillPattern(painter, bar, inkOf(theme, static_cast<Residency>(r)));
            painter.setPen(theme.residency(static_cast<Residency>(r), Tone::Edge));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
            x += w + 1;
        }
        painter.setPen(theme.color(Token::Text1));
        if (b.total() > 0)
            drawTabular(painter, QRectF(x + 4, row.top(), 40, row.height()), Qt::AlignLeft, groupedText(b.total()));
    }
    if (!hasFocus()) return;
    painter.setPen(QPen(theme.color(Token::SelectOutline), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

void SizeHistogram::mousePressEvent(QMouseEvent* event) {
    const int row = rowAt(event->position());
    const int log2 = row < 0 ? -1 : buckets_[static_cast<std::size_t>(row)].log2;
    emit bucketClicked(log2 == selected_ ? -1 : log2);
}

void SizeHistogram::keyPressEvent(QKeyEvent* event) {
    const int d = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    if (event->key() == Qt::Key_Escape && selected_ >= 0) return emit bucketClicked(-1);
    if (d == 0 || buckets_.empty()) return QWidget::keyPressEvent(event);
    const int first = buckets_.front().log2, last = buckets_.back().log2;
    emit bucketClicked(selected_ < 0 ? (d > 0 ? first : last) : std::clamp(selected_ + d, first, last));
}

bool SizeHistogram::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int row = rowAt(help->pos());
        if (row < 0) return QWidget::event(event);
        const SizeBucket& b = buckets_[static_cast<std::size_t>(row)];
        QStringList lines{tr("%1 to %2").arg(exactBytes(Bytes{1} << b.log2), exactBytes((Bytes{2} << b.log2) - 1))};
        for (std::size_t r = 0; r < b.counts.size(); ++r)
            if (b.counts[r] > 0)
                lines << QStringLiteral("%1 %2").arg(groupedText(b.counts[r]),
                                                     residencyName(static_cast<Residency>(r)));
        QToolTip::showText(help->globalPos(), lines.join(u'\n'), this);
        return true;
    }
    return QWidget::event(event);
}

MetricsPanel::MetricsPanel(GanttView* view, QWidget* parent)
    : QWidget(parent), view_(view), tabs_(new QTabBar(this)), stack_(new QStackedWidget(this)), list_(new MetricsList),
      histogram_(new SizeHistogram) {
    setObjectName(QStringLiteral("ganttMetrics"));
    setFixedWidth(themeOf(this).px(kPanelWidth));
    tabs_->addTab(tr("Metrics"));
    tabs_->addTab(tr("Sizes"));
    tabs_->setDrawBase(false);
    tabs_->setExpanding(false);
    stack_->addWidget(list_);
    stack_->addWidget(histogram_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(tabs_);
    column->addWidget(stack_, 1);
    connect(tabs_, &QTabBar::currentChanged, stack_, &QStackedWidget::setCurrentIndex);
    connect(histogram_, &SizeHistogram::bucketClicked, view_, &GanttView::setSizeFilter);
    connect(view_, &GanttView::scopeChanged, this, &MetricsPanel::refresh);
    connect(view_->hub(), &SelectionHub::rangeChanged, this, &MetricsPanel::refresh);
    connect(view_->hub(), &SelectionHub::timeCursorChanged, this, &MetricsPanel::refresh);
    refresh();
}

/// Nobody sees it: it is filled when it is shown.
void MetricsPanel::refresh() {
    isPending_ = !isVisible();
    if (isPending_) return;
    const auto& hub = *view_->hub();
    list_->setMetrics(ganttMetrics(*view_->ganttData(), hub.range(), hub.timeCursor()), hub.range(), view_->units());
    histogram_->setBuckets(sizeHistogram(*view_->ganttData(), hub.range()), view_->toggles().sizeBucket);
}

void MetricsPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (isPending_) refresh();
}

void MetricsPanel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), themeOf(this).color(Token::BgPanel));
    painter.fillRect(0, 0, 1, height(), themeOf(this).color(Token::Line1));
}

}  // namespace memplan::ui
