// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/commands/recent_menu.h"

#include "app/gui/session/recent_files.h"

#include <QFileInfo>

namespace memplan::app {

RecentMenu::RecentMenu(QWidget* parent) : QMenu(tr("Open re&cent"), parent) {
    setObjectName(QStringLiteral("menuRecent"));
    setToolTipsVisible(true);
    fill();
    // Files come and go while the program runs: what is there is asked when the menu opens.
    connect(this, &QMenu::aboutToShow, this, &RecentMenu::fill);
}

void RecentMenu::fill() {
    clear();
    QStringList missing;
    int number = 0;
    for (const QString& path : RecentFiles::paths()) {
        const QFileInfo file(path);
        const QString name = file.fileName().replace(QLatin1Char('&'), QStringLiteral("&&"));
        ++number;
        const QString key = number < 10 ? QStringLiteral("&%1  %2").arg(number).arg(name) : name;
        QAction* action = addAction(file.exists() ? key : tr("%1 (missing)").arg(key), this,
                                    [this, path] { emit fileRequested(path); });
        action->setToolTip(path);
        action->setEnabled(file.exists());
        if (!file.exists()) missing << path;
    }
    if (isEmpty()) addAction(tr("No file was opened yet"))->setEnabled(false);
    addSeparator();
    addAction(tr("&Remove missing files"), this, [missing] {
        for (const QString& path : missing)
            RecentFiles::remove(path);
    })->setEnabled(!missing.isEmpty());
}

}  // namespace memplan::app
