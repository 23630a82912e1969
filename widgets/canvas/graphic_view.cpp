// SPDX-License-Identifier: GPL-3.0-or-later
// Life cycle, painting frame, viewport, clipboard. Mouse and keys: graphic_view_input.cpp.
#include "widgets/canvas/graphic_view.h"

#include "widgets/canvas/empty_block.h"
#include "widgets/canvas/graphic_accessible.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/canvas/tooltip.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/plan/marks/badge.h"
#include "widgets/plan/plan_look.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QMimeData>
#include <QPainter>
#include <QResizeEvent>
#include <QVariantAnimation>

#include <algorithm>
#include <cmath>

namespace memplan::ui {

namespace {
constexpr int kZoomHistory = 50, kTooltipDelay = 350, kScrollDuration = 150;
constexpr qsizetype kClipboardSvgLimit = 2 * 1024 * 1024;

Axis between(const Axis& a, const Axis& b, double t) {
    Axis mid = b;
    mid.scale = a.scale * std::pow(b.scale / a.scale, t);
    mid.origin = a.origin + (b.origin - a.origin) * t;
    return mid;
}
}  // namespace

GraphicView::GraphicView(SelectionHub* hub, QWidget* parent) : QWidget(parent), hub_(hub) {
    makeGraphicAccessible(this);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    hoverTimer_.setSingleShot(true);
    hoverTimer_.setInterval(kTooltipDelay);
    tooltip_ = new ItemTooltip(this);
    empty_ = new EmptyBlock(this);
    empty_->hide();
    empty_->setBackgroundRole(QPalette::Base);  // grid lines end at its words
    empty_->setAutoFillBackground(true);
    connect(empty_, &EmptyBlock::triggered, this, &GraphicView::emptyAction);
    connect(&hoverTimer_, &QTimer::timeout, this, &GraphicView::showTooltip);
    connect(hub_, &SelectionHub::planChanged, this, &GraphicView::onPlan);
    connect(hub_, &SelectionHub::selectionChanged, this, &GraphicView::onSelection);
    for (const auto signal :
         {&SelectionHub::hoverChanged, &SelectionHub::timeCursorChanged, &SelectionHub::rangeChanged})
        connect(hub_, signal, this, qOverload<>(&QWidget::update));
    connect(hub_, &SelectionHub::notesChanged, this, qOverload<>(&QWidget::update));
    connect(hub_, &SelectionHub::notesChanged, this, &GraphicView::scopeChanged);
    QTimer::singleShot(0, this, &GraphicView::onPlan);
}

GraphicView::~GraphicView() = default;

const Theme& GraphicView::theme() const {
    return atUnit(themeOf(this));
}

double GraphicView::canvasUnit() const {
    return unitOf(themeOf(this));
}

QSize GraphicView::canvasSize() const {
    return (QSizeF(size()) / canvasUnit()).toSize();
}

void GraphicView::setUnits(const Units& units) {
    if (units_ == units) return;
    units_ = units;
    refreshLook();
    update();
    emit scopeChanged();
}

void GraphicView::setPlanName(const QString& name) {
    planName_ = name;
    emit scopeChanged();
}

std::optional<EmptyText> GraphicView::emptyText() const {
    if (plan()) return std::nullopt;
    if (absence_) return absence_->sentence.isEmpty() ? std::nullopt : absence_;
    return EmptyText{QStringLiteral("compile"), tr("Not compiled yet"),
                     tr("Compile the document to see its plan here."), tr("Compile"), QStringLiteral("compile")};
}

void GraphicView::setAbsence(const std::optional<EmptyText>& why) {
    absence_ = why;
    if (plan()) return;
    updateEmptyBlock();
    update();
}

ViewState GraphicView::baseState() const {
    ViewState state{plan(), hub_->state(), viewport_, units_, hub_->notes()};
    if (!renderOptions_) return state;
    state.selection.hover.reset();
    if (!renderOptions_->selection) {
        SelectionState bare;
        bare.timeCursor = state.selection.timeCursor;
        bare.range = state.selection.range;
        state.selection = std::move(bare);
    }
    if (!renderOptions_->timeCursor) state.selection.timeCursor.reset();
    if (!renderOptions_->notes) state.notes = std::make_shared<const NoteFlags>();
    return state;
}

void GraphicView::onPlan() {
    planReplaced();
    updateEmptyBlock();
    setAccessibleName(viewName());
    setAccessibleDescription(stateSentence());
    emit scopeChanged();
    update();
}

void GraphicView::updateEmptyBlock() {
    const std::optional<EmptyText> text = emptyText();
    empty_->setVisible(text.has_value());
    if (!text) return;
    empty_->setText(*text);
    // In a plan the rest of the picture goes on around the plot: lane, strip, axes.
    empty_->centreIn(plan() ? toWidget(emptyRoom()).toRect() : rect());
}

void GraphicView::onSelection() {
    if (plan()) updateEmptyBlock();
    update();
    announce();
    const std::optional<ItemId> primary = hub_->primary();
    if (!primary || hasFocus() || !hub_->followSelection()) return;
    const QRectF item = itemRect(*primary);
    if (item.isNull() || plotRect().intersects(item)) return;
    const QPointF where = axisPixels(item.center());
    Viewport next = viewport_;
    next.x = next.x.centredOn(viewport_.x.toValue(where.x()));
    next.y = next.y.centredOn(viewport_.y.toValue(where.y()));
    animateTo(next);
}

void GraphicView::announce() {
    const std::optional<ItemId> primary = hub_->primary();
    const QString state = stateSentence();
    setAccessibleDescription(primary ? hub_->itemSentence(*primary) + QStringLiteral(". ") + state : state);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

void GraphicView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme().color(Token::BgCanvas));
    painter.save();
    painter.scale(canvasUnit(), canvasUnit());
    if (plan()) {
        paintPicture(painter, canvasSize(), theme());
    } else {
        paintFrame(painter);
    }
    if (matches_ && plan()) paintMatches(painter);
    if (drag_ == Drag::Zoom) {
        painter.setPen(QPen(theme().color(Token::SelectOutline), 1, Qt::DashLine));
        painter.setBrush(Theme::withAlpha(theme().color(Token::SelectOutline), 0.10));
        painter.drawRect(QRectF(pressAt_, lastAt_).normalized());
    }
    painter.restore();
    if (!hasFocus() || !isKeyFocus_) return;
    painter.setBrush(Qt::NoBrush);
    QPen ring(theme().color(Token::SelectOutline), 2);
    ring.setJoinStyle(Qt::MiterJoin);
    painter.setPen(ring);
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

bool GraphicView::isOnScreen(const QPainter& painter) const {
    const QPaintDevice* device = painter.device();
    return device == static_cast<const QPaintDevice*>(this) || device->devType() == QInternal::Widget;
}

void GraphicView::setMatches(const std::optional<std::vector<ItemId>>& items) {
    matches_ = items;
    update();
}

void GraphicView::addNoteLegend(std::vector<LegendEntry>& entries) const {
    if (hub_->notes()->isEmpty() || !plan()) return;
    LegendEntry entry;
    entry.text = tr("note");
    entry.isNote = true;
    entries.push_back(entry);
}

/// A veil in the ground colour over the plot that leaves the matches out, and a line around each.
void GraphicView::paintMatches(QPainter& painter) const {
    constexpr std::size_t kMostRects = 4000;
    const QRectF plot = plotRect();
    QRegion veil(plot.toAlignedRect());
    std::vector<QRectF> shown;
    for (const ItemId id : *matches_) {
        const QRectF item = itemRect(id).intersected(plot);
        if (item.isEmpty()) continue;
        shown.push_back(item);
        veil -= item.toAlignedRect();
        if (shown.size() >= kMostRects) break;
    }
    painter.save();
    painter.setClipRegion(veil);
    painter.fillRect(plot, Theme::withAlpha(theme().color(Token::BgCanvas), 0.72));
    painter.setClipping(false);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(theme().color(Token::Text1));
    for (const QRectF& item : shown)
        painter.drawRect(item.adjusted(0, 0, -1, -1));
    painter.restore();
}

void GraphicView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const QRectF plot = plotRect();
    viewport_.x = viewport_.x.resized(plot.width());
    viewport_.y = viewport_.y.resized(plot.height());
    updateEmptyBlock();
    emit viewportChanged();
}

void GraphicView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange ||
        event->type() == QEvent::FontChange) {
        refreshLook();
        if (unit_ != canvasUnit()) {
            // The canvas has another size in the same widget.
            unit_ = canvasUnit();
            QResizeEvent resized(size(), size());
            resizeEvent(&resized);
        }
        update();
    }
}

void GraphicView::setViewportNow(const Viewport& viewport) {
    if (viewport_ == viewport) return;
    viewport_ = viewport;
    update();
    emit viewportChanged();
}

void GraphicView::setViewport(const Viewport& viewport, bool record) {
    if (animation_) animation_->stop();
    setViewportNow(viewport);
    if (!record || renderOptions_) return;
    if (zoomAt_ >= 0 && zoomHistory_[static_cast<std::size_t>(zoomAt_)] == viewport) return;
    zoomHistory_.resize(static_cast<std::size_t>(zoomAt_ + 1));
    zoomHistory_.push_back(viewport);
    if (static_cast<int>(zoomHistory_.size()) > kZoomHistory) zoomHistory_.erase(zoomHistory_.begin());
    zoomAt_ = static_cast<int>(zoomHistory_.size()) - 1;
}

void GraphicView::animateTo(const Viewport& viewport) {
    if (reducedMotion() || !isVisible() || renderOptions_) {
        setViewport(viewport);
        return;
    }
    if (!animation_) {
        animation_ = new QVariantAnimation(this);
        animation_->setDuration(kScrollDuration);
        animation_->setEasingCurve(QEasingCurve::OutCubic);
        animation_->setStartValue(0.0);
        animation_->setEndValue(1.0);
    }
    animation_->stop();
    animation_->disconnect(this);
    const Viewport from = viewport_;
    connect(animation_, &QVariantAnimation::valueChanged, this, [this, from, viewport](const QVariant& t) {
        setViewportNow({between(from.x, viewport.x, t.toDouble()), between(from.y, viewport.y, t.toDouble())});
    });
    connect(animation_, &QVariantAnimation::finished, this, [this, viewport] { setViewport(viewport); });
    animation_->start();
}

void GraphicView::zoomBy(double factor, QPointF at) {
    const QPointF pixel = axisPixels(at);
    const Qt::Orientations axes = axesAt(at);
    Viewport next = viewport_;
    if (axes.testFlag(Qt::Horizontal)) next.x = next.x.zoomedAt(pixel.x(), factor);
    if (axes.testFlag(Qt::Vertical)) next.y = next.y.zoomedAt(pixel.y(), factor);
    setViewport(next);
}

void GraphicView::panBy(QPointF pixels) {
    const QPointF direction = axisDirection();
    Viewport next = viewport_;
    next.x = next.x.panned(pixels.x() * direction.x());
    next.y = next.y.panned(pixels.y() * direction.y());
    setViewport(next, false);
}

void GraphicView::fitAll() {
    setViewport({viewport_.x.fitted(), viewport_.y.fitted()});
}

void GraphicView::fitItem(ItemId id) {
    const QRectF item = itemRect(id);
    if (item.isNull()) return;
    const QPointF a = axisPixels(item.topLeft()), b = axisPixels(item.bottomRight());
    Viewport next = viewport_;
    next.x = next.x.fittedTo(viewport_.x.toValue(std::min(a.x(), b.x())), viewport_.x.toValue(std::max(a.x(), b.x())));
    next.y = next.y.fittedTo(viewport_.y.toValue(std::min(a.y(), b.y())), viewport_.y.toValue(std::max(a.y(), b.y())));
    animateTo(next);
}

void GraphicView::fitSelection() {
    if (const auto primary = hub_->primary())
        fitItem(*primary);
    else
        fitAll();
}

bool GraphicView::zoomBack() {
    if (zoomAt_ <= 0) return false;
    setViewport(zoomHistory_[static_cast<std::size_t>(--zoomAt_)], false);
    return true;
}

bool GraphicView::zoomForward() {
    if (zoomAt_ + 1 >= static_cast<int>(zoomHistory_.size())) return false;
    setViewport(zoomHistory_[static_cast<std::size_t>(++zoomAt_)], false);
    return true;
}

QString GraphicView::zoomText() const {
    return QStringLiteral("%1\u202f%").arg(qRound(zoomPercent()));
}

double GraphicView::zoomPercent() const {
    return std::max(viewport_.x.scale / viewport_.x.fitScale(), viewport_.y.scale / viewport_.y.fitScale()) * 100.0;
}

QString GraphicView::selectionAsText() const {
    QStringList lines{QStringLiteral("kind\tname\tdescription")};
    for (const ItemId id : hub_->selection())
        lines << QStringLiteral("%1\t%2\t%3")
                     .arg(id.kind == ItemKind::Buffer ? u"buffer"
                          : id.kind == ItemKind::Op   ? u"op"
                          : id.kind == ItemKind::Loop ? u"loop"
                                                      : u"item")
                     .arg(hub_->itemName(id), plainNumbers(hub_->itemSentence(id)));
    return lines.join(u'\n') + u'\n';
}

void GraphicView::copyToClipboard() {
    settle();
    PictureRequest request;
    request.size = canvasSize();
    request.theme = &theme();
    request.scale = 2.0 * canvasUnit();
    auto* mime = new QMimeData;
    mime->setImageData(pictureImage(*this, request));
    if (!hub_->selection().empty()) mime->setText(selectionAsText());
    const QByteArray svg = pictureSvg(*this, request);
    if (svg.size() < kClipboardSvgLimit) mime->setData(QStringLiteral("image/svg+xml"), svg);
    QApplication::clipboard()->setMimeData(mime);
}

}  // namespace memplan::ui
