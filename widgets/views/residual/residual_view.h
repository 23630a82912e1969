// SPDX-License-Identifier: GPL-3.0-or-later
// The residual stream (user-experience 9): who owns which columns over the layers, what each layer uses, columns by
// annotation, plateaus and the longest path.
#pragma once

#include "widgets/canvas/graphic_view.h"
#include "widgets/kit/theme/text_cache.h"
#include "widgets/views/residual/residual_painter.h"

#include <memory>
#include <optional>

namespace memplan::ui {

class KJob;
class OwnerTableModel;

class ResidualView final : public GraphicView {
    Q_OBJECT
public:
    explicit ResidualView(SelectionHub* hub, QWidget* parent = nullptr);
    ~ResidualView() override;

    [[nodiscard]] QString viewKey() const override { return QStringLiteral("residual"); }
    [[nodiscard]] QString viewName() const override { return tr("Residual stream"); }
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
    [[nodiscard]] bool isSettled() const override;
    void settle() override;
    void fitAll() override;

    [[nodiscard]] const ResidualDataPtr& residualData() const { return data_; }
    [[nodiscard]] const std::vector<ResidualPlateau>& plateaus() const { return *plateaus_; }
    /// Of the cluster of the first plateau that a hint is offered for; null while it is under way or without one.
    [[nodiscard]] const torchwright::KSearch* search() const { return search_ ? &*search_ : nullptr; }
    [[nodiscard]] int searchedCluster() const { return searchedCluster_; }
    [[nodiscard]] ResidualViewState state() const;
    [[nodiscard]] int layer() const { return layer_; }
    [[nodiscard]] int plateau() const { return plateau_; }
    void selectLayer(int layer);      ///< -1: none; the time cursor follows
    void selectPlateau(int plateau);  ///< -1: none
    void setColour(ResidualColour colour);
    /// The plan that this one is compared with (16.3): both views then show one scale of layers and columns.
    enum class Peer { Scale, Line };  ///< Line: the peer is plan A, its occupied columns are a line over the stack
    void setPeer(ResidualDataPtr peer, Peer shown);  ///< null: none
    /// Colours and parts are those that the view opens with.
    [[nodiscard]] bool isAsOpened() const { return !isColourChosen_ && showsMap_ && showsStack_ && !showsPath_; }
    void setShown(bool map, bool stack, bool path);

signals:
    void lookChanged();   ///< colours, or which parts are shown
    void shownChanged();  ///< plan, layer, plateau or selection
    void searchDone();
    void plateauChosen();
    void layerChosen();

protected:
    [[nodiscard]] QPointF axisPixels(QPointF position) const override;
    [[nodiscard]] Qt::Orientations axesAt(QPointF position) const override;
    [[nodiscard]] QRectF plotRect() const override;
    [[nodiscard]] QRectF itemRect(ItemId id) const override;
    [[nodiscard]] TooltipText tooltipAt(QPointF position) const override;
    [[nodiscard]] std::optional<ItemId> neighbour(ItemId id, int direction) const override;
    void planReplaced() override;
    void refreshLook() override { texts_.clear(); }
    void emptyClicked(QPointF position) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] ResidualLayout layoutNow() const { return residualLayout(state(), canvasSize()); }
    [[nodiscard]] ResidualHit hit(QPointF position) const;
    void onTimeCursor();
    void selectAnnotation(int annotation);
    void moveLayer(int by);
    bool plainKey(int key);
    void startSearch();

    ResidualDataPtr data_;
    std::shared_ptr<const std::vector<ResidualPlateau>> plateaus_;
    std::shared_ptr<const std::vector<PathBar>> path_;
    std::unique_ptr<OwnerTableModel> table_;
    KJob* job_;
    std::optional<torchwright::KSearch> search_;
    int searchedCluster_ = -1;
    mutable TextCache texts_;
    mutable ResidualCache cache_;
    ResidualColour colour_ = ResidualColour::Annotation;
    bool showsMap_ = true, showsStack_ = true, showsPath_ = false;
    int layer_ = -1, plateau_ = -1;
    ResidualDataPtr peer_;
    Peer peerShown_ = Peer::Scale;
    std::pair<int, int> peerPlateau_;
    bool isColourChosen_ = false;  ///< by the user; else it follows what the plan has
    void chooseColour();
};

/// What lies at a place of the view, in words.
[[nodiscard]] TooltipText residualTooltip(const ResidualViewState& state, const ResidualLayout& layout,
                                          const ResidualHit& hit);

}  // namespace memplan::ui
