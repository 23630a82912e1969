// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/palette/find_bar.h"

#include "widgets/canvas/graphic_view.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/plan/units.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

namespace memplan::ui {

FindBar::FindBar(SelectionHub* hub, QWidget* parent) : QWidget(parent), hub_(hub) {
    setObjectName(QStringLiteral("findBar"));
    const Theme& theme = themeOf(this);
    setScaledSize(this, -1, 34);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(theme.px(10), theme.px(3), theme.px(8), theme.px(4));
    row->setSpacing(theme.px(6));
    field_ = new QLineEdit(this);
    field_->setObjectName(QStringLiteral("findText"));
    field_->setAccessibleName(tr("Find in view"));
    field_->setPlaceholderText(tr("Find by name, kind, annotation, type, shape or hint"));
    field_->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    field_->setMinimumWidth(theme.px(200));
    field_->setMaximumWidth(theme.px(420));
    case_ = toggle(QStringLiteral("Aa"), tr("Match case"));
    word_ = toggle(QStringLiteral("ab|"), tr("Whole word"));
    regex_ = toggle(QStringLiteral(".*"), tr("Regular expression"));
    const auto button = [&](const char* name, const QString& help) {
        auto* b = new QToolButton(this);
        b->setIcon(icon(QString::fromLatin1(name)));
        b->setToolTip(help);
        b->setAccessibleName(help);
        b->setAutoRaise(true);
        setScaledSize(b, 26, 26);
        return b;
    };
    previous_ = button("chevron-right", tr("Previous match (Shift+F3)"));
    next_ = button("chevron-down", tr("Next match (F3)"));
    previous_->setIcon(QIcon(icon(QStringLiteral("chevron-right"))
                                 .pixmap(theme.px(16), theme.px(16))
                                 .transformed(QTransform().rotate(-90))));
    count_ = new QLabel(this);
    count_->setObjectName(QStringLiteral("findCount"));
    count_->setTextFormat(Qt::PlainText);
    QToolButton* close = button("cross", tr("Close (Esc)"));
    row->addWidget(field_, 1);
    for (QToolButton* b : {case_, word_, regex_, previous_, next_})
        row->addWidget(b);
    row->addWidget(count_, 1);
    row->addStretch(1);
    row->addWidget(close);

    delay_ = new QTimer(this);
    delay_->setSingleShot(true);
    delay_->setInterval(60);
    connect(delay_, &QTimer::timeout, this, &FindBar::search);
    connect(field_, &QLineEdit::textChanged, delay_, qOverload<>(&QTimer::start));
    for (QToolButton* b : {case_, word_, regex_})
        connect(b, &QToolButton::toggled, this, &FindBar::search);
    connect(next_, &QToolButton::clicked, this, [this] { step(1); });
    connect(previous_, &QToolButton::clicked, this, [this] { step(-1); });
    connect(close, &QToolButton::clicked, this, &FindBar::closeBar);
    connect(hub_, &SelectionHub::planChanged, this, [this] {
        if (isVisible()) search();
    });
    connect(hub_, &SelectionHub::selectionChanged, this, &FindBar::showCount);
    field_->installEventFilter(this);
    hide();
}

QToolButton* FindBar::toggle(const QString& text, const QString& help) {
    auto* b = new QToolButton(this);
    b->setText(text);
    b->setCheckable(true);
    b->setToolTip(help);
    b->setAccessibleName(help);
    b->setAutoRaise(true);
    withScale(b, [b](const Theme& theme) { b->setFont(theme.font(TextStyle::Fixed)); });
    setScaledSize(b, -1, 26);
    setScaledMinimumWidth(b, 28);
    return b;
}

FindOptions FindBar::options() const {
    return {field_->text(), case_->isChecked(), word_->isChecked(), regex_->isChecked()};
}

void FindBar::open(GraphicView* view) {
    view_ = view;
    show();
    field_->setFocus();
    field_->selectAll();
    search();
}

void FindBar::closeBar() {
    hide();
    matches_.clear();
    for (GraphicView* view : views_)
        view->setMatches(std::nullopt);
    if (view_) view_->setFocus();
}

void FindBar::search() {
    delay_->stop();
    error_.clear();
    matches_.clear();
    const FindOptions wanted = options();
    const bool any = !wanted.text.isEmpty() && hub_->plan();
    const auto pattern = any ? findPattern(wanted, &error_) : std::nullopt;
    if (pattern) matches_ = findItems(*hub_->plan(), *pattern);
    for (GraphicView* view : views_)
        view->setMatches(pattern ? std::optional(matches_) : std::nullopt);
    showCount();
}

/// The searched view steps through what it draws: the graph its operations, the others their buffers.
std::vector<ItemId> FindBar::steppable() const {
    std::vector<ItemId> ops;
    std::vector<ItemId> buffers;
    for (const ItemId id : matches_)
        (id.kind == ItemKind::Op ? ops : buffers).push_back(id);
    const bool graph = view_ && (view_->viewKey() == u"graph" || view_->viewKey() == u"cores");
    if (graph) return ops.empty() ? buffers : ops;
    return buffers.empty() ? ops : buffers;
}

void FindBar::step(int direction) {
    if (delay_->isActive()) search();
    const std::vector<ItemId> items = steppable();
    if (items.empty()) return;
    const int count = static_cast<int>(items.size());
    int at = direction > 0 ? -1 : 0;
    if (const auto primary = hub_->primary()) {
        const auto found = std::find(items.begin(), items.end(), *primary);
        if (found != items.end()) at = static_cast<int>(found - items.begin());
    }
    hub_->select(items[static_cast<std::size_t>(((at + direction) % count + count) % count)]);
}

void FindBar::showCount() {
    const bool bad = !error_.isEmpty();
    QPalette colours = palette();
    if (bad) {
        colours.setColor(QPalette::Text, themeOf(this).color(Token::Error));
        colours.setColor(QPalette::Base, themeOf(this).color(Token::ErrorBg));
        colours.setColor(QPalette::WindowText, themeOf(this).color(Token::Error));
    }
    field_->setPalette(bad ? colours : QPalette());
    field_->setProperty("memplanInvalid", bad);
    field_->update();
    count_->setPalette(bad ? colours : QPalette());
    const std::vector<ItemId> items = steppable();
    for (QToolButton* b : {previous_, next_})
        b->setEnabled(!items.empty());
    if (bad) {
        count_->setText(tr("No regular expression: %1").arg(error_));
        return;
    }
    if (field_->text().isEmpty()) {
        count_->clear();
        return;
    }
    if (items.empty()) {
        count_->setText(tr("nothing matches"));
        return;
    }
    const auto primary = hub_->primary();
    const auto found = primary ? std::find(items.begin(), items.end(), *primary) : items.end();
    const QString all = groupedText(static_cast<qint64>(items.size()));
    count_->setText(found == items.end() ? plural(static_cast<qint64>(items.size()), tr("match"), tr("matches"))
                                         : tr("%1 of %2").arg(found - items.begin() + 1).arg(all));
}

bool FindBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == field_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Escape) return closeBar(), true;
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            step(key->modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void FindBar::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter p(this);
    p.fillRect(rect(), theme.color(Token::BgPanel));
    p.fillRect(0, height() - 1, width(), 1, theme.color(Token::Line1));
}

}  // namespace memplan::ui
