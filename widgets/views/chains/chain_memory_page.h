// SPDX-License-Identifier: GPL-3.0-or-later
// Memory at the selected position (user-experience 6.6, 8.6): the L1 of a core, DRAM, and the reservations in force.
#pragma once

#include "widgets/kit/theme/text_cache.h"
#include "widgets/views/chains/side_page.h"
#include "widgets/views/coregrid/data/memory_stack.h"

namespace memplan::ui {

/// Bars of the memories; a click selects the value.
class MemoryBarsView final : public QWidget {
    Q_OBJECT
public:
    MemoryBarsView(SelectionHub* hub, QWidget* parent);
    void setStacks(std::vector<MemoryStack> stacks);
    [[nodiscard]] const std::vector<MemoryStack>& stacks() const { return stacks_; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    SelectionHub* hub_;
    std::vector<MemoryStack> stacks_;
    TextCache texts_;
};

class ChainMemoryPage final : public SidePage {
    Q_OBJECT
public:
    ChainMemoryPage(ChainView* view, QWidget* parent);
    void refresh() override;
    void setMemory(MemoryStacks memory) { memory_ = std::move(memory); }
    [[nodiscard]] const MemoryBarsView* bars() const { return bars_; }

private:
    MemoryStacks memory_;
    QLabel* title_;
    MemoryBarsView* bars_;
    QStandardItemModel* reserved_;
    QTableView* table_;
};

}  // namespace memplan::ui
