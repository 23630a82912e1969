// SPDX-License-Identifier: GPL-3.0-or-later
// What stands right of the tabs of the workspace.
#pragma once

#include "widgets/canvas/graphic_view.h"
#include "widgets/kit/theme/theme.h"

#include <QPainter>
#include <QTabBar>
#include <QTabWidget>

namespace memplan::app {

/// Name and scope of the picture in the tabs, where the tabs leave room for them (UX 2.11). Pages with a title of
/// their own need none.
class TabScope final : public QWidget {
public:
    TabScope(QTabWidget* tabs, QWidget* page, const ui::GraphicView* view)
        : QWidget(tabs), tabs_(tabs), page_(page), view_(view) {
        tabs->setCornerWidget(this, Qt::TopRightCorner);
        connect(view, &ui::GraphicView::scopeChanged, this, [this] {
            setToolTip(view_->scopeText());
            update();
        });
        connect(tabs, &QTabWidget::currentChanged, this, [this] { update(); });
    }

    [[nodiscard]] QSize sizeHint() const override {
        const ui::Theme& theme = ui::themeOf(this);
        const int room = tabs_->width() - tabs_->tabBar()->sizeHint().width();
        return {room < theme.px(110) ? 0 : room, theme.px(28)};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const ui::Theme& theme = ui::themeOf(this);
        QPainter painter(this);
        painter.fillRect(rect(), theme.color(ui::Token::BgWindow));
        painter.fillRect(QRect(0, height() - 1, width(), 1), theme.color(ui::Token::Line1));
        if (tabs_->currentWidget() != page_) return;
        painter.setFont(theme.font(ui::TextStyle::Body));
        painter.setPen(theme.color(ui::Token::Text3));
        const QRect room = rect().adjusted(theme.px(10), 0, -theme.px(10), -1);
        const QString text = painter.fontMetrics().elidedText(view_->scopeText(), Qt::ElideRight, room.width());
        painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, text);
    }

private:
    QTabWidget* tabs_;
    QWidget* page_;
    const ui::GraphicView* view_;
};

}  // namespace memplan::app
