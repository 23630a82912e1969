// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/vector/svg_engine.h"

#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

#include <cmath>

namespace memplan::ui {

namespace {

QByteArray colorText(const QColor& c) {
    return c.name(QColor::HexRgb).toLatin1();
}

QByteArray opacityText(const char* name, double value) {
    return value >= 0.999 ? QByteArray() : QByteArray(" ") + name + "=\"" + svgNumber(value) + "\"";
}

QByteArray attribute(const char* name, double value) {
    return QByteArray(" ") + name + "=\"" + svgNumber(value) + "\"";
}

/// Letters, digits, - _ . : survive; everything else becomes _ so that the id is a valid name.
QString cleanId(const QString& id) {
    QString out;
    for (const QChar c : id)
        out += c.isLetterOrNumber() || c == u'-' || c == u'_' || c == u'.' || c == u':' ? c : QChar(u'_');
    if (out.isEmpty() || !(out[0].isLetter() || out[0] == u'_')) out.prepend(u'_');
    return out;
}

QByteArray families(const QFont& font) {
    const QStringList names = font.families();
    const bool fixed = names.value(0).contains(u"Mono");
    QStringList chain = names.isEmpty() ? QStringList{font.family()} : names;
    const QString last = fixed ? QStringLiteral("DejaVu Sans Mono") : QStringLiteral("DejaVu Sans");
    if (!chain.contains(last)) chain << last;
    chain << (fixed ? QStringLiteral("monospace") : QStringLiteral("sans-serif"));
    return svgEscaped(chain.join(u','));
}

QByteArray patternShapes(const PatternInk& ink, double side) {
    const QByteArray s = svgNumber(side),
                     stroke = " stroke=\"" + colorText(ink.ink) + "\"" + opacityText("stroke-opacity", ink.inkOpacity);
    const auto path = [&](const QByteArray& d, double width) {
        return "<path d=\"" + d + "\" fill=\"none\"" + stroke + attribute("stroke-width", width) + "/>";
    };
    const QByteArray rising = "M-1 1L1 -1M0 " + s + "L" + s + " 0M" + svgNumber(side - 1) + " " + svgNumber(side + 1) +
                              "L" + svgNumber(side + 1) + " " + svgNumber(side - 1);
    switch (ink.pattern) {
    case Pattern::Stripes:
        return path(rising, 2);
    case Pattern::ErrorHatch:
        return path(rising, 1.5);
    case Pattern::ForeignHatch:
        return path(rising, 1.2);
    case Pattern::CrossHatch:
        return path("M0 0L" + s + " " + s + "M0 " + s + "L" + s + " 0", 0.9);
    case Pattern::HorizontalLines:
        return path("M0 .5H" + s, 1);
    case Pattern::VerticalLines:
        return path("M.5 0V" + s, 1);
    case Pattern::Dots:
        return "<g fill=\"" + colorText(ink.ink) + "\"" + opacityText("fill-opacity", ink.inkOpacity) +
               "><circle cx=\"1.5\" cy=\"1.5\" r=\".7\"/><circle cx=\"5.5\" cy=\"5.5\" r=\".7\"/></g>";
    case Pattern::Solid:
        break;
    }
    return {};
}

double patternSide(Pattern p) {
    if (p == Pattern::CrossHatch || p == Pattern::ForeignHatch) return 10;
    return p == Pattern::HorizontalLines || p == Pattern::VerticalLines ? 7 : 8;
}

}  // namespace

QByteArray svgNumber(double value) {
    const double rounded = std::round(value * 100.0) / 100.0;
    QByteArray text = QByteArray::number(rounded, 'f', 2);
    while (text.endsWith('0'))
        text.chop(1);
    if (text.endsWith('.')) text.chop(1);
    return text == "-0" ? QByteArray("0") : text;
}

QByteArray svgEscaped(const QString& text) {
    return text.toHtmlEscaped().toUtf8();
}

SvgEngine::SvgEngine() : QPaintEngine(QPaintEngine::AllFeatures) {}

bool SvgEngine::begin(QPaintDevice* device) {
    setPaintDevice(device);
    body_.clear();
    setActive(true);
    return true;
}

bool SvgEngine::end() {
    setClip({}, false);
    setActive(false);
    return true;
}

void SvgEngine::element(const QByteArray& text) {
    body_ += text + '\n';
}

void SvgEngine::setClip(const QPainterPath& path, bool enabled) {
    const QByteArray data = enabled ? pathData(path) : QByteArray();
    if (enabled == clipOpen_ && data == clip_) return;
    if (clipOpen_) element("</g>");
    clipOpen_ = enabled;
    clip_ = data;
    if (!enabled) return;
    QByteArray& id = clips_[data];
    if (id.isEmpty()) id = "clip" + QByteArray::number(clips_.size());
    element("<g clip-path=\"url(#" + id + ")\">");
}

void SvgEngine::updateState(const QPaintEngineState& now) {
    const auto flags = now.state();
    if (flags & DirtyPen) pen_ = now.pen();
    if (flags & DirtyBrush) brush_ = now.brush();
    if (flags & DirtyTransform) transform_ = now.transform();
    if (flags & DirtyOpacity) opacity_ = now.opacity();
    if (!(flags & (DirtyClipPath | DirtyClipRegion | DirtyClipEnabled))) return;
    // The path comes in the painter's present coordinates, which may be ahead of the transform noted here.
    const QPainter* p = painter();
    setClip(p->hasClipping() ? p->combinedTransform().map(p->clipPath()) : QPainterPath(), p->hasClipping());
}

QByteArray SvgEngine::pathData(const QPainterPath& path) const {
    QByteArray d;
    const auto point = [](const QPainterPath::Element& e) { return svgNumber(e.x) + " " + svgNumber(e.y); };
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element e = path.elementAt(i);
        if (e.isMoveTo())
            d += "M" + point(e);
        else if (e.isLineTo())
            d += "L" + point(e);
        else if (e.type == QPainterPath::CurveToElement) {
            d += "C" + point(e) + " " + point(path.elementAt(i + 1)) + " " + point(path.elementAt(i + 2));
            i += 2;
        }
    }
    return d;
}

QByteArray SvgEngine::transformAttribute() const {
    if (transform_.isIdentity()) return {};
    if (transform_.type() <= QTransform::TxTranslate)
        return " transform=\"translate(" + svgNumber(transform_.dx()) + " " + svgNumber(transform_.dy()) + ")\"";
    QByteArray text = " transform=\"matrix(";
    for (const double v : {transform_.m11(), transform_.m12(), transform_.m21(), transform_.m22()})
        text += QByteArray::number(v, 'g', 6) + " ";
    return text + svgNumber(transform_.dx()) + " " + svgNumber(transform_.dy()) + ")\"";
}

QByteArray SvgEngine::strokeAttributes() const {
    if (pen_.style() == Qt::NoPen) return " stroke=\"none\"";
    const double width = pen_.widthF() <= 0 ? 1.0 : pen_.widthF();
    QByteArray text = " stroke=\"" + colorText(pen_.color()) + "\"" + attribute("stroke-width", width) +
                      opacityText("stroke-opacity", pen_.color().alphaF() * opacity_);
    if (pen_.style() != Qt::SolidLine) {
        text += " stroke-dasharray=\"";
        const auto pattern = pen_.dashPattern();
        for (qsizetype i = 0; i < pattern.size(); ++i)
            text += (i ? " " : "") + svgNumber(pattern[i] * width);
        text += "\"";
    }
    if (pen_.capStyle() == Qt::RoundCap) text += " stroke-linecap=\"round\"";
    if (pen_.joinStyle() == Qt::RoundJoin) text += " stroke-linejoin=\"round\"";
    return text;
}

QByteArray SvgEngine::fillAttributes() const {
    if (brush_.style() == Qt::NoBrush) return " fill=\"none\"";
    return " fill=\"" + colorText(brush_.color()) + "\"" +
           opacityText("fill-opacity", brush_.color().alphaF() * opacity_);
}

void SvgEngine::drawPath(const QPainterPath& path) {
    const QByteArray rule = path.fillRule() == Qt::OddEvenFill ? " fill-rule=\"evenodd\"" : "";
    element("<path d=\"" + pathData(path) + "\"" + rule + fillAttributes() + strokeAttributes() + transformAttribute() +
            "/>");
}

void SvgEngine::drawRects(const QRectF* rects, int count) {
    for (int i = 0; i < count; ++i) {
        const QRectF& r = rects[i];
        element("<rect" + attribute("x", r.x()) + attribute("y", r.y()) + attribute("width", r.width()) +
                attribute("height", r.height()) + fillAttributes() + strokeAttributes() + transformAttribute() + "/>");
    }
}

void SvgEngine::drawLines(const QLineF* lines, int count) {
    QByteArray d;
    for (int i = 0; i < count; ++i)
        d += "M" + svgNumber(lines[i].x1()) + " " + svgNumber(lines[i].y1()) + "L" + svgNumber(lines[i].x2()) + " " +
             svgNumber(lines[i].y2());
    element("<path d=\"" + d + "\" fill=\"none\"" + strokeAttributes() + transformAttribute() + "/>");
}

void SvgEngine::drawPoints(const QPointF* points, int count) {
    QByteArray d;
    for (int i = 0; i < count; ++i)
        d += "M" + svgNumber(points[i].x()) + " " + svgNumber(points[i].y()) + "h0";
    element("<path d=\"" + d + "\" fill=\"none\"" + strokeAttributes() + transformAttribute() + "/>");
}

void SvgEngine::drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) {
    QByteArray d;
    for (int i = 0; i < count; ++i)
        d += (i ? " " : "") + svgNumber(points[i].x()) + "," + svgNumber(points[i].y());
    const bool line = mode == PolylineMode;
    element(QByteArray(line ? "<polyline" : "<polygon") + " points=\"" + d + "\"" +
            (line ? QByteArray(" fill=\"none\"") : fillAttributes()) + strokeAttributes() + transformAttribute() +
            "/>");
}

void SvgEngine::drawEllipse(const QRectF& r) {
    element("<ellipse" + attribute("cx", r.center().x()) + attribute("cy", r.center().y()) +
            attribute("rx", r.width() / 2) + attribute("ry", r.height() / 2) + fillAttributes() + strokeAttributes() +
            transformAttribute() + "/>");
}

void SvgEngine::drawTextItem(const QPointF& at, const QTextItem& item) {
    const QFont font = item.font();
    const double size = font.pixelSize() > 0 ? font.pixelSize() : font.pointSizeF() * 96.0 / 72.0;
    const QByteArray weight = font.weight() > QFont::Normal
                                  ? " font-weight=\"" + QByteArray::number(static_cast<int>(font.weight())) + "\""
                                  : "";
    element("<text" + attribute("x", at.x()) + attribute("y", at.y()) + attribute("font-size", size) + weight +
            " font-family=\"" + families(font) + "\" fill=\"" + colorText(pen_.color()) + "\"" +
            opacityText("fill-opacity", pen_.color().alphaF() * opacity_) + transformAttribute() +
            " style=\"font-variant-numeric:tabular-nums;white-space:pre\">" + svgEscaped(item.text()) + "</text>");
}

void SvgEngine::drawPixmap(const QRectF& target, const QPixmap& pixmap, const QRectF& source) {
    drawImage(target, pixmap.toImage(), source, Qt::AutoColor);
}

void SvgEngine::drawImage(const QRectF& target, const QImage& image, const QRectF& source, Qt::ImageConversionFlags) {
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    image.copy(source.toAlignedRect()).save(&buffer, "PNG");
    element("<image" + attribute("x", target.x()) + attribute("y", target.y()) + attribute("width", target.width()) +
            attribute("height", target.height()) + " preserveAspectRatio=\"none\" xlink:href=\"data:image/png;base64," +
            png.toBase64() + "\"" + opacityText("opacity", opacity_) + transformAttribute() + "/>");
}

void SvgEngine::beginGroup(const QString& id, const QString& title) {
    // A clip group that was opened outside must not end inside this one.
    setClip({}, false);
    QString name = cleanId(id);
    for (int n = 2; usedIds_.contains(name); ++n)
        name = cleanId(id) + u'-' + QString::number(n);
    usedIds_.insert(name);
    element("<g id=\"" + svgEscaped(name) + "\">" +
            (title.isEmpty() ? QByteArray() : "<title>" + svgEscaped(title) + "</title>"));
}

void SvgEngine::endGroup() {
    setClip({}, false);
    element("</g>");
}

QByteArray SvgEngine::patternId(const PatternInk& ink) {
    const double side = patternSide(ink.pattern);
    const QByteArray s = svgNumber(side);
    QByteArray definition = "width=\"" + s + "\" height=\"" + s + "\" patternUnits=\"userSpaceOnUse\">";
    if (ink.ground.isValid())
        definition += "<rect width=\"" + s + "\" height=\"" + s + "\" fill=\"" + colorText(ink.ground) + "\"" +
                      opacityText("fill-opacity", ink.ground.alphaF()) + "/>";
    QByteArray& id = patterns_[definition + patternShapes(ink, side)];
    if (id.isEmpty()) id = "pattern" + QByteArray::number(patterns_.size());
    return id;
}

void SvgEngine::fillPattern(const QRectF& r, const PatternInk& ink) {
    element("<rect" + attribute("x", r.x()) + attribute("y", r.y()) + attribute("width", r.width()) +
            attribute("height", r.height()) + " fill=\"url(#" + patternId(ink) + ")\"" +
            opacityText("opacity", opacity_) + transformAttribute() + "/>");
}

QByteArray SvgEngine::definitions() const {
    QByteArray text;
    for (auto it = patterns_.begin(); it != patterns_.end(); ++it)
        text += "<pattern id=\"" + it.value() + "\" " + it.key() + "</pattern>\n";
    for (auto it = clips_.begin(); it != clips_.end(); ++it)
        text += "<clipPath id=\"" + it.value() + "\"><path d=\"" + it.key() + "\"/></clipPath>\n";
    return text.isEmpty() ? text : "<defs>\n" + text + "</defs>\n";
}

}  // namespace memplan::ui
