// SPDX-License-Identifier: GPL-3.0-or-later
// Which operands the solver followed, and how chains that do not meet share rows.
#include "widgets/views/chains/data/chain_data.h"

#include <algorithm>
#include <set>

namespace memplan::ui {

namespace {

constexpr double kLetter = 6, kPadding = 12, kLeastCell = 78, kMostCell = 104;  // px
constexpr double kMark = 62, kLeastWords = 70, kMostWords = 156;                // px
constexpr double kNamesThatFit = 0.8;                                           // share

/// Px of a position at which most names can be read; the rest is elided.
double readableCell(const std::vector<ChainLane>& lanes) {
    std::vector<qsizetype> lengths;
    for (const ChainLane& lane : lanes)
        for (const ChainCell& cell : lane.cells)
            lengths.push_back(cell.name.size());
    if (lengths.empty()) return kLeastCell;
    std::ranges::sort(lengths);
    const auto at = static_cast<std::size_t>(static_cast<double>(lengths.size() - 1) * kNamesThatFit);
    return std::clamp(static_cast<double>(lengths[at]) * kLetter + kPadding, kLeastCell, kMostCell);
}

/// The words stand in two lines behind the last cell.
double wordsWidth(const QString& ends) {
    return std::max(kMark,
                    std::clamp(static_cast<double>(ends.size()) * kLetter / 2 + kPadding, kLeastWords, kMostWords));
}

}  // namespace

void ChainData::packRows() {
    cellWidth_ = readableCell(lanes_);
    std::vector<double> ends;  // by row
    std::vector<int> last;     // lane by row
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        ChainLane& lane = lanes_[i];
        lane.tail = (wordsWidth(lane.ends) + kPadding) / cellWidth_;
        const auto free = std::ranges::find_if(ends, [&](double end) { return end <= lane.first(); });
        const auto row = static_cast<std::size_t>(free - ends.begin());
        if (free == ends.end()) {
            ends.push_back(0);
            last.push_back(-1);
        }
        if (last[row] >= 0) lanes_[static_cast<std::size_t>(last[row])].next = static_cast<int>(i);
        lane.row = static_cast<int>(row);
        last[row] = static_cast<int>(i);
        ends[row] = lane.last() + 1 + lane.tail;
        overhang_ = std::max(overhang_, ends[row] - positions());
    }
    packedRows_ = static_cast<int>(ends.size());
}

/// An operand is followed when it is an edge of the chain, or when a merge checked it with its layout in L1. Policies
/// that build no chains follow all of them.
void ChainData::markTracked() {
    if (!data_.hasChains) return;
    std::set<std::pair<int, int>> followed;  // operation, operand
    for (const ttnn::EdgeInfo& edge : data_.record.edges)
        followed.emplace(edge.consumer.index, edge.operand);
    std::set<int> joins;  // all of whose operands a merge checked
    for (const ttnn::MergeInfo& merge : data_.record.merges) {
        if (!merge.isAccepted) continue;
        followed.emplace(merge.joinOp.index, merge.operand);
        if (merge.kind != ttnn::MergeKind::Simple) joins.insert(merge.joinOp.index);
    }
    for (const ChainLane& lane : lanes_)
        followed.emplace(lane.first(), 0);
    for (ChainLane& lane : lanes_)
        for (ChainCell& cell : lane.cells) {
            const auto at = static_cast<std::size_t>(cell.op.index);
            if (at >= data_.ops.size()) continue;
            const std::vector<TtnnTensor>& operands = data_.ops[at].operands;
            for (std::size_t k = 0; k < operands.size(); ++k)
                if (plan_->buffer(operands[k].buffer).producer.isValid())
                    cell.isTracked.push_back(joins.contains(cell.op.index) ||
                                             followed.contains({cell.op.index, static_cast<int>(k)}));
        }
}

}  // namespace memplan::ui
