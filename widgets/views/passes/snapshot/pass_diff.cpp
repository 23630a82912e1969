// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/passes/snapshot/pass_diff.h"

#include "widgets/canvas/pane/legend_bar.h"
#include "widgets/kit/controls/bar_layout.h"
#include "widgets/kit/controls/chip.h"
#include "widgets/kit/controls/elide_label.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/units.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollBar>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

namespace memplan::ui {
namespace {

void linkScroll(QScrollBar* a, QScrollBar* b) {
    QObject::connect(a, &QScrollBar::valueChanged, b, &QScrollBar::setValue);
    QObject::connect(b, &QScrollBar::valueChanged, a, &QScrollBar::setValue);
}

}  // namespace

PassDiff::PassDiff(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("passDiff"));
    QWidget* bar = buildBar();
    QWidget* sides = buildSides();
    same_ = new QLabel(tr("The program reads the same before and after this pass."), this);
    same_->setAlignment(Qt::AlignCenter);
    same_->setForegroundRole(QPalette::PlaceholderText);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(sides, 1);
    column->addWidget(same_, 1);
    same_->hide();
}

QWidget* PassDiff::buildBar() {
    auto* bar = new WrapBar(this);
    auto* row = new BarLayout(bar);
    const auto chip = [&](const QString& text, bool on) {
        auto* c = new Chip(text, bar);
        c->setChecked(on);
        row->addWidget(c);
        connect(c, &QAbstractButton::clicked, this, &PassDiff::rebuild);
        return c;
    };
    sides_ = chip(tr("Side by side"), true);
    unified_ = chip(tr("Unified"), false);
    changedOnly_ = chip(tr("Changed only, 3 lines"), true);
    words_ = chip(tr("Words"), true);
    connect(sides_, &QAbstractButton::clicked, this, [this] { setUnified(false); });
    connect(unified_, &QAbstractButton::clicked, this, [this] { setUnified(true); });
    row->addStretch();
    place_ = new QLabel(bar);
    place_->setObjectName(QStringLiteral("diffPlace"));
    place_->setForegroundRole(QPalette::PlaceholderText);
    row->addWidget(place_);
    const auto button = [&](int direction, const QString& help) {
        auto* b = new QToolButton(bar);
        b->setText(direction < 0 ? QStringLiteral("\u2191") : QStringLiteral("\u2193"));
        b->setToolTip(help);
        b->setAccessibleName(help);
        b->setAutoRaise(true);
        setScaledSize(b, 24, 24);
        connect(b, &QToolButton::clicked, this, [this, direction] { step(direction); });
        row->addWidget(b);
    };
    button(-1, tr("Previous change"));
    button(1, tr("Next change"));
    return bar;
}

QWidget* PassDiff::buildSides() {
    const Theme& theme = themeOf(this);
    const auto side = [&](QLabel*& head, SnapshotEdit*& text, const QString& name) {
        auto* box = new QWidget(this);
        auto* column = new QVBoxLayout(box);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        head = new ElideLabel(box);
        head->setForegroundRole(QPalette::PlaceholderText);
        head->setContentsMargins(theme.px(10), theme.px(3), theme.px(10), theme.px(3));
        text = new SnapshotEdit(box);
        text->setAccessibleName(name);
        column->addWidget(head);
        column->addWidget(text, 1);
        return box;
    };
    auto* split = new QSplitter(Qt::Horizontal, this);
    left_ = side(beforeHead_, beforeText_, tr("Before the pass"));
    split->addWidget(left_);
    split->addWidget(side(afterHead_, afterText_, tr("After the pass")));
    split->setChildrenCollapsible(false);
    linkScroll(beforeText_->verticalScrollBar(), afterText_->verticalScrollBar());
    return split;
}

bool PassDiff::isUnified() const {
    return unified_->isChecked();
}

void PassDiff::setUnified(bool on) {
    unified_->setChecked(on);
    sides_->setChecked(!on);
    rebuild();
}

void PassDiff::setTexts(const QString& beforeName, const QString& before, const QString& afterName,
                        const QString& after) {
    beforeName_ = beforeName;
    afterName_ = afterName;
    before_ = snapshotLines(before);
    after_ = snapshotLines(after);
    diff_ = diffLines(before_.text, after_.text);
    at_ = -1;
    rebuild();
}

DiffForm PassDiff::form() const {
    return {isUnified(), changedOnly_->isChecked(), words_->isChecked()};
}

void PassDiff::rebuild() {
    DiffText text = diffText(before_, after_, diff_, form());
    const bool empty = text.right.empty();
    same_->setVisible(empty);
    left_->parentWidget()->setVisible(!empty);
    left_->setVisible(!isUnified());
    changeStarts_ = std::move(text.changeStarts);
    beforeHead_->setText(tr("before, %1").arg(beforeName_));
    afterHead_->setText(isUnified() ? tr("%1 to %2").arg(beforeName_, afterName_) : afterName_);
    if (!isUnified()) beforeText_->setRows(std::move(text.left), words_->isChecked());
    afterText_->setRows(std::move(text.right), words_->isChecked());
    showChange();
}

void PassDiff::step(int direction) {
    const int count = changeCount();
    if (count == 0) return;
    at_ = at_ < 0 && direction < 0 ? count - 1 : qBound(0, at_ + direction, count - 1);
    const int row = changeStarts_[static_cast<std::size_t>(at_)];
    if (!isUnified()) beforeText_->scrollToRow(row);
    afterText_->scrollToRow(row);
    showChange();
}

void PassDiff::showChange() {
    const int count = changeCount();
    place_->setText(count == 0 ? QString()
                    : at_ < 0  ? plural(count, tr("change"), tr("changes"))
                               : tr("change %1 of %2").arg(at_ + 1).arg(count));
}

void PassDiff::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_J) return step(-1);
    if (event->key() == Qt::Key_K) return step(1);
    QWidget::keyPressEvent(event);
}

}  // namespace memplan::ui
