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
    const auto add = [&](PassLook look, const QString& text) {
        const bool isThere = std::ranges::any_of(passes, [look](const PassRun& run) { return lookOf(run) == look; });
        if (isThere) entries_.push_back({look, text});
    };
    add(PassLook::Changed, tr("changed something"));
    add(PassLook::Unchanged, tr("changed nothing"));
    add(PassLook::Off, tr("switched off"));
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
        const int high = theme.px(entry.look == PassLook::Changed ? 12 : 7);
        paintPassBar(p, QRectF(x, (height() - high) / 2, theme.px(kSwatch), high), entry.look, theme);
        x += theme.px(kSwatch + kGap);
        const int wide = p.fontMetrics().horizontalAdvance(entry.text);
        p.setPen(theme.color(Token::Text2));
        p.drawText(QRect(x, 0, wide + 2, height()), Qt::AlignVCenter | Qt::AlignLeft, entry.text);
        x += wide + theme.px(kBetween);
    }
}

}  // namespace memplan::ui
