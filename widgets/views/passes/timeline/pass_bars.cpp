// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/passes/timeline/pass_bars.h"

#include "widgets/plan/pass_words.h"
#include "widgets/plan/plan_look.h"
#include "widgets/plan/units.h"
#include "widgets/views/passes/timeline/pass_bar.h"
#include "widgets/views/passes/timeline/pass_texts.h"

#include <QObject>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace memplan::ui {
namespace {

constexpr int kTop = 20, kBarHeight = 34, kThin = 12, kSliderGap = 14;
constexpr int kLeast = 14, kLeastNamed = 64;  ///< width of a bar
constexpr double kGap = 2;

double weightOf(const PassRun& run, const PassBarsForm& form) {
    if (!run.ran) return 0;
    const double time = form.hasTimes ? run.seconds : 1.0;
    return form.isLinear ? time : std::sqrt(time);
}

void paintNumber(QPainter& p, const PassBars::Bar& bar, bool on, const Theme& theme) {
    const QRectF number(bar.rect.left() - 10, 0, bar.rect.width() + 20, theme.px(kTop) - 2);
    p.setFont(theme.font(on ? TextStyle::SmallStrong : TextStyle::Small));
    p.setPen(theme.color(on ? Token::Text1 : Token::Text3));
    const QString digits = QString::number(bar.pass + 1);
    const bool roomy = bar.rect.width() + 2 >= QFontMetricsF(p.font()).horizontalAdvance(digits) + 4;
    if (roomy || on) p.drawText(number, Qt::AlignHCenter | Qt::AlignBottom, digits);
}

void paintWords(QPainter& p, const PassBars::Bar& bar, const PassRun& run, bool hasTimes, bool on, const Theme& theme) {
    const QRectF text = bar.rect.adjusted(theme.px(6), theme.px(3), -theme.px(4), -theme.px(2));
    p.setFont(theme.font(TextStyle::SmallStrong));
    p.setPen(theme.color(Token::Text1));
    p.drawText(text, Qt::AlignLeft | Qt::AlignTop,
               QFontMetricsF(p.font()).elidedText(passTitle(run), Qt::ElideRight, text.width()));
    QStringList facts;
    if (hasTimes) facts << passTimeText(run.seconds);
    const QString changes = passCountsText(run);
    if (!changes.isEmpty()) facts << changes;
    p.setFont(theme.font(TextStyle::Small));
    p.setPen(theme.color(on ? Token::Text1 : Token::Text2));
    p.drawText(
        text, Qt::AlignLeft | Qt::AlignBottom,
        QFontMetricsF(p.font()).elidedText(facts.join(QStringLiteral(" \u00b7 ")), Qt::ElideRight, text.width()));
}

void paintBar(QPainter& p, const PassBars::Bar& bar, const PassRun& run, bool hasTimes, bool on, const Theme& theme) {
    paintPassBar(p, bar.rect, lookOf(run), theme, on);
    if (on) {
        p.setRenderHint(QPainter::Antialiasing);
        p.setBrush(Qt::NoBrush);
        p.setPen(QPen(theme.color(Token::SelectOutline), 2));
        p.drawRoundedRect(bar.rect.adjusted(-2, -2, 2, 2), 3, 3);
    }
    p.setRenderHint(QPainter::Antialiasing, false);
    paintNumber(p, bar, on, theme);
    if (run.changed && bar.rect.width() >= theme.px(56)) paintWords(p, bar, run, hasTimes, on, theme);
}

void paintSlider(QPainter& p, const std::vector<PassRun>& passes, const PassBars& bars, int current,
                 const Theme& theme) {
    const double y = theme.px(kTop + kBarHeight + kSliderGap);
    const double left = bars.list.front().rect.left();
    const double right = bars.list.back().rect.right();
    const QRectF at = bars.rectOf(current);
    const double knob = at.isNull() ? right : at.center().x();
    p.fillRect(QRectF(left, y - 1.5, right - left, 3), theme.color(Token::Line1));
    p.fillRect(QRectF(left, y - 1.5, knob - left, 3), theme.color(Token::Accent));
    for (const PassBars::Bar& bar : bars.list) {
        if (runOf(passes, bar.pass).changed)
            p.fillRect(QRectF(bar.rect.center().x(), y - 3, 1, 6), theme.color(Token::LineControl));
    }
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(QPen(theme.color(Token::Accent), 2));
    p.setBrush(theme.color(Token::BgCanvas));
    p.drawEllipse(QPointF(knob, y), theme.px(6), theme.px(6));
    p.setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace

QRectF PassBars::rectOf(int pass) const {
    const auto found = std::ranges::find(list, pass, &Bar::pass);
    return found == list.end() ? QRectF() : found->rect;
}

int PassBars::passAt(double x) const {
    int nearest = -1;
    double best = std::numeric_limits<double>::max();
    for (const Bar& bar : list) {
        const double away = x < bar.rect.left() ? bar.rect.left() - x : std::max(0.0, x - bar.rect.right());
        if (away >= best) continue;
        best = away;
        nearest = bar.pass;
    }
    return nearest;
}

int passBarsHeight(const Theme& theme) {
    return theme.px(kTop + kBarHeight + kSliderGap + 16);
}

double passSeconds(const std::vector<PassRun>& passes) {
    double sum = 0;
    for (const PassRun& run : passes)
        sum += run.parent.empty() ? run.seconds : 0;
    return sum;
}

/// Each bar gets its least width, the rest is shared by time; without times all are equally long.
PassBars passBars(const std::vector<PassRun>& passes, PassBarsForm form, double width, const Theme& theme) {
    form.hasTimes = form.hasTimes && passSeconds(passes) > 0;
    PassBars bars{form, {}};
    std::vector<double> weights, least;
    for (std::size_t i = 0; i < passes.size(); ++i) {
        if (form.hidesUnchanged && !passes[i].changed) continue;
        bars.list.push_back({static_cast<int>(i), {}});
        weights.push_back(weightOf(passes[i], form));
        // A pass that changed something has its name in its bar: it is at least as wide as a few letters.
        least.push_back(theme.px(passes[i].changed ? kLeastNamed : kLeast));
    }
    const double sum = std::max(1e-12, std::accumulate(weights.begin(), weights.end(), 0.0));
    const double wide = width - theme.px(20) - kGap * static_cast<double>(bars.list.size());
    const double wanted = std::accumulate(least.begin(), least.end(), 0.0);
    if (wanted > wide)
        std::ranges::transform(least, least.begin(), [&](double w) { return std::max(1.0, w * wide / wanted); });
    const double room = std::max(0.0, wide - wanted);
    double x = theme.px(10);
    for (std::size_t i = 0; i < bars.list.size(); ++i) {
        const PassRun& run = runOf(passes, bars.list[i].pass);
        const double w = std::max(2.0, least[i] + room * weights[i] / sum);
        const double h = run.changed ? theme.px(kBarHeight) : theme.px(kThin);
        const double inset = run.parent.empty() ? 0 : theme.px(4);
        bars.list[i].rect = QRectF(x, theme.px(kTop) + (theme.px(kBarHeight) - h) / 2 + inset, w, h - inset);
        x += w + kGap;
    }
    return bars;
}

void paintPassBars(QPainter& painter, const std::vector<PassRun>& passes, const PassBars& bars, int current,
                   const Theme& theme) {
    if (bars.list.empty()) return;
    for (const PassBars::Bar& bar : bars.list)
        paintBar(painter, bar, runOf(passes, bar.pass), bars.form.hasTimes, bar.pass == current, theme);
    paintSlider(painter, passes, bars, current, theme);
}

}  // namespace memplan::ui
