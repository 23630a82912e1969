// SPDX-License-Identifier: GPL-3.0-or-later
// What the core grid shows, and where (user-experience 6): a picture is a function of CoreGridState.
#pragma once

#include "widgets/canvas/state/view_state.h"
#include "widgets/views/coregrid/data/core_map.h"
#include "widgets/views/coregrid/data/core_metrics.h"

#include <QRectF>

#include <memory>
#include <optional>

namespace memplan::ui {

enum class CoreGridMode { Split, Detail };

/// Title and explanation of the card below a pair.
struct CardText {
    QString title;
    QString body;
};

/// The operation as the cores share it; as the plan has it while its metrics are not there yet.
[[nodiscard]] inline const PlanOp& sharedOp(const Plan& plan, const CoreMetrics* metrics, OpId op) {
    const bool isThere = metrics != nullptr && metrics->plan() && metrics->plan()->ops.size() == plan.ops.size();
    return (isThere ? *metrics->plan() : plan).op(op);
}

struct CoreGridState : ViewState {
    std::shared_ptr<const CoreMetrics> metrics;
    CoreMetric metric = CoreMetric::WorkShare;
    CoreGridMode mode = CoreGridMode::Split;
    bool showsBufferBytes = true;  ///< with a pair: bytes of its buffer instead of the metric
    bool isAutoRange = false;
    OpId op;                          ///< shown op, invalid = whole plan
    std::optional<SplitPair> pair;    ///< shown buffer: writer and reader
    std::optional<PlanOp> before;     ///< with an op: how it was divided before, shown beside it
    BufferId input;                   ///< with the op: the buffer that it reads and no op writes
    CardText card;                    ///< with a pair or an input
    int cardButtonRows = 0;           ///< rows of buttons in the card, 0 = none
    PicturePlane plane;               ///< dimensions of the op's picture
    std::int64_t otherSlice = 0;      ///< which combination of the slices that the picture does not show
    int core = -1;                    ///< hovered or selected core, -1 = none
    Step step = 0;                    ///< of the memory strip
    std::vector<MemoryStack> memory;  ///< in place of the strip, where memories have no addresses yet
    [[nodiscard]] const PlanOp& shownOp() const { return sharedOp(*plan, metrics.get(), op); }
};

/// Places of the parts in a picture of this size.
struct CoreGridLayout {
    QRectF cores;      ///< left part: cells and bars
    QRectF right;      ///< split pictures, memory strip, or the empty sentence
    double cell = 54;  ///< side of a cell
    QPointF firstCell;
    bool isNarrow = false;  ///< below 720 px the split stands under the cells
    int columns = 8;
    int rows = 4;
    QRectF strip;          ///< memory of a core (detail mode)
    QRectF memory;         ///< memories without addresses (detail mode)
    QRectF slider;         ///< steps (detail mode)
    QRectF first, second;  ///< split pictures: producer (or op, or op before), consumer (or op now)
    QRectF card;           ///< below the pair

    [[nodiscard]] QRectF cellRect(int core) const;
    [[nodiscard]] int coreAt(QPointF p) const;  ///< -1 = none
};
[[nodiscard]] CoreGridLayout coreGridLayout(const CoreGridState& state, QSizeF size);

/// A rectangle of a split picture and the cores that share it.
struct SplitPiece {
    QRectF rect;
    std::vector<int> cores;  ///< ascending
};
/// Pieces of an op's iteration space in `area`, for the chosen combination of the other slices.
[[nodiscard]] std::vector<SplitPiece> opPieces(const PlanOp& op, PicturePlane plane, std::int64_t otherSlice,
                                               const QRectF& area);
/// Number of combinations of the slices that the plane does not show.
[[nodiscard]] std::int64_t otherCombinations(const PlanOp& op, PicturePlane plane);
/// Pieces of a buffer as one side cuts it.
[[nodiscard]] std::vector<SplitPiece> pairPieces(const SplitPair& pair, bool isWriter, const QRectF& area);
/// The part of `area` that a core both writes and reads; empty when there is none.
[[nodiscard]] QRectF commonPart(const Plan& plan, const SplitPair& pair, int core, const QRectF& area);
/// "3", "0\u20137", "0, 4, 8"; at most four numbers.
[[nodiscard]] QString coresText(const std::vector<int>& cores);
/// Core under a point of the pieces: the only one, or the first of several; -1 = none.
[[nodiscard]] int coreAtPieces(const std::vector<SplitPiece>& pieces, QPointF p);

}  // namespace memplan::ui
