// SPDX-License-Identifier: GPL-3.0-or-later
// The core grid (user-experience 6): cells with a metric, the split of the selected op, writer against
// reader of the selected buffer, a core's memory at the time cursor.
#pragma once

#include "widgets/canvas/graphic_view.h"
#include "widgets/views/coregrid/core_grid_painter.h"
#include "widgets/views/coregrid/data/split_fix.h"

#include <memory>

class QPushButton;

namespace memplan::ui {

class EdgeTableModel;

/// What the pane of the core grid shows.
enum class CorePage { Split, AllOps, Detail, Edges };

class CoreGridView final : public GraphicView {
    Q_OBJECT
public:
    explicit CoreGridView(SelectionHub* hub, QWidget* parent = nullptr);
    ~CoreGridView() override;

    [[nodiscard]] QString viewKey() const override { return QStringLiteral("cores"); }
    [[nodiscard]] QString viewName() const override { return tr("Core grid"); }
    [[nodiscard]] QString scopeText() const override;
    [[nodiscard]] QString stateSentence() const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    [[nodiscard]] QAbstractItemModel* tableModel() override;
    void paintPicture(QPainter& painter, QSize size, const Theme& theme) const override;
    [[nodiscard]] std::optional<ItemId> itemAt(QPointF position) const override;

    [[nodiscard]] CoreMetric metric() const { return metric_; }
    void setMetric(CoreMetric metric);
    /// With a buffer shown the cells give its bytes per core until another metric is chosen.
    [[nodiscard]] bool showsBufferBytes() const { return pair_ && showsBufferBytes_ && mode_ == CoreGridMode::Split; }
    void setShowsBufferBytes(bool on);
    [[nodiscard]] CoreGridMode mode() const { return mode_; }
    void setMode(CoreGridMode mode);
    [[nodiscard]] CorePage page() const { return page_; }
    void setPage(CorePage page);
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;
    [[nodiscard]] std::vector<KeyHelp> keyHelp() const override;
    [[nodiscard]] bool isAutoRange() const { return isAutoRange_; }
    void setAutoRange(bool on);
    [[nodiscard]] const std::shared_ptr<const CoreMetrics>& metrics() const { return metrics_; }
    /// Which reader of a buffer is shown against its writer whenever that buffer is; an invalid one leaves the choice
    /// to the view, which takes the first that differs.
    void setReader(memplan::BufferId buffer, memplan::OpId reader);
    /// The buffer whose writer and reader, or whose reader alone, are shown; invalid when none is.
    [[nodiscard]] BufferId shownBuffer() const { return pair_ ? pair_->buffer : input_; }
    [[nodiscard]] OpId shownReader() const { return pair_ ? pair_->reader : input_.isValid() ? op_ : OpId{}; }
    /// Everything the picture depends on, for a picture of the view's own size.
    [[nodiscard]] CoreGridState state() const;
    /// Dimensions of the op's picture; {-1, -1} = the two most split ones.
    void setPlane(PicturePlane plane);
    void setOtherSlice(std::int64_t index);
    /// Selects an op and shows how it was divided before beside how it is now, until the selection changes.
    void showChange(OpId op, const PlanOp& before);
    void fitAll() override {}
    /// What a machine's own code knows of its plans.
    void setSources(CoreSources sources);

signals:
    void modeChanged();
    void pageChanged();
    void autoRangeChanged(bool on);
    void shapeChanged();  ///< metric, op, pair or plane changed (bar)
    /// The fix of a mismatch was chosen: a `split` hint for each op.
    void splitsRequested(const std::vector<memplan::ui::SplitProposal>& proposals);
    /// Divisions are to be searched together with places: that would find a split that fits both.
    void jointSearchRequested();

protected:
    [[nodiscard]] Qt::Orientations axesAt(QPointF) const override { return {}; }
    [[nodiscard]] QRectF itemRect(ItemId id) const override;
    [[nodiscard]] TooltipText tooltipAt(QPointF position) const override;
    void planReplaced() override;
    void refreshLook() override { texts_.clear(); }
    void itemClicked(ItemId id, Qt::KeyboardModifiers modifiers) override;
    void emptyClicked(QPointF position) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void onSelection();
    [[nodiscard]] std::optional<SplitPair> pairFor(BufferId buffer) const;
    [[nodiscard]] OpId opFor(BufferId buffer);
    void updateCard();
    [[nodiscard]] const PlanOp& shownOp() const { return sharedOp(*plan(), metrics_.get(), op_); }
    [[nodiscard]] int coreAt(QPointF position) const;
    void dragSlider(QPointF position);

    CoreSources sources_;
    std::shared_ptr<const CoreMetrics> metrics_;
    std::unique_ptr<EdgeTableModel> table_;
    mutable TextCache texts_;
    CoreMetric metric_ = CoreMetric::WorkShare;
    CoreGridMode mode_ = CoreGridMode::Split;
    bool showsBufferBytes_ = true;
    bool isAutoRange_ = false;
    CorePage page_ = CorePage::Split;
    PicturePlane plane_;
    std::int64_t otherSlice_ = 0;
    OpId op_;
    std::optional<SplitPair> pair_;
    BufferId input_;  ///< shown buffer that no op writes
    struct ReaderChoice {
        BufferId buffer;
        OpId reader;
    };
    ReaderChoice readerChoice_;
    std::optional<PlanOp> before_;
    std::optional<SplitFix> fix_;
    CardText card_;
    int cardButtonRows_ = 0;
    int core_ = -1;
    bool isSliding_ = false;
    QPushButton* split_;
    QPushButton* coOptimise_;
};

}  // namespace memplan::ui
