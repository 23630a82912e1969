// SPDX-License-Identifier: GPL-3.0-or-later
// The files opened last, as many as the user wants, kept in the program's settings (UX 3.10).
#pragma once

#include <QString>
#include <QStringList>

namespace memplan::app {

class RecentFiles {
public:
    [[nodiscard]] static QStringList paths();
    static void add(const QString& path);
    static void remove(const QString& path);
};

}  // namespace memplan::app
