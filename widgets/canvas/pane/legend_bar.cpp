// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/pane/legend_bar.h"

#include "widgets/canvas/picture/picture_export.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/kit/theme/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace memplan::ui {

LegendBar::LegendBar(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(tr("Legend"));
}

void LegendBar::setEntries(std::vector<LegendEntry> entries) {
    entries_ = std::move(entries);
    QStringList words;
    for (const LegendEntry& e : entries_)
        words << e.text;
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    setToolTip(words.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QSize LegendBar::sizeHint() const {
    const Theme& theme = themeOf(this);
    return {static_cast<int>(std::ceil(legendWidth(entries_, atUnit(theme)) * unitOf(theme))) + 2, theme.px(24)};
}

void LegendBar::paintEvent(QPaintEvent*) {
    const double unit = unitOf(themeOf(this));
    const Theme& theme = atUnit(themeOf(this));
    QPainter painter(this);
    painter.scale(unit, unit);
    // Entries that do not fit are counted; the tooltip names them all.
    const double room = width() / unit, top = (height() / unit - 24) / 2.0;
    const QFontMetricsF metrics(theme.font(TextStyle::Body));
    std::vector<LegendEntry> shown = entries_;
    QString more;
    const auto wide = [&] {
        return legendWidth(shown, theme) + (more.isEmpty() ? 0 : 10 + metrics.horizontalAdvance(more));
    };
    while (!shown.empty() && wide() > room) {
        shown.pop_back();
        more = QStringLiteral("+%1").arg(entries_.size() - shown.size());
    }
    const double left = std::max(0.0, room - wide());
    drawLegend(painter, QPointF(left, top), shown, theme);
    if (more.isEmpty()) return;
    painter.setPen(theme.color(Token::Text3));
    painter.drawText(
        QPointF(room - metrics.horizontalAdvance(more), top + 12 + (metrics.ascent() - metrics.descent()) / 2), more);
}

ViewBar::ViewBar(QWidget* parent) : QWidget(parent) {
    setScaledSize(this, -1, 30);
}

void ViewBar::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Token::BgPanel));
    painter.fillRect(0, height() - 1, width(), 1, theme.color(Token::Line2));
}

}  // namespace memplan::ui
