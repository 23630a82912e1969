// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/passes/timeline/pass_legend.h"

#include "widgets/kit/theme/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace memplan::ui {

namespace {
constexpr int kSwatch = 20, kGap = 6, kBetween = 14;
}

std::vector<PassLegendEntry> passLegend(const std::vector<PassRun>& passes) {
    std::vector<PassLegendEntry> entries;
    const auto add = [&](PassLook look, const QString& text) {
        const bool isThere = std::ranges::any_of(passes, [look](const PassRun& run) { return lookOf(run) == look; });
        if (isThere) entries.push_back({look, text});
    };
    add(PassLook::Changed, PassLegend::tr("changed something"));
    add(PassLook::Unchanged, PassLegend::tr("changed nothing"));
    add(PassLook::Off, PassLegend::tr("switched off"));
    return entries;
}

double paintPassLegend(QPainter& painter, const QRectF& line, const std::vector<PassLegendEntry>& entries,
                       const Theme& theme) {
    painter.setFont(theme.font(TextStyle::Small));
    const QFontMetrics metrics(painter.font());
    double x = line.left();
    for (const PassLegendEntry& entry : entries) {
        const int high = theme.px(entry.look == PassLook::Changed ? 12 : 7);
        const double top = line.top() + std::floor((line.height() - high) / 2);
        paintPassBar(painter, QRectF(x, top, theme.px(kSwatch), high), entry.look, theme);
        x += theme.px(kSwatch + kGap);
        const int wide = metrics.horizontalAdvance(entry.text);
        painter.setPen(theme.color(Token::Text2));
        painter.drawText(QRectF(x, line.top(), wide + 2, line.height()), Qt::AlignVCenter | Qt::AlignLeft, entry.text);
        x += wide + theme.px(kBetween);
    }
    return x - line.left();
}

PassLegend::PassLegend(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("passLegend"));
    setAccessibleName(tr("Legend"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
}

void PassLegend::setPasses(const std::vector<PassRun>& passes) {
    entries_ = passLegend(passes);
    setAccessibleDescription(texts().join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QStringList PassLegend::texts() const {
    QStringList list;
    for (const PassLegendEntry& entry : entries_)
        list << entry.text;
    return list;
}

QSize PassLegend::sizeHint() const {
    const Theme& theme = themeOf(this);
    const QFontMetrics metrics(theme.font(TextStyle::Small));
    int width = 0;
    for (const PassLegendEntry& entry : entries_)
        width += theme.px(kSwatch + kGap + kBetween) + metrics.horizontalAdvance(entry.text);
    return {width, metrics.height()};
}

void PassLegend::paintEvent(QPaintEvent*) {
    QPainter p(this);
    paintPassLegend(p, rect(), entries_, themeOf(this));
}

}  // namespace memplan::ui
