// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/pane/dock_title_bar.h"

#include "widgets/canvas/graphic_view.h"
#include "widgets/canvas/pane/view_pane.h"
#include "widgets/kit/theme/as_written.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"

#include <QAction>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>

namespace memplan::ui {

DockTitleBar::DockTitleBar(const QString& name, QDockWidget* dock, QWidget* parent)
    : QWidget(parent ? parent : dock), name_(name) {
    buttons_ = new QHBoxLayout(this);
    setScaledMargins(buttons_, {0, 0, 4, 1}, 0);
    buttons_->addStretch();
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(name);
    if (!dock) return;
    QToolButton* floating = makeButton(QStringLiteral("dock-float"), tr("Float"));
    connect(floating, &QToolButton::clicked, dock, [dock] { dock->setFloating(!dock->isFloating()); });
    QToolButton* close = makeButton(QStringLiteral("dock-close"), tr("Close"));
    connect(close, &QToolButton::clicked, dock, &QDockWidget::close);
    buttons_->addWidget(floating);
    buttons_->addWidget(close);
    fixedButtons_ = 2;
    dock->setTitleBarWidget(this);
}

QToolButton* DockTitleBar::makeButton(const QString& iconName, const QString& tooltip) {
    auto* button = new QToolButton(this);
    button->setIcon(icon(iconName));
    setScaledIconSize(button, 16);
    button->setToolTip(tooltip);
    button->setAccessibleName(name_ + QStringLiteral(": ") + tooltip);
    button->setAutoRaise(true);
    setScaledSize(button, 24, 24);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

QToolButton* DockTitleBar::addButton(const QString& iconName, const QString& tooltip) {
    QToolButton* button = makeButton(iconName, tooltip);
    buttons_->insertWidget(buttons_->count() - fixedButtons_, button);
    return button;
}

QToolButton* DockTitleBar::addAction(QAction* action) {
    QToolButton* button = addButton(QString(), action->text());
    button->setDefaultAction(action);
    return button;
}

void DockTitleBar::setName(const QString& name) {
    name_ = name;
    setAccessibleName(name);
    update();
}

void DockTitleBar::setScope(const QString& scope) {
    scope_ = scope;
    setToolTip(scope);
    update();
}

QSize DockTitleBar::sizeHint() const {
    return {themeOf(this).px(120), themeOf(this).px(28)};
}
QSize DockTitleBar::minimumSizeHint() const {
    return sizeHint();
}

void DockTitleBar::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Token::BgPanel));
    painter.fillRect(0, height() - 1, width(), 1, theme.color(Token::Line1));
    int right = width() - 6;
    for (int i = 0; i < buttons_->count(); ++i)
        if (const QWidget* w = buttons_->itemAt(i)->widget(); w && w->isVisible()) right = std::min(right, w->x());
    QRect text(theme.px(10), 0, right - theme.px(18), height() - 1);
    painter.setFont(theme.font(TextStyle::BodyStrong));
    painter.setPen(theme.color(Token::Text1));
    const QString name = painter.fontMetrics().elidedText(name_, Qt::ElideRight, text.width());
    painter.drawText(text, Qt::AlignVCenter | Qt::TextSingleLine, name);
    text.setLeft(text.left() + painter.fontMetrics().horizontalAdvance(name) + theme.px(8));
    painter.setFont(theme.font(TextStyle::Body));
    painter.setPen(theme.color(Token::Text3));
    if (text.width() > 12)
        painter.drawText(text, Qt::AlignVCenter | Qt::TextSingleLine,
                         painter.fontMetrics().elidedText(asWritten(scope_), Qt::ElideRight, text.width()));
}

DockTitleBar* makeViewTitle(ViewPane* pane, QDockWidget* dock) {
    GraphicView* view = pane->view();
    auto* title = new DockTitleBar(view->viewName(), dock, dock ? nullptr : static_cast<QWidget*>(pane));
    QToolButton* twin = title->addButton(QStringLiteral("table-twin"), DockTitleBar::tr("Show as table (Ctrl+T)"));
    QToolButton* fit = title->addButton(QStringLiteral("fit-selection"), DockTitleBar::tr("Fit all (Home)"));
    QObject::connect(twin, &QToolButton::clicked, pane, &ViewPane::toggleTable);
    QObject::connect(fit, &QToolButton::clicked, view, &GraphicView::fitAll);
    const auto follow = [title, view] { title->setScope(view->scopeText()); };
    QObject::connect(view, &GraphicView::scopeChanged, title, follow);
    follow();
    return title;
}

}  // namespace memplan::ui
