// SPDX-License-Identifier: GPL-3.0-or-later
// How large the docks of a shipped arrangement are, and how their sizes follow the size of text while the program runs:
// larger text gets what the arrangement has for it, and the way back leaves everything as it was (user-experience
// 3.13, 22.4).
#pragma once

#include "app/gui/workspace/dock_info.h"

#include <QMap>
#include <QObject>
#include <QSize>

#include <map>
#include <optional>

class QDockWidget;
class QMainWindow;

namespace memplan::app {

class Docks;

class DockSizes final : public QObject {
    Q_OBJECT
public:
    /// What stands around the views: narrow sides, a column of tools, one dock over everything, tables below.
    enum class Kind { Usual, Tools, Bottom, Tables };

    DockSizes(QMainWindow* window, Docks& docks);

    void apply(Kind kind, DockId bottom);
    /// The arrangement that is shown came with sizes of its own; nothing for one that the user made.
    void expect(std::optional<Kind> kind, DockId bottom);

private:
    using Sizes = QMap<QDockWidget*, QSize>;
    void followText();
    void fit(const Sizes& before, double from);
    void stackTools();
    [[nodiscard]] Sizes sizesNow() const;
    [[nodiscard]] QList<QDockWidget*> docksOnScreen() const;
    void give(const QList<QDockWidget*>& docks, const Sizes& sizes);

    QMainWindow* window_;
    Docks& docks_;
    std::optional<Kind> kind_;
    DockId bottom_ = DockId::Problems;
    double factor_;
    std::map<double, Sizes> left_;  ///< by the size of text that the docks had them at
};

}  // namespace memplan::app
