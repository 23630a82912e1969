// SPDX-License-Identifier: GPL-3.0-or-later
// L1 chains with bar, table and what stands beside them.
#pragma once

#include "widgets/canvas/pane/view_pane.h"
#include "widgets/views/chains/chain_side.h"

namespace memplan::ui {

class ChainPane final : public QWidget {
    Q_OBJECT
public:
    explicit ChainPane(SelectionHub* hub, QWidget* parent = nullptr);
    [[nodiscard]] ChainView* view() const { return view_; }
    [[nodiscard]] ChainSide* side() const { return side_; }
    [[nodiscard]] ViewPane* pane() const { return pane_; }

private:
    ChainView* view_;
    ViewPane* pane_;
    ChainSide* side_;
};

}  // namespace memplan::ui
