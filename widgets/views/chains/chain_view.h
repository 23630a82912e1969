// SPDX-License-Identifier: GPL-3.0-or-later
// L1 chains (user-experience 8): one lane per chain over the positions of the schedule, and the timeline of
// reservations below on the same positions.
#pragma once

#include "widgets/canvas/graphic_view.h"
#include "widgets/kit/theme/text_cache.h"
#include "widgets/views/chains/geometry/chain_layout.h"

#include <memory>

namespace memplan::ui {

class ChainTableModel;

class ChainView final : public GraphicView {
    Q_OBJECT
public:
    explicit ChainView(SelectionHub* hub, QWidget* parent = nullptr);
    ~ChainView() override;

    [[nodiscard]] QString viewKey() const override { return QStringLiteral("chains"); }
    [[nodiscard]] QString viewName() const override { return tr("L1 chains"); }
    [[nodiscard]] QString scopeText() const override;
    [[nodiscard]] QString stateSentence() const override;
    [[nodiscard]] std::optional<EmptyText> emptyText() const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    [[nodiscard]] QAbstractItemModel* tableModel() override;
    [[nodiscard]] QSize wholePictureSize() const override;
    void paintPicture(QPainter& painter, QSize size, const Theme& theme) const override;
    [[nodiscard]] std::optional<ItemId> itemAt(QPointF position) const override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;
    [[nodiscard]] std::vector<KeyHelp> keyHelp() const override;
    void fitAll() override;
    /// 100 % is the width at which names can be read: of a long schedule only a part is in sight then.
    [[nodiscard]] QString zoomText() const override;

    [[nodiscard]] const ChainDataPtr& chainData() const { return data_; }
    [[nodiscard]] ChainViewState state() const;
    [[nodiscard]] ChainLayout layoutNow() const;
    [[nodiscard]] bool showsRejected() const { return showsRejected_; }
    void setShowsRejected(bool on);
    /// A row for every chain, or rows that chains share; nullopt: as it suits the plan.
    void setRows(std::optional<ChainRows> rows);
    [[nodiscard]] ChainRows rows() const;
    /// What another plan on screen is to this one: that it is compared with, its goals stand beside the own ones; or
    /// one whose bytes are drawn at the same scale and nothing else.
    enum class Peer { Baseline, Scale };
    void setPeer(const PlanPtr& plan, Peer as);  ///< null: none
    /// What is selected: an operation, or the one that made the selected buffer.
    [[nodiscard]] OpId selectedOp() const;
    [[nodiscard]] int edge() const { return edge_; }
    [[nodiscard]] int lane() const { return lane_; }
    void selectEdge(int edge);  ///< of the record; -1: none
    void selectLane(int lane);  ///< -1: none
    void showLane(int lane);    ///< brings it into sight

signals:
    void rejectedChanged(bool on);
    void rowsChanged();
    void edgeChosen();    ///< by a click on its count
    void laneChosen();    ///< by a click on its badge
    void shownChanged();  ///< plan, edge or lane

protected:
    [[nodiscard]] QPointF axisPixels(QPointF position) const override;
    [[nodiscard]] Qt::Orientations axesAt(QPointF position) const override;
    [[nodiscard]] QRectF plotRect() const override;
    [[nodiscard]] QRectF itemRect(ItemId id) const override;
    [[nodiscard]] TooltipText tooltipAt(QPointF position) const override;
    void planReplaced() override;
    void refreshLook() override { texts_.clear(); }
    void emptyClicked(QPointF position) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void onSelection();
    void followPositions();
    [[nodiscard]] Viewport startViewport(QSize canvas) const;
    [[nodiscard]] QString operandWords(const ChainCell& cell) const;
    [[nodiscard]] ChainHit hit(QPointF position) const;
    [[nodiscard]] TooltipText cellTooltip(OpId op, int lane) const;
    [[nodiscard]] TooltipText columnTooltip(OpId op) const;
    [[nodiscard]] TooltipText edgeTooltip(const ChainEdge& edge) const;
    [[nodiscard]] TooltipText laneTooltip(int lane) const;

    ChainDataPtr data_, other_, beside_;
    std::unique_ptr<ChainTableModel> table_;
    mutable TextCache texts_;
    std::optional<ChainRows> rows_;
    bool showsRejected_ = true;
    bool isFollowing_ = false;
    double seenFrom_ = 0;  ///< first position in sight when the rows followed it last
    int edge_ = -1, lane_ = -1;
};

}  // namespace memplan::ui
