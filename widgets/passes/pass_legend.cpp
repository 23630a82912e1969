// SPDX-License-Identifier: GPL-3.0-or-later
#include "passes/pass_legend.h"

#include "core/theme.h"

#include <QPainter>

#include <algorithm>

namespace memplan::ui {

namespace {
constexpr int kSwatch = 20, kGap = 6, kBetween = 14;
}

PassLegend::PassLegend(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("passLegend"));
    setAccessibleName(tr("Legend"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
}

void PassLegend::setPasses(const std::vector<PassRun>& passes) {
    entries_.clear();
    const auto add = [&](Look look, const QString& text, auto isSo) {
        if (std::ranges::any_of(passes, isSo)) entries_.push_back({look, text});
    };
    add(Look::Changed, tr("changed something"), [](const PassRun& run) { return run.ran && run.changed; });
    add(Look::Unchanged, tr("changed nothing"), [](const PassRun& run) { return run.ran && !run.changed; });
    add(Look::Off, tr("switched off"), [](const PassRun& run) { return !run.ran; });
    setAccessibleDescription(texts().join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QStringList PassLegend::texts() const {
    QStringList list;
    for (const Entry& entry : entries_)
        list << entry.text;
    return list;
}

QSize PassLegend::sizeHint() const {
    const Theme& theme = themeOf(this);
    const QFontMetrics metrics(theme.font(TextStyle::Small));
    int width = 0;
    for (const Entry& entry : entries_)
        width += theme.px(kSwatch + kGap + kBetween) + metrics.horizontalAdvance(entry.text);
    return {width, metrics.height()};
}

void PassLegend::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter p(this);
    p.setFont(theme.font(TextStyle::Small));
    int x = 0;
    for (const Entry& entry : entries_) {
        // As the timeline paints them.
        const int high = theme.px(entry.look == Look::Changed ? 12 : 7);
        const QRectF swatch(x + 0.5, (height() - high) / 2 + 0.5, theme.px(kSwatch) - 1, high - 1);
        QPen edge(theme.color(entry.look == Look::Changed ? Token::SelectOutline : Token::LineControl), 1);
        if (entry.look == Look::Off) edge.setDashPattern({3, 2});
        const Token fills[] = {Token::BgSelected, Token::BgHover, Token::BgCanvas};
        p.setRenderHint(QPainter::Antialiasing);
        p.setPen(edge);
        p.setBrush(theme.color(fills[static_cast<int>(entry.look)]));
        p.drawRoundedRect(swatch, 2, 2);
        p.setRenderHint(QPainter::Antialiasing, false);
        x += theme.px(kSwatch + kGap);
        const int wide = p.fontMetrics().horizontalAdvance(entry.text);
        p.setPen(theme.color(Token::Text2));
        p.drawText(QRect(x, 0, wide + 2, height()), Qt::AlignVCenter | Qt::AlignLeft, entry.text);
        x += wide + theme.px(kBetween);
    }
}

}  // namespace memplan::ui
