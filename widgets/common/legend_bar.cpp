// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/legend_bar.h"

#include "core/theme.h"
#include "export/picture_export.h"

#include <QPainter>

namespace memplan::ui {

LegendBar::LegendBar(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
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
    return {static_cast<int>(legendWidth(entries_, themeOf(this))) + 2, themeOf(this).px(24)};
}

void LegendBar::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    // Entries that do not fit are dropped from the end; the tooltip still names them all.
    std::vector<LegendEntry> shown = entries_;
    while (!shown.empty() && legendWidth(shown, theme) > width())
        shown.pop_back();
    drawLegend(painter, QPointF(width() - legendWidth(shown, theme), (height() - 24) / 2.0), shown, theme);
}

ViewBar::ViewBar(QWidget* parent) : QWidget(parent) {
    setFixedHeight(themeOf(this).px(30));
}

void ViewBar::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Token::BgPanel));
    painter.fillRect(0, height() - 1, width(), 1, theme.color(Token::Line2));
}

}  // namespace memplan::ui
