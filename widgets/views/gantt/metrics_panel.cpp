// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/metrics_panel.h"

#include "widgets/plan/plan_look.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace memplan::ui {

namespace {

constexpr int kRow = 20, kNote = 16, kHead = 26, kInset = 10, kPanelWidth = 216;

ChartSeries seriesOf(const std::vector<SizeBucket>& buckets, std::size_t residency) {
    ChartSeries series;
    series.name = residencyName(static_cast<Residency>(residency));
    series.ink.residency = static_cast<Residency>(residency);
    for (std::size_t row = 0; row < buckets.size(); ++row) {
        const int count = buckets[row].counts[residency];
        series.points.push_back(
            {static_cast<double>(row), static_cast<double>(count), count > 0 ? groupedText(count) : QString()});
    }
    return series;
}

}  // namespace

ChartData sizeChart(const std::vector<SizeBucket>& buckets, int selected) {
    ChartData data;
    data.form = ChartData::Form::Bars;
    data.name = SizeHistogram::tr("Size histogram");
    data.along = SizeHistogram::tr("Size");
    data.values = SizeHistogram::tr("buffers");
    data.empty = SizeHistogram::tr("No buffer lives here.");
    for (std::size_t row = 0; row < buckets.size(); ++row) {
        const SizeBucket& b = buckets[row];
        if (b.log2 == selected) data.selected = static_cast<int>(row);
        data.labels << humanBytes(Bytes{1} << b.log2);
        data.longLabels
            << SizeHistogram::tr("%1 to %2").arg(exactBytes(Bytes{1} << b.log2), exactBytes((Bytes{2} << b.log2) - 1));
        data.rowTexts << (b.total() > 0 ? groupedText(b.total()) : QString());
    }
    for (std::size_t r = 0; r < SizeBucket{}.counts.size(); ++r)
        if (std::ranges::any_of(buckets, [r](const SizeBucket& b) { return b.counts[r] > 0; }))
            data.series.push_back(seriesOf(buckets, r));
    return data;
}

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
        {tr("Peak"), units.size(m.peak.top), tr("highest address, at step %1").arg(groupedText(m.peak.topStep))},
        {tr("Most live bytes"), units.size(m.peak.live), tr("at step %1").arg(groupedText(m.peak.liveStep))},
        {tr("Mean occupancy"), percentText(m.meanOccupancy), tr("of the usable limit")},
        {tr("Fragmentation"), m.fragmentationNow >= 0 ? percentText(m.fragmentationNow) : tr("no cursor"),
         tr("most %1 at step %2").arg(percentText(m.peak.fragmentation), groupedText(m.peak.fragmentationStep))},
        {tr("Lower bound"), m.lowerBound > 0 ? units.size(m.lowerBound) : tr("not known"),
         m.lowerBound > 0
             ? (m.peak.top >= m.lowerBound ? tr("gap %1").arg(percentText(m.gap())) : tr("for all candidates on chip"))
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

SizeHistogram::SizeHistogram(QWidget* parent) : Chart(parent) {
    connect(this, &Chart::activated, this, [this](int row) { choose(row, true); });
    connect(this, &Chart::currentChanged, this, [this](int row) { choose(row, false); });
}

void SizeHistogram::choose(int row, bool isToggle) {
    const int log2 = row < 0 ? -1 : buckets_[static_cast<std::size_t>(row)].log2;
    emit bucketClicked(isToggle && row == data().selected ? -1 : log2);
}

void SizeHistogram::setBuckets(std::vector<SizeBucket> buckets, int selected) {
    buckets_ = std::move(buckets);
    setData(sizeChart(buckets_, selected));
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
