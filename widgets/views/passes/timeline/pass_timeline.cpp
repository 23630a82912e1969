// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/passes/timeline/pass_timeline.h"

#include "widgets/kit/theme/theme.h"
#include "widgets/plan/pass_words.h"
#include "widgets/plan/plan_look.h"
#include "widgets/plan/units.h"
#include "widgets/views/passes/timeline/pass_texts.h"

#include <QPainter>

#include <algorithm>
#include <numeric>

namespace memplan::ui {

PassTimeline::PassTimeline(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("passTimeline"));
    setUpCells(this, this, tr("Pass timeline"));
}

QSize PassTimeline::sizeHint() const {
    return {600, passBarsHeight(themeOf(this))};
}
QSize PassTimeline::minimumSizeHint() const {
    return {200, sizeHint().height()};
}

void PassTimeline::setPlan(PlanPtr plan) {
    plan_ = std::move(plan);
    chosen_ = -1;
    setCurrentCell(-1);
    arrange();
}

bool PassTimeline::hasTimes() const {
    return totalSeconds() > 0;
}

double PassTimeline::totalSeconds() const {
    return plan_ ? passSeconds(plan_->passes) : 0;
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
        parts << QStringLiteral("%1 %2").arg(passTitle(run), passTimeText(run.seconds));
    }
    return tr("Slowest: %1").arg(parts.join(QStringLiteral(", ")));
}

void PassTimeline::setScale(Scale scale) {
    form_.isLinear = scale == Scale::Linear;
    arrange();
}

void PassTimeline::setUnchangedHidden(bool hidden) {
    form_.hidesUnchanged = hidden;
    arrange();
}

void PassTimeline::arrange() {
    bars_ = plan_ ? passBars(plan_->passes, form_, width(), themeOf(this)) : PassBars();
    update();
}

QRectF PassTimeline::barRect(int pass) const {
    return bars_.rectOf(pass);
}

int PassTimeline::passAt(QPointF position) const {
    return bars_.passAt(position.x());
}

void PassTimeline::setCurrent(int pass) {
    chosen_ = pass;
    if (pass != current()) setCurrentCell(pass);
}

void PassTimeline::choose(int pass) {
    if (pass < 0 || pass == chosen_) return;
    setCurrent(pass);
    emit passChosen(pass);
}

void PassTimeline::stepChanged(int direction) {
    if (plan_) choose(changedBeside(current(), direction));
}

/// The pass itself where there is none.
int PassTimeline::changedBeside(int pass, int direction) const {
    const int count = static_cast<int>(plan_->passes.size());
    for (int i = pass + direction; i >= 0 && i < count; i += direction)
        if (plan_->passes[static_cast<std::size_t>(i)].changed) return i;
    return pass;
}

QString PassTimeline::cellText(int pass) const {
    if (!plan_ || pass < 0 || static_cast<std::size_t>(pass) >= plan_->passes.size()) return {};
    const PassRun& run = plan_->passes[static_cast<std::size_t>(pass)];
    QStringList lines{QStringLiteral("%1  %2").arg(pass + 1).arg(passTitle(run))};
    if (!run.title.empty()) lines << fromStd(run.name);
    lines << (!run.ran      ? tr("switched off or not reached")
              : run.changed ? tr("changed something")
                            : tr("changed nothing"));
    if (run.ran && hasTimes()) lines << passTimeText(run.seconds);
    const QString changes = passCountsText(run);
    if (!changes.isEmpty()) lines << changes;
    if (!run.diagnostics.empty())
        lines << plural(static_cast<qint64>(run.diagnostics.size()), tr("finding"), tr("findings"));
    if (run.mandatory) lines << tr("mandatory: cannot be switched off");
    return lines.join(u'\n');
}

void PassTimeline::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter p(this);
    p.fillRect(rect(), theme.color(Token::BgCanvas));
    if (bars_.list.empty()) return;
    paintPassBars(p, plan_->passes, bars_, current(), theme);
    if (!hasFocus()) return;
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(theme.color(Token::SelectOutline), 2));
    p.drawRect(rect().adjusted(1, 1, -1, -1));
}

void PassTimeline::resizeEvent(QResizeEvent*) {
    arrange();
}

void PassTimeline::cellPressed(int pass, Qt::KeyboardModifiers) {
    choose(pass);
}

void PassTimeline::cellReached(int pass) {
    choose(pass);
}

void PassTimeline::cellDragged(int pass) {
    choose(pass);
}

int PassTimeline::cellBeside(int pass, int key) const {
    if (!plan_ || plan_->passes.empty()) return -1;
    const int last = static_cast<int>(plan_->passes.size()) - 1;
    switch (key) {
    case Qt::Key_J:
        return changedBeside(pass, -1);
    case Qt::Key_K:
        return changedBeside(pass, 1);
    case Qt::Key_Left:
        return std::max(0, pass - 1);
    case Qt::Key_Right:
        return std::min(last, pass + 1);
    case Qt::Key_Home:
        return 0;
    case Qt::Key_End:
        return last;
    default:
        return -1;
    }
}

}  // namespace memplan::ui
