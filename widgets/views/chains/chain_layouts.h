// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts of the selected operation (user-experience 8.5, 8.9): what became of each configuration, and what sharded
// L1, interleaved L1 and DRAM would give it.
#pragma once

#include "widgets/views/chains/data/chain_answers.h"
#include "widgets/views/chains/data/chain_story.h"
#include "widgets/views/chains/side_page.h"

class QPushButton;

namespace memplan::ui {

class ChainLayouts final : public SidePage {
    Q_OBJECT
public:
    ChainLayouts(ChainView* view, QWidget* parent);
    void refresh() override;
    [[nodiscard]] const QStandardItemModel* configurations() const { return configs_; }
    [[nodiscard]] const QStandardItemModel* tradeOffs() const { return memories_; }
    void setTradeOffs(const ChainTradeOffs& tradeOffs);

signals:
    void proposed(const memplan::ui::ChainProposal& proposal);
    void tradeOffUsed(int row);
    /// The table is in sight and wants the rows of this operation.
    void tradeOffsWanted(memplan::OpId op);

private:
    void fillConfigurations();
    void fillTradeOffs();
    void force(int row);

    QLabel* title_;
    QStandardItemModel* configs_;
    QTableView* configTable_;
    QPushButton* force_;
    QLabel* memoryTitle_;
    QStandardItemModel* memories_;
    QTableView* memoryTable_;
    QPushButton* use_;
    QLabel* words_;
    std::vector<ConfigRow> rows_;
    ChainTradeOffs tradeOffs_;
};

}  // namespace memplan::ui

Q_DECLARE_METATYPE(memplan::ui::ChainProposal)
