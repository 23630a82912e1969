// SPDX-License-Identifier: GPL-3.0-or-later
#include "actions.h"

#include "core/icons.h"

#include <QMenu>
#include <QMenuBar>

namespace memplan::app {

void ActionTable::add(std::vector<ActionRow> rows) {
    for (ActionRow& row : rows) {
        auto* action = new QAction(row.text, this);
        action->setObjectName(row.id);
        if (!row.icon.isEmpty()) action->setIcon(ui::icon(row.icon));
        QList<QKeySequence> keys;
        for (const QString& key : row.shortcut.split(QStringLiteral("; "), Qt::SkipEmptyParts)) {
            keys << QKeySequence(key, QKeySequence::PortableText);
        }
        action->setShortcuts(keys);
        action->setCheckable(row.checkable);
        const QString keyText =
            keys.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(keys.front().toString(QKeySequence::NativeText));
        action->setToolTip(QString(row.text).remove(QLatin1Char('&')) + keyText);
        connect(action, &QAction::triggered, this, [slot = row.slot] {
            if (slot) slot();
        });
        actions_.insert(row.id, action);
        rows_.push_back(std::move(row));
    }
}

QAction* ActionTable::action(const QString& id) const {
    return actions_.value(id);
}

void ActionTable::fillMenus(QMenuBar* bar, const QStringList& menuOrder) {
    for (const QString& title : menuOrder) {
        QMenu* menu = bar->addMenu(title);
        menu->setObjectName(QStringLiteral("menu") + QString(title).remove(QLatin1Char('&')));
        menu->setToolTipsVisible(false);
        for (const ActionRow& row : rows_) {
            if (row.menu != title) continue;
            if (row.separatorBefore) menu->addSeparator();
            menu->addAction(action(row.id));
        }
    }
}

}  // namespace memplan::app
