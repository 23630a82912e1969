// SPDX-License-Identifier: GPL-3.0-or-later
// The two tables below the core grid in Review: all operations by core, and every edge with both of its splits
// (user-experience 3.3, 6.5). They are filled while they are seen: a large plan has many edges.
#pragma once

#include <QObject>

#include <array>

class QDockWidget;
class QTableView;

namespace memplan::ui {
class DockTitleBar;
class EdgeTableModel;
class OpsMatrix;
class SelectionHub;
struct Units;
}  // namespace memplan::ui

namespace memplan::app {

class ReviewDocks final : public QObject {
    Q_OBJECT
public:
    ReviewDocks(ui::SelectionHub* hub, QWidget* parent);
    void setUnits(const ui::Units& units);

    [[nodiscard]] QWidget* matrix() const;
    [[nodiscard]] QWidget* edges() const;
    /// Gives both their titles, which then say what is shown.
    void setDocks(QDockWidget* matrix, QDockWidget* edges);

private:
    void fill();

    ui::SelectionHub* hub_;
    ui::OpsMatrix* matrix_;
    QTableView* edges_;
    ui::EdgeTableModel* model_;
    std::array<ui::DockTitleBar*, 2> titles_{};
};

}  // namespace memplan::app
