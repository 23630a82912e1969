// SPDX-License-Identifier: GPL-3.0-or-later
// The core grid with its bar: metric, what is shown (split, all ops, core detail, edges), range, and
// the dimensions of the split picture (user-experience 6).
#pragma once

#include "widgets/views/coregrid/core_grid_view.h"

#include <QWidget>

#include <array>

class QComboBox;
class QSpinBox;

namespace memplan::ui {

class Chip;
class OpsMatrix;
class ViewPane;

class CorePane final : public QWidget {
    Q_OBJECT
public:
    explicit CorePane(SelectionHub* hub, QWidget* parent = nullptr);

    [[nodiscard]] CoreGridView* view() const { return view_; }
    [[nodiscard]] OpsMatrix* matrix() const { return matrix_; }
    [[nodiscard]] ViewPane* pane() const { return pane_; }

private:
    void showPage();
    void buildBar();
    void updateBar();
    void fillMetrics();
    void fillPlanes();
    void fillReaders();
    void followEdges();
    void markEdge();

    CoreGridView* view_;
    OpsMatrix* matrix_;
    ViewPane* pane_;
    QComboBox* metrics_;
    QComboBox* planes_;
    QComboBox* readers_;
    bool followsEdges_ = false;
    QSpinBox* others_;
    std::array<Chip*, 4> chips_{};
};

}  // namespace memplan::ui
