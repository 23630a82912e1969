// SPDX-License-Identifier: GPL-3.0-or-later
#include "passes/pass_timeline.h"

#include "core/graphic_accessible.h"
#include "core/plan_look.h"
#include "core/theme.h"
#include "core/units.h"
#include "passes/pass_bar.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace memplan::ui {
namespace {

constexpr int kTop = 20, kBarHeight = 34, kThin = 12, kSliderGap = 14;
constexpr int kLeast = 14, kLeastNamed = 64;  ///< width of a bar

QString milliseconds(double seconds) {
    return QObject::tr("%1 ms").arg(seconds * 1000.0, 0, 'f', 2);
}

}  // namespace

PassTimeline::PassTimeline(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("passTimeline"));
    makeGraphicAccessible(this);
    setAccessibleName(tr("Pass timeline"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

QSize PassTimeline::sizeHint() const {
    return {600, themeOf(this).px(kTop + kBarHeight + kSliderGap + 16)};
}
QSize PassTimeline::minimumSizeHint() const {
    return {200, sizeHint().height()};
}

void PassTimeline::setPlan(PlanPtr plan) {
    plan_ = std::move(plan);
    current_ = -1;
    arrange();
}

bool PassTimeline::hasTimes() const {
    return totalSeconds() > 0;
}

double PassTimeline::totalSeconds() const {
    double sum = 0;
    if (plan_) {
        for (const PassRun& run : plan_->passes)
            sum += run.parent.empty() ? run.seconds : 0;
    }
    return sum;
}

QString PassTimeline::slowestText() const {
    if (!plan_ || !hasTimes()) return {};
    std::vector<std::size_t> order(plan_->passes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto slower = [&](std::size_t a, std::size_t b) {
        return plan_->passes[a].seconds > plan_->passes[b].seconds;
    };
    std::stable_sort(order.begin(), order.end(), slower);
    QStringList parts;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, order.size()); ++i) {
        const PassRun& run = plan_->passes[order[i]];
        parts << QStringLiteral("%1 %2").arg(fromStd(run.name), milliseconds(run.seconds));
    }
    return tr("Slowest: %1").arg(parts.join(QStringLiteral(", ")));
}

void PassTimeline::setScale(Scale scale) {
    scale_ = scale;
    arrange();
}

void PassTimeline::setUnchangedHidden(bool hidden) {
    hideUnchanged_ = hidden;
    arrange();
}

/// Each bar gets its least width, the rest is shared by time; without times all are equally long.
void PassTimeline::arrange() {
    bars_.clear();
    update();
    if (!plan_) return;
    const Theme& theme = themeOf(this);
    std::vector<double> weights;
    for (std::size_t i = 0; i < plan_->passes.size(); ++i) {
        const PassRun& run = plan_->passes[i];
        if (hideUnchanged_ && !run.changed) continue;
        bars_.push_back({static_cast<int>(i), {}});
        const double time = hasTimes() ? run.seconds : 1.0;
        weights.push_back(!run.ran ? 0 : scale_ == Scale::SquareRoot ? std::sqrt(time) : time);
    }
    if (bars_.empty()) return;
    const double sum = std::max(1e-12, std::accumulate(weights.begin(), weights.end(), 0.0));
    const double gap = 2;
    // A pass that changed something has its name in its bar: it is at least as wide as a few letters.
    std::vector<double> least;
    for (const Bar& bar : bars_) {
        const bool named = plan_->passes[static_cast<std::size_t>(bar.pass)].changed;
        least.push_back(theme.px(named ? kLeastNamed : kLeast));
    }
    const double wide = width() - theme.px(20) - gap * static_cast<double>(bars_.size());
    const double wanted = std::accumulate(least.begin(), least.end(), 0.0);
    if (wanted > wide)
        std::ranges::transform(least, least.begin(), [&](double w) { return std::max(1.0, w * wide / wanted); });
    const double room = std::max(0.0, wide - wanted);
    double x = theme.px(10);
    for (std::size_t i = 0; i < bars_.size(); ++i) {
        const PassRun& run = plan_->passes[static_cast<std::size_t>(bars_[i].pass)];
        const double w = std::max(2.0, least[i] + room * weights[i] / sum);
        const double h = run.changed ? theme.px(kBarHeight) : theme.px(kThin);
        const double inset = run.parent.empty() ? 0 : theme.px(4);
        bars_[i].rect = QRectF(x, theme.px(kTop) + (theme.px(kBarHeight) - h) / 2 + inset, w, h - inset);
        x += w + gap;
    }
}

QRectF PassTimeline::barRect(int pass) const {
    for (const Bar& bar : bars_) {
        if (bar.pass == pass) return bar.rect;
    }
    return {};
}

int PassTimeline::passAt(QPointF position) const {
    int nearest = -1;
    double best = 1e9;
    for (const Bar& bar : bars_) {
        const double d = position.x() < bar.rect.left() ? bar.rect.left() - position.x()
                                                        : std::max(0.0, position.x() - bar.rect.right());
        if (d < best) {
            best = d;
            nearest = bar.pass;
        }
    }
    return nearest;
}

void PassTimeline::setCurrent(int pass) {
    if (pass == current_) return;
    current_ = pass;
    update();
    if (plan_ && pass >= 0) setAccessibleDescription(tooltipOf(pass).replace(u'\n', QStringLiteral(", ")));
}

void PassTimeline::choose(int pass) {
    if (pass < 0 || pass == current_) return;
    setCurrent(pass);
    emit passChosen(pass);
}

void PassTimeline::stepChanged(int direction) {
    if (!plan_) return;
    const int count = static_cast<int>(plan_->passes.size());
    for (int i = current_ + direction; i >= 0 && i < count; i += direction) {
        if (plan_->passes[static_cast<std::size_t>(i)].changed) return choose(i);
    }
}

QString PassTimeline::tooltipOf(int pass) const {
    const PassRun& run = plan_->passes[static_cast<std::size_t>(pass)];
    QStringList lines{QStringLiteral("%1  %2").arg(pass + 1).arg(fromStd(run.name))};
    if (!run.title.empty()) lines << fromStd(run.title);
    lines << (!run.ran      ? tr("switched off or not reached")
              : run.changed ? tr("changed something")
                            : tr("changed nothing"));
    if (run.ran && hasTimes()) lines << milliseconds(run.seconds);
    const QString changes = passCountsText(run);
    if (!changes.isEmpty()) lines << changes;
    if (!run.diagnostics.empty())
        lines << plural(static_cast<qint64>(run.diagnostics.size()), tr("finding"), tr("findings"));
    if (run.mandatory) lines << tr("mandatory: cannot be switched off");
    return lines.join(u'\n');
}

void PassTimeline::paintBar(QPainter& p, const Bar& bar) const {
    const Theme& theme = themeOf(this);
    const PassRun& run = plan_->passes[static_cast<std::size_t>(bar.pass)];
    const bool on = bar.pass == current_;
    paintPassBar(p, bar.rect, lookOf(run), theme, on);
    if (on) {
        p.setRenderHint(QPainter::Antialiasing);
        p.setBrush(Qt::NoBrush);
        p.setPen(QPen(theme.color(Token::SelectOutline), 2));
        p.drawRoundedRect(bar.rect.adjusted(-2, -2, 2, 2), 3, 3);
    }
    p.setRenderHint(QPainter::Antialiasing, false);
    const QRectF number(bar.rect.left() - 10, 0, bar.rect.width() + 20, theme.px(kTop) - 2);
    p.setFont(theme.font(on ? TextStyle::SmallStrong : TextStyle::Small));
    p.setPen(theme.color(on ? Token::Text1 : Token::Text3));
    const QString digits = QString::number(bar.pass + 1);
    const bool roomy = bar.rect.width() + 2 >= p.fontMetrics().horizontalAdvance(digits) + 4;
    if (roomy || on) p.drawText(number, Qt::AlignHCenter | Qt::AlignBottom, digits);
    if (!run.changed || bar.rect.width() < theme.px(56)) return;
    const QRectF text = bar.rect.adjusted(theme.px(6), theme.px(3), -theme.px(4), -theme.px(2));
    p.setFont(theme.font(TextStyle::SmallStrong));
    p.setPen(theme.color(Token::Text1));
    p.drawText(text, Qt::AlignLeft | Qt::AlignTop,
               p.fontMetrics().elidedText(fromStd(run.name), Qt::ElideRight, static_cast<int>(text.width())));
    QStringList facts;
    if (hasTimes()) facts << milliseconds(run.seconds);
    const QString changes = passCountsText(run);
    if (!changes.isEmpty()) facts << changes;
    p.setFont(theme.font(TextStyle::Small));
    p.setPen(theme.color(on ? Token::Text1 : Token::Text2));
    p.drawText(text, Qt::AlignLeft | Qt::AlignBottom,
               p.fontMetrics().elidedText(facts.join(QStringLiteral(" \u00b7 ")), Qt::ElideRight,
                                          static_cast<int>(text.width())));
}

void PassTimeline::paintSlider(QPainter& p) const {
    const Theme& theme = themeOf(this);
    const double y = theme.px(kTop + kBarHeight + kSliderGap);
    const double left = bars_.front().rect.left();
    const double right = bars_.back().rect.right();
    const QRectF at = barRect(current_);
    const double knob = at.isNull() ? right : at.center().x();
    p.fillRect(QRectF(left, y - 1.5, right - left, 3), theme.color(Token::Line1));
    p.fillRect(QRectF(left, y - 1.5, knob - left, 3), theme.color(Token::Accent));
    for (const Bar& bar : bars_) {
        if (plan_->passes[static_cast<std::size_t>(bar.pass)].changed)
            p.fillRect(QRectF(bar.rect.center().x(), y - 3, 1, 6), theme.color(Token::LineControl));
    }
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(QPen(theme.color(Token::Accent), 2));
    p.setBrush(theme.color(Token::BgCanvas));
    p.drawEllipse(QPointF(knob, y), theme.px(6), theme.px(6));
    p.setRenderHint(QPainter::Antialiasing, false);
}

void PassTimeline::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter p(this);
    p.fillRect(rect(), theme.color(Token::BgCanvas));
    if (bars_.empty()) return;
    for (const Bar& bar : bars_)
        paintBar(p, bar);
    paintSlider(p);
    if (!hasFocus()) return;
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(theme.color(Token::SelectOutline), 2));
    p.drawRect(rect().adjusted(1, 1, -1, -1));
}

void PassTimeline::resizeEvent(QResizeEvent*) {
    arrange();
}

void PassTimeline::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) choose(passAt(event->position()));
}

void PassTimeline::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton)) choose(passAt(event->position()));
}

void PassTimeline::keyPressEvent(QKeyEvent* event) {
    if (!plan_ || event->modifiers() != Qt::NoModifier) return QWidget::keyPressEvent(event);
    const int last = static_cast<int>(plan_->passes.size()) - 1;
    switch (event->key()) {
    case Qt::Key_J:
        return stepChanged(-1);
    case Qt::Key_K:
        return stepChanged(1);
    case Qt::Key_Left:
        return choose(std::max(0, current_ - 1));
    case Qt::Key_Right:
        return choose(std::min(last, current_ + 1));
    case Qt::Key_Home:
        return choose(0);
    case Qt::Key_End:
        return choose(last);
    default:
        QWidget::keyPressEvent(event);
    }
}

bool PassTimeline::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && plan_) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int pass = passAt(help->pos());
        if (pass >= 0) QToolTip::showText(help->globalPos(), tooltipOf(pass), this);
        return true;
    }
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
    return QWidget::event(event);
}

}  // namespace memplan::ui
