// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/theme/patterns.h"

#include "widgets/kit/theme/scaled.h"
#include "widgets/kit/vector/svg_device.h"

#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPixmapCache>

#include <cmath>

namespace memplan::ui {

namespace {

/// Side of the tile in logical px. Diagonals repeat along an axis every period * sqrt(2); tiles of
/// whole pixels need a whole axis period, so 6 px stripes repeat every 8 px and 7 px hatches every 10.
int tileSide(Pattern p) {
    switch (p) {
    case Pattern::Dots:
    case Pattern::Stripes:
    case Pattern::ErrorHatch:
        return 8;
    case Pattern::CrossHatch:
    case Pattern::ForeignHatch:
        return 10;
    case Pattern::HorizontalLines:
    case Pattern::VerticalLines:
        return 7;
    case Pattern::Solid:
        break;
    }
    return 8;
}

double strokeWidth(Pattern p) {
    switch (p) {
    case Pattern::Stripes:
        return 2.0;
    case Pattern::ErrorHatch:
        return 1.5;
    case Pattern::CrossHatch:
        return 0.9;
    case Pattern::ForeignHatch:
        return 1.2;
    case Pattern::Dots:
        return 1.4;
    default:
        return 1.0;
    }
}

void addDiagonals(QVector<QLineF>& lines, const QRectF& r, double period, bool rising) {
    // Lines x + y = k (rising on screen) or x - y = k, cut to the rectangle by hand: no clip needed.
    const double kMin = rising ? r.left() + r.top() : r.left() - r.bottom();
    const double kMax = rising ? r.right() + r.bottom() : r.right() - r.top();
    for (double k = std::ceil(kMin / period) * period; k <= kMax; k += period) {
        const double x0 = rising ? std::max(r.left(), k - r.bottom()) : std::max(r.left(), k + r.top());
        const double x1 = rising ? std::min(r.right(), k - r.top()) : std::min(r.right(), k + r.bottom());
        if (x1 > x0) lines.append(rising ? QLineF(x0, k - x0, x1, k - x1) : QLineF(x0, x0 - k, x1, x1 - k));
    }
}

void addParallels(QVector<QLineF>& lines, const QRectF& r, double period, bool horizontal) {
    const double begin = horizontal ? r.top() : r.left(), end = horizontal ? r.bottom() : r.right();
    for (double v = std::ceil((begin - 0.5) / period) * period + 0.5; v < end; v += period)
        lines.append(horizontal ? QLineF(r.left(), v, r.right(), v) : QLineF(v, r.top(), v, r.bottom()));
}

QVector<QLineF> patternLines(Pattern p, const QRectF& r) {
    QVector<QLineF> lines;
    const double period = tileSide(p);
    switch (p) {
    case Pattern::Stripes:
    case Pattern::ErrorHatch:
    case Pattern::ForeignHatch:
        addDiagonals(lines, r, period, true);
        break;
    case Pattern::CrossHatch:
        addDiagonals(lines, r, period, true);
        addDiagonals(lines, r, period, false);
        break;
    case Pattern::HorizontalLines:
        addParallels(lines, r, period, true);
        break;
    case Pattern::VerticalLines:
        addParallels(lines, r, period, false);
        break;
    case Pattern::Solid:
    case Pattern::Dots:
        break;
    }
    return lines;
}

QVector<QPointF> patternDots(const QRectF& r) {
    QVector<QPointF> dots;
    for (const double shift : {1.5, 5.5})
        for (double y = std::ceil((r.top() - shift) / 8) * 8 + shift; y < r.bottom() - 0.5; y += 8)
            for (double x = std::ceil((r.left() - shift) / 8) * 8 + shift; x < r.right() - 0.5; x += 8)
                dots.append(QPointF(x, y));
    return dots;
}

void drawShapes(QPainter& painter, const QRectF& rect, const PatternInk& ink) {
    QPen pen(Theme::withAlpha(ink.ink, ink.inkOpacity), strokeWidth(ink.pattern));
    pen.setCapStyle(ink.pattern == Pattern::Dots ? Qt::RoundCap : Qt::FlatCap);
    painter.setPen(pen);
    if (ink.pattern == Pattern::Dots)
        painter.drawPoints(patternDots(rect));
    else
        painter.drawLines(patternLines(ink.pattern, rect));
}

QString tileKey(const PatternInk& ink, double ratio) {
    return QStringLiteral("memplan-tile/%1/%2/%3/%4/%5")
        .arg(static_cast<int>(ink.pattern))
        .arg(ink.ground.isValid() ? ink.ground.rgba() : 0U)
        .arg(ink.ink.rgba())
        .arg(ink.inkOpacity)
        .arg(ratio);
}

QPixmap tileFor(const PatternInk& ink, double ratio) {
    const QString key = tileKey(ink, ratio);
    QPixmap tile;
    if (QPixmapCache::find(key, &tile)) return tile;
    const int side = tileSide(ink.pattern);
    const int pixels = static_cast<int>(std::lround(side * ratio));
    tile = QPixmap(pixels, pixels);
    tile.fill(ink.ground.isValid() ? ink.ground : QColor(Qt::transparent));
    QPainter painter(&tile);
    painter.scale(pixels / static_cast<double>(side), pixels / static_cast<double>(side));
    painter.setRenderHint(QPainter::Antialiasing,
                          ink.pattern != Pattern::HorizontalLines && ink.pattern != Pattern::VerticalLines);
    drawShapes(painter, QRectF(-side, -side, 3.0 * side, 3.0 * side), ink);
    painter.end();
    tile.setDevicePixelRatio(ratio);
    QPixmapCache::insert(key, tile);
    return tile;
}

}  // namespace

Pattern patternOf(Residency r) {
    switch (r) {
    case Residency::OnChip:
        return Pattern::Solid;
    case Residency::OffChip:
        return Pattern::Stripes;
    case Residency::InPlace:
        return Pattern::Dots;
    case Residency::Clone:
        return Pattern::HorizontalLines;
    case Residency::Reserved:
        return Pattern::CrossHatch;
    case Residency::Resharded:
        return Pattern::VerticalLines;
    }
    return Pattern::Solid;
}

PatternInk inkOf(const Theme& theme, Residency r) {
    PatternInk ink{patternOf(r), theme.residency(r, Tone::Soft), theme.residency(r, Tone::Edge), 1.0};
    if (r == Residency::OffChip && theme.kind() != ThemeKind::HighContrast) {
        ink.ground = Theme::mix(theme.residency(r), theme.color(Token::BgCanvas), 0.16);
        ink.inkOpacity = 0.75;
    }
    if (r == Residency::InPlace) ink.inkOpacity = 0.8;
    if (r == Residency::Clone || r == Residency::Resharded) ink.inkOpacity = 0.45;
    if (r == Residency::Reserved) ink = {Pattern::CrossHatch, ink.ground, theme.residency(r), 0.7};
    return ink;
}

PatternInk faintInk(const Theme& theme, Residency r) {
    PatternInk ink = inkOf(theme, r);
    if (theme.kind() == ThemeKind::HighContrast)
        ink.pattern = Pattern::Dots;
    else
        ink.ground = Theme::mix(ink.ground, theme.color(Token::BgCanvas), 0.45);
    return ink;
}

PatternInk errorHatch(const Theme& theme) {
    return {Pattern::ErrorHatch, QColor(), theme.color(Token::Error), 0.6};
}

PatternInk categoryInk(const Theme& theme, int index) {
    static constexpr std::array kOrder{Pattern::Solid, Pattern::Stripes, Pattern::Dots, Pattern::HorizontalLines,
                                       Pattern::VerticalLines};
    const auto round = static_cast<std::size_t>(index / 8) % kOrder.size();
    return {kOrder[round], theme.categorySoft(index), theme.category(index), 0.75};
}

bool isVectorDevice(const QPainter& painter) {
    const QPaintEngine* engine = painter.paintEngine();
    if (!engine) return false;
    const QPaintEngine::Type type = engine->type();
    return type == QPaintEngine::Pdf || type == QPaintEngine::SVG || type == QPaintEngine::Picture ||
           type == QPaintEngine::MacPrinter || type >= QPaintEngine::User;
}

void fillPattern(QPainter& painter, const QRectF& rect, const PatternInk& ink) {
    if (rect.isEmpty()) return;
    if (ink.pattern == Pattern::Solid) {
        painter.fillRect(rect, ink.ground);
        return;
    }
    if (SvgDevice* svg = SvgDevice::of(painter)) {
        svg->fillPattern(rect, ink);
        return;
    }
    if (!isVectorDevice(painter)) {
        painter.fillRect(rect, QBrush(tileFor(ink, pixelRatio(painter))));
        return;
    }
    if (ink.ground.isValid()) painter.fillRect(rect, ink.ground);
    painter.save();
    drawShapes(painter, rect, ink);
    painter.restore();
}

void drawSwatch(QPainter& painter, const QRectF& rect, const PatternInk& ink, const QColor& edge) {
    fillPattern(painter, rect, ink);
    painter.save();
    painter.setPen(QPen(edge, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    painter.restore();
}

}  // namespace memplan::ui
