// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/recent_files.h"

#include "app/gui/preferences/preferences.h"

#include <QFileInfo>
#include <QSettings>

namespace memplan::app {
namespace {

QString key() {
    return QStringLiteral("recentFiles");
}

}  // namespace

QStringList RecentFiles::paths() {
    return QSettings().value(key()).toStringList();
}

void RecentFiles::add(const QString& path) {
    QStringList list = paths();
    const QString absolute = QFileInfo(path).absoluteFilePath();
    list.removeAll(absolute);
    list.prepend(absolute);
    const int most = Preferences::instance().value(QStringLiteral("files/recent_count")).toInt();
    while (list.size() > most)
        list.removeLast();
    QSettings().setValue(key(), list);
}

void RecentFiles::remove(const QString& path) {
    QStringList list = paths();
    list.removeAll(path);
    QSettings().setValue(key(), list);
}

}  // namespace memplan::app
