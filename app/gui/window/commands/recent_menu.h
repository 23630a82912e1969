// SPDX-License-Identifier: GPL-3.0-or-later
// File > Open recent: the files opened last, with a way to get rid of those that are gone (UX 3.10).
#pragma once

#include <QMenu>

namespace memplan::app {

class RecentMenu final : public QMenu {
    Q_OBJECT
public:
    explicit RecentMenu(QWidget* parent = nullptr);

signals:
    void fileRequested(const QString& path);

private:
    void fill();
};

}  // namespace memplan::app
