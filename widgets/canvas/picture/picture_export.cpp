// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/picture/picture_export.h"

#include "widgets/canvas/state/hint_sign.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/heat_look.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/patterns.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/kit/vector/pdf_date.h"
#include "widgets/kit/vector/svg_device.h"
#include "widgets/plan/marks/note_flag.h"

#include <QBuffer>
#include <QFontMetricsF>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>

#include <cmath>

namespace memplan::ui {

namespace {

constexpr int kTitleHeight = 28, kLegendHeight = 24, kFooterHeight = 24, kInset = 10;
constexpr double kPointsPerPixel = 0.75, kDotsPerInch = 96, kMmPerInch = 25.4;

const Theme& themeFor(const PictureRequest& request) {
    return request.theme ? *request.theme : paperTheme();
}

PatternInk inkFor(const LegendEntry& entry, const Theme& theme) {
    if (entry.heat >= 0) return {Pattern::Solid, theme.heat(entry.heat), theme.heat(entry.heat), 1.0};
    if (entry.category >= 0 && entry.isFaint) return categoryInk(theme, entry.category);
    if (entry.category >= 0)
        return {Pattern::Solid, theme.category(entry.category), theme.category(entry.category), 1.0};
    return entry.isFaint ? faintInk(theme, entry.residency) : inkOf(theme, entry.residency);
}

QColor edgeFor(const LegendEntry& entry, const Theme& theme) {
    if (entry.heat >= 0) return theme.color(Token::LineControl);
    return entry.category >= 0 ? theme.category(entry.category) : theme.residency(entry.residency, Tone::Edge);
}

QColor lineColour(const LegendEntry& entry, const Theme& theme) {
    return entry.line->token ? theme.color(*entry.line->token) : theme.residency(entry.residency, Tone::Edge);
}

constexpr double kSwatch = 14, kRamp = 120, kSwatchGap = 5, kEntryGap = 14;

double markWidth(const LegendEntry& entry) {
    return entry.heat == kWholeScale ? kRamp : kSwatch;
}

/// Title, legend and footer are as large as their text.
int framePx(const PictureRequest& request, int at100) {
    return static_cast<int>(std::lround(at100 * unitOf(themeFor(request))));
}

int topHeight(const PictureRequest& request) {
    return (request.title ? framePx(request, kTitleHeight) : 0) +
           (request.legend ? framePx(request, kLegendHeight) : 0);
}

void drawTitle(QPainter& painter, const PictureSource& source, double width, const Theme& theme) {
    painter.setFont(theme.font(TextStyle::BodyStrong));
    painter.setPen(theme.color(Token::Text1));
    const auto draw = [&](double x, const QString& text) {
        const QFontMetricsF metrics(painter.font());
        painter.drawText(QPointF(x, 18), metrics.elidedText(text, Qt::ElideRight, width - kInset - x));
        return x + metrics.horizontalAdvance(text);
    };
    const double end = draw(kInset, source.viewName());
    painter.setFont(theme.font(TextStyle::Body));
    painter.setPen(theme.color(Token::Text3));
    if (end + 8 < width - kInset) draw(end + 8, source.scopeText());
}

/// What stands around the picture, painted as at 100 % on a canvas that the size of text enlarges.
void drawFrame(QPainter& painter, const PictureSource& source, const PictureRequest& request) {
    const Theme& theme = atUnit(themeFor(request));
    const double unit = unitOf(themeFor(request));
    const QSizeF size = QSizeF(fullPictureSize(source, request)) / unit;
    painter.save();
    painter.scale(unit, unit);
    if (request.title) drawTitle(painter, source, size.width(), theme);
    if (request.legend) drawLegend(painter, QPointF(kInset, request.title ? kTitleHeight : 0), source.legend(), theme);
    if (!request.footer.isEmpty()) {
        painter.setFont(theme.font(TextStyle::Small));
        painter.setPen(theme.color(Token::Text3));
        painter.drawText(QPointF(kInset, size.height() - 8), request.footer);
    }
    painter.restore();
}

/// Width on paper of the whole picture, mm.
double paperMm(const PictureSource& source, const PictureRequest& request) {
    if (request.widthMm > 0) return request.widthMm;
    return fullPictureSize(source, request).width() * kMmPerInch / kDotsPerInch;
}

/// Sign, flag, line or swatch before the words of an entry.
void drawMark(QPainter& painter, QPointF at, const LegendEntry& entry, const Theme& theme) {
    const double x = at.x(), y = at.y();
    if (entry.category <= kHintSign)
        return drawIcon(painter, QRectF(x, y + 5, kSwatch, kSwatch), hintSignName(entry.category == kPinSign),
                        theme.color(Token::Text2));
    if (entry.isNote) return drawNoteFlag(painter, QPointF(x + 3, y + 18), 13, theme);
    if (!entry.line)
        return drawSwatch(painter, QRectF(x, y + 6, kSwatch, 12), inkFor(entry, theme), edgeFor(entry, theme));
    QPen pen(lineColour(entry, theme), 2);
    if (entry.line->isDashed) pen.setDashPattern({2, 1});  // two dashes and a half on the width of a swatch
    pen.setCapStyle(Qt::FlatCap);
    painter.setPen(pen);
    painter.drawLine(QPointF(x, y + 12), QPointF(x + kSwatch, y + 12));
}

}  // namespace

const Theme& paperTheme() {
    static const Theme theme(ThemeKind::Light);
    return theme;
}

double legendWidth(const std::vector<LegendEntry>& entries, const Theme& theme) {
    const QFontMetricsF metrics(theme.font(TextStyle::Body));
    double width = 0;
    for (const LegendEntry& e : entries)
        width += markWidth(e) + kSwatchGap + metrics.horizontalAdvance(e.text) + kEntryGap;
    return std::max(0.0, width - kEntryGap);
}

double drawLegend(QPainter& painter, QPointF topLeft, const std::vector<LegendEntry>& entries, const Theme& theme) {
    painter.setFont(theme.font(TextStyle::Body));
    const QFontMetricsF metrics(painter.font());
    double x = topLeft.x();
    for (const LegendEntry& e : entries) {
        const double baseline = topLeft.y() + 12 + (metrics.ascent() - metrics.descent()) / 2;
        if (e.heat == kWholeScale) {  // words before the scale that they describe
            painter.setPen(theme.color(Token::Text2));
            painter.drawText(QPointF(x, baseline), e.text);
            x += metrics.horizontalAdvance(e.text) + kSwatchGap;
            drawHeatScale(painter, QRectF(std::round(x), topLeft.y() + 6, kRamp, 12), theme);
            x += kRamp + kEntryGap;
            continue;
        }
        drawMark(painter, QPointF(x, topLeft.y()), e, theme);
        painter.setPen(theme.color(Token::Text2));
        painter.drawText(QPointF(x + kSwatch + kSwatchGap, baseline), e.text);
        x += kSwatch + kSwatchGap + metrics.horizontalAdvance(e.text) + kEntryGap;
    }
    return x - topLeft.x();
}

QSize fullPictureSize(const PictureSource& source, const PictureRequest& request) {
    const QSize inner = request.size.isEmpty() ? source.pictureSize() : request.size;
    return inner + QSize(0, topHeight(request) + (request.footer.isEmpty() ? 0 : framePx(request, kFooterHeight)));
}

void paintWithFrame(QPainter& painter, const PictureSource& source, const PictureRequest& request) {
    const Theme& theme = themeFor(request);
    const QSize inner = request.size.isEmpty() ? source.pictureSize() : request.size;
    const QSize full = fullPictureSize(source, request);
    painter.fillRect(QRect(QPoint(0, 0), full), theme.color(Token::BgCanvas));
    drawFrame(painter, source, request);
    painter.save();
    painter.translate(0, topHeight(request));
    source.paintPicture(painter, inner, theme);
    painter.restore();
}

QImage pictureImage(const PictureSource& source, const PictureRequest& request) {
    const QSize full = fullPictureSize(source, request);
    const double scale = std::clamp(request.scale, 0.25, 8.0);
    QImage image((QSizeF(full) * scale).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.fill(themeFor(request).color(Token::BgCanvas));
    QPainter painter(&image);
    paintWithFrame(painter, source, request);
    return image;
}

QByteArray picturePng(const PictureSource& source, const PictureRequest& request) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QImage image = pictureImage(source, request);
    image.setDevicePixelRatio(1.0);
    // The physical size says how wide a px is on paper, so that 2x prints at the same size.
    const int dotsPerMeter = static_cast<int>(std::lround(image.width() * 1000.0 / paperMm(source, request)));
    image.setDotsPerMeterX(dotsPerMeter);
    image.setDotsPerMeterY(dotsPerMeter);
    image.save(&buffer, "PNG");
    return bytes;
}

QByteArray pictureSvg(const PictureSource& source, const PictureRequest& request) {
    SvgDevice device(fullPictureSize(source, request),
                     source.viewName() + QStringLiteral(" \u2014 ") + source.scopeText());
    device.setWidthMm(request.widthMm);
    QPainter painter(&device);
    paintWithFrame(painter, source, request);
    painter.end();
    return device.document();
}

QByteArray picturePdf(const PictureSource& source, const PictureRequest& request) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        const QSizeF full = fullPictureSize(source, request);
        const double enlarged = request.widthMm > 0 ? request.widthMm / kMmPerInch * kDotsPerInch / full.width() : 1;
        const QSizeF points = full * kPointsPerPixel * enlarged;
        writer.setResolution(96);
        writer.setPageSize(QPageSize(points, QPageSize::Point, QString(), QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF());
        writer.setTitle(source.viewName() + QStringLiteral(" \u2014 ") + source.scopeText());
        writer.setCreator(QStringLiteral("memplan-studio"));
        QPainter painter(&writer);
        painter.scale(enlarged, enlarged);
        paintWithFrame(painter, source, request);
    }
    return pdfWithoutDate(std::move(bytes));
}

Result<void> exportPicture(const PictureSource& source, const PictureRequest& request, const QString& path) {
    const std::string where = path.toStdString();
    QByteArray bytes;
    if (path.endsWith(u".png", Qt::CaseInsensitive))
        bytes = picturePng(source, request);
    else if (path.endsWith(u".svg", Qt::CaseInsensitive))
        bytes = pictureSvg(source, request);
    else if (path.endsWith(u".pdf", Qt::CaseInsensitive))
        bytes = picturePdf(source, request);
    else
        return makeError("IN-002", where, "pictures are written as .png, .svg or .pdf", "change the file's ending");
    QSaveFile file(path);
    const bool written = file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
    if (!written) return makeError("IN-001", where, "cannot write the picture: " + file.errorString().toStdString());
    return {};
}

bool isPictureSize(QSize size) {
    constexpr int kLeast = 100, kMost = 8000;
    return size.width() >= kLeast && size.height() >= kLeast && size.width() <= kMost && size.height() <= kMost;
}

}  // namespace memplan::ui
