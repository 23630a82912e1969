// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/preferences/action_table.h"

#include "widgets/kit/theme/icons.h"

#include <QMenu>
#include <QMenuBar>

#include <algorithm>
#include <utility>

namespace memplan::app {

namespace {

/// A letter alone, which a list or a field would take as text. Signs such as "?" are no words to search for.
bool isLetter(const QKeySequence& keys) {
    if (keys.count() != 1) return false;
    const QKeyCombination key = keys[0];
    const bool isPlain = !(key.keyboardModifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    return isPlain && key.key() >= Qt::Key_A && key.key() <= Qt::Key_Z;
}

}  // namespace

void ActionTable::add(std::vector<ActionRow> rows) {
    for (ActionRow& row : rows) {
        auto* action = new QAction(row.text, this);
        action->setObjectName(row.id);
        if (!row.icon.isEmpty()) action->setIcon(ui::icon(row.icon));
        action->setCheckable(row.checkable);
        connect(action, &QAction::triggered, this, [slot = row.slot] {
            if (slot) slot();
        });
        actions_.insert(row.id, action);
        rows_.push_back(std::move(row));
        setShortcut(rows_.back().id, rows_.back().shortcut);
    }
}

void ActionTable::setShortcut(const QString& id, const QString& text) {
    QAction* known = action(id);
    if (known == nullptr) return;
    QList<QKeySequence> keys;
    for (const QString& key : text.split(QStringLiteral("; "), Qt::SkipEmptyParts))
        keys << QKeySequence(key, QKeySequence::PortableText);
    known->setShortcutContext(std::ranges::any_of(keys, isLetter) ? Qt::WidgetShortcut : Qt::WindowShortcut);
    known->setShortcuts(keys);
    const QString keyText =
        keys.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(keys.front().toString(QKeySequence::NativeText));
    known->setToolTip(QString(known->text()).remove(QLatin1Char('&')) + keyText);
}

void ActionTable::addLetterWidget(QWidget* widget) {
    for (QAction* action : std::as_const(actions_))
        widget->addAction(action);
}

QAction* ActionTable::action(const QString& id) const {
    return actions_.value(id);
}

namespace {

QMenu* newMenu(QMenu* menu, const QString& title) {
    menu->setObjectName(QStringLiteral("menu") + QString(title).remove(QLatin1Char('&')));
    menu->setToolTipsVisible(false);
    return menu;
}

/// The menu inside `menu` with this title, made where it is met first; without a title `menu` itself.
QMenu* subMenu(QMenu* menu, const QString& title) {
    if (title.isEmpty()) return menu;
    for (const QAction* action : menu->actions())
        if (action->menu() != nullptr && action->menu()->title() == title) return action->menu();
    return newMenu(menu->addMenu(title), title);
}

}  // namespace

void ActionTable::fillMenus(QMenuBar* bar, const QStringList& menuOrder) {
    for (const QString& title : menuOrder) {
        QMenu* menu = newMenu(bar->addMenu(title), title);
        menus_.insert(title, menu);
        for (const ActionRow& row : rows_) {
            if (row.menu.section(QLatin1Char('/'), 0, 0) != title) continue;
            QMenu* into = subMenu(menu, row.menu.section(QLatin1Char('/'), 1));
            if (row.separatorBefore) into->addSeparator();
            into->addAction(action(row.id));
        }
    }
}

}  // namespace memplan::app
