// SPDX-License-Identifier: GPL-3.0-or-later
// What the view of L1 chains shows of a plan (user-experience 8): lanes in the order of the schedule, cells, edges with
// their pairs, merges, and the bytes of a core at each position. Made once for a plan.
#pragma once

#include "engine/plan/ttnn_data.h"

#include <QString>

#include <array>
#include <memory>
#include <vector>

namespace memplan::ui {

/// One operation at its position, which is its OpId.
struct ChainCell {
    OpId op;
    QString name, layout, grid;  ///< "conv2d_2", "L1 HS", "64x1"
    std::int64_t cores = 1;
    bool isSharded = false, isInL1 = false;
    std::vector<bool> isTracked;  ///< by operand that an operation made: the solver constrained it (TTN 5.7)
    TtnnConversion conversion = TtnnConversion::None;
};

/// Between two cells of a lane, or before the first one.
struct ChainEdge {
    int edge = -1;  ///< in the record
    OpId producer, consumer;
    int alive = -1, first = 0;  ///< pairs that are left of those that fitted; -1: a plan of a file has none
    bool isResharded = false;
    QString reshard;  ///< layout after it
    bool isDead = false;
    [[nodiscard]] QString text() const;  ///< "48/52"; empty where nothing is known
};

struct ChainLane {
    int chain = -1;  ///< in the record
    QString title;   ///< "C1", its position in the record
    ttnn::ChainState state = ttnn::ChainState::InBuild;
    std::vector<ChainCell> cells;
    std::vector<ChainEdge> edges;
    QString goes;  ///< "L1, merged into C3"
    QString ends;  ///< "ends: add_7 reads it as operand 1"
    ttnn::SpillLocation spill = ttnn::SpillLocation::None;
    int row = 0;      ///< where chains share rows
    int next = -1;    ///< lane that follows it in that row
    double tail = 0;  ///< positions that the words of its end take at the readable scale
    [[nodiscard]] int first() const { return cells.front().op.index; }
    [[nodiscard]] int last() const { return cells.back().op.index; }
};

/// A link between lanes: a merge that was made or refused, or a value that a reservation keeps for its readers.
struct ChainLink {
    enum class Kind { Merge, ThreeWay, Concat, Fork };
    Kind kind = Kind::Merge;
    OpId from, to;
    int fromLane = -1, toLane = -1;
    int operand = 0;  ///< of `to`
    bool isAccepted = true;
    QString text;
};

/// Bytes of one core at a position, stacked from below.
struct ChainColumn {
    Bytes reserved = 0, resident = 0, own = 0;
    [[nodiscard]] Bytes sum() const { return reserved + resident + own; }
};

/// Bytes of one core that something would have needed at a position, and what there was.
struct ChainShortage {
    int position = 0;
    Bytes needed = 0, available = 0;
};

struct ChainFigure {
    QString label, value, help;
    double amount = 0;         ///< what is compared
    bool isMoreBetter = true;  ///< else less is
};
[[nodiscard]] bool isSame(const ChainFigure& now, const ChainFigure& other);
[[nodiscard]] bool isBetter(const ChainFigure& now, const ChainFigure& other);
/// "▲ better than 80.0 %", of the same figure of another plan.
[[nodiscard]] QString comparedWords(const ChainFigure& now, const ChainFigure& other);
[[nodiscard]] QString briefComparison(const ChainFigure& now, const ChainFigure& other);  ///< "▲ better"
/// The five goals (TTN 15.1).
[[nodiscard]] std::array<ChainFigure, 5> chainGoals(const TtnnGoals& goals);

class ChainData {
public:
    explicit ChainData(PlanPtr plan);
    [[nodiscard]] const Plan& plan() const { return *plan_; }
    [[nodiscard]] const TtnnData& record() const { return data_; }
    [[nodiscard]] const std::vector<ChainLane>& lanes() const { return lanes_; }
    [[nodiscard]] const std::vector<ChainCell>& outside() const { return outside_; }
    [[nodiscard]] const std::vector<ChainLink>& links() const { return links_; }
    [[nodiscard]] const std::vector<ChainColumn>& columns() const { return columns_; }
    /// What failed chains lacked at least where no pair of layouts fitted.
    [[nodiscard]] const std::vector<ChainShortage>& shortages() const { return shortages_; }
    [[nodiscard]] Bytes limit() const { return plan_->memory.capacity; }
    [[nodiscard]] Bytes highest() const { return highest_; }
    [[nodiscard]] int positions() const { return static_cast<int>(plan_->ops.size()); }
    /// Rows that the chains take where those that do not meet share one.
    [[nodiscard]] int packedRows() const { return packedRows_; }
    [[nodiscard]] double cellWidth() const { return cellWidth_; }  ///< px of a position at which names can be read
    /// Positions behind the last one that the words of the last ends take.
    [[nodiscard]] double overhang() const { return overhang_; }
    [[nodiscard]] int laneOf(OpId op) const;  ///< -1: in no chain
    [[nodiscard]] int laneOfChain(int chain) const;
    /// At which a chain failed; null where it did not, or nothing is known of the edge.
    [[nodiscard]] const ttnn::EdgeInfo* failedEdge(int chain) const;
    [[nodiscard]] int countOf(ttnn::ChainState state) const;
    [[nodiscard]] std::array<ChainFigure, 5> goals() const { return chainGoals(data_.goals); }
    /// Whether the plan was made here: then the configurations are known, and the pairs of its edges, if there are any.
    [[nodiscard]] bool hasPairs() const { return hasPairs_; }
    /// Whether one of the operations, in a chain or not, is drawn so.
    [[nodiscard]] bool hasCell(bool (*isSo)(const ChainCell&)) const;
    [[nodiscard]] QString cellTitle(const ChainCell& cell) const;
    [[nodiscard]] std::vector<const ttnn::Reservation*> reservationsAt(int position) const;

private:
    void makeLanes();
    void makeEdges();
    void makeLinks();
    void markTracked();
    void makeColumns();
    void makeShortages();
    void packRows();
    [[nodiscard]] ChainCell cellOf(OpId op) const;
    [[nodiscard]] QString goesTo(const ttnn::ChainInfo& chain, int index) const;

    PlanPtr plan_;
    const TtnnData& data_;
    std::vector<ChainLane> lanes_;
    std::vector<ChainCell> outside_;
    std::vector<ChainLink> links_;
    std::vector<ChainColumn> columns_;
    std::vector<ChainShortage> shortages_;
    std::vector<int> laneOfOp_, laneOfChain_;
    Bytes highest_ = 0;
    int packedRows_ = 0;
    double cellWidth_ = 0, overhang_ = 0;
    bool hasPairs_ = false;
};

using ChainDataPtr = std::shared_ptr<const ChainData>;

/// Null for a plan that has no such record.
[[nodiscard]] ChainDataPtr chainDataOf(const PlanPtr& plan);

}  // namespace memplan::ui
