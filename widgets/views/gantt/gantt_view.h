// SPDX-License-Identifier: GPL-3.0-or-later
// The Gantt widget: address against time of one plan (user-experience 7). Events and toggles only;
// geometry, look and painting are in the files beside.
#pragma once

#include "widgets/canvas/graphic_view.h"
#include "widgets/kit/theme/text_cache.h"
#include "widgets/views/gantt/geometry/gantt_build.h"
#include "widgets/views/gantt/paint/gantt_raster.h"

namespace memplan::ui {

class BufferModel;
struct GanttOverlay;
class GanttDragging;

class GanttView final : public GraphicView {
    Q_OBJECT
public:
    explicit GanttView(SelectionHub* hub, QWidget* parent = nullptr);

    [[nodiscard]] QString viewName() const override;
    [[nodiscard]] QString viewKey() const override { return QStringLiteral("gantt"); }
    [[nodiscard]] QString scopeText() const override;
    [[nodiscard]] QString stateSentence() const override;
    [[nodiscard]] std::optional<EmptyText> emptyText() const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    [[nodiscard]] QAbstractItemModel* tableModel() override;
    void paintPicture(QPainter& painter, QSize size, const Theme& theme) const override;
    [[nodiscard]] std::size_t denseShapes(QSize size) const override;
    [[nodiscard]] std::optional<ItemId> itemAt(QPointF position) const override;
    void fitAll() override;
    void settle() override;

    [[nodiscard]] const GanttState& toggles() const { return toggles_; }
    /// Without a plan while that of a large one is still being made; dataChanged() says when it is there.
    [[nodiscard]] const GanttDataPtr& ganttData() const { return data_; }
    [[nodiscard]] bool isSettled() const override { return !build_->isRunning() && !raster_->isRunning(); }
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;
    [[nodiscard]] std::vector<KeyHelp> keyHelp() const override;
    void setColour(GanttColour colour);
    void setOffChipLane(bool on);
    void setAddressDown(bool down);
    /// Whether a long range of addresses that nothing uses is drawn short; it is as shipped.
    void setFoldsEmpty(bool on);
    [[nodiscard]] bool foldsEmpty() const { return foldsEmpty_; }
    /// A memory map that stands beside this one: both draw the same addresses short. Null: none does.
    void setPeer(GanttDataPtr peer);
    void setSizeFilter(int bucket);  ///< -1 = none
    /// Buffers, or ops for their outputs, that a hint names; `pins` are those that one fixes in their place.
    void setHintMarks(const std::vector<ItemId>& items, const std::vector<ItemId>& pins) override;
    /// Only buffers that stayed off chip for reasons of this family are at full strength; empty = all (7.5).
    void setReasonFilter(const QString& family);
    /// What the size histogram and the reasons leave; nullopt without a filter.
    [[nodiscard]] std::optional<std::vector<ItemId>> filteredItems() const;
    /// Another plan drawn over this one; nullptr ends it, and so does another plan of the hub.
    void setOverlay(std::shared_ptr<const GanttOverlay> overlay);
    /// Previous (-1) or next (+1) local peak of the live curve under the time cursor.
    void moveToPeak(int direction);

signals:
    void togglesChanged();
    void dataChanged();  ///< what a worker made has arrived
    /// A drag was confirmed: a hint `address` or `address_limit` for the buffer (7.8).
    void addressProposed(memplan::BufferId buffer, const QString& key, qint64 address);
    /// "Compact addresses" was chosen (scratchpad 14.8).
    void compactRequested();

protected:
    [[nodiscard]] QPointF axisPixels(QPointF position) const override;
    [[nodiscard]] QPointF axisDirection() const override;
    [[nodiscard]] Qt::Orientations axesAt(QPointF position) const override;
    [[nodiscard]] QRectF plotRect() const override;
    [[nodiscard]] QRectF emptyRoom() const override;
    [[nodiscard]] QRectF itemRect(ItemId id) const override;
    [[nodiscard]] TooltipText tooltipAt(QPointF position) const override;
    void fillContextMenu(QMenu& menu, std::optional<ItemId> item) override;
    [[nodiscard]] std::optional<ItemId> neighbour(ItemId id, int direction) const override;
    void planReplaced() override;
    void refreshLook() override;
    void paintFrame(QPainter& painter) const override;
    void itemClicked(ItemId id, Qt::KeyboardModifiers modifiers) override;
    void emptyClicked(QPointF position) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] GanttLayout layoutFor(QSizeF size) const;
    [[nodiscard]] GanttState state() const;
    [[nodiscard]] const GanttLook& lookFor(const Theme& theme) const;
    [[nodiscard]] bool isOnTimeAxis(QPointF position) const;
    [[nodiscard]] const NoteFlags::OnSteps* notedRangeAt(QPointF position) const;
    [[nodiscard]] RasterRequest rasterRequest(const GanttLayout& layout, const Theme& theme, double ratio) const;
    void requestRaster() const;
    [[nodiscard]] std::optional<int> loopAt(QPointF position) const;
    void toggled();
    void adopt(const GanttModel& model);
    void arrived(const GanttModel& model);
    [[nodiscard]] bool hasData() const { return data_->plan != nullptr; }
    [[nodiscard]] bool hasMarks() const;
    void refold();
    void followRange();
    void pressForDrag(const QMouseEvent& event);
    [[nodiscard]] bool dragTo(const QMouseEvent& event);
    [[nodiscard]] bool endDrag();
    void dragChanged();
    [[nodiscard]] bool stepInAddresses(bool up);

    GanttState toggles_;  ///< base part unused; see state()
    GanttDataPtr data_;
    GanttDataPtr peer_;
    bool foldsEmpty_ = true;
    std::shared_ptr<const GanttHitGrid> hit_;
    GanttBuild* build_;
    std::pair<Step, Bytes> axes_{0, 0};  ///< steps and addresses that the viewport was fitted to
    mutable GanttLook look_;
    mutable quint64 lookRevision_ = 0;
    mutable TextCache text_;
    std::unique_ptr<GanttRaster> raster_;
    mutable std::optional<GanttLayout> rasterLayout_;  ///< what the last request was for
    BufferModel* model_ = nullptr;
    std::optional<Step> rangeFrom_;  ///< step where a drag on the time axis began
    GanttDragging* dragging_;
};

}  // namespace memplan::ui
