// SPDX-License-Identifier: GPL-3.0-or-later
// The operation graph of the current plan (user-experience 5): events, viewport and toggles. What is
// shown is decided by GraphArranger, the picture is drawn by graph_painter.
#pragma once

#include "widgets/canvas/graphic_view.h"
#include "widgets/views/graph/graph_painter.h"
#include "widgets/views/graph/scene/graph_arranger.h"

#include <memory>
#include <optional>

class QVariantAnimation;

namespace memplan::ui {

class OpTableModel;

class GraphView final : public GraphicView {
    Q_OBJECT
public:
    explicit GraphView(SelectionHub* hub, QWidget* parent = nullptr);
    ~GraphView() override;

    [[nodiscard]] GraphArranger& arranger() { return arranger_; }
    [[nodiscard]] const GraphScenePtr& scene() const { return shown_; }

    [[nodiscard]] QString viewKey() const override { return QStringLiteral("graph"); }
    [[nodiscard]] QString viewName() const override { return tr("Graph"); }
    [[nodiscard]] QString scopeText() const override;
    [[nodiscard]] QString stateSentence() const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    [[nodiscard]] QAbstractItemModel* tableModel() override;
    void paintPicture(QPainter& painter, QSize size, const Theme& theme) const override;

    [[nodiscard]] Overlay overlay() const { return overlay_; }
    void setOverlay(Overlay overlay);
    void setOverlaySources(OverlaySources sources);
    [[nodiscard]] const OverlayData* overlayData() const { return overlayData_.get(); }
    [[nodiscard]] OverlayRange overlayRange() const { return range_; }
    void setOverlayRange(OverlayRange range);
    [[nodiscard]] bool isMapVisible() const { return showMap_; }
    void setMapVisible(bool on);
    /// Find in view (3.9): everything else is dimmed; nullopt ends it.
    void setMatches(const std::optional<std::vector<ItemId>>& items) override;
    [[nodiscard]] bool hasMatches() const { return matchItems_.has_value(); }
    /// Ops and buffers that a hint names get a pin (5.11).
    void setHintMarks(const std::vector<ItemId>& items, const std::vector<ItemId>& pins) override;

    void traceFrom(ItemId id);                  ///< ancestors and descendants (5.7)
    void traceBetween(ItemId from, ItemId to);  ///< all paths between two
    void showCriticalPaths();
    void clearTrace();
    [[nodiscard]] const GraphTrace& trace() const { return trace_; }
    [[nodiscard]] const QString& traceSentence() const { return traceSentence_; }

    /// Opens or closes the group under the keyboard: the clicked one, else the selection's own.
    void toggleGroup(bool alike);
    void toggleNeighbours();
    void fitAll() override;
    void showFullSize();  ///< 100 %: boxes at their full size around the middle of what is shown
    [[nodiscard]] QSize wholePictureSize() const override;
    void fitItem(ItemId id) override;
    /// Overlays that need another plan or a file of numbers are not kept: both are gone by then.
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;
    /// Scale in percent, 100 = a box is 160 px wide.
    [[nodiscard]] double scalePercent() const { return viewport().x.scale * 100; }
    [[nodiscard]] QString zoomText() const override;
    [[nodiscard]] std::vector<KeyHelp> keyHelp() const override;
    [[nodiscard]] std::optional<ItemId> itemAt(QPointF position) const override;
    /// No layout is on its way: it came, was refused, or failed.
    [[nodiscard]] bool isSettled() const override {
        return !arranger_.isBusy() && (shown_ || !plan() || arranger_.refusal() || arranger_.hasFailed());
    }

    /// What the plan needs is laid out and shown.
    [[nodiscard]] bool hasLayout() const { return isSettled() && (shown_ || !plan()); }

signals:
    void overlayChanged();
    void traceChanged();
    void mapToggled(bool visible);

protected:
    [[nodiscard]] QRectF itemRect(ItemId id) const override;
    [[nodiscard]] TooltipText tooltipAt(QPointF position) const override;
    void fillContextMenu(QMenu& menu, std::optional<ItemId> item) override;
    [[nodiscard]] std::optional<ItemId> neighbour(ItemId id, int direction) const override;
    void planReplaced() override;
    void itemClicked(ItemId id, Qt::KeyboardModifiers modifiers) override;
    void emptyClicked(QPointF position) override;
    void refreshLook() override { texts_.clear(); }
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// A group whose corner stays where it is while the rest is laid out again (5.5).
    struct Anchor {
        int group = -1;
        QPointF onScreen;
    };

    [[nodiscard]] GraphViewState viewState(QSize size) const;
    [[nodiscard]] std::vector<char> notedNodes() const;
    [[nodiscard]] Viewport viewportFor(QSizeF size) const;
    [[nodiscard]] Viewport padded(Viewport v, QSizeF size) const;
    [[nodiscard]] QPointF sceneAt(QPointF position) const;
    [[nodiscard]] std::optional<ItemId> itemOfNode(int sceneNode) const;
    [[nodiscard]] int groupBoxAt(QPointF scene) const;
    [[nodiscard]] int modelNodeOf(ItemId id) const;
    [[nodiscard]] QRectF groupRect(const GraphScene& scene, int group) const;
    [[nodiscard]] TooltipText groupTooltip(int group) const;
    [[nodiscard]] TooltipText edgeTooltip(int edge) const;
    [[nodiscard]] const GraphEdge* modelEdgeAt(QPointF position) const;  ///< none where a node is
    [[nodiscard]] TooltipText nodeTooltip(int sceneNode) const;
    void setOpenAnchored(int group, bool open, bool alike);
    void onScene();
    void onScreenPlace(const GraphScenePtr& before);
    void startMove(GraphScenePtr from);
    void openingView(bool record);
    void keepSquare();
    void rebuildOverlay();
    [[nodiscard]] std::vector<LegendEntry> overlayLegend() const;
    void setTrace(GraphTrace trace, const QString& sentence);
    void updateHover(QPointF position);
    void dragMapTo(QPointF position);
    void startItemDrag(ItemId id);
    void traceSelection(bool isPath);
    [[nodiscard]] bool graphKey(const QKeyEvent& event);
    [[nodiscard]] bool stepAlongEdge(bool forward);
    // graph_view_loops.cpp
    void selectGroup(int group);
    [[nodiscard]] int loopOfGroup(int group) const;
    [[nodiscard]] int groupOfLoop(int loop) const;
    [[nodiscard]] int currentGroup() const;
    [[nodiscard]] std::vector<char> groupsWithSelected() const;
    [[nodiscard]] QRectF loopRect(int loop) const;

    GraphArranger arranger_;
    GraphScenePtr shown_;  ///< what is painted: the arranger's scene or one on its way to it
    std::unique_ptr<OpTableModel> table_;
    mutable TextCache texts_;
    Overlay overlay_ = Overlay::Residency;
    OverlaySources sources_;
    std::shared_ptr<const OverlayData> overlayData_;
    OverlayRange range_;
    bool showMap_ = true;
    std::optional<std::vector<ItemId>> matchItems_;
    std::vector<ItemId> hintedItems_, pinnedItems_;
    std::vector<char> matches_, hinted_;
    GraphTrace trace_;
    QString traceSentence_;
    std::optional<ItemId> traceStart_;
    int hoverNode_ = -1, hoverEdge_ = -1, focusedGroup_ = -1;
    std::optional<Anchor> anchor_;
    bool isNewPlan_ = true;
    std::optional<Viewport> opened_;  ///< the first picture of a large graph, until the user moves it
    bool isDraggingMap_ = false;
    bool isMoving_ = false;
    std::optional<QPointF> shiftPress_;
    QPointF clickAt_;  ///< where a button was let go last
    std::optional<QPointF> itemPress_;
    QVariantAnimation* move_ = nullptr;
};

}  // namespace memplan::ui
