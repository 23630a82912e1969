// SPDX-License-Identifier: GPL-3.0-or-later
// Paint engine behind SvgDevice: turns QPainter calls into SVG elements in the order of painting.
#pragma once

#include "widgets/kit/vector/pattern_ink.h"

#include <QByteArray>
#include <QMap>
#include <QPaintEngine>
#include <QPen>
#include <QSet>
#include <QTransform>

namespace memplan::ui {

class SvgEngine final : public QPaintEngine {
public:
    SvgEngine();

    bool begin(QPaintDevice* device) override;
    bool end() override;
    void updateState(const QPaintEngineState& state) override;
    void drawPath(const QPainterPath& path) override;
    void drawRects(const QRectF* rects, int count) override;
    using QPaintEngine::drawRects;
    void drawLines(const QLineF* lines, int count) override;
    using QPaintEngine::drawLines;
    void drawPoints(const QPointF* points, int count) override;
    using QPaintEngine::drawPoints;
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override;
    using QPaintEngine::drawPolygon;
    void drawEllipse(const QRectF& rect) override;
    using QPaintEngine::drawEllipse;
    void drawTextItem(const QPointF& at, const QTextItem& item) override;
    void drawPixmap(const QRectF& target, const QPixmap& pixmap, const QRectF& source) override;
    void drawImage(const QRectF& target, const QImage& image, const QRectF& source,
                   Qt::ImageConversionFlags flags) override;
    [[nodiscard]] Type type() const override { return QPaintEngine::User; }

    void beginGroup(const QString& id, const QString& title);
    void endGroup();
    void fillPattern(const QRectF& rect, const PatternInk& ink);
    [[nodiscard]] const QByteArray& body() const { return body_; }
    [[nodiscard]] QByteArray definitions() const;

private:
    void element(const QByteArray& text);
    void setClip(const QPainterPath& path, bool enabled);
    [[nodiscard]] QByteArray strokeAttributes() const;
    [[nodiscard]] QByteArray fillAttributes() const;
    [[nodiscard]] QByteArray transformAttribute() const;
    [[nodiscard]] QByteArray pathData(const QPainterPath& path) const;
    [[nodiscard]] QByteArray patternId(const PatternInk& ink);

    QByteArray body_;
    QMap<QByteArray, QByteArray> patterns_;  ///< definition -> id
    QMap<QByteArray, QByteArray> clips_;     ///< path data -> id
    QSet<QString> usedIds_;
    QPen pen_;
    QBrush brush_;
    QTransform transform_;
    double opacity_ = 1.0;
    QByteArray clip_;
    bool clipOpen_ = false;
};

/// Number with at most two decimals, no exponent, no trailing zeros, independent of the locale.
[[nodiscard]] QByteArray svgNumber(double value);
[[nodiscard]] QByteArray svgEscaped(const QString& text);

}  // namespace memplan::ui
