// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/coregrid/ops_matrix.h"

#include "widgets/kit/theme/heat_look.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/plan/marks/note_flag.h"
#include "widgets/plan/units.h"
#include "widgets/views/coregrid/data/core_map.h"

#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

#include <cmath>
#include <limits>

namespace memplan::ui {

namespace {
constexpr int kRight = 12;        ///< room behind the last cell
constexpr double kFlag = 12;      ///< height of the flag of a note
constexpr double kOutside = 0.3;  ///< strength of rows outside the chosen steps
}  // namespace

OpsMatrix::OpsMatrix(SelectionHub* hub, QWidget* parent) : QAbstractScrollArea(parent), hub_(hub) {
    setObjectName(QStringLiteral("opsMatrix"));
    setUpCells(this, viewport(), tr("All operations by core"));
    setFrameShape(QFrame::NoFrame);
    connect(hub_, &SelectionHub::planChanged, this, &OpsMatrix::onPlan);
    connect(hub_, &SelectionHub::selectionChanged, this, &OpsMatrix::onSelection);
    connect(hub_, &SelectionHub::hoverChanged, viewport(), qOverload<>(&QWidget::update));
    connect(hub_, &SelectionHub::notesChanged, viewport(), qOverload<>(&QWidget::update));
    connect(hub_, &SelectionHub::rangeChanged, viewport(), qOverload<>(&QWidget::update));
    onPlan();
}

void OpsMatrix::onPlan() {
    metrics_ = coreMetricsOf(hub_->plan(), sources_);
    sizeNames();
    updateRange();
    setAccessibleDescription(footSentence());
    updateLimits();
}

void OpsMatrix::setSources(CoreSources sources) {
    sources_ = std::move(sources);
    onPlan();
}

double OpsMatrix::unit() const {
    return unitOf(themeOf(this));
}

QSize OpsMatrix::canvas() const {
    return (QSizeF(viewport()->size()) / unit()).toSize();
}

const Theme& OpsMatrix::theme() const {
    return atUnit(themeOf(this));
}

/// As wide as the first names and splits want, within limits: the cells are what the picture is about.
void OpsMatrix::sizeNames() {
    constexpr std::size_t kLooked = 200;
    nameWidth_ = 52;
    splitWidth_ = 64;
    if (metrics_) {
        const Plan& plan = *metrics_->plan();
        const QFontMetricsF metrics(theme().font(TextStyle::SmallStrong));
        for (std::size_t i = 0; i < std::min(kLooked, plan.ops.size()); ++i) {
            const double name = metrics.horizontalAdvance(fromStd(plan.ops[i].name)),
                         split = metrics.horizontalAdvance(fromStd(namedSplitText(plan, plan.ops[i])));
            nameWidth_ = std::clamp(static_cast<int>(std::ceil(name)) + 2, nameWidth_, 150);
            splitWidth_ = std::clamp(static_cast<int>(std::ceil(split)) + 2, splitWidth_, 150);
        }
    }
    names_ = 8 + nameWidth_ + 4 + splitWidth_ + 4;
}

void OpsMatrix::setMetric(CoreMetric metric) {
    metric_ = metric;
    updateLimits();
}

void OpsMatrix::setAutoRange(bool on) {
    isAutoRange_ = on;
    updateLimits();
}

void OpsMatrix::updateRange() {
    const int rows = metrics_ ? static_cast<int>(metrics_->plan()->ops.size()) : 0;
    const int page = std::max(1, canvas().height() - kHead);
    verticalScrollBar()->setRange(0, std::max(0, rows * kRow + 30 - page));
    verticalScrollBar()->setPageStep(page);
    verticalScrollBar()->setSingleStep(kRow);
    const int cores = metrics_ ? metrics_->machineCores() : 32;
    cell_ = std::clamp((canvas().width() - names_ - kRight) / std::max(1, cores), kLeastCell, kCell);
    horizontalScrollBar()->setRange(0, std::max(0, names_ + cores * cell_ + kRight - canvas().width()));
    horizontalScrollBar()->setPageStep(canvas().width());
    horizontalScrollBar()->setSingleStep(cell_);
}

void OpsMatrix::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    updateRange();
}

void OpsMatrix::onSelection() {
    viewport()->update();
    const std::optional<ItemId> primary = hub_->primary();
    if (!primary || primary->kind != ItemKind::Op || !hub_->followSelection() || !metrics_) return;
    const int top = primary->index * kRow, page = canvas().height() - kHead;
    const int shown = verticalScrollBar()->value();
    if (top < shown || top + kRow > shown + page) verticalScrollBar()->setValue(top - page / 2);
}

void OpsMatrix::updateLimits() {
    viewport()->update();
    if (!metrics_) return;
    limits_ = metrics_->limits(metric_);
    if (!isAutoRange_) return;
    double highest = 0;
    for (std::size_t i = 0; i < metrics_->plan()->ops.size(); ++i)
        if (const double v = metrics_->value(metric_, OpId::of(i), 0); !std::isnan(v)) highest = std::max(highest, v);
    if (highest > 0) limits_ = {0, highest};
}

void OpsMatrix::paintHead(QPainter& painter) {
    const Theme& theme = this->theme();
    painter.fillRect(0, 0, canvas().width() + 1, kHead, theme.color(Token::BgCanvas));
    painter.setPen(theme.color(Token::Text3));
    const int shift = horizontalScrollBar()->value(), cores = metrics_->machineCores();
    for (int core = 0; core < cores; ++core) {
        if (core % 4 != 0 && core != cores - 1) continue;
        const QString number = QString::number(core);
        const double x =
            names_ + core * cell_ + (cell_ - 2) / 2.0 - shift - texts_.width(number, TextStyle::Small, theme) / 2;
        texts_.draw(painter, {x, 16}, number, TextStyle::Small, theme);
    }
}

void OpsMatrix::paintRow(QPainter& painter, int row, int y) {
    const Theme& theme = this->theme();
    const OpId id{row};
    const PlanOp& op = metrics_->plan()->op(id);
    const int shift = horizontalScrollBar()->value();
    const bool isSelected = hub_->isSelected(ItemId::of(id));
    painter.setPen(theme.color(Token::Text1));
    const bool hasNote = hub_->notes()->items.contains(ItemId::of(id));
    const double room = nameWidth_ - (hasNote ? noteFlagWidth(kFlag) + 4 : 0);
    const TextStyle style = isSelected ? TextStyle::SmallStrong : TextStyle::Small;
    texts_.draw(painter, {8.0 - shift, y + 17.0}, texts_.elided(fromStd(op.name), style, theme, room), style, theme);
    if (hasNote)
        drawNoteFlag(painter, QPointF(8.0 + nameWidth_ - noteFlagWidth(kFlag) - shift, y + 19.0), kFlag, theme);
    painter.setPen(theme.color(Token::Text3));
    texts_.draw(painter, {12.0 + nameWidth_ - shift, y + 17.0},
                texts_.elided(fromStd(namedSplitText(*metrics_->plan(), op)), TextStyle::Small, theme, splitWidth_),
                TextStyle::Small, theme);
    for (int core = 0; core < metrics_->machineCores(); ++core) {
        const double v = metrics_->value(metric_, id, core);
        const QRect cell(names_ + core * cell_ - shift, y + 2, cell_ - 2, kRow - 4);
        const double share = std::isnan(v) ? 0 : limits_.share(v);
        if (!std::isnan(v)) painter.fillRect(cell, heatEdge(theme, share));
        painter.fillRect(std::isnan(v) ? cell : cell.adjusted(1, 1, -1, -1),
                         std::isnan(v) ? theme.color(Token::LineGrid) : theme.heat(share));
        if (!metrics_->isOverLimit(metric_, v)) continue;
        painter.setPen(QPen(theme.color(Token::Error), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(cell.adjusted(1, 1, -1, -1));
        painter.setPen(theme.heatText(share));
        texts_.draw(painter, {cell.center().x() - 2.0, y + 17.0}, QStringLiteral("!"), TextStyle::SmallStrong, theme);
    }
    const bool isHovered = hub_->hover() == ItemId::of(id);
    if (!isSelected && !isHovered) return;
    painter.setPen(QPen(theme.color(isSelected ? Token::SelectOutline : Token::Text2), isSelected ? 2 : 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRect(2 - shift, y, names_ + metrics_->machineCores() * cell_ - 2, kRow - 1));
}

void OpsMatrix::paintRows(QPainter& painter, const QRect& visible) {
    const int shift = verticalScrollBar()->value(), rows = static_cast<int>(metrics_->plan()->ops.size());
    const int first = std::max(0, (visible.top() - kHead + shift) / kRow),
              last = std::min(rows - 1, (visible.bottom() - kHead + shift) / kRow);
    const auto range = hub_->range();  // of steps, which are the rows (7.11)
    for (int row = first; row <= last; ++row) {
        painter.setOpacity(range && (row < range->begin || row >= range->end) ? kOutside : 1.0);
        paintRow(painter, row, kHead + row * kRow - shift);
    }
    painter.setOpacity(1.0);
    const int foot = kHead + rows * kRow - shift;
    if (foot > visible.bottom()) return;
    painter.setPen(theme().color(Token::Text3));
    texts_.draw(painter, {8.0 - horizontalScrollBar()->value(), foot + 20.0}, footSentence(), TextStyle::Small,
                theme());
}

void OpsMatrix::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.fillRect(event->rect(), themeOf(this).color(Token::BgCanvas));
    if (!metrics_) return;
    painter.save();
    painter.scale(unit(), unit());
    const QRectF dirty(QPointF(event->rect().topLeft()) / unit(), QSizeF(event->rect().size()) / unit());
    paintRows(painter, dirty.toAlignedRect());
    paintHead(painter);
    painter.restore();
    if (!hasFocus()) return;
    painter.setPen(QPen(themeOf(this).color(Token::SelectOutline), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(viewport()->rect().adjusted(1, 1, -1, -1));
}

QString OpsMatrix::footSentence() const {
    if (!metrics_) return {};
    const int used = metrics_->mostUsedCores(), configured = metrics_->configuredCores(),
              all = metrics_->machineCores();
    QString text = used == 1 ? tr("core 0 does all the work") : tr("cores 0 to %1 are used").arg(used - 1);
    if (used < configured) text += tr("; cores %1 to %2 are idle in every operation").arg(used).arg(configured - 1);
    if (configured < all) text += tr("; cores %1 to %2 are beyond the configured count").arg(configured).arg(all - 1);
    return text;
}

int OpsMatrix::rowAt(QPointF inWidget) const {
    const QPointF position = inWidget / unit();
    if (!metrics_ || position.y() < kHead) return -1;
    const int row = (static_cast<int>(position.y()) - kHead + verticalScrollBar()->value()) / kRow;
    return row < static_cast<int>(metrics_->plan()->ops.size()) ? row : -1;
}

int OpsMatrix::coreAt(QPointF inWidget) const {
    const int x = static_cast<int>(inWidget.x() / unit()) + horizontalScrollBar()->value() - names_;
    return metrics_ && x >= 0 && x / cell_ < metrics_->machineCores() ? x / cell_ : -1;
}

int OpsMatrix::rowCount() const {
    return metrics_ ? static_cast<int>(metrics_->plan()->ops.size()) : 0;
}

int OpsMatrix::cellAt(QPointF position) const {
    const int row = rowAt(position);
    return row < 0 ? -1 : row * columns() + coreAt(position) + 1;
}

QRectF OpsMatrix::cellRect(int cell) const {
    if (!metrics_ || cell < 0) return {};
    const int row = cell / columns(), core = cell % columns() - 1;
    const double y = kHead + row * kRow - verticalScrollBar()->value(), shift = horizontalScrollBar()->value();
    const QRectF box =
        core < 0 ? QRectF(-shift, y, names_, kRow) : QRectF(names_ + core * cell_ - shift, y, cell_, kRow);
    return {box.topLeft() * unit(), box.size() * unit()};
}

QString OpsMatrix::cellText(int cell) const {
    if (!metrics_ || cell < 0 || cell / columns() >= rowCount()) return {};
    const OpId op{cell / columns()};
    const int core = cell % columns() - 1;
    if (core < 0) return {};
    const double v = metrics_->value(metric_, op, core);
    QString value = std::isnan(v) ? tr("not used") : metricText(metric_, v);
    if (metrics_->isOverLimit(metric_, v))
        value += tr(", over the limit of %1").arg(metricText(metric_, static_cast<double>(*metrics_->spanLimit())));
    return tr("%1, core %2\n%3: %4")
        .arg(fromStd(metrics_->plan()->op(op).name))
        .arg(core)
        .arg(metricName(metric_), value);
}

void OpsMatrix::cellPressed(int cell, Qt::KeyboardModifiers modifiers) {
    const ItemId id{ItemKind::Op, cell / columns()};
    if (modifiers.testFlag(Qt::ControlModifier))
        hub_->toggle(id);
    else
        hub_->select(id);
}

void OpsMatrix::cellReached(int cell) {
    hub_->select(ItemId{ItemKind::Op, cell / columns()});
}

void OpsMatrix::cellHovered(int cell) {
    hub_->setHover(cell < 0 ? std::nullopt : std::optional(ItemId{ItemKind::Op, cell / columns()}));
}

/// From the selected operation, wherever it was selected, to the one before or after it.
int OpsMatrix::cellBeside(int cell, int key) const {
    const bool isUp = key == Qt::Key_Up;
    if ((!isUp && key != Qt::Key_Down) || rowCount() == 0) return -1;
    const std::optional<ItemId> primary = hub_->primary();
    const int now = primary && primary->kind == ItemKind::Op ? primary->index : isUp ? 1 : -1;
    const int next = std::clamp(now + (isUp ? -1 : 1), 0, rowCount() - 1);
    return next * columns() + std::max(0, cell) % columns();
}

/// Keys come to the widget, the pointer to its viewport.
bool OpsMatrix::event(QEvent* event) {
    const bool isKey = event->type() == QEvent::KeyPress;
    return (isKey && cellEvent(event)) || QAbstractScrollArea::event(event);
}

bool OpsMatrix::viewportEvent(QEvent* event) {
    return cellEvent(event) || QAbstractScrollArea::viewportEvent(event);
}

}  // namespace memplan::ui
