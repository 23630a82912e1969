// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of the docks follow the size of text while the program runs, and are what they were when it goes back
// (UX 3.13).
#pragma once

#include <QMap>
#include <QObject>
#include <QSize>

#include <functional>
#include <map>
#include <vector>

class QDockWidget;
class QMainWindow;

namespace memplan::app {

class DockScale final : public QObject {
    Q_OBJECT
public:
    DockScale(QMainWindow* window, std::function<std::vector<QDockWidget*>()> docks);

private:
    using Sizes = QMap<QDockWidget*, QSize>;
    void follow();
    [[nodiscard]] Sizes sizesNow() const;
    [[nodiscard]] Sizes sizesFor(const Sizes& now, double factor) const;
    void apply(const Sizes& sizes);

    QMainWindow* window_;
    std::function<std::vector<QDockWidget*>()> docks_;
    double factor_;
    std::map<double, Sizes> left_;  ///< by the factor that they were left at
};

}  // namespace memplan::app
