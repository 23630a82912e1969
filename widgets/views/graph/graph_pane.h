// SPDX-License-Identifier: GPL-3.0-or-later
// The graph view with its bar, notices and the range bar of numeric overlays (user-experience 5).
#pragma once

#include "widgets/views/graph/graph_view.h"
#include "widgets/views/graph/value_column.h"

#include <QWidget>

class QComboBox;
class QMenu;
class QToolButton;

namespace memplan::ui {

class Strip;
class ViewPane;

/// Histogram of a numeric overlay with two handles that leave only a range at full strength (5.8).
class OverlayRangeBar final : public QWidget {
    Q_OBJECT
public:
    explicit OverlayRangeBar(GraphView* view, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override { return {300, 30}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QRectF track() const;
    [[nodiscard]] QString textAt(double share) const;
    void moveHandle(double x);
    void setRange(OverlayRange range);

    GraphView* view_;
    bool movesEnd_ = false;
};

class GraphPane final : public QWidget {
    Q_OBJECT
public:
    explicit GraphPane(SelectionHub* hub, QWidget* parent = nullptr);

    [[nodiscard]] GraphView* view() const { return view_; }
    [[nodiscard]] ViewPane* pane() const { return pane_; }
    /// Overlays that need a second plan or a CSV are offered only when they are there.
    void setOverlaySources(const OverlaySources& sources);
    /// Shows the numbers of a CSV as overlay; a file that cannot be read leaves the overlay and says why
    /// in the strip.
    void loadColumn(const QString& path);

private:
    void buildBar();
    void buildMenu();
    void fillOverlays();
    void fillGroupings();
    void chooseOverlay(int index);
    void askForColumn();
    void setColumn(ValueColumn column);
    void updateStrip();
    void stripAction(const QString& key);
    QToolButton* addButton(const QString& iconName, const QString& text);

    GraphView* view_;
    ViewPane* pane_;
    Strip* strip_;
    OverlayRangeBar* range_;
    QComboBox* overlays_;
    QComboBox* groupings_;
    QToolButton* map_ = nullptr;
    QMenu* menu_ = nullptr;
    OverlaySources sources_;
    QString note_;
    QString columnNotice_;
};

}  // namespace memplan::ui
