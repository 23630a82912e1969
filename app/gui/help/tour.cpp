// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/help/tour.h"

#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/theme.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QSettings>
#include <QTabWidget>
#include <QVBoxLayout>

namespace memplan::app {

using ui::TextStyle;
using ui::Token;

namespace {

/// A view behind other tabs comes to the front when the tour speaks of it.
void raiseTabsOf(QWidget* target) {
    for (QWidget* page = target; page != nullptr && page->parentWidget() != nullptr; page = page->parentWidget()) {
        auto* tabs = qobject_cast<QTabWidget*>(page->parentWidget()->parentWidget());
        if (tabs != nullptr && tabs->indexOf(page) >= 0) tabs->setCurrentWidget(page);
    }
}

}  // namespace

class Tour::Card final : public QWidget {
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent*) override {
        const ui::Theme& theme = ui::themeOf(this);
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        p.setPen(theme.color(Token::LineControl));
        p.setBrush(theme.color(Token::BgRaised));
        p.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    }
};

Tour::Tour(std::vector<TourStep> steps, QWidget* window) : QWidget(window), steps_(std::move(steps)) {
    setObjectName(QStringLiteral("tour"));
    setAccessibleName(tr("Tour"));
    setAttribute(Qt::WA_DeleteOnClose);
    setFocusPolicy(Qt::StrongFocus);
    const ui::Theme& theme = ui::themeOf(this);
    card_ = new Card(this);
    auto* column = new QVBoxLayout(card_);
    column->setContentsMargins(theme.px(16), theme.px(14), theme.px(16), theme.px(12));
    column->setSpacing(theme.px(8));
    title_ = new QLabel(card_);
    title_->setFont(theme.font(TextStyle::ObjectTitle));
    text_ = new QLabel(card_);
    text_->setWordWrap(true);
    text_->setMinimumWidth(theme.px(300));
    text_->setMaximumWidth(theme.px(300));
    auto* row = new QHBoxLayout;
    number_ = new QLabel(card_);
    number_->setForegroundRole(QPalette::PlaceholderText);
    auto* skip = new QPushButton(tr("Skip"), card_);
    skip->setObjectName(QStringLiteral("tourSkip"));
    next_ = new QPushButton(tr("Next"), card_);
    next_->setObjectName(QStringLiteral("tourNext"));
    next_->setDefault(true);
    ui::setPrimary(next_);
    row->addWidget(number_, 1);
    row->addWidget(skip);
    row->addWidget(next_);
    column->addWidget(title_);
    column->addWidget(text_);
    column->addLayout(row);
    connect(next_, &QPushButton::clicked, this, &Tour::next);
    connect(skip, &QPushButton::clicked, this, &Tour::skip);
    window->installEventFilter(this);
    QWidget::show();
    raise();
    show(0);
}

bool Tour::wasSeen() {
    return QSettings().value(QStringLiteral("tour/seen"), false).toBool();
}

void Tour::markSeen() {
    QSettings().setValue(QStringLiteral("tour/seen"), true);
}

void Tour::show(int step) {
    at_ = step;
    const TourStep& s = steps_[static_cast<std::size_t>(step)];
    raiseTabsOf(s.target);
    title_->setText(s.title);
    text_->setText(s.text);
    number_->setText(tr("%1 of %2").arg(step + 1).arg(count()));
    next_->setText(step + 1 == count() ? tr("Done") : tr("Next"));
    setAccessibleDescription(s.title + QStringLiteral(". ") + s.text);
    place();
    next_->setFocus();
}

void Tour::next() {
    if (at_ + 1 >= count()) return skip();
    show(at_ + 1);
}

void Tour::skip() {
    markSeen();
    close();
}

QRect Tour::targetRect() const {
    const QWidget* target = steps_[static_cast<std::size_t>(at_)].target;
    if (target == nullptr || !target->isVisible()) return {};
    return {mapFromGlobal(target->mapToGlobal(QPoint(0, 0))), target->size()};
}

void Tour::place() {
    setGeometry(parentWidget()->rect());
    card_->adjustSize();
    const QRect target = targetRect();
    const int gap = ui::themeOf(this).px(14);
    QPoint at((width() - card_->width()) / 2, (height() - card_->height()) / 2);
    if (!target.isNull()) {
        // Beside the target where there is room, else below, else above, else inside it.
        at = {target.right() + gap, target.top() + gap};
        if (at.x() + card_->width() > width()) at.setX(target.left() - gap - card_->width());
        if (at.x() < 0) {
            at = {target.left() + gap, target.bottom() + gap};
            if (at.y() + card_->height() > height()) at.setY(target.top() - gap - card_->height());
        }
        if (at.y() < 0) at = target.center() - QPoint(card_->width() / 2, card_->height() / 2);
    }
    at.setX(qBound(gap, at.x(), qMax(gap, width() - card_->width() - gap)));
    at.setY(qBound(gap, at.y(), qMax(gap, height() - card_->height() - gap)));
    card_->move(at);
    update();
}

void Tour::paintEvent(QPaintEvent*) {
    const ui::Theme& theme = ui::themeOf(this);
    QPainter p(this);
    const QRect target = targetRect();
    QPainterPath dimmed;
    dimmed.addRect(rect());
    if (!target.isNull()) {
        QPainterPath hole;
        hole.addRect(target);
        dimmed -= hole;
    }
    p.fillPath(dimmed, ui::Theme::withAlpha(Qt::black, 0.34));
    if (target.isNull()) return;
    p.setPen(QPen(theme.color(Token::SelectOutline), 2));
    p.setBrush(Qt::NoBrush);
    p.drawRect(target.adjusted(-1, -1, 0, 0));
}

void Tour::mousePressEvent(QMouseEvent*) {}  // what is dimmed waits

void Tour::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) return skip();
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return next();
    QWidget::keyPressEvent(event);
}

bool Tour::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize) place();
    return QWidget::eventFilter(watched, event);
}

}  // namespace memplan::app
