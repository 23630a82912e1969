// SPDX-License-Identifier: GPL-3.0-or-later
// The residual stream with bar, table and what stands beside it.
#pragma once

#include "widgets/canvas/pane/view_pane.h"
#include "widgets/views/residual/residual_side.h"
#include "widgets/views/residual/residual_view.h"

namespace memplan::ui {

class Chip;

class ResidualPane final : public QWidget {
    Q_OBJECT
public:
    explicit ResidualPane(SelectionHub* hub, QWidget* parent = nullptr);
    [[nodiscard]] ResidualView* view() const { return view_; }
    [[nodiscard]] ResidualSide* side() const { return side_; }
    [[nodiscard]] ViewPane* pane() const { return pane_; }

private:
    Chip* addChip(const QString& text, const QString& help);

    ResidualView* view_;
    ViewPane* pane_;
    ResidualSide* side_;
};

}  // namespace memplan::ui
