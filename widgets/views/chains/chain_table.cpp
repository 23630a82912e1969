// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/chains/chain_table.h"

#include "widgets/plan/units.h"
#include "widgets/views/chains/data/chain_words.h"

namespace memplan::ui {

ChainTableModel::ChainTableModel(QObject* parent)
    : PlanTableModel({{tr("Position"), true},
                      {tr("Operation")},
                      {tr("Kind")},
                      {tr("Chain")},
                      {tr("State")},
                      {tr("Layout"), false, tr("Of its result")},
                      {tr("Grid"), false, tr("Rows and columns of cores that hold the result")},
                      {tr("Cores"), true},
                      {tr("Needs"), true, tr("Bytes of a core at its position"), true},
                      {tr("Reserved"), true, tr("Bytes of a core that results of earlier operations keep"), true},
                      {tr("Bound by")},
                      {tr("Why the chain stops there")}},
                     parent) {}

TableCell ChainTableModel::chainCell(int row, int column) const {
    const int at = data_->laneOf(OpId{row});
    if (at < 0) return textCell(column == End ? outsideSentence(*plan(), OpId{row}) : QString());
    const ChainLane& lane = data_->lanes()[static_cast<std::size_t>(at)];
    if (column == Chain) return textCell(lane.title);
    if (column == End) return textCell(lane.last() == row ? lane.ends : QString());
    TableCell state = textCell(stateWord(lane.state));
    state.color = stateToken(lane.state);
    return state;
}

TableCell ChainTableModel::layoutCell(const TtnnOp& op, int column) const {
    if (op.results.empty()) return {};
    const ttnn::Layout& layout = op.results.front().layout;
    if (column == Layout) return textCell(layoutWord(layout));
    return textCell(layout.isSharded() ? gridWord(layout) : QString());
}

TableCell ChainTableModel::cell(int row, int column) const {
    const TtnnOp& op = data_->record().ops[static_cast<std::size_t>(row)];
    switch (column) {
    case Position:
        return numberCell(row);
    case Name: {
        TableCell name = textCell(fromStd(plan()->op(OpId{row}).name));
        name.strong = true;
        return name;
    }
    case Kind:
        return textCell(fromStd(op.name));
    case Layout:
    case Grid:
        return layoutCell(op, column);
    case Cores:
        return numberCell(op.results.empty() || !op.results.front().layout.isSharded()
                              ? plan()->op(OpId{row}).cores
                              : op.results.front().layout.grid.volume());
    case Need:
        return sizeCell(op.need);
    case Reserved:
        return sizeCell(op.reserved);
    case Bound:
        return textCell(fromStd(op.boundBy));
    default:
        return chainCell(row, column);
    }
}

}  // namespace memplan::ui
