// SPDX-License-Identifier: GPL-3.0-or-later
// The chart of the window (architecture 8.5): figures as lines, steps or bars in the look of the theme, with keyboard,
// tooltip, accessible text, a table of the same figures and pictures for files. Qt Charts stays behind it.
#pragma once

#include "widgets/canvas/chart/chart_data.h"
#include "widgets/canvas/picture/picture_source.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <utility>

class QTableView;

namespace memplan::ui {

class ChartPlot;
class ChartTable;

class Chart : public QWidget, public PictureSource {
    Q_OBJECT
public:
    explicit Chart(QWidget* parent = nullptr);
    ~Chart() override;

    void setData(ChartData data);
    /// Says which plan the figures follow from, when a picture of them is made; a chart of several plans has none.
    void setPlanName(std::function<QString()> name) { planName_ = std::move(name); }
    [[nodiscard]] const ChartData& data() const { return data_; }
    /// Index in data().places() of the place that the keyboard is at, -1 before the first key.
    [[nodiscard]] int current() const { return current_; }
    [[nodiscard]] ChartTable* table() const { return table_; }
    /// The table in the place of the chart, and back (Ctrl+T).
    void setTableShown(bool on);
    [[nodiscard]] bool isTableShown() const;
    /// Where a place is on the widget.
    [[nodiscard]] QRectF placeRect(int place) const;

    [[nodiscard]] QString viewName() const override { return data_.name; }
    [[nodiscard]] QString scopeText() const override;
    [[nodiscard]] QSize pictureSize() const override { return size(); }
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    void paintPicture(QPainter& painter, QSize size, const Theme& theme) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void currentChanged(int place);  ///< by the keyboard; -1: Escape
    void activated(int place);       ///< click, or Enter

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] const ChartPlot& plot() const;
    [[nodiscard]] bool isBars() const { return data_.form == ChartData::Form::Bars; }
    void setCurrent(int place);
    void describe();
    void copy() const;
    void savePicture();

    ChartData data_;
    std::function<QString()> planName_;
    ChartTable* table_;
    QTableView* tableView_ = nullptr;  ///< made when it is asked for
    int current_ = -1;
    mutable std::unique_ptr<ChartPlot> plot_;  ///< of the present size and theme
    mutable quint64 plotRevision_ = 0;
    mutable QSize plotSize_;
};

}  // namespace memplan::ui
