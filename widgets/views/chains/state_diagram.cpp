// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/chains/state_diagram.h"

#include "widgets/kit/theme/theme.h"
#include "widgets/views/chains/data/chain_words.h"

#include <QPainter>

namespace memplan::ui {

using ttnn::ChainState;

namespace {

/// Whether a chain that is in `now` went through `state`.
bool wasIn(ChainState state, ChainState now) {
    if (now == ChainState::Failed) return state != ChainState::Resolved && state != ChainState::Completed;
    return state != ChainState::Failed && static_cast<int>(state) <= static_cast<int>(now);
}

}  // namespace

StateDiagram::StateDiagram(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("States of the chain"));
}

void StateDiagram::setState(std::optional<ChainState> state) {
    state_ = state;
    setVisible(state.has_value());
    if (state) setAccessibleDescription(stateWord(*state));
    update();
}

QSize StateDiagram::sizeHint() const {
    const Theme& theme = themeOf(this);
    return {theme.px(280), theme.px(68)};
}

void StateDiagram::paintEvent(QPaintEvent*) {
    if (!state_) return;
    const Theme& theme = themeOf(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing, true);
    constexpr ChainState kLine[]{ChainState::InBuild, ChainState::Built, ChainState::Resolved, ChainState::Completed};
    const double gap = theme.px(12), wide = (width() - gap * 3 - 2) / 4.0, high = theme.px(24);
    const auto box = [&](ChainState state, QRectF r) {
        const bool isOnPath = wasIn(state, *state_);
        p.setPen(QPen(theme.color(isOnPath ? stateToken(state) : Token::Line2), state == *state_ ? 2 : 1));
        p.setBrush(theme.color(state == *state_ && state == ChainState::Completed ? Token::GoodBg
                               : state == *state_ && state == ChainState::Failed  ? Token::ErrorBg
                                                                                  : Token::BgRaised));
        p.drawRoundedRect(r, 3, 3);
        p.setFont(theme.font(state == *state_ ? TextStyle::SmallStrong : TextStyle::Small));
        p.setPen(theme.color(isOnPath ? Token::Text1 : Token::Text3));
        p.drawText(r, Qt::AlignCenter, stateWord(state));
    };
    for (int i = 0; i < 4; ++i) {
        const QRectF r(1 + i * (wide + gap), 2, wide, high);
        box(kLine[i], r);
        if (i == 3) break;
        const bool isTaken = wasIn(kLine[i], *state_) && wasIn(kLine[i + 1], *state_);
        p.setPen(QPen(theme.color(isTaken ? Token::Text1 : Token::Line2), 1.5));
        p.drawLine(QPointF(r.right() + 1, r.center().y()), QPointF(r.right() + gap - 1, r.center().y()));
    }
    const QRectF failed(1 + 2 * (wide + gap), high + theme.px(16), wide, high);
    box(ChainState::Failed, failed);
    p.setPen(QPen(theme.color(*state_ == ChainState::Failed ? Token::Error : Token::Line2), 1.5));
    const double x = 1 + (wide + gap) + wide / 2;
    p.drawLine(QPointF(x, high + 3), QPointF(x, failed.center().y()));
    p.drawLine(QPointF(x, failed.center().y()), QPointF(failed.left() - 1, failed.center().y()));
}

}  // namespace memplan::ui
