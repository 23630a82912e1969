// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/sweep/sweep_matrix.h"

#include "widgets/kit/theme/heat_look.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/units.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace memplan::ui {

namespace {

constexpr double kSharp = 0.10;
constexpr double kMostWidth = 76, kMostHeight = 34;

/// Short number for a cell: three figures with k, M, G.
QString shortNumber(double value) {
    static const std::array<const char*, 4> kSigns{"", "k", "M", "G"};
    double x = std::abs(value);
    std::size_t sign = 0;
    while (x >= 1000 && sign + 1 < kSigns.size()) {
        x /= 1000;
        ++sign;
    }
    const int decimals = x != std::floor(x) && x < 10 ? 2 : x != std::floor(x) && x < 100 ? 1 : 0;
    return QString::number(value < 0 ? -x : x, 'f', decimals) + QString::fromLatin1(kSigns[sign]);
}

bool isBetter(const SweepPicture& p, double a, double b) {
    return p.isLowGood ? a < b : a > b;
}

/// Better by more than a tenth of the neighbour's value.
bool isSharpBeside(const SweepPicture& p, double best, const std::optional<double>& neighbour) {
    if (!neighbour) return true;
    return isBetter(p, best, *neighbour) && std::abs(*neighbour - best) > kSharp * std::abs(*neighbour);
}

}  // namespace

std::optional<double> goodness(const SweepPicture& p, int cell) {
    const auto& own = p.cells[static_cast<std::size_t>(cell)].value;
    if (!own) return std::nullopt;
    double low = *own, high = *own;
    for (const SweepPicture::Cell& c : p.cells) {
        if (!c.value) continue;
        low = std::min(low, *c.value);
        high = std::max(high, *c.value);
    }
    if (high <= low) return 1.0;
    const double t = (*own - low) / (high - low);
    return p.isLowGood ? 1 - t : t;
}

std::vector<int> sharpOptima(const SweepPicture& p) {
    std::optional<double> best;
    for (const SweepPicture::Cell& c : p.cells)
        if (c.value && (!best || isBetter(p, *c.value, *best))) best = c.value;
    std::vector<int> found;
    if (!best) return found;
    const int columns = p.columnCount(), rows = p.rowCount();
    const auto valueAt = [&](int row, int column) {
        return p.cells[static_cast<std::size_t>(row * columns + column)].value;
    };
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) {
            if (valueAt(r, c) != best) continue;
            bool sharp = columns > 1 || rows > 1;
            if (c > 0) sharp = sharp && isSharpBeside(p, *best, valueAt(r, c - 1));
            if (c + 1 < columns) sharp = sharp && isSharpBeside(p, *best, valueAt(r, c + 1));
            if (r > 0) sharp = sharp && isSharpBeside(p, *best, valueAt(r - 1, c));
            if (r + 1 < rows) sharp = sharp && isSharpBeside(p, *best, valueAt(r + 1, c));
            if (sharp) found.push_back(r * columns + c);
        }
    return found;
}

SweepMatrix::SweepMatrix(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("sweepMatrix"));
    setUpCells(this, this, tr("Sweep"));
}

void SweepMatrix::setPicture(SweepPicture picture) {
    picture_ = std::move(picture);
    const int count = static_cast<int>(picture_.cells.size());
    setCurrentCell(count == 0 ? -1 : std::clamp(currentCell(), 0, count - 1));
    const auto done = std::count_if(picture_.cells.begin(), picture_.cells.end(),
                                    [](const SweepPicture::Cell& c) { return c.isDone; });
    setAccessibleDescription(tr("%1, %2 of %3 cells").arg(picture_.metric).arg(done).arg(picture_.cells.size()));
    update();
}

QString SweepMatrix::scopeText() const {
    return picture_.rowKey.isEmpty() ? tr("%1 by %2").arg(picture_.metric, picture_.columnKey)
                                     : tr("%1 by %2 and %3").arg(picture_.metric, picture_.rowKey, picture_.columnKey);
}

SweepMatrix::Frame SweepMatrix::frameFor(QSizeF size, const Theme& theme) const {
    const QFontMetricsF metrics(theme.font(TextStyle::Small));
    double heads = metrics.horizontalAdvance(picture_.rowKey.section(QLatin1Char('.'), -1));
    for (const QString& row : picture_.rows)
        heads = std::max(heads, metrics.horizontalAdvance(row));
    Frame f;
    f.left = 10 + heads + 8;
    f.top = 8;
    const double below = theme.px(40);
    f.width = std::clamp((size.width() - f.left - 10) / std::max(1, picture_.columnCount()), 3.0, kMostWidth);
    f.height = std::clamp((size.height() - f.top - below) / picture_.rowCount(), 3.0, kMostHeight);
    return f;
}

QRectF SweepMatrix::cellRect(int cell) const {
    const Frame f = frameFor(size(), themeOf(this));
    const int columns = std::max(1, picture_.columnCount());
    return {f.left + (cell % columns) * f.width, f.top + (cell / columns) * f.height, f.width, f.height};
}

int SweepMatrix::cellAt(QPointF position) const {
    if (picture_.cells.empty()) return -1;
    const Frame f = frameFor(size(), themeOf(this));
    const int column = static_cast<int>(std::floor((position.x() - f.left) / f.width));
    const int row = static_cast<int>(std::floor((position.y() - f.top) / f.height));
    const bool inside = column >= 0 && column < picture_.columnCount() && row >= 0 && row < picture_.rowCount();
    return inside ? row * picture_.columnCount() + column : -1;
}

void SweepMatrix::paintPicture(QPainter& painter, QSize size, const Theme& theme) const {
    if (picture_.cells.empty()) return;
    const Frame f = frameFor(size, theme);
    const int columns = picture_.columnCount();
    const auto box = [&](int cell) {
        return QRectF(f.left + (cell % columns) * f.width, f.top + (cell / columns) * f.height, f.width, f.height);
    };
    for (int i = 0; i < static_cast<int>(picture_.cells.size()); ++i)
        paintCell(painter, box(i), i, theme);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    for (const int cell : sharpOptima(picture_)) {
        painter.setPen(QPen(theme.color(Token::BgCanvas), 4));
        painter.drawRoundedRect(box(cell).adjusted(2, 2, -3, -3), 4, 4);
        painter.setPen(QPen(theme.color(Token::Text1), 2));
        painter.drawRoundedRect(box(cell).adjusted(2, 2, -3, -3), 4, 4);
    }
    if (picture_.current >= 0 && picture_.current < static_cast<int>(picture_.cells.size())) {
        painter.setPen(QPen(theme.color(Token::BgCanvas), 4));
        painter.drawRect(box(picture_.current).adjusted(1, 1, -2, -2));
        painter.setPen(QPen(theme.color(Token::SelectOutline), 2));
        painter.drawRect(box(picture_.current).adjusted(1, 1, -2, -2));
    }
    painter.restore();
    paintHeads(painter, f, size, theme);
}

void SweepMatrix::paintCell(QPainter& painter, const QRectF& box, int cell, const Theme& theme) const {
    const SweepPicture::Cell& c = picture_.cells[static_cast<std::size_t>(cell)];
    const QRectF r = box.adjusted(0, 0, -1, -1);
    const std::optional<double> good = goodness(picture_, cell);
    painter.fillRect(r, good ? theme.heat(*good) : theme.color(c.isDone ? Token::BgPanel : Token::BgCanvas));
    painter.setPen(good ? heatEdge(theme, *good) : theme.color(Token::Line1));
    painter.drawRect(r.adjusted(0.5, 0.5, -0.5, -0.5));
    painter.setFont(theme.font(TextStyle::Small));
    const QString text = good ? shortNumber(*c.value) : c.isDone ? c.status : QString();
    if (QFontMetricsF(painter.font()).horizontalAdvance(text) + 4 > r.width() || r.height() < theme.px(13)) return;
    painter.setPen(good ? theme.heatText(*good) : theme.color(Token::Text2));
    painter.drawText(r, Qt::AlignCenter, text);
}

void SweepMatrix::paintHeads(QPainter& painter, const Frame& f, QSizeF size, const Theme& theme) const {
    painter.setFont(theme.font(TextStyle::Small));
    painter.setPen(theme.color(Token::Text2));
    const QFontMetricsF metrics(painter.font());
    const double line = theme.px(16);
    const int every = std::max(1, static_cast<int>(std::ceil((line - 2) / f.height)));
    for (int r = 0; r < static_cast<int>(picture_.rows.size()); ++r)
        if (r % every == 0)
            painter.drawText(QRectF(4, f.top + r * f.height, f.left - 12, f.height), Qt::AlignRight | Qt::AlignVCenter,
                             picture_.rows[r]);
    const double bottom = f.top + picture_.rowCount() * f.height + 2;
    double free = 0;
    for (int c = 0; c < picture_.columnCount(); ++c) {
        const double wide = metrics.horizontalAdvance(picture_.columns[c]) + 8;
        const double centre = f.left + (c + 0.5) * f.width;
        if (centre - wide / 2 < free) continue;
        free = centre + wide / 2;
        painter.drawText(QRectF(centre - wide / 2, bottom, wide, line), Qt::AlignCenter, picture_.columns[c]);
    }
    const QString ends = picture_.isLowGood ? tr("low is good") : tr("high is good");
    const QString axes = picture_.rowKey.isEmpty()
                             ? picture_.columnKey
                             : QStringLiteral("%1 \u2193   %2 \u2192").arg(picture_.rowKey, picture_.columnKey);
    const QString caption = QStringLiteral("%1   \u00b7   %2, %3").arg(axes, picture_.metric, ends);
    painter.drawText(QRectF(f.left, bottom + line, size.width() - f.left - 8, line), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(caption, Qt::ElideRight, size.width() - f.left - 8));
}

void SweepMatrix::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = themeOf(this);
    painter.fillRect(rect(), theme.color(Token::BgCanvas));
    paintPicture(painter, size(), theme);
    if (hoveredCell() >= 0 && hoveredCell() < static_cast<int>(picture_.cells.size())) {
        painter.setPen(theme.color(Token::Text1));
        painter.drawRect(cellRect(hoveredCell()).adjusted(0, 0, -1, -1));
    }
    if (!hasFocus() || picture_.cells.empty()) return;
    painter.setPen(QPen(theme.color(Token::SelectOutline), 1, Qt::DashLine));
    painter.drawRect(cellRect(currentCell()).adjusted(3, 3, -4, -4));
    painter.setPen(QPen(theme.color(Token::SelectOutline), 2));
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

QString SweepMatrix::cellText(int cell) const {
    const SweepPicture::Cell& c = picture_.cells[static_cast<std::size_t>(cell)];
    const int columns = picture_.columnCount();
    QStringList lines;
    if (!picture_.rowKey.isEmpty())
        lines << QStringLiteral("%1 = %2").arg(picture_.rowKey, picture_.rows.value(cell / columns));
    lines << QStringLiteral("%1 = %2").arg(picture_.columnKey, picture_.columns.value(cell % columns));
    if (!c.isDone)
        lines << tr("not compiled yet");
    else if (c.value)
        lines << QStringLiteral("%1: %2").arg(picture_.metric, c.text) << tr("Click makes this plan current");
    else
        lines << QStringLiteral("%1 %2").arg(c.status, c.message);
    return lines.join(QLatin1Char('\n'));
}

void SweepMatrix::cellPressed(int cell, Qt::KeyboardModifiers) {
    emit cellChosen(cell);
}

void SweepMatrix::cellHovered(int cell) {
    setCursor(cell >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

int SweepMatrix::cellBeside(int cell, int key) const {
    const int columns = std::max(1, picture_.columnCount()), count = static_cast<int>(picture_.cells.size());
    if (cell < 0) return -1;
    switch (key) {
    case Qt::Key_Left:
        return cell % columns > 0 ? cell - 1 : cell;
    case Qt::Key_Right:
        return cell % columns + 1 < columns ? cell + 1 : cell;
    case Qt::Key_Up:
        return cell >= columns ? cell - columns : cell;
    case Qt::Key_Down:
        return cell + columns < count ? cell + columns : cell;
    default:
        return -1;
    }
}

}  // namespace memplan::ui
