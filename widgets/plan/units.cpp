// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/units.h"

#include "engine/base/text.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>

#include <cmath>

namespace memplan::ui {

namespace {
constexpr QChar kNarrow(0x202F);
constexpr QChar kMinus(0x2212);
constexpr double kKiB = 1024.0, kMiB = 1048576.0;

QString scaled(double value) {
    return value < 100 ? QString::number(value, 'f', 1) : groupedText(std::llround(value));
}
}  // namespace

QString groupedText(qint64 value) {
    const bool negative = value < 0;
    const quint64 magnitude = negative ? 0 - static_cast<quint64>(value) : static_cast<quint64>(value);
    QString digits = QString::number(magnitude);
    for (qsizetype at = digits.size() - 3; at > 0; at -= 3)
        digits.insert(at, kNarrow);
    return negative ? kMinus + digits : digits;
}

QString exactBytes(Bytes bytes) {
    return groupedText(bytes) + kNarrow + u'B';
}

QString humanBytes(Bytes bytes) {
    const double value = static_cast<double>(bytes);
    if (bytes < 10000) return exactBytes(bytes);
    if (value < kMiB) return scaled(value / kKiB) + kNarrow + QStringLiteral("KiB");
    return scaled(value / kMiB) + kNarrow + QStringLiteral("MiB");
}

QString percentText(double ratio) {
    const double percent = ratio * 100.0;
    if (percent > 0 && percent < 0.05) return QStringLiteral("<0.1") + kNarrow + u'%';
    QString number = QString::number(std::abs(percent), 'f', 1);
    if (percent <= -0.05) number.prepend(kMinus);
    return number + kNarrow + u'%';
}

QString hexText(Address a) {
    return QStringLiteral("0x") + QString::number(a, 16);
}

QString rangeText(StepRange r) {
    if (r.end - r.begin <= 1) return groupedText(r.begin);
    return QStringLiteral("%1 to %2").arg(groupedText(r.begin), groupedText(r.end - 1));
}

QString fromStd(const std::string& s) {
    return QString::fromStdString(text::escaped(s));
}

QString timesText(const std::vector<std::int64_t>& extents) {
    if (extents.empty()) return QStringLiteral("scalar");
    QStringList parts;
    for (const std::int64_t e : extents)
        parts << QString::number(e);
    return parts.join(QStringLiteral(" \u00D7 "));
}

QString plural(qint64 count, const QString& one, const QString& many) {
    return groupedText(count) + u' ' + (count == 1 ? one : many);
}

QString plainNumbers(QString text) {
    // The narrow space is a separator only between digits; before a unit it becomes a blank.
    for (qsizetype i = text.size() - 1; i >= 0; --i) {
        if (text[i] == kMinus) text[i] = u'-';
        if (text[i] != kNarrow) continue;
        const bool between = i > 0 && i + 1 < text.size() && text[i - 1].isDigit() && text[i + 1].isDigit();
        if (between)
            text.remove(i, 1);
        else
            text[i] = u' ';
    }
    return text;
}

QString Units::unitName() const {
    switch (unit) {
    case ByteUnit::Bytes:
        return QStringLiteral("B");
    case ByteUnit::KiB:
        return QStringLiteral("KiB");
    case ByteUnit::MiB:
        return QStringLiteral("MiB");
    case ByteUnit::Sticks:
        return QStringLiteral("sticks");
    case ByteUnit::Columns:
        return QStringLiteral("columns");
    }
    return {};
}

QString Units::sizeNumber(Bytes bytes) const {
    switch (unit) {
    case ByteUnit::KiB:
        return scaled(static_cast<double>(bytes) / kKiB);
    case ByteUnit::MiB:
        return scaled(static_cast<double>(bytes) / kMiB);
    case ByteUnit::Sticks:
        return groupedText((bytes + 127) / 128);
    case ByteUnit::Bytes:
    case ByteUnit::Columns:
        break;
    }
    return groupedText(bytes);
}

QString Units::size(Bytes bytes) const {
    return sizeNumber(bytes) + kNarrow + unitName();
}

QString Units::address(Address a) const {
    return hexAddresses ? hexText(a) : groupedText(a);
}

double tabularWidth(const QFontMetricsF& metrics, const QString& text) {
    const double digit = metrics.horizontalAdvance(u'0');
    double width = 0;
    for (const QChar c : text)
        width += c.isDigit() ? digit : metrics.horizontalAdvance(c);
    return width;
}

void drawTabular(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QString& text) {
    const QFontMetricsF metrics(painter.font());
    const double digit = metrics.horizontalAdvance(u'0');
    const double width = tabularWidth(metrics, text);
    double x = rect.left();
    if (alignment & Qt::AlignRight) x = rect.right() - width;
    if (alignment & Qt::AlignHCenter) x = rect.center().x() - width / 2.0;
    const double y = rect.center().y() + (metrics.ascent() - metrics.descent()) / 2.0;
    for (const QChar c : text) {
        const double advance = metrics.horizontalAdvance(c);
        const double cell = c.isDigit() ? digit : advance;
        painter.drawText(QPointF(x + (cell - advance) / 2.0, y), QString(c));
        x += cell;
    }
}

}  // namespace memplan::ui
