// SPDX-License-Identifier: GPL-3.0-or-later
// Title of a dock that stands in tabs: none there, for the tab says the name; one to drag, dock and close it by while
// it floats or stands at a side (UX 3.3).
#pragma once

#include <QObject>

class QDockWidget;
class QWidget;

namespace memplan::app {

class DockTitle final : public QObject {
    Q_OBJECT
public:
    explicit DockTitle(QDockWidget* dock);

private:
    void update();

    QDockWidget* dock_;
    QWidget* own_ = nullptr;  ///< what stands there now; another one is left alone
    bool isShown_ = false;
};

}  // namespace memplan::app
