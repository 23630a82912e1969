// SPDX-License-Identifier: GPL-3.0-or-later
// What all graphic views have in common: zoom and pan, hover and tooltip, context menu, keys,
// copy, focus ring, empty block, accessible text (user-experience 2, 21, 22). A view supplies its
// geometry and painter; the same paintPicture() serves screen, PNG, SVG and PDF (architecture 8.1).
//
// Larger text enlarges the whole picture (22.4): a view lays out, paints and hits on a canvas whose
// pixel is `canvasUnit()` pixels of the widget, with text at 100 %, so that nothing in it can collide
// that does not at 100 %. Positions that the virtual functions and mouse handlers get are on the canvas.
#pragma once

#include "widgets/canvas/picture/picture_source.h"
#include "widgets/canvas/state/key_help.h"
#include "widgets/canvas/state/render_options.h"
#include "widgets/canvas/state/view_state.h"
#include "widgets/kit/theme/theme.h"

#include <QJsonObject>
#include <QTimer>
#include <QWidget>

#include <memory>

class QAbstractItemModel;
class QMenu;
class QVariantAnimation;

namespace memplan::ui {

class ItemTooltip;
class EmptyBlock;

class GraphicView : public QWidget, public PictureSource {
    Q_OBJECT
public:
    explicit GraphicView(SelectionHub* hub, QWidget* parent = nullptr);
    ~GraphicView() override;

    [[nodiscard]] SelectionHub* hub() const { return hub_; }
    [[nodiscard]] const PlanPtr& plan() const { return hub_->plan(); }
    [[nodiscard]] const Units& units() const { return units_; }
    void setUnits(const Units& units);
    /// "Plan 4: greedy, 1 core"; part of the scope in the dock title.
    void setPlanName(const QString& name);
    [[nodiscard]] const QString& planName() const { return planName_; }
    /// True: wheel scrolls and Ctrl+wheel zooms (2.7).
    void setWheelScrolls(bool on) { wheelScrolls_ = on; }

    // --- what a view must say about itself
    [[nodiscard]] virtual QString viewKey() const = 0;        ///< gantt, graph, cores, ... (18.2)
    [[nodiscard]] virtual QString stateSentence() const = 0;  ///< accessible description (22.2)
    [[nodiscard]] virtual std::optional<EmptyText> emptyText() const;
    /// Why there is no plan, in place of "Not compiled yet"; without a sentence the view stays plain.
    void setAbsence(const std::optional<EmptyText>& why);
    /// Table of the same items; owned by the view, nullptr when it has none.
    [[nodiscard]] virtual QAbstractItemModel* tableModel() { return nullptr; }
    [[nodiscard]] QString scopeText() const override { return planName_; }
    [[nodiscard]] QSize pictureSize() const override { return canvasSize(); }
    /// Size of a picture of everything in which its parts can be read.
    [[nodiscard]] virtual QSize wholePictureSize() const { return canvasSize(); }

    // --- what a view may add beyond drawing (architecture 8.12)
    /// Toggles that a session keeps, without zoom and selection; empty = none.
    [[nodiscard]] virtual QJsonObject saveState() const { return {}; }
    virtual void restoreState(const QJsonObject& state) { Q_UNUSED(state) }
    [[nodiscard]] virtual QString zoomText() const;  ///< "100 %", for the status bar
    [[nodiscard]] virtual std::vector<KeyHelp> keyHelp() const { return {}; }
    /// Nothing that the picture waits for is on its way.
    [[nodiscard]] virtual bool isSettled() const { return true; }
    /// Marks what a hint names; `pins` are those that one fixes in their place.
    virtual void setHintMarks(const std::vector<ItemId>& items, const std::vector<ItemId>& pins) {
        Q_UNUSED(items)
        Q_UNUSED(pins)
    }

    // --- canvas
    [[nodiscard]] double canvasUnit() const;
    [[nodiscard]] QSize canvasSize() const;
    [[nodiscard]] QPointF toCanvas(QPointF inWidget) const { return inWidget / canvasUnit(); }
    [[nodiscard]] QPointF toWidget(QPointF onCanvas) const { return onCanvas * canvasUnit(); }
    [[nodiscard]] QRectF toWidget(const QRectF& r) const { return {toWidget(r.topLeft()), r.size() * canvasUnit()}; }

    // --- zoom and pan
    [[nodiscard]] const Viewport& viewport() const { return viewport_; }
    void setViewport(const Viewport& viewport, bool record = true);
    void animateTo(const Viewport& viewport);  ///< 150 ms, at once with reduced motion
    void zoomBy(double factor, QPointF at);
    void panBy(QPointF pixels);
    virtual void fitAll();
    /// Waits for what the view makes of its plan on a worker; pictures are final afterwards.
    virtual void settle() {}
    virtual void fitItem(ItemId id);  ///< does nothing for an unknown item
    void fitSelection();
    bool zoomBack();  ///< last 50 zoom states
    bool zoomForward();
    [[nodiscard]] double zoomPercent() const;  ///< 100 = everything fits

    /// Find in view (3.9): everything else is dimmed; nullopt ends it.
    virtual void setMatches(const std::optional<std::vector<ItemId>>& items);

    [[nodiscard]] virtual std::optional<ItemId> itemAt(QPointF position) const = 0;
    void copyToClipboard();  ///< 2.14
    /// For RenderOptionsScope alone: what a picture shows of the state; nullopt = all of it, as on screen.
    void setRenderOptions(const std::optional<RenderOptions>& render) { renderOptions_ = render; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 140}; }

signals:
    void viewportChanged();
    void tableTwinRequested();   ///< Ctrl+T
    void exportRequested();      ///< Ctrl+E
    void cheatSheetRequested();  ///< ?
    void emptyAction(const QString& key);
    void scopeChanged();  ///< title or legend may differ now

protected:
    void updateEmptyBlock();
    [[nodiscard]] const Theme& theme() const;  ///< of the canvas
    [[nodiscard]] ViewState baseState() const;
    /// Whether a vector picture is to keep what would become an image in it.
    [[nodiscard]] bool keepsAllShapes() const { return renderOptions_ && renderOptions_->allShapes; }
    /// Whether this paints on the screen, where its buttons and workers are, and not into a picture.
    [[nodiscard]] bool isOnScreen(const QPainter& painter) const;
    // --- geometry hooks of the base's mouse handling
    /// Pixels on both axes from a position in the widget; (0, 0) is the origin of the axes.
    [[nodiscard]] virtual QPointF axisPixels(QPointF position) const { return position; }
    /// Direction of the value axes on screen: -1 when values grow upward or to the left.
    [[nodiscard]] virtual QPointF axisDirection() const { return {1, 1}; }
    /// Axes that a wheel or drag at this place moves.
    [[nodiscard]] virtual Qt::Orientations axesAt(QPointF position) const;
    [[nodiscard]] virtual QRectF plotRect() const { return QRectF(QPointF(), canvasSize()); }
    /// Where the words of an empty plot hide nothing else.
    [[nodiscard]] virtual QRectF emptyRoom() const { return plotRect(); }
    [[nodiscard]] virtual QRectF itemRect(ItemId id) const {
        Q_UNUSED(id)
        return {};
    }  ///< on the canvas
    [[nodiscard]] virtual TooltipText tooltipAt(QPointF position) const;
    virtual void fillContextMenu(QMenu& menu, std::optional<ItemId> item);
    [[nodiscard]] virtual QString selectionAsText() const;  ///< tab-separated, with head
    /// Item before (-1) or after (+1) in schedule order (PgUp, PgDn, arrows with a selection).
    [[nodiscard]] virtual std::optional<ItemId> neighbour(ItemId id, int direction) const;
    virtual void planReplaced() {}  ///< rebuild prepared data
    virtual void itemClicked(ItemId id, Qt::KeyboardModifiers modifiers);
    virtual void emptyClicked(QPointF position);
    virtual void refreshLook() {}  ///< theme or units changed: drop caches
    /// Frame and axes of a view that has no plan yet: nothing jumps when it comes (19.2).
    virtual void paintFrame(QPainter& painter) const { Q_UNUSED(painter) }
    void addStandardActions(QMenu& menu, ItemId item);
    void addNoteLegend(std::vector<LegendEntry>& entries) const;  ///< "note", when this plan has any
    void endPress();  ///< the view takes the running press over: no click, no pan

    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Drag { None, Press, Pan, Zoom };
    [[nodiscard]] bool navigationKey(const QKeyEvent& event);
    [[nodiscard]] bool historyKey(const QKeyEvent& event);
    [[nodiscard]] bool itemKey(const QKeyEvent& event);
    [[nodiscard]] bool cursorKey(const QKeyEvent& event);
    void moveSelection(int direction);
    void onSelection();
    void onPlan();
    void announce();
    [[nodiscard]] TooltipText tooltipWithNote(QPointF position) const;
    void showTooltip();
    void hideTooltip();
    [[nodiscard]] bool sendOnCanvas(QEvent* event);
    void zoomToRubberBand();
    void paintMatches(QPainter& painter) const;
    void setViewportNow(const Viewport& viewport);

    SelectionHub* hub_;
    double unit_ = 1;          ///< canvas unit that the viewport was fitted with
    bool isKeyFocus_ = false;  ///< focus came by, or was used with, the keyboard
    bool onCanvas_ = false;    ///< the next event has canvas positions already
    Units units_;
    QString planName_;
    std::optional<EmptyText> absence_;
    Viewport viewport_;
    std::optional<RenderOptions> renderOptions_;
    std::vector<Viewport> zoomHistory_;
    int zoomAt_ = -1;
    bool wheelScrolls_ = false;
    std::optional<std::vector<ItemId>> matches_;
    Drag drag_ = Drag::None;
    QPointF pressAt_, lastAt_;
    QTimer hoverTimer_;
    ItemTooltip* tooltip_ = nullptr;
    EmptyBlock* empty_ = nullptr;
    QVariantAnimation* animation_ = nullptr;
};

}  // namespace memplan::ui
