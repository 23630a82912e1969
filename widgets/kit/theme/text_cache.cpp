// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/theme/text_cache.h"

#include "widgets/kit/theme/as_written.h"
#include "widgets/kit/theme/patterns.h"

#include <QFontMetricsF>
#include <QRawFont>

#include <algorithm>

namespace memplan::ui {

namespace {
/// Plenty for a screen of labels; a plan with more names starts over instead of growing for ever.
constexpr qsizetype kLimit = 8000;
}  // namespace

/// Glyph by glyph: digits centred on the width of "0", the narrow space a fifth of an em. Texts with a
/// letter that the family lacks keep the ordinary layout with its fallback families.
bool TextCache::makeTabular(Entry& entry, const QString& text, const QFont& font) {
    if (std::ranges::none_of(text, [](QChar c) { return c.isDigit(); })) return false;
    const QRawFont raw = QRawFont::fromFont(font);
    if (!raw.isValid()) return false;
    const auto advanceOf = [&raw](QChar c) {
        const QList<quint32> index = raw.glyphIndexesForString(QString(c));
        return index.size() == 1 ? raw.advancesForGlyphIndexes(index).value(0).x() : 0.0;
    };
    const double digit = advanceOf(u'0');
    QList<quint32> indexes;
    QList<QPointF> positions;
    double x = 0;
    for (const QChar c : text) {
        if (c == QChar(0x202F)) {
            x += raw.pixelSize() * 0.2;
            continue;
        }
        const QList<quint32> index = raw.glyphIndexesForString(QString(c));
        if (index.size() != 1 || index.front() == 0) return false;
        const double advance = raw.advancesForGlyphIndexes(index).value(0).x();
        const double cell = c.isDigit() ? digit : advance;
        indexes << index.front();
        positions << QPointF(x + (cell - advance) / 2.0, 0);
        x += cell;
    }
    entry.glyphs.setRawFont(raw);
    entry.glyphs.setGlyphIndexes(indexes);
    entry.glyphs.setPositions(positions);
    entry.width = x;
    return true;
}

TextCache::Entry& TextCache::entry(const QString& text, TextStyle style, const Theme& theme) {
    if (revision_ != theme.revision() || entries_.size() > kLimit) {
        entries_.clear();
        revision_ = theme.revision();
    }
    const std::pair key(text, static_cast<int>(style));
    const auto found = entries_.find(key);
    if (found != entries_.end()) return *found;
    const QFont font = theme.font(style);
    const QFontMetricsF metrics(font);
    Entry e{QStaticText(asWritten(text)), {}, false, metrics.horizontalAdvance(text), metrics.ascent()};
    e.tabular = makeTabular(e, text, font);
    e.text.setTextFormat(Qt::PlainText);
    e.text.setPerformanceHint(QStaticText::AggressiveCaching);
    if (!e.tabular) e.text.prepare(QTransform(), font);
    return *entries_.insert(key, e);
}

double TextCache::width(const QString& text, TextStyle style, const Theme& theme) {
    return entry(text, style, theme).width;
}

void TextCache::draw(QPainter& painter, QPointF at, const QString& text, TextStyle style, const Theme& theme) {
    painter.setFont(theme.font(style));
    if (isVectorDevice(painter)) {
        painter.drawText(at, text);
        return;
    }
    const Entry& e = entry(text, style, theme);
    if (e.tabular)
        painter.drawGlyphRun(at, e.glyphs);
    else
        painter.drawStaticText(QPointF(at.x(), at.y() - e.ascent), e.text);
}

QString TextCache::elided(const QString& text, TextStyle style, const Theme& theme, double available) {
    if (width(text, style, theme) <= available) return text;
    constexpr std::ptrdiff_t kLeastLetters = 2;  // "b…2" names nothing and reads as a lone ellipsis
    const QString shortened = QFontMetricsF(theme.font(style)).elidedText(text, Qt::ElideMiddle, available);
    const auto cut = std::ranges::mismatch(shortened, text).in1;
    return cut - shortened.begin() < kLeastLetters ? QString() : shortened;
}

void drawPlate(QPainter& painter, const QRectF& rect, const Theme& theme, double opacity) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::withAlpha(theme.color(Token::BgCanvas), opacity));
    painter.drawRoundedRect(rect, 2, 2);
    painter.restore();
}

QRectF drawPlatedText(QPainter& painter, QPointF at, const QString& text, const QColor& color, const Theme& theme) {
    const QFontMetricsF metrics(painter.font());
    const QRectF plate(at.x() - 4, at.y() - metrics.ascent() - 1, metrics.horizontalAdvance(text) + 8,
                       metrics.height() + 1);
    drawPlate(painter, plate, theme, 1.0);
    painter.setPen(color);
    painter.drawText(at, text);
    return plate;
}

}  // namespace memplan::ui
