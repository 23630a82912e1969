// SPDX-License-Identifier: GPL-3.0-or-later
// The row of controls above a view with its legend at the right end. Where the pane is narrow or the
// text large, first the boxes give way that can, then the legend takes a row of its own, then the
// controls go on in further rows: nothing is cut, and no bar keeps its pane from getting narrower.
#pragma once

#include <QLayout>
#include <QWidget>

#include <functional>
#include <vector>

namespace memplan::ui {

class BarLayout final : public QLayout {
    Q_OBJECT
public:
    explicit BarLayout(QWidget* parent);
    ~BarLayout() override;

    void addStretch();                ///< what is added from here on stands at the right
    void setLegend(QWidget* legend);  ///< at the right end, or in a row of its own
    void setLegendOptional(bool on);  ///< on: no row of its own, it goes where there is no room
    /// Hidden where that spares a row: what it does is offered elsewhere too.
    void setOptional(QWidget* control) { optional_.push_back(control); }

    void addItem(QLayoutItem* item) override;
    [[nodiscard]] int count() const override { return static_cast<int>(items_.size()); }
    [[nodiscard]] QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override { return {}; }
    /// Height of the rows in this width. The bar asks for it: a layout that reported it would make every dock
    /// around as high as it is with the bar at its narrowest.
    [[nodiscard]] int heightFor(int width) const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    using Place = std::function<void(QLayoutItem* item, const QRect& rect)>;
    struct Slot {
        QLayoutItem* item;
        bool atRight;
        int width;
    };
    [[nodiscard]] QSize hintOf(const QLayoutItem* item) const;
    [[nodiscard]] bool isOptional(const QLayoutItem* item) const;
    [[nodiscard]] std::vector<Slot> visibleSlots() const;
    /// Without the optional ones where only that makes one row of `room` px.
    [[nodiscard]] std::vector<Slot> slotsFor(int room, const Place& place) const;
    [[nodiscard]] int arrange(const QRect& rect, const Place& place) const;  ///< height used
    [[nodiscard]] static int widthOf(const std::vector<Slot>& row, int gap);
    [[nodiscard]] static std::vector<Slot> shrunk(std::vector<Slot> row, int most, int gap);
    [[nodiscard]] int placeRows(const std::vector<Slot>& controls, const QRect& line, const Place& place) const;
    void placeRow(const std::vector<Slot>& row, const QRect& rect, const Place& place) const;

    std::vector<QLayoutItem*> items_;
    std::vector<QWidget*> optional_;
    int firstAtRight_ = -1;
    QLayoutItem* legend_ = nullptr;
    bool isLegendOptional_ = false;
};

/// Ground of a view bar that wraps, with its line below; as high as its rows.
class WrapBar final : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    void setBare(bool on) { isBare_ = on; }  ///< inside a form: no ground and no line of its own

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    bool isBare_ = false;
};

}  // namespace memplan::ui
